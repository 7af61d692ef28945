"""Plays of a beam's racks on the index closed under blanks, cut off before anything is stored.

This is where a search spends its time. Two things make it fast: a subtree is entered only if some play in it is worth enough
for the layer that the play leads to, and a leave's rank is computed only for plays that survive.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel, lowest_bit, popcount
from solver.kernels.prices import MAX_LENGTH, NEVER, WORTH_AT
from solver.kernels.ranks import CHOOSE, LEFT_BITS, OFFSET, unrank_counts
from solver.tiles import N_CODES


@kernel
def expand(
    first: int,
    stop: int,
    rack_key: npt.NDArray[np.uint64],
    rack_priority: npt.NDArray[np.int64],
    rack_score: npt.NDArray[np.int32],
    rack_parent: npt.NDArray[np.int32],
    rack_draw: npt.NDArray[np.int16],
    cut: npt.NDArray[np.int64],
    nodes: npt.NDArray[np.uint32],
    halves: npt.NDArray[np.int16],
    grain: int,
    score: npt.NDArray[np.int32],
    prices: npt.NDArray[np.int64],
    scale: int,
    out_key: npt.NDArray[np.uint64],
    out_priority: npt.NDArray[np.int64],
    out_score: npt.NDArray[np.int32],
    out_parent: npt.NDArray[np.int32],
    out_move: npt.NDArray[np.int16],
    out_count: npt.NDArray[np.int64],
) -> int:
    """Write the children of racks `first` to `stop` that reach their layer's cut-off.

    rack_*: shape (racks,): key = multiset rank << LEFT_BITS | left draws after the draw, priority and score before the play,
    index of the parent state, left draws of this turn. cut: int64, shape (MAX_LENGTH + 1,), by length of the play: the least
    priority that its layer still takes. out_*: shape (MAX_LENGTH + 1, capacity), children by length of the play; a move is
    left draws + 16 * length; out_count says how many there are. Returns the first rack that was not expanded:
    `stop`, or less where a buffer is nearly full.
    """
    capacity = out_key.shape[1]
    counts = np.zeros(N_CODES, np.int8)
    need = np.zeros(MAX_LENGTH, np.int16)
    at = np.zeros(MAX_LENGTH + 1, np.int64)
    pending = np.zeros(MAX_LENGTH + 1, np.uint32)
    allowed = np.zeros(MAX_LENGTH + 1, np.uint32)
    played = np.zeros(MAX_LENGTH + 1, np.uint32)
    paid = np.zeros(MAX_LENGTH + 1, np.int64)
    one = np.uint32(1)
    left_mask = np.uint64((1 << LEFT_BITS) - 1)
    for rack in range(first, stop):
        for length in range(1, MAX_LENGTH + 1):
            # a rack has at most C(10, 5) = 252 plays of one length
            if out_count[length] + 252 > capacity:
                return rack
        size = unrank_counts(rack_key[rack] >> np.uint64(LEFT_BITS), counts)
        left = rack_key[rack] & left_mask
        have = np.uint32(0)
        for code in range(N_CODES):
            if counts[code] > 0:
                have |= one << np.uint32(code)
        priority = rack_priority[rack]
        for length in range(MAX_LENGTH):
            least = -((priority - cut[length + 1]) // grain)
            need[length] = min(max(least, NEVER + 1), 32767)
        depth = 0
        at[0] = 0
        allowed[0] = have
        pending[0] = nodes[0, 0] & have
        while depth >= 0:
            if pending[depth] == 0:
                depth -= 1
                if depth >= 0:
                    counts[played[depth]] += np.int8(1)
                continue
            code = lowest_bit(pending[depth])
            pending[depth] &= pending[depth] - one
            parent = at[depth]
            below = (one << code) - one
            node = np.int64(nodes[parent, 1]) + np.int64(popcount(nodes[parent, 0] & below))
            enough = False
            for length in range(MAX_LENGTH):
                enough |= halves[node, WORTH_AT + length] >= need[length]
            if not enough:
                continue
            cost = paid[depth] + prices[code]
            rest = allowed[depth] & ~below
            if counts[code] == 1:
                rest &= ~(one << code)
            length = depth + 1
            if halves[node, WORTH_AT + depth] >= need[depth]:
                child_priority = priority + scale * np.int64(score[node]) - cost
                if child_priority >= cut[length]:
                    counts[code] -= np.int8(1)
                    rank = np.uint64(0)
                    place = 0
                    tiles = have
                    while tiles != 0:
                        tile = lowest_bit(tiles)
                        tiles &= tiles - one
                        for _ in range(counts[tile]):
                            place += 1
                            rank += CHOOSE[place, tile]
                    rank += OFFSET[place]
                    counts[code] += np.int8(1)
                    k = out_count[length]
                    out_count[length] = k + 1
                    out_key[length, k] = (rank << np.uint64(LEFT_BITS)) | left
                    out_priority[length, k] = child_priority
                    out_score[length, k] = rack_score[rack] + score[node]
                    out_parent[length, k] = rack_parent[rack]
                    out_move[length, k] = rack_draw[rack] + (length << 4)
            inside = nodes[node, 0] & rest
            if inside != 0 and length < size:
                counts[code] -= np.int8(1)
                played[depth] = code
                depth += 1
                at[depth] = node
                allowed[depth] = rest
                pending[depth] = inside
                paid[depth] = cost
    return stop
