"""Beam search over layers of tiles played.

A state is all that the rest of the game depends on: the number of tiles drawn from the left, and the leave. Of two ways to
reach a state the one with the better score stays. The priority of a state is its score less a price for every tile used up, and
a layer keeps the `width` states of highest priority. The layer, key and score of each state are exact, so a beam of unbounded
width is dynamic programming.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from solver.errors import StrategyError
from solver.index.kernels.ranks import rank_counts
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.units import SCALE
from solver.search.beam_prices import BLANK_PRICE, LETTER_PRICE, tile_prices
from solver.search.expander import Expander, drawn_racks, make_expander
from solver.search.greedy import play_on
from solver.search.hand import Hand, after_all
from solver.search.history import History, Point
from solver.search.kernels.states import Children, Cutoffs, DrawnRacks, States, packed_key
from solver.search.layers import ADMIT_NOTHING, NO_CUTOFF, Layer, LearntCutoffs
from solver.search.run import Pace, Run
from verify.threads import ThreadPool

_PILOTED, _PILOT_SHARE = 80, 8  # the least width with a pilot beam, and the width divided by that of its pilot
FISHING = 5.0  # points; tuned on rows that no table reports
_FIRST_SPAN = 128  # racks that a thread expands before it reads the cut-offs again
_SPANS = 8  # later spans are this fraction (1/8) of the racks already handed to threads
_ALL = 1 << 30  # a width that no layer reaches, in states


def check_width(name: str, width: int) -> None:
    """Raise `StrategyError` unless `width`, the value of parameter `name`, is a width that a beam can have."""
    if not 1 <= width <= 10_000_000:
        raise StrategyError(f"{name} = {width}: expected 1 to 10,000,000")


@dataclass(frozen=True)
class BeamParameters:
    """The parameters of a beam.

    Attributes:
        width: States kept in each layer; fewer when the limits of the run are near, see `solver.search.run`.
        price: The price of a letter, see `tile_prices`.
        blank: The price of a blank, see `tile_prices`.
        typical: The weight of a letter's typical position, from 0 to 1; 0 puts all letters in the middle.
        fishing: The number of points by which a play may fall below the cut-off of its layer if the next play makes up for it,
            see `solver.search.kernels.fishing`; 0 for no fishing.
    """

    width: int = 2_000
    price: float = LETTER_PRICE
    blank: float = BLANK_PRICE
    typical: float = 1.0
    fishing: float = FISHING

    def __post_init__(self) -> None:
        check_width("width", self.width)
        for name, value in (("price", self.price), ("blank", self.blank)):
            if not 0 <= value <= 10:
                raise StrategyError(f"{name} = {value:g}: expected 0 to 10")
        if not 0 <= self.typical <= 1:
            raise StrategyError(f"typical = {self.typical}: expected 0 to 1")
        if not 0 <= self.fishing <= 1000:
            raise StrategyError(f"fishing = {self.fishing}: expected 0 to 1,000")


@dataclass(frozen=True)
class Beam:
    """One beam of one width."""

    Parameters = BeamParameters
    parameters: BeamParameters = BeamParameters()
    name: str = "beam"
    goes_on: ClassVar[bool] = True

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best game of a beam of that width, which learns its first cut-offs from a pilot beam."""
        width = self.parameters.width
        with ThreadPool(run.threads) as pool:
            BeamRun(problem, run, self.parameters, pool).search_piloted(width, run.opening)


class BeamRun:
    """The state that beams of several widths under the same prices share.

    The width in `parameters` is not used. If `prices` of tiles are given, they replace those of `parameters`, see
    `tile_prices`.
    """

    def __init__(
        self,
        problem: Problem,
        run: Run,
        parameters: BeamParameters,
        pool: ThreadPoolExecutor,
        prices: npt.NDArray[np.int64] | None = None,
    ) -> None:
        self._problem = problem
        self._run = run
        self._pool = pool
        self._prices = (
            prices if prices is not None else tile_prices(problem, parameters.price, parameters.blank, parameters.typical)
        )
        self._expander: Expander = make_expander(problem, self._prices, fishes=parameters.fishing > 0)
        self._depth = round(parameters.fishing * SCALE)
        # after more tiles than that no word fits the rest
        self._last = len(problem.puzzle.row) - problem.lexicon.shortest
        self._taught = self._learnt = LearntCutoffs(_key(Hand.at_start()))
        self.history = History(problem, Hand.at_start())
        self._children: list[Children] = [self._expander.children() for _ in range(run.threads)]

    def search(self, width: int, before: tuple[Turn, ...] = ()) -> bool:
        """Offer the best line of a beam that begins with the turns `before`, and return whether the beam was complete.

        If the run is over first, the beam offers the best line so far, and the most promising line completed greedily.
        """
        tiles = len(self._problem.puzzle.row)
        start = after_all(self._problem, before)
        layers = self._begin(start)
        history = self.history
        best = Point(start.played, 0, 0)
        is_whole = True
        pace = Pace(self._run, tiles - start.played)
        for played in range(start.played, tiles + 1):
            layer = layers.pop(played, None)
            if layer is None or layer.count == 0:
                continue
            fitting = pace.allowed(width, played - start.played)
            for reached, ahead in ((played, layer), *layers.items()):
                if reached <= self._last:
                    # a layer never grows wider again, because the states already dropped would depend on thread timing
                    ahead.width = min(ahead.width, fitting)
            states = layer.close(self._run.seed)
            history.keep(played, states)
            leader = int(np.argmax(states.score))
            if states.score[leader] > best.score:
                best = Point(played, leader, int(states.score[leader]))
            if played > self._last:
                continue
            self._learnt.learn(played, states.priority, width)
            if self._run.is_over:
                self._run.offer(Solution((*before, *history.turns_to(best))))
                self._finish_greedily(before, history, played)
                return False
            for length in range(1, min(self._expander.reach, tiles - played) + 1):
                if played + length not in layers:
                    layers[played + length] = self._layer(played + length, fitting)
            is_whole = self._expand(states, played, layers)
            pace.note(len(states.key))
            self._run.report(f"beam {width:,}", played, tiles)
        self._run.offer(Solution((*before, *history.turns_to(best))))
        return is_whole

    def search_piloted(self, width: int, before: tuple[Turn, ...] = ()) -> bool:
        """Search as `search` does, with the first cut-offs from a narrower pilot beam unless `width` is small."""
        return (width < _PILOTED or self.search(width // _PILOT_SHARE, before)) and self.search(width, before)

    def _begin(self, start: Hand) -> dict[int, Layer]:
        """Reset the history, keep the cut-offs learnt from the last beam, and return the first layer of a beam from `start`."""
        unplayed = self._problem.puzzle.counts_from_left[-1] - start.gone(self._problem) + start.leave
        self._cost = int(self._prices @ unplayed)  # the price of all tiles that may still be played
        key = _key(start)
        # priorities count from the start, so cut-offs learnt from another start do not apply
        self._taught = self._learnt if self._learnt.start == key else LearntCutoffs(key)
        self._learnt = LearntCutoffs(key)
        self.history = History(self._problem, start)
        for children in self._children:
            children.hands[:] = 0
        return {start.played: Layer.with_start(key)}

    def _finish_greedily(self, before: tuple[Turn, ...], history: History, played: int) -> None:
        turns, hand = history.line_to(Point(played, 0, 0))
        self._run.offer(Solution((*before, *turns, *play_on(self._problem, hand, self._run, ties=1))))

    def _layer(self, played: int, width: int) -> Layer:
        # priorities mean nothing where games end: all states that may be the best are kept, see `_cutoffs`
        return Layer(width if played <= self._last else _ALL, self._taught.floor(played, width))

    def _draw(self, states: States, played: int) -> DrawnRacks:
        parts = self._run.threads
        jobs = [self._pool.submit(drawn_racks, self._problem, states, played, part, parts) for part in range(parts)]
        return DrawnRacks.joined([job.result() for job in jobs])

    def _expand(self, states: States, played: int, layers: dict[int, Layer]) -> bool:
        """Expand all `states` into the layers after `played`, and return false if the run was over first.

        No thread waits for another. Each takes the next span of racks and moves its children into the layers at once, which
        raises the cut-offs for all threads. The final content of the layers does not depend on thread timing.
        """
        racks = self._draw(states, played)
        expander = self._expander
        reached = {length: layers[played + length] for length in range(1, expander.reach + 1) if played + length in layers}
        # without learnt cut-offs for the layers ahead, every second play would pass
        fishes = expander.reach > expander.longest and self._taught.has_learnt
        setups = self._setups(reached, fishes)
        count = len(racks.key)
        spans, before = _spans(count, expander.largest_span), self._run.racks  # all threads share one iterator

        def work(out: Children) -> int:
            expanded = 0
            for first, stop in spans:
                if first and self._run.is_over_after(before + first):
                    break
                at = first
                while at < stop:
                    at = expander(at, stop, racks, self._cutoffs(reached, played, setups, fishes), out)
                    for length in np.flatnonzero(out.count).tolist():
                        reached[length].take(out, length)
                expanded += stop - first
            return expanded

        expanded = sum(self._pool.map(work, self._children))
        self._run.racks += expanded
        return expanded == count

    def _setups(self, reached: dict[int, Layer], fishes: bool) -> npt.NDArray[np.int64]:
        """Return the cut-offs of first plays, by length.

        They are computed before any rack is expanded, so that they do not depend on thread timing.
        """
        setups = np.full(self._expander.longest + 1, ADMIT_NOTHING, dtype=np.int64)
        for length in range(1, self._expander.longest + 1):
            # a layer that is not full takes every play, so a second play is not needed to reach it
            if fishes and length in reached and (least := reached[length].settle()) > NO_CUTOFF:
                setups[length] = least - self._depth
        return setups

    def _cutoffs(self, reached: dict[int, Layer], played: int, setups: npt.NDArray[np.int64], fishes: bool) -> Cutoffs:
        """Return the current cut-offs."""
        cutoff = np.full(self._expander.reach + 1, ADMIT_NOTHING, dtype=np.int64)
        landings = cutoff.copy() if fishes else cutoff[:0]
        for length, layer in reached.items():
            cutoff[length] = layer.cutoff
            if fishes:
                # two plays must reach a state that even the narrower beam would keep
                landings[length] = max(layer.cutoff, self._taught.cutoff(played + length))
        final = [length for length in reached if played + length > self._last]
        if final:
            # of finished games only the best counts; its priority pays for all tiles
            best = SCALE * max(reached[length].best_score for length in final) - self._cost
            cutoff[final] = best
            if fishes:
                landings[final] = best
        return Cutoffs(self._problem.puzzle.drawn(played), cutoff, setups, landings)


def _spans(racks: int, most: int) -> Iterator[tuple[int, int]]:
    """Return an iterator over spans of racks, each of which one thread expands between two looks at the cut-offs.

    Spans grow up to `most` racks, since the cut-offs rise more and more slowly.
    """
    first = 0
    # threads may share the iterator of a list, but not a generator
    spans = []
    while first < racks:
        stop = min(racks, first + min(most, max(_FIRST_SPAN, first // _SPANS)))
        spans.append((first, stop))
        first = stop
    return iter(spans)


def _key(hand: Hand) -> int:
    return int(packed_key(rank_counts(hand.leave), np.uint64(hand.left)))


def best_after(problem: Problem, turns: tuple[Turn, ...], width: int, pool: ThreadPoolExecutor, threads: int) -> Solution:
    """Return the best game that begins with `turns` and that a beam of `width` finds."""
    run = Run(threads=threads)
    run.offer(Solution(turns))
    BeamRun(problem, run, BeamParameters(width), pool).search_piloted(width, turns)
    return run.incumbent
