"""The plays of a sweep: all multisets of tiles that form a word, as a tree, and the branches of it that gain enough.

A play turns a rack into a leave. The completion bound of the leave is

    score before + points of the play + worth of the leave + value of the rest of the game,

and the worth is a sum over tiles. So the bound is score + worth of the whole rack + gain of the play, where the gain is the
points of the play - the worth of its tiles + the value of the rest of the game. It is the same for all racks of a layer with
the same number of left draws, and is computed once for each play. Then a rack descends only the branches that gain enough.

Among equal tiles a leave holds the cheapest. So the tiles that a play takes away are worth at least as much as they are here,
where they count as the cheapest: no gain is too low, and some gains of plays with equal tiles are a little too high.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.states import MOST_TILES, Numbers, Packing, bound_of, joined, packed, score_of, tiles_of
from verify.bound.values import NONE
from verify.bound.words import BLANK_KIND, KINDS, POINT, Ints, WordArrays

Small = npt.NDArray[np.int32]


class PlayTree(NamedTuple):
    """All plays as a tree: a node has the tiles of its parent and one more, which does not exceed the last of them.

    The nodes are in depth-first order, so that the descendants of a node directly follow it. The root has no tiles.

    Attributes:
        tile: The last tile of each node, see `verify.bound.states`.
        depth: The number of its tiles.
        beyond: The first node after its subtree.
        score: The best score of its tiles as a play, in points; -1 where they form no word.
        most: The best score in its subtree.
    """

    tile: npt.NDArray[np.int8]
    depth: npt.NDArray[np.int8]
    beyond: Small
    score: Small
    most: Small


class GainTree(NamedTuple):
    """The plays that gain enough, as a part of the tree of all plays; gains are in thousandths of a point.

    Attributes:
        tile: The last tile of each node.
        depth: The number of its tiles.
        beyond: The first node after its subtree.
        score: The score of its tiles as a play, in points.
        gain: The gain of its tiles as a play, -NONE where they are no play.
        most: The highest gain in its subtree.
    """

    tile: npt.NDArray[np.int8]
    depth: npt.NDArray[np.int8]
    beyond: Small
    score: Small
    gain: Ints
    most: Ints


def play_tree(words: WordArrays, digits: Ints, blanks: int, packing: Packing) -> PlayTree:
    """Return the tree of all plays of the words, with up to `blanks` blanks.

    Args:
        words: All words.
        digits: The digit of each kind of tile; 0 for kinds that the row lacks.
        blanks: The most blanks that a rack can have.
        packing: How plays are packed.
    """
    parts = []
    for length in range(1, len(words.starts) - 1):
        letters = np.ascontiguousarray(words.letters[words.starts[length] : words.starts[length + 1], :length])
        parts.append(joined([_lay_down(letters, words.values // POINT, digits, blanks, packing)], packing))
    plays = joined(parts, packing)
    room = 1 + int(sum(length * len(part) for length, part in enumerate(parts, start=1)))
    tree = PlayTree(
        np.zeros(room, dtype=np.int8),
        np.zeros(room, dtype=np.int8),
        np.zeros(room, dtype=np.int32),
        np.full(room, -1, dtype=np.int32),
        np.full(room, -1, dtype=np.int32),
    )
    nodes = _grow(plays, packing, tree)
    return PlayTree(*[part[:nodes].copy() for part in tree])  # type: ignore[arg-type]


@compiled
def _lay_down(letters: npt.NDArray[np.int8], values: Ints, digits: Ints, blanks: int, packing: Packing) -> Numbers:
    """Return every word of one length with blanks at any places: its tiles, left-aligned, and its score."""
    count, length = letters.shape
    plays, written = np.empty(1024, np.uint64), 0
    order, bits = np.zeros(length, np.int64), np.uint64(packing.bits)
    unused = np.uint64(packing.bits * (packing.rack - length) + packing.score)
    for word in range(count):
        for place in range(length):
            at = place  # the places of a word, by descending digit
            while at > 0 and digits[letters[word, order[at - 1]]] < digits[letters[word, place]]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
        lacking = 0  # bit mask of the places whose letter the row lacks
        for place in range(length):
            lacking |= (digits[letters[word, place]] == 0) << place
        for blanked in range(1 << length):  # bit mask of the places with a blank
            number, score, used = np.uint64(0), 0, 0
            rest = blanked
            while rest:
                number = number << bits | np.uint64(digits[BLANK_KIND])
                used += 1
                rest &= rest - 1
            if used > blanks or lacking & ~blanked:
                continue
            for at in range(length):
                place = int(order[at])
                if not blanked >> place & 1:
                    kind = letters[word, place]
                    number = number << bits | np.uint64(digits[kind])
                    score += (place + 1) * int(values[kind])
            if written == len(plays):
                plays = np.concatenate((plays, np.empty_like(plays)))
            plays[written] = number << unused | np.uint64(score)
            written += 1
    return plays[:written]


@compiled
def _grow(plays: Numbers, packing: Packing, tree: PlayTree) -> int:
    """Fill a tree with ascending plays; return the number of its nodes."""
    tile, depth, beyond, score, most = tree
    path, above = np.zeros(MOST_TILES + 1, np.int64), np.zeros(MOST_TILES + 1, np.int64)
    open_to, nodes = 0, 1  # `path` holds the root, and the ancestors of the next play down to this depth
    digit = (np.uint64(1) << np.uint64(packing.bits)) - np.uint64(1)
    for play in plays:
        same, is_same = 0, True
        for place in range(packing.rack):
            this = np.int64(play >> np.uint64(packing.score + packing.bits * (packing.rack - 1 - place)) & digit)
            is_same &= place < open_to and this == above[place]
            if is_same:
                same += 1
                continue
            if place == same:
                for closed in range(same + 1, open_to + 1):
                    beyond[path[closed]] = nodes
                open_to = same
            if this == 0:
                break
            tile[nodes], depth[nodes] = this, place + 1
            path[place + 1], above[place] = nodes, this
            nodes += 1
            open_to = place + 1
        points = score_of(play, packing)
        score[path[open_to]] = max(score[path[open_to]], points)
        for place in range(open_to + 1):
            most[path[place]] = max(most[path[place]], points)
    for place in range(open_to + 1):
        beyond[path[place]] = nodes
    return nodes


@compiled
def gain_tree(tree: PlayTree, shortest: int, longest: int, worth: Ints, come: Ints, floor: int) -> GainTree:
    """Return the tree of the plays of some lengths that gain at least `floor`.

    Args:
        tree: All plays.
        shortest: The shortest play.
        longest: The longest play.
        worth: The worth of tiles in a leave after all these plays, see `verify.bound.foci.completion`.
        come: By length, the rest of the completion bound after the play.
        floor: In thousandths of a point.
    """
    room = len(tree.tile)
    node, beyond = np.empty(room, np.int32), np.empty(room, np.int32)
    gain, most = np.empty(room, np.int64), np.empty(room, np.int64)
    path, cost = np.zeros(MOST_TILES + 2, np.int64), np.zeros(MOST_TILES + 2, np.int64)
    copies = np.zeros(MOST_TILES + 2, np.int64)
    highest = come[shortest : longest + 1].max()
    count, deepest, at = 0, -1, 0
    while True:
        # the nodes of the path that are not ancestors of the next node are finished
        deep = int(tree.depth[at]) if at < room else 0
        while deepest >= max(deep, 1):
            done = path[deepest]
            if most[done] < floor:
                count = done  # prune the node with its subtree
            else:
                beyond[done] = count
                most[path[deepest - 1]] = max(most[path[deepest - 1]], most[done])
            deepest -= 1
        if at >= room:
            break
        if deep > 0:
            tile = tree.tile[at]
            again = deep > 1 and tree.tile[node[path[deep - 1]]] == tile
            copies[deep] = copies[deep - 1] + 1 if again else 1
            cost[deep] = cost[deep - 1] + worth[tile, copies[deep]] - worth[tile, copies[deep] - 1]
            if deep > longest or worth[tile, copies[deep]] >= NONE or POINT * tree.most[at] - cost[deep] + highest < floor:
                at = int(tree.beyond[at])
                continue
        is_play = tree.score[at] >= 0 and deep >= shortest
        gain[count] = POINT * np.int64(tree.score[at]) - cost[deep] + come[deep] if is_play else -NONE
        most[count], node[count] = gain[count], at
        path[deep] = count
        deepest, count, at = deep, count + 1, at + 1
    beyond[0], node = count, node[:count]
    return GainTree(
        tree.tile[node], tree.depth[node], beyond[:count].copy(), tree.score[node], gain[:count].copy(), most[:count].copy()
    )


@compiled
def play_all(
    racks: Numbers, first: int, packing: Packing, plays: GainTree, worth: Ints, least: int, out: Numbers
) -> tuple[int, Ints]:
    """Play the racks from index `first` on; write the states whose completion bound is at least `least`.

    Args:
        racks: Racks with the same number of tiles and of left draws.
        first: The index of the first rack to play.
        packing: How racks and states are packed.
        plays: The plays that gain enough.
        worth: The worth of tiles in a leave after these plays.
        least: The lowest completion bound of interest, in thousandths of a point.
        out: Output, by length of the play, shape (rack + 1, room).

    Returns:
        The index of the first rack not played because `out` is full, or the number of racks; and the number of states written,
        by length of the play.
    """
    tile, depth, beyond, points, gain, most = plays
    count = np.zeros(len(out), np.int64)
    full = out.shape[1] - (1 << packing.rack)
    tiles, leave, path = (
        np.zeros(MOST_TILES + 1, np.int64),
        np.zeros(MOST_TILES + 1, np.int64),
        np.zeros(MOST_TILES + 1, np.int64),
    )
    kept = np.zeros(KINDS + 1, np.int64)
    for rack in range(first, len(racks)):
        if count.max() > full:
            return rack, count
        needed = least - bound_of(racks[rack], packing, worth, tiles)
        size, score = tiles_of(racks[rack], packing, tiles), score_of(racks[rack], packing)
        kept[:] = 0
        for i in range(size):
            kept[tiles[i]] += 1
        at, deep = 1, 0
        while at < len(tile):
            # put back the tiles of the nodes that are not ancestors of this one
            while deep >= depth[at]:
                kept[path[deep]] += 1
                deep -= 1
            if kept[tile[at]] == 0 or most[at] < needed:
                at = int(beyond[at])
                continue
            deep = int(depth[at])
            path[deep] = tile[at]
            kept[tile[at]] -= 1
            if gain[at] >= needed:
                left_over = 0
                for i in range(size):
                    if i == 0 or tiles[i] != tiles[i - 1]:
                        for _copy in range(kept[tiles[i]]):
                            leave[left_over] = tiles[i]
                            left_over += 1
                out[deep, count[deep]] = packed(leave, left_over, score + points[at], packing)
                count[deep] += 1
            at += 1
    return len(racks), count
