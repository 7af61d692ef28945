"""Beam search over layers of tiles played, its prices of tiles, and widening.

Widening searches with beams of growing width until the run is over.

A state is all that the rest of the game depends on: the number of tiles drawn from the left, and
the leave. Of two ways to reach a state the one with the better score stays. The priority of a state
is its score less a price for every tile used up, and a layer keeps the `width` states of highest
priority. The layer, key and score of each state are exact, so a beam of unbounded width is dynamic
programming.

The price of a tile estimates the cost of using it up, which makes states that played different
tiles comparable. A letter is worth its value times its typical position. That position does not
follow from the value: a y or a z comes late in a long word, a v or a w early.
`data/letter-positions.toml` holds the typical positions and the worth of a blank. `tools/learn.py`
learnt them from good games of rows that nothing else uses; results/ablation-positions compares them
with one position for all letters. Learning starts from `data/dual-positions.toml`, the dual prices
of letters in bounds. Bounds are of no further help to a beam: with states ordered by score + r3's
completion bound, in all layers or in late ones, beams scored lower or no higher.
"""

import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from solver.checking import check_number
from solver.compiled import I64
from solver.errors import StrategyError
from solver.index.kernels.indexes import rank_counts
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import BLANK, BLANK_CODE, ORDER, SCALE
from solver.search.greedy import Greedy, Hand, play_on
from solver.search.kernels.states import Cutoffs, States, packed_key
from solver.search.layers import (
    ADMIT_NOTHING,
    NO_CUTOFF,
    History,
    Layer,
    LearntCutoffs,
    Point,
    drawn_racks,
    make_expander,
)
from solver.search.run import Pace, Run
from verify.files import data_folder
from verify.threads import ThreadPool

# the defaults of a beam; positions are learnt at this price of letters, and the file of positions
# holds the price of a blank
LETTER_PRICE = 0.75
BLANK_PRICE = 0.54
_LEARNT_RACK = 10  # the rack size of the rows from which positions are learnt


def tile_prices(
    problem: Problem, letter: float = LETTER_PRICE, blank: float = BLANK_PRICE, typical: float = 1.0
) -> I64:
    """Return the price of using up each tile, by code, in sixteenths of a point: int64.

    Typical positions scale with the rack size.

    Args:
        problem: The problem.
        letter: The price of a letter, as a multiple of its score at its typical position.
        blank: The price of a blank, as a multiple of the score of the row's average letter at the
            middle of a full rack.
        typical: The weight of typical positions: 1 to use them, 0 to put all letters in the middle.
    """
    prices = prices_of(problem, typical_positions(), letter, blank, typical)
    return np.rint(SCALE * prices).astype(np.int64)


def prices_of(
    problem: Problem,
    positions: npt.NDArray[np.float64],
    letter: float,
    blank: float,
    typical: float,
) -> npt.NDArray[np.float64]:
    """Return the prices of `tile_prices` in points, with these positions: float64, by code."""
    values = problem.puzzle.value_table.astype(np.float64)
    rack = problem.puzzle.rack_size
    middle = (rack + 1) / 2
    prices: npt.NDArray[np.float64] = (
        letter * values * (typical * positions * rack / _LEARNT_RACK + (1 - typical) * middle)
    )
    # in a variant a blank scores too, and is priced like a letter of its value in the middle
    prices[BLANK_CODE] = blank * blank_unit(problem) + letter * values[BLANK_CODE] * middle
    return prices


def blank_unit(problem: Problem) -> float:
    """Return what the row's average letter scores at the middle of a full rack, in points."""
    row = problem.puzzle.row_codes
    values = problem.puzzle.value_table[row[row != BLANK_CODE]]
    mean = float(values.sum()) / max(1, len(values))
    return mean * (problem.puzzle.rack_size + 1) / 2


def typical_positions() -> npt.NDArray[np.float64]:
    """Return the typical position of each letter, and the worth of a blank: float64, by code.

    The positions are those in a play from a rack of ten.
    """
    return positions_on_file("letter-positions.toml")


@cache
def positions_on_file(name: str) -> npt.NDArray[np.float64]:
    """Return the positions and the worth of a blank in a bundled file: float64, by code."""
    fields = tomllib.loads((data_folder() / name).read_text(encoding="utf-8"))
    worth = fields["positions"] | {BLANK: fields["blank"]}
    return np.array([worth[tile] for tile in ORDER])


_PILOTED = 80  # the least width with a pilot beam
_PILOT_SHARE = 8  # a beam's width divided by that of its pilot
FISHING = 5.0  # points; tuned on rows that no table reports
_FIRST_SPAN = 128  # racks that a thread expands before it reads the cut-offs again
_LARGEST_SPAN = 2048  # racks
_SPANS = 8  # later spans are this fraction (1/8) of the racks already handed to threads
_TICK = 0.1  # seconds between two reports of progress in a layer
_ALL = 1 << 30  # a width that no layer reaches, in states
MOST_WIDTH = 10_000_000


def check_width(name: str, width: int) -> None:
    """Raise `StrategyError` unless a beam can have `width`, the value of parameter `name`."""
    check_number(name, width, 1, MOST_WIDTH, StrategyError)


@dataclass(frozen=True)
class BeamParameters:
    """The parameters of a beam.

    Attributes:
        width: States kept in each layer; fewer when the limits of the run are near, see
            `solver.search.run`.
        price: The price of a letter, see `tile_prices`.
        blank: The price of a blank, see `tile_prices`.
        typical: The weight of a letter's typical position, from 0 to 1; 0 puts all letters in the
            middle.
        fishing: The number of points by which a play may fall below the cut-off of its layer if the
            next play makes up for it, see `solver.search.kernels.fishing`; 0 for no fishing.
    """

    width: int = 2_000
    price: float = LETTER_PRICE
    blank: float = BLANK_PRICE
    typical: float = 1.0
    fishing: float = FISHING

    def __post_init__(self) -> None:
        check_width("width", self.width)
        for name, most in (("price", 10), ("blank", 10), ("typical", 1), ("fishing", 1000)):
            check_number(name, getattr(self, name), 0, most, StrategyError)


@dataclass(frozen=True)
class Beam:
    """One beam of one width."""

    Parameters = BeamParameters
    parameters: BeamParameters = BeamParameters()
    name: str = "beam"
    goes_on: ClassVar[bool] = True
    is_beam: ClassVar[bool] = True

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best game of a beam of that width, after a pilot beam."""
        width = self.parameters.width
        with ThreadPool(run.threads) as pool:
            BeamRun(problem, run, self.parameters, pool).search_piloted(width, run.opening)


class BeamRun:
    """The state that beams of several widths under the same prices share.

    The width in `parameters` is not used. If `prices` of tiles are given, they replace those of
    `parameters`, see `tile_prices`.
    """

    def __init__(
        self,
        problem: Problem,
        run: Run,
        parameters: BeamParameters,
        pool: ThreadPoolExecutor,
        prices: I64 | None = None,
    ) -> None:
        if prices is None:
            prices = tile_prices(problem, parameters.price, parameters.blank, parameters.typical)
        self._problem = problem
        self._run = run
        self._pool = pool
        self._prices = prices
        self._expander = make_expander(problem, prices, fishes=parameters.fishing > 0)
        self._depth = round(parameters.fishing * SCALE)
        # after more tiles than that no word fits the rest
        self._last = len(problem.puzzle.row) - problem.lexicon.shortest
        self._taught = self._learnt = LearntCutoffs(_key(Hand.at_start()))
        self.history = History(problem)
        self._children = [self._expander.children() for _ in range(run.threads)]

    def search(self, width: int, before: tuple[Turn, ...] = ()) -> bool:
        """Offer the best line of a beam after the turns `before`; return whether it was complete.

        If the run is over first, the beam offers the best line so far, and the most promising line
        completed greedily.
        """
        layers = self._begin(before)
        history = self.history
        first = history.start.played
        tiles = len(self._problem.puzzle.row)
        best = Point(first, 0, 0)
        is_whole = True
        pace = Pace(self._run, tiles - first)
        for played in range(first, tiles + 1):
            if played not in layers or layers[played].count == 0:
                continue
            fitting = pace.allowed(width, played - first)
            for reached, layer in layers.items():
                if reached <= self._last:
                    # a layer never grows wider again, because the states already dropped would
                    # depend on thread timing
                    layer.width = min(layer.width, fitting)
            states = layers.pop(played).close(self._run.seed)
            history.keep(played, states)
            leader = history.point(played, int(np.argmax(states.score)))
            if leader.score > best.score:
                best = leader
            if played > self._last:
                continue
            self._learnt.learn(played, states.priority, width)
            if self._run.is_over:
                self._run.offer(Solution(history.line_to(best)[0]))
                self._finish_greedily(history.point(played, 0))
                return False
            for length in range(1, min(self._expander.reach, tiles - played) + 1):
                if played + length not in layers:
                    layers[played + length] = self._layer(played + length, fitting)
            is_whole = self._expand(states, played, layers, width)
            pace.note(len(states.key))
            self._run.report(_label(width), played, tiles)
        self._run.offer(Solution(history.line_to(best)[0]))
        return is_whole

    def search_piloted(self, width: int, before: tuple[Turn, ...] = ()) -> bool:
        """Search as `search` does, after a narrower pilot beam that learns the first cut-offs.

        Beams of small `width` have no pilot.
        """
        if width >= _PILOTED and not self.search(width // _PILOT_SHARE, before):
            return False  # the run was over in the pilot
        return self.search(width, before)

    def _begin(self, before: tuple[Turn, ...]) -> dict[int, Layer]:
        """Reset the history, and return the first layer of a beam after the turns `before`.

        The cut-offs learnt from the last beam are kept if it had the same start.
        """
        self.history = History(self._problem, before)
        start = self.history.start
        unplayed = self._problem.puzzle.counts_from_left[-1] - start.used(self._problem)
        self._cost = int(self._prices @ unplayed)  # the price of all tiles that may still be played
        key = _key(start)
        # priorities count from the start, so cut-offs learnt from another start do not apply
        self._taught = self._learnt if self._learnt.start == key else LearntCutoffs(key)
        self._learnt = LearntCutoffs(key)
        for children in self._children:
            children.hands[:] = 0
        return {start.played: Layer.with_start(key)}

    def _finish_greedily(self, point: Point) -> None:
        turns, hand = self.history.line_to(point)
        rest = play_on(self._problem, hand, self._run, ties=1)
        self._run.offer(Solution((*turns, *rest)))

    def _layer(self, played: int, width: int) -> Layer:
        if played > self._last:
            # priorities mean nothing where games end: all states that may be the best are kept, see
            # `_cutoffs`
            return Layer(_ALL)
        return Layer(width, self._taught.floor(played, width))

    def _draw(self, states: States, played: int) -> States:
        parts = self._run.threads
        draw = partial(drawn_racks, self._problem, states, played, parts)
        return States.joined(list(self._pool.map(draw, range(parts))))

    def _expand(self, states: States, played: int, layers: dict[int, Layer], width: int) -> bool:
        """Expand `states` into the layers after `played`; return false if the run was over first.

        A layer of large racks takes long, so its progress is reported meanwhile, as that of a beam
        of `width`.

        No thread waits for another. Each takes the next span of racks and moves its children into
        the layers at once, which raises the cut-offs for all threads. The final content of the
        layers does not depend on thread timing.
        """
        run = self._run
        racks = self._draw(states, played)
        expander = self._expander
        reached: dict[int, Layer] = {}
        for length in range(1, expander.reach + 1):
            if played + length in layers:
                reached[length] = layers[played + length]
        # without learnt cut-offs for the layers ahead, every second play would pass
        fishes = expander.reach > expander.longest and self._taught.has_learnt
        setups = self._setups(reached, fishes)
        count = len(racks.key)
        spans = _spans(count)  # all threads share the iterator
        racks_before = run.racks
        expanded = [0] * len(self._children)

        def work(thread: int) -> None:
            out = self._children[thread]
            for first, stop in spans:
                if first and run.is_over_after(racks_before + first):
                    break
                at = first
                while at < stop:
                    cutoffs = self._cutoffs(reached, played, setups, fishes)
                    at = expander(at, stop, racks, cutoffs, out)
                    for length in np.flatnonzero(out.count).tolist():
                        reached[length].take(out, length)
                expanded[thread] += stop - first

        jobs = [self._pool.submit(work, thread) for thread in range(len(self._children))]
        while wait(jobs, _TICK).not_done:
            run.racks = racks_before + sum(expanded)
            run.report(_label(width), played, len(self._problem.puzzle.row))
        for job in jobs:
            job.result()
        run.racks = racks_before + sum(expanded)
        return sum(expanded) == count

    def _setups(self, reached: dict[int, Layer], fishes: bool) -> I64:
        """Return the cut-offs of first plays, by length.

        They are computed before any rack is expanded, so that they do not depend on thread timing.
        """
        setups = np.full(self._expander.longest + 1, ADMIT_NOTHING, dtype=np.int64)
        for length in range(1, self._expander.longest + 1):
            if fishes and length in reached:
                least = reached[length].settle()
                # a layer that is not full takes every play: no second play is needed to reach it
                if least > NO_CUTOFF:
                    setups[length] = least - self._depth
        return setups

    def _cutoffs(
        self, reached: dict[int, Layer], played: int, setups: I64, fishes: bool
    ) -> Cutoffs:
        """Return the current cut-offs."""
        cutoff = np.full(self._expander.reach + 1, ADMIT_NOTHING, dtype=np.int64)
        landings = cutoff.copy()
        best_end = 0
        for length, layer in reached.items():
            cutoff[length] = layer.cutoff
            # two plays must reach a state that even the narrower beam would keep
            landings[length] = max(layer.cutoff, self._taught.cutoff(played + length))
            if played + length > self._last:
                best_end = max(best_end, layer.best_score)
        # of finished games only the best counts; its priority pays for all tiles
        final = [length for length in reached if played + length > self._last]
        cutoff[final] = SCALE * best_end - self._cost
        landings[final] = cutoff[final]
        if not fishes:
            landings = landings[:0]
        return Cutoffs(self._problem.puzzle.drawn(played), cutoff, setups, landings)


def _spans(racks: int) -> Iterator[tuple[int, int]]:
    """Return an iterator over spans of racks.

    One thread expands a span between two looks at the cut-offs.

    Spans grow, since the cut-offs rise more and more slowly.
    """
    first = 0
    spans = []  # a list, since threads may share its iterator, but not a generator
    while first < racks:
        stop = min(racks, first + min(_LARGEST_SPAN, max(_FIRST_SPAN, first // _SPANS)))
        spans.append((first, stop))
        first = stop
    return iter(spans)


def _label(width: int) -> str:
    return f"beam {width:,}"


def _key(hand: Hand) -> int:
    return int(packed_key(rank_counts(hand.leave), np.uint64(hand.left)))


@dataclass(frozen=True)
class WideningParameters:
    """The parameters of widening. The others are those of `BeamParameters`.

    Attributes:
        first: The width of the narrowest beam.
        last: The width of the widest beam.
        factor: The ratio of the widths of successive beams. The last beam that fits the limits may
            be wider, up to factor squared.
        spread: The factor by which one of two beams of each width has cheaper tiles and the other
            dearer ones; 1 for one beam.
    """

    first: int = 300
    last: int = 1_000_000
    factor: float = 4.0
    price: float = LETTER_PRICE
    blank: float = BLANK_PRICE
    typical: float = 1.0
    fishing: float = FISHING
    spread: float = 1.15

    def __post_init__(self) -> None:
        check_width("first", self.first)
        check_width("last", self.last)
        if self.first > self.last:
            raise StrategyError(f"first = {self.first} is more than last = {self.last}")
        check_number("factor", self.factor, 1.1, 100, StrategyError)
        check_number("spread", self.spread, 1, 10, StrategyError)
        # check the given prices first, so that an error names them and not a multiple of them
        BeamParameters(self.last, self.price, self.blank, self.typical, self.fishing)
        try:
            self.beams(self.last)
        except StrategyError as error:
            raise StrategyError(f"spread = {self.spread} asks for a beam with {error}") from error

    def beams(self, width: int) -> list[BeamParameters]:
        """Return the parameters of the beams of that width.

        Raises `StrategyError` if a price is out of range.
        """
        beam = BeamParameters(width, self.price, self.blank, self.typical, self.fishing)
        return [
            replace(beam, price=times * self.price, blank=times * self.blank)
            for times in dict.fromkeys((1 / self.spread, self.spread))
        ]


@dataclass(frozen=True)
class Widening:
    """Greedy search for a first answer, then wider and wider beams."""

    Parameters = WideningParameters
    parameters: WideningParameters = WideningParameters()
    name: str = "widening"
    goes_on: ClassVar[bool] = True

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best game of wider and wider beams."""
        chosen = self.parameters
        Greedy().search(problem, run)
        with ThreadPool(run.threads) as pool:
            # no prices find the best game of every row, and beams with different prices find
            # different games
            beams = [
                BeamRun(problem, run, parameters, pool) for parameters in chosen.beams(chosen.last)
            ]
            width = chosen.first
            while not run.is_over:
                before = run.share_used
                for beam in beams:
                    if not beam.search(width, run.opening):
                        return
                if width == chosen.last:
                    return
                width = min(chosen.last, self._next_width(width, before, run.share_used))

    def _next_width(self, width: int, before: float | None, after: float | None) -> int:
        """Return the next width.

        It is the widest that fits the limits, unless it is too far from the width of the last beam.
        """
        planned = max(width + 1, int(width * self.parameters.factor))
        if before is None or after is None or after <= before:
            return planned
        # a beam's work grows at most in proportion to its width, and a beam that would take too
        # long grows narrower on its way
        fitting = 0.9 * width * (1 - after) / (after - before)
        if width < fitting <= planned * self.parameters.factor:
            return int(fitting)
        return planned
