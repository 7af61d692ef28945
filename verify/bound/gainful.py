"""A tree of the plays whose gain after a draw is high enough.

A play turns a rack into a leave. The completion bound of the leave is

    score before + points of the play + worth of the leave + value of the rest of the game,

and the worth is a sum over tiles. So the bound is score + worth of the whole rack + gain of the play. The gain is the points of
the play - the worth of its tiles + the value of the rest of the game. It is the same for all racks of a layer with the same
number of left draws, and is computed once for each play. Then a rack descends only those branches of the tree that hold a play
with a sufficient gain.

Among equal tiles a leave holds the cheapest. So the tiles that a play takes away are worth at least as much as they are here,
where they count as the cheapest: no gain is too low, and some gains of plays with equal tiles are a little too high.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, Numbers, score_of, spelled_tiles
from verify.bound.play_tree import PlayTree
from verify.bound.relaxed_game import POINT
from verify.bound.turn import NONE
from verify.bound.word_arrays import KINDS, Ints

Small = npt.NDArray[np.int32]


class PlayPrices(NamedTuple):
    """The parts of the bounds of leaves, in thousandths of a point, by the length of the play before them.

    Attributes:
        shortest: The shortest play covered.
        longest: The longest play covered.
        worth: By length, tile as kind + 1, and number of such tiles: their worth in a leave, by the prices for the layer of the
            racks; NONE or more where fewer exist.
        come: By length, the value of the rest of the game after the play.
        worth_then: As `worth`, by the prices for the layers to which the plays lead.
        come_then: As `come`, by those prices.
    """

    shortest: int
    longest: int
    worth: Ints
    come: Ints
    worth_then: Ints
    come_then: Ints


class GainTree(NamedTuple):
    """Plays by their gains in thousandths of a point. The root has no tiles; the children of a node are contiguous.

    Attributes:
        tiles: A bit for each tile, as kind + 1, that leads to a child.
        first: The first child; children are in ascending order of their tiles.
        most: The highest gain in the subtree.
        gain: The gain of these tiles as a play, -NONE where they are no play.
        gain_then: The same gain by the prices for the layer to which the play leads.
        score: The score of the play, in points.
    """

    tiles: npt.NDArray[np.uint32]
    first: Small
    most: Ints
    gain: Ints
    gain_then: Ints
    score: Small


def whole_tree(tree: PlayTree) -> GainTree:
    """Return the tree of all plays, whose gains are all NONE or more: it depends on no prices and rules out no play."""
    worth, come = np.zeros((MOST_TILES + 1, KINDS, MOST_TILES + 1), np.int64), np.full(MOST_TILES + 1, NONE, np.int64)
    return gain_tree(tree, PlayPrices(1, MOST_TILES, worth, come, worth, come), 0)


@compiled
def gain_tree(tree: PlayTree, prices: PlayPrices, floor: int) -> GainTree:
    """Return the tree of the plays of the lengths of `prices` that gain at least `floor`.

    By the prices for the layer of the racks, a tile must be worth the same after plays of all these lengths.
    """
    shortest, longest, worth = prices.shortest, prices.longest, prices.worth[prices.shortest]
    room = len(tree.tile)
    node, above = np.empty(room, np.int32), np.empty(room, np.int32)
    gain, most = np.empty(room, np.int64), np.empty(room, np.int64)
    path, cost = np.zeros(MOST_TILES + 1, np.int64), np.zeros(MOST_TILES + 1, np.int64)
    copies = np.zeros(MOST_TILES + 1, np.int64)
    count, deepest, at = 0, -1, 0
    while True:
        # the nodes of the path that are not ancestors of the next node are finished
        deep = int(tree.depth[at]) if at < room else 0
        while deepest >= max(deep, 1):
            done = path[deepest]
            if most[done] < floor:
                count = done  # prune the node with its subtree
            else:
                most[above[done]] = max(most[above[done]], most[done])
            deepest -= 1
        if at >= room:
            break
        if deep > 0:
            tile = tree.tile[at]
            again = deep > 1 and tree.tile[node[path[deep - 1]]] == tile
            copies[deep] = copies[deep - 1] + 1 if again else 1
            if deep > longest or worth[tile, copies[deep]] >= NONE:
                at = tree.beyond[at]
                continue
            cost[deep] = cost[deep - 1] + worth[tile, copies[deep]] - worth[tile, copies[deep] - 1]
        node[count], above[count] = at, path[deep - 1] if deep > 0 else -1
        playable = tree.score[at] >= 0 and deep >= shortest
        gain[count] = POINT * np.int64(tree.score[at]) - cost[deep] + prices.come[deep] if playable else -NONE
        most[count] = gain[count]
        path[deep] = count
        deepest, count, at = deep, count + 1, at + 1
    return _side_by_side(tree, prices, node[:count], above[:count], gain[:count], most[:count])


@compiled
def _side_by_side(tree: PlayTree, prices: PlayPrices, node: Small, above: Small, gain: Ints, most: Ints) -> GainTree:
    """Reorder depth-first nodes, so that the children of a node are contiguous."""
    count = len(node)
    made = GainTree(
        np.zeros(count, np.uint32),
        np.zeros(count, np.int32),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.full(count, -NONE, np.int64),
        np.empty(count, np.int32),
    )
    below = np.zeros(count, np.int32)
    for i in range(1, count):
        below[above[i]] += 1
    place, end = np.zeros(count, np.int32), 1
    path = np.zeros(MOST_TILES + 1, np.int64)
    for i in range(count):
        depth = int(tree.depth[node[i]])
        path[depth] = tree.tile[node[i]]
        if i > 0:
            up = place[above[i]]
            # `below` of the parent now counts its children that have been placed
            place[i] = made.first[up] + below[above[i]]
            below[above[i]] += 1
            made.tiles[up] |= np.uint32(1) << np.uint32(tree.tile[node[i]])
        at = place[i]
        made.first[at], made.most[at], made.gain[at], made.score[at] = end, most[i], gain[i], tree.score[node[i]]
        if gain[i] > -NONE:
            points = POINT * np.int64(tree.score[node[i]])
            made.gain_then[at] = points + prices.come_then[depth] - _cost(path, depth, prices.worth_then)
        end += below[i]
        below[i] = 0
    return made


@compiled
def _cost(path: Ints, depth: int, worth: Ints) -> np.int64:
    """Return the worth in leaves of the tiles of a play, which `path` holds by depth."""
    total, copies = np.int64(0), 0
    for place in range(1, depth + 1):
        copies = copies + 1 if path[place] == path[place - 1] else 1
        total += worth[depth, path[place], copies] - worth[depth, path[place], copies - 1]
    return total


@compiled
def highest_worth(racks: Numbers, spelled: Numbers, worth: Ints) -> int:
    """Return the highest score + worth of a rack, in thousandths of a point; `spelled` holds the tiles of the racks."""
    tiles = np.zeros(MOST_TILES, np.int64)
    highest = -NONE
    for rack in range(len(racks)):
        size = spelled_tiles(spelled[rack], tiles)
        total, copies = POINT * score_of(racks[rack]), 0
        for place in range(size):
            copies = copies + 1 if place > 0 and tiles[place] == tiles[place - 1] else 1
            total += worth[tiles[place], copies] - worth[tiles[place], copies - 1]
        highest = max(highest, total)
    return highest
