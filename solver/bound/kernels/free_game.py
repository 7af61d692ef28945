"""The relaxed game of r1 (`solver.bound.relaxations.r1`): its best plays, from the end of the row to its start.

A node (tiles drawn, number) is a moment after a draw. Node u has left draws from u * width to u * width + width - 1, and offers
the tiles that any of them has drawn. Once the row is empty, the number is the size of the rack.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import (
    RelaxedRack,
    RelaxedWords,
    WordOrder,
    best_play,
    fill_outer,
    masks_of,
    new_tiles,
)
from solver.compiled import kernel
from solver.model.tiles import BLANK_CODE, N_CODES

Node = tuple[int, ...]


class FreeGame(NamedTuple):
    """A relaxed game: its tiles, prices and words, and the best play at each node, shape (tiles + 1, numbers).

    Attributes:
        row: uint8, shape (tiles,), codes.
        tile_price: int64, shape (tiles,), the price of playing each tile of the row, in thousandths of a point.
        words: the words that may be played.
        width: how many left draws a node covers.
        value: int64, the value of the rest of the game, in thousandths of a point.
        word: int32, the index of the word; -1 if ending the game is best.
    """

    row: npt.NDArray[np.uint8]
    tile_price: npt.NDArray[np.int64]
    words: RelaxedWords
    width: int
    value: npt.NDArray[np.int64]
    word: npt.NDArray[np.int32]


@kernel
def lefts_of(node: Node, game: FreeGame) -> tuple[int, int]:
    """Return the fewest and the most left draws of a node, both included; 0 and 0 once the row is empty."""
    drawn, number = node
    if drawn == len(game.row):
        return 0, 0
    return number * game.width, min(drawn, (number + 1) * game.width - 1)


@kernel
def node_after(node: Node, length: int, game: FreeGame) -> Node:
    """Return the best node that a play of `length` tiles and a draw lead to."""
    drawn, number = node
    tiles, rack = len(game.row), game.words.letters.shape[1]
    if drawn == tiles:
        return tiles, number - length
    after = drawn + length
    if after >= tiles:
        return tiles, tiles - drawn + rack - length
    _low, high = lefts_of(node, game)
    last = (high + length) // game.width
    return after, number + np.argmax(game.value[after, number : last + 1])


@kernel
def relax_free(drawn: int, first: int, stop: int, ordered: WordOrder, game: FreeGame) -> None:
    """Find the best plays at nodes `first` to `stop` - 1 after `drawn` draws.

    Those at all nodes that they lead to must be known. The `reach` of the order holds at all of these nodes.
    """
    tiles, rack = len(game.row), game.words.letters.shape[1]
    near, gain, used = new_tiles(rack), np.empty(rack, np.int64), np.empty(N_CODES, np.int64)
    for number in range(first, stop):
        node = drawn, number
        low, high = lefts_of(node, game)
        fill_outer(game.row, game.tile_price, high, max(high, tiles - drawn + low), near)
        low_mask, high_mask = masks_of(near.count)
        known = RelaxedRack(
            low_mask,
            high_mask,
            near.count[BLANK_CODE],
            near.price,
            np.minimum(near.count, rack),
            gain,
            used,
        )
        game.value[node], game.word[node] = 0, -1
        for length in range(number if drawn == tiles else rack, 0, -1):
            onward = game.value[node_after(node, length, game)]
            word, best = best_play(length, game.words, ordered, known, onward, game.value[node])
            if word >= 0:
                game.value[node], game.word[node] = best, word
