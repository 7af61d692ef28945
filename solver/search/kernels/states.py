"""The layers of a beam as arrays: states, racks and children, their keys and moves, and draws.

A state is all that the rest of a game depends on: the number of tiles drawn from the left, and the
leave. Its key is

    rank of the leave << KEY_LEFT_BITS | left draws

For ranks see `solver.index.kernels.indexes`. The key of a rack has the same form, after the draw. A
layer has one state for each key, with a hash table by open addressing. A move is the step from the
parent of a state to the state. The last two terms belong to the second play where two plays make
one step, and are 0 elsewhere:

    left draws | tiles played << 4 | second left draws << 8 | second tiles played << 12
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiled import I32, I64, U8, U64, borrowing, kernel
from solver.index.kernels.indexes import first_slot, rank_counts, unrank_counts
from solver.model.tiles import N_CODES

KEY_LEFT_BITS = 14  # enough for rows of up to 10,000 tiles
KEY_LEFT_MASK = np.uint64((1 << KEY_LEFT_BITS) - 1)


class States(NamedTuple):
    """States with the same number of tiles played; shape (n,).

    Children that are not in a layer yet have shape (reach + 1, capacity). The first index is the
    number of tiles that they have played since their parents. Racks are states that have drawn and
    not played yet: their key is that after the draw, and their move has only left draws.

    Attributes:
        key: The keys; uint64.
        priority: The priorities, in sixteenths of a point; int64.
        score: The scores, in points; int32.
        parent: The index of each parent in its layer; int32.
        move: The moves from the parents; int32.
    """

    key: U64
    priority: I64
    score: I32
    parent: I32
    move: I32

    def at(self, chosen: Any) -> "States":
        """Return the states that `chosen` selects, an index of each array."""
        return States(*(array[chosen] for array in self))

    @classmethod
    def joined(cls, parts: "list[States]") -> "States":
        """Return the states of all parts."""
        if len(parts) == 1:
            return parts[0]  # nothing is copied
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


class Children(NamedTuple):
    """The children that one thread has made and not yet moved into layers.

    Attributes:
        states: The children, by tiles played.
        count: The number of children for each number of tiles played; int64, shape (reach + 1,).
        hands: A hash table of the hands from which second plays were looked for; uint64, shape (a
            power of two, 4). The columns are key, score, order of the parent, and padding, so that
            no hand crosses a line of the processor's cache.
    """

    states: States
    count: I64
    hands: U64


class Cutoffs(NamedTuple):
    """The least priorities that children need, in sixteenths of a point.

    Attributes:
        drawn: The number of tiles drawn before the play.
        layers: The cut-offs by number of tiles played; int64, shape (reach + 1,).
        setups: The cut-offs of first plays, by length; int64, shape (longest play + 1,).
        landings: The cut-offs after two plays, by the tiles of both; int64, shape (reach + 1,), or
            (0,) if no second plays are looked for.
    """

    drawn: int
    layers: I64
    setups: I64
    landings: I64


class Moves(NamedTuple):
    """Unpacked moves: numbers, or arrays of them.

    Attributes:
        left: The left draws.
        length: The number of tiles played.
        second_left: The left draws before the second play; 0 for one play.
        second_length: The number of tiles of the second play; 0 for one play.
    """

    left: Any
    length: Any
    second_left: Any
    second_length: Any

    @property
    def tiles(self) -> Any:
        """The number of tiles played in all."""
        return self.length + self.second_length


def unpacked(move: Any) -> Moves:
    """Unpack a move, or an array of moves."""
    return Moves(move & 15, move >> 4 & 15, move >> 8 & 15, move >> 12)


@borrowing
def write_child(
    out: Children, played: int, key: np.uint64, priority: int, score: int, parent: int, move: int
) -> None:
    """Add a child that has played `played` tiles since its parent. `out` must have room for it."""
    states = out.states
    place = out.count[played]
    out.count[played] = place + 1
    states.key[played, place] = key
    states.priority[played, place] = priority
    states.score[played, place] = score
    states.parent[played, place] = parent
    states.move[played, place] = move


@kernel
def packed_move(left: int, length: int, second_left: int = 0, second_length: int = 0) -> int:
    """Pack the move of one play or two."""
    return left | length << 4 | second_left << 8 | second_length << 12


@kernel
def packed_key(rank: np.uint64, left: np.uint64) -> np.uint64:
    """Pack the key of a leave, or of a rack."""
    return (rank << np.uint64(KEY_LEFT_BITS)) | left


@kernel
def rank_of(key: np.uint64) -> np.uint64:
    """Return the rank of the leave or rack in a key."""
    return key >> np.uint64(KEY_LEFT_BITS)


@kernel
def left_of(key: np.uint64) -> int:
    """Return the left draws in a key."""
    return np.int64(key & KEY_LEFT_MASK)


def ranks_of_keys(keys: U64) -> U64:
    """Apply `rank_of` to an array of keys."""
    return keys >> np.uint64(KEY_LEFT_BITS)


def lefts_of_keys(keys: U64) -> I64:
    """Apply `left_of` to an array of keys."""
    return (keys & KEY_LEFT_MASK).astype(np.int64)


@borrowing
def _slot_of(table: I32, keys: U64, key: np.uint64) -> np.uint64:
    """Return the slot that holds the index + 1 of `key` in `keys`, or the empty slot for it."""
    last = np.uint64(table.shape[0] - 1)
    slot = first_slot(key, last)
    while table[slot] != 0 and keys[table[slot] - 1] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def merge_children(
    arriving: States,
    arrivals: int,
    kept: States,
    count: int,
    table: I32,
    cutoff: int,
) -> int:
    """Merge children into a layer, and return its new number of states.

    The children may be the states of the layer itself, from the first, with an empty table: then
    the states below the cut-off are dropped, and the others keep their order.

    Of children with equal keys the one with the best score stays. Of equal scores the one with the
    smallest (move, parent) stays, so that the order in which threads deliver children does not
    matter.

    Args:
        arriving: The children.
        arrivals: The number of children to merge, from the first.
        kept: The states of the layer, with room for count + arrivals of them.
        count: The number of states in the layer.
        table: The hash table, which holds index + 1; int32. Its size is a power of two above count
            + arrivals.
        cutoff: The least priority of a child that is kept.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    in_key, in_priority, in_score, in_parent, in_move = arriving
    key, priority, score, parent, move = kept
    for i in range(arrivals):
        if in_priority[i] < cutoff:
            continue
        slot = _slot_of(table, key, in_key[i])
        if table[slot] == 0:
            at = count
            count += 1
            table[slot] = np.int32(count)
        else:
            at = np.int64(table[slot]) - 1
            if in_score[i] < score[at]:
                continue
            later = in_move[i] > move[at] or (in_move[i] == move[at] and in_parent[i] >= parent[at])
            if in_score[i] == score[at] and later:
                continue
        key[at] = in_key[i]
        priority[at] = in_priority[i]
        score[at] = in_score[i]
        parent[at] = in_parent[i]
        move[at] = in_move[i]
    return count


@kernel
def draw_racks(
    states: States,
    row: U8,
    played: int,
    rack_size: int,
    part: int,
    parts: int,
    table: I32,
    racks: States,
) -> int:
    """Make every draw of every state, and return the number of distinct racks.

    Of racks with equal tiles and left draws the one with the best score stays; of equal scores the
    first. Left draws become 0 when the row is empty, since they no longer matter.

    Args:
        states: The states of one layer.
        row: The codes of the row's tiles; uint8.
        played: The number of tiles that each state has played.
        rack_size: The number of tiles that a full rack holds.
        part: Only draws after which the left draws are `part` modulo `parts` are made. Threads
            share the work in this way, and equal racks still meet in one thread.
        parts: See `part`.
        table: Zeros; int32. The size is a power of two and at least twice the number of racks.
        racks: Output, with room for rack_size // parts + 1 racks a state.
    """
    counts = np.zeros(N_CODES, np.int8)
    tiles = row.shape[0]
    count = 0
    for state in range(states.key.shape[0]):
        held = unrank_counts(rank_of(states.key[state]), counts)
        left = left_of(states.key[state])
        drawn = played + held
        right = drawn - left  # meaningless and unused when the row is empty
        draws = min(rack_size - held, tiles - drawn)
        choices = draws + 1
        emptied = drawn + draws == tiles
        if emptied:
            choices = 1
        for i in range(draws):
            if emptied:
                counts[row[left + i]] += np.int8(1)
            else:
                counts[row[tiles - right - 1 - i]] += np.int8(1)
        for left_draws in range(choices):
            if left_draws > 0:
                counts[row[tiles - right - 1 - (draws - left_draws)]] -= np.int8(1)
                counts[row[left + left_draws - 1]] += np.int8(1)
            new_left = np.uint64(0) if emptied else np.uint64(left + left_draws)
            if np.int64(new_left) % parts != part:
                continue
            key = packed_key(rank_counts(counts), new_left)
            slot = _slot_of(table, racks.key, key)
            if table[slot] == 0:
                rack = count
                count += 1
                table[slot] = np.int32(count)
            else:
                rack = np.int64(table[slot]) - 1
                if states.score[state] <= racks.score[rack]:
                    continue
            racks.key[rack] = key
            racks.priority[rack] = states.priority[state]
            racks.score[rack] = states.score[state]
            racks.parent[rack] = np.int32(state)
            racks.move[rack] = np.int32(left_draws)
    return count
