"""A board by its lines, the letters that fit each square, and the graph of words."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit, popcount

WORD = np.uint64(1)  # the bit of a node's letters that marks a word; letters are numbered from 1 on
LETTERS = ~WORD  # the other bits

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]


class WordGraph(NamedTuple):
    """The tree of all prefixes of words, the shorter ones first; node 0 is the empty prefix.

    Attributes:
        letters: The letters that may follow, bit 1 << letter, and `WORD` if the node is a word;
            uint64, shape (nodes,).
        lengths: The numbers of letters after which words end, bit 1 << number; uint32, shape
            (nodes,).
        first: The first child of each node; its children follow one another by ascending letter;
            int32, shape (nodes,).
    """

    letters: Bits
    lengths: npt.NDArray[np.uint32]
    first: npt.NDArray[np.int32]


@borrowing
def bit(number: int) -> np.uint64:
    """Return the bit mask of a letter, a kind or a place."""
    return np.uint64(1) << np.uint64(number)


@borrowing
def next_node(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`, which must exist."""
    before = graph.letters[node] & (bit(letter) - np.uint64(2))
    return graph.first[node] + np.int64(popcount(before))


@borrowing
def child_of(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`; -1 if it does not exist, or if `node` is -1."""
    if node < 0 or graph.letters[node] & bit(letter) == 0:
        return -1
    return next_node(graph, node, letter)


NO_CROSSING = -1


class Lines(NamedTuple):
    """A board by its rows, or by its columns. All arrays have the shape (size, size): line, place.

    Attributes:
        letters: The letter of each tile on the board, from 1 on; 0 for an empty square.
        worth: The value of each tile on the board; 0 for a blank.
        letter_premium: The multiplier of the value of a new tile; `word_premium` is that of a word
            with a new tile there.
        allowed: On empty squares, the letters that make a word across the line: bit 1 << letter;
            uint64.
        crossing: On empty squares, the sum of the values of the tiles on the board in that word;
            `NO_CROSSING` for no word.
        anchor: Whether an empty square touches a tile; on an empty board, whether it is the centre.
        is_down: 1 if the lines are columns.
    """

    letters: Ints
    worth: Ints
    letter_premium: Ints
    word_premium: Ints
    allowed: Bits
    crossing: Ints
    anchor: npt.NDArray[np.bool_]
    is_down: int


@borrowing
def is_taken(letters: Ints, line: int, place: int) -> bool:
    """Return whether a tile lies on a square; a square off the board has none."""
    size = len(letters)
    return 0 <= line < size and 0 <= place < size and letters[line, place] != 0


@kernel
def lines_of(graph: WordGraph, squares: Ints, is_down: int, kinds: int) -> Lines:
    """Return the lines of a board, for letters from 1 to `kinds`.

    Args:
        graph: The words.
        squares: By line and place the first four fields of `Lines`, shape (4, size, size).
        is_down: 1 if the lines are columns.
        kinds: The number of letters.
    """
    letters = squares[0]
    size = len(letters)
    lines = Lines(
        letters=letters,
        worth=squares[1],
        letter_premium=squares[2],
        word_premium=squares[3],
        allowed=np.full((size, size), bit(kinds + 1) - np.uint64(2)),
        crossing=np.full((size, size), NO_CROSSING),
        anchor=np.zeros((size, size), np.bool_),
        is_down=is_down,
    )
    lines.anchor[size // 2, size // 2] = not letters.any()
    for line in range(size):
        for place in range(size):
            if letters[line, place] != 0:
                continue
            if is_taken(letters, line - 1, place) or is_taken(letters, line + 1, place):
                lines.anchor[line, place] = True
                _cross(graph, lines, line, place)
            if is_taken(letters, line, place - 1) or is_taken(letters, line, place + 1):
                lines.anchor[line, place] = True
    return lines


@borrowing
def _cross(graph: WordGraph, lines: Lines, line: int, place: int) -> None:
    """Fill `allowed` and `crossing` of an empty square with a neighbour across the line."""
    letters = lines.letters
    total = 0
    top = line
    while is_taken(letters, top - 1, place):
        top -= 1
        total += lines.worth[top, place]
    node = 0
    for above in range(top, line):
        node = child_of(graph, node, letters[above, place])
    bottom = line + 1
    while is_taken(letters, bottom, place):
        total += lines.worth[bottom, place]
        bottom += 1
    lines.crossing[line, place] = total
    lines.allowed[line, place] = 0
    if node < 0:
        return
    rest = graph.letters[node] & LETTERS
    while rest != 0:
        letter = np.int64(lowest_bit(rest))
        rest ^= bit(letter)
        end = next_node(graph, node, letter)
        for below in range(line + 1, bottom):
            end = child_of(graph, end, letters[below, place])
        if end >= 0 and graph.letters[end] & WORD != 0:
            lines.allowed[line, place] |= bit(letter)
