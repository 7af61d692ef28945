"""Move generation: the best plays of a rack on a Scrabble board.

For each line, and each square on it where a word may begin, the search walks the word graph along the line. A tile on the board
must be the next letter. An empty square takes a tile of the rack that also makes a word across the line. This is the search of
Appel and Jacobson, "The world's fastest Scrabble program" (1988), with words built from their first letter.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel
from solver.scrabble.kernels.word_graph import WordGraph, child_of

POINT = 1_000  # thousandths of a point
BLANKED = 64  # added to the letter of a blank in `TopPlays.tiles`
_NO_CROSSING = -1
_FAR = 1 << 20

Ints = npt.NDArray[np.int64]


class Lines(NamedTuple):
    """A board by its lines: its rows, or its columns. All arrays but `ahead` have the shape (size, size): line, place.

    Attributes:
        letters: The letter of each tile on the board, from 1 on; 0 for an empty square.
        worth: The value of each tile on the board; 0 for a blank.
        letter_premium: The multiplier of the value of a new tile; `word_premium` is that of a word with a new tile there.
        allowed: On empty squares, the letters that make a word across the line: bit 1 << letter; uint64.
        crossing: On empty squares, the sum of the values of the tiles on the board in that word; -1 where no word crosses.
        ahead: The number of empty squares from a place to the next one that connects a play, inclusive, (size, size + 1).
    """

    letters: Ints
    worth: Ints
    letter_premium: Ints
    word_premium: Ints
    allowed: npt.NDArray[np.uint64]
    crossing: Ints
    ahead: Ints


class Hand(NamedTuple):
    """The rack, and the values of tiles.

    Attributes:
        counts: The number of each kind of tile, blanks at 0, letters from 1 on.
        kinds: The kinds on the rack, ascending.
        full: The number of tiles played at once that earns `bonus` points.
    """

    counts: Ints
    kinds: Ints
    values: Ints
    full: int
    bonus: int


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


class TopPlays(NamedTuple):
    """The best plays so far, unordered, in arrays of limited room.

    Attributes:
        equity: Score + worth of the leave, in thousandths of a point.
        where: Line, first place, length of the word, 1 if the lines are columns; shape (room, 4).
        tiles: The letters laid down, plus `BLANKED` for a blank; 0 for a tile on the board; int8, shape (room, size).
    """

    equity: Ints
    score: Ints
    where: Ints
    tiles: npt.NDArray[np.int8]


class _Walk(NamedTuple):
    """The state of a walk. The arrays from `child` on are indexed by depth, the number of letters so far; shape (size + 1,).

    Attributes:
        at: Line, first place, 1 if the lines are columns.
        counts: The tiles left on the rack, by kind.
        tiles: As in `TopPlays`.
        child: The next node to try; `stop` is the node after the last one.
        tried: Whether the letter of the next node has been tried as itself, so that a blank is next.
        chosen: The kind of the last tile laid down; -1 for none.
        total: The value of the word; `factor` is its multiplier.
        crossed: The score of the words across; -1 if there are none.
        new: The number of new tiles; `connected` says whether one of them connects the play.
    """

    at: Ints
    counts: Ints
    tiles: npt.NDArray[np.int8]
    child: Ints
    stop: Ints
    tried: Ints
    chosen: Ints
    total: Ints
    factor: Ints
    crossed: Ints
    new: Ints
    connected: Ints


@kernel
def fill_crossings(graph: WordGraph, lines: Lines, letters_in_all: int) -> None:
    """Fill `allowed`, `crossing` and `ahead` of a board."""
    letters, size = lines.letters, lines.letters.shape[0]
    is_empty = not letters.any()
    for line in range(size):
        for place in range(size):
            lines.allowed[line, place], lines.crossing[line, place] = 0, _NO_CROSSING
            if letters[line, place] != 0:
                continue
            top, bottom = line, line
            while top > 0 and letters[top - 1, place] != 0:
                top -= 1
            while bottom + 1 < size and letters[bottom + 1, place] != 0:
                bottom += 1
            if top == bottom:
                lines.allowed[line, place] = (np.uint64(1) << np.uint64(letters_in_all + 1)) - np.uint64(1)
                continue
            lines.crossing[line, place] = lines.worth[top:line, place].sum() + lines.worth[line + 1 : bottom + 1, place].sum()
            before = _follow(graph, 0, letters[top:line, place])
            if before >= 0:
                for child in range(graph.first[before], graph.first[before + 1]):
                    end = _follow(graph, child, letters[line + 1 : bottom + 1, place])
                    if end >= 0 and graph.ends[end]:
                        lines.allowed[line, place] |= np.uint64(1) << np.uint64(graph.letter[child])
        lines.ahead[line, size] = _FAR
        for place in range(size - 1, -1, -1):
            if letters[line, place] != 0:
                lines.ahead[line, place] = lines.ahead[line, place + 1]
            elif _connects(lines, line, place, is_empty):
                lines.ahead[line, place] = 1
            else:
                lines.ahead[line, place] = lines.ahead[line, place + 1] + 1


@kernel
def _follow(graph: WordGraph, node: int, letters: Ints) -> int:
    """Return the node reached by letters from `node`; -1 if it does not exist."""
    for letter in letters:
        if node >= 0:
            node = child_of(graph, node, letter)
    return node


@borrowing
def _connects(lines: Lines, line: int, place: int, is_empty: bool) -> bool:
    """Return whether an empty square touches a tile on the board; on an empty board, whether it is the centre."""
    size = lines.letters.shape[0]
    if is_empty:
        return line == size // 2 and place == size // 2
    touches = place > 0 and lines.letters[line, place - 1] != 0
    return touches or (place + 1 < size and lines.letters[line, place + 1] != 0) or lines.crossing[line, place] != _NO_CROSSING


@kernel
def board_plays(graph: WordGraph, lines: Lines, is_down: int, hand: Hand, leaves: LeaveWorth, top: TopPlays, count: int) -> int:
    """Add the plays along the lines of a board to the best plays; return the number of plays kept.

    A play of one tile that makes words both ways counts as a play along rows only.

    Args:
        graph: The words.
        lines: The board, after `fill_crossings`.
        is_down: 1 if the lines are columns.
        hand: The rack.
        leaves: The worth of leaves.
        top: The best plays so far, updated.
        count: The number of plays in `top`.
    """
    size, held = lines.letters.shape[0], hand.counts.sum()
    walk = _new_walk(size, hand.counts, is_down)
    for line in range(size):
        for start in range(size):
            if (start > 0 and lines.letters[line, start - 1] != 0) or lines.ahead[line, start] > held:
                continue
            walk.at[0], walk.at[1] = line, start
            _begin(walk, 0, graph, 0)
            depth = 0
            while depth >= 0:
                node = _next(walk, depth, graph, lines, hand.values)
                if node < 0:
                    depth -= 1
                    continue
                length, place = depth + 1, start + depth + 1
                is_closed = place == size or lines.letters[line, place] == 0
                # a play of one tile that makes words both ways occurs along rows, too
                is_met = is_down == 1 and walk.new[length] == 1 and walk.crossed[length] != _NO_CROSSING
                if is_closed and graph.ends[node] and walk.connected[length] and length > 1 and not is_met:
                    count = _keep(walk, length, hand, leaves, top, count)
                left = held - walk.new[length]
                can_follow = place < size and (left > 0 or not is_closed)
                if can_follow and (walk.connected[length] or lines.ahead[line, place] <= left):
                    depth = length
                    _begin(walk, depth, graph, node)
    return count


@kernel
def _new_walk(size: int, counts: Ints, is_down: int) -> _Walk:
    return _Walk(
        np.array([0, 0, is_down]),
        counts.copy(),
        np.zeros(size + 1, np.int8),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
    )


@borrowing
def _begin(walk: _Walk, depth: int, graph: WordGraph, node: int) -> None:
    """Start trying the children of a node; at depth 0 also reset the totals."""
    walk.child[depth], walk.stop[depth] = graph.first[node], graph.first[node + 1]
    walk.tried[depth], walk.chosen[depth] = 0, -1
    if depth == 0:
        walk.total[0], walk.factor[0], walk.crossed[0], walk.new[0], walk.connected[0] = 0, 1, _NO_CROSSING, 0, 0


@borrowing
def _next(walk: _Walk, depth: int, graph: WordGraph, lines: Lines, values: Ints) -> int:
    """Take back the last tile laid down and lay down the next one; return its node, -1 if none is left to try."""
    if walk.chosen[depth] >= 0:
        walk.counts[walk.chosen[depth]] += 1
        walk.chosen[depth] = -1
    line, place = walk.at[0], walk.at[1] + depth
    if lines.letters[line, place] != 0:
        return _next_lying(walk, depth, graph, lines)
    while walk.child[depth] < walk.stop[depth]:
        node = walk.child[depth]
        letter, kind = np.int64(graph.letter[node]), -1
        if lines.allowed[line, place] >> np.uint64(letter) & np.uint64(1) == 0:
            walk.child[depth] += 1
        elif walk.tried[depth] == 0:
            walk.tried[depth] = 1
            kind = letter if walk.counts[letter] > 0 else -1
        else:
            walk.tried[depth] = 0
            walk.child[depth] += 1
            kind = 0 if walk.counts[0] > 0 else -1
        if kind >= 0:
            walk.counts[kind] -= 1
            walk.chosen[depth] = kind
            walk.tiles[depth] = letter + (BLANKED if kind == 0 else 0)
            gain, factor = values[kind] * lines.letter_premium[line, place], lines.word_premium[line, place]
            walk.total[depth + 1] = walk.total[depth] + gain
            walk.factor[depth + 1] = walk.factor[depth] * factor
            walk.crossed[depth + 1] = walk.crossed[depth]
            if lines.crossing[line, place] != _NO_CROSSING:
                walk.crossed[depth + 1] = max(walk.crossed[depth], 0) + (lines.crossing[line, place] + gain) * factor
            walk.new[depth + 1] = walk.new[depth] + 1
            walk.connected[depth + 1] = walk.connected[depth] | np.int64(lines.ahead[line, place] == 1)
            return node
    return -1


@borrowing
def _next_lying(walk: _Walk, depth: int, graph: WordGraph, lines: Lines) -> int:
    """Step over a tile on the board once; return its node, -1 if no word continues so or the step was made already."""
    if walk.child[depth] == walk.stop[depth]:
        return -1
    line, place = walk.at[0], walk.at[1] + depth
    letter, node = lines.letters[line, place], -1
    for child in range(walk.child[depth], walk.stop[depth]):
        if graph.letter[child] == letter:
            node = child
    walk.child[depth] = walk.stop[depth]
    walk.tiles[depth] = 0
    walk.total[depth + 1] = walk.total[depth] + lines.worth[line, place]
    walk.factor[depth + 1], walk.crossed[depth + 1] = walk.factor[depth], walk.crossed[depth]
    walk.new[depth + 1], walk.connected[depth + 1] = walk.new[depth], walk.connected[depth]
    return node


@borrowing
def leave_worth(counts: Ints, kinds: Ints, leaves: LeaveWorth) -> int:
    """Return the worth of a leave in thousandths of a point, from counts by kind and the kinds that may be held, ascending."""
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


@borrowing
def _keep(walk: _Walk, length: int, hand: Hand, leaves: LeaveWorth, top: TopPlays, count: int) -> int:
    """Keep a play if there is room or it beats the worst one kept; return the number of plays kept."""
    score = walk.total[length] * walk.factor[length] + max(walk.crossed[length], 0)
    if walk.new[length] == hand.full:
        score += hand.bonus
    equity = POINT * score + leave_worth(walk.counts, hand.kinds, leaves)
    at = count
    if count == len(top.equity):
        at = np.int64(top.equity.argmin())
        if top.equity[at] >= equity:
            return count
    top.equity[at], top.score[at] = equity, score
    top.where[at, 0], top.where[at, 1], top.where[at, 2], top.where[at, 3] = walk.at[0], walk.at[1], length, walk.at[2]
    for place in range(top.tiles.shape[1]):
        top.tiles[at, place] = walk.tiles[place] if place < length else 0
    return min(count + 1, len(top.equity))
