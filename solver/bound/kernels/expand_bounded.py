"""Plays of a sweep's racks, pruned by their completion bounds before the closed index is searched for them.

The leave after a play determines the completion bound except for the points of the play. If the tiles of the play cannot score
the points that are still needed, in any order, the play is pruned without a look-up. In layers with few useful states this
prunes nearly all plays. So is a play that cannot score more than one that led to the same leave a short time ago; where many
states are useful, that is most of them. A Bloom filter with one hash then rejects most multisets of tiles that no play uses.

A rack is split into two halves, so that not all of its sub-multisets are looked at one by one. The lower half holds the tiles
of low value. Neighbouring racks often have the same higher half, and then what its leaves can reach is known already. The bound
of a leave of the whole rack is the sum of one figure from each half.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.completion_bounds import DEAD_END, BoundTerms
from solver.bound.kernels.packed_states import packed, packed_left, packed_rank, packed_score
from solver.compiled import borrowing, kernel
from solver.index.kernels.indexes import CHOOSE, OFFSET, SCORE_MASK, TILE_HASH, log2, settled_slot, unrank_tiles
from solver.model.tiles import CLOSED_RACK, N_CODES, POINT

_LOW_LEAVES = 1 << CLOSED_RACK // 2  # at most half of the tiles, all different
_HIGH_LEAVES = 1 << 7  # at most four different tiles and six of one kind: 112
_SUBSETS = 1 << CLOSED_RACK
_WORD_BITS = 6  # an element of the filter has 2 ** 6 bits
_WORD, _BIT = np.uint64(_WORD_BITS), np.uint64((1 << _WORD_BITS) - 1)


class ScoredPlays(NamedTuple):
    """The plays of the closed index.

    Attributes:
        slots: uint64, the hash table from a multiset of tiles to its best score, see `solver.index.kernels.indexes`. The
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
        recent: uint64, shape (a power of two, 2), a hash table of the leaves of children written recently: the hash of the
            leave, and the score of the child in thousandths of a point. At first it is filled with a number that is the hash of
            no leave: all bits set. Neighbouring racks have many leaves in common. A child with a leave that the table still has
            is written only if its score is higher. No two leaves have the same hash.
    """

    states: npt.NDArray[np.uint64]
    count: npt.NDArray[np.int64]
    recent: npt.NDArray[np.uint64]


class _Rack(NamedTuple):
    """A rack in the order of its values: all int64.

    Attributes:
        tiles: shape (CLOSED_RACK,), the codes of the tiles in ascending order of value, then code.
        order: shape (CLOSED_RACK,), the place in `tiles` of each tile in ascending order of code.
        ranking: shape (N_CODES,), the place of each code in ascending order of value, then code.
    """

    tiles: npt.NDArray[np.int64]
    order: npt.NDArray[np.int64]
    ranking: npt.NDArray[np.int64]


class _Half(NamedTuple):
    """All distinct sub-multisets of one half of a rack, as leaves: each array ends in an axis over them.

    The empty one comes first, the whole half last, and the complement of number i is number total - 1 - i. Of equal tiles the
    first ones are kept, so that no sub-multiset comes twice.

    Attributes:
        hash: uint64, of the tiles kept.
        length: int64, the number of tiles kept.
        places: int64, a bit for the place of each tile kept, within the half.
        value: int64, the sum of the values of these tiles, in thousandths of a point.
        most: int64, the most that these tiles score at the first positions of a word, in thousandths of a point.
        worth: int64, shape (groups, leaves), the prices of playing and of holding these tiles, in thousandths of a point. The
            first axis is the group of the number of tiles held, see `_groups`.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]
    worth: npt.NDArray[np.int64]


class _Reach(NamedTuple):
    """What the leaves of the higher half of a rack can reach, by the number of low tiles held.

    The leaves are sorted by length, so that those of a group of tiles held stand next to each other.

    Attributes:
        leaf: int64, shape (leaves,), the numbers of the leaves in this order.
        hash: uint64, shape (leaves,), their hashes.
        begin: int64, shape (low tiles held, groups + 1), the place of the first leaf of each group in it.
        kept: int64, shape (low tiles held, leaves), the worth of a leaf plus `BoundTerms.rest`, in thousandths of a point.
        gain: int64, shape (low tiles held, leaves), the most that the other tiles of the half score after the low tiles that
            are played, in thousandths of a point.
        most: int64, shape (low tiles held, groups), the highest sum of `kept` and `gain` in each group.
        likely: int64, shape (leaves,), room for the leaves that may reach enough with one of the lower half.
    """

    leaf: npt.NDArray[np.int64]
    hash: npt.NDArray[np.uint64]
    begin: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]
    gain: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]
    likely: npt.NDArray[np.int64]


class _Plays(NamedTuple):
    """Plays of a rack that are not ruled out yet: the first ones of each array, shape (2 ** CLOSED_RACK + 1,).

    Attributes:
        leave: uint64, the hash of the leave; the tiles played have the hash of the rack less this one.
        low: int64, the number of the part of the leave in the lower half.
        high: int64, the place of its other part in `_Reach`.
        slot: uint64, what the first slot of the index holds.
        score: int64, the score after the play, in points.
    """

    leave: npt.NDArray[np.uint64]
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    slot: npt.NDArray[np.uint64]
    score: npt.NDArray[np.int64]


@kernel
def expand_bounded(
    first: int,
    racks: npt.NDArray[np.uint64],
    terms: BoundTerms,
    least: int,
    plays: ScoredPlays,
    room: Room,
) -> int:
    """Write the children whose completion bounds are at least `least`, of all racks from rack `first` on.

    Args:
        first: the index of the first rack to expand.
        racks: packed, of equal size, all with the same number of tiles drawn and the same left draws, shape (n,).
        terms: those of the completion bounds of leaves after these draws; only the first focus counts.
        least: the lowest useful completion bound, in thousandths of a point.
        plays: the plays of the closed index.
        room: the buffers for children.

    Returns:
        The index of the first rack not expanded: the number of racks, unless `room` is full.
    """
    # tuples are unpacked before the loop: numba counts the references to each array that is taken out of one
    count, left = room.count, packed_left(racks[first])
    rest, worth = terms.rest[0, :, left], terms.worth[0, :, left]
    groups = _groups(worth)
    kinds = groups[-1] + 1
    full = room.states.shape[1] - 252  # a rack has at most C(10, 5) children of one length
    low, high, reach = _new_half(kinds, _LOW_LEAVES), _new_half(kinds, _HIGH_LEAVES), _new_reach(kinds)
    codes, rack, last_high = np.zeros(CLOSED_RACK, np.int64), _new_rack(plays.values), np.full(CLOSED_RACK, -1, np.int64)
    hashes, figures = np.zeros((2, _SUBSETS + 1), np.uint64), np.zeros((3, _SUBSETS + 1), np.int64)
    found = _Plays(hashes[0], figures[0], figures[1], hashes[1], figures[2])
    tiles, last_lows, high_total = rack.tiles, -1, 0
    for number in range(first, racks.shape[0]):
        if count.max() > full:
            return number
        size, score = unrank_tiles(packed_rank(racks[number]), codes), packed_score(racks[number])
        lows = _sort_by_value(codes, size, rack)
        is_new = lows != last_lows
        for place in range(lows, size):
            is_new |= tiles[place] != last_high[place]
            last_high[place] = tiles[place]
        if is_new:
            high_total = _fill_half(tiles[lows:size], worth, groups, plays.values, high)
            _fill_reach(high, high_total, lows, rest, groups, reach)
            last_lows = lows
        total = _fill_half(tiles[:lows], worth, groups, plays.values, low)
        whole = low.hash[total - 1] + high.hash[high_total - 1]
        some = _list_plays(POINT * score, least, low, total, reach, room.recent, found)
        some = _pass_filter(some, whole, plays.filter, found)
        some = _look_up(some, whole, score, plays.slots, found)
        for i in range(some):
            low_leaf, at = found.low[i], found.high[i]
            high_leaf, low_held = reach.leaf[at], low.length[low_leaf]
            held = low_held + high.length[high_leaf]
            points = POINT * found.score[i]
            bound = points + low.worth[groups[held], low_leaf] + reach.kept[low_held, at]
            if bound >= least and _is_better(found.leave[i], points, room.recent):
                kept = low.places[low_leaf] | high.places[high_leaf] << lows
                length = size - held
                room.states[length, count[length]] = packed(_rank_of(kept, size, codes, rack.order), left, found.score[i])
                count[length] += 1
    return racks.shape[0]


@kernel
def _groups(worth: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the group of each number of tiles held, ascending from 0; their tiles are worth the same in each group."""
    groups = np.zeros(len(worth), np.int64)
    for held in range(1, len(worth)):
        groups[held] = groups[held - 1] + np.int64((worth[held] != worth[held - 1]).any())
    return groups


@borrowing
def _rank_of(kept: int, size: int, codes: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> np.uint64:
    """Return the rank of a leave, from a bit in `kept` for the place of each of its tiles in the order of `_Rack.tiles`."""
    held, rank = 0, np.uint64(0)
    for place in range(size):
        is_kept = kept >> order[place] & 1
        held += is_kept
        rank += CHOOSE[held, codes[place]] * np.uint64(is_kept)
    return rank + OFFSET[held]


# All functions below count what they keep without a branch: the processor would often guess wrong.


@borrowing
def _list_plays(
    score: int, least: int, low: _Half, total: int, reach: _Reach, recent: npt.NDArray[np.uint64], found: _Plays
) -> int:
    """List the plays that may score enough, and more than a recent child with the same leave; return their number.

    Args:
        score: the score before the play, in thousandths of a point.
        least: the lowest useful completion bound, in thousandths of a point.
        low: the leaves of the lower half.
        total: the number of these leaves.
        reach: what those of the higher half can reach.
        recent: see `Room`.
        found: the plays; `leave`, `low` and `high` are filled.
    """
    leaves, lows, highs, _slot, _score = found
    likely = reach.likely
    shift = np.uint64(64 - log2(recent.shape[0]))
    some = 0
    for leaf in range(total):
        held, hashed, most = low.length[leaf], low.hash[leaf], score + low.most[total - 1 - leaf]
        count = 0
        for group in range(low.worth.shape[0]):
            lacking = least - low.worth[group, leaf] - most
            if reach.most[held, group] >= lacking:
                for at in range(reach.begin[held, group], reach.begin[held, group + 1]):
                    likely[count] = at
                    count += np.int64(reach.kept[held, at] + reach.gain[held, at] >= lacking)
        for i in range(count):
            at = likely[i]
            leave = hashed + reach.hash[at]
            slot = leave >> shift
            leaves[some], lows[some], highs[some] = leave, leaf, at
            some += np.int64((recent[slot, 0] != leave) | (np.int64(recent[slot, 1]) < most + reach.gain[held, at]))
    return some


@borrowing
def _pass_filter(count: int, whole: np.uint64, filter_: npt.NDArray[np.uint64], found: _Plays) -> int:
    """Keep the plays that the filter knows, and return their number. `whole` is the hash of the rack."""
    leaves, lows, highs, _slot, _score = found
    shift = np.uint64(64 - _WORD_BITS - log2(filter_.shape[0]))
    some = 0
    for i in range(count):
        place = (whole - leaves[i]) >> shift
        leaves[some], lows[some], highs[some] = leaves[i], lows[i], highs[i]
        some += np.int64(filter_[place >> _WORD] >> (place & _BIT) & np.uint64(1))
    return some


@borrowing
def _look_up(count: int, whole: np.uint64, score: int, index: npt.NDArray[np.uint64], found: _Plays) -> int:
    """Keep the plays of the index, fill their `score`, and return their number. `score` is that before the play, in points."""
    leaves, lows, highs, slots, scores = found
    shift = np.uint64(64 - log2(index.shape[0]))
    # a loop of loads alone: the processor starts all of them before the first value is needed
    for i in range(count):
        slots[i] = index[(whole - leaves[i]) >> shift]
    some = 0
    for i in range(count):
        played = whole - leaves[i]
        slot = index[settled_slot(index, played >> shift, slots[i], played)]
        leaves[some], lows[some], highs[some] = leaves[i], lows[i], highs[i]
        scores[some] = score + np.int64(slot & SCORE_MASK)
        some += np.int64(slot != np.uint64(0))
    return some


@borrowing
def _is_better(leave: np.uint64, score: int, recent: npt.NDArray[np.uint64]) -> bool:
    """Return whether a child is better than a recent one with the same leave, and enter it if so; see `Room`."""
    slot = leave >> np.uint64(64 - log2(recent.shape[0]))
    if recent[slot, 0] == leave and np.int64(recent[slot, 1]) >= score:
        return False
    recent[slot, 0], recent[slot, 1] = leave, np.uint64(score)
    return True


@kernel
def _new_rack(values: npt.NDArray[np.int32]) -> _Rack:
    """Return an empty rack, from the value of each code in points, shape (N_CODES,)."""
    ranking = np.empty(N_CODES, np.int64)
    ranking[np.argsort(values, kind="mergesort")] = np.arange(N_CODES)
    return _Rack(np.zeros(CLOSED_RACK, np.int64), np.zeros(CLOSED_RACK, np.int64), ranking)


@kernel
def _new_half(groups: int, leaves: int) -> _Half:
    """Return empty arrays for up to `leaves` leaves of half a rack, and `groups` groups of tiles held."""
    figures = np.zeros((4, leaves), np.int64)
    worth = np.zeros((groups, leaves), np.int64)
    return _Half(np.zeros(leaves, np.uint64), figures[0], figures[1], figures[2], figures[3], worth)


@kernel
def _new_reach(groups: int) -> _Reach:
    """Return empty arrays for the leaves of the higher half of a rack, and `groups` groups of tiles held."""
    low_held, leaves = CLOSED_RACK // 2 + 1, _HIGH_LEAVES + 1
    begin, most = np.zeros((low_held, groups + 1), np.int64), np.zeros((low_held, groups), np.int64)
    figures, numbers = np.zeros((2, low_held, leaves), np.int64), np.zeros((2, leaves), np.int64)
    return _Reach(numbers[0], np.zeros(leaves, np.uint64), begin, figures[0], figures[1], most, numbers[1])


@borrowing
def _sort_by_value(codes: npt.NDArray[np.int64], size: int, rack: _Rack) -> int:
    """Sort the `size` tiles of a rack, given by ascending codes, and return the number of tiles in its lower half.

    The lower half has at most half of the tiles. Equal tiles are in the same half.
    """
    tiles, order, ranking = rack
    for place in range(size):
        at, rank = place, ranking[codes[place]]
        while at > 0 and ranking[tiles[at - 1]] > rank:
            tiles[at] = tiles[at - 1]
            at -= 1
        tiles[at] = codes[place]
    for place in range(size):
        at = 0
        while tiles[at] != codes[place]:
            at += 1
        order[place] = order[place - 1] + 1 if place > 0 and codes[place - 1] == codes[place] else at
    lows = size // 2
    while lows > 0 and tiles[lows - 1] == tiles[lows]:
        lows -= 1
    return lows


@borrowing
def _fill_half(
    tiles: npt.NDArray[np.int64],
    worth: npt.NDArray[np.int64],
    groups: npt.NDArray[np.int64],
    values: npt.NDArray[np.int32],
    half: _Half,
) -> int:
    """Fill a half with the leaves of its tiles, and return their number.

    Args:
        tiles: the codes of the half, equal ones next to each other, in ascending order of value.
        worth: `BoundTerms.worth` at the left draws of the rack, shape (rack + 1, N_CODES, rack + 1).
        groups: the group of each number of tiles held, shape (rack + 1,).
        values: the value of each code in points, shape (N_CODES,).
        half: the arrays to fill; number 0, which keeps no tile, stays as it is: all zeros.
    """
    hashes, lengths, places, value, most, in_group = half
    total, place = 1, 0
    while place < len(tiles):
        tile, before, start, copies = tiles[place], total, place, 0
        while place < len(tiles) and tiles[place] == tile:
            copies += 1
            more_hash, more_places = np.uint64(copies) * TILE_HASH[tile], ((1 << copies) - 1) << start
            more_value = copies * POINT * np.int64(values[tile])
            more_points = more_value * (copies + 1) // 2
            for i in range(before):
                hashes[total + i] = hashes[i] + more_hash
                places[total + i] = places[i] | more_places
                value[total + i] = value[i] + more_value
                # the copies take the last positions
                most[total + i] = most[i] + more_value * lengths[i] + more_points
                lengths[total + i] = lengths[i] + copies
            group = -1
            for held in range(len(groups)):
                if groups[held] > group:
                    group = groups[held]
                    for i in range(before):
                        in_group[group, total + i] = in_group[group, i] + worth[held, tile, copies]
            total += before
            place += 1
    return total


@borrowing
def _fill_reach(
    high: _Half, total: int, lows: int, rest: npt.NDArray[np.int64], groups: npt.NDArray[np.int64], reach: _Reach
) -> None:
    """Fill what the leaves of the higher half of a rack can reach.

    Args:
        high: the leaves.
        total: their number; the last one keeps the whole half.
        lows: the number of tiles in the lower half.
        rest: `BoundTerms.rest` at the left draws of the rack, shape (rack + 1,).
        groups: the group of each number of tiles held, shape (rack + 1,).
        reach: the arrays to fill.
    """
    hashes, lengths, _places, value, most_points, worth = high
    leaf, hash_, begin, kept, gain, most, _likely = reach
    size, at = lows + lengths[total - 1], 0
    for length in range(lengths[total - 1] + 1):
        for i in range(total):
            leaf[at], hash_[at] = i, hashes[i]
            at += np.int64(lengths[i] == length)
    for low_held in range(lows + 1):
        for group in range(most.shape[1]):
            begin[low_held, group], most[low_held, group] = total, DEAD_END
        begin[low_held, most.shape[1]] = total
        for at in range(total - 1, -1, -1):
            i = leaf[at]
            held, other = low_held + lengths[i], total - 1 - i
            group = groups[held]
            begin[low_held, group] = at
            gain[low_held, at] = most_points[other] + (lows - low_held) * value[other]
            # a play takes at least one tile
            kept[low_held, at] = rest[held] + worth[group, i] if held < size else DEAD_END
            most[low_held, group] = max(most[low_held, group], kept[low_held, at] + gain[low_held, at])
