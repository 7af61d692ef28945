"""States and racks of a sweep: a multiset of tiles and a score in two integers of 64 bits, and tables of them.

The lowest 20 bits of the first integer are the score. Then four bits each count the letters a to k; those of the second integer
count l to z and the blanks. So adding the integers adds tiles, and equal leaves have equal integers but for the score.
Tiles played, left draws and tiles held are the same for all states of an array of shape (states, 2).
"""

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.words import KINDS, POINT, Ints

Numbers = npt.NDArray[np.uint64]

MOST_TILES = 15
MOST_SCORE = (1 << 20) - 1
_SCORE = np.uint64(20)
_SCORES = np.uint64(MOST_SCORE)
_FOUR = np.uint64(15)
_EMPTY = np.uint64(
    (1 << 64) - 1
)  # the first integer of a slot that is free: no state has 15 tiles of each kind
_SHIFT = np.uint64(32)
_HASH = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95))


@compiled
def one_tile(kind: int) -> Numbers:
    """Return a tile as a state."""
    tile = np.zeros(2, np.uint64)
    tile[(kind + 5) // 16] = np.uint64(1) << np.uint64((kind + 5) % 16 * 4)
    return tile


@compiled
def score_of(state: Numbers) -> int:
    """Return the score of a state of shape (2,), in points."""
    return int(np.int64(state[0] & _SCORES))


@compiled
def spelled(state: Numbers, kinds: Ints, copies: Ints) -> int:
    """Write the kinds of tiles of a state, and how many there are; return the number of kinds."""
    count = 0
    for word in range(2):
        rest = state[0] >> _SCORE if word == 0 else state[1]
        kind = 0 if word == 0 else 11
        while rest:
            if rest & _FOUR:
                kinds[count] = kind
                copies[count] = np.int64(rest & _FOUR)
                count += 1
            rest >>= np.uint64(4)
            kind += 1
    return count


@compiled
def sizes(states: Numbers) -> Ints:
    """Return the number of tiles of each state."""
    size, kinds, copies = (
        np.empty(len(states), np.int64),
        np.empty(KINDS, np.int64),
        np.empty(KINDS, np.int64),
    )
    for at in range(len(states)):
        size[at] = copies[: spelled(states[at], kinds, copies)].sum()
    return size


@compiled
def worths(states: Numbers, worth: Ints) -> Ints:
    """Return score + worth of the tiles, in thousandths of a point; `worth` is by kind and number of equal tiles."""
    total = np.empty(len(states), np.int64)
    kinds, copies = np.empty(KINDS, np.int64), np.empty(KINDS, np.int64)
    for at in range(len(states)):
        total[at] = POINT * score_of(states[at])
        for i in range(spelled(states[at], kinds, copies)):
            total[at] += worth[kinds[i], copies[i]]
    return total


@compiled
def above(states: Numbers, worth: Ints, floor: Ints) -> Numbers:
    """Return the states whose score + worth is at least each floor; `worth` is by floor, kind and number of equal tiles."""
    kept, count = np.empty_like(states), 0
    kinds, copies = np.empty(KINDS, np.int64), np.empty(KINDS, np.int64)
    for at in range(len(states)):
        score, some = POINT * score_of(states[at]), spelled(states[at], kinds, copies)
        kept[count, 0], kept[count, 1] = states[at, 0], states[at, 1]
        is_above = True
        for focus in range(len(floor)):
            total = score
            for i in range(some):
                total += worth[focus, kinds[i], copies[i]]
            if total < floor[focus]:
                is_above = False
                break
        count += is_above
    return kept[:count].copy()


@compiled
def new_table(room: int) -> Numbers:
    """Return an empty table for states by their tiles, with at least twice as many slots as states."""
    size = 64
    while size < 2 * room:
        size *= 2
    table = np.empty((size, 2), np.uint64)
    table[:, 0] = _EMPTY
    return table


@compiled
def slot_of(table: Numbers, low: np.uint64, high: np.uint64) -> int:
    """Return the first slot to look at for a state."""
    mixed = (low >> _SCORE ^ high * _HASH[0]) * _HASH[1]
    mixed = (mixed ^ mixed >> _SHIFT) * _HASH[0]
    return int(np.int64(mixed >> _SHIFT)) & (len(table) - 1)


@compiled
def put(table: Numbers, slot: int, low: np.uint64, high: np.uint64) -> int:
    """Put a state into a table, which must have room: of equal states the better one stays. Return how many there are more."""
    while table[slot, 0] != _EMPTY:
        if (table[slot, 0] ^ low) >> _SCORE == 0 and table[slot, 1] == high:
            table[slot, 0] = max(table[slot, 0], low)
            return 0
        slot = (slot + 1) & (len(table) - 1)
    table[slot, 0], table[slot, 1] = low, high
    return 1


@compiled
def gathered(table: Numbers, count: int) -> Numbers:
    """Return the states of a table."""
    states, at = np.empty((count, 2), np.uint64), 0
    for slot in range(len(table)):
        if table[slot, 0] != _EMPTY:
            states[at] = table[slot]
            at += 1
    return states


@compiled
def larger(table: Numbers, count: int) -> Numbers:
    """Return a table of the same states with room for twice as many as `count`."""
    more = new_table(2 * count)
    for slot in range(len(table)):
        if table[slot, 0] != _EMPTY:
            put(more, slot_of(more, table[slot, 0], table[slot, 1]), table[slot, 0], table[slot, 1])
    return more


@compiled
def joined(states: Numbers) -> Numbers:
    """Return each leave or rack once, with its best score."""
    table, count = new_table(64), 0
    for at in range(len(states)):
        if 2 * count >= len(table):
            table = larger(table, count)
        low, high = states[at]
        count += put(table, slot_of(table, low, high), low, high)
    return gathered(table, count)
