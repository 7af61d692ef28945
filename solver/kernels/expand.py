"""Plays of a beam's racks on the closed index, cut off before anything is stored.

This is where a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, a few hundred where tiles repeat.
Their hashes are sums, made by doubling, and each is looked up in a filter that fits the processor's cache: no load waits
for another, and few sub-multisets are worth a second look. A walk down a trie visits fewer places, but waits at each.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.closed import NEVER, SCORE_BITS, needed_entry, settled_slot
from solver.kernels.fishing import MOST_LANDINGS, fish
from solver.kernels.hashing import TILE_HASH, log2
from solver.kernels.ranks import CHOOSE, LEFT_BITS, LEFT_MASK, OFFSET, unrank_tiles

MAX_LENGTH = 10
_SUBSETS = 1 << MAX_LENGTH


@kernel
def expand(
    first: int,
    stop: int,
    rack_key: npt.NDArray[np.uint64],
    rack_priority: npt.NDArray[np.int64],
    rack_score: npt.NDArray[np.int32],
    rack_parent: npt.NDArray[np.int32],
    rack_draw: npt.NDArray[np.int16],
    drawn: int,
    row: npt.NDArray[np.uint8],
    row_hashes: npt.NDArray[np.uint64],
    cut: npt.NDArray[np.int64],
    setup_cut: npt.NDArray[np.int64],
    landing_cut: npt.NDArray[np.int64],
    filter_: npt.NDArray[np.uint8],
    sieves: npt.NDArray[np.uint64],
    sieve_start: npt.NDArray[np.int64],
    sieve_shift: npt.NDArray[np.uint64],
    least: npt.NDArray[np.int64],
    step: npt.NDArray[np.int64],
    slots: npt.NDArray[np.uint64],
    ranks: npt.NDArray[np.uint64],
    filter_price: npt.NDArray[np.int64],
    prices: npt.NDArray[np.int64],
    scale: int,
    known: npt.NDArray[np.uint64],
    out_key: npt.NDArray[np.uint64],
    out_priority: npt.NDArray[np.int64],
    out_score: npt.NDArray[np.int32],
    out_parent: npt.NDArray[np.int32],
    out_move: npt.NDArray[np.int32],
    out_count: npt.NDArray[np.int64],
) -> int:
    """Write the children of racks `first` to `stop` that reach their layer's cut-off.

    rack_*: shape (racks,): key = multiset rank << LEFT_BITS | left draws after the draw, priority and score before the play,
    index of the parent state, left draws of this turn; drawn: tiles drawn by then; row: codes. cut: int64, by length of the
    play: the least priority that its layer still takes, shape (MAX_LENGTH + 1,) or more; setup_cut: int64, shape (MAX_LENGTH +
    1,), likewise: the least priority from which `fish` looks for a second play; landing_cut, known, row_hashes: see `fish`;
    landing_cut is empty where none is looked for. filter_, least, step, slots, ranks: see `solver.kernels.closed`; sieves,
    sieve_start, sieve_shift: words, start and shift of `solver.kernels.sieve`. prices: by left draws, the last row for all
    beyond, and code; filter_price: those of the filter, by code. out_*: children by tiles played, at most MAX_LENGTH or, for
    `fish`, twice as many; a move is left draws + 16 * length, and 256 times that of a second play; out_count says how many
    there are. Returns the first rack that was not expanded: `stop`, or less where a buffer is nearly full.
    """
    capacity = out_key.shape[1]
    # a rack has at most C(10, 5) = 252 plays of one length
    most = 252 + (MOST_LANDINGS if landing_cut.shape[0] > 0 else 0)
    tiles = np.zeros(MAX_LENGTH, np.int64)
    need = np.full(MAX_LENGTH + 1, NEVER, np.uint8)
    hashes = np.zeros(_SUBSETS, np.uint64)
    lengths = np.zeros(_SUBSETS, np.uint8)
    members = np.zeros(_SUBSETS, np.uint16)
    costs = np.zeros(_SUBSETS, np.int32)
    entries = np.zeros(_SUBSETS, np.uint64)
    chosen = np.zeros(_SUBSETS + 1, np.int64)
    setup = np.zeros(_SUBSETS, np.int64)
    setup_slot = np.zeros(_SUBSETS, np.uint64)
    score_mask = np.uint64((1 << SCORE_BITS) - 1)
    filter_shift = np.uint64(64 - log2(filter_.shape[0]))
    slot_shift = np.uint64(64 - log2(slots.shape[0]))
    for rack in range(first, stop):
        for length in range(1, out_count.shape[0]):
            if out_count[length] + most > capacity:
                return rack
        size = unrank_tiles(rack_key[rack] >> np.uint64(LEFT_BITS), tiles)
        left = rack_key[rack] & LEFT_MASK
        priority = rack_priority[rack]
        price = prices[min(np.int64(left), prices.shape[0] - 1)]
        dearer = 0  # the worths of the filter may be so much too low
        for place in range(size):
            dearer += max(0, filter_price[tiles[place]] - price[tiles[place]])
        for length in range(1, MAX_LENGTH + 1):
            # priority + worth >= cut
            worth = min(cut[length], setup_cut[length]) - priority - dearer
            need[length] = needed_entry(worth, least[length], step[length])
        subsets = _subset_hashes(tiles, size, price, hashes, lengths, members, costs)
        found = 0
        for i in range(subsets):
            chosen[found] = i
            found += np.int64(filter_[hashes[i] >> filter_shift] >= need[lengths[i]])
        # all loads are under way before the first is needed
        for j in range(found):
            entries[j] = slots[hashes[chosen[j]] >> slot_shift]
        setups = 0
        for j in range(found):
            i = chosen[j]
            slot = settled_slot(slots, hashes[i] >> slot_shift, entries[j], hashes[i])
            entry = slots[slot]
            played = np.int64(lengths[i])
            score = np.int64(entry & score_mask)
            child_priority = priority + scale * score - np.int64(costs[i])
            if entry == np.uint64(0):
                continue
            if child_priority >= setup_cut[played]:
                setup[setups] = i
                setup_slot[setups] = slot
                setups += 1
            if child_priority < cut[played]:
                continue
            inside = np.int64(members[i])
            play, leave = np.uint64(0), np.uint64(0)
            taken_before, kept = 0, 0
            for place in range(size):
                taken = (inside >> place) & 1
                taken_before += taken
                kept += 1 - taken
                # without a branch, which would be guessed wrong every other time
                play += CHOOSE[taken_before, tiles[place]] * np.uint64(taken)
                leave += CHOOSE[kept, tiles[place]] * np.uint64(1 - taken)
            # marks are random: this makes them exact
            if ranks[slot] != play + OFFSET[played]:
                continue
            k = out_count[played]
            out_count[played] = k + 1
            out_key[played, k] = ((leave + OFFSET[kept]) << np.uint64(LEFT_BITS)) | left
            out_priority[played, k] = child_priority
            out_score[played, k] = rack_score[rack] + score
            out_parent[played, k] = rack_parent[rack]
            out_move[played, k] = rack_draw[rack] + (played << 4)
        if setups > 0:
            fish(
                setups, setup, setup_slot, tiles, size, np.int64(left), drawn, row, row_hashes, np.int64(rack_draw[rack]),
                priority, np.int64(rack_score[rack]), np.int64(rack_parent[rack]), hashes, lengths, members, costs, landing_cut,
                sieves, sieve_start, sieve_shift, least, step, slots, ranks, price, scale, known,
                out_key, out_priority, out_score, out_parent, out_move, out_count,
            )  # fmt: skip
    return stop


@kernel
def _subset_hashes(
    tiles: npt.NDArray[np.int64],
    size: int,
    prices: npt.NDArray[np.int64],
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    members: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.int32],
) -> int:
    """All distinct sub-multisets of the sorted `tiles`: hash, length, which places they take, price; returns how many.

    The empty one comes first. Of equal tiles the first ones are taken, so that every sub-multiset is met once.
    """
    hashes[0] = 0
    lengths[0] = 0
    members[0] = 0
    costs[0] = 0
    subsets = 1
    place = 0
    while place < size:
        tile = tiles[place]
        before = subsets
        more_hash = np.uint64(0)
        more_members = np.uint16(0)
        more_length = np.uint8(0)
        more_cost = np.int32(0)
        while place < size and tiles[place] == tile:
            more_hash += TILE_HASH[tile]
            more_members |= np.uint16(1 << place)
            more_length += np.uint8(1)
            more_cost += np.int32(prices[tile])
            # one array a loop, so that each becomes vector instructions
            for i in range(before):
                hashes[subsets + i] = hashes[i] + more_hash
            for i in range(before):
                lengths[subsets + i] = lengths[i] + more_length
            for i in range(before):
                members[subsets + i] = members[i] | more_members
            for i in range(before):
                costs[subsets + i] = costs[i] + more_cost
            subsets += before
            place += 1
    return subsets
