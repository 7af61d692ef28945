"""Completion bounds from several sets of prices: for each state those that were made for states like it."""

from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, Window, lefts_in
from solver.bound.kernels.outlook import DEAD_END, Outlook, fill_outlook, state_bounds
from solver.bound.kernels.packed_states import Packed
from solver.bound.relaxations.prices import Prices
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

_NO_FOCUS = -1


@dataclass(frozen=True)
class FocusPrices:
    """Prices for the states from a layer on whose left draws are in a window.

    played: tiles played, the first layer that they are for.
    """

    played: int
    window: Window
    prices: Prices


@dataclass(frozen=True)
class Focus(FocusPrices):
    """Such prices and the relaxed game's values at them.

    values: int64, shape (tiles + 1, tiles + 1, rack + 1), by tiles drawn, left draws and tiles held, in thousandths of a point.
    """

    values: npt.NDArray[np.int64]

    def covers(self, drawn: int, left: int) -> bool:
        """Whether its prices say anything of states with so many tiles drawn."""
        low, high = lefts_in(self.window, drawn)
        return drawn >= self.window.first and low <= left <= high

    def distance(self, layer: int, left: int) -> int:
        """How far a state of a layer is from those that the prices were made for, doubled, negative among them.

        Of the tiles played since then about half have been made good from the left.
        """
        then = 2 * left - (layer - self.played)
        return max(2 * self.window.low - then, then - 2 * self.window.high)


class Outlooks:
    """What every layer of a sweep needs of the rest of the game.

    The first focus is for all states. A state is judged by the focus of the latest layer up to its own that covers it. Of
    several it is the one that was made for states most like it, and of these the first.
    """

    def __init__(self, problem: Problem, foci: list[Focus]) -> None:
        self._puzzle = problem.puzzle
        self.foci = foci
        self._kept: dict[tuple[int, int], Outlook] = {}
        self._lock = Lock()

    def add(self, foci: list[Focus]) -> None:
        """Judge states by these, too, from now on."""
        self.foci.extend(foci)
        self._kept.clear()

    def after(self, layer: int, drawn: int) -> Outlook:
        """The outlook once `drawn` tiles are drawn, for what happens in `layer`, the number of tiles played."""
        with self._lock:
            if (layer, drawn) not in self._kept:
                self._kept = {place: kept for place, kept in self._kept.items() if place[0] == layer}
                self._kept[layer, drawn] = self._made(layer, drawn)
            return self._kept[layer, drawn]

    def suited(self, played: int, window: Window) -> Prices:
        """The prices that judge the middle of a window of left draws now."""
        return self.foci[self._suited(played, window.first, min(window.first, (window.low + window.high) // 2))].prices

    def groups(self, drawn: int) -> npt.NDArray[np.int64]:
        """Which numbers of tiles held have the same prices of leaves after `drawn` tiles: shape (rack + 1,)."""
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        if drawn == tiles:
            return np.arange(rack + 1, dtype=np.int64)
        most = max(focus.prices.leave.shape[2] for focus in self.foci)
        if any(most % focus.prices.leave.shape[2] for focus in self.foci):
            return np.arange(rack + 1, dtype=np.int64)
        groups: npt.NDArray[np.int64] = np.minimum(np.arange(rack + 1, dtype=np.int64), rack - 1) * most // rack
        return groups

    def bounds(self, states: Packed, played: int) -> npt.NDArray[np.int64]:
        """The most that games through states with `played` tiles played can score, in thousandths of a point."""
        found = np.empty(len(states), dtype=np.int64)
        state_bounds(states, self.of_layer(played), found)
        return found

    def of_layer(self, played: int) -> Outlook:
        """The outlooks of the states with `played` tiles played, by tiles held."""
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        drawn = [min(tiles, played + held) for held in range(rack + 1)]
        return Outlook(*(np.stack(arrays) for arrays in zip(*(self.after(played, some) for some in drawn), strict=True)))

    def _made(self, layer: int, drawn: int) -> Outlook:
        row, rack, tiles = self._puzzle.row_codes, self._puzzle.rack_size, len(self._puzzle.row)
        lefts = drawn + 1 if drawn < tiles else 1
        made = new_outlook(tiles, rack)
        chosen = [self._suited(layer, drawn, left) for left in range(lefts)]
        for number in sorted(set(chosen) - {_NO_FOCUS}):
            focus = self.foci[number]
            some = np.array([left for left in range(lefts) if chosen[left] == number], dtype=np.int64)
            leaves = LeavePrices(focus.prices.leave, tiles, rack, focus.window)
            fill_outlook(drawn, some, row, focus.prices.tile, leaves, focus.values, made)
        return made

    def _suited(self, layer: int, drawn: int, left: int) -> int:
        """Which focus judges such states; `_NO_FOCUS` where no focus covers them."""
        if drawn == len(self._puzzle.row):
            # the ends of an empty row no longer matter: the latest one that has begun
            fit = [i for i, focus in enumerate(self.foci) if focus.played <= layer]
            return max(fit, key=lambda i: (self.foci[i].played, -i), default=_NO_FOCUS)
        fit = [i for i, focus in enumerate(self.foci) if focus.played <= layer and focus.covers(drawn, left)]
        return max(fit, key=lambda i: (self.foci[i].played, -self.foci[i].distance(layer, left), -i), default=_NO_FOCUS)


def new_outlook(tiles: int, rack: int) -> Outlook:
    """An outlook by which no game leads on."""
    return Outlook(
        np.full((tiles + 1, rack + 1), DEAD_END, dtype=np.int64),
        np.zeros((tiles + 1, N_CODES, rack + 1), dtype=np.int64),
        np.zeros((tiles + 1, rack + 1, N_CODES), dtype=np.int64),
    )
