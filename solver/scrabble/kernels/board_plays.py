"""All legal plays of a rack on a Scrabble board.

Words are built around anchors, as by Appel and Jacobson, "The world's fastest Scrabble program" (1988). The tiles before an
anchor lie on squares without neighbours, so these beginnings of words are the same for all anchors and found once. At an anchor
a letter follows that also makes a word across, and from there the walk through the word graph goes on along the line.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit
from solver.scrabble.kernels.anchors import anchors_of, bounding_of, ends_of
from solver.scrabble.kernels.board_lines import NO_CROSSING, Ints, Lines, fill_crossings
from solver.scrabble.kernels.rack_leaves import BLANKED, POINT, Beginnings, Bits, Rack, no_beginnings, with_longer
from solver.scrabble.kernels.word_graph import WORD, WordGraph, child_of, next_node

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
    walk, some, longest = _new_walk(rows.letters.shape[0], len(rack.descending)), no_beginnings(graph, rack), 0
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
                if _start_behind_tiles(walk, graph, lines, place, rack):
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
def _start_behind_tiles(walk: _Walk, graph: WordGraph, lines: Lines, place: int, rack: Rack) -> bool:
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
    walk: _Walk, graph: WordGraph, lines: Lines, place: int, before: int, some: Beginnings, one: int, rack: Rack
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
def _push(walk: _Walk, depth: int, place: int, node: int, leave: int, graph: WordGraph, lines: Lines, rack: Rack) -> bool:
    """Let the walk try a tile on a square next; return whether a play can come of it."""
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
        gain, factor = rack.values[kind] * lines.letter_premium[line, place], lines.word_premium[line, place]
        total, crossed = walk.total[depth] + gain, walk.crossed[depth]
        is_crossed = lines.crossing[line, place] != NO_CROSSING
        if is_crossed:
            crossed += (lines.crossing[line, place] + gain) * factor
        factor *= walk.factor[depth]
        node, leave, end = next_node(graph, walk.node[depth], letter), walk.leave[depth] - rack.step[kind], place + 1
        while end < size and lines.letters[line, end] != 0 and node >= 0:
            node = child_of(graph, node, lines.letters[line, end])
            total += lines.worth[line, end]
            walk.tiles[end] = -lines.letters[line, end]
            end += 1
        if node < 0:
            continue
        if end < size and _push(walk, depth + 1, end, node, leave, graph, lines, rack):
            walk.total[depth + 1], walk.factor[depth + 1], walk.crossed[depth + 1] = total, factor, crossed
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
    found.keys[:count], found.score[:count], found.tiles[:count] = found.keys[order], found.score[order], found.tiles[order]
    found.state[0] = count
    if count == found.most:
        found.state[1] = found.keys[count - 1]
