"""The layers of a beam: how threads fill them, how racks are expanded, the history of states."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from threading import Lock

import numpy as np

from solver.compiled import I32, I64
from solver.index.kernels.indexes import (
    MIX,
    TILE_HASH,
    fill_filter,
    rate_plays,
    unrank_all,
    unrank_counts,
)
from solver.index.problem import Problem
from solver.model.solution import Turn
from solver.model.tiles import CLOSED_RACK, N_CODES, SCALE, USUAL_RACK, Counts, counts_of
from solver.search.greedy import Hand, Hands, after_all, turn_of
from solver.search.kernels.expand import expand_closed
from solver.search.kernels.sieve import ClosedPlays, HashedRow, fill_sieves
from solver.search.kernels.states import (
    Children,
    Cutoffs,
    Moves,
    States,
    draw_racks,
    left_of,
    lefts_of_keys,
    merge_children,
    rank_of,
    ranks_of_keys,
    unpacked,
)

NO_CUTOFF = -(1 << 60)
ADMIT_NOTHING = 1 << 60
_HANDS = 1 << 14  # fishing starts from a few thousand hands in each layer
_SHARE = 8  # the slope is measured between the cut-off of the beam and that of its best eighth
# a wider beam also finds better states, and priorities spread more on some rows than on others
_SLACK = 1.5
_MARGIN = 2 * SCALE


def new_states(*shape: int) -> States:
    """Return states of that shape, full of zeros."""
    kinds = (np.uint64, np.int64, np.int32, np.int32, np.int32)
    return States(*(np.zeros(shape, dtype=kind) for kind in kinds))


def new_children(reach: int, capacity: int) -> Children:
    """Return room for one thread's children: `capacity` for each number of tiles up to `reach`."""
    return Children(
        new_states(reach + 1, capacity),
        np.zeros(reach + 1, dtype=np.int64),
        np.zeros((_HANDS, 4), dtype=np.uint64),
    )


class Layer:
    """The best `width` states with the same number of tiles played, one for each key.

    `cutoff`, at least `floor`, is the priority of the width-th best state so far. More states never
    lower it, so a child below it can be dropped at once. The states kept at the end do not depend
    on the order in which children arrive.
    """

    def __init__(self, width: int, floor: int = NO_CUTOFF) -> None:
        self.width = width
        self.cutoff = floor
        self.count = 0
        self._lock = Lock()
        self._states = new_states(0)
        self._table = np.zeros(0, dtype=np.int32)
        self._count_at_cutoff = 0

    @classmethod
    def with_start(cls, start_key: int) -> "Layer":
        """Return the first layer, which holds one state."""
        layer = cls(1)
        layer.count = 1
        layer._states = new_states(1)
        layer._states.key[0] = start_key
        return layer

    def take(self, children: Children, length: int) -> None:
        """Move a thread's children that have played `length` tiles into the layer.

        Threads may call it at any time.
        """
        arrivals = int(children.count[length])
        arriving = children.states.at(length)
        with self._lock:
            self._make_room(arrivals)
            self.count = merge_children(
                arriving, arrivals, self._states, self.count, self._table, self.cutoff
            )
            if self.count > self.width and self.count - self._count_at_cutoff > self.width // 8:
                self._raise_cutoff()
        children.count[length] = 0

    @property
    def best_score(self) -> int:
        """The best score of any state; 0 without states."""
        with self._lock:
            return int(self._states.score[: self.count].max(initial=0))

    def settle(self) -> int:
        """Raise the cut-off as far as the states so far allow, and return it.

        It does not depend on the order in which they arrived.
        """
        if self.count > self.width:
            self._raise_cutoff()
        return self.cutoff

    def close(self, salt: int) -> States:
        """Close the layer and return its best `width` states, best first.

        Equal priorities are ordered by a hash of the key and `salt`.
        """
        key = self._states.key[: self.count]
        priority = self._states.priority[: self.count]
        order = np.lexsort(((key ^ np.uint64(salt)) * MIX, -priority))[: self.width]
        if self.count > self.width:
            self.cutoff = max(self.cutoff, int(priority[order[-1]]))
        return self._states.at(order)

    def _raise_cutoff(self) -> None:
        priority = self._states.priority[: self.count]
        place = self.count - self.width
        self.cutoff = max(self.cutoff, int(np.partition(priority, place)[place]))
        if self.count > 2 * self.width:
            self._table[:] = 0
            self.count = merge_children(
                self._states, self.count, self._states, 0, self._table, self.cutoff
            )
        self._count_at_cutoff = self.count

    def _make_room(self, arrivals: int) -> None:
        states = self._states
        needed = self.count + arrivals
        if needed > len(states.key):
            room = max(needed, 2 * len(states.key))
            self._states = new_states(room)
            self._table = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)
            self.count = merge_children(states, self.count, self._states, 0, self._table, NO_CUTOFF)


class LearntCutoffs:
    """The floor of each layer, learnt from one beam, for wider beams from the same state.

    `start` is the key of that state.
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self._learnt: dict[int, tuple[int, int, float]] = {}

    @property
    def has_learnt(self) -> bool:
        """Whether any layer of the narrower beam was full."""
        return bool(self._learnt)

    def cutoff(self, played: int) -> int:
        """Return the cut-off of a layer in the narrower beam; `NO_CUTOFF` if it was not full."""
        return self._learnt[played][1] if played in self._learnt else NO_CUTOFF

    def learn(self, played: int, priority: I64, width: int) -> None:
        """Learn from the priorities that a layer kept in a beam of `width`.

        They are int64, best first; the layer is that with `played` tiles played.
        """
        if len(priority) == width >= _SHARE:
            drop = int(priority[len(priority) // _SHARE - 1]) - int(priority[-1])
            self._learnt[played] = (width, int(priority[-1]), drop / math.log(_SHARE))

    def floor(self, played: int, width: int) -> int:
        """Return the least priority worth keeping in a layer of a beam of `width`.

        `NO_CUTOFF` if none was learnt.
        """
        if played not in self._learnt:
            return NO_CUTOFF
        narrower, cut, slope = self._learnt[played]
        return cut - math.ceil(_SLACK * slope * math.log(max(1.0, width / narrower))) - _MARGIN


@dataclass(frozen=True)
class Point:
    """A kept state of a beam.

    Attributes:
        played: Its layer, as the number of tiles played.
        place: Its index in the layer.
        score: Its score, in points.
    """

    played: int
    place: int
    score: int


class History:
    """The kept states of the closed layers, with the moves that lead back to the start.

    Args:
        problem: The problem.
        before: The turns before the beam.
    """

    def __init__(self, problem: Problem, before: tuple[Turn, ...] = ()) -> None:
        self._problem = problem
        self._before = before
        self.start = after_all(problem, before)
        self._layers: dict[int, States] = {}

    def keep(self, played: int, states: States) -> None:
        """Remember the states of the layer with `played` tiles played."""
        # priorities take much memory and are no longer needed
        self._layers[played] = states._replace(priority=states.priority[:0])

    def hands(self, played: int) -> Hands:
        """Return the hand of each state of a layer, best priority first; none without states."""
        key = self._layers.get(played, new_states(0)).key
        leave = unrank_all(ranks_of_keys(key))
        return Hands.of(self._problem.puzzle, played, lefts_of_keys(key), leave)

    def scores(self, played: int) -> I32:
        """Return the score of each state of a layer, best priority first; empty without states."""
        if played not in self._layers:
            return np.zeros(0, dtype=np.int32)
        return self._layers[played].score

    def best_first(self) -> Iterator[Point]:
        """Yield all kept states, best score first; of equal scores the later layer first."""
        layers = []
        for played, states in sorted(self._layers.items(), reverse=True):
            count = len(states.score)
            columns = [np.full(count, played), np.arange(count), states.score]
            layers.append(np.column_stack(columns))
        points = np.concatenate(layers)
        for i in np.argsort(-points[:, 2], kind="stable"):
            yield Point(*points[i].tolist())

    def point(self, played: int, place: int) -> Point:
        """Return one state of a layer."""
        return Point(played, place, int(self._layers[played].score[place]))

    def hand_at(self, point: Point) -> Hand:
        """Return the hand at `point`.

        When the row is empty, all its tiles count as drawn from the right.
        """
        key = self._layers[point.played].key[point.place]
        leave = np.zeros(N_CODES, dtype=np.int8)
        held = unrank_counts(np.uint64(rank_of(key)), leave)
        left = left_of(key)
        return Hand(left, point.played + int(held) - left, leave)

    def pair_into(self, point: Point) -> tuple[Point, tuple[Turn, ...]] | None:
        """Return the state from which a move of two turns leads to `point`, and these turns.

        None if one turn leads there.
        """
        if not self._move(point).second_length:
            return None
        before = self._parent(point)
        turns, _hand = self._turns_between(before, self.hand_at(before), point)
        return before, tuple(turns)

    def line_to(self, point: Point) -> tuple[tuple[Turn, ...], Hand]:
        """Return the turns of the game up to `point`, and the hand there."""
        points = [point]
        while points[0].played > self.start.played:
            points.insert(0, self._parent(points[0]))
        turns = list(self._before)
        hand = self.start
        for before, after in pairwise(points):
            more, hand = self._turns_between(before, hand, after)
            turns += more
        return tuple(turns), hand

    def _move(self, point: Point) -> Moves:
        return unpacked(int(self._layers[point.played].move[point.place]))

    def _parent(self, point: Point) -> Point:
        parent = self._layers[point.played].parent[point.place]
        return self.point(point.played - self._move(point).tiles, int(parent))

    def _turns_between(self, before: Point, hand: Hand, after: Point) -> tuple[list[Turn], Hand]:
        """Return the one or two turns of the move from `before`, with that hand, to `after`.

        Also return the hand after them.

        A move does not record which tiles its turns play, so every choice of tiles for the first
        turn is tried.
        """
        move = self._move(after)
        leave = self.hand_at(after).leave
        gained = after.score - before.score
        rack = hand.drawn(self._problem, move.left)
        if not move.second_length:
            turn, last = turn_of(self._problem, hand, move.left, rack.leave - leave)
            return [turn], last
        codes = np.repeat(np.arange(N_CODES), rack.leave).tolist()
        for tiles in sorted(set(combinations(codes, move.length))):
            first = counts_of(tiles)
            between = replace(rack, leave=rack.leave - first)
            second = between.drawn(self._problem, move.second_left).leave - leave
            if (second < 0).any() or not (self._has_play(first) and self._has_play(second)):
                continue
            turn, _between = turn_of(self._problem, hand, move.left, first)
            second_turn, last = turn_of(self._problem, between, move.second_left, second)
            if turn.score + second_turn.score == gained:
                return [turn, second_turn], last
        raise AssertionError(f"no two turns from {hand} gain {gained} points")

    def _has_play(self, tiles: Counts) -> bool:
        return bool(self._problem.finder.best([tiles], shortest=int(tiles.sum()))[0])


_FILTER_BITS = 20  # a megabyte: a larger filter rejects more but does not fit the processor's cache
_CAPACITY = 1 << 16  # children of each number of tiles that a thread moves into a layer at once


def drawn_racks(
    problem: Problem, states: States, played: int, parts: int = 1, part: int = 0
) -> States:
    """Return the distinct racks that the states of a layer can draw, or one of `parts` parts.

    See `draw_racks`.
    """
    size = problem.puzzle.rack_size
    most = len(states.key) * (size // parts + 1)
    racks = new_states(most)
    table = np.zeros(1 << (2 * most - 1).bit_length(), dtype=np.int32)
    count = draw_racks(states, problem.puzzle.row_codes, played, size, part, parts, table, racks)
    return racks.at(slice(count))


@dataclass(frozen=True)
class Expander:
    """Expands racks: finds their plays and the children that reach the cut-offs.

    Attributes:
        plays: The plays of the index under the prices of the beam.
        longest: The most tiles of one play.
        reach: The most tiles that a child has played since its parent.
        capacity: The room for children of each number of tiles that one thread makes.
    """

    plays: ClosedPlays
    longest: int
    reach: int
    capacity: int = _CAPACITY

    def children(self) -> Children:
        """Return room for the children that one thread makes."""
        return new_children(self.reach, self.capacity)

    def __call__(
        self, first: int, stop: int, racks: States, cutoffs: Cutoffs, out: Children
    ) -> int:
        """Expand racks `first` to `stop` into `out`; return the first that was not expanded."""
        return expand_closed(first, stop, racks, cutoffs, self.plays, out)


def make_expander(problem: Problem, prices: I64, fishes: bool = False) -> Expander:
    """Return an expander on the index closed under blanks.

    `prices` are by code. `fishes` says whether second plays may be looked for.

    Raises `StrategyError` for a rack that is too large for the index.
    """
    index = problem.closed
    row = problem.puzzle.row_codes
    longest = USUAL_RACK
    capacity = _CAPACITY
    if problem.puzzle.rack_size > USUAL_RACK:
        longest = CLOSED_RACK
        capacity = 4 * _CAPACITY
    rated = rate_plays(index.packed, index.score, prices, longest)
    reach = longest
    sifted = rated._replace(hash=rated.hash[:0])
    if fishes:
        reach = 2 * longest
        sifted = rated
    plays = ClosedPlays(
        slots=index.slots,
        ranks=index.ranks,
        slot_shift=np.uint64(65 - len(index.slots).bit_length()),
        filter=fill_filter(rated, _FILTER_BITS),
        filter_shift=np.uint64(64 - _FILTER_BITS),
        least=rated.least,
        step=rated.step,
        sieves=fill_sieves(sifted, longest),
        row=HashedRow(row, np.append(TILE_HASH[row], np.uint64(0))),
        prices=prices,
    )
    return Expander(
        plays=plays,
        longest=longest,
        reach=reach,
        capacity=capacity,
    )
