"""Plays of a beam's racks on the trie of plain signatures, for racks too large for the index closed under blanks.

The same children as `expand`, found the slow way: blanks are spent letter by letter as the walk goes, and the plays of
a rack are gathered in a table first, since many words make the same play once blanks are spent.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel, lowest_bit, popcount
from solver.kernels.best import POSITIONAL, word_score
from solver.kernels.hashing import first_slot
from solver.kernels.ranks import LEFT_BITS, LEFT_MASK, MAX_RACK, rank_counts, unrank_counts
from solver.tiles import BLANK_CODE, N_CODES

TABLE_BITS = 16  # twice the 2**15 plays that a rack of 15 tiles can have


@kernel
def rack_plays(
    counts: npt.NDArray[np.int8],
    values: npt.NDArray[np.int32],
    mask: npt.NDArray[np.uint32],
    child: npt.NDArray[np.uint32],
    entry: npt.NDArray[np.int32],
    family: npt.NDArray[np.int64],
    members: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    codes: npt.NDArray[np.uint8],
    table: npt.NDArray[np.int32],
    play_rank: npt.NDArray[np.uint64],
    play_score: npt.NDArray[np.int32],
) -> int:
    """Every play of the rack `counts` (int8, shape (N_CODES,)) with its best score; returns how many.

    table: int32, shape (2**TABLE_BITS,), zeros before and after; play_*: shape (2**MAX_RACK,).
    """
    size = 0
    for code in range(N_CODES):
        size += counts[code]
    at = np.zeros(size + 1, np.int64)
    choice = np.zeros(size + 1, np.int64)  # 2 * code + (1 where a blank was spent), the next one to try
    played = np.zeros(size + 1, np.int64)
    missing = np.zeros(N_CODES, np.int8)
    real = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    last = np.uint64((1 << TABLE_BITS) - 1)
    found = 0
    depth = 0
    blanks = counts[BLANK_CODE]
    while depth >= 0:
        node = at[depth]
        option = choice[depth]
        code = option // 2
        rest = mask[node] >> np.uint32(code) if code < N_CODES else np.uint32(0)
        if rest == 0:
            depth -= 1
            if depth >= 0:
                code = played[depth] // 2
                if played[depth] % 2 == 1:
                    missing[code] -= np.int8(1)
                    blanks += np.int8(1)
                else:
                    real[code] -= np.int8(1)
            continue
        step = lowest_bit(rest)
        if step > 0:
            code += np.int64(step)
            option = 2 * code
        choice[depth] = option + 1
        blank = option % 2 == 1
        # of the copies of a letter the real ones come first, so that each choice is met once
        if blank:
            if blanks == 0:
                continue
            missing[code] += np.int8(1)
            blanks -= np.int8(1)
        else:
            if real[code] == counts[code] or missing[code] > 0:
                continue
            real[code] += np.int8(1)
        played[depth] = option
        depth += 1
        node = np.int64(child[node]) + np.int64(popcount(mask[node] & ((one << np.uint32(code)) - one)))
        at[depth] = node
        choice[depth] = 2 * code
        if entry[node] < 0:
            continue
        best = np.int64(-1)
        for m in range(family[entry[node]], family[entry[node] + 1]):
            word = members[m]
            best = max(best, word_score(codes, starts[word], starts[word + 1], values, POSITIONAL, missing, spent))
        real[BLANK_CODE] = counts[BLANK_CODE] - blanks
        rank = rank_counts(real)
        real[BLANK_CODE] = 0
        slot = first_slot(rank, last)
        while table[slot] != 0 and play_rank[table[slot] - 1] != rank:
            slot = (slot + np.uint64(1)) & last
        if table[slot] == 0:
            play_rank[found] = rank
            play_score[found] = best
            found += 1
            table[slot] = found
        elif best > play_score[table[slot] - 1]:
            play_score[table[slot] - 1] = best
    for i in range(found):
        slot = first_slot(play_rank[i], last)
        while table[slot] != 0:
            table[slot] = 0
            slot = (slot + np.uint64(1)) & last
    return found


@kernel
def spend(
    first: int,
    stop: int,
    rack_key: npt.NDArray[np.uint64],
    rack_priority: npt.NDArray[np.int64],
    rack_score: npt.NDArray[np.int32],
    rack_parent: npt.NDArray[np.int32],
    rack_draw: npt.NDArray[np.int16],
    cut: npt.NDArray[np.int64],
    values: npt.NDArray[np.int32],
    mask: npt.NDArray[np.uint32],
    child: npt.NDArray[np.uint32],
    entry: npt.NDArray[np.int32],
    family: npt.NDArray[np.int64],
    members: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    codes: npt.NDArray[np.uint8],
    prices: npt.NDArray[np.int64],
    scale: int,
    out_key: npt.NDArray[np.uint64],
    out_priority: npt.NDArray[np.int64],
    out_score: npt.NDArray[np.int32],
    out_parent: npt.NDArray[np.int32],
    out_move: npt.NDArray[np.int32],
    out_count: npt.NDArray[np.int64],
) -> int:
    """As `expand`, whose arguments these are, with the plain trie (see `best_plays`) in place of the closed index."""
    capacity = out_key.shape[1]
    counts = np.zeros(N_CODES, np.int8)
    play = np.zeros(N_CODES, np.int8)
    table = np.zeros(1 << TABLE_BITS, np.int32)
    play_rank = np.zeros(1 << MAX_RACK, np.uint64)
    play_score = np.zeros(1 << MAX_RACK, np.int32)
    for rack in range(first, stop):
        for length in range(1, cut.shape[0]):
            # a rack has at most C(15, 7) = 6435 plays of one length
            if out_count[length] + 6435 > capacity:
                return rack
        unrank_counts(rack_key[rack] >> np.uint64(LEFT_BITS), counts)
        left = rack_key[rack] & LEFT_MASK
        plays = rack_plays(counts, values, mask, child, entry, family, members, starts, codes, table, play_rank, play_score)
        for i in range(plays):
            length = unrank_counts(play_rank[i], play)
            priority = rack_priority[rack] + scale * np.int64(play_score[i])
            for code in range(N_CODES):
                priority -= play[code] * prices[code]
                play[code] = counts[code] - play[code]
            if priority >= cut[length]:
                k = out_count[length]
                out_count[length] = k + 1
                out_key[length, k] = (rank_counts(play) << np.uint64(LEFT_BITS)) | left
                out_priority[length, k] = priority
                out_score[length, k] = rack_score[rack] + play_score[i]
                out_parent[length, k] = rack_parent[rack]
                out_move[length, k] = rack_draw[rack] + (length << 4)
    return stop
