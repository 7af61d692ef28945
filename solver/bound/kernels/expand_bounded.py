"""Plays of a sweep's racks: all racks with the same left draws go down one tree of plays together.

The completion bound of the leave after a play is

    score before + points of the play + worth of the leave + `BoundTerms.rest`,

and the worth is a sum over tiles. So the bound is the score and the worth of the whole rack, plus the gain of the play: its
points, less the worth of its tiles, plus `rest`. A play gains the same from each of these racks. What a rack needs is the gain
from which the bound is useful.

At a node of the tree, the list of the racks that have its tiles, those that need least first, becomes the shorter list of a
child, and many racks share the cost of a node. Before that, plays are chosen that gain enough for some rack that may have their
tiles. This asks 64 groups of racks at once, with a bit for each.

Among equal tiles a leave holds the cheapest, so a play takes the dearest. Gains count the cheapest, so no gain is too low, and
the exact bound of each leave is computed at the end.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import SCORE_BITS, Packed, packed, packed_rank, packed_score
from solver.compiled import borrowing, kernel, lowest_bit, popcount
from solver.index.kernels.indexes import (
    CHOOSE,
    MAX_RACK,
    OFFSET,
    PACKED_TILES,
    TILE_BITS,
    TILE_HASH,
    Trie,
    first_code,
    log2,
    unrank_tiles,
    without_first,
)
from solver.model.tiles import CLOSED_RACK, N_CODES, POINT

_BATCH = 8192  # racks whose lists fit into the processor's cache
_GROUPS = 64
_STEPS = 8192  # of what racks need, which is rounded down to a step
_NO_REST = -(1 << 40)  # after plays of lengths that do not count
_NO_GAIN = 2 * _NO_REST
_ENTRY_SCORE_SHIFT = np.uint64(64 - SCORE_BITS)  # of an entry, whose highest bits are its score
_FREE = np.uint64(0)

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Short = npt.NDArray[np.uint16]


PlayTrie = npt.NDArray[np.uint32]
"""The plays of the closed index as a trie (`solver.index.kernels.indexes`): uint32, shape (nodes, 4).

A node is one row, since a walk mostly waits for memory: the mask of its children; the first child; 1 + the highest points of
the plays in its subtree; 1 + those of its tiles as a play, or 0.
"""


class _Plays(NamedTuple):
    """Some plays as a tree in depth-first order: a node has the tiles of its parent and one more, of no lower code.

    Attributes:
        code: int8, shape (nodes,), the code of the last tile of each node.
        copies: int8, how many tiles of this code the node has.
        depth: int8, how many tiles it has.
        tiles: uint64, its tiles, packed as in the closed index.
        points: int32, the points of its tiles as a play; meaningless if they are none.
        gain: int64, their gain as a play, in thousandths of a point; _NO_GAIN if they are none.
        most: int64, the highest gain in the subtree.
        beyond: int32, the first node after the subtree.
    """

    code: Bytes
    copies: Bytes
    depth: Bytes
    tiles: npt.NDArray[np.uint64]
    points: npt.NDArray[np.int32]
    gain: Ints
    most: Ints
    beyond: npt.NDArray[np.int32]


class _Racks(NamedTuple):
    """Racks with the same left draws, those that need least first.

    Attributes:
        tiles: int8, shape (racks, CLOSED_RACK), the codes of each rack, ascending.
        size: how many tiles each has.
        score: int64, shape (racks,), in points.
        needed: int64, shape (racks,), the gain that each needs, rounded down, ascending, in thousandths of a point.
        groups: uint64, shape (N_CODES, CLOSED_RACK + 1), by code and number of copies, a bit for each group of neighbouring
            racks in which some rack has as many.
        least: int64, shape (_GROUPS,), the least that a rack of each group needs.
    """

    tiles: Bytes
    size: int
    score: Ints
    needed: Ints
    groups: npt.NDArray[np.uint64]
    least: Ints


@kernel
def play_trie(trie: Trie, points: npt.NDArray[np.int32]) -> PlayTrie:
    """Return the trie of plays, from the points of each."""
    nodes = np.empty((len(trie.mask), 4), np.uint32)
    for at in range(len(nodes) - 1, -1, -1):
        mask, child, entry = trie.mask[at], trie.child[at], trie.entry[at]
        own = np.uint32(points[entry] + 1) if entry >= 0 else np.uint32(0)
        most = own
        for below in range(child, child + popcount(np.uint64(mask))):
            most = max(most, nodes[below, 2])
        nodes[at, 0], nodes[at, 1], nodes[at, 2], nodes[at, 3] = mask, child, most, own
    return nodes


def most_racks(plays: PlayTrie) -> int:
    """Return how many racks `children` takes: 64 bits hold a score, the number of a rack and that of a node."""
    return 1 << (64 - SCORE_BITS - len(plays).bit_length())


@kernel
def children(
    racks: Packed,
    left: int,
    rest: Ints,
    worth: Ints,
    lengths: tuple[int, int],
    least: int,
    trie: PlayTrie,
) -> tuple[Packed, Bytes]:
    """Return the children of racks whose completion bounds are at least `least`, each once with its best score.

    Args:
        racks: packed, with the same tiles drawn, shape (n,); n is at least 1 and at most `most_racks`.
        left: their left draws.
        rest: `BoundTerms.rest` at these left draws, shape (rack,).
        worth: `BoundTerms.worth` at these left draws, shape (N_CODES, rack + 1), after plays of all these lengths.
        lengths: the fewest and the most tiles of a play.
        least: the lowest useful completion bound, in thousandths of a point.
        trie: all plays.

    Returns:
        The children, packed, unsorted, and the length of the play that leads to each.
    """
    needy = _sorted_by_need(racks, worth, least)
    tiles, size, bits = needy.tiles, needy.size, np.uint64(log2(len(trie)) + 1)
    onward = np.full(PACKED_TILES + 2, _NO_REST, np.int64)
    for length in range(lengths[0], lengths[1] + 1):
        onward[length] = rest[size - length]
    plays = _chosen(trie, onward, worth, needy)
    table, count = _leaves(plays, needy, bits)
    found, length_of, kept = np.empty(count, np.uint64), np.empty(count, np.int8), 0
    tiles_of, depth_of = plays.tiles, plays.depth
    for slot in range(len(table)):
        entry = table[slot, 1]
        if entry == _FREE:
            continue
        score = np.int64(entry >> _ENTRY_SCORE_SHIFT)
        rack = np.int64(entry << np.uint64(SCORE_BITS) >> np.uint64(SCORE_BITS) >> bits)
        node = np.int64(entry & (np.uint64(1) << bits) - np.uint64(1)) - 1
        rank, its_worth = _leave(tiles[rack, :size], tiles_of[node], worth)
        found[kept], length_of[kept] = packed(rank, left, score), depth_of[node]
        kept += np.int64(POINT * score + its_worth + onward[depth_of[node]] >= least)
    return found[:kept], length_of[:kept]


@borrowing
def _leave(rack: Bytes, play: np.uint64, worth: Ints) -> tuple[np.uint64, int]:
    """Return the rank of the leave of a rack, given by ascending codes, after a packed play; and what it is worth."""
    held, copies, total, rank = 0, 0, 0, np.uint64(0)
    for i in range(len(rack)):
        code = np.int64(rack[i])
        # of equal tiles the first ones are played
        if play != 0 and first_code(play) == code:
            play, copies = without_first(play), 0
            continue
        copies = copies + 1 if copies > 0 and rack[i - 1] == code else 1
        held += 1
        rank += CHOOSE[held, code]
        total += worth[code, copies] - worth[code, copies - 1]
    return rank + OFFSET[held], total


@kernel
def _sorted_by_need(racks: Packed, worth: Ints, least: int) -> _Racks:
    """Return racks sorted by what they need, in groups; arguments as in `children`."""
    total, size = len(racks), 0
    codes, tiles, needed = (
        np.empty(MAX_RACK, np.int64),
        np.empty((total, CLOSED_RACK), np.int8),
        np.empty(total, np.int64),
    )
    for rack in range(total):
        size = unrank_tiles(packed_rank(racks[rack]), codes)
        needed[rack] = least - POINT * packed_score(racks[rack])
        copies = 0
        for place in range(size):
            tiles[rack, place] = codes[place]
            copies = _copies(codes, place, copies)
            needed[rack] -= worth[codes[place], copies] - worth[codes[place], copies - 1]
    lowest, shift = needed.min(), 0
    span = needed.max() - lowest
    while span >> shift >= _STEPS:
        shift += 1
    starts = np.zeros(_STEPS + 1, np.int64)
    for rack in range(total):
        starts[((needed[rack] - lowest) >> shift) + 1] += 1
    starts = np.cumsum(starts)
    ordered, score, rounded = (
        np.empty_like(tiles),
        np.empty(total, np.int64),
        np.empty(total, np.int64),
    )
    groups, least_needed = (
        np.zeros((N_CODES, CLOSED_RACK + 1), np.uint64),
        np.full(_GROUPS, -_NO_GAIN),
    )
    for rack in range(total):
        step = (needed[rack] - lowest) >> shift
        at = starts[step]
        starts[step] += 1
        ordered[at], score[at], rounded[at] = (
            tiles[rack],
            packed_score(racks[rack]),
            lowest + (step << shift),
        )
        group = at * _GROUPS // total
        least_needed[group] = min(least_needed[group], rounded[at])
        bit = np.uint64(1) << np.uint64(group)
        copies = 0
        for place in range(size):
            copies = _copies(tiles[rack], place, copies)
            groups[tiles[rack, place], copies] |= bit
    return _Racks(ordered, size, score, rounded, groups, least_needed)


@borrowing
def _copies(codes: Ints | Bytes, place: int, before: int) -> int:
    """Return the number of tiles up to `place` that equal the one there, from that number for the place before."""
    return before + 1 if place > 0 and codes[place - 1] == codes[place] else 1


@kernel
def _chosen(trie: PlayTrie, onward: Ints, worth: Ints, racks: _Racks) -> _Plays:
    """Return the plays that gain what some rack needs that may have the tiles.

    `onward` is the rest of the completion bound after a play, by its length; _NO_REST for lengths that do not count.
    """
    groups, least_needed, room = racks.groups, racks.least, len(trie)
    code_of, copies_of, depth_of = (
        np.empty(room, np.int8),
        np.empty(room, np.int8),
        np.empty(room, np.int8),
    )
    tiles_of, points, gain = (
        np.empty(room, np.uint64),
        np.empty(room, np.int32),
        np.empty(room, np.int64),
    )
    least = np.empty(room, np.int64)
    highest = onward.copy()  # from each length on
    for length in range(len(onward) - 2, -1, -1):
        highest[length] = max(highest[length], highest[length + 1])
    # by depth, of the node there: what its tiles are worth, its code, how many copies of it, its children not visited yet, the
    # next of them, and the groups in which some rack may have its tiles
    cost, last, copies = np.zeros((3, PACKED_TILES + 1), np.int64)
    unvisited, next_child = np.zeros((2, PACKED_TILES + 1), np.uint32)
    having, tiles = np.full(PACKED_TILES + 1, ~np.uint64(0)), np.zeros(PACKED_TILES + 1, np.uint64)
    unvisited[0], next_child[0], count, deep = trie[0, 0], trie[0, 1], 0, 1
    while deep > 0:
        above = deep - 1
        if unvisited[above] == 0:
            deep = above
            continue
        at, code = next_child[above], np.int64(lowest_bit(unvisited[above]))
        unvisited[above] &= unvisited[above] - np.uint32(1)
        next_child[above] += np.uint32(1)
        copies[deep] = copies[above] + 1 if last[above] == code and above > 0 else 1
        having[deep] = having[above] & groups[code, copies[deep]]
        if having[deep] == 0:
            continue
        cost[deep] = cost[above] + worth[code, copies[deep]] - worth[code, copies[deep] - 1]
        its_least = least_needed[np.int64(lowest_bit(having[deep]))]
        if POINT * (np.int64(trie[at, 2]) - 1) - cost[deep] + highest[deep] < its_least:
            continue
        its_points = np.int64(trie[at, 3]) - 1
        last[deep] = code
        tiles[deep] = tiles[above] | np.uint64(code + 1) << np.uint64(
            TILE_BITS * (PACKED_TILES - deep)
        )
        code_of[count], copies_of[count], depth_of[count], tiles_of[count] = (
            code,
            copies[deep],
            deep,
            tiles[deep],
        )
        points[count], least[count] = its_points, its_least
        gain[count] = (
            POINT * its_points - cost[deep] + onward[deep] if its_points >= 0 else _NO_GAIN
        )
        count += 1
        unvisited[deep], next_child[deep] = trie[at, 0], trie[at, 1]
        deep += 1
    some_code, some_copies, some_depth = code_of[:count], copies_of[:count], depth_of[:count]
    return _pruned(
        some_code,
        some_copies,
        some_depth,
        tiles_of[:count],
        points[:count],
        gain[:count],
        least[:count],
    )


@kernel
def _pruned(
    code: Bytes,
    copies: Bytes,
    depth: Bytes,
    tiles: npt.NDArray[np.uint64],
    points: npt.NDArray[np.int32],
    gain: Ints,
    least: Ints,
) -> _Plays:
    """Return the tree of some nodes, in depth-first order, without those whose subtrees gain less than `least`."""
    total = len(code)
    first = total
    kept, most, beyond = (
        np.empty(total, np.int64),
        np.empty(total, np.int64),
        np.empty(total, np.int32),
    )
    after = np.full(
        PACKED_TILES + 2, total
    )  # by depth, the nearest later node at this depth or above it
    highest = np.full(PACKED_TILES + 2, _NO_GAIN)  # by depth, the highest gain since then
    for at in range(total - 1, -1, -1):
        deep = np.int64(depth[at])
        best = max(gain[at], highest[deep + 1])
        highest[deep + 1] = _NO_GAIN
        if best >= least[at]:
            highest[deep] = max(highest[deep], best)
            first -= 1
            kept[first], most[first], beyond[first] = at, best, after[deep]
            after[deep:] = first
    kept = kept[first:]
    beyond = beyond[first:] - np.int32(first)
    return _Plays(
        code[kept],
        copies[kept],
        depth[kept],
        tiles[kept],
        points[kept],
        gain[kept],
        most[first:].copy(),
        beyond,
    )


@kernel
def _leaves(plays: _Plays, racks: _Racks, bits: np.uint64) -> tuple[npt.NDArray[np.uint64], int]:
    """Return the leaves of plays that gain what a rack needs, in a hash table, and their number.

    A slot of the table holds the hash of a leave and an entry: its score, rack and node + 1 in one number, or _FREE. So the
    highest entry of a leave has its best score. No two leaves have the same hash.
    """
    code_of, copies_of, depth_of, _tiles, points, _gain, _most, beyond = plays
    may = np.searchsorted(
        racks.needed, plays.gain, side="right"
    )  # the racks that may make a play come first
    reach = np.searchsorted(racks.needed, plays.most, side="right")
    tiles, size, score = racks.tiles, racks.size, racks.score
    lists, counts = (
        np.empty((PACKED_TILES + 1, _BATCH), np.uint16),
        np.zeros(PACKED_TILES + 1, np.int64),
    )
    columns, hashes, entries = (
        np.empty((N_CODES, _BATCH), np.int8),
        np.empty(_BATCH, np.uint64),
        np.empty(_BATCH, np.uint64),
    )
    laid, table, count = np.zeros(PACKED_TILES + 1, np.uint64), np.full((4096, 2), _FREE), 0
    for first in range(0, reach.max() if len(reach) else 0, _BATCH):
        counts[0] = min(_BATCH, len(score) - first)
        columns[:] = 0
        for i in range(counts[0]):
            lists[0, i], hashes[i] = i, np.uint64(0)
            entries[i] = (
                np.uint64(score[first + i]) << _ENTRY_SCORE_SHIFT | np.uint64(first + i) << bits
            )
            for place in range(size):
                code = tiles[first + i, place]
                columns[code, i] += 1
                hashes[i] += TILE_HASH[code]
        at = 0
        while at < len(code_of):
            deep = np.int64(depth_of[at])
            here = lists[deep]
            found = _having(
                lists[deep - 1, : counts[deep - 1]],
                reach[at] - first,
                columns[code_of[at]],
                copies_of[at],
                here,
            )
            if found == 0:
                at = np.int64(beyond[at])
                continue
            counts[deep], laid[deep] = found, laid[deep - 1] + TILE_HASH[code_of[at]]
            if may[at] > first + here[0]:
                stop = (
                    found
                    if may[at] > first + here[found - 1]
                    else np.searchsorted(here[:found], may[at] - first)
                )
                if 2 * (count + stop) > len(table):
                    table = _larger(table, count + stop)
                more = np.uint64(points[at]) << _ENTRY_SCORE_SHIFT | np.uint64(
                    at + 1
                )  # so that no entry is _FREE
                count += _put(table, here[:stop], hashes, laid[deep], entries, more)
            at += 1
    return table, count


@borrowing
def _having(before: Short, limit: int, column: Bytes, copies: int, here: Short) -> int:
    """List the racks of a list, below `limit`, that have as many copies of a tile, and return how many there are."""
    found = 0
    for i in range(len(before)):
        if before[i] >= limit:
            break
        here[found] = before[i]
        found += np.int64(column[before[i]] >= copies)
    return found


@borrowing
def _put(
    table: Packed, racks: Short, hashes: Packed, played: np.uint64, entries: Packed, more: np.uint64
) -> int:
    """Put the leaves of some racks after a play into the table, and return how many are new.

    `played` is the hash of the play, and `more` is added to the entry of a rack.
    """
    shift, last, added = np.uint64(64 - log2(len(table))), len(table) - 1, 0
    for rack in racks:
        leave, entry = hashes[rack] - played, entries[rack] + more
        slot = np.int64(leave >> shift)
        while table[slot, 1] != _FREE and table[slot, 0] != leave:
            slot = (slot + 1) & last
        if entry > table[slot, 1]:
            added += np.int64(table[slot, 1] == _FREE)
            table[slot, 0], table[slot, 1] = leave, entry
    return added


@kernel
def _larger(table: Packed, count: int) -> Packed:
    """Return a table of the same leaves with room for twice as many as `count`."""
    size = len(table)
    while size < 4 * count:
        size *= 2
    more = np.full((size, 2), _FREE)
    shift = np.uint64(64 - log2(size))
    for at in range(len(table)):
        if table[at, 1] != _FREE:
            slot = np.int64(table[at, 0] >> shift)
            while more[slot, 1] != _FREE:
                slot = (slot + 1) & (size - 1)
            more[slot] = table[at]
    return more
