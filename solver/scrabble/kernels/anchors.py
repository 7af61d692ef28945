"""The anchors of a board, and what the plays at each are worth at most.

Each play covers an anchor, a square that touches a tile on the board; it belongs to the first that it covers. The bound is that
of the program Maven: the tiles of the rack are placed on the squares of a play without regard to words, the best tiles on the
best squares, and the best leave of that number of tiles is kept, see Sheppard, "World-championship-caliber Scrabble" (2002).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel
from solver.scrabble.kernels.board_lines import NO_CROSSING, Ints, Lines
from solver.scrabble.kernels.rack_leaves import POINT, Rack

IMPOSSIBLE = -(1 << 50)  # a bound where no play exists, in thousandths of a point


class Anchors(NamedTuple):
    """The anchors of a board, in both directions.

    Attributes:
        where: 1 if the line is a column, the line, the place, and the number of free squares before it; shape (anchors, 4).
        bounds: The highest equity of plays with 0, 1, ... tiles before the anchor, shape (anchors, tiles of the rack).
    """

    where: Ints
    bounds: Ints


@kernel
def anchors_of(rows: Lines, columns: Lines, rack: Rack) -> Anchors:
    """Return the anchors of a board after `fill_crossings`, those with the highest bounds first."""
    size, held = rows.letters.shape[0], len(rack.descending)
    all_where, bounds = np.zeros((2 * size * size, 4), np.int64), np.full((2 * size * size, held), IMPOSSIBLE)
    best_leave, factors = np.full(held + 1, IMPOSSIBLE), np.zeros((3, held), np.int64)
    for leave in range(len(rack.worth)):
        best_leave[rack.size[leave]] = max(best_leave[rack.size[leave]], rack.worth[leave])
    count = 0
    for lines in (rows, columns):
        for line in range(size):
            free = 0
            for place in range(size):
                if lines.anchor[line, place]:
                    where, free = all_where[count], min(free, held - 1)
                    where[0], where[1], where[2], where[3] = lines.is_down, line, place, free
                    for before in range(free + 1):
                        bounds[count, before] = _bound(lines, line, place, before, rack, best_leave, factors)
                    count += 1
                is_free = lines.letters[line, place] == 0 and not lines.anchor[line, place]
                free = free + 1 if is_free else 0
    highest = np.array([bounds[number].max() for number in range(count)], dtype=np.int64)
    order = np.argsort(-highest, kind="mergesort")
    return Anchors(all_where[order], bounds[order])


@borrowing
def _bound(lines: Lines, line: int, place: int, before: int, rack: Rack, best_leave: Ints, factors: Ints) -> int:
    """Return the highest equity of plays with `before` tiles before an anchor.

    Args:
        lines: The rows or the columns.
        line: The line of the anchor.
        place: Its place.
        before: The number of tiles.
        rack: The rack.
        best_leave: By number of tiles, the worth of the best leave.
        factors: Room to work in, shape (3, tiles of the rack).
    """
    size, held, letter_factors = lines.letters.shape[0], len(rack.descending), factors[0]
    crossing_factors, word_factor, through, crossed, new, best = factors[1], 1, 0, 0, 0, np.int64(IMPOSSIBLE)
    at = place - before
    if before == 0:
        first = place
        while first > 0 and lines.letters[line, first - 1] != 0:
            first -= 1
            through += lines.worth[line, first]
    while at < size and new < held:
        if lines.allowed[line, at] & rack.usable[-1] == 0:
            break
        letter_factors[new], crossing_factors[new] = lines.letter_premium[line, at], 0
        word_factor *= lines.word_premium[line, at]
        if lines.crossing[line, at] != NO_CROSSING:
            crossing_factors[new] = lines.letter_premium[line, at] * lines.word_premium[line, at]
            crossed += lines.crossing[line, at] * lines.word_premium[line, at]
        new, at = new + 1, at + 1
        while at < size and lines.letters[line, at] != 0:
            through += lines.worth[line, at]
            at += 1
        if new > before:
            score = through * word_factor + crossed + _best_sum(rack.descending, factors, word_factor, new)
            score += rack.bonus if new == rack.full else 0
            best = max(best, POINT * score + best_leave[held - new])
    return best


@borrowing
def _best_sum(descending: Ints, factors: Ints, word_factor: int, new: int) -> int:
    """Return the highest sum of values x factors of `new` tiles, which puts the highest value on the highest factor."""
    ordered, total = factors[2], 0
    for number in range(new):
        factor, at = factors[0, number] * word_factor + factors[1, number], number
        while at > 0 and ordered[at - 1] < factor:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = factor
    for number in range(new):
        total += ordered[number] * descending[number]
    return total
