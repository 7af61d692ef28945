"""All legal plays of a rack on a Scrabble board.

Words are built around anchors, as by Appel and Jacobson, "The world's fastest Scrabble program"
(1988). The tiles before an anchor lie on squares without neighbours, so these beginnings of words
are the same for all anchors and found once. At an anchor a letter follows that also makes a word
across, and from there the walk through the word graph goes on along the line.

Each play covers an anchor, a square that touches a tile on the board; it belongs to the first that
it covers. What the plays at an anchor are worth at most is the bound of the program Maven: the
tiles of the rack are placed on the squares of a play without regard to words, the best tiles on the
best squares, and the best leave of that number of tiles is kept, see Sheppard,
"World-championship-caliber Scrabble" (2002).

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
    return Rack(values, step, held, usable, worth, size, descending, full, bonus)


class Beginnings(NamedTuple):
    """The beginnings of words from a rack that leave at least one tile.

    The shorter ones come first; 0 is the empty one.

    Attributes:
        begin: The first beginning of each length, shape (tiles + 1,); those of a length end where
            the next ones begin.
        usable: The letters from the leave that can follow.
        last: A row for each: its node in the word graph, the leave, the beginning without the last
            tile, and the letter of the last tile, plus `BLANKED` for a blank; shape (room, 4).
    """

    begin: Ints
    usable: Bits
    last: Ints


@kernel
def no_beginnings(graph: WordGraph, rack: Rack) -> Beginnings:
    """Return the empty beginning alone."""
    room = 1 << 12
    begin = np.zeros(len(rack.descending) + 1, np.int64)
    some = Beginnings(begin, np.empty(room, np.uint64), np.empty((room, 4), np.int64))
    begin[1:] = _append(some, 0, graph, rack, 0, len(rack.worth) - 1, 0, 0)
    return some


@kernel
def with_longer(graph: WordGraph, rack: Rack, some: Beginnings, length: int) -> Beginnings:
    """Return `some`, which ends with those of length - 1, with those of `length`.

    They are in alphabetical order, a tile before a blank.
    """
    count = some.begin[length]
    for before in range(some.begin[length - 1], some.begin[length]):
        room = len(some.usable)
        if count + 2 * BLANKED > room:
            more = (np.empty(3 * room, np.uint64), np.empty((3 * room, 4), np.int64))
            usable = np.concatenate((some.usable, more[0]))
            some = Beginnings(some.begin, usable, np.concatenate((some.last, more[1])))
        count = _extend(some, count, graph, rack, before)
    some.begin[length + 1 :] = count
    return some


@borrowing
def _extend(some: Beginnings, count: int, graph: WordGraph, rack: Rack, before: int) -> int:
    """Append the beginnings with one tile more than `before`; return the number of beginnings."""
    node = some.last[before, 0]
    leave = some.last[before, 1]
    rest = some.usable[before]
    while rest != 0:
        letter = np.int64(lowest_bit(rest))
        rest ^= bit(letter)
        child = next_node(graph, node, letter)
        for kind in (letter, 0):
            if rack.held[leave] & bit(kind) != 0:
                tile = letter + BLANKED * (kind == 0)
                left = leave - rack.step[kind]
                count = _append(some, count, graph, rack, child, left, before, tile)
    return count


@borrowing
def _append(
    some: Beginnings,
    count: int,
    graph: WordGraph,
    rack: Rack,
    node: int,
    leave: int,
    before: int,
    tile: int,
) -> int:
    """Append a beginning if a tile can follow; return the number of beginnings."""
    usable = graph.letters[node] & rack.usable[leave] & LETTERS
    if usable == 0:
        return count
    some.usable[count] = usable
    some.last[count] = (node, leave, before, tile)
    return count + 1


IMPOSSIBLE = -(1 << 50)  # a bound where no play exists, in thousandths of a point


class Anchors(NamedTuple):
    """The anchors of a board, in both directions.

    Attributes:
        where: 1 if the line is a column, the line, the place, and the number of free squares before
            it; shape (anchors, 4).
        bounds: The highest equity of plays with 0, 1, ... tiles before the anchor, shape (anchors,
            tiles of the rack).
    """

    where: Ints
    bounds: Ints


class Bounding(NamedTuple):
    """What bounds are computed from, and room for it.

    Attributes:
        best_leave: By number of tiles, the worth of the best leave, shape (tiles of the rack + 1,).
        letter: Of the squares of a play, the factors of the letters in its word, shape (tiles of
            the rack,).
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
        size = rack.size[leave]
        best_leave[size] = max(best_leave[size], rack.worth[leave])
    factors = np.zeros((3, held), np.int64)
    return Bounding(best_leave, factors[0], factors[1], factors[2])


@kernel
def anchors_of(rows: Lines, columns: Lines, rack: Rack, bounding: Bounding) -> Anchors:
    """Return the anchors of a board, those with the highest bounds first."""
    size = len(rows.letters)
    held = len(rack.descending)
    where = np.zeros((2 * size * size, 4), np.int64)
    bounds = np.full((len(where), held), IMPOSSIBLE)
    count = 0
    for lines in (rows, columns):
        for line in range(size):
            free = 0
            for place in range(size):
                if lines.letters[line, place] != 0:
                    free = 0
                elif not lines.anchor[line, place]:
                    free += 1
                else:
                    free = min(free, held - 1)
                    where[count] = (lines.is_down, line, place, free)
                    for before in range(free + 1):
                        bound, _ends = ends_of(lines, line, place, before, rack, bounding, 0)
                        bounds[count, before] = bound
                    count += 1
                    free = 0
    highest = np.array([bounds[number].max() for number in range(count)], dtype=np.int64)
    order = np.argsort(-highest, kind="mergesort")
    return Anchors(where[order], bounds[order])


@borrowing
def ends_of(
    lines: Lines, line: int, place: int, before: int, rack: Rack, bounding: Bounding, cut: int
) -> tuple[int, np.uint64]:
    """Return a bound of the equity of plays at an anchor, and the ends of those that reach `cut`.

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
    letters = lines.letters
    size = len(letters)
    held = len(rack.descending)
    at = place - before
    through = 0
    first = at
    while is_taken(letters, line, first - 1):
        first -= 1
        through += lines.worth[line, first]
    word_factor = 1
    crossed = 0
    new = 0
    best = np.int64(IMPOSSIBLE)
    ends = np.uint64(0)
    while at < size and new < held and lines.allowed[line, at] & rack.usable[-1] != 0:
        word_premium = lines.word_premium[line, at]
        word_factor *= word_premium
        bounding.letter[new] = lines.letter_premium[line, at]
        bounding.crossing[new] = 0
        if lines.crossing[line, at] != NO_CROSSING:
            bounding.crossing[new] = bounding.letter[new] * word_premium
            crossed += lines.crossing[line, at] * word_premium
        new += 1
        at += 1
        while is_taken(letters, line, at):
            through += lines.worth[line, at]
            at += 1
        if new > before:
            placed = _best_sum(rack.descending, bounding, word_factor, new)
            score = through * word_factor + crossed + placed + rack.bonus * (new == rack.full)
            equity = POINT * score + bounding.best_leave[held - new]
            best = max(best, equity)
            ends |= np.uint64(equity >= cut) << np.uint64(at)
    return best, ends


@borrowing
def _best_sum(descending: Ints, bounding: Bounding, word_factor: int, new: int) -> int:
    """Return the highest sum of values x factors: the highest value on the highest factor."""
    ordered = bounding.ordered
    for number in range(new):
        factor = bounding.letter[number] * word_factor + bounding.crossing[number]
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

    The depth is the number of tiles from the anchor on; all arrays but the first three are indexed
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
def board_plays(graph: WordGraph, squares: Ints, rack: Rack, found: Found) -> int:
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
    bounding = bounding_of(rack)
    anchors = anchors_of(rows, columns, rack, bounding)
    walk = _new_walk(len(rows.letters), len(rack.descending))
    some = no_beginnings(graph, rack)
    longest = 0
    found.state[0] = 0
    found.state[1] = _NO_CUT
    for number in range(len(anchors.where)):
        if anchors.bounds[number].max() < _cut(found):
            break
        is_down, line, place, free = anchors.where[number]
        lines = columns if is_down else rows
        for before in range(free + 1):
            cut = _cut(found)
            if anchors.bounds[number, before] < cut:
                continue
            walk.at[0] = line
            walk.at[1] = place - before
            _bound, walk.ends[0] = ends_of(lines, line, place, before, rack, bounding, cut)
            if is_taken(lines.letters, line, place - 1):
                _start_after_tiles(walk, graph, lines, place, rack)
                while walk.at[2] >= 0:
                    _go_on(walk, graph, lines, rack, found)
                    _make_room(found)
                continue
            while longest < before:
                longest += 1
                some = with_longer(graph, rack, some, longest)
            for beginning in range(some.begin[before], some.begin[before + 1]):
                if some.usable[beginning] & lines.allowed[line, place] != 0:
                    _start(walk, graph, lines, place, before, some, beginning, rack)
                    while walk.at[2] >= 0:
                        _go_on(walk, graph, lines, rack, found)
                        _make_room(found)
    _narrow(found)
    return found.state[0]


@borrowing
def _cut(found: Found) -> int:
    """Return the equity below which plays are too bad to keep."""
    return -(found.state[1] >> PLACE_BITS)


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
def _start_after_tiles(walk: _Walk, graph: WordGraph, lines: Lines, place: int, rack: Rack) -> None:
    """Start a walk at an anchor that follows tiles on the board, if a play can result."""
    line = walk.at[0]
    first = place
    while is_taken(lines.letters, line, first - 1):
        first -= 1
    node = 0
    total = 0
    for at in range(first, place):
        node = child_of(graph, node, lines.letters[line, at])
        total += lines.worth[line, at]
        walk.tiles[at] = -lines.letters[line, at]
    walk.at[1] = first
    walk.total[0] = total
    walk.factor[0] = 1
    walk.crossed[0] = 0
    if node >= 0:
        _push(walk, 0, place, node, len(rack.worth) - 1, graph, lines, rack)


@borrowing
def _start(
    walk: _Walk,
    graph: WordGraph,
    lines: Lines,
    place: int,
    before: int,
    some: Beginnings,
    beginning: int,
    rack: Rack,
) -> None:
    """Start a walk at an anchor, after the tiles of a beginning, if a play can result."""
    node = some.last[beginning, 0]
    _push(walk, 0, place, node, some.last[beginning, 1], graph, lines, rack)
    if walk.at[2] < 0:
        return
    line = walk.at[0]
    total = 0
    factor = 1
    at_tile = beginning
    for at in range(place - 1, place - before - 1, -1):
        tile = some.last[at_tile, 3]
        if tile < BLANKED:
            total += rack.values[tile] * lines.letter_premium[line, at]
        factor *= lines.word_premium[line, at]
        walk.tiles[at] = tile
        at_tile = some.last[at_tile, 2]
    walk.total[0] = total
    walk.factor[0] = factor
    walk.crossed[0] = 0


@borrowing
def _push(
    walk: _Walk,
    depth: int,
    place: int,
    node: int,
    leave: int,
    graph: WordGraph,
    lines: Lines,
    rack: Rack,
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
def _go_on(walk: _Walk, graph: WordGraph, lines: Lines, rack: Rack, found: Found) -> None:
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
        end = place + 1
        while is_taken(lines.letters, line, end):
            node = child_of(graph, node, lines.letters[line, end])
            total += lines.worth[line, end]
            walk.tiles[end] = -lines.letters[line, end]
            end += 1
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
