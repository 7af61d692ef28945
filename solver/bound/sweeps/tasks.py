"""The tasks of a sweep: what is done to one part of one layer. Tasks of a layer touch nothing in common but what they read."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.dominance import find_dominated
from solver.bound.kernels.expand_bounded import Room, ScoredPlays, expand_bounded, fill_play_filter
from solver.bound.kernels.outlook import Outlook
from solver.bound.kernels.packed_states import Packed, merged, packed_racks, unpack_scores
from solver.bound.sweeps.outlooks import Outlooks
from solver.bound.sweeps.store import Store
from solver.index.kernels.closed_index import hashes_of
from solver.index.problem import Problem
from solver.model.racks import CLOSED_RACK
from solver.model.units import POINT

_FILTER_BITS = 24  # two megabytes: larger ones let less through but leave the cache
_RECENT_BITS = 17  # children that a task remembers: a megabyte
_CAPACITY = 1 << 16  # children of each number of tiles that a task keeps before it sorts them


@dataclass(frozen=True)
class Part:
    """One of `parts` parts of a layer, and the score in points that its games must be able to exceed."""

    layer: int
    part: int
    parts: int
    claim: int

    @property
    def least(self) -> int:
        """The lowest bound of use, in thousandths of a point."""
        return (self.claim + 1) * POINT


@dataclass(frozen=True)
class Bench:
    """What tasks work with."""

    problem: Problem
    plays: ScoredPlays
    outlooks: Outlooks
    store: Store


@dataclass(frozen=True)
class SettledPart:
    """A part's best state, none where it has none, and how many of its states have bounds of so many points."""

    best: Packed
    at_bound: npt.NDArray[np.int64]


def settle(bench: Bench, task: Part) -> SettledPart:
    """Make the children on their way to a layer into its states: each once, and only those that may be of use."""
    states = bench.store.part("children", task.layer, task.part, task.parts)
    best = states[np.argmax(unpack_scores(states))][None] if len(states) else states
    bounds = bench.outlooks.bounds(states, task.layer)
    useful = (bounds >= task.least) & ~_dominated(bench, states)
    bench.store.put("states", task.layer, task.layer, task.part, states[useful])
    return SettledPart(best, np.bincount(bounds[useful] // POINT))


def sift(bench: Bench, task: Part) -> int:
    """Keep what is still of use of the states of a layer; says how many."""
    states = _states(bench, task)
    states = states[bench.outlooks.bounds(states, task.layer) >= task.least]
    bench.store.put("states", task.layer, task.layer, task.part, states)
    return len(states)


def _dominated(bench: Bench, numbers: Packed) -> npt.NDArray[np.bool_]:
    """Which states or racks of one part others stand in for: parts go by left draws, so that these are in the same one."""
    puzzle, dominated = bench.problem.puzzle, np.empty(len(numbers), dtype=np.bool_)
    find_dominated(numbers, puzzle.value_table, puzzle.rack_size, dominated)
    return dominated


def _states(bench: Bench, task: Part) -> Packed:
    """Those that `settle` has made of the part: nobody else writes them meanwhile."""
    states = bench.store.find("states", task.layer, task.layer, task.part)
    assert states is not None
    return states


def draw(bench: Bench, task: Part) -> None:
    """Make the racks of a layer's states."""
    puzzle = bench.problem.puzzle
    states = _states(bench, task)
    room = np.empty(len(states) * (puzzle.rack_size + 1), dtype=np.uint64)
    racks = merged([room[: packed_racks(states, task.layer, puzzle.row_codes, puzzle.rack_size, room)]])
    bench.store.put("racks", task.layer, task.layer, task.part, racks)


def expand(bench: Bench, task: Part) -> int:
    """Make the children of a layer's racks, unless that has been done before; says how many racks there were."""
    done = bench.store.find("counts", task.layer, task.layer, task.part)
    if done is not None:
        return int(done[0])
    racks = bench.store.part("racks", task.layer, task.part, task.parts)
    racks = racks[~_dominated(bench, racks)]
    drawn = bench.problem.puzzle.drawn(task.layer)
    outlook, groups = bench.outlooks.after(task.layer, drawn), bench.outlooks.groups(drawn)
    for length, children in children_of(racks, outlook, groups, task.least, bench.plays).items():
        bench.store.put("children", task.layer + length, task.layer, task.part, children)
    bench.store.put("counts", task.layer, task.layer, task.part, np.array([len(racks)], dtype=np.uint64))
    return len(racks)


def children_of(
    racks: Packed, outlook: Outlook, groups: npt.NDArray[np.int64], least: int, plays: ScoredPlays
) -> dict[int, Packed]:
    """By tiles played the children of racks with bounds of `least` thousandths of a point or more.

    outlook, groups: see `expand_bounded`.
    """
    recent = np.full(1 << _RECENT_BITS, np.iinfo(np.uint64).max, dtype=np.uint64)
    room = Room(np.empty((CLOSED_RACK + 1, _CAPACITY), dtype=np.uint64), np.zeros(CLOSED_RACK + 1, dtype=np.int64), recent)
    pieces: dict[int, list[Packed]] = {}
    at = 0
    while at < len(racks):
        room.count[:] = 0
        at = expand_bounded(at, racks, outlook, groups, least, plays, room)
        for length in np.flatnonzero(room.count).tolist():
            pieces.setdefault(length, []).append(merged([room.states[length, : room.count[length]]]))
    return {length: merged(some) for length, some in pieces.items()}


def scored_plays(problem: Problem) -> ScoredPlays:
    """The plays of the problem's index for `expand_bounded`."""
    index = problem.closed
    filter_ = np.zeros(1 << (_FILTER_BITS - 6), dtype=np.uint64)
    fill_play_filter(hashes_of(index.packed), filter_)
    return ScoredPlays(index.slots, filter_, problem.puzzle.value_table)
