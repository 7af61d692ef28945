"""Plays of a sweep's racks, pruned by their completion bounds before the closed index is searched for them.

The leave after a play determines the completion bound except for the points of the play. If the tiles of the play cannot score
the points that are still needed, in any order, the play is pruned without a look-up. In layers with few useful states this
prunes nearly all plays. So is a play that cannot score more than one that led to the same leave a short time ago; where many
states are useful, that is most of them. A Bloom filter with one hash then rejects most multisets of tiles that no play uses.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.outlook import Outlook
from solver.bound.kernels.packed_states import packed, packed_left, packed_rank, packed_score
from solver.bound.kernels.rack_halves import (
    HIGH_LEAVES,
    LOW_LEAVES,
    Half,
    Reach,
    fill_half,
    fill_reach,
    new_half,
    new_rack,
    new_reach,
    sort_by_value,
)
from solver.compiled import borrowing, kernel
from solver.index.kernels.closed_index import SCORE_MASK, settled_slot
from solver.index.kernels.hashing import log2
from solver.index.kernels.ranks import CHOOSE, OFFSET, unrank_tiles
from solver.model.racks import CLOSED_RACK
from solver.model.units import POINT

_SUBSETS = 1 << CLOSED_RACK
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
        recent: uint64, shape (a power of two, 2), a hash table of the leaves of children written recently: the hash of the
            leave, and the score of the child in thousandths of a point. At first it is filled with a number that is the hash of
            no leave: all bits set. Neighbouring racks have many leaves in common. A child with a leave that the table still has
            is written only if its score is higher. No two leaves have the same hash.
    """

    states: npt.NDArray[np.uint64]
    count: npt.NDArray[np.int64]
    recent: npt.NDArray[np.uint64]


class Plays(NamedTuple):
    """Plays of a rack that are not ruled out yet: the first ones of each array, shape (2 ** CLOSED_RACK + 1,).

    Attributes:
        hash: uint64, of the leave, or of the tiles played.
        low: int64, the number of the part of the leave in the lower half.
        high: int64, the place of its other part in `Reach`.
        entry: uint64, what the first slot of the index holds.
        score: int64, the score after the play, in points.
    """

    hash: npt.NDArray[np.uint64]
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    entry: npt.NDArray[np.uint64]
    score: npt.NDArray[np.int64]


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
        racks: packed, of equal size, all with the same number of tiles drawn and the same left draws, shape (n,).
        outlook: the outlook after these draws.
        groups: the group of each number of tiles held, ascending from 0, shape (rack + 1,). Numbers of one group have the same
            prices of holding a tile.
        least: the lowest useful completion bound, in thousandths of a point.
        plays: the plays of the closed index.
        room: the buffers for children.

    Returns:
        The index of the first rack not expanded: the number of racks, unless `room` is full.
    """
    # tuples are unpacked before the loop: numba counts the references to each array that is taken out of one
    count, kinds, left = room.count, groups.max() + 1, packed_left(racks[first])
    full = room.states.shape[1] - 252  # a rack has at most C(10, 5) children of one length
    low, high, reach = new_half(kinds, LOW_LEAVES), new_half(kinds, HIGH_LEAVES), new_reach(kinds)
    codes, rack, last_high = np.zeros(CLOSED_RACK, np.int64), new_rack(plays.values), np.full(CLOSED_RACK, -1, np.int64)
    found = Plays(
        np.zeros(_SUBSETS + 1, np.uint64),
        np.zeros(_SUBSETS + 1, np.int64),
        np.zeros(_SUBSETS + 1, np.int64),
        np.zeros(_SUBSETS + 1, np.uint64),
        np.zeros(_SUBSETS + 1, np.int64),
    )
    tiles, rest, last_lows, high_total = rack.tiles, outlook.rest[left], -1, 0
    for number in range(first, racks.shape[0]):
        if count.max() > full:
            return number
        size, score = unrank_tiles(packed_rank(racks[number]), codes), packed_score(racks[number])
        lows = sort_by_value(codes, size, rack)
        is_new = lows != last_lows
        for place in range(lows, size):
            is_new |= tiles[place] != last_high[place]
            last_high[place] = tiles[place]
        if is_new:
            high_total = fill_half(tiles[lows:size], outlook, left, groups, plays.values, high)
            fill_reach(high, high_total, lows, rest, groups, reach)
            last_lows = lows
        total = fill_half(tiles[:lows], outlook, left, groups, plays.values, low)
        whole = low.hash[total - 1] + high.hash[high_total - 1]
        some = _list_plays(score, least, low, total, reach, room.recent, found)
        some = _pass_filter(some, whole, plays.filter, found)
        some = _look_up(some, whole, score, plays.slots, found)
        for i in range(some):
            low_leaf, at, leave = found.low[i], found.high[i], found.hash[i]
            high_leaf = reach.leaf[at]
            held = low.length[low_leaf] + high.length[high_leaf]
            bound = POINT * found.score[i] + low.worth[groups[held], low_leaf] + reach.kept[low.length[low_leaf], at]
            if bound < least or not _is_better(leave, POINT * found.score[i], room.recent):
                continue
            kept = low.places[low_leaf] | high.places[high_leaf] << lows
            length, rank = size - held, OFFSET[held]
            held = 0
            for place in range(size):
                is_kept = kept >> rack.order[place] & 1
                held += is_kept
                rank += CHOOSE[held, codes[place]] * np.uint64(is_kept)
            room.states[length, count[length]] = packed(rank, left, found.score[i])
            count[length] += 1
    return racks.shape[0]


# All functions below count what they keep without a branch: the processor would often guess wrong.


@borrowing
def _list_plays(
    score: int, least: int, low: Half, total: int, reach: Reach, recent: npt.NDArray[np.uint64], found: Plays
) -> int:
    """List the plays that may score enough, and more than a recent child with the same leave; return their number.

    Args:
        score: the score before the play, in points.
        least: the lowest useful completion bound, in thousandths of a point.
        low: the leaves of the lower half.
        total: the number of these leaves.
        reach: what those of the higher half can reach.
        recent: see `Room`.
        found: `hash`, `low` and `high` are filled.
    """
    hashes, lows, highs, _entry, likely_highs = found
    shift = np.uint64(64 - log2(recent.shape[0]))
    some = 0
    for leaf in range(total):
        held, hashed, gain = low.length[leaf], low.hash[leaf], POINT * score + low.most[total - 1 - leaf]
        likely = 0
        for group in range(low.worth.shape[0]):
            lacking = least - low.worth[group, leaf] - gain
            if reach.most[held, group] >= lacking:
                for at in range(reach.begin[held, group], reach.begin[held, group + 1]):
                    likely_highs[likely] = at
                    likely += np.int64(reach.kept[held, at] + reach.gain[held, at] >= lacking)
        for i in range(likely):
            at = likely_highs[i]
            leave = hashed + reach.hash[at]
            slot = leave >> shift
            hashes[some], lows[some], highs[some] = leave, leaf, at
            some += np.int64((recent[slot, 0] != leave) | (np.int64(recent[slot, 1]) < gain + reach.gain[held, at]))
    return some


@borrowing
def _pass_filter(count: int, whole: np.uint64, filter_: npt.NDArray[np.uint64], found: Plays) -> int:
    """Keep the plays that the filter knows. `whole` is the hash of the rack; from here on `hash` is that of the play."""
    hashes, lows, highs, _entry, _score = found
    shift = np.uint64(64 - _WORD_BITS - log2(filter_.shape[0]))
    some = 0
    for i in range(count):
        played = whole - hashes[i]
        place = played >> shift
        hashes[some], lows[some], highs[some] = played, lows[i], highs[i]
        some += np.int64(filter_[place >> _WORD] >> (place & _BIT) & np.uint64(1))
    return some


@borrowing
def _look_up(count: int, whole: np.uint64, score: int, slots: npt.NDArray[np.uint64], found: Plays) -> int:
    """Keep the plays of the index, and fill `score`; from here on `hash` is that of the leave again."""
    hashes, lows, highs, entries, scores = found
    shift = np.uint64(64 - log2(slots.shape[0]))
    # a loop of loads alone: the processor starts all of them before the first value is needed
    for i in range(count):
        entries[i] = slots[hashes[i] >> shift]
    some = 0
    for i in range(count):
        slot = settled_slot(slots, hashes[i] >> shift, entries[i], hashes[i])
        hashes[some], lows[some], highs[some] = whole - hashes[i], lows[i], highs[i]
        scores[some] = score + np.int64(slots[slot] & SCORE_MASK)
        some += np.int64(slots[slot] != np.uint64(0))
    return some


@borrowing
def _is_better(leave: np.uint64, score: int, recent: npt.NDArray[np.uint64]) -> bool:
    """Return whether a child is better than a recent one with the same leave, and enter it if so; see `Room`."""
    slot = leave >> np.uint64(64 - log2(recent.shape[0]))
    if recent[slot, 0] == leave and np.int64(recent[slot, 1]) >= score:
        return False
    recent[slot, 0], recent[slot, 1] = leave, np.uint64(score)
    return True
