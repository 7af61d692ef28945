"""The relaxed game of r3 as the arrays that kernels take, and the orders in which kernels try its words.

In r3 a layer is a number of tiles drawn, and the states of a layer are those that a draw leads to.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, leave_price, lefts_in
from solver.bound.kernels.relax_r1 import DrawnTiles
from solver.bound.kernels.relaxed_play import MINUS_INFINITY, RelaxedWords, WordOrder, order_words
from solver.compiled import kernel
from solver.model.tiles import N_CODES

LAYERS = 3  # the number of adjacent layers that share the orders of words: sorting for each layer would take longer


class RelaxedStates(NamedTuple):
    """The best turn from each state (drawn, left, held): shape (tiles + 1, tiles + 1, rack + 1).

    Attributes:
        value: int64, the value of the rest of the game, in thousandths of a point.
        taken: int8, the left draws of the best turn alone; meaningless without a turn.
        word: int32, the index of its word in the `RelaxedWords` of the game; -1 if ending the game is best.
    """

    value: npt.NDArray[np.int64]
    taken: npt.NDArray[np.int8]
    word: npt.NDArray[np.int32]


class OldOrders(NamedTuple):
    """An `OldOrder` (`solver.bound.kernels.relaxed_turn`) for each number of tiles held.

    Attributes:
        least_held: the smallest number of tiles held that has an order; turns that hold fewer use `RelaxedGame.by_new` alone.
        least: int64, as in `OldOrder`, shape (rack, N_CODES), by tiles held and code.
        ordered: as in `OldOrder`, arrays of shape (rack, words), by tiles held.
    """

    least_held: int
    least: npt.NDArray[np.int64]
    ordered: WordOrder


class RelaxedGame(NamedTuple):
    """A relaxed game: its tiles, prices, words and states.

    Attributes:
        row: uint8, shape (tiles,), codes.
        width: the left draws of a block. The fewer, the closer the reach of words, and the more orders to sort.
        tile_price: int64, shape (tiles,), the price of playing each tile of the row, in thousandths of a point.
        drawn_tiles: of each node, by tiles drawn and left draws: `counts` has shape (tiles + 1, tiles + 1, N_CODES), `cheapest`
            (tiles + 1, tiles + 1, N_CODES, rack). Once the row is empty, the node (tiles, 0) has all tiles.
        leaves: the prices of holding tiles.
        words: the words that may be played.
        by_new: the words sorted by their gains from new tiles, by block of left draws: arrays of shape (blocks, words).
        by_old: the words sorted by their gains from old tiles.
        states: the best turns at the current prices.
        before: the best turns at the prices evaluated before.
        active: bool, shape of `states.value`, the states to evaluate. The value of the others is MINUS_INFINITY.
        slack: int64, shape of `states.value`, in thousandths of a point: the value of the best game, less that of the best game
            that passes this state. Both games have the same start.
    """

    row: npt.NDArray[np.uint8]
    width: int
    tile_price: npt.NDArray[np.int64]
    drawn_tiles: DrawnTiles
    leaves: LeavePrices
    words: RelaxedWords
    by_new: WordOrder
    by_old: OldOrders
    states: RelaxedStates
    before: RelaxedStates
    active: npt.NDArray[np.bool_]
    slack: npt.NDArray[np.int64]


@kernel
def order_new(block: int, first: int, last: int, game: RelaxedGame) -> None:
    """Sort the words into `game.by_new` for turns whose draw ends in a block of left draws with `first` to `last` tiles drawn.

    The order holds for old tiles too, because an old tile never costs less to play than a new one of the same price: so each
    letter counts with the cheapest of all tiles drawn.
    """
    rack = game.words.letters.shape[1]
    least = np.full((rack + 1, N_CODES), MINUS_INFINITY, np.int64)
    for drawn in range(first, last + 1):
        low, high = block_lefts(block, drawn, game)
        for left in range(low, high):
            for length in range(1, rack + 1):
                if not game.active[drawn, left, rack - length]:
                    continue
                holding = leave_price(game.leaves, drawn, left, rack - length)
                for code in range(N_CODES):
                    if game.drawn_tiles.counts[drawn, left, code] > 0:
                        lowest = game.drawn_tiles.cheapest[drawn, left, code, 0] + holding[code]
                        if least[length, code] == MINUS_INFINITY or lowest < least[length, code]:
                            least[length, code] = lowest
    word, reach, low_mask, high_mask = game.by_new
    order_words(game.words, least, WordOrder(word[block], reach[block], low_mask[block], high_mask[block]))


@kernel
def order_old(held: int, first: int, last: int, game: RelaxedGame) -> None:
    """Sort the words into `game.by_old` for turns from `held` tiles whose draw ends with `first` to `last` tiles drawn."""
    rack = game.words.letters.shape[1]
    window, lowest = game.leaves.window, game.by_old.least[held]
    lowest[:] = MINUS_INFINITY
    for drawn in range(max(window.first, first - rack + held), last - rack + held + 1):
        low, high = lefts_in(window, drawn)
        for left in range(low, high + 1):
            if not game.active[drawn, left, held]:
                continue
            holding = leave_price(game.leaves, drawn, left, held)
            for code in range(N_CODES):
                if game.drawn_tiles.counts[drawn, left, code] > 0:
                    price = game.drawn_tiles.cheapest[drawn, left, code, 0] + holding[code]
                    if lowest[code] == MINUS_INFINITY or price < lowest[code]:
                        lowest[code] = price
    least = np.empty((rack + 1, N_CODES), np.int64)
    least[:] = lowest
    word, reach, low_mask, high_mask = game.by_old.ordered
    order_words(game.words, least, WordOrder(word[held], reach[held], low_mask[held], high_mask[held]))


@kernel
def block_lefts(block: int, drawn: int, game: RelaxedGame) -> tuple[int, int]:
    """Return the range of left draws of a block after `drawn` draws: the fewest, and one more than the most."""
    low, high = lefts_in(game.leaves.window, drawn)
    first = low + block * game.width
    return first, min(high + 1, first + game.width)


@kernel
def blocks_of(drawn: int, game: RelaxedGame) -> int:
    """Return the number of blocks of left draws after `drawn` draws."""
    low, high = lefts_in(game.leaves.window, drawn)
    return (high - low) // game.width + 1
