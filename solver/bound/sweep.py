"""Sweeps: dynamic programming over the real game's states, as far as completion bounds do not rule them out.

The relaxed games of r3 forget what a leave holds. A sweep forgets nothing: it plays all games from the start, layer by layer,
and keeps every state through which, by its completion bound, a game may score more than a claim B. Where none is left, no game
scores more than B. A layer keeps at most so many states, those with the highest bounds; B becomes the most that a dropped one
may lead to. So every sweep that runs to its end has a bound, the lower the more states it may keep.

When a layer holds many states, prices are made anew for them (`solver.bound.focus`), and those that the new bounds rule out are
dropped before they are expanded. States are sorted numbers (`solver.kernels.packed_states`): equal ones meet in a part of
their layer, and each part is a task of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.bound.layers import OpenLayers
from solver.bound.outlooks import Focus, FocusPrices, Outlooks
from solver.bound.prices import Prices
from solver.bound.r3 import LeaveRelaxation
from solver.bound.retrace import turns_to
from solver.bound.training import Trainer
from solver.index.problem import Problem
from solver.kernels.closed_index import hashes_of
from solver.kernels.expand_bounded import ScoredPlays, expand_bounded, fill_score_filter
from solver.kernels.leave_prices import WHOLE
from solver.kernels.outlook import Outlook
from solver.kernels.packed_states import Packed, merged, packed, packed_racks, parted, scores_of
from solver.kernels.ranks import OFFSET
from solver.model.racks import CLOSED_RACK
from solver.model.solution import Solution
from solver.model.units import POINT
from solver.search.run import Run

_FILTER_BITS = 20  # a megabyte: larger ones let less through but leave the cache
_CAPACITY = 1 << 16  # children of each number of tiles that a thread keeps before it sorts them
_PARTS, _WHOLE_PART = 64, 5_000  # parts of a layer, and how many states are too few for more than one
_FIRST, _GROWTH = 100_000, 4  # states a layer of the first sweep, and how many times more in each next one
_REACH = 2  # times the last gain: states that far below the last bound are thought to be of no use


@dataclass
class Tally:
    """What a sweep has done so far; `kept` are the states of each layer that were expanded."""

    claim: int
    best: int = 0
    racks: int = 0
    kept: dict[int, Packed] = field(default_factory=dict)


class Sweep:
    """All games of a problem that may score more than a claim.

    outlooks: bounds; `trainer` may add to them.
    most: how many states a layer may keep.
    """

    def __init__(self, problem: Problem, run: Run, pool: ThreadPoolExecutor, outlooks: Outlooks, trainer: Trainer) -> None:
        self._problem, self._run, self._pool = problem, run, pool
        self._outlooks, self._trainer = outlooks, trainer
        self._plays = scored_plays(problem)

    def play(self, claim: int, most: int, keep: Callable[[int, Tally], None] = lambda _played, _tally: None) -> Tally | None:
        """Play all games that may score more than `claim`; None where the run was over first.

        A better game raises the claim, as do states dropped for want of room.

        keep: called after each layer.
        """
        tiles = len(self._problem.puzzle.row)
        layers = OpenLayers(self._pool)
        layers.add(0, 0, 0, np.array([packed(OFFSET[0], 0, 0)], dtype=np.uint64))
        tally = Tally(claim)
        for played in range(tiles + 1):
            chunks = layers.take(played)
            if chunks:
                states, bounds = self._settled(chunks, played, tally)
                del chunks
                states = self._within_room(states, bounds, most, tally)
                if self._trainer.train(self._run, self._outlooks, played, states):
                    bounds = self._bounds(states, played)
                    states = states[bounds >= (tally.claim + 1) * POINT]
                tally.kept[played] = states
                if played < tiles and len(states) and not self._expand(states, played, layers, tally):
                    return None
                self._run.report(f"sweep {most:,}", played, tiles, f"{len(states):,} states, {tally.racks:,} racks")
            layers.drop(played)
            keep(played, tally)
        return tally

    def _settled(self, chunks: list[Packed], played: int, tally: Tally) -> tuple[Packed, npt.NDArray[np.int64]]:
        """The states of a layer that are of use, each once, with their bounds."""
        parts = _parts(sum(map(len, chunks)))
        split = [parted(chunk, parts) for chunk in chunks]
        self._outlooks.of_layer(played)  # made once, not by each thread

        def settle(part: int) -> tuple[Packed, npt.NDArray[np.int64], Packed]:
            states = merged([some[part] for some in split])
            bounds = self._outlooks.bounds(states, played)
            best = np.argmax(scores_of(states)) if len(states) else 0
            useful = bounds >= (tally.claim + 1) * POINT
            return states[useful], bounds[useful], states[best : best + 1]

        found = list(self._pool.map(settle, range(parts)))
        best = np.concatenate([some[2] for some in found])
        self._note_game(best[np.argmax(scores_of(best))], played, tally)
        states, bounds = (np.concatenate([some[i] for some in found]) for i in (0, 1))
        return states, bounds

    def _note_game(self, state: np.uint64, played: int, tally: Tally) -> None:
        """Raise the claim where the game that ends in `state` scores more."""
        score = int(scores_of(np.array([state]))[0])
        tally.best = max(tally.best, score)
        if score > tally.claim:
            tally.claim = score
        if score > self._run.incumbent.score:
            self._run.offer(Solution(turns_to(self._problem, tally.kept, played, state)))

    def _within_room(self, states: Packed, bounds: npt.NDArray[np.int64], most: int, tally: Tally) -> Packed:
        """At most so many states; the claim rises to what the others may lead to."""
        if len(states) <= most:
            return states[bounds >= (tally.claim + 1) * POINT]
        place = len(states) - most
        tally.claim = max(tally.claim, int(np.partition(bounds, place - 1)[place - 1]) // POINT)
        return states[bounds >= (tally.claim + 1) * POINT]

    def _bounds(self, states: Packed, played: int) -> npt.NDArray[np.int64]:
        self._outlooks.of_layer(played)
        pieces = np.array_split(states, _parts(len(states)))
        return np.concatenate(list(self._pool.map(lambda some: self._outlooks.bounds(some, played), pieces)))

    def _expand(self, states: Packed, played: int, layers: OpenLayers, tally: Tally) -> bool:
        """Make all draws and plays of the states; false where the run was over first."""
        puzzle, parts = self._problem.puzzle, _parts(len(states))
        drawn = puzzle.drawn(played)

        def draw(some: Packed) -> list[Packed]:
            room = np.empty(len(some) * (puzzle.rack_size + 1), dtype=np.uint64)
            return parted(merged([room[: packed_racks(some, played, puzzle.row_codes, puzzle.rack_size, room)]]), parts)

        racks = list(self._pool.map(draw, parted(states, parts)))
        outlook, groups = self._outlooks.after(played, drawn), self._outlooks.groups(drawn)
        least = (tally.claim + 1) * POINT

        def expand(part: int) -> tuple[int, dict[int, Packed]]:
            if self._run.is_over:
                return -1, {}
            some = merged([chunk[part] for chunk in racks])
            return children_of(some, outlook, groups, least, self._plays)

        for part, (count, children) in enumerate(self._pool.map(expand, range(parts))):
            if count < 0:
                return False
            tally.racks += count
            self._run.racks += count
            for length, some in children.items():
                layers.add(played + length, played, part, some)
        return True


def _parts(count: int) -> int:
    return _PARTS if count > _WHOLE_PART else 1


def children_of(
    racks: Packed, outlook: Outlook, groups: npt.NDArray[np.int64], least: int, plays: ScoredPlays
) -> tuple[int, dict[int, Packed]]:
    """How many racks there are, and by tiles played their children with bounds of `least` thousandths of a point or more.

    outlook, groups: see `expand_bounded`.
    """
    out, at = np.empty((CLOSED_RACK + 1, _CAPACITY), dtype=np.uint64), 0
    pieces: dict[int, list[Packed]] = {}
    while at < len(racks):
        count = np.zeros(CLOSED_RACK + 1, dtype=np.int64)
        at = expand_bounded(at, racks, outlook, groups, least, plays, out, count)
        for length in np.flatnonzero(count).tolist():
            pieces.setdefault(length, []).append(merged([out[length, : count[length]]]))
    return len(racks), {length: merged(some) for length, some in pieces.items()}


def _settled_focus(problem: Problem, focus: FocusPrices) -> Focus:
    """A focus with its values, worked out on one thread."""
    with ThreadPoolExecutor(1) as pool:
        relaxation = LeaveRelaxation(problem, pool, uses_leave=True, window=focus.window)
        relaxation.relax(focus.prices)
    return Focus(focus.played, focus.window, focus.prices, relaxation.values)


def scored_plays(problem: Problem) -> ScoredPlays:
    """The plays of the problem's index for `expand_bounded`."""
    index = problem.closed
    step = max(1, -(-int(index.score.max(initial=0)) // 255))
    filter_ = np.zeros(1 << _FILTER_BITS, dtype=np.uint8)
    fill_score_filter(hashes_of(index.packed), index.score, step, filter_)
    return ScoredPlays(index.slots, filter_, step)


def sweeps(
    problem: Problem,
    run: Run,
    prices: Prices,
    most: int,
    bound: float,
    trainer: Trainer | None = None,
    foci: Sequence[FocusPrices] = (),
) -> Iterator[tuple[int, Outlooks]]:
    """Lower and lower bounds in points, with what proves them, until the run is over; better games are offered to the run.

    most: how many states a layer may hold; the first sweeps hold fewer.
    bound: the bound known already. If the row is solved, the last bound is the best score.
    trainer: makes prices for states; None: one for rows of any length.
    foci: prices made for states before.
    """
    with ThreadPoolExecutor(run.threads) as pool:
        relaxation = LeaveRelaxation(problem, pool, uses_leave=True)
        relaxation.evaluate(prices)
        outlooks = Outlooks(problem, [Focus(0, WHOLE, prices, relaxation.values)])
        outlooks.add(list(pool.map(partial(_settled_focus, problem), foci)))
        sweep = Sweep(problem, run, pool, outlooks, trainer or Trainer(problem))
        states, gain = min(_FIRST, most), bound
        while not run.is_over:
            tally = sweep.play(max(run.incumbent.score, int(bound - _REACH * gain)), states)
            if tally is None:
                return
            if tally.claim < bound:
                gain, bound = bound - tally.claim, tally.claim
                yield tally.claim, outlooks
            if states == most or bound <= run.incumbent.score:
                return
            states = min(most, _GROWTH * states)
