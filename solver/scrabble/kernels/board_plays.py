"""All legal plays of a rack on a Scrabble board.

A play is found from its first square, which no tile on the board precedes: from there a walk
through the word graph goes along the line. Each play covers an anchor, a square that touches a tile
on the board, as by Appel and Jacobson, "The world's fastest Scrabble program" (1988).

What the plays from a square are worth at most is the bound of the program Maven: the tiles of the
rack are placed on the squares of a play without regard to words, the best tiles on the best
squares, and the best leave of that number of tiles is kept, see Sheppard,
"World-championship-caliber Scrabble" (2002). With the bound come the places where a play may end;
the graph knows the lengths of its words, so a walk that cannot end there turns back at once.

A leave is a number: the sum over the tiles of the step of their kind. So a walk that lays down a
tile subtracts its step, and everything about the tiles that remain is in a table.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit
from solver.scrabble.kernels.board_lines import (
    LETTERS,
    NO_CROSSING,
    WORD,
    Bits,
    Ints,
    Lines,
    WordGraph,
    bit,
    child_of,
    is_taken,
    lines_of,
    next_node,
)

POINT = 1_000  # thousandths of a point
BLANKED = 64  # added to the letter of a blank
IMPOSSIBLE = -(1 << 50)  # a bound where no play exists, in thousandths of a point


class LeaveWorth(NamedTuple):
    """The worth of leaves, in thousandths of a point.

    Attributes:
        copies: The worth of 0, 1, 2, ... tiles of a kind, shape (kinds, most + 1); the last one
            holds for more tiles, too.
        pair: The additional worth of two kinds that are both held, shape (kinds, kinds), read where
            the first is smaller.
        out: The worth of keeping no tile at all.
    """

    copies: Ints
    pair: Ints
    out: int


class HeldRack(NamedTuple):
    """A rack and its leaves; the last leave is the whole rack.

    Attributes:
        values: The value of each kind of tile, blanks at 0, letters from 1 on.
        step: What a tile of each kind adds to the number of a leave.
        held: The kinds in each leave, bit 1 << kind; uint64, shape (leaves,).
        usable: The letters that each leave can lay down, with its blanks; uint64, shape (leaves,).
        worth: The worth of each leave, in thousandths of a point.
        size: The number of tiles of each leave.
        best_worth: By number of tiles, the worth of the best leave, shape (tiles + 1,).
        descending: The values of the tiles, from the highest.
        full: The number of tiles played at once that earns `bonus` points.
    """

    values: Ints
    step: Ints
    held: Bits
    usable: Bits
    worth: Ints
    size: Ints
    best_worth: Ints
    descending: Ints
    full: int
    bonus: int


@kernel
def rack_of(counts: Ints, values: Ints, leaves: LeaveWorth, full: int, bonus: int) -> HeldRack:
    """Return a rack with these counts by kind, see `HeldRack` for the other arguments."""
    kinds = np.flatnonzero(counts)
    step = np.zeros_like(counts)
    number = 1
    for kind in kinds:
        step[kind] = number
        number *= counts[kind] + 1
    held = np.zeros(number, np.uint64)
    worth = np.zeros(number, np.int64)
    size = np.zeros(number, np.int64)
    worth[0] = leaves.out
    for leave in range(1, number):
        for kind in kinds:
            count = leave // step[kind] % (counts[kind] + 1)
            if count == 0:
                continue
            for other in kinds:
                if held[leave] & bit(other) != 0:
                    worth[leave] += leaves.pair[other, kind]
            worth[leave] += leaves.copies[kind, min(count, leaves.copies.shape[1] - 1)]
            held[leave] |= bit(kind)
            size[leave] += count
    every = bit(len(counts)) - np.uint64(2)
    usable = np.where(held & bit(0) != 0, every, held)
    descending = np.sort(np.repeat(values, counts))[::-1].copy()
    best_worth = np.full(len(descending) + 1, IMPOSSIBLE)
    for leave in range(number):
        best_worth[size[leave]] = max(best_worth[size[leave]], worth[leave])
    return HeldRack(values, step, held, usable, worth, size, best_worth, descending, full, bonus)


class Starts(NamedTuple):
    """The first squares of plays on a board, in both directions.

    Attributes:
        where: 1 if the line is a column, the line and the place, shape (starts, 3).
        bound: The highest equity of the plays from each square, shape (starts,).
    """

    where: Ints
    bound: Ints


@kernel
def starts_of(rows: Lines, columns: Lines, rack: HeldRack) -> Starts:
    """Return the first squares of plays on a board, those with the highest bounds first."""
    size = len(rows.letters)
    factors = np.zeros((3, len(rack.descending)), np.int64)
    where = np.zeros((2 * size * size, 3), np.int64)
    bounds = np.zeros(len(where), np.int64)
    count = 0
    for lines in (rows, columns):
        for line in range(size):
            for place in range(size):
                if is_taken(lines.letters, line, place - 1):
                    continue
                bound, _ends = ends_of(lines, line, place, rack, factors, 0)
                if bound > IMPOSSIBLE:
                    where[count] = (lines.is_down, line, place)
                    bounds[count] = bound
                    count += 1
    order = np.argsort(-bounds[:count], kind="mergesort")
    return Starts(where[order], bounds[order])


@borrowing
def ends_of(
    lines: Lines, line: int, place: int, rack: HeldRack, factors: Ints, cut: int
) -> tuple[int, np.uint64]:
    """Return a bound of the equity of plays from a square, and the ends of those that reach `cut`.

    Args:
        lines: The rows or the columns.
        line: The line of the square.
        place: Its place.
        rack: The rack.
        factors: Room for the factors of tiles, shape (3, tiles of the rack).
        cut: In thousandths of a point.

    Returns:
        A bound of the equity, and bit 1 << place for each place directly after the end of a play.
    """
    letters = lines.letters
    held = len(rack.descending)
    at = place
    through = 0
    while is_taken(letters, line, at):
        through += lines.worth[line, at]
        at += 1
    word_factor = 1
    crossed = 0
    new = 0
    is_joined = False
    best = np.int64(IMPOSSIBLE)
    ends = np.uint64(0)
    while at < len(letters) and new < held and lines.allowed[line, at] & rack.usable[-1] != 0:
        word_premium = lines.word_premium[line, at]
        word_factor *= word_premium
        factors[0, new] = lines.letter_premium[line, at]
        factors[1, new] = 0
        if lines.crossing[line, at] != NO_CROSSING:
            factors[1, new] = factors[0, new] * word_premium
            crossed += lines.crossing[line, at] * word_premium
        is_joined = is_joined or lines.anchor[line, at]
        new += 1
        at += 1
        while is_taken(letters, line, at):
            through += lines.worth[line, at]
            at += 1
        if is_joined:
            placed = _best_sum(rack.descending, factors, word_factor, new)
            score = through * word_factor + crossed + placed + rack.bonus * (new == rack.full)
            equity = POINT * score + rack.best_worth[held - new]
            best = max(best, equity)
            ends |= np.uint64(equity >= cut) << np.uint64(at)
    return best, ends


@borrowing
def _best_sum(descending: Ints, factors: Ints, word_factor: int, new: int) -> int:
    """Return the highest sum of values x factors: the highest value on the highest factor.

    The factors of the letters in the word are in row 0 of `factors`, those in words across in row
    1; row 2 is for the sums of both, from the highest.
    """
    ordered = factors[2]
    for number in range(new):
        factor = factors[0, number] * word_factor + factors[1, number]
        at = number
        while at > 0 and ordered[at - 1] < factor:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = factor
    total = 0
    for number in range(new):
        total += ordered[number] * descending[number]
    return total


PLACE_BITS = 11  # of a key: 1 for the direction, 5 for the line, 5 for the first place
_NO_CUT = 1 << 62


class Found(NamedTuple):
    """The best plays so far, in arrays of limited room.

    Attributes:
        keys: -equity << `PLACE_BITS`, and the place below; plays are sorted by it, those with equal
            keys by their tiles.
        score: The score in points.
        tiles: The letters laid down, plus `BLANKED` for a blank; below 0 the letters of tiles on
            the board; int8, shape (room, size), padded with zeros.
        state: The number of plays, and the key from which on plays are too bad to keep.
        most: The number of plays to keep in the end.
    """

    keys: Ints
    score: Ints
    tiles: npt.NDArray[np.int8]
    state: Ints
    most: int


class _Walk(NamedTuple):
    """The state of a walk.

    The depth is the number of tiles laid down; all arrays but the first three are indexed
    by it.

    Attributes:
        at: Line, first place, depth; a depth of -1 ends the walk.
        ends: The places after which a play may end, bit 1 << place; shape (1,).
        tiles: The tiles on the line, as in `Found`, by place.
        plain: The letters still to try as tiles, `blank` those to try as blanks.
        place: The square of the next tile.
        node: The node in the word graph before it.
        leave: The leave before it.
        total: The value of the word so far; `factor` is its multiplier.
        crossed: The score of the words across.
    """

    at: Ints
    ends: Bits
    tiles: npt.NDArray[np.int8]
    plain: Bits
    blank: Bits
    place: Ints
    node: Ints
    leave: Ints
    total: Ints
    factor: Ints
    crossed: Ints


@kernel
def board_plays(graph: WordGraph, squares: Ints, rack: HeldRack, found: Found) -> int:
    """Find the best plays, and sort them; return their number.

    A play of one tile that makes words both ways counts as a play along rows only.

    Args:
        graph: The words.
        squares: The board by row and column, see `lines_of`.
        rack: The rack.
        found: The plays.
    """
    rows = lines_of(graph, squares, 0, len(rack.values) - 1)
    turned = np.ascontiguousarray(squares.transpose(0, 2, 1))
    columns = lines_of(graph, turned, 1, len(rack.values) - 1)
    starts = starts_of(rows, columns, rack)
    factors = np.zeros((3, len(rack.descending)), np.int64)
    walk = _new_walk(len(rows.letters), len(rack.descending))
    found.state[0] = 0
    found.state[1] = _NO_CUT
    for number in range(len(starts.where)):
        cut = -(found.state[1] >> PLACE_BITS)  # the equity below which plays are too bad to keep
        if starts.bound[number] < cut:
            break
        is_down, line, place = starts.where[number]
        lines = columns if is_down else rows
        _bound, walk.ends[0] = ends_of(lines, line, place, rack, factors, cut)
        _start(walk, graph, lines, line, place, rack)
        while walk.at[2] >= 0:
            _go_on(walk, graph, lines, rack, found)
            _make_room(found)
    _narrow(found)
    return found.state[0]


@kernel
def _new_walk(size: int, tiles: int) -> _Walk:
    bits = np.zeros((3, tiles + 1), np.uint64)
    ints = np.zeros((6, tiles + 1), np.int64)
    return _Walk(
        np.full(3, -1),
        bits[0],
        np.zeros(size, np.int8),
        bits[1],
        bits[2],
        ints[0],
        ints[1],
        ints[2],
        ints[3],
        ints[4],
        ints[5],
    )


@borrowing
def _start(
    walk: _Walk, graph: WordGraph, lines: Lines, line: int, place: int, rack: HeldRack
) -> None:
    """Start a walk at a square, if a play can result."""
    walk.at[0] = line
    walk.at[1] = place
    end, node, total = _pass_over(walk, graph, lines, place, 0)
    walk.total[0] = total
    walk.factor[0] = 1
    walk.crossed[0] = 0
    if node >= 0:
        _push(walk, 0, end, node, len(rack.worth) - 1, graph, lines, rack)


@borrowing
def _pass_over(
    walk: _Walk, graph: WordGraph, lines: Lines, place: int, node: int
) -> tuple[int, int, int]:
    """Pass over the tiles on the board from a square on.

    Returns:
        The square after them, the node there, -1 if no word has these letters, and their value.
    """
    line = walk.at[0]
    total = 0
    while is_taken(lines.letters, line, place):
        node = child_of(graph, node, lines.letters[line, place])
        total += lines.worth[line, place]
        walk.tiles[place] = -lines.letters[line, place]
        place += 1
    return place, node, total


@borrowing
def _push(
    walk: _Walk,
    depth: int,
    place: int,
    node: int,
    leave: int,
    graph: WordGraph,
    lines: Lines,
    rack: HeldRack,
) -> None:
    """Let the walk try a tile on a square next, if a play can result."""
    letters = graph.letters[node] & rack.usable[leave] & lines.allowed[walk.at[0], place]
    longer = np.uint64(graph.lengths[node]) & LETTERS
    if letters != 0 and (longer << np.uint64(place)) & walk.ends[0] != 0:
        walk.at[2] = depth
        walk.place[depth] = place
        walk.node[depth] = node
        walk.leave[depth] = leave
        walk.plain[depth] = letters & rack.held[leave]
        walk.blank[depth] = letters * (rack.held[leave] & bit(0))


@kernel
def _make_room(found: Found) -> None:
    """Narrow the plays if there is no room for another one."""
    if found.state[0] == len(found.keys):
        _narrow(found)


@borrowing
def _go_on(walk: _Walk, graph: WordGraph, lines: Lines, rack: HeldRack, found: Found) -> None:
    """Go on with a walk to its end, or until `found` is full."""
    line = walk.at[0]
    while walk.at[2] >= 0 and found.state[0] < len(found.keys):
        depth = walk.at[2]
        rest = walk.plain[depth] | walk.blank[depth]
        if rest == 0:
            walk.at[2] -= 1
            continue
        letter = np.int64(lowest_bit(rest))
        kind = letter
        if walk.plain[depth] & bit(letter) != 0:
            walk.plain[depth] ^= bit(letter)
        else:
            walk.blank[depth] ^= bit(letter)
            kind = 0
        place = walk.place[depth]
        walk.tiles[place] = letter + BLANKED * (kind == 0)
        gain = rack.values[kind] * lines.letter_premium[line, place]
        factor = lines.word_premium[line, place]
        total = walk.total[depth] + gain
        crossed = walk.crossed[depth]
        is_crossed = lines.crossing[line, place] != NO_CROSSING
        if is_crossed:
            crossed += (lines.crossing[line, place] + gain) * factor
        factor *= walk.factor[depth]
        leave = walk.leave[depth] - rack.step[kind]
        node = next_node(graph, walk.node[depth], letter)
        end, node, through = _pass_over(walk, graph, lines, place + 1, node)
        total += through
        if node < 0:
            continue
        if end < len(lines.letters):
            walk.total[depth + 1] = total
            walk.factor[depth + 1] = factor
            walk.crossed[depth + 1] = crossed
            _push(walk, depth + 1, end, node, leave, graph, lines, rack)
        if graph.letters[node] & walk.ends[0] >> np.uint64(end) & WORD != 0:
            new = len(rack.descending) - rack.size[leave]
            # a play of one tile that makes words both ways occurs along rows, too
            if not (lines.is_down == 1 and new == 1 and is_crossed):
                score = total * factor + crossed + rack.bonus * (new == rack.full)
                _keep(walk, end, lines.is_down, score, rack.worth[leave], found)


@borrowing
def _keep(walk: _Walk, end: int, is_down: int, score: int, worth: int, found: Found) -> None:
    """Keep a play unless it is too bad."""
    line = walk.at[0]
    start = walk.at[1]
    key = (-(POINT * score + worth) << PLACE_BITS) | is_down << 10 | line << 5 | start
    if key < found.state[1]:
        at = found.state[0]
        found.keys[at] = key
        found.score[at] = score
        found.tiles[at] = 0
        for place in range(start, end):
            found.tiles[at, place - start] = walk.tiles[place]
        found.state[0] = at + 1


@kernel
def _narrow(found: Found) -> None:
    """Sort the plays, those with equal keys as they were found, and keep only the best ones."""
    order = np.argsort(found.keys[: found.state[0]], kind="mergesort")[: found.most]
    count = len(order)
    found.keys[:count] = found.keys[order]
    found.score[:count] = found.score[order]
    found.tiles[:count] = found.tiles[order]
    found.state[0] = count
    if count == found.most:
        found.state[1] = found.keys[count - 1]
