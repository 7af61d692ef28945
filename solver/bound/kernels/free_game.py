"""The relaxed game of r1 (`solver.bound.relaxations.r1`): its best plays.

A node (tiles drawn, number) is a moment after a draw. Node u has left draws from u * width to
u * width + width - 1, and offers the tiles that any of them has drawn. Once the row is empty, the
number is the size of the rack. Plays are found from the end of the row to its start.
"""

from typing import NamedTuple

import numpy as np

from solver.bound.kernels.relaxed_play import (
    RackRoom,
    RelaxedRack,
    RelaxedWords,
    Tiles,
    WordOrder,
    best_play,
    fill_outer,
    masks_of,
    new_tiles,
)
from solver.compiled import I32, I64, kernel
from solver.model.tiles import BLANK_CODE, N_CODES, Codes

Node = tuple[int, ...]


class FreeGame(NamedTuple):
    """A relaxed game: its tiles, prices and words, and the best play at each node.

    Arrays over nodes have the shape (tiles + 1, numbers).

    Attributes:
        row: uint8, shape (tiles,), codes.
        tile_price: int64, shape (tiles,), the price of playing each tile of the row, in
            thousandths of a point.
        words: the words that may be played.
        width: how many left draws a node covers.
        value: int64, the value of the rest of the game, in thousandths of a point.
        word: int32, the index of the word; -1 if ending the game is best.
    """

    row: Codes
    tile_price: I64
    words: RelaxedWords
    width: int
    value: I64
    word: I32


@kernel
def lefts_of(node: Node, game: FreeGame) -> tuple[int, int]:
    """Return the fewest and the most left draws of a node, both included; 0 once all are drawn."""
    drawn, number = node
    if drawn == len(game.row):
        return 0, 0
    return number * game.width, min(drawn, (number + 1) * game.width - 1)


@kernel
def node_after(node: Node, length: int, game: FreeGame) -> Node:
    """Return the best node that a play of `length` tiles and a draw lead to."""
    drawn, number = node
    tiles = len(game.row)
    if drawn == tiles:
        return tiles, number - length
    after = drawn + length
    if after >= tiles:
        return tiles, tiles - after + game.words.letters.shape[1]
    _low, high = lefts_of(node, game)
    last = (high + length) // game.width
    return after, number + np.argmax(game.value[after, number : last + 1])


@kernel
def relax_free(drawn: int, first: int, stop: int, ordered: WordOrder, game: FreeGame) -> None:
    """Find the best plays at nodes `first` to `stop` - 1 after `drawn` draws.

    Those at all nodes that they lead to must be known. The `reach` of the order holds at all of
    these nodes.
    """
    tiles = len(game.row)
    rack = game.words.letters.shape[1]
    near = new_tiles(rack)
    gain = np.empty(rack, np.int64)
    used = np.empty(N_CODES, np.int64)
    for number in range(first, stop):
        node = drawn, number
        low, high = lefts_of(node, game)
        fill_outer(game.row, game.tile_price, high, max(high, tiles - drawn + low), near)
        low_mask, high_mask = masks_of(near.count)
        room = RackRoom(Tiles(np.minimum(near.count, rack), near.price), gain, used)
        known = RelaxedRack(low_mask, high_mask, near.count[BLANK_CODE], room)
        game.value[node] = 0
        game.word[node] = -1
        for length in range(number if drawn == tiles else rack, 0, -1):
            onward = game.value[node_after(node, length, game)]
            word, best = best_play(length, game.words, ordered, known, onward, game.value[node])
            if word >= 0:
                game.value[node] = best
                game.word[node] = word
