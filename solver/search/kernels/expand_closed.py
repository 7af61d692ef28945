"""Plays of a beam's racks on the closed index, cut off before anything is stored.

This is where a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, a few hundred where tiles repeat.
Their hashes are sums, made by doubling, and each is looked up in a filter that fits the processor's cache: no load waits
for another, and few sub-multisets are worth a second look. A walk down a trie visits fewer places, but waits at each.
"""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.closed_index import SCORE_MASK, UNREACHABLE, needed_entry, settled_slot
from solver.index.kernels.hashing import TILE_HASH
from solver.index.kernels.ranks import CHOOSE, OFFSET, unrank_tiles
from solver.model.racks import CLOSED_RACK
from solver.model.units import SCALE
from solver.search.kernels.closed_plays import ClosedPlays, HashedRow, Rack, Setups, Subsets
from solver.search.kernels.fishing import MOST_LANDINGS, fish, new_scratch
from solver.search.kernels.states import Children, Cutoffs, DrawnRacks, left_of, packed_key, packed_move, rank_of, write_child

_SUBSETS = 1 << CLOSED_RACK
_MOST_PLAYS = 252  # of one length: C(10, 5)


@kernel
def expand_closed(
    first: int, stop: int, racks: DrawnRacks, row: HashedRow, cutoffs: Cutoffs, plays: ClosedPlays, out: Children
) -> int:
    """Write the children of racks `first` to `stop` that reach their layers' cut-offs, two plays ahead where `cutoffs` say so.

    Returns the first rack that was not expanded: `stop`, or less where a buffer of `out` is nearly full.
    """
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    key, rack_priority, rack_score, rack_parent, rack_left = racks
    slots, ranks, slot_shift = plays.slots, plays.ranks, plays.slot_shift
    filter_, filter_shift, prices, excess = plays.filter, plays.filter_shift, plays.prices, plays.excess
    cutoff, setup_cutoff, wanted = cutoffs.layers, cutoffs.setups, _lower(cutoffs.layers, cutoffs.setups)
    out_count, room = out.count, out.states.key.shape[1] - _MOST_PLAYS - (MOST_LANDINGS if len(cutoffs.landings) > 0 else 0)
    tiles, need = np.zeros(CLOSED_RACK, np.int64), np.full(CLOSED_RACK + 1, UNREACHABLE, np.uint8)
    subsets = _new_subsets()
    hashes, lengths, members, costs = subsets
    chosen, entries = np.zeros(_SUBSETS + 1, np.int64), np.zeros(_SUBSETS, np.uint64)
    setup, setup_slot, scratch = np.zeros(_SUBSETS, np.int64), np.zeros(_SUBSETS, np.uint64), new_scratch(CLOSED_RACK)
    for rack in range(first, stop):
        if out_count[1:].max() > room:
            return rack
        size, left = unrank_tiles(rank_of(key[rack]), tiles), left_of(key[rack])
        near = min(left, prices.shape[0] - 1)
        priority, score, parent = rack_priority[rack], np.int64(rack_score[rack]), np.int64(rack_parent[rack])
        _needed_entries(priority + _total(excess[near], tiles, size), wanted, plays.least, plays.step, need)
        count = _all_subsets(tiles, size, prices[near], hashes, lengths, members, costs)
        found = _promising(hashes, lengths, count, filter_, filter_shift, need, chosen)
        # all loads are under way before the first is needed
        for j in range(found):
            entries[j] = slots[hashes[chosen[j]] >> slot_shift]
        setups = 0
        for j in range(found):
            i = chosen[j]
            slot = settled_slot(slots, hashes[i] >> slot_shift, entries[j], hashes[i])
            entry = slots[slot]
            played, points = np.int64(lengths[i]), np.int64(entry & SCORE_MASK)
            child_priority = priority + SCALE * points - np.int64(costs[i])
            if entry == np.uint64(0):
                continue
            if child_priority >= setup_cutoff[played]:
                setup[setups], setup_slot[setups] = i, slot
                setups += 1
            if child_priority < cutoff[played]:
                continue
            play, leave = _parted(tiles, size, np.int64(members[i]))
            # marks are random: this makes them exact
            if ranks[slot] == play + OFFSET[played]:
                child, move = leave + OFFSET[size - played], packed_move(np.int64(rack_left[rack]), played)
                write_child(out, played, packed_key(child, np.uint64(left)), child_priority, score + points, parent, move)
        if setups > 0:
            here = Rack(tiles, size, left, np.int64(rack_left[rack]), priority, score, parent, prices[near])
            fish(here, subsets, Setups(setup[:setups], setup_slot[:setups]), row, cutoffs, plays, out, scratch)
    return stop


@kernel
def _new_subsets() -> Subsets:
    """Room for the sub-multisets of one rack."""
    return Subsets(
        np.zeros(_SUBSETS, np.uint64), np.zeros(_SUBSETS, np.uint8), np.zeros(_SUBSETS, np.uint16), np.zeros(_SUBSETS, np.int32)
    )


@kernel
def _lower(cutoffs: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """By length of the play, the lower of the two, shape (CLOSED_RACK + 1,)."""
    lower = np.empty(CLOSED_RACK + 1, np.int64)
    for length in range(1, CLOSED_RACK + 1):
        lower[length] = min(cutoffs[length], others[length])
    return lower


@kernel
def _total(prices: npt.NDArray[np.int64], tiles: npt.NDArray[np.int64], size: int) -> int:
    """The sum of the prices of tiles."""
    total = 0
    for place in range(size):
        total += prices[tiles[place]]
    return total


@kernel
def _needed_entries(
    priority: int,
    wanted: npt.NDArray[np.int64],
    least: npt.NDArray[np.int64],
    step: npt.NDArray[np.int64],
    need: npt.NDArray[np.uint8],
) -> None:
    """Fill `need`, by length, with the least entry of the filter that may stand for a play of use.

    priority: of the rack, and what the worths of the filter may be too low by.
    """
    for length in range(1, CLOSED_RACK + 1):
        # priority + worth >= wanted
        need[length] = needed_entry(wanted[length] - priority, least[length], step[length])


@kernel
def _all_subsets(
    tiles: npt.NDArray[np.int64],
    size: int,
    price: npt.NDArray[np.int64],
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    members: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.int32],
) -> int:
    """Fill hashes to costs, see `Subsets`, with all distinct sub-multisets of a rack, the empty one first; returns how many.

    Of equal tiles the first ones are taken, so that every sub-multiset is met once.
    """
    hashes[0] = 0
    lengths[0] = 0
    members[0] = 0
    costs[0] = 0
    count = 1
    place = 0
    while place < size:
        tile = tiles[place]
        before = count
        more_hash = np.uint64(0)
        more_members = np.uint16(0)
        more_length = np.uint8(0)
        more_cost = np.int32(0)
        while place < size and tiles[place] == tile:
            more_hash += TILE_HASH[tile]
            more_members |= np.uint16(1 << place)
            more_length += np.uint8(1)
            more_cost += np.int32(price[tile])
            # one array a loop, so that each becomes vector instructions
            for i in range(before):
                hashes[count + i] = hashes[i] + more_hash
            for i in range(before):
                lengths[count + i] = lengths[i] + more_length
            for i in range(before):
                members[count + i] = members[i] | more_members
            for i in range(before):
                costs[count + i] = costs[i] + more_cost
            count += before
            place += 1
    return count


@kernel
def _promising(
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    count: int,
    filter_: npt.NDArray[np.uint8],
    shift: np.uint64,
    need: npt.NDArray[np.uint8],
    chosen: npt.NDArray[np.int64],
) -> int:
    """Write to `chosen` which of the first `count` subsets the filter lets through; returns how many."""
    found = 0
    for i in range(count):
        chosen[found] = i
        found += np.int64(filter_[hashes[i] >> shift] >= need[lengths[i]])
    return found


@kernel
def _parted(tiles: npt.NDArray[np.int64], size: int, inside: int) -> tuple[np.uint64, np.uint64]:
    """The ranks, less their offsets, of the tiles at the places `inside` a play and of the others."""
    play, leave = np.uint64(0), np.uint64(0)
    taken_before, kept = 0, 0
    for place in range(size):
        taken = (inside >> place) & 1
        taken_before += taken
        kept += 1 - taken
        # without a branch, which would be guessed wrong every other time
        play += CHOOSE[taken_before, tiles[place]] * np.uint64(taken)
        leave += CHOOSE[kept, tiles[place]] * np.uint64(1 - taken)
    return play, leave
