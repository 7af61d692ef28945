"""Layers of the relaxed games of `solver.bound.held`."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.relax import NEVER, order_words
from solver.kernels.turn import best_turn
from solver.tiles import N_CODES


@kernel
def relax_held(
    drawn: int,
    first_left: int,
    stop_left: int,
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    letters: npt.NDArray[np.int8],
    low: npt.NDArray[np.uint64],
    high: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int64],
    least_old: int,
    old_least: npt.NDArray[np.int64],
    old_low: npt.NDArray[np.uint64],
    old_high: npt.NDArray[np.uint64],
    old_order: npt.NDArray[np.int32],
    old_reach: npt.NDArray[np.int64],
    taken_before: npt.NDArray[np.int8],
    word_before: npt.NDArray[np.int32],
    active: npt.NDArray[np.bool_],
    value: npt.NDArray[np.int64],
    taken: npt.NDArray[np.int8],
    word: npt.NDArray[np.int32],
    recalls: bool,
) -> None:
    """Turns whose draw leads to `drawn` tiles drawn, `first_left` to `stop_left` of them from the left, the row not yet empty.

    more: what a held tile of each code costs beside its own price, by tiles drawn, part of the left draws and part of the
    number held: shape (tiles, sides, holds, N_CODES), see `solver.bound.prices`. counts, cheapest: by (drawn, left); value,
    taken, word: by (drawn, left, held), the best turn's value, left draws, word. old_least and so on: by the number held, from
    `least_old` on, what `order_by_old` made of the states that turns come from.
    """
    rack = letters.shape[1]
    sides, holds = more.shape[1], more.shape[2]
    least = np.full((rack + 1, N_CODES), NEVER, np.int64)
    any_active = False
    for left in range(first_left, stop_left):
        for code in range(N_CODES):
            if counts[drawn, left, code] > 0:
                for length in range(1, rack + 1):
                    side, hold = left * sides // (drawn + 1), (rack - length) * holds // rack
                    lowest = cheapest[drawn, left, code, 0] + more[drawn, side, hold, code]
                    if least[length, code] == NEVER or lowest < least[length, code]:
                        least[length, code] = lowest
        for from_left in range(min(rack, left) + 1):
            for from_right in range(min(rack - from_left, drawn - left) + 1):
                any_active |= active[drawn - from_left - from_right, left - from_left, rack - from_left - from_right]
    if not any_active:
        return
    order = np.empty(len(letters), np.int32)
    reach = np.empty(len(letters), np.int64)
    if not recalls:
        order_words(first, letters, values, least, order, reach)
        low, high = low[order], high[order]
    new = np.zeros(N_CODES, np.int64)
    new_price = np.zeros((N_CODES, rack), np.int64)
    more_after = np.zeros((rack + 1, N_CODES), np.int64)
    onward = np.empty(rack + 1, np.int64)
    tiles = len(row)
    for left in range(first_left, stop_left):
        right = drawn - left
        onward[:] = value[drawn, left]
        onward[rack] = NEVER
        for kept in range(rack):
            more_after[kept] = more[drawn, left * sides // (drawn + 1), kept * holds // rack]
        for from_left in range(min(rack, left) + 1):
            for from_right in range(min(rack - from_left, right) + 1):
                gone = from_left + from_right
                held, before, was = rack - gone, drawn - gone, left - from_left
                if gone == 0 or (held > 0 and before < rack) or (held == 0 and 0 < before < rack):
                    continue
                if not active[before, was, held]:
                    continue
                new[:] = 0
                for i in range(was, left):
                    _insert(row[i], tile_price[i], new, new_price)
                for i in range(tiles - right, tiles - right + from_right):
                    _insert(row[i], tile_price[i], new, new_price)
                old, old_price = counts[before, was], cheapest[before, was]
                more_before = more[before, was * sides // (before + 1), held * holds // rack]
                args = (first, letters, low, high, order, reach, values, value[before, was, held])
                words = len(order) if held >= least_old else 0
                olds = (old_low[held, :words], old_high[held, :words], old_order[held, :words], old_reach[held, :words])
                turn = (rack, held, new, new_price, old, old_price, more_before, more_after, holds == 1, onward)
                only = -1
                if recalls:
                    only = word_before[before, was, held]
                    if only < 0 or taken_before[before, was, held] != from_left:
                        continue
                found, best = best_turn(*turn, *args, old_least[held], *olds, only)
                if found >= 0:
                    value[before, was, held] = best
                    word[before, was, held] = found
                    taken[before, was, held] = from_left


@kernel
def _insert(code: int, price: int, counts: npt.NDArray[np.int64], prices: npt.NDArray[np.int64]) -> None:
    at = counts[code]
    while at > 0 and prices[code, at - 1] > price:
        prices[code, at] = prices[code, at - 1]
        at -= 1
    prices[code, at] = price
    counts[code] += 1


@kernel
def relax_last(
    size: int,
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    more_end: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    letters: npt.NDArray[np.int8],
    low: npt.NDArray[np.uint64],
    high: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int64],
    active: npt.NDArray[np.bool_],
    value: npt.NDArray[np.int64],
    word: npt.NDArray[np.int32],
) -> None:
    """Turns that end with an empty row from racks of `size` tiles, those of smaller racks being known already.

    more_end: as `more`, once the row is empty, by tiles held, shape (rack + 1, N_CODES). Otherwise as for `relax_held`.
    """
    tiles, rack = len(row), letters.shape[1]
    sides, holds = more.shape[1], more.shape[2]
    total = counts[tiles, 0]
    least = np.full((rack + 1, N_CODES), NEVER, np.int64)
    for length in range(1, size + 1):
        for code in range(N_CODES):
            if total[code] > 0:
                least[length, code] = cheapest[tiles, 0, code, 0] + more_end[size - length, code]
    order = np.empty(len(letters), np.int32)
    reach = np.empty(len(letters), np.int64)
    order_words(first, letters, values, least, order, reach)
    low, high = low[order], high[order]
    new = np.zeros(N_CODES, np.int64)
    new_price = np.zeros((N_CODES, rack), np.int64)
    onward = value[tiles, 0].copy()
    args = (first, letters, low, high, order, reach, values)
    olds = (least[0], low[:0], high[:0], order[:0], reach[:0])  # few turns: one order will do
    found, best = best_turn(
        size, size, new, new_price, total, cheapest[tiles, 0], more_end[size], more_end, False, onward, *args, 0, *olds, -1
    )
    value[tiles, 0, size], word[tiles, 0, size] = best, found
    for gone in range(1, min(size, tiles) + 1):
        held, before = size - gone, tiles - gone
        if (before < rack and before > 0) or (before == 0 and held > 0):
            continue
        for was in range(before + 1):
            if not active[before, was, held]:
                continue
            new[:] = 0
            for i in range(was, was + gone):
                _insert(row[i], tile_price[i], new, new_price)
            old, old_price = counts[before, was], cheapest[before, was]
            found, best = best_turn(
                size,
                held,
                new,
                new_price,
                old,
                old_price,
                more[before, was * sides // (before + 1), held * holds // rack],
                more_end,
                False,
                onward,
                *args,
                value[before, was, held],
                *olds,
                -1,
            )
            if found >= 0:
                value[before, was, held], word[before, was, held] = best, found
