"""Completion bounds from several sets of prices: each state uses the prices that were trained for similar states."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import WHOLE, LeavePrices, Window, lefts_in
from solver.bound.kernels.outlook import DEAD_END, NOT_COVERED, Outlook, fill_outlook, lower_bounds
from solver.bound.kernels.packed_states import Packed
from solver.bound.relaxations.arcs import WordTable
from solver.bound.relaxations.prices import Prices
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

_NO_FOCUS = -1  # the number of the focus of states that no focus covers


@dataclass(frozen=True)
class FocusPrices:
    """Prices trained for some states of a layer; they also serve later layers.

    Attributes:
        played: the layer, in tiles played.
        window: the nodes that games from these states can reach.
        prices: the prices.
    """

    played: int
    window: Window
    prices: Prices


@dataclass(frozen=True)
class Focus(FocusPrices):
    """Prices trained for some states of a layer, with the values of the relaxed game at these prices.

    Attributes:
        values: int64, shape (tiles + 1, tiles + 1, rack + 1), by tiles drawn, left draws and tiles held, in thousandths of a
            point.
    """

    values: npt.NDArray[np.int64]

    def covers(self, drawn: int, left: int) -> bool:
        """Return whether its prices give bounds of states with these draws, before the row is empty."""
        low, high = lefts_in(self.window, drawn)
        return drawn >= self.window.first and low <= left <= high

    def distance(self, layer: int, left: int) -> int:
        """Return twice the distance in left draws from a state to the window; negative inside the window.

        The distance is that of the state's ancestor in the layer of the focus. About half of the tiles played since then have
        been replaced from the left. Doubled, the numbers stay whole.
        """
        twice_then = 2 * left - (layer - self.played)
        return max(2 * self.window.low - twice_then, twice_then - 2 * self.window.high)


class Outlooks:
    """The outlooks of all layers of a sweep, from its foci.

    The first focus is for all states. A state uses the focus of the latest layer, up to its own, that covers it. Of several
    such foci it uses the one whose window is nearest, and of these the first.
    """

    def __init__(self, problem: Problem, foci: list[Focus]) -> None:
        self._puzzle = problem.puzzle
        self.foci = foci
        self._lock = Lock()
        # tasks ask for one layer at a time: the outlooks of others would only fill memory
        self._chosen: tuple[int, Outlook] | None = None  # a layer and its `of_layer`
        self._alone: tuple[int, Outlook] | None = None  # a layer and its `_by_focus`

    def add(self, foci: list[Focus]) -> None:
        """Add foci for all later bounds."""
        with self._lock:
            self.foci.extend(foci)
            self._chosen = self._alone = None

    def after_draw(self, layer: int) -> Outlook:
        """Return the outlook of `layer`, a number of tiles played, after the draw that fills the rack."""
        return Outlook(*(array[0, -1] for array in self.of_layer(layer)))

    def prices_for(self, played: int, window: Window) -> Prices:
        """Return the prices now in use for the middle of a window of left draws."""
        return self.foci[self._focus_for(played, window.first, min(window.first, (window.low + window.high) // 2))].prices

    def groups(self, drawn: int) -> npt.NDArray[np.int64]:
        """Return the group of each number of tiles held after `drawn` draws: shape (rack + 1,).

        The numbers of a group have equal prices of leaves, whatever the focus. The groups are the holds of the focus with most
        holds, if no hold is empty and each hold of any other focus unites some of them; otherwise each number is a group of its
        own.
        """
        rack = self._puzzle.rack_size
        numbers = np.arange(rack + 1, dtype=np.int64)
        holds = [focus.prices.leave.shape[2] for focus in self.foci]
        most = max(holds)
        if drawn == len(self._puzzle.row) or most > rack or any(most % number for number in holds):
            return numbers
        groups: npt.NDArray[np.int64] = np.minimum(numbers, rack - 1) * most // rack
        return groups

    def bounds(self, states: Packed, played: int, least: int | None = None) -> npt.NDArray[np.int64]:
        """Return upper bounds of the scores of games through states with `played` tiles played, in thousandths of a point.

        If `least` is given, it tries all foci, until a bound is less than `least`. This takes a little longer.
        """
        bounds = np.full(len(states), np.iinfo(np.int64).max)
        lower_bounds(states, self.of_layer(played), 0, bounds)
        if least is not None and len(self.foci) > 1:
            lower_bounds(states, self._by_focus(played), least, bounds)
        return bounds

    def of_layer(self, played: int) -> Outlook:
        """Return the outlooks of the states with `played` tiles played, as `lower_bounds` takes those of one focus."""
        with self._lock:
            if self._chosen is None or self._chosen[0] != played:
                outlook = self._new_outlook(1, DEAD_END)
                for held, drawn in enumerate(self._drawn(played)):
                    self._fill_chosen(played, drawn, Outlook(*(array[0, held] for array in outlook)))
                self._chosen = played, outlook
            return self._chosen[1]

    def _drawn(self, played: int) -> list[int]:
        """Return the tiles drawn of states with `played` tiles played, by tiles held."""
        return [min(len(self._puzzle.row), played + held) for held in range(self._puzzle.rack_size + 1)]

    def _new_outlook(self, foci: int, rest: int) -> Outlook:
        rack = self._puzzle.rack_size
        return new_outlook(len(self._puzzle.row), rack, rest, (foci, rack + 1))

    def _fill_chosen(self, layer: int, drawn: int, outlook: Outlook) -> None:
        """Fill the outlook of `layer` after `drawn` draws with the bounds of the focus for each number of left draws."""
        lefts = range(drawn + 1 if drawn < len(self._puzzle.row) else 1)
        chosen = [self._focus_for(layer, drawn, left) for left in lefts]
        for number in sorted(set(chosen) - {_NO_FOCUS}):
            self._fill(outlook, self.foci[number], drawn, [left for left in lefts if chosen[left] == number])

    def _by_focus(self, layer: int) -> Outlook:
        """Return the outlooks of each focus alone that covers states of the layer, the foci of near layers first."""
        with self._lock:
            if self._alone is None or self._alone[0] != layer:
                draws = self._drawn(layer)
                near = [focus for focus in self.foci if focus.window.first <= draws[-1]]
                near.sort(key=lambda focus: abs(focus.played - layer))
                outlook = self._new_outlook(len(near), NOT_COVERED)  # zeros that are never filled take no memory
                for place, held in np.ndindex(len(near), len(draws)):
                    lefts = self._covered(near[place], draws[held])
                    self._fill(Outlook(*(array[place, held] for array in outlook)), near[place], draws[held], lefts)
                self._alone = layer, outlook
            return self._alone[1]

    def _covered(self, focus: Focus, drawn: int) -> list[int]:
        """Return the left draws after `drawn` draws that a focus covers; 0 once the row is empty."""
        if drawn == len(self._puzzle.row):
            return [0]
        low, high = lefts_in(focus.window, drawn)
        return list(range(low, high + 1)) if drawn >= focus.window.first else []

    def _fill(self, outlook: Outlook, focus: Focus, drawn: int, lefts: list[int]) -> None:
        """Fill an outlook for some left draws with the bounds of a focus."""
        leaves = LeavePrices(focus.prices.leave, len(self._puzzle.row), self._puzzle.rack_size, focus.window)
        places = np.array(lefts, dtype=np.int64)
        fill_outlook(drawn, places, self._puzzle.row_codes, focus.prices.tile, leaves, focus.values, outlook)

    def _focus_for(self, layer: int, drawn: int, left: int) -> int:
        """Return the number of the focus for states with these draws; `_NO_FOCUS` if none covers them."""
        if drawn == len(self._puzzle.row):
            # left draws no longer matter once the row is empty: take the focus of the latest layer
            fit = [i for i, focus in enumerate(self.foci) if focus.played <= layer]
            return max(fit, key=lambda i: (self.foci[i].played, -i), default=_NO_FOCUS)
        fit = [i for i, focus in enumerate(self.foci) if focus.played <= layer and focus.covers(drawn, left)]
        return max(fit, key=lambda i: (self.foci[i].played, -self.foci[i].distance(layer, left), -i), default=_NO_FOCUS)


def new_outlook(tiles: int, rack: int, rest: int = DEAD_END, front: tuple[int, ...] = ()) -> Outlook:
    """Return an outlook whose bounds are all `rest`, in thousandths of a point. Its arrays have `front` dimensions first."""
    return Outlook(
        np.full((*front, tiles + 1, rack + 1), rest, dtype=np.int64),
        np.zeros((*front, tiles + 1, N_CODES, rack + 1), dtype=np.int64),
        np.zeros((*front, tiles + 1, rack + 1, N_CODES), dtype=np.int64),
    )


def _evaluated(problem: Problem, table: WordTable, focus: FocusPrices) -> Focus:
    """Return a focus with its values, computed on the caller's thread."""
    relaxation = LeaveRelaxation(problem, None, uses_leave=True, window=focus.window, table=table)
    relaxation.relax(focus.prices)
    return Focus(focus.played, focus.window, focus.prices, relaxation.values)


def all_foci(problem: Problem, pool: ThreadPoolExecutor, prices: Prices, foci: Sequence[FocusPrices]) -> list[Focus]:
    """Return the focus of the whole row's prices, then the others, each with its values."""
    relaxation = LeaveRelaxation(problem, pool, uses_leave=True)
    relaxation.evaluate(prices)
    return [Focus(0, WHOLE, prices, relaxation.values), *pool.map(partial(_evaluated, problem, relaxation.table), foci)]
