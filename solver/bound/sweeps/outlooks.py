"""Completion bounds from several sets of prices.

Each state uses the prices that were trained for similar states.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock

import numpy as np

from solver.bound.kernels.completion_bounds import (
    NOT_COVERED,
    WHOLE,
    BoundTerms,
    LeavePrices,
    Window,
    fill_terms,
    lefts_in,
    lower_bounds,
)
from solver.bound.kernels.packed_states import Packed
from solver.bound.kernels.relaxed_play import RelaxedWords
from solver.bound.prices import Prices
from solver.bound.relaxation import Relaxation, relaxed_words
from solver.compiled import I64
from solver.index.problem import Problem
from solver.model.tiles import N_CODES


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
    """Prices trained for some states of a layer, with the values of the relaxed game at them.

    Attributes:
        values: int64, shape (tiles + 1, tiles + 1, rack + 1), by tiles drawn, left draws and tiles
            held, in thousandths of a point.
    """

    values: I64

    def distance(self, layer: int, left: int) -> int:
        """Return twice the distance in left draws from a state to the window; negative inside it.

        The distance is that of the state's ancestor in the layer of the focus. About half of the
        tiles played since then have been replaced from the left. Doubled, the numbers stay whole.
        """
        twice_then = 2 * left - (layer - self.played)
        return max(2 * self.window.low - twice_then, twice_then - 2 * self.window.high)

    def covered(self, drawn: int) -> range:
        """Return the left draws after `drawn` draws that it covers; 0 once the row is empty."""
        if drawn == len(self.prices.tile):
            return range(1)
        if drawn < self.window.first:
            return range(0)
        low, high = lefts_in(self.window, drawn)
        return range(low, high + 1)


class Outlooks:
    """The completion bounds of all layers of a sweep, from its foci.

    The first focus is for all states. A state uses the focus of the latest layer, up to its own,
    that covers it. Of several such foci it uses the one whose window is nearest, and of these the
    first.
    """

    def __init__(self, problem: Problem, foci: list[Focus]) -> None:
        self._puzzle = problem.puzzle
        self._tiles = len(problem.puzzle.row)
        self.foci = foci
        self._lock = Lock()
        # by kind of terms, the layer asked for last: those of others would only fill memory
        self._terms: dict[str, tuple[int, BoundTerms]] = {}

    def add(self, foci: list[Focus]) -> None:
        """Add foci for all later bounds."""
        with self._lock:
            self.foci.extend(foci)
            self._terms = {}

    def prices_for(self, played: int, window: Window) -> Prices:
        """Return the prices now in use for the middle of a window of left draws."""
        middle = min(window.first, (window.low + window.high) // 2)
        number = self._focus_for(played, window.first, middle)
        assert number is not None  # the first focus is for all states
        return self.foci[number].prices

    def bounds(self, states: Packed, played: int, least: int | None = None) -> I64:
        """Return upper bounds of the final scores of states with `played` tiles played.

        They are in thousandths of a point. If `least` is given, it tries all foci, until a bound is
        less than `least`. This takes a little longer.
        """
        bounds = np.full(len(states), np.iinfo(np.int64).max)
        draws = self._draws(played)
        chosen = self._kept("layer", played, lambda: self._chosen(played, draws))
        lower_bounds(states, chosen, 0, bounds)
        if least is not None and len(self.foci) > 1:
            of_foci = self._kept("foci", played, lambda: self._by_focus(played, draws))
            lower_bounds(states, of_foci, least, bounds)
        return bounds

    def after_draw(self, played: int) -> BoundTerms:
        """Return the terms for the leaves of racks drawn by states with `played` tiles played."""
        draws = [self._puzzle.drawn(played)] * self._puzzle.rack_size
        return self._kept("after draw", played, lambda: self._chosen(played, draws))

    def _kept(self, kind: str, played: int, make: Callable[[], BoundTerms]) -> BoundTerms:
        """Return the terms of this kind for a layer; make them if the last ones are of another."""
        with self._lock:
            if kind not in self._terms or self._terms[kind][0] != played:
                self._terms[kind] = played, make()
            return self._terms[kind][1]

    def _draws(self, played: int) -> list[int]:
        """Return the tiles drawn of states with `played` tiles played, by tiles held."""
        return [min(self._tiles, played + held) for held in range(self._puzzle.rack_size)]

    def _chosen(self, layer: int, draws: list[int]) -> BoundTerms:
        """Return terms with the focus for each number of left draws.

        `draws` has the tiles drawn by tiles held.
        """
        terms = new_terms(1, self._tiles, self._puzzle.rack_size)
        for held, drawn in enumerate(draws):
            lefts_of: dict[int | None, list[int]] = {}
            for left in range(drawn + 1 if drawn < self._tiles else 1):
                lefts_of.setdefault(self._focus_for(layer, drawn, left), []).append(left)
            for number, lefts in lefts_of.items():
                if number is not None:
                    self._fill(terms, 0, self.foci[number], drawn, held, lefts)
        return terms

    def _by_focus(self, layer: int, draws: list[int]) -> BoundTerms:
        """Return the terms of each focus alone that covers states of the layer, near foci first."""
        near = [focus for focus in self.foci if focus.window.first <= draws[-1]]
        near.sort(key=lambda focus: abs(focus.played - layer))
        # zeros that are never filled take no memory
        terms = new_terms(len(near), self._tiles, self._puzzle.rack_size)
        for place, focus in enumerate(near):
            for held, drawn in enumerate(draws):
                self._fill(terms, place, focus, drawn, held, focus.covered(drawn))
        return terms

    def _fill(
        self,
        terms: BoundTerms,
        place: int,
        focus: Focus,
        drawn: int,
        held: int,
        lefts: Sequence[int],
    ) -> None:
        """Fill the terms at a place among those of foci, for some left draws."""
        prices = focus.prices
        fill_terms(
            drawn=drawn,
            held=held,
            lefts=np.array(lefts, np.int64),
            row=self._puzzle.row_codes,
            tile_price=prices.tile,
            leaves=LeavePrices(prices.leave, self._tiles, self._puzzle.rack_size, focus.window),
            value=focus.values,
            out=BoundTerms(terms.rest[place], terms.worth[place]),
        )

    def _focus_for(self, layer: int, drawn: int, left: int) -> int | None:
        """Return the number of the focus for states with these draws; None if none covers them."""
        # left draws no longer matter once the row is empty: distances do not count then
        is_empty = drawn == self._tiles

        def rating(number: int) -> tuple[int, int]:
            focus = self.foci[number]
            return focus.played, 0 if is_empty else -focus.distance(layer, left)

        for number in sorted(range(len(self.foci)), key=rating, reverse=True):
            focus = self.foci[number]
            if focus.played <= layer and left in focus.covered(drawn):
                return number
        return None


def new_terms(foci: int, tiles: int, rack: int) -> BoundTerms:
    """Return terms of several foci that cover no state yet."""
    shape = (foci, rack, tiles + 1)
    return BoundTerms(
        np.full(shape, NOT_COVERED, np.int64),
        np.zeros((*shape, N_CODES, rack + 1), np.int64),
    )


def all_foci(
    problem: Problem, pool: ThreadPoolExecutor, prices: Prices, foci: Sequence[FocusPrices]
) -> list[Focus]:
    """Return the focus of the whole row's prices, then the others, each with its values."""
    words = relaxed_words(problem)
    whole = _evaluated(problem, words, pool, FocusPrices(0, WHOLE, prices))
    # each of the others on one thread
    return [whole, *pool.map(partial(_evaluated, problem, words, None), foci)]


def _evaluated(
    problem: Problem, words: RelaxedWords, pool: ThreadPoolExecutor | None, focus: FocusPrices
) -> Focus:
    """Return a focus with its values."""
    relaxation = Relaxation(problem, pool, uses_leave=True, window=focus.window, words=words)
    relaxation.evaluate(focus.prices)
    return Focus(focus.played, focus.window, focus.prices, relaxation.values)
