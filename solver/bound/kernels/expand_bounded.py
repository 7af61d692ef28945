"""Plays of a sweep's racks, pruned by their completion bounds before the closed index is searched for them.

The leave after a play determines the completion bound except for the points of the play. If the tiles of the play cannot score
the points that are still needed, in any order, the play is pruned without a look-up. In layers with few useful states this
prunes nearly all plays. A Bloom filter with one hash then rejects most multisets of tiles that no play uses.
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
_FAR = 1 << 28  # thousandths of a point that no play scores; needed points are clipped so that sums with prices fit 32 bits
_WORD_BITS = 6  # an element of the filter has 2 ** 6 bits
_WORD, _BIT = np.uint64(_WORD_BITS), np.uint64((1 << _WORD_BITS) - 1)


class ScoredPlays(NamedTuple):
    """The plays of the closed index.

    Attributes:
        slots: uint64, the hash table from a multiset of tiles to its best score, see `solver.index.kernels.closed_index`. The
            table mistakes one multiset for another in one pair of 2**59. Such a false play can only make a bound higher.
        filter: uint64, its length a power of two, one bit for each value of the highest bits of a hash, set if any play has it.
            It should fit into the processor's cache and have at least eight bits for each play.
        values: int32, shape (N_CODES,), in points, by code; 0 for the blank.
    """

    slots: npt.NDArray[np.uint64]
    filter: npt.NDArray[np.uint64]
    values: npt.NDArray[np.int32]


class Room(NamedTuple):
    """Buffers for children.

    Attributes:
        states: uint64, shape (CLOSED_RACK + 1, capacity), packed, by the length of the play.
        count: int64, shape (CLOSED_RACK + 1,), the number of children in each row of `states`.
        recent: uint64, its length a power of two, a hash table of children written recently; at first filled with a number that
            no child has. Neighbouring racks have many children in common. A child that the table still has is written again
            only with a higher score.
    """

    states: npt.NDArray[np.uint64]
    count: npt.NDArray[np.int64]
    recent: npt.NDArray[np.uint64]


class RackLeaves(NamedTuple):
    """All distinct sub-multisets of a rack as leaves, as `_all_leaves` orders them: shape (2 ** CLOSED_RACK,) unless given.

    Attributes:
        hash: uint64, of the tiles kept.
        length: uint8, the number of tiles kept.
        rank: uint32, without the offset of this length, see `solver.index.kernels.ranks`.
        playing: int32, the sum of `Outlook.playing` over these tiles: the prices of playing the cheapest ones drawn of their
            codes, in thousandths of a point.
        rise: uint32, shape (CLOSED_RACK + 1,), scratch: what copies of a tile add to a rank, by the number of tiles before.
        holding: int32, shape (groups, 2 ** CLOSED_RACK), the sum of `Outlook.holding` over these tiles: the prices of holding
            them, in thousandths of a point. The first axis is the group of the number of tiles held, see `expand_bounded`.
        most: int32, an upper bound of the score of a play of these tiles, in thousandths of a point.
        needed: int32, the lowest score of a useful play that keeps these tiles, in thousandths of a point.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.uint8]
    rank: npt.NDArray[np.uint32]
    playing: npt.NDArray[np.int32]
    rise: npt.NDArray[np.uint32]
    holding: npt.NDArray[np.int32]
    most: npt.NDArray[np.int32]
    needed: npt.NDArray[np.int32]


@kernel
def fill_play_filter(hashes: npt.NDArray[np.uint64], filter_: npt.NDArray[np.uint64]) -> None:
    """Enter plays into a filter of `ScoredPlays`.

    Args:
        hashes: the hashes of the plays, shape (n,).
        filter_: zeros; its length is a power of two.
    """
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
    """Write the children whose completion bounds are at least `least`, of all racks from rack `first` on.

    Args:
        first: the index of the first rack to expand.
        racks: packed, all with the same number of tiles drawn, shape (n,).
        outlook: the outlook after these draws.
        groups: the group of each number of tiles held, ascending from 0, shape (rack + 1,). Numbers of one group have the same
            prices of holding a tile. So `RackLeaves.holding` is summed once for each group, from those of its first number.
        least: the lowest useful completion bound, in thousandths of a point.
        plays: the plays of the closed index.
        room: the buffers for children.

    Returns:
        The index of the first rack not expanded: the number of racks, unless `room` is full.
    """
    # tuples are unpacked before the loop: numba counts the references to each array that is taken out of one
    slots, filter_, values = plays
    rest, playing, holding = outlook
    out, count, recent = room
    slot_shift = np.uint64(64 - log2(slots.shape[0]))
    filter_shift, recent_shift = np.uint64(64 - _WORD_BITS - log2(filter_.shape[0])), np.uint64(64 - log2(recent.shape[0]))
    full = out.shape[1] - 252  # a rack has at most C(10, 5) children of one length
    leaves = _new_leaves(groups.max() + 1)
    hashes, lengths, ranks, _playing, _rise, _holding, most_points, needed = leaves
    tiles, lacking = np.zeros(CLOSED_RACK, np.int64), np.zeros(CLOSED_RACK + 1, np.int32)
    chosen, entries = np.zeros(_SUBSETS + 1, np.int64), np.zeros(_SUBSETS, np.uint64)
    for rack in range(first, racks.shape[0]):
        if count.max() > full:
            return rack
        size, left = unrank_tiles(packed_rank(racks[rack]), tiles), packed_left(racks[rack])
        score = packed_score(racks[rack])
        for held in range(size):
            lacking[held] = min(_FAR, max(-_FAR, least - POINT * score - rest[left, held]))
        total = _all_leaves(tiles, size, playing[left], leaves)
        _fill_holding(tiles, size, holding[left], groups, leaves)
        _fill_most(tiles, size, values, leaves)
        _fill_needed(total, lacking, groups, leaves)
        whole = hashes[total - 1]
        likely = 0  # the first `likely` of `chosen` may score enough; counted without a branch, as `passing` below
        for i in range(total - 1):  # the last one keeps all tiles
            chosen[likely] = i
            # the tiles of a play that keeps leave i are leave total - 1 - i
            likely += np.int64(needed[i] <= most_points[total - 1 - i])
        passing = 0
        for j in range(likely):
            i = chosen[j]
            place = (whole - hashes[i]) >> filter_shift
            chosen[passing] = i
            passing += np.int64(filter_[place >> _WORD] >> (place & _BIT) & np.uint64(1))
        # a loop of loads alone: the processor starts all of them before the first value is needed
        for j in range(passing):
            entries[j] = slots[(whole - hashes[chosen[j]]) >> slot_shift]
        for j in range(passing):
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
def _new_leaves(groups: int) -> RackLeaves:
    """Return empty arrays for the leaves of one rack."""
    return RackLeaves(
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
def _all_leaves(tiles: npt.NDArray[np.int64], size: int, prices: npt.NDArray[np.int64], leaves: RackLeaves) -> int:
    """Fill `hash`, `length`, `rank` and `playing` of a rack's distinct sub-multisets, and return their number.

    The empty one comes first, the whole rack last. The complement of number i is number total - 1 - i. Of equal tiles the first
    ones are kept, so that no sub-multiset comes twice.

    Args:
        tiles: the codes of the rack, ascending, shape (CLOSED_RACK,).
        size: the number of tiles in the rack.
        prices: `Outlook.playing` at the left draws of the rack, shape (N_CODES, rack + 1).
        leaves: the arrays to fill.
    """
    hashes, lengths, ranks, playing = leaves.hash, leaves.length, leaves.rank, leaves.playing
    rise = leaves.rise
    hashes[0] = 0
    lengths[0] = 0
    ranks[0] = 0
    playing[0] = 0
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
            more_length, cost = np.uint8(copies), np.int32(prices[tile, copies])
            # one loop for each array, so that each compiles to vector instructions
            for i in range(before):
                hashes[count + i] = hashes[i] + more_hash
            for i in range(before):
                lengths[count + i] = lengths[i] + more_length
            for i in range(before):
                ranks[count + i] = ranks[i] + rise[lengths[i]]
            for i in range(before):
                playing[count + i] = playing[i] + cost
            count += before
            place += 1
    return count


@borrowing
def _fill_holding(
    tiles: npt.NDArray[np.int64],
    size: int,
    holding: npt.NDArray[np.int64],
    groups: npt.NDArray[np.int64],
    leaves: RackLeaves,
) -> None:
    """Fill `holding` of a rack's leaves, from `Outlook.holding` at the rack's left draws, shape (rack + 1, N_CODES)."""
    group = -1
    for held in range(size):
        if groups[held] == group:
            continue
        group = groups[held]
        sums = leaves.holding[group]
        sums[0] = 0
        count = 1
        place = 0
        while place < size:
            tile = tiles[place]
            price, cost = np.int32(holding[held, tile]), np.int32(0)
            before = count
            while place < size and tiles[place] == tile:
                cost += price
                for i in range(before):
                    sums[count + i] = sums[i] + cost
                count += before
                place += 1


@borrowing
def _fill_most(tiles: npt.NDArray[np.int64], size: int, values: npt.NDArray[np.int32], leaves: RackLeaves) -> None:
    """Fill `most` of a rack's leaves.

    Tiles score most in ascending order of their values, but the tiles of a rack are in the order of their codes. Each tile
    counts with the highest value up to its place. The sum is exact if values rise with codes, and otherwise too high.
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
        copies = np.int32(0)
        while place < size and tiles[place] == tile:
            # the copies take the last positions
            copies += np.int32(1)
            per_tile, own = dearest * copies, dearest * (copies * (copies + np.int32(1)) // np.int32(2))
            for i in range(before):
                most[count + i] = most[i] + per_tile * np.int32(lengths[i]) + own
            count += before
            place += 1


@borrowing
def _fill_needed(total: int, lacking: npt.NDArray[np.int32], groups: npt.NDArray[np.int64], leaves: RackLeaves) -> None:
    """Fill `needed` of a rack's leaves.

    Args:
        total: the number of leaves.
        lacking: what the play and the prices of the leave must add to reach the lowest useful bound, by tiles held, shape
            (CLOSED_RACK + 1,), in thousandths of a point.
        groups: the group of each number of tiles held, shape (rack + 1,).
        leaves: the leaves.
    """
    lengths, playing, holding, needed = leaves.length, leaves.playing, leaves.holding, leaves.needed
    for i in range(total):
        needed[i] = lacking[np.int64(lengths[i])] - playing[i] - holding[0, i]
    # a loop for each group, so that each compiles to vector instructions
    for held in range(1, groups.shape[0]):
        group = groups[held]
        if group != groups[held - 1]:
            this, last = holding[group], holding[groups[held - 1]]
            for i in range(total):
                needed[i] += (last[i] - this[i]) * np.int32(lengths[i] >= held)
