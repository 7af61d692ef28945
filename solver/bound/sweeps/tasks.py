"""The tasks of a sweep. Each handles one partition of a layer, and no two tasks of a layer write the same data."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.completion_bounds import BoundTerms
from solver.bound.kernels.expand_bounded import Room, ScoredPlays, expand_bounded, fill_play_filter
from solver.bound.kernels.packed_states import Packed, merged, packed_racks, unpack_lefts, unpack_scores
from solver.bound.sweeps.outlooks import Outlooks
from solver.bound.sweeps.store import Store
from solver.index.kernels.indexes import hashes_of
from solver.index.problem import Problem
from solver.model.tiles import CLOSED_RACK, POINT

_FILTER_BITS = 24  # 2 ** 24 bits are two megabytes: a larger filter passes fewer plays but does not fit the cache
_RECENT_BITS = 17  # a task remembers the leaves of 2 ** 17 children: two megabytes
_CAPACITY = 1 << 16  # children of plays of each length that a task collects before it sorts them


@dataclass(frozen=True)
class Partition:
    """A partition of a layer, and the score that matters to its tasks.

    Attributes:
        layer: the layer, in tiles played.
        number: the number of the partition, from 0.
        parts: the number of partitions of the layer, a power of two.
        claim: the score in points that games must be able to exceed.
    """

    layer: int
    number: int
    parts: int
    claim: int

    @property
    def least(self) -> int:
        """The lowest completion bound of a useful state, in thousandths of a point."""
        return (self.claim + 1) * POINT


@dataclass(frozen=True)
class Bench:
    """The data that all tasks share.

    Attributes:
        problem: the puzzle and its words.
        plays: the plays of the problem's closed index.
        outlooks: the completion bounds.
        store: the numbers of the sweep.
    """

    problem: Problem
    plays: ScoredPlays
    outlooks: Outlooks
    store: Store


@dataclass(frozen=True)
class SettledPart:
    """The result of `settle`.

    Attributes:
        best: the child with the highest score, packed, shape (1,); (0,) without children.
        at_bound: int64, the number of states kept, by the whole points of their bounds.
    """

    best: Packed
    at_bound: npt.NDArray[np.int64]


def settle(bench: Bench, partition: Partition) -> SettledPart:
    """Make children into states of the layer: drop duplicates, and states with too low a bound."""
    states = bench.store.part("children", partition.layer, partition.number, partition.parts)
    best = states[np.argmax(unpack_scores(states))][None] if len(states) else states
    bounds = _bounds(bench, partition, states)
    useful = bounds >= partition.least
    bench.store.put("states", partition.layer, partition.layer, partition.number, states[useful])
    return SettledPart(best, np.bincount(bounds[useful] // POINT))


def sift(bench: Bench, partition: Partition) -> int:
    """Drop the states that the current bounds rule out, and return how many are left."""
    states = _states(bench, partition)
    states = states[_bounds(bench, partition, states) >= partition.least]
    bench.store.put("states", partition.layer, partition.layer, partition.number, states)
    return len(states)


def _bounds(bench: Bench, partition: Partition, states: Packed) -> npt.NDArray[np.int64]:
    """Return the bounds of states of the partition, by all foci if the layer has many states."""
    return bench.outlooks.bounds(states, partition.layer, partition.least if partition.parts > 1 else None)


def _states(bench: Bench, partition: Partition) -> Packed:
    """Return the states that `settle` stored for the partition; no other task writes them."""
    states = bench.store.find("states", partition.layer, partition.layer, partition.number)
    assert states is not None
    return states


def draw(bench: Bench, partition: Partition) -> None:
    """Store the racks that the states of a partition draw."""
    puzzle = bench.problem.puzzle
    states = _states(bench, partition)
    room = np.empty(len(states) * (puzzle.rack_size + 1), dtype=np.uint64)
    racks = merged([room[: packed_racks(states, partition.layer, puzzle.row_codes, puzzle.rack_size, room)]])
    bench.store.put("racks", partition.layer, partition.layer, partition.number, racks)


def expand(bench: Bench, partition: Partition) -> int:
    """Store the children of a partition's racks, unless that is already done, and return how many racks were expanded."""
    done = bench.store.find("counts", partition.layer, partition.layer, partition.number)
    if done is not None and all(
        bench.store.find("children", partition.layer + length, partition.layer, partition.number) is not None
        for length in done[1:].tolist()
    ):
        return int(done[0])
    racks = bench.store.part("racks", partition.layer, partition.number, partition.parts)
    by_length = children_of(racks, bench.outlooks.after_draw(partition.layer), partition.least, bench.plays)
    for length, children in by_length.items():
        bench.store.put("children", partition.layer + length, partition.layer, partition.number, children)
    counts = np.array([len(racks), *by_length], dtype=np.uint64)
    bench.store.put("counts", partition.layer, partition.layer, partition.number, counts)
    return len(racks)


def children_of(racks: Packed, terms: BoundTerms, least: int, plays: ScoredPlays) -> dict[int, Packed]:
    """Return the children of racks with bounds of at least `least` thousandths of a point, by the length of the play.

    For `terms` see `expand_bounded`.
    """
    recent = np.empty((1 << _RECENT_BITS, 2), dtype=np.uint64)
    room = Room(np.empty((CLOSED_RACK + 1, _CAPACITY), dtype=np.uint64), np.zeros(CLOSED_RACK + 1, dtype=np.int64), recent)
    pieces: dict[int, list[Packed]] = {}
    lefts = unpack_lefts(racks)
    for left in np.unique(lefts):
        alike, at = racks[lefts == left], 0
        recent[:] = np.iinfo(np.uint64).max
        while at < len(alike):
            room.count[:] = 0
            at = expand_bounded(at, alike, terms, least, plays, room)
            for length in np.flatnonzero(room.count).tolist():
                pieces.setdefault(length, []).append(merged([room.states[length, : room.count[length]]]))
    return {length: merged(chunks) for length, chunks in pieces.items()}


def scored_plays(problem: Problem) -> ScoredPlays:
    """Return the plays of the problem's closed index as arrays for `expand_bounded`."""
    index = problem.closed
    filter_ = np.zeros(1 << (_FILTER_BITS - 6), dtype=np.uint64)
    fill_play_filter(hashes_of(index.packed), filter_)
    return ScoredPlays(index.slots, filter_, problem.puzzle.value_table)
