"""The plays of a sweep: all multisets of tiles that form a word, as a tree, and the racks that can make them.

A play turns a rack into a leave. The completion bound of the leave is

    score before + points of the play + worth of the leave + value of the rest of the game,

and the worth is a sum over tiles. So the bound is score + worth of the whole rack + gain of the play, where the gain is the
points of the play - the worth of its tiles + the value of the rest of the game. It is the same for all racks with the same
tiles drawn, and is computed once for each play. What a rack needs is the gain from which the bound is of interest.

All racks go down the tree together: a list of those that have the tiles of a node, the ones that need least first, becomes the
shorter list of a child. So what it takes to visit a node is shared by many racks.

Among equal tiles a leave holds the cheapest. So the tiles that a play takes away are worth at least as much as they are here,
where they count as the cheapest: no gain is too low, and some gains of plays with equal tiles are a little too high.
"""

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.states import (
    MOST_TILES,
    Numbers,
    gathered,
    larger,
    new_table,
    one_tile,
    put,
    score_of,
    sizes,
    slot_of,
    spelled,
)
from verify.bound.values import NONE
from verify.bound.words import BLANK_KIND, KINDS, POINT, Ints, WordArrays
from verify.threads import ThreadPool

_BATCH = 16_384  # racks that go down the tree together: their lists fit into the cache
_GROUPS = 64
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_AHEAD = 32  # leaves whose slots are found before they are put in, so that the processor waits for several at once

Small = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]


class PlayTree(NamedTuple):
    """A tree of plays in depth-first order: a node has the tiles of its parent and one more, whose kind is not above theirs.

    Kinds are in the order a to z, blank. Gains are in thousandths of a point; in a tree of all plays they are the points alone.

    Attributes:
        kind: The kind of the last tile of each node.
        copies: How many tiles of this kind the node has.
        depth: How many tiles it has.
        points: The points of its tiles as a play.
        gain: The gain of its tiles as a play; -NONE or about as low where they are no play, which is below all that is needed.
        beyond: The first node after its subtree.
        most: The highest gain in its subtree.
    """

    kind: Bytes
    copies: Bytes
    depth: Bytes
    points: Small
    gain: Ints
    beyond: Small
    most: Ints


def play_tree(words: WordArrays, row: Ints) -> PlayTree:
    """Return the tree of all plays of the words. `row` has the number of tiles of each kind in the row."""

    def lay_down(length: int) -> Numbers:
        masks = [mask for mask in range(1 << length) if mask.bit_count() <= row[BLANK_KIND]]
        return _lay_down(words, length, row, np.array(masks))

    with ThreadPool(os.cpu_count() or 1) as pool:
        longest_first = range(len(words.starts) - 2, 0, -1)
        plays = np.concatenate([*pool.map(lay_down, longest_first)])
    return _grown(plays[np.lexsort((plays[:, 0], plays[:, 1]))])


@compiled
def _lay_down(words: WordArrays, length: int, row: Ints, masks: Ints) -> Numbers:
    """Return the plays of words of one length as states with their points; `masks` are bit masks of places with blanks."""
    table, count = new_table(64), 0
    blank, tiles, used = (
        one_tile(BLANK_KIND),
        np.zeros((length, 2), np.uint64),
        np.zeros(KINDS, np.int64),
    )
    for word in range(words.starts[length], words.starts[length + 1]):
        lacking = 0  # bit mask of the places where the row lacks the letter, if its tiles take its last places
        used[:] = 0
        for place in range(length - 1, -1, -1):
            kind = int(words.letters[word, place])
            tiles[place] = one_tile(kind)
            tiles[place, 0] += np.uint64((place + 1) * words.values[kind] // POINT)
            lacking |= (used[kind] >= row[kind]) << place
            used[kind] += 1
        for mask in masks:
            if lacking & ~mask:
                continue
            low, high = np.uint64(0), np.uint64(0)
            for place in range(length):
                is_blank = mask >> place & 1
                low += blank[0] if is_blank else tiles[place, 0]
                high += blank[1] if is_blank else tiles[place, 1]
            if 2 * count >= len(table):
                table = larger(table, count)
            count += put(table, slot_of(table, low, high), low, high)
    return gathered(table, count)


@compiled
def _grown(plays: Numbers) -> PlayTree:
    """Return the tree of ascending plays."""
    kinds, copies, path = (
        np.empty(KINDS, np.int64),
        np.empty(KINDS, np.int64),
        np.full(MOST_TILES + 2, -1),
    )
    room = sizes(plays).sum()
    kind, copy, depth = np.empty(room, np.int8), np.empty(room, np.int8), np.empty(room, np.int8)
    points, gain, nodes = np.zeros(room, np.int32), np.full(room, -NONE), 0
    for play in plays:
        deep, is_new = 0, False
        for i in range(spelled(play, kinds, copies) - 1, -1, -1):
            for number in range(1, copies[i] + 1):
                deep += 1
                is_new |= path[deep] != kinds[i]
                if is_new:
                    kind[nodes], copy[nodes], depth[nodes] = kinds[i], number, deep
                    path[deep] = kinds[i]
                    nodes += 1
        path[deep + 1] = -1
        points[nodes - 1] = score_of(play)
        gain[nodes - 1] = POINT * points[nodes - 1]
    return _tree(kind, copy, depth, points, np.arange(nodes), gain, np.zeros(nodes, np.int64))


@compiled
def _tree(
    kind: Bytes, copies: Bytes, depth: Bytes, points: Small, node: Ints, gain: Ints, least: Ints
) -> PlayTree:
    """Return the tree of some nodes, by `gain` of each, without those whose subtrees gain less than `least`."""
    total = len(node)
    kept, beyond, most = (
        np.empty(total, np.int64),
        np.empty(total, np.int32),
        np.empty(total, np.int64),
    )
    after = np.full(
        MOST_TILES + 2, total
    )  # by depth: the nearest later node of this depth or above it
    highest = np.full(MOST_TILES + 2, -NONE)  # by depth: the highest gain since then
    first = total
    for at in range(total - 1, -1, -1):
        deep = np.int64(depth[node[at]])
        best = max(gain[at], highest[deep + 1])
        highest[deep + 1] = -NONE
        if best >= least[at]:
            highest[deep] = max(highest[deep], best)
            first -= 1
            kept[first], beyond[first], most[first] = at, after[deep], best
            after[deep:] = first
    kept, beyond = kept[first:], beyond[first:] - np.int32(first)
    some = node[kept]
    return PlayTree(
        kind[some], copies[some], depth[some], points[some], gain[kept], beyond, most[first:].copy()
    )


def leaves_after(
    tree: PlayTree, lengths: tuple[int, int], worth: Ints, come: Ints, racks: Numbers, needed: Ints
) -> Numbers:
    """Return the leaves of all plays of racks that gain enough, each once with its best score.

    Args:
        tree: All plays.
        lengths: The shortest and the longest play.
        worth: The worth of tiles in a leave after all these plays, see `verify.bound.foci.completions`.
        come: By length, the rest of the completion bound after the play.
        racks: Racks with the same number of tiles, at least one.
        needed: The gain that each needs, in thousandths of a point.
    """
    # what a rack needs is rounded down, which can only add leaves: numbers of 16 bits are sorted without comparisons
    lowest = needed.min()
    shift = max(0, int(needed.max() - lowest).bit_length() - 16)
    steps = (needed - lowest >> shift).astype(np.uint16)
    order = np.argsort(steps, kind="stable")
    racks, needed = racks[order], lowest + (steps[order].astype(np.int64) << shift)
    columns = _columns(racks)
    plays = _chosen_plays(tree, *lengths, worth, come, needed, columns)
    may = np.searchsorted(needed, plays.gain, side="right").astype(np.int32)
    reach = np.searchsorted(needed, plays.most, side="right").astype(np.int32)
    return _leaves(plays, may, reach, racks[: reach.max(initial=0)], columns)


@compiled
def _chosen_plays(
    tree: PlayTree,
    shortest: int,
    longest: int,
    worth: Ints,
    come: Ints,
    needed: Ints,
    columns: Bytes,
) -> PlayTree:
    """Return the tree of the plays that gain what some rack needs that may have the tiles; arguments as in `leaves_after`.

    Racks are in groups of neighbours. A play is chosen if each of its tiles is in some rack of one group, which needs no more.
    """
    groups, least_needed = _groups(needed, columns)
    node, gain = np.empty(len(tree.kind), np.int64), np.empty(len(tree.kind), np.int64)
    least = np.empty(len(tree.kind), np.int64)
    cost, some = np.zeros(MOST_TILES + 1, np.int64), np.full(MOST_TILES + 1, ~np.uint64(0))
    highest = come[shortest : longest + 1].max()
    depths, kind_of, copies_of, most, beyond = (
        tree.depth,
        tree.kind,
        tree.copies,
        tree.most,
        tree.beyond,
    )
    count, at = 0, 0
    while at < len(depths):
        deep, kind, copies = np.int64(depths[at]), np.int64(kind_of[at]), np.int64(copies_of[at])
        some[deep] = some[deep - 1] & groups[kind, copies]
        cost[deep] = cost[deep - 1] + worth[kind, copies] - worth[kind, copies - 1]
        least[count] = least_needed[_lowest(some[deep])]
        if deep > longest or some[deep] == 0 or most[at] - cost[deep] + highest < least[count]:
            at = int(beyond[at])
            continue
        node[count], gain[count] = (
            at,
            tree.gain[at] - cost[deep] + come[deep] if deep >= shortest else -NONE,
        )
        count += 1
        at += 1
    return _tree(tree.kind, tree.copies, tree.depth, tree.points, node[:count], gain[:count], least)


@compiled
def _groups(needed: Ints, columns: Bytes) -> tuple[Numbers, Ints]:
    """Return a bit for each group in which some rack has `copies` tiles of a kind, and the lowest need of each group."""
    groups, least_needed = np.zeros((KINDS, MOST_TILES + 1), np.uint64), np.zeros(_GROUPS, np.int64)
    for group in range(_GROUPS):
        begin, end = group * len(needed) // _GROUPS, (group + 1) * len(needed) // _GROUPS
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
    """Return a number below 64 for the lowest bit: products with a de Bruijn sequence begin with different bits."""
    return int(np.int64((groups & (~groups + np.uint64(1))) * _DE_BRUIJN >> np.uint64(58)))


@compiled
def _columns(racks: Numbers) -> Bytes:
    """Return the number of tiles of each kind in each rack, shape (KINDS, racks)."""
    columns = np.zeros((KINDS, len(racks)), np.int8)
    kinds, copies = np.empty(KINDS, np.int64), np.empty(KINDS, np.int64)
    for rack in range(len(racks)):
        for i in range(spelled(racks[rack], kinds, copies)):
            columns[kinds[i], rack] = copies[i]
    return columns


@compiled
def _leaves(plays: PlayTree, may: Small, reach: Small, racks: Numbers, columns: Bytes) -> Numbers:
    """Return the leaves of plays: the first `may` racks may make the play of a node, the first `reach` some play below it."""
    lists, size = np.empty((MOST_TILES + 1, _BATCH), np.int32), np.zeros(MOST_TILES + 1, np.int64)
    laid, slots = np.zeros((MOST_TILES + 1, 2), np.uint64), np.empty(_AHEAD, np.int64)
    table, count = new_table(64), 0
    for first in range(0, len(racks), _BATCH):
        size[0] = min(_BATCH, len(racks) - first)
        for i in range(size[0]):
            lists[0, i] = first + i
        at = 0
        while at < len(may):
            deep, column, copies, limit = (
                np.int64(plays.depth[at]),
                columns[plays.kind[at]],
                plays.copies[at],
                reach[at],
            )
            before, here, found = lists[deep - 1], lists[deep], 0
            for i in range(size[deep - 1]):
                if before[i] >= limit:
                    break
                here[found] = before[i]
                found += column[before[i]] >= copies
            if found == 0:
                at = int(plays.beyond[at])
                continue
            size[deep] = found
            laid[deep] = laid[deep - 1] + one_tile(plays.kind[at])
            i, stop = 0, np.searchsorted(here[:found], may[at])
            if 2 * (count + stop) >= len(table):
                table = larger(table, count + stop)
            less, more, points = laid[deep, 0], laid[deep, 1], np.uint64(plays.points[at])
            while i < stop:
                some = min(_AHEAD, stop - i)
                for j in range(some):
                    rack = racks[here[i + j]]
                    slots[j] = slot_of(table, rack[0] - less, rack[1] - more)
                for j in range(some):
                    rack = racks[here[i + j]]
                    count += put(table, slots[j], rack[0] - less + points, rack[1] - more)
                i += some
            at += 1
    return gathered(table, count)
