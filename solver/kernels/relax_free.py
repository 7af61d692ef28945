"""Layers of the relaxed game of `solver.bound.free`, and what tiles cost at its nodes."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.relax import NEVER, best_play, masks_of
from solver.tiles import N_CODES


@kernel
def cheapest_tiles(
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    drawn: int,
    first: int,
    stop: int,
    width: int,
    counts: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
) -> None:
    """For left draws first to stop of `drawn` tiles: how many of each code are drawn, and the prices of the cheapest.

    With width > 1 a node stands for that many left draws, `width` times its number and those after it.
    counts: shape (nodes, N_CODES); cheapest: shape (nodes, N_CODES, rack), ascending.
    """
    tiles = len(row)
    size = cheapest.shape[2]
    for node in range(first, stop):
        counts[node] = 0
        left, least_left = min(drawn, node * width + width - 1), node * width
        for i in range(tiles):
            if left <= i < tiles - (drawn - least_left):
                continue
            code = row[i]
            kept = min(size, counts[node, code])
            counts[node, code] += 1
            at = kept
            while at > 0 and cheapest[node, code, at - 1] > tile_price[i]:
                if at < size:
                    cheapest[node, code, at] = cheapest[node, code, at - 1]
                at -= 1
            if at < size:
                cheapest[node, code, at] = tile_price[i]


@kernel
def relax_free(
    first_node: int,
    stop_node: int,
    size: int,
    order: npt.NDArray[np.int32],
    reach: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    letters: npt.NDArray[np.int8],
    low: npt.NDArray[np.uint64],
    high: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    onward: npt.NDArray[np.int64],
    value: npt.NDArray[np.int64],
    word: npt.NDArray[np.int32],
) -> None:
    """Nodes of a layer where any drawn tile may be played, racks of `size` tiles.

    order, reach: of the words, see `order_words`; low, high: masks in that order.
    onward: value of the game after a play of each length, shape (nodes, rack + 1). value, word: of the best play of each node.
    """
    rack = letters.shape[1]
    gain, used, have = np.empty(rack, np.int64), np.empty(N_CODES, np.int64), np.empty(N_CODES, np.int64)
    for node in range(first_node, stop_node):
        masks = masks_of(counts[node])
        for code in range(N_CODES):
            have[code] = min(counts[node, code], rack)
        spare = counts[node, 0]
        value[node], word[node] = 0, -1
        for length in range(size, 0, -1):
            base = onward[node, length]
            if base <= NEVER:
                continue
            args = (masks, spare, cheapest[node], have, base, base, value[node], gain, used)
            found, best = best_play(length, first, letters, low, high, order, reach, values, *args)
            if found >= 0:
                value[node], word[node] = best, found
