"""States and racks of a sweep, each packed into two integers of 64 bits, and tables of them.

The lowest 20 bits of the first integer are the score. Then four bits each count the letters a to k;
those of the second integer count l to z and the blanks. So adding the integers adds tiles, and
equal leaves have equal integers but for the score. Tiles played, left draws and tiles held are the
same for all states of an array of shape (states, 2).
"""

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.words import KINDS, POINT, Ints

Packed = npt.NDArray[np.uint64]
"""States, plays or racks, shape (n, 2); one of them, shape (2,); or a table, shape (slots, 2)."""

MOST_TILES = 15
MOST_SCORE = (1 << 20) - 1
_SCORE_BITS = np.uint64(20)
_DIGIT_BITS = np.uint64(4)
_DIGIT = np.uint64(15)
_SECOND_KIND = 11  # the kind of the lowest digit of the second integer
_EMPTY = np.uint64((1 << 64) - 1)  # no state has 15 tiles of each kind
_SHIFT = np.uint64(32)
_HASH = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95))


@compiled
def one_tile(kind: int) -> Packed:
    """Return a tile as a state."""
    tile = np.zeros(2, np.uint64)
    tile[(kind + 5) // 16] = np.uint64(1) << np.uint64((kind + 5) % 16 * 4)
    return tile


@compiled
def score_of(state: Packed) -> int:
    """Return the score of a state, in points."""
    return int(np.int64(state[0] & np.uint64(MOST_SCORE)))


@compiled
def spelled(state: Packed, kinds: Ints, copies: Ints) -> int:
    """Write the kinds of tiles of a state and the copies of each; return the number of kinds."""
    count = 0
    for digits, lowest_kind in ((state[0] >> _SCORE_BITS, 0), (state[1], _SECOND_KIND)):
        kind = lowest_kind
        while digits:
            if digits & _DIGIT:
                kinds[count] = kind
                copies[count] = np.int64(digits & _DIGIT)
                count += 1
            digits >>= _DIGIT_BITS
            kind += 1
    return count


@compiled
def sizes(states: Packed) -> Ints:
    """Return the number of tiles of each state."""
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    size = np.empty(len(states), np.int64)
    for number in range(len(states)):
        size[number] = copies[: spelled(states[number], kinds, copies)].sum()
    return size


@compiled
def worths(states: Packed, worth: Ints) -> Ints:
    """Return score + worth of the tiles of each state, in thousandths of a point.

    Args:
        states: The states.
        worth: The worth of equal tiles, by kind and number.
    """
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    total = np.empty(len(states), np.int64)
    for number in range(len(states)):
        total[number] = POINT * score_of(states[number])
        for i in range(spelled(states[number], kinds, copies)):
            total[number] += worth[kinds[i], copies[i]]
    return total


@compiled
def above(states: Packed, worth: Ints, floor: Ints) -> Packed:
    """Return the states whose score + worth reaches the floor of each focus.

    Args:
        states: The states.
        worth: The worth of equal tiles, by focus, kind and number.
        floor: The floor of each focus, in thousandths of a point.
    """
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    is_above = np.ones(len(states), np.bool_)
    for number in range(len(states)):
        score = POINT * score_of(states[number])
        n_kinds = spelled(states[number], kinds, copies)
        for focus in range(len(floor)):
            total = score
            for i in range(n_kinds):
                total += worth[focus, kinds[i], copies[i]]
            if total < floor[focus]:
                is_above[number] = False
                break
    return states[is_above]


@compiled
def new_table(slots: int) -> Packed:
    """Return an empty table for states by their tiles; the number of slots is a power of two."""
    table = np.empty((slots, 2), np.uint64)
    table[:, 0] = _EMPTY
    return table


@compiled
def slot_of(table: Packed, low: np.uint64, high: np.uint64) -> int:
    """Return the first slot to look at for a state."""
    mixed = (low >> _SCORE_BITS ^ high * _HASH[0]) * _HASH[1]
    mixed = (mixed ^ mixed >> _SHIFT) * _HASH[0]
    return int(np.int64(mixed >> _SHIFT)) & (len(table) - 1)


@compiled
def put(table: Packed, slot: int, low: np.uint64, high: np.uint64) -> int:
    """Put a state into a table with room; return 1 if it is new. The best of equal states stays."""
    while table[slot, 0] != _EMPTY:
        if (table[slot, 0] ^ low) >> _SCORE_BITS == 0 and table[slot, 1] == high:
            table[slot, 0] = max(table[slot, 0], low)
            return 0
        slot = (slot + 1) & (len(table) - 1)
    table[slot, 0] = low
    table[slot, 1] = high
    return 1


@compiled
def gathered(table: Packed, count: int) -> Packed:
    """Return the `count` states of a table."""
    states = np.empty((count, 2), np.uint64)
    number = 0
    for slot in range(len(table)):
        if table[slot, 0] != _EMPTY:
            states[number] = table[slot]
            number += 1
    return states


@compiled
def with_room(table: Packed, count: int) -> Packed:
    """Return a table of the same states of which `count` states fill less than half."""
    if 2 * count < len(table):
        return table
    slots = len(table)
    while slots < 4 * count:
        slots *= 2
    larger = new_table(slots)
    for slot in range(len(table)):
        low, high = table[slot]
        if low != _EMPTY:
            put(larger, slot_of(larger, low, high), low, high)
    return larger


@compiled
def joined(states: Packed) -> Packed:
    """Return each leave or rack once, with its best score."""
    table = new_table(128)
    count = 0
    for low, high in states:
        table = with_room(table, count)
        count += put(table, slot_of(table, low, high), low, high)
    return gathered(table, count)
