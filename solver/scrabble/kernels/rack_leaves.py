"""What a rack can leave behind, and the beginnings of words that it can lay down.

A leave is a number: the sum over the tiles of the step of their kind. So a walk that lays down a tile subtracts its step, and
everything about the tiles that remain is in a table.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit
from solver.scrabble.kernels.board_lines import Ints
from solver.scrabble.kernels.word_graph import WORD, WordGraph, next_node

POINT = 1_000  # thousandths of a point
BLANKED = 64  # added to the letter of a blank

Bits = npt.NDArray[np.uint64]


class LeaveWorth(NamedTuple):
    """The worth of leaves, in thousandths of a point.

    Attributes:
        copies: The worth of 0, 1, 2, ... tiles of a kind, shape (kinds, most + 1); the last one holds for more tiles, too.
        pair: The additional worth of two kinds that are both held, shape (kinds, kinds), read where the first is smaller.
        out: The worth of keeping no tile at all.
    """

    copies: Ints
    pair: Ints
    out: int


class Rack(NamedTuple):
    """A rack and its leaves; the last leave is the whole rack.

    Attributes:
        values: The value of each kind of tile, blanks at 0, letters from 1 on.
        step: What a tile of each kind adds to the number of a leave.
        held: The kinds in each leave, bit 1 << kind; uint64, shape (leaves,).
        usable: The letters that each leave can lay down, with its blanks; uint64, shape (leaves,).
        worth: The worth of each leave, in thousandths of a point.
        size: The number of tiles of each leave.
        descending: The values of the tiles, from the highest.
        full: The number of tiles played at once that earns `bonus` points.
    """

    values: Ints
    step: Ints
    held: Bits
    usable: Bits
    worth: Ints
    size: Ints
    descending: Ints
    full: int
    bonus: int


@kernel
def rack_of(counts: Ints, values: Ints, leaves: LeaveWorth, full: int, bonus: int) -> Rack:
    """Return a rack with these counts by kind, see `Rack` for the other arguments."""
    kinds, number = np.flatnonzero(counts), 1
    step, kept, every = np.zeros_like(counts), np.zeros_like(counts), (np.uint64(1) << np.uint64(len(counts))) - np.uint64(2)
    for kind in kinds:
        step[kind] = number
        number *= counts[kind] + 1
    held, usable = np.zeros(number, np.uint64), np.zeros(number, np.uint64)
    worth, size = np.zeros(number, np.int64), np.zeros(number, np.int64)
    for leave in range(number):
        rest = leave
        for kind in kinds[::-1]:
            kept[kind] = rest // step[kind]
            rest %= step[kind]
            size[leave] += kept[kind]
            if kept[kind] > 0:
                held[leave] |= np.uint64(1) << np.uint64(kind)
        usable[leave] = every if kept[0] > 0 else held[leave]
        worth[leave] = _leave_worth(kept, kinds, leaves)
    descending = np.sort(np.repeat(values, counts))[::-1].copy()
    return Rack(values, step, held, usable, worth, size, descending, full, bonus)


@borrowing
def _leave_worth(counts: Ints, kinds: Ints, leaves: LeaveWorth) -> int:
    """Return the worth of a leave, from counts by kind and the kinds that may be held, ascending."""
    total, most, empty = np.int64(0), leaves.copies.shape[1] - 1, True
    for i in range(len(kinds)):
        kind = kinds[i]
        if counts[kind] > 0:
            empty = False
            total += leaves.copies[kind, min(counts[kind], most)]
            for j in range(i + 1, len(kinds)):
                if counts[kinds[j]] > 0:
                    total += leaves.pair[kind, kinds[j]]
    return total + leaves.out if empty else total


class Beginnings(NamedTuple):
    """The beginnings of words from a rack that leave at least one tile, the shorter ones first; 0 is the empty one.

    Attributes:
        begin: The first beginning of each length, shape (tiles + 1,); those of a length end where the next ones begin.
        node: Its node in the word graph.
        leave: The leave.
        usable: The letters from the leave that can follow.
        before: The beginning without the last tile.
        tile: The letter of the last tile, plus `BLANKED` for a blank.
    """

    begin: Ints
    node: npt.NDArray[np.int32]
    leave: npt.NDArray[np.int32]
    usable: Bits
    before: npt.NDArray[np.int32]
    tile: npt.NDArray[np.int8]


@kernel
def no_beginnings(graph: WordGraph, rack: Rack) -> Beginnings:
    """Return the empty beginning alone."""
    room = 1 << 12
    some = Beginnings(
        np.zeros(len(rack.descending) + 1, np.int64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.uint64),
        np.empty(room, np.int32),
        np.empty(room, np.int8),
    )
    some.begin[1:] = _append(some, 0, graph, rack, 0, len(rack.worth) - 1, 0, 0)
    return some


@kernel
def with_longer(graph: WordGraph, rack: Rack, some: Beginnings, length: int) -> Beginnings:
    """Return `some`, which ends with those of length - 1, with those of `length` in alphabetical order, tile before blank."""
    count = some.begin[length]
    for before in range(some.begin[length - 1], some.begin[length]):
        if count + 2 * BLANKED > len(some.node):
            some = _with_room(some)
        count = _extend(some, count, graph, rack, before)
    some.begin[length + 1 :] = count
    return some


@kernel
def _with_room(some: Beginnings) -> Beginnings:
    """Return a copy with more room."""
    count, room = len(some.node), 4 * len(some.node)
    larger = Beginnings(
        some.begin,
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.uint64),
        np.empty(room, np.int32),
        np.empty(room, np.int8),
    )
    larger.node[:count], larger.leave[:count], larger.usable[:count] = some.node, some.leave, some.usable
    larger.before[:count], larger.tile[:count] = some.before, some.tile
    return larger


@borrowing
def _extend(some: Beginnings, count: int, graph: WordGraph, rack: Rack, before: int) -> int:
    """Append the beginnings that have one tile more than `before`; return their number with those so far."""
    leave, rest = np.int64(some.leave[before]), some.usable[before]
    held = rack.held[leave]
    while rest != 0:
        letter = np.int64(lowest_bit(rest))
        rest &= rest - np.uint64(1)
        node = next_node(graph, some.node[before], letter)
        if held >> np.uint64(letter) & np.uint64(1) != 0:
            count = _append(some, count, graph, rack, node, leave - rack.step[letter], before, letter)
        if held & np.uint64(1) != 0:
            count = _append(some, count, graph, rack, node, leave - rack.step[0], before, letter + BLANKED)
    return count


@borrowing
def _append(some: Beginnings, count: int, graph: WordGraph, rack: Rack, node: int, leave: int, before: int, tile: int) -> int:
    """Append a beginning if a tile can follow; return the number of beginnings."""
    usable = graph.letters[node] & rack.usable[leave] & ~np.uint64(WORD)
    if usable == 0:
        return count
    some.node[count], some.leave[count], some.usable[count] = node, leave, usable
    some.before[count], some.tile[count] = before, tile
    return count + 1
