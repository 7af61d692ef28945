"""Plays of a sweep's racks on the closed index, rejected by their exact completion bounds before they are looked up.

A sub-multiset of a rack that is kept says at once what the game comes to after the play: only the points of the play are
missing. Where its tiles cannot bring so many in any order, the play is not looked up: in layers where few states are of use,
nearly all plays end there. A filter says whether any play has the hash of the others.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.outlook import Outlook
from solver.bound.kernels.packed_states import SCORE_SHIFT, packed, packed_left, packed_rank, packed_score
from solver.compiled import borrowing, kernel
from solver.index.kernels.closed_index import SCORE_MASK, settled_slot
from solver.index.kernels.hashing import MIX, TILE_HASH, log2
from solver.index.kernels.ranks import CHOOSE, OFFSET, unrank_tiles
from solver.model.racks import CLOSED_RACK
from solver.model.units import POINT

_SUBSETS = 1 << CLOSED_RACK
_FAR = 1 << 30  # thousandths of a point that no play brings; what is needed beside prices is cut off there to fit 32 bits
_WORD_BITS = 6  # bits of the number of a bit in a word of the filter
_WORD, _BIT = np.uint64(_WORD_BITS), np.uint64((1 << _WORD_BITS) - 1)


class ScoredPlays(NamedTuple):
    """The plays of the closed index.

    slots: uint64, the hash table from a multiset of tiles to its best score, see `solver.index.kernels.closed_index`. Two
        multisets may share a mark, one pair in 2**59: a play that there is not only makes a bound higher.
    filter: uint64, a bit for each value of the highest bits of a hash: whether any play has such a one. It is to stay near the
        processor, and to have eight bits or more for each play.
    values: int32, in points, by code, that of the blank 0.
    """

    slots: npt.NDArray[np.uint64]
    filter: npt.NDArray[np.uint64]
    values: npt.NDArray[np.int32]


class Room(NamedTuple):
    """What children are written into.

    states: uint64, shape (CLOSED_RACK + 1, room), packed, by tiles played.
    count: int64, shape (CLOSED_RACK + 1,), how many of each are filled.
    recent: uint64, a power of two, children written not long ago; at first a number that no child has. Most children come again
        and again from racks that stand near each other, and only those with better scores than before are written again.
    """

    states: npt.NDArray[np.uint64]
    count: npt.NDArray[np.int64]
    recent: npt.NDArray[np.uint64]


class Leaves(NamedTuple):
    """All distinct sub-multisets of a rack as leaves: shape (2 ** CLOSED_RACK,).

    hash: uint64, of the tiles that are kept.
    length: uint8, how many they are.
    rank: uint32, less the offset of their number, see `solver.index.kernels.ranks`.
    worth: int32, what the tiles kept cost as tiles drawn, in thousandths of a point.
    rise: uint32, shape (CLOSED_RACK + 1,), scratch.
    more: int32, shape (groups, 2 ** CLOSED_RACK), what holding them costs beside, by groups of numbers held.
    most: int32, what a play of these tiles scores at most, in thousandths of a point.
    needed: int32, what the play that keeps these tiles must score, in thousandths of a point.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.uint8]
    rank: npt.NDArray[np.uint32]
    worth: npt.NDArray[np.int32]
    rise: npt.NDArray[np.uint32]
    more: npt.NDArray[np.int32]
    most: npt.NDArray[np.int32]
    needed: npt.NDArray[np.int32]


@kernel
def fill_play_filter(hashes: npt.NDArray[np.uint64], filter_: npt.NDArray[np.uint64]) -> None:
    """Enter plays into the filter of `ScoredPlays`, zeros, a power of two."""
    shift = np.uint64(64 - _WORD_BITS - log2(filter_.shape[0]))
    for i in range(hashes.shape[0]):
        place = hashes[i] >> shift
        filter_[place >> _WORD] |= np.uint64(1) << (place & _BIT)


@kernel
def expand_bounded(
    first: int,
    racks: npt.NDArray[np.uint64],
    outlook: Outlook,
    groups: npt.NDArray[np.int64],
    least: int,
    plays: ScoredPlays,
    room: Room,
) -> int:
    """Write the children of racks, from `first` on, whose completion bounds are `least` thousandths of a point or more.

    Returns the first rack that was not expanded: all are, unless `room` is full.

    racks: packed, all with as many tiles.
    outlook: once those tiles are drawn.
    groups: which numbers of tiles held have the same prices, shape (rack + 1,): the first number of each group counts.
    """
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    slots, filter_, values = plays
    come, near, more = outlook
    out, count, recent = room
    slot_shift = np.uint64(64 - log2(slots.shape[0]))
    filter_shift, recent_shift = np.uint64(64 - _WORD_BITS - log2(filter_.shape[0])), np.uint64(64 - log2(recent.shape[0]))
    most = out.shape[1] - 252  # of one length: C(10, 5)
    leaves = _new_leaves(groups.max() + 1)
    hashes, lengths, ranks, _worth, _rise, _beside, most_points, needed = leaves
    tiles, lacking = np.zeros(CLOSED_RACK, np.int64), np.zeros(CLOSED_RACK + 1, np.int32)
    chosen, entries = np.zeros(_SUBSETS + 1, np.int64), np.zeros(_SUBSETS, np.uint64)
    for rack in range(first, racks.shape[0]):
        if count.max() > most:
            return rack
        size, left = unrank_tiles(packed_rank(racks[rack]), tiles), packed_left(racks[rack])
        score = packed_score(racks[rack])
        for held in range(size):
            lacking[held] = min(_FAR, max(-_FAR, least - POINT * score - come[left, held]))
        total = _all_leaves(tiles, size, near[left], leaves)
        _fill_more(tiles, size, more[left], groups, leaves)
        _fill_most(tiles, size, values, leaves)
        _fill_needed(total, lacking, groups, leaves)
        whole = hashes[total - 1]
        likely = 0
        for i in range(total - 1):  # the last one keeps all tiles
            chosen[likely] = i
            # the tiles of a play that keeps leave i are leave total - 1 - i
            likely += np.int64(needed[i] <= most_points[total - 1 - i])
        found = 0
        for j in range(likely):
            i = chosen[j]
            place = (whole - hashes[i]) >> filter_shift
            chosen[found] = i
            found += np.int64(filter_[place >> _WORD] >> (place & _BIT) & np.uint64(1))
        # all loads are under way before the first is needed
        for j in range(found):
            entries[j] = slots[(whole - hashes[chosen[j]]) >> slot_shift]
        for j in range(found):
            i = chosen[j]
            hashed = whole - hashes[i]
            slot = settled_slot(slots, hashed >> slot_shift, entries[j], hashed)
            gained, held = np.int64(slots[slot] & SCORE_MASK), np.int64(lengths[i])
            if slots[slot] == np.uint64(0) or POINT * gained < needed[i]:
                continue
            child = packed(np.uint64(ranks[i]) + OFFSET[held], left, score + gained)
            place = (child >> SCORE_SHIFT) * MIX >> recent_shift
            if recent[place] >> SCORE_SHIFT == child >> SCORE_SHIFT and recent[place] >= child:
                continue
            recent[place] = child
            out[size - held, count[size - held]] = child
            count[size - held] += 1
    return racks.shape[0]


@kernel
def _new_leaves(groups: int) -> Leaves:
    """Room for the leaves of one rack."""
    return Leaves(
        np.zeros(_SUBSETS, np.uint64),
        np.zeros(_SUBSETS, np.uint8),
        np.zeros(_SUBSETS, np.uint32),
        np.zeros(_SUBSETS, np.int32),
        np.zeros(CLOSED_RACK + 1, np.uint32),
        np.zeros((groups, _SUBSETS), np.int32),
        np.zeros(_SUBSETS, np.int32),
        np.zeros(_SUBSETS, np.int32),
    )


@borrowing
def _all_leaves(tiles: npt.NDArray[np.int64], size: int, near: npt.NDArray[np.int64], leaves: Leaves) -> int:
    """Fill the first five arrays with a rack's distinct sub-multisets, the empty one first, all tiles last; returns how many.

    Of equal tiles the first ones are kept, so that every sub-multiset is met once.
    """
    hashes, lengths, ranks, worth = leaves.hash, leaves.length, leaves.rank, leaves.worth
    rise = leaves.rise
    hashes[0] = 0
    lengths[0] = 0
    ranks[0] = 0
    worth[0] = 0
    count = 1
    place = 0
    while place < size:
        tile = tiles[place]
        before = count
        more_hash, copies = np.uint64(0), 0
        rise[:] = 0
        while place < size and tiles[place] == tile:
            copies += 1
            more_hash += TILE_HASH[tile]
            for kept in range(CLOSED_RACK - copies + 1):
                rise[kept] += np.uint32(CHOOSE[kept + copies, tile])
            more_length, cost = np.uint8(copies), np.int32(near[tile, copies])
            # one array a loop, so that each becomes vector instructions
            for i in range(before):
                hashes[count + i] = hashes[i] + more_hash
            for i in range(before):
                lengths[count + i] = lengths[i] + more_length
            for i in range(before):
                ranks[count + i] = ranks[i] + rise[lengths[i]]
            for i in range(before):
                worth[count + i] = worth[i] + cost
            count += before
            place += 1
    return count


@borrowing
def _fill_more(
    tiles: npt.NDArray[np.int64],
    size: int,
    more: npt.NDArray[np.int64],
    groups: npt.NDArray[np.int64],
    leaves: Leaves,
) -> None:
    """Fill `more` of the leaves of a rack, in the order of `_all_leaves`; more: prices by tiles held and code."""
    group = -1
    for held in range(size):
        if groups[held] == group:
            continue
        group = groups[held]
        sums = leaves.more[group]
        sums[0] = 0
        count = 1
        place = 0
        while place < size:
            tile = tiles[place]
            price, cost = np.int32(more[held, tile]), np.int32(0)
            before = count
            while place < size and tiles[place] == tile:
                cost += price
                for i in range(before):
                    sums[count + i] = sums[i] + cost
                count += before
                place += 1


@borrowing
def _fill_most(tiles: npt.NDArray[np.int64], size: int, values: npt.NDArray[np.int32], leaves: Leaves) -> None:
    """Fill `most` of the leaves of a rack, in the order of `_all_leaves`.

    Tiles score most in the order of their values. The tiles of a rack stand in the order of their codes, so that each counts as
    the dearest one up to it: the sum is then the most in that order, and too high where a dear tile has a low code.
    """
    most, lengths = leaves.most, leaves.length
    most[0] = 0
    count = 1
    place = 0
    dearest = np.int32(0)
    while place < size:
        tile = tiles[place]
        dearest = max(dearest, np.int32(POINT * values[tile]))
        before = count
        while place < size and tiles[place] == tile:
            # one copy more than in the leaves before; it stands at the end
            for i in range(count, count + before):
                most[i] = most[i - before] + dearest * np.int32(lengths[i])
            count += before
            place += 1


@borrowing
def _fill_needed(total: int, lacking: npt.NDArray[np.int32], groups: npt.NDArray[np.int64], leaves: Leaves) -> None:
    """Fill `needed` of `total` leaves; lacking: by tiles held, what is missing without the points of the play and the leave."""
    lengths, worth, more, needed = leaves.length, leaves.worth, leaves.more, leaves.needed
    for i in range(total):
        held = np.int64(lengths[i])
        needed[i] = lacking[held] - worth[i] - more[groups[held], i]
