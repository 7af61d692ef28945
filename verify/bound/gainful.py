"""Which plays may be of use after a draw: those that gain enough, as a tree.

A play turns a rack into a leave, and the bound of the leave is

    score before + points of the play + worth of the leave + what is to come,

and the worth is a sum over tiles. So it is score + worth of the whole rack + what the play gains: its points, less the worth of
its tiles, and what is to come. What a play gains is the same for all racks of a layer with as many left draws, so that it is
worked out once for each play. Then a rack goes down only those branches of the tree where some play gains as much as it needs.

Of equal tiles a leave holds the cheapest. So the tiles that a play takes away are worth at least as much as they are here,
where they count as the cheapest: no gain is too low, and some with equal tiles are a little too high.
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
    """What the bounds of leaves are made of, in thousandths of a point, by the length of the play before them.

    shortest, longest: the lengths that are meant.
    worth: by length and tile, as kind + 1, what so many of them are worth in a leave, NONE or more where there are not so many;
        by the prices for the layer in which the plays are played.
    come: by length, what is to come after the play.
    worth_then, come_then: the same by the prices for the layers to which the plays lead.
    """

    shortest: int
    longest: int
    worth: Ints
    come: Ints
    worth_then: Ints
    come_then: Ints


class GainTree(NamedTuple):
    """Plays by their gains in thousandths of a point. The first node has no tiles; those below a node stand side by side.

    tiles: a bit for each tile, as kind + 1, that leads to a node below.
    first: the first node below; they stand by ascending tiles.
    most: the highest gain here or below.
    gain: that of these tiles as a play, -NONE where they are none.
    gain_then: by the prices of the layer to which the play leads.
    score: in points.
    """

    tiles: npt.NDArray[np.uint32]
    first: Small
    most: Ints
    gain: Ints
    gain_then: Ints
    score: Small


def whole_tree(tree: PlayTree) -> GainTree:
    """All plays, with gains of NONE or more in place of true ones. So it does not depend on prices, and rules out nothing."""
    worth, come = np.zeros((MOST_TILES + 1, KINDS, MOST_TILES + 1), np.int64), np.full(MOST_TILES + 1, NONE, np.int64)
    return gain_tree(tree, PlayPrices(1, MOST_TILES, worth, come, worth, come), 0)


@compiled
def gain_tree(tree: PlayTree, prices: PlayPrices, floor: int) -> GainTree:
    """The plays of the lengths of `prices` that gain `floor` or more.

    By the prices for the layer in which they are played, a tile must be worth the same after plays of all these lengths.
    """
    shortest, longest, worth = prices.shortest, prices.longest, prices.worth[prices.shortest]
    room = len(tree.tile)
    node, above = np.empty(room, np.int32), np.empty(room, np.int32)
    gain, most = np.empty(room, np.int64), np.empty(room, np.int64)
    path, cost = np.zeros(MOST_TILES + 1, np.int64), np.zeros(MOST_TILES + 1, np.int64)
    copies = np.zeros(MOST_TILES + 1, np.int64)
    count, deepest, at = 0, -1, 0
    while True:
        # what is on the path and not above the next node is done
        deep = int(tree.depth[at]) if at < room else 0
        while deepest >= max(deep, 1):
            done = path[deepest]
            if most[done] < floor:
                count = done  # neither it nor what stands below it is of use
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
    """Nodes that stand in the order of their numbers, anew, so that those below one node stand side by side."""
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
            # `below` counts those of the node above that have their place
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
    """What the tiles of a play are worth in leaves, by length of the play; path: the tiles by depth."""
    total, copies = np.int64(0), 0
    for place in range(1, depth + 1):
        copies = copies + 1 if path[place] == path[place - 1] else 1
        total += worth[depth, path[place], copies] - worth[depth, path[place], copies - 1]
    return total


@compiled
def highest_worth(racks: Numbers, spelled: Numbers, worth: Ints) -> int:
    """The most that a rack has scored and is worth, in thousandths of a point; `spelled` has the tiles of the racks."""
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
