"""Layers of the relaxed games of `solver.bound.relaxations.r3`."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, leave_price, lefts_in
from solver.bound.kernels.relax_r1 import DrawnTiles
from solver.bound.kernels.relaxed_play import MINUS_INFINITY, PricedTiles, RelaxedWords, WordOrder, order_words
from solver.bound.kernels.relaxed_turn import OldOrder, Turn, best_turn
from solver.compiled import kernel
from solver.model.tiles import N_CODES


class RelaxedStates(NamedTuple):
    """The best turn from each state (drawn, left, held): shape (tiles + 1, tiles + 1, rack + 1).

    Attributes:
        value: int64, the value of the rest of the game, in thousandths of a point.
        taken: int8, the left draws of that turn.
        word: int32, the word of that turn; -1 if there is no turn.
    """

    value: npt.NDArray[np.int64]
    taken: npt.NDArray[np.int8]
    word: npt.NDArray[np.int32]


class OldOrders(NamedTuple):
    """An `OldOrder` for each number of tiles held.

    Attributes:
        least_held: the smallest number of tiles held that has an order.
        least: as in `OldOrder`, shape (rack, N_CODES).
        ordered: as in `OldOrder`, arrays of shape (rack, words).
    """

    least_held: int
    least: npt.NDArray[np.int64]
    ordered: WordOrder


class RelaxedGame(NamedTuple):
    """A relaxed game: its tiles, prices, words and states.

    Attributes:
        row: uint8, codes.
        tile_price: int64, the price of each tile of the row, in thousandths of a point.
        near: the tiles drawn, by (drawn, left).
        leaves: the prices of holding tiles.
        words: the words that may be played.
        by_old: the words sorted by their gains from old tiles.
        states: the best turns at the current prices.
        before: the best turns at the prices evaluated before.
    """

    row: npt.NDArray[np.uint8]
    tile_price: npt.NDArray[np.int64]
    near: DrawnTiles
    leaves: LeavePrices
    words: RelaxedWords
    by_old: OldOrders
    states: RelaxedStates
    before: RelaxedStates


@kernel
def relax_r3(drawn: int, first_left: int, stop_left: int, game: RelaxedGame, recalls: bool) -> None:
    """Find the best turns from states in the window whose draw makes `drawn` tiles drawn and does not empty the row.

    Args:
        drawn: tiles drawn after the draw.
        first_left: the fewest left draws after the draw, in the window.
        stop_left: one more than the most left draws after the draw, which are in the window.
        game: the relaxed game; its `states` are improved.
        recalls: try only the turns that were best at the prices evaluated before.
    """
    # bundles are opened before the loops: numba counts the users of each array that is taken out of one
    words, leaves, by_old = game.words, game.leaves, game.by_old
    value, taken, word = game.states
    _value_before, taken_before, word_before = game.before
    row, tile_price = game.row, game.tile_price
    counts, cheapest = game.near
    old_least, (old_word, old_reach, old_low, old_high) = by_old.least, by_old.ordered
    rack = words.letters.shape[1]
    by_new = _new_order(len(words.letters))
    if not recalls:
        order_words(words, _least_prices(drawn, first_left, stop_left, game), by_new)
    new, price, more = np.zeros(N_CODES, np.int64), np.zeros((N_CODES, rack), np.int64), np.zeros(N_CODES, np.int64)
    more_after = np.zeros((rack + 1, N_CODES), np.int64)
    onward = np.empty(rack + 1, np.int64)
    one_price = leaves.leave.shape[2] == 1
    for left in range(first_left, stop_left):
        onward[:] = value[drawn, left]
        onward[rack] = MINUS_INFINITY
        for kept in range(rack):
            more_after[kept] = leave_price(leaves, drawn, left, kept)
        for from_left in range(min(rack, left) + 1):
            for from_right in range(min(rack - from_left, drawn - left) + 1):
                gone = from_left + from_right
                held, before, was = rack - gone, drawn - gone, left - from_left
                if gone == 0 or (held > 0 and before < rack) or (held == 0 and 0 < before < rack):
                    continue
                low, high = lefts_in(leaves.window, before)
                if before < leaves.window.first or not low <= was <= high:
                    continue
                only = -1
                if recalls:
                    only = word_before[before, was, held]
                    if only < 0 or taken_before[before, was, held] != from_left:
                        continue
                right = len(row) - (drawn - left)
                new[:] = 0
                _add(row[was:left], tile_price[was:left], new, price)
                _add(row[right : right + from_right], tile_price[right : right + from_right], new, price)
                old = PricedTiles(counts[before, was], cheapest[before, was], leave_price(leaves, before, was, held))
                turn = Turn(rack, held, PricedTiles(new, price, more), old, more_after, one_price, onward)
                many = old_word.shape[1] if held >= by_old.least_held else 0
                ordered = WordOrder(old_word[held, :many], old_reach[held, :many], old_low[held, :many], old_high[held, :many])
                by_old_price = OldOrder(old_least[held], ordered)
                better, best = best_turn(turn, words, by_new, by_old_price, value[before, was, held], only)
                if better >= 0:
                    value[before, was, held] = best
                    word[before, was, held] = better
                    taken[before, was, held] = from_left


@kernel
def relax_last(size: int, game: RelaxedGame) -> None:
    """Find the best turns with racks of `size` tiles once the row is empty, and those whose draw empties the row.

    The best turns with smaller racks must be known already.
    """
    words, states = game.words, game.states
    tiles, rack = len(game.row), words.letters.shape[1]
    total = game.near.counts[tiles, 0]
    least = np.full((rack + 1, N_CODES), MINUS_INFINITY, np.int64)
    more_after = np.zeros((rack + 1, N_CODES), np.int64)
    for held in range(rack + 1):
        more_after[held] = leave_price(game.leaves, tiles, 0, held)
    for length in range(1, size + 1):
        for code in range(N_CODES):
            if total[code] > 0:
                least[length, code] = game.near.cheapest[tiles, 0, code, 0] + more_after[size - length, code]
    by_new = _new_order(len(words.letters))
    order_words(words, least, by_new)
    by_old = OldOrder(least[0], _new_order(0))  # few turns: one order is enough
    new = PricedTiles(np.zeros(N_CODES, np.int64), np.zeros((N_CODES, rack), np.int64), np.zeros(N_CODES, np.int64))
    onward = states.value[tiles, 0].copy()
    turn = Turn(size, size, new, _old_tiles(game, tiles, 0, size), more_after, False, onward)
    word, best = best_turn(turn, words, by_new, by_old, 0, -1)
    states.value[tiles, 0, size], states.word[tiles, 0, size] = best, word
    for gone in range(1, min(size, tiles) + 1):
        held, before = size - gone, tiles - gone
        if (before < rack and before > 0) or (before == 0 and held > 0):
            continue
        if before < game.leaves.window.first:
            continue
        low, high = lefts_in(game.leaves.window, before)
        for was in range(low, high + 1):
            new.count[:] = 0
            _add(game.row[was : was + gone], game.tile_price[was : was + gone], new.count, new.price)
            turn = Turn(size, held, new, _old_tiles(game, before, was, held), more_after, False, onward)
            word, best = best_turn(turn, words, by_new, by_old, states.value[before, was, held], -1)
            if word >= 0:
                states.value[before, was, held], states.word[before, was, held] = best, word


@kernel
def _least_prices(drawn: int, first_left: int, stop_left: int, game: RelaxedGame) -> npt.NDArray[np.int64]:
    """Return the lowest price of a tile of each code for words of each length: int64, shape (rack + 1, N_CODES).

    The price is MINUS_INFINITY if no such tile exists.
    """
    rack = game.words.letters.shape[1]
    least = np.full((rack + 1, N_CODES), MINUS_INFINITY, np.int64)
    for left in range(first_left, stop_left):
        for length in range(1, rack + 1):
            more = leave_price(game.leaves, drawn, left, rack - length)
            for code in range(N_CODES):
                if game.near.counts[drawn, left, code] > 0:
                    lowest = game.near.cheapest[drawn, left, code, 0] + more[code]
                    if least[length, code] == MINUS_INFINITY or lowest < least[length, code]:
                        least[length, code] = lowest
    return least


@kernel
def _new_order(words: int) -> WordOrder:
    """Return empty arrays for an order of `words` words."""
    return WordOrder(
        np.empty(words, np.int32), np.empty(words, np.int64), np.empty(words, np.uint64), np.empty(words, np.uint64)
    )


@kernel
def _old_tiles(game: RelaxedGame, drawn: int, left: int, held: int) -> PricedTiles:
    """Return the tiles drawn before a turn, and the price of holding one when `held` are held."""
    more = leave_price(game.leaves, drawn, left, held)
    return PricedTiles(game.near.counts[drawn, left], game.near.cheapest[drawn, left], more)


@kernel
def _add(
    codes: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    count: npt.NDArray[np.int64],
    price: npt.NDArray[np.int64],
) -> None:
    """Add tiles to the counts by code, and insert their prices in ascending order."""
    for i in range(len(codes)):
        code = codes[i]
        at = count[code]
        while at > 0 and price[code, at - 1] > tile_price[i]:
            price[code, at] = price[code, at - 1]
            at -= 1
        price[code, at] = tile_price[i]
        count[code] += 1
