"""The anchors of a board, and what the plays at each are worth at most.

Each play covers an anchor, a square that touches a tile on the board; it belongs to the first that it covers. The bound is that
of the program Maven: the tiles of the rack are placed on the squares of a play without regard to words, the best tiles on the
best squares, and the best leave of that number of tiles is kept, see Sheppard, "World-championship-caliber Scrabble" (2002).
"""

from typing import NamedTuple

import numpy as np

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


class Bounding(NamedTuple):
    """What bounds are computed from, and room for it.

    Attributes:
        best_leave: By number of tiles, the worth of the best leave, shape (tiles of the rack + 1,).
        letter: Of the squares of a play, the factors of the letters in its word, shape (tiles of the rack,).
        crossing: The factors of the same letters in the words across.
        ordered: The sums of both, from the highest.
    """

    best_leave: Ints
    letter: Ints
    crossing: Ints
    ordered: Ints


@kernel
def bounding_of(rack: Rack) -> Bounding:
    """Return what the bounds of plays of a rack are computed from."""
    held = len(rack.descending)
    best_leave = np.full(held + 1, IMPOSSIBLE)
    for leave in range(len(rack.worth)):
        best_leave[rack.size[leave]] = max(best_leave[rack.size[leave]], rack.worth[leave])
    return Bounding(best_leave, np.zeros(held, np.int64), np.zeros(held, np.int64), np.zeros(held, np.int64))


@kernel
def anchors_of(rows: Lines, columns: Lines, rack: Rack, bounding: Bounding) -> Anchors:
    """Return the anchors of a board after `fill_crossings`, those with the highest bounds first."""
    size, held = rows.letters.shape[0], len(rack.descending)
    all_where, bounds, count = np.zeros((2 * size * size, 4), np.int64), np.full((2 * size * size, held), IMPOSSIBLE), 0
    for lines in (rows, columns):
        for line in range(size):
            free = 0
            for place in range(size):
                if lines.anchor[line, place]:
                    where, free = all_where[count], min(free, held - 1)
                    where[0], where[1], where[2], where[3] = lines.is_down, line, place, free
                    for before in range(free + 1):
                        bounds[count, before], _ends = ends_of(lines, line, place, before, rack, bounding, 0)
                    count += 1
                is_free = lines.letters[line, place] == 0 and not lines.anchor[line, place]
                free = free + 1 if is_free else 0
    highest = np.array([bounds[number].max() for number in range(count)], dtype=np.int64)
    order = np.argsort(-highest, kind="mergesort")
    return Anchors(all_where[order], bounds[order])


@borrowing
def ends_of(
    lines: Lines, line: int, place: int, before: int, rack: Rack, bounding: Bounding, cut: int
) -> tuple[int, np.uint64]:
    """Return the highest equity of plays at an anchor, and where those can end that reach an equity of `cut`.

    Args:
        lines: The rows or the columns.
        line: The line of the anchor.
        place: Its place.
        before: The number of tiles before the anchor.
        rack: The rack.
        bounding: What the bound is computed from.
        cut: In thousandths of a point.

    Returns:
        A bound of the equity, and bit 1 << place for each place directly after the end of a play.
    """
    size, held = lines.letters.shape[0], len(rack.descending)
    word_factor, through, crossed, new, best, ends = 1, 0, 0, 0, np.int64(IMPOSSIBLE), np.uint64(0)
    at, first = place - before, place - before
    while first > 0 and lines.letters[line, first - 1] != 0:
        first -= 1
        through += lines.worth[line, first]
    while at < size and new < held and lines.allowed[line, at] & rack.usable[-1] != 0:
        letter_premium, word_premium = lines.letter_premium[line, at], lines.word_premium[line, at]
        bounding.letter[new], bounding.crossing[new] = letter_premium, 0
        word_factor *= word_premium
        if lines.crossing[line, at] != NO_CROSSING:
            bounding.crossing[new] = letter_premium * word_premium
            crossed += lines.crossing[line, at] * word_premium
        new, at = new + 1, at + 1
        while at < size and lines.letters[line, at] != 0:
            through += lines.worth[line, at]
            at += 1
        if new > before:
            score = through * word_factor + crossed + _best_sum(rack.descending, bounding, word_factor, new)
            equity = POINT * (score + (rack.bonus if new == rack.full else 0)) + bounding.best_leave[held - new]
            best = max(best, equity)
            ends |= np.uint64(equity >= cut) << np.uint64(at)
    return best, ends


@borrowing
def _best_sum(descending: Ints, bounding: Bounding, word_factor: int, new: int) -> int:
    """Return the highest sum of values x factors of `new` tiles, which puts the highest value on the highest factor."""
    ordered, total = bounding.ordered, 0
    for number in range(new):
        factor, at = bounding.letter[number] * word_factor + bounding.crossing[number], number
        while at > 0 and ordered[at - 1] < factor:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = factor
    for number in range(new):
        total += ordered[number] * descending[number]
    return total
