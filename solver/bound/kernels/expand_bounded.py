"""Plays of a sweep's racks: all racks with the same left draws go down one tree of plays.

The completion bound of the leave after a play is

    score before + points of the play + worth of the leave + `BoundTerms.rest`,

and the worth is a sum over tiles. So the bound is the score and the worth of the whole rack, plus
the gain of the play: its points, less the worth of its tiles, plus `rest`. A play gains the same
from each of these racks. What a rack needs is the gain from which the bound is useful.

At a node of the tree, the list of the racks that have its tiles, those that need least first,
becomes the shorter list of a child, and many racks share the cost of a node. Before that, plays are
chosen that gain enough for some rack that may have their tiles. This asks 64 groups of racks at
once, with a bit for each.

Among equal tiles a leave holds the cheapest, so a play takes the dearest. Gains count the cheapest,
so no gain is too low, and the exact bound of each leave is computed at the end.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import SCORE_BITS, Packed, packed, packed_rank, packed_score
from solver.compiled import I8, I32, I64, U16, U64, borrowing, kernel, lowest_bit
from solver.index.kernels.indexes import (
    CHOOSE,
    MAX_RACK,
    OFFSET,
    PACKED_TILES,
    TILE_BITS,
    TILE_HASH,
    first_code,
    log2,
    unrank_tiles,
    without_first,
)
from solver.model.tiles import N_CODES, POINT, USUAL_RACK

_BATCH = 8192  # racks whose lists fit into the processor's cache
_GROUPS = 64
_NO_REST = -(1 << 40)  # after plays of lengths that do not count
_NO_GAIN = 2 * _NO_REST
_ENTRY_SCORE_SHIFT = np.uint64(64 - SCORE_BITS)  # of an entry, whose highest bits are its score
_FREE = np.uint64(0)

PlayTrie = npt.NDArray[np.uint32]
"""The plays of the closed index as a trie of sorted tiles, shape (nodes, 4).

Node 0 is the root, and the children of a node are adjacent, in the order of their codes. A node is
one row, since a walk mostly waits for memory: the mask of its children; the first child; 1 + the
highest points of the plays in its subtree; 1 + those of its tiles as a play, or 0.
"""


_Plays = npt.NDArray[np.void]
"""Some plays as a tree in depth-first order, nodes of `_NODE`: a node has the tiles of its parent
and one more, whose code is the highest. Node 0 is the root, without tiles."""

_NODE = np.dtype(
    [
        ("above", "i4"),  # the parent
        ("beyond", "i4"),  # the first node after the subtree
        ("code", "i1"),  # of the last tile; -1 at the root
        ("copies", "i1"),  # how many tiles of this code the node has
        ("depth", "i1"),  # how many tiles it has
        ("tiles", "u8"),  # its tiles, packed as in the closed index
        ("points", "i8"),  # of its tiles as a play; -1 if they are none
        ("gain", "i8"),  # of its tiles as a play, in thousandths of a point; or _NO_GAIN
        ("most", "i8"),  # the highest gain in the subtree
        ("cost", "i8"),  # what its tiles are worth
        ("having", "u8"),  # the groups in which some rack may have its tiles
        ("least", "i8"),  # the least gain that a rack of these groups needs
        ("unvisited", "u4"),  # the mask of its children not visited yet
        ("child", "u4"),  # the next of them in the trie
    ],
    align=True,
)


class _Racks(NamedTuple):
    """Racks with the same left draws, those that need least first.

    Attributes:
        tiles: int8, shape (racks, USUAL_RACK), the codes of each rack, ascending.
        size: how many tiles each has.
        score: int64, shape (racks,), in points.
        needed: int64, shape (racks,), the gain that each needs, ascending, in thousandths of a
            point.
        groups: uint64, shape (N_CODES, USUAL_RACK + 1), by code and number of copies, a bit for
            each group of neighbouring racks in which some rack has as many.
        least: int64, shape (_GROUPS,), the least that a rack of each group needs.
    """

    tiles: I8
    size: int
    score: I64
    needed: I64
    groups: U64
    least: I64


@kernel
def play_trie(packed: U64, points: I32) -> PlayTrie:
    """Return the trie of plays, from their packed tiles, ascending, and the points of each."""
    free = np.zeros(PACKED_TILES + 2, np.int64)  # by depth, the number of nodes above it
    free[1:] = 1
    for play in range(len(packed)):
        for depth in range(_shared_tiles(packed, play), PACKED_TILES):
            if _tile_at(packed[play], depth) > 0:
                free[depth + 2 :] += 1
    trie = np.zeros((free[-1], 4), np.uint32)
    path = np.zeros(PACKED_TILES + 1, np.int64)
    for play in range(len(packed)):
        own = np.uint32(points[play] + 1)
        depth = _shared_tiles(packed, play)
        while depth < PACKED_TILES and _tile_at(packed[play], depth) > 0:
            parent = path[depth]
            tile = _tile_at(packed[play], depth)
            depth += 1
            node = free[depth]  # the next free node at this depth
            free[depth] += 1
            if trie[parent, 0] == 0:
                trie[parent, 1] = node
            trie[parent, 0] |= np.uint32(1 << (tile - 1))
            path[depth] = node
        trie[path[depth], 3] = own
        for node in path[: depth + 1]:
            trie[node, 2] = max(trie[node, 2], own)
    return trie


@kernel
def _tile_at(packed: np.uint64, place: int) -> int:
    """Return 1 + the code of the tile at a place of a packed multiset; 0 after its last tile."""
    shift = np.uint64(TILE_BITS * (PACKED_TILES - 1 - place))
    return np.int64(packed >> shift & np.uint64((1 << TILE_BITS) - 1))


@kernel
def _shared_tiles(packed: U64, play: int) -> int:
    """Return how many first tiles a play shares with the play before it."""
    shared = 0
    if play > 0:
        while _tile_at(packed[play], shared) == _tile_at(packed[play - 1], shared):
            shared += 1
    return shared


def most_racks(plays: PlayTrie) -> int:
    """Return how many racks `children` takes.

    64 bits hold a score, the number of a rack and that of a node.
    """
    return 1 << (64 - SCORE_BITS - len(plays).bit_length())


@kernel
def children(
    racks: Packed,
    left: int,
    rest: I64,
    worth: I64,
    lengths: tuple[int, int],
    least: int,
    trie: PlayTrie,
) -> tuple[Packed, I8]:
    """Return the children of racks with completion bounds of at least `least`.

    Each child is there once, with its best score.

    Args:
        racks: packed, with the same tiles drawn, shape (n,); n is at least 1 and at most
            `most_racks`.
        left: their left draws.
        rest: `BoundTerms.rest` at these left draws, shape (rack,).
        worth: `BoundTerms.worth` at these left draws, shape (N_CODES, rack + 1), after plays of
            all these lengths.
        lengths: the fewest and the most tiles of a play.
        least: the lowest useful completion bound, in thousandths of a point.
        trie: all plays.

    Returns:
        The children, packed, unsorted, and the length of the play that leads to each.
    """
    needy = _sorted_by_need(racks, worth, least)
    tiles = needy.tiles
    size = needy.size
    bits = np.uint64(log2(len(trie)) + 1)
    onward = np.full(PACKED_TILES + 2, _NO_REST, np.int64)
    for length in range(lengths[0], lengths[1] + 1):
        onward[length] = rest[size - length]
    plays = _chosen(trie, onward, worth, needy)
    table, count = _leaves(plays, needy, bits)
    found = np.empty(count, np.uint64)
    length_of = np.empty(count, np.int8)
    kept = 0
    for slot in range(len(table)):
        entry = table[slot, 1]
        if entry == _FREE:
            continue
        score = np.int64(entry >> _ENTRY_SCORE_SHIFT)
        rack = np.int64(entry << np.uint64(SCORE_BITS) >> np.uint64(SCORE_BITS) >> bits)
        play = plays[np.int64(entry & (np.uint64(1) << bits) - np.uint64(1))]
        rank, its_worth = _leave(tiles[rack, :size], play.tiles, worth)
        if POINT * score + its_worth + onward[play.depth] >= least:
            found[kept] = packed(rank, left, score)
            length_of[kept] = play.depth
            kept += 1
    return found[:kept], length_of[:kept]


@borrowing
def _leave(rack: I8, play: np.uint64, worth: I64) -> tuple[np.uint64, int]:
    """Return the rank of the leave of a rack after a packed play, and what it is worth.

    The rack is given by ascending codes.
    """
    held = 0
    copies = 0
    total = 0
    rank = np.uint64(0)
    for i in range(len(rack)):
        code = np.int64(rack[i])
        # of equal tiles the first ones are played
        if play != 0 and first_code(play) == code:
            play = without_first(play)
            copies = 0
            continue
        copies = copies + 1 if copies > 0 and rack[i - 1] == code else 1
        held += 1
        rank += CHOOSE[held, code]
        total += worth[code, copies] - worth[code, copies - 1]
    return rank + OFFSET[held], total


@kernel
def _sorted_by_need(racks: Packed, worth: I64, least: int) -> _Racks:
    """Return racks sorted by what they need, in groups; arguments as in `children`."""
    total = len(racks)
    codes = np.empty(MAX_RACK, np.int64)
    tiles = np.empty((total, USUAL_RACK), np.int8)
    score = np.empty(total, np.int64)
    needed = np.empty(total, np.int64)
    size = 0
    for rack in range(total):
        size = unrank_tiles(packed_rank(racks[rack]), codes)
        tiles[rack] = codes[:USUAL_RACK]
        _rank, its_worth = _leave(tiles[rack, :size], np.uint64(0), worth)
        score[rack] = packed_score(racks[rack])
        needed[rack] = least - POINT * score[rack] - its_worth
    order = np.argsort(needed)
    tiles = tiles[order]
    needed = needed[order]
    groups = np.zeros((N_CODES, USUAL_RACK + 1), np.uint64)
    least_needed = np.full(_GROUPS, -_NO_GAIN)
    for rack in range(total - 1, -1, -1):
        group = rack * _GROUPS // total
        least_needed[group] = needed[rack]
        copies = 0
        for place in range(size):
            code = tiles[rack, place]
            copies = copies + 1 if place > 0 and tiles[rack, place - 1] == code else 1
            groups[code, copies] |= np.uint64(1) << np.uint64(group)
    return _Racks(tiles, size, score[order], needed, groups, least_needed)


@kernel
def _chosen(trie: PlayTrie, onward: I64, worth: I64, racks: _Racks) -> _Plays:
    """Return the plays that gain what some rack needs that may have the tiles.

    `onward` is the rest of the completion bound after a play, by its length; _NO_REST for lengths
    that do not count.
    """
    groups = racks.groups
    least_needed = racks.least
    best_onward = onward.copy()  # from each length on
    for length in range(len(onward) - 2, -1, -1):
        best_onward[length] = max(best_onward[length], best_onward[length + 1])
    nodes = np.empty(len(trie), _NODE)
    root = nodes[0]
    root.code = -1
    root.depth = 0
    root.tiles = 0
    root.cost = 0
    root.most = _NO_GAIN
    root.having = ~np.uint64(0)
    root.unvisited = trie[0, 0]
    root.child = trie[0, 1]
    count = 1
    at = 0
    while at > 0 or root.unvisited > 0:
        node = nodes[at]
        if node.unvisited == 0:
            # the subtree is complete
            if node.most < node.least:
                count = at
            else:
                node.beyond = count
                parent = nodes[node.above]
                parent.most = max(parent.most, node.most)
            at = node.above
            continue
        child = node.child
        code = np.int64(lowest_bit(node.unvisited))
        node.child = child + np.uint32(1)
        node.unvisited &= node.unvisited - np.uint32(1)
        copies = node.copies + 1 if node.code == code else 1
        having = node.having & groups[code, copies]
        if having == 0:
            continue
        depth = node.depth + 1
        cost = node.cost + worth[code, copies] - worth[code, copies - 1]
        least = least_needed[np.int64(lowest_bit(having))]
        if POINT * (np.int64(trie[child, 2]) - 1) - cost + best_onward[depth] < least:
            continue
        last_tile = np.uint64(code + 1) << np.uint64(TILE_BITS * (PACKED_TILES - depth))
        points = np.int64(trie[child, 3]) - 1
        new = nodes[count]
        new.above = at
        new.code = code
        new.copies = copies
        new.depth = depth
        new.tiles = node.tiles | last_tile
        new.points = points
        new.gain = POINT * points - cost + onward[depth] if points >= 0 else _NO_GAIN
        new.most = new.gain
        new.cost = cost
        new.having = having
        new.least = least
        new.unvisited = trie[child, 0]
        new.child = trie[child, 1]
        at = count
        count += 1
    return nodes[:count]


@kernel
def _leaves(plays: _Plays, racks: _Racks, bits: np.uint64) -> tuple[U64, int]:
    """Return the leaves of plays that gain what a rack needs, in a hash table, and their number.

    A slot of the table holds the hash of a leave and an entry: its score, rack and node in one
    number, or _FREE. So the highest entry of a leave has its best score. No two leaves have the
    same hash.
    """
    tiles = racks.tiles
    size = racks.size
    score = racks.score
    # the racks that may make a play come first
    players = np.searchsorted(racks.needed, plays["gain"], side="right")
    reach = np.searchsorted(racks.needed, plays["most"], side="right")
    # by depth, of the node there: its racks, and the hash of its tiles
    lists = np.empty((PACKED_TILES + 1, _BATCH), np.uint16)
    counts = np.zeros(PACKED_TILES + 1, np.int64)
    laid = np.zeros(PACKED_TILES + 1, np.uint64)
    columns = np.empty((N_CODES, _BATCH), np.int8)
    hashes = np.empty(_BATCH, np.uint64)
    entries = np.empty(_BATCH, np.uint64)
    table = np.full((4096, 2), _FREE)
    count = 0
    for first in range(0, reach[0], _BATCH):
        counts[0] = min(_BATCH, len(score) - first)
        columns[:] = 0
        for i in range(counts[0]):
            rack = first + i
            lists[0, i] = i
            hashes[i] = np.uint64(0)
            entries[i] = np.uint64(score[rack]) << _ENTRY_SCORE_SHIFT | np.uint64(rack) << bits
            for place in range(size):
                columns[tiles[rack, place], i] += 1
                hashes[i] += TILE_HASH[tiles[rack, place]]
        at = 1
        while at < len(plays):
            play = plays[at]
            depth = np.int64(play.depth)
            before = lists[depth - 1, : counts[depth - 1]]
            here = lists[depth]
            found = _having(before, reach[at] - first, columns[play.code], play.copies, here)
            if found == 0:
                at = np.int64(play.beyond)
                continue
            counts[depth] = found
            laid[depth] = laid[depth - 1] + TILE_HASH[play.code]
            limit = players[at] - first
            if limit > here[0]:
                playing = here[:found]
                if limit <= here[found - 1]:
                    playing = here[: np.searchsorted(here[:found], limit)]
                if 2 * (count + len(playing)) > len(table):
                    table = _larger(table, count + len(playing))
                more = np.uint64(play.points) << _ENTRY_SCORE_SHIFT | np.uint64(at)
                count += _put(table, playing, hashes, laid[depth], entries, more)
            at += 1
    return table, count


@borrowing
def _having(before: U16, limit: int, column: I8, copies: int, here: U16) -> int:
    """List the racks of a list, below `limit`, with that many copies of a tile; return how many."""
    found = 0
    for rack in before:
        if rack >= limit:
            break
        here[found] = rack
        found += np.int64(column[rack] >= copies)
    return found


@borrowing
def _put(
    table: U64, racks: U16, hashes: U64, played: np.uint64, entries: U64, more: np.uint64
) -> int:
    """Put the leaves of some racks after a play into the table, and return how many are new.

    `played` is the hash of the play, and `more` is added to the entry of a rack.
    """
    shift = np.uint64(64 - log2(len(table)))
    added = 0
    for rack in racks:
        leave = hashes[rack] - played
        entry = entries[rack] + more
        slot = _slot_of(table, leave, shift)
        if entry > table[slot, 1]:
            added += np.int64(table[slot, 1] == _FREE)
            table[slot, 0] = leave
            table[slot, 1] = entry
    return added


@borrowing
def _slot_of(table: U64, leave: np.uint64, shift: np.uint64) -> int:
    """Return the slot that holds a leave, given by its hash, or the free one for it."""
    slot = np.int64(leave >> shift)
    while table[slot, 1] != _FREE and table[slot, 0] != leave:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@kernel
def _larger(table: U64, count: int) -> U64:
    """Return a table of the same leaves with room for twice as many as `count`."""
    size = len(table)
    while size < 4 * count:
        size *= 2
    larger = np.full((size, 2), _FREE)
    shift = np.uint64(64 - log2(size))
    for at in range(len(table)):
        if table[at, 1] != _FREE:
            larger[_slot_of(larger, table[at, 0], shift)] = table[at]
    return larger
