"""Plays of a beam's racks, with children below the cut-off dropped before they are stored.

On the closed index a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, and
a few hundred if tiles repeat. Their hashes are sums, and each new tile doubles the list of them.
Each hash is looked up in a filter that fits the processor's cache. So no load waits for another,
and few sub-multisets pass. A walk down a trie visits fewer places, but waits at each.
"""

import numpy as np

from solver.compiled import I32, I64, U8, U16, U64, kernel
from solver.index.kernels.indexes import (
    OFFSET,
    SCORE_MASK,
    TILE_HASH,
    UNREACHABLE,
    needed_entry,
    settled_slot,
    unrank_tiles,
)
from solver.model.tiles import SCALE
from solver.search.kernels.fishing import fish, most_children, new_scratch, parted
from solver.search.kernels.sieve import ClosedPlays, Rack, Setups, Subsets
from solver.search.kernels.states import (
    Children,
    Cutoffs,
    States,
    left_of,
    packed_key,
    packed_move,
    rank_of,
    write_child,
)


@kernel
def expand_closed(
    first: int, stop: int, racks: States, cutoffs: Cutoffs, plays: ClosedPlays, out: Children
) -> int:
    """Expand racks into the children that reach the cut-offs of their layers.

    Args:
        first: The first rack to expand.
        stop: The rack after the last one to expand.
        racks: All racks of a layer.
        cutoffs: The least priorities of children. If they have landings, second plays are looked
            for as well.
        plays: The plays of the closed index.
        out: Output.

    Returns:
        The first rack that was not expanded: `stop`, or less if a buffer of `out` is nearly full.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    key, rack_priority, rack_score, rack_parent, rack_left = racks
    slots, ranks, slot_shift, filter_, filter_shift, least, step, _sieves, _row, prices = plays
    _drawn, cutoff, setup_cutoff, landings = cutoffs
    out_count = out.count
    longest = len(least) - 1
    room = out.states.key.shape[1] - most_children(longest, len(landings) > 0)
    most_subsets = 1 << longest
    tiles = np.zeros(longest, np.int64)
    need = np.full(longest + 1, UNREACHABLE, np.uint8)
    subsets = _new_subsets(most_subsets)
    hashes, lengths, members, costs = subsets
    chosen = np.zeros(most_subsets + 1, np.int64)
    entries = np.zeros(most_subsets, np.uint64)
    setup = np.zeros(most_subsets, np.int64)
    setup_slot = np.zeros(most_subsets, np.uint64)
    scratch = new_scratch(longest)
    for rack in range(first, stop):
        if _most(out_count) > room:
            return rack
        size = unrank_tiles(rank_of(key[rack]), tiles)
        left = left_of(key[rack])
        priority = rack_priority[rack]
        score = np.int64(rack_score[rack])
        parent = np.int64(rack_parent[rack])
        left_draws = np.int64(rack_left[rack])
        for length in range(1, longest + 1):
            wanted = min(cutoff[length], setup_cutoff[length])
            # priority + worth >= wanted
            need[length] = needed_entry(wanted - priority, least[length], step[length])
        count = _all_subsets(tiles, size, prices, hashes, lengths, members, costs)
        candidates = _promising(hashes, lengths, count, filter_, filter_shift, need, chosen)
        # all loads start before the first value is needed
        for j in range(candidates):
            entries[j] = slots[hashes[chosen[j]] >> slot_shift]
        setups = 0
        for j in range(candidates):
            i = chosen[j]
            slot = settled_slot(slots, hashes[i] >> slot_shift, entries[j], hashes[i])
            entry = slots[slot]
            if entry == np.uint64(0):
                continue
            played = np.int64(lengths[i])
            points = np.int64(entry & SCORE_MASK)
            child_priority = priority + SCALE * points - np.int64(costs[i])
            if child_priority >= setup_cutoff[played]:
                setup[setups] = i
                setup_slot[setups] = slot
                setups += 1
            if child_priority < cutoff[played]:
                continue
            play, leave = parted(tiles, size, np.int64(members[i]))
            # two multisets may share a mark: the ranks decide
            if ranks[slot] == play + OFFSET[played]:
                child = packed_key(leave + OFFSET[size - played], np.uint64(left))
                move = packed_move(left_draws, played)
                write_child(out, played, child, child_priority, score + points, parent, move)
        if setups > 0:
            here = Rack(
                tiles=tiles,
                size=size,
                hash=hashes[count - 1],  # that of the last and largest sub-multiset
                left=left,
                left_draws=left_draws,
                priority=priority,
                score=score,
                parent=parent,
                price=prices,
            )
            first_plays = Setups(setup[:setups], setup_slot[:setups])
            fish(here, subsets, first_plays, cutoffs, plays, out, scratch)
    return stop


@kernel
def _most(counts: I64) -> int:
    """Return the largest of the counts.

    To load code that calls `max` of an array, numba imports scipy.linalg.
    """
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def _new_subsets(most: int) -> Subsets:
    """Return room for the sub-multisets of one rack, `most` of them."""
    return Subsets(
        np.zeros(most, np.uint64),
        np.zeros(most, np.uint8),
        np.zeros(most, np.uint16),
        np.zeros(most, np.int32),
    )


@kernel
def _all_subsets(
    tiles: I64,
    size: int,
    price: I64,
    hashes: U64,
    lengths: U8,
    members: U16,
    costs: I32,
) -> int:
    """Fill `hashes` to `costs` with the distinct sub-multisets of a rack; return their number.

    The empty one is the first, the whole rack the last.

    A sub-multiset takes the first of equal tiles, so that it occurs once. For the arrays see
    `Subsets`.
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
    hashes: U64,
    lengths: U8,
    count: int,
    filter_: U8,
    shift: np.uint64,
    need: U8,
    chosen: I64,
) -> int:
    """Write the indices of the subsets that pass the filter to `chosen`; return their number.

    Only the first `count` subsets are tested.
    """
    passed = 0
    for i in range(count):
        chosen[passed] = i
        passed += np.int64(filter_[hashes[i] >> shift] >= need[lengths[i]])
    return passed
