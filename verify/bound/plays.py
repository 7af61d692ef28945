"""The plays of a sweep: all multisets of tiles that form a word, as a tree, and the racks for them.

A play turns a rack into a leave. The completion bound of the leave is

    score before + points of the play + worth of the leave + value of the rest of the game,

and the worth is a sum over tiles. So the bound is score + worth of the whole rack + gain of the
play, where the gain is the points of the play - the worth of its tiles + the value of the rest of
the game. It is the same for all racks with the same tiles drawn, and is computed once for each
play. What a rack needs is the gain from which the bound is of interest.

All racks go down the tree together: a list of those that have the tiles of a node, the ones that
need least first, becomes the shorter list of a child. So many racks share the visit of a node.

Among equal tiles a leave holds the cheapest. So the tiles that a play takes away are worth at least
as much as they are here, where they count as the cheapest: no gain is too low, and some gains of
plays with equal tiles are a little too high.
"""

import os
from typing import NamedTuple

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.states import (
    MOST_TILES,
    Packed,
    gathered,
    new_table,
    one_tile,
    put,
    score_of,
    sizes,
    slot_of,
    spelled,
    with_room,
)
from verify.bound.values import NONE
from verify.bound.words import BLANK_KIND, KINDS, POINT, Int8s, Int32s, Ints, WordArrays
from verify.threads import ThreadPool

_BATCH = 16_384  # racks that go down the tree together: their lists fit into the cache
_GROUPS = 64
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
# leaves whose slots are found before they are put in: the processor waits for several at once
_AHEAD = 32


class PlayTree(NamedTuple):
    """A tree of plays in depth-first order.

    A node has the tiles of its parent and one more, whose kind is not above theirs. Kinds are in
    the order a to z, blank. Gains are in thousandths of a point; in a tree of all plays they are
    the points alone.

    Attributes:
        kind: The kind of the last tile of each node.
        copies: The number of tiles of this kind that the node has.
        depth: The number of its tiles.
        points: The points of its tiles as a play.
        gain: The gain of its tiles as a play; -NONE or about as low where they are no play.
        beyond: The first node after its subtree.
        most: The highest gain in its subtree.
    """

    kind: Int8s
    copies: Int8s
    depth: Int8s
    points: Int32s
    gain: Ints
    beyond: Int32s
    most: Ints


def play_tree(words: WordArrays, row: Ints) -> PlayTree:
    """Return the tree of all plays of the words.

    Args:
        words: The words.
        row: The number of tiles of each kind in the row.
    """

    def lay_down(length: int) -> Packed:
        masks = [mask for mask in range(1 << length) if mask.bit_count() <= row[BLANK_KIND]]
        return _lay_down(words, length, row, np.array(masks))

    with ThreadPool(os.cpu_count() or 1) as pool:
        longest_first = range(len(words.starts) - 2, 0, -1)
        plays = np.concatenate([*pool.map(lay_down, longest_first)])
    return _grown(plays[np.lexsort((plays[:, 0], plays[:, 1]))])


@compiled
def _lay_down(words: WordArrays, length: int, row: Ints, masks: Ints) -> Packed:
    """Return the plays of words of one length as states with their points.

    Args:
        words: The words.
        length: The length of the words.
        row: The number of tiles of each kind in the row.
        masks: Bit masks of places with blanks.
    """
    table = new_table(128)
    count = 0
    blank = one_tile(BLANK_KIND)
    tiles = np.zeros((length, 2), np.uint64)
    used = np.zeros(KINDS, np.int64)
    for word in range(words.starts[length], words.starts[length + 1]):
        # bit mask of the places where the row lacks the letter, if its tiles take its last places
        lacking = 0
        used[:] = 0
        table = with_room(table, count + len(masks))
        for place in range(length - 1, -1, -1):
            kind = int(words.letters[word, place])
            tiles[place] = one_tile(kind)
            tiles[place, 0] += np.uint64((place + 1) * words.values[kind] // POINT)
            lacking |= (used[kind] >= row[kind]) << place
            used[kind] += 1
        for mask in masks:
            if lacking & ~mask:
                continue
            low = np.uint64(0)
            high = np.uint64(0)
            for place in range(length):
                if mask >> place & 1:
                    low += blank[0]
                    high += blank[1]
                else:
                    low += tiles[place, 0]
                    high += tiles[place, 1]
            count += put(table, slot_of(table, low, high), low, high)
    return gathered(table, count)


@compiled
def _grown(plays: Packed) -> PlayTree:
    """Return the tree of ascending plays."""
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    path = np.full(MOST_TILES + 2, -1)  # by depth: the kind of the node above the next one
    most_nodes = sizes(plays).sum()
    tree = PlayTree(
        kind=np.empty(most_nodes, np.int8),
        copies=np.empty(most_nodes, np.int8),
        depth=np.empty(most_nodes, np.int8),
        points=np.zeros(most_nodes, np.int32),
        gain=np.full(most_nodes, -NONE),
        beyond=np.empty(0, np.int32),
        most=np.empty(0, np.int64),
    )
    nodes = 0
    for play in plays:
        depth = 0
        is_new = False
        for i in range(spelled(play, kinds, copies) - 1, -1, -1):
            for number in range(1, copies[i] + 1):
                depth += 1
                is_new |= path[depth] != kinds[i]
                if is_new:
                    tree.kind[nodes] = kinds[i]
                    tree.copies[nodes] = number
                    tree.depth[nodes] = depth
                    path[depth] = kinds[i]
                    nodes += 1
        path[depth + 1] = -1
        tree.points[nodes - 1] = score_of(play)
        tree.gain[nodes - 1] = POINT * score_of(play)
    return _pruned(tree, np.arange(nodes), tree.gain, np.zeros(nodes, np.int64))


@compiled
def _pruned(tree: PlayTree, nodes: Ints, gain: Ints, needed: Ints) -> PlayTree:
    """Return the tree of some nodes without the subtrees that gain too little.

    Args:
        tree: The tree; its fields `gain`, `beyond` and `most` are not used.
        nodes: The nodes, ascending.
        gain: The gain of each of them.
        needed: The gain that some play in the subtree of each of them must reach.
    """
    total = len(nodes)
    depths = tree.depth[nodes].astype(np.int64)
    kept = np.empty(total, np.int64)
    beyond = np.empty(total, np.int32)
    most = np.empty(total, np.int64)
    # by depth: the nearest later node of this depth or above it, and the highest gain since then
    after = np.full(MOST_TILES + 2, total)
    highest = np.full(MOST_TILES + 2, -NONE)
    first = total
    for at in range(total - 1, -1, -1):
        depth = depths[at]
        best = max(gain[at], highest[depth + 1])
        highest[depth + 1] = -NONE
        if best >= needed[at]:
            highest[depth] = max(highest[depth], best)
            first -= 1
            kept[first] = at
            beyond[first] = after[depth]
            most[first] = best
            after[depth:] = first
    kept = kept[first:]
    nodes = nodes[kept]
    return PlayTree(
        kind=tree.kind[nodes],
        copies=tree.copies[nodes],
        depth=tree.depth[nodes],
        points=tree.points[nodes],
        gain=gain[kept],
        beyond=beyond[first:] - np.int32(first),
        most=most[first:].copy(),
    )


def leaves_after(
    tree: PlayTree, lengths: tuple[int, int], worth: Ints, fixed: Ints, racks: Packed, needed: Ints
) -> Packed:
    """Return the leaves of all plays of racks that gain enough, each once with its best score.

    Args:
        tree: All plays.
        lengths: The shortest and the longest play.
        worth: The worth of tiles in a leave after all these plays, see `foci.completions`.
        fixed: By length, the rest of the completion bound after the play.
        racks: Racks with the same number of tiles, at least one.
        needed: The gain that each needs, in thousandths of a point.
    """
    # what a rack needs is rounded down, which can only add leaves: numpy sorts numbers of 16 bits
    # without comparisons
    lowest = needed.min()
    shift = max(0, int(needed.max() - lowest).bit_length() - 16)
    steps = (needed - lowest >> shift).astype(np.uint16)
    order = np.argsort(steps, kind="stable")
    racks = racks[order]
    needed = lowest + (steps[order].astype(np.int64) << shift)
    columns = _columns(racks)
    plays = _chosen_plays(tree, *lengths, worth, fixed, needed, columns)
    players = np.searchsorted(needed, plays.gain, side="right").astype(np.int32)
    reach = np.searchsorted(needed, plays.most, side="right").astype(np.int32)
    return _leaves(plays, players, reach, racks[: reach.max(initial=0)], columns)


@compiled
def _chosen_plays(
    tree: PlayTree,
    shortest: int,
    longest: int,
    worth: Ints,
    fixed: Ints,
    needed: Ints,
    columns: Int8s,
) -> PlayTree:
    """Return the tree of the plays that gain what some rack needs that may have the tiles.

    Racks are in groups of neighbours. A play is chosen if each of its tiles is in some rack of one
    group, which needs no more. For the arguments see `leaves_after` and `_columns`.
    """
    groups, least_needed = _groups(needed, columns)
    nodes = np.empty(len(tree.kind), np.int64)
    gain = np.empty(len(tree.kind), np.int64)
    needs = np.empty(len(tree.kind), np.int64)
    # by depth: what the tiles of the node are worth, and the groups with racks that have each
    cost = np.zeros(MOST_TILES + 1, np.int64)
    holders = np.full(MOST_TILES + 1, ~np.uint64(0))
    highest = fixed[shortest : longest + 1].max()
    # numba counts a reference whenever a loop takes an array out of a bundle
    depths = tree.depth
    kinds = tree.kind
    numbers = tree.copies
    gains = tree.gain
    most = tree.most
    beyond = tree.beyond
    count = 0
    at = 0
    while at < len(depths):
        depth = np.int64(depths[at])
        kind = np.int64(kinds[at])
        copies = np.int64(numbers[at])
        holders[depth] = holders[depth - 1] & groups[kind, copies]
        cost[depth] = cost[depth - 1] + worth[kind, copies] - worth[kind, copies - 1]
        needs[count] = least_needed[_lowest(holders[depth])]
        is_out = depth > longest or holders[depth] == 0
        if is_out or most[at] - cost[depth] + highest < needs[count]:
            at = int(beyond[at])
            continue
        nodes[count] = at
        gain[count] = -NONE
        if depth >= shortest:
            gain[count] = gains[at] - cost[depth] + fixed[depth]
        count += 1
        at += 1
    return _pruned(tree, nodes[:count], gain[:count], needs)


@compiled
def _groups(needed: Ints, columns: Int8s) -> tuple[Packed, Ints]:
    """Divide racks into groups of neighbours.

    Returns:
        By kind and number of copies, a bit for each group in which some rack has these tiles; and
        the lowest need of each group, at the place of its bit by `_lowest`.
    """
    groups = np.zeros((KINDS, MOST_TILES + 1), np.uint64)
    least_needed = np.zeros(_GROUPS, np.int64)
    for group in range(_GROUPS):
        begin = group * len(needed) // _GROUPS
        end = (group + 1) * len(needed) // _GROUPS
        if begin == end:
            continue
        bit = np.uint64(1) << np.uint64(group)
        least_needed[_lowest(bit)] = needed[begin]
        for kind in range(KINDS):
            most = 0
            for rack in range(begin, end):
                most = max(most, columns[kind, rack])
            for copies in range(1, most + 1):
                groups[kind, copies] |= bit
    return groups, least_needed


@compiled
def _lowest(groups: np.uint64) -> int:
    """Return a number below 64 for the lowest bit.

    Products with a de Bruijn sequence begin with different bits.
    """
    return int(np.int64((groups & (~groups + np.uint64(1))) * _DE_BRUIJN >> np.uint64(58)))


@compiled
def _columns(racks: Packed) -> Int8s:
    """Return the number of tiles of each kind in each rack, shape (KINDS, racks)."""
    columns = np.zeros((KINDS, len(racks)), np.int8)
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    for rack in range(len(racks)):
        for i in range(spelled(racks[rack], kinds, copies)):
            columns[kinds[i], rack] = copies[i]
    return columns


@compiled
def _leaves(
    plays: PlayTree, players: Int32s, reach: Int32s, racks: Packed, columns: Int8s
) -> Packed:
    """Return the leaves of plays, each once with its best score.

    Args:
        plays: The tree.
        players: By node, the number of racks, the first ones, for which its play gains enough.
        reach: By node, the number of racks for which some play of its subtree gains enough.
        racks: The racks.
        columns: Their tiles, see `_columns`.
    """
    # by depth: the racks that have the tiles of the node, and these tiles as a state
    lists = np.empty((MOST_TILES + 1, _BATCH), np.int32)
    counts = np.zeros(MOST_TILES + 1, np.int64)
    laid = np.zeros((MOST_TILES + 1, 2), np.uint64)
    slots = np.empty(_AHEAD, np.int64)
    table = new_table(128)
    count = 0
    for first in range(0, len(racks), _BATCH):
        counts[0] = min(_BATCH, len(racks) - first)
        lists[0, : counts[0]] = np.arange(first, first + counts[0])
        at = 0
        while at < len(players):
            depth = np.int64(plays.depth[at])
            column = columns[plays.kind[at]]
            copies = plays.copies[at]
            limit = reach[at]
            before = lists[depth - 1]
            here = lists[depth]
            found = 0
            for i in range(counts[depth - 1]):
                if before[i] >= limit:
                    break
                here[found] = before[i]
                found += column[before[i]] >= copies
            if found == 0:
                at = int(plays.beyond[at])
                continue
            counts[depth] = found
            laid[depth] = laid[depth - 1] + one_tile(plays.kind[at])
            less = laid[depth, 0] - np.uint64(plays.points[at])
            more = laid[depth, 1]
            i = 0
            stop = np.searchsorted(here[:found], players[at])
            table = with_room(table, count + stop)
            while i < stop:
                ahead = min(_AHEAD, stop - i)
                for j in range(ahead):
                    rack = racks[here[i + j]]
                    slots[j] = slot_of(table, rack[0] - less, rack[1] - more)
                for j in range(ahead):
                    rack = racks[here[i + j]]
                    count += put(table, slots[j], rack[0] - less, rack[1] - more)
                i += ahead
            at += 1
    return gathered(table, count)
