"""A board by its lines, the letters that fit each square, and the graph of words: equal continuations share a node."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit, popcount

WORD = 1  # the bit of a node's letters that marks a word; letters are numbered from 1 on


class WordGraph(NamedTuple):
    """The nodes of a graph of words; node 0 is the empty prefix.

    Attributes:
        letters: The letters that may follow, bit 1 << letter, and `WORD` if the node is a word; uint64, shape (nodes,).
        lengths: The numbers of letters after which words end, bit 1 << number; uint32, shape (nodes,).
        first: The place in `child` of the first child of each node; int32, shape (nodes,).
        child: The children of each node by ascending letter; int32, shape (arcs,).
    """

    letters: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.uint32]
    first: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]


@borrowing
def next_node(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`, which must exist."""
    below = (np.uint64(1) << np.uint64(letter)) - np.uint64(2)
    return np.int64(
        graph.child[graph.first[node] + np.int64(popcount(graph.letters[node] & below))]
    )


@borrowing
def child_of(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`; -1 if it does not exist."""
    if graph.letters[node] >> np.uint64(letter) & np.uint64(1) == 0:
        return -1
    return next_node(graph, node, letter)


@kernel
def find_equals(
    letters: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int32],
    same: npt.NDArray[np.int32],
    slots: npt.NDArray[np.int32],
) -> None:
    """Fill `same` with one node for all those of a tree from which the same words continue.

    Args:
        letters: As in `WordGraph`, for a tree whose nodes are in breadth-first order, shape (nodes,).
        first: The first child of each node; its children end where those of the next node begin; shape (nodes + 1,).
        same: The result, shape (nodes,).
        slots: A hash table, filled with -1; its length is a power of two and more than the number of nodes.
    """
    last = len(slots) - 1
    # children come after their parents, so they have been compared when their parent is
    for node in range(len(letters) - 1, -1, -1):
        mixed = letters[node] * np.uint64(0x9E3779B97F4A7C15)
        for child in range(first[node], first[node + 1]):
            mixed = ((mixed ^ (mixed >> np.uint64(29))) + np.uint64(same[child])) * np.uint64(
                0xBF58476D1CE4E5B9
            )
        slot = np.int64(mixed >> np.uint64(32)) & last
        while slots[slot] >= 0 and not _are_equal(letters, first, same, node, slots[slot]):
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = node
        same[node] = slots[slot]


@kernel
def fill_lengths(graph: WordGraph) -> None:
    """Fill `lengths` of a graph in which children come after their parents."""
    for node in range(len(graph.letters) - 1, -1, -1):
        lengths = np.uint32(graph.letters[node] & np.uint64(WORD))
        for at in range(
            graph.first[node],
            graph.first[node] + np.int64(popcount(graph.letters[node] & ~np.uint64(WORD))),
        ):
            lengths |= graph.lengths[graph.child[at]] << np.uint32(1)
        graph.lengths[node] = lengths


@borrowing
def _are_equal(
    letters: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int32],
    same: npt.NDArray[np.int32],
    one: int,
    other: int,
) -> bool:
    step, children = 0, first[one + 1] - first[one]
    if letters[one] != letters[other]:
        return False
    while step < children and same[first[one] + step] == same[first[other] + step]:
        step += 1
    return step == children


NO_CROSSING = -1

Ints = npt.NDArray[np.int64]


class Lines(NamedTuple):
    """A board by its rows, or by its columns. All arrays have the shape (size, size): line, place.

    Attributes:
        letters: The letter of each tile on the board, from 1 on; 0 for an empty square.
        worth: The value of each tile on the board; 0 for a blank.
        letter_premium: The multiplier of the value of a new tile; `word_premium` is that of a word with a new tile there.
        allowed: On empty squares, the letters that make a word across the line: bit 1 << letter; uint64.
        crossing: On empty squares, the sum of the values of the tiles on the board in that word; `NO_CROSSING` for no word.
        anchor: Whether an empty square touches a tile; on an empty board, whether it is the centre.
        is_down: 1 if the lines are columns.
    """

    letters: Ints
    worth: Ints
    letter_premium: Ints
    word_premium: Ints
    allowed: npt.NDArray[np.uint64]
    crossing: Ints
    anchor: npt.NDArray[np.bool_]
    is_down: int


@kernel
def fill_crossings(graph: WordGraph, lines: Lines, kinds: int) -> None:
    """Fill `allowed`, `crossing` and `anchor` of a board, for letters from 1 to `kinds`."""
    letters, size = lines.letters, lines.letters.shape[0]
    every = (np.uint64(1) << np.uint64(kinds + 1)) - np.uint64(2)
    is_empty = True
    for line in range(size):
        for place in range(size):
            lines.allowed[line, place], lines.crossing[line, place] = every, NO_CROSSING
            if letters[line, place] != 0:
                is_empty, lines.anchor[line, place] = False, False
                continue
            above = line > 0 and letters[line - 1, place] != 0
            below = line + 1 < size and letters[line + 1, place] != 0
            in_line = (place > 0 and letters[line, place - 1] != 0) or (
                place + 1 < size and letters[line, place + 1] != 0
            )
            lines.anchor[line, place] = above or below or in_line
            if above or below:
                _cross(graph, lines, line, place)
    if is_empty:
        lines.anchor[size // 2, size // 2] = True


@borrowing
def _cross(graph: WordGraph, lines: Lines, line: int, place: int) -> None:
    """Fill `allowed` and `crossing` of an empty square with a tile before or after it across the line."""
    letters, size = lines.letters, lines.letters.shape[0]
    top, total, node = line, 0, 0
    while top > 0 and letters[top - 1, place] != 0:
        top -= 1
        total += lines.worth[top, place]
    for above in range(top, line):
        node = child_of(graph, node, letters[above, place]) if node >= 0 else -1
    bottom = line + 1
    while bottom < size and letters[bottom, place] != 0:
        total += lines.worth[bottom, place]
        bottom += 1
    fitting = np.uint64(0)
    rest = graph.letters[node] & ~np.uint64(WORD) if node >= 0 else np.uint64(0)
    while rest != 0:
        letter = np.int64(lowest_bit(rest))
        rest &= rest - np.uint64(1)
        end = next_node(graph, node, letter)
        for below in range(line + 1, bottom):
            end = child_of(graph, end, letters[below, place]) if end >= 0 else -1
        if end >= 0 and graph.letters[end] & np.uint64(WORD) != 0:
            fitting |= np.uint64(1) << np.uint64(letter)
    lines.allowed[line, place], lines.crossing[line, place] = fitting, total
