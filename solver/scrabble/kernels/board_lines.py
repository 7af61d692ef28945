"""A board by its lines: the letters that fit each square, and the squares where plays connect to tiles on the board."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit
from solver.scrabble.kernels.word_graph import WORD, WordGraph, child_of, next_node

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
            in_line = (place > 0 and letters[line, place - 1] != 0) or (place + 1 < size and letters[line, place + 1] != 0)
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
