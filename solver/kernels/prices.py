"""What a play is worth once the tiles it uses up are paid for, and how much any play below a trie node can be worth."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel, lowest_bit

NODE_WORDS = 8  # 32-bit words of a packed node: mask, child, then worth by length as 16-bit halves
WORTH_AT = 4  # 16-bit halves before the worths
MAX_LENGTH = 10
NEVER = -32768


@kernel
def node_worths(
    mask: npt.NDArray[np.uint32],
    child: npt.NDArray[np.uint32],
    score: npt.NDArray[np.int32],
    level: npt.NDArray[np.int64],
    prices: npt.NDArray[np.int64],
    scale: int,
    nodes: npt.NDArray[np.uint32],
    halves: npt.NDArray[np.int16],
) -> int:
    """Fill the packed `nodes` (uint32, shape (n, NODE_WORDS)) and their view `halves` (int16, shape (n, 2 * NODE_WORDS)).

    A play's worth is scale * score - sum of `prices` (int64, by code) of its tiles. halves[node, WORTH_AT + L - 1] is the
    largest worth of a play of L tiles at or below the node, in units of the returned grain and rounded up, NEVER where there
    is none. The grain is 1 unless the worths need more than 15 bits.
    """
    n = mask.shape[0]
    paid = np.zeros(n, np.int64)
    largest = np.int64(1)
    for node in range(n):
        place = np.int64(child[node])
        rest = mask[node]
        while rest != 0:
            paid[place] = paid[node] + prices[lowest_bit(rest)]
            rest &= rest - np.uint32(1)
            place += 1
        if score[node] >= 0:
            largest = max(largest, abs(scale * np.int64(score[node]) - paid[node]))
    grain = np.int64(1)
    while largest // grain > 32000:
        grain *= 2
    for depth in range(level.shape[0] - 2, -1, -1):
        for node in range(level[depth], level[depth + 1]):
            nodes[node, 0] = mask[node]
            nodes[node, 1] = child[node]
            for length in range(2 * NODE_WORDS - WORTH_AT):
                halves[node, WORTH_AT + length] = NEVER
            if score[node] >= 0 and depth > 0:
                worth = scale * np.int64(score[node]) - paid[node]
                halves[node, WORTH_AT + depth - 1] = -((-worth) // grain)
            place = np.int64(child[node])
            rest = mask[node]
            while rest != 0:
                for length in range(depth, MAX_LENGTH):
                    halves[node, WORTH_AT + length] = max(halves[node, WORTH_AT + length], halves[place, WORTH_AT + length])
                rest &= rest - np.uint32(1)
                place += 1
    return grain
