"""Plays of a beam's racks on the closed index, with children below the cut-off dropped before they are stored.

This is where a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, and a few hundred if tiles repeat.
Their hashes are sums, and each new tile doubles the list of them. Each hash is looked up in a filter that fits the processor's
cache. So no load waits for another, and few sub-multisets pass. A walk down a trie visits fewer places, but waits at each.
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
_MOST_PLAYS = 252  # plays of one length: C(10, 5)


@kernel
def expand_closed(
    first: int, stop: int, racks: DrawnRacks, row: HashedRow, cutoffs: Cutoffs, plays: ClosedPlays, out: Children
) -> int:
    """Expand racks into the children that reach the cut-offs of their layers.

    Args:
        first: The first rack to expand.
        stop: The rack after the last one to expand.
        racks: All racks of a layer.
        row: The row.
        cutoffs: The least priorities of children. If they have landings, second plays are looked for as well.
        plays: The plays of the closed index.
        out: Output.

    Returns:
        The first rack that was not expanded: `stop`, or less if a buffer of `out` is nearly full.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to an array in one
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
        candidates = _promising(hashes, lengths, count, filter_, filter_shift, need, chosen)
        # all loads start before the first value is needed
        for j in range(candidates):
            entries[j] = slots[hashes[chosen[j]] >> slot_shift]
        setups = 0
        for j in range(candidates):
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
            # two multisets may share a mark: the ranks decide
            if ranks[slot] == play + OFFSET[played]:
                child, move = leave + OFFSET[size - played], packed_move(np.int64(rack_left[rack]), played)
                write_child(out, played, packed_key(child, np.uint64(left)), child_priority, score + points, parent, move)
        if setups > 0:
            here = Rack(tiles, size, left, np.int64(rack_left[rack]), priority, score, parent, prices[near])
            fish(here, subsets, Setups(setup[:setups], setup_slot[:setups]), row, cutoffs, plays, out, scratch)
    return stop


@kernel
def _new_subsets() -> Subsets:
    """Return room for the sub-multisets of one rack."""
    return Subsets(
        np.zeros(_SUBSETS, np.uint64), np.zeros(_SUBSETS, np.uint8), np.zeros(_SUBSETS, np.uint16), np.zeros(_SUBSETS, np.int32)
    )


@kernel
def _lower(cutoffs: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the lower of two cut-offs for each length of a play; shape (CLOSED_RACK + 1,)."""
    lower = np.empty(CLOSED_RACK + 1, np.int64)
    for length in range(1, CLOSED_RACK + 1):
        lower[length] = min(cutoffs[length], others[length])
    return lower


@kernel
def _total(prices: npt.NDArray[np.int64], tiles: npt.NDArray[np.int64], size: int) -> int:
    """Return the sum of the prices of the first `size` tiles."""
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
    """Fill `need` with the least filter entry that a useful play of each length can have.

    Args:
        priority: The rack's priority plus the amount by which the worths in the filter may be too low.
        wanted: The least priority of a child, by length.
        least: See `ClosedPlays`.
        step: See `ClosedPlays`.
        need: Output, by length.
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
    """Fill `hashes` to `costs` with all distinct sub-multisets of a rack, the empty one first, and return their number.

    A sub-multiset takes the first of equal tiles, so that it occurs once. For the arrays see `Subsets`.
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
            # one loop for each array, so that the compiler vectorises each
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
    """Write the indices of the subsets that pass the filter, among the first `count`, to `chosen`, and return their number."""
    passed = 0
    for i in range(count):
        chosen[passed] = i
        passed += np.int64(filter_[hashes[i] >> shift] >= need[lengths[i]])
    return passed


@kernel
def _parted(tiles: npt.NDArray[np.int64], size: int, inside: int) -> tuple[np.uint64, np.uint64]:
    """Return the ranks, without offsets, of the tiles inside a play and of the others. `inside` is a bit mask of places."""
    play, leave = np.uint64(0), np.uint64(0)
    taken_before, kept = 0, 0
    for place in range(size):
        taken = (inside >> place) & 1
        taken_before += taken
        kept += 1 - taken
        # without a branch, which the processor would mispredict every other time
        play += CHOOSE[taken_before, tiles[place]] * np.uint64(taken)
        leave += CHOOSE[kept, tiles[place]] * np.uint64(1 - taken)
    return play, leave
