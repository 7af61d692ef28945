"""Layers of the relaxed game of `solver.bound.relaxations.r1`, and the cheapest tiles at the nodes of r1 and r3.

A layer holds the nodes with the same number of tiles drawn. A node covers one or more left draws.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import MINUS_INFINITY, RelaxedRack, RelaxedWords, WordOrder, best_play, masks_of
from solver.compiled import kernel
from solver.model.tiles import N_CODES


class DrawnTiles(NamedTuple):
    """The tiles drawn at nodes of a relaxed game. In r3 a node is (drawn, left): two axes stand in place of `nodes`.

    Attributes:
        counts: int64, shape (nodes, N_CODES), the number of tiles of each code.
        cheapest: int64, shape (nodes, N_CODES, rack), the lowest prices of each code, ascending, in thousandths of a point.
            Meaningless from index `counts` on.
    """

    counts: npt.NDArray[np.int64]
    cheapest: npt.NDArray[np.int64]


class FreeNodes(NamedTuple):
    """The nodes of a layer of r1, where a play is free to use any drawn tiles.

    Attributes:
        onward: int64, shape (nodes, rack + 1), the value of the game after a play, by the length of the play, in thousandths of
            a point; MINUS_INFINITY for a length that cannot be played.
        value: int64, shape (nodes,), the value of the best play and the rest of the game, in thousandths of a point.
        word: int32, shape (nodes,), the word of that play; -1 if there is no play.
    """

    onward: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]
    word: npt.NDArray[np.int32]


@kernel
def cheapest_tiles(
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    drawn: int,
    first: int,
    stop: int,
    width: int,
    drawn_tiles: DrawnTiles,
) -> None:
    """Fill `drawn_tiles` with the tiles drawn at nodes `first` to `stop` - 1 after `drawn` draws.

    Node i covers the left draws from i * width to i * width + width - 1: each tile counts that any of them has drawn.

    Args:
        row: the codes of its tiles, shape (tiles,).
        tile_price: the price of playing each tile of the row, shape (tiles,), in thousandths of a point.
        drawn: tiles drawn.
        first: the first node to fill.
        stop: one more than the last node to fill.
        width: the number of left draws that a node covers.
        drawn_tiles: the arrays to fill, with one axis for the nodes.
    """
    counts, cheapest = drawn_tiles.counts, drawn_tiles.cheapest
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
def relax_r1(
    first: int, stop: int, size: int, words: RelaxedWords, ordered: WordOrder, drawn_tiles: DrawnTiles, nodes: FreeNodes
) -> None:
    """Find the best play of up to `size` tiles at nodes `first` to `stop` - 1 of a layer; it may use any drawn tiles.

    Args:
        first: the first node.
        stop: one more than the last node.
        size: the number of tiles in the rack.
        words: all words.
        ordered: the words in an order whose `reach` holds at all of these nodes.
        drawn_tiles: the tiles drawn at the nodes.
        nodes: `onward` is read; `value` and `word` are filled.
    """
    rack = words.letters.shape[1]
    gain, used, have = np.empty(rack, np.int64), np.empty(N_CODES, np.int64), np.empty(N_CODES, np.int64)
    for node in range(first, stop):
        low, high = masks_of(drawn_tiles.counts[node])
        for code in range(N_CODES):
            have[code] = min(drawn_tiles.counts[node, code], rack)
        known = RelaxedRack(low, high, drawn_tiles.counts[node, 0], drawn_tiles.cheapest[node], have, gain, used)
        nodes.value[node], nodes.word[node] = 0, -1
        for length in range(size, 0, -1):
            base = nodes.onward[node, length]
            if base <= MINUS_INFINITY:
                continue
            word, best = best_play(length, words, ordered, known, base, base, nodes.value[node])
            if word >= 0:
                nodes.value[node], nodes.word[node] = best, word
