"""All legal plays of a rack on a Scrabble board.

Words are built around anchors, as by Appel and Jacobson, "The world's fastest Scrabble program" (1988). The tiles before an
anchor lie on squares without neighbours, so these beginnings of words are the same for all anchors and found once. At an
anchor a letter follows that also makes a word across, and from there the walk through the word graph goes on along the line.

Each play covers an anchor, a square that touches a tile on the board; it belongs to the first that it covers. What the plays
at an anchor are worth at most is the bound of the program Maven: the tiles of the rack are placed on the squares of a play
without regard to words, the best tiles on the best squares, and the best leave of that number of tiles is kept, see Sheppard,
"World-championship-caliber Scrabble" (2002).

A leave is a number: the sum over the tiles of the step of their kind. So a walk that lays down a tile subtracts its step, and
everything about the tiles that remain is in a table.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit
from solver.scrabble.kernels.board_lines import (
    NO_CROSSING,
    WORD,
    Ints,
    Lines,
    WordGraph,
    child_of,
    fill_crossings,
    next_node,
)

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
    step, kept, every = (
        np.zeros_like(counts),
        np.zeros_like(counts),
        (np.uint64(1) << np.uint64(len(counts))) - np.uint64(2),
    )
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
    larger.node[:count], larger.leave[:count], larger.usable[:count] = (
        some.node,
        some.leave,
        some.usable,
    )
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
            count = _append(
                some, count, graph, rack, node, leave - rack.step[letter], before, letter
            )
        if held & np.uint64(1) != 0:
            count = _append(
                some, count, graph, rack, node, leave - rack.step[0], before, letter + BLANKED
            )
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
    usable = graph.letters[node] & rack.usable[leave] & ~np.uint64(WORD)
    if usable == 0:
        return count
    some.node[count], some.leave[count], some.usable[count] = node, leave, usable
    some.before[count], some.tile[count] = before, tile
    return count + 1


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
    return Bounding(
        best_leave, np.zeros(held, np.int64), np.zeros(held, np.int64), np.zeros(held, np.int64)
    )


@kernel
def anchors_of(rows: Lines, columns: Lines, rack: Rack, bounding: Bounding) -> Anchors:
    """Return the anchors of a board after `fill_crossings`, those with the highest bounds first."""
    size, held = rows.letters.shape[0], len(rack.descending)
    all_where, bounds, count = (
        np.zeros((2 * size * size, 4), np.int64),
        np.full((2 * size * size, held), IMPOSSIBLE),
        0,
    )
    for lines in (rows, columns):
        for line in range(size):
            free = 0
            for place in range(size):
                if lines.anchor[line, place]:
                    where, free = all_where[count], min(free, held - 1)
                    where[0], where[1], where[2], where[3] = lines.is_down, line, place, free
                    for before in range(free + 1):
                        bounds[count, before], _ends = ends_of(
                            lines, line, place, before, rack, bounding, 0
                        )
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
            score = (
                through * word_factor
                + crossed
                + _best_sum(rack.descending, bounding, word_factor, new)
            )
            equity = (
                POINT * (score + (rack.bonus if new == rack.full else 0))
                + bounding.best_leave[held - new]
            )
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


PLACE_BITS = 11  # of a key: 1 for the direction, 5 for the line, 5 for the first place
_NO_CUT = 1 << 62


class Found(NamedTuple):
    """The best plays so far, in arrays of limited room.

    Attributes:
        keys: -equity << `PLACE_BITS`, and the place below; plays are sorted by it, those with equal keys by their tiles.
        score: The score in points.
        tiles: The letters laid down, plus `BLANKED` for a blank; below 0 the letters of tiles on the board; int8, shape
            (room, size), padded with zeros.
        state: The number of plays, and the key from which on plays are too bad to keep.
        most: The number of plays to keep in the end.
    """

    keys: Ints
    score: Ints
    tiles: npt.NDArray[np.int8]
    state: Ints
    most: int


class _Walk(NamedTuple):
    """The state of a walk. All arrays but the first three are indexed by depth, the number of tiles from the anchor on.

    Attributes:
        at: Line, first place, depth.
        ends: The places after which a play may end, bit 1 << place; shape (1,).
        tiles: The tiles on the line, as in `Found`, by place.
        place: The square of the next tile.
        node: The node in the word graph before it.
        leave: The leave before it.
        plain: The letters still to try as tiles, `blank` those to try as blanks.
        total: The value of the word so far; `factor` is its multiplier.
        crossed: The score of the words across.
    """

    at: Ints
    ends: Bits
    tiles: npt.NDArray[np.int8]
    place: Ints
    node: Ints
    leave: Ints
    plain: Bits
    blank: Bits
    total: Ints
    factor: Ints
    crossed: Ints


@kernel
def board_plays(graph: WordGraph, rows: Lines, columns: Lines, rack: Rack, found: Found) -> int:
    """Find the best plays, and sort them; return their number.

    A play of one tile that makes words both ways counts as a play along rows only.

    Args:
        graph: The words.
        rows: The board, before `fill_crossings`.
        columns: The same by columns.
        rack: The rack.
        found: The plays.
    """
    fill_crossings(graph, rows, len(rack.values) - 1)
    fill_crossings(graph, columns, len(rack.values) - 1)
    bounding = bounding_of(rack)
    anchors = anchors_of(rows, columns, rack, bounding)
    walk, some, longest = (
        _new_walk(rows.letters.shape[0], len(rack.descending)),
        no_beginnings(graph, rack),
        0,
    )
    found.state[0], found.state[1] = 0, _NO_CUT
    for number in range(len(anchors.where)):
        if anchors.bounds[number].max() < -(found.state[1] >> PLACE_BITS):
            break
        is_down, line, place, free = anchors.where[number]
        lines = rows if is_down == 0 else columns
        for before in range(free + 1):
            cut = -(found.state[1] >> PLACE_BITS)
            if anchors.bounds[number, before] < cut:
                continue
            walk.at[0], walk.at[1] = line, place - before
            _bound, walk.ends[0] = ends_of(lines, line, place, before, rack, bounding, cut)
            if place > 0 and lines.letters[line, place - 1] != 0:
                if _start_after_tiles(walk, graph, lines, place, rack):
                    while _is_filled(walk, graph, lines, rack, found):
                        _narrow(found)
                continue
            while longest < before:
                longest += 1
                some = with_longer(graph, rack, some, longest)
            for beginning in range(some.begin[before], some.begin[before + 1]):
                if some.usable[beginning] & lines.allowed[line, place] == 0:
                    continue
                if _start(walk, graph, lines, place, before, some, beginning, rack):
                    while _is_filled(walk, graph, lines, rack, found):
                        _narrow(found)
    _narrow(found)
    return found.state[0]


@kernel
def _new_walk(size: int, tiles: int) -> _Walk:
    return _Walk(
        np.zeros(3, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(size, np.int8),
        np.zeros(tiles + 1, np.int64),
        np.zeros(tiles + 1, np.int64),
        np.zeros(tiles + 1, np.int64),
        np.zeros(tiles + 1, np.uint64),
        np.zeros(tiles + 1, np.uint64),
        np.zeros(tiles + 1, np.int64),
        np.zeros(tiles + 1, np.int64),
        np.zeros(tiles + 1, np.int64),
    )


@borrowing
def _start_after_tiles(walk: _Walk, graph: WordGraph, lines: Lines, place: int, rack: Rack) -> bool:
    """Start a walk at an anchor that follows tiles on the board; return whether it can go on."""
    line, first, node, total = walk.at[0], place, 0, 0
    while first > 0 and lines.letters[line, first - 1] != 0:
        first -= 1
    for at in range(first, place):
        node = child_of(graph, node, lines.letters[line, at]) if node >= 0 else -1
        total += lines.worth[line, at]
        walk.tiles[at] = -lines.letters[line, at]
    walk.at[1], walk.total[0], walk.factor[0], walk.crossed[0] = first, total, 1, 0
    return node >= 0 and _push(walk, 0, place, node, len(rack.worth) - 1, graph, lines, rack)


@borrowing
def _start(
    walk: _Walk,
    graph: WordGraph,
    lines: Lines,
    place: int,
    before: int,
    some: Beginnings,
    one: int,
    rack: Rack,
) -> bool:
    """Start a walk at an anchor, after the tiles of one of the beginnings; return whether it can go on."""
    line = walk.at[0]
    if not _push(walk, 0, place, some.node[one], some.leave[one], graph, lines, rack):
        return False
    total, factor = 0, 1
    for at in range(place - 1, place - before - 1, -1):
        tile = np.int64(some.tile[one])
        total += (rack.values[tile] if tile < BLANKED else 0) * lines.letter_premium[line, at]
        factor *= lines.word_premium[line, at]
        walk.tiles[at] = tile
        one = np.int64(some.before[one])
    walk.total[0], walk.factor[0], walk.crossed[0] = total, factor, 0
    return True


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
) -> bool:
    """Let the walk try a tile on a square next; return whether a play can result."""
    letters = graph.letters[node] & rack.usable[leave] & lines.allowed[walk.at[0], place]
    longer = np.uint64(graph.lengths[node] & ~np.uint32(WORD))
    if letters == 0 or (longer << np.uint64(place)) & walk.ends[0] == 0:
        return False
    walk.at[2], walk.place[depth], walk.node[depth], walk.leave[depth] = depth, place, node, leave
    walk.plain[depth] = letters & rack.held[leave]
    walk.blank[depth] = letters if rack.held[leave] & np.uint64(1) != 0 else np.uint64(0)
    return True


@borrowing
def _is_filled(walk: _Walk, graph: WordGraph, lines: Lines, rack: Rack, found: Found) -> bool:
    """Go on with a walk. Return true as soon as `found` is full, false at the end of the walk."""
    size, line = lines.letters.shape[0], walk.at[0]
    while walk.at[2] >= 0:
        depth = walk.at[2]
        rest = walk.plain[depth] | walk.blank[depth]
        if rest == 0:
            walk.at[2] -= 1
            continue
        letter, kind = np.int64(lowest_bit(rest)), np.int64(0)
        bit = np.uint64(1) << np.uint64(letter)
        if walk.plain[depth] & bit != 0:
            walk.plain[depth] ^= bit
            kind = letter
        else:
            walk.blank[depth] ^= bit
        place = walk.place[depth]
        walk.tiles[place] = letter + (BLANKED if kind == 0 else 0)
        gain, factor = (
            rack.values[kind] * lines.letter_premium[line, place],
            lines.word_premium[line, place],
        )
        total, crossed = walk.total[depth] + gain, walk.crossed[depth]
        is_crossed = lines.crossing[line, place] != NO_CROSSING
        if is_crossed:
            crossed += (lines.crossing[line, place] + gain) * factor
        factor *= walk.factor[depth]
        node, leave, end = (
            next_node(graph, walk.node[depth], letter),
            walk.leave[depth] - rack.step[kind],
            place + 1,
        )
        while end < size and lines.letters[line, end] != 0 and node >= 0:
            node = child_of(graph, node, lines.letters[line, end])
            total += lines.worth[line, end]
            walk.tiles[end] = -lines.letters[line, end]
            end += 1
        if node < 0:
            continue
        if end < size and _push(walk, depth + 1, end, node, leave, graph, lines, rack):
            walk.total[depth + 1], walk.factor[depth + 1], walk.crossed[depth + 1] = (
                total,
                factor,
                crossed,
            )
        if graph.letters[node] & walk.ends[0] >> np.uint64(end) & np.uint64(WORD) != 0:
            new = len(rack.descending) - rack.size[leave]
            # a play of one tile that makes words both ways occurs along rows, too
            is_met = lines.is_down == 1 and new == 1 and is_crossed
            score = total * factor + crossed + (rack.bonus if new == rack.full else 0)
            if not is_met and _keep(walk, end, lines.is_down, score, rack.worth[leave], found):
                return True
    return False


@borrowing
def _keep(walk: _Walk, end: int, is_down: int, score: int, worth: int, found: Found) -> bool:
    """Keep a play unless it is too bad; return whether no room is left."""
    line, start = walk.at[0], walk.at[1]
    key = (-(POINT * score + worth) << PLACE_BITS) | is_down << 10 | line << 5 | start
    if key >= found.state[1]:
        return False
    at = found.state[0]
    found.keys[at], found.score[at] = key, score
    for place in range(found.tiles.shape[1]):
        found.tiles[at, place] = walk.tiles[start + place] if start + place < end else 0
    found.state[0] = at + 1
    return at + 1 == len(found.keys)


@kernel
def _narrow(found: Found) -> None:
    """Sort the plays and keep only the best ones; those found first stay first among those with equal keys."""
    order = np.argsort(found.keys[: found.state[0]], kind="mergesort")[: found.most]
    count = len(order)
    found.keys[:count], found.score[:count], found.tiles[:count] = (
        found.keys[order],
        found.score[order],
        found.tiles[order],
    )
    found.state[0] = count
    if count == found.most:
        found.state[1] = found.keys[count - 1]
