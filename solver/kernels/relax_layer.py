"""Layers of the relaxed games behind the bounds: see `solver.bound.relaxation` for what they mean."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.relax import NEVER, best_play, masks_of, merge_prices, order_words
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
            args = (masks, spare, cheapest[node], have, base, value[node], gain, used)
            found, best = best_play(length, first, letters, low, high, order, reach, values, *args)
            if found >= 0:
                value[node], word[node] = best, found


@kernel
def best_turn(
    size: int,
    held: int,
    new: npt.NDArray[np.int64],
    new_price: npt.NDArray[np.int64],
    old: npt.NDArray[np.int64],
    old_price: npt.NDArray[np.int64],
    more_before: npt.NDArray[np.int64],
    more_after: npt.NDArray[np.int64],
    one_price: bool,
    onward: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    letters: npt.NDArray[np.int8],
    low: npt.NDArray[np.uint64],
    high: npt.NDArray[np.uint64],
    order: npt.NDArray[np.int32],
    reach: npt.NDArray[np.int64],
    values: npt.NDArray[np.int64],
    best: int,
) -> tuple[int, int]:
    """The best play of a rack of the `new` tiles and `held` old ones, `size` in all, and what it brings, if more than `best`.

    more_before: by code, what an old tile costs beside its own price; more_after: the same after the play, by the number of
    tiles left then, shape (rack + 1, N_CODES), equal for all where `one_price`; onward: value of the game after the play.
    """
    rack = letters.shape[1]
    price, have = np.empty((N_CODES, rack), np.int64), np.empty(N_CODES, np.int64)
    old_more = np.empty(N_CODES, np.int64)
    gain, used = np.empty(rack, np.int64), np.empty(N_CODES, np.int64)
    masks = masks_of(new)
    spare = held + new[0]
    word = -1
    base = 0
    for length in range(size, 0, -1):
        left = size - length
        if onward[left] <= NEVER:
            continue
        if length == size or not one_price:
            kept = 0
            if held > 0:
                kept = NEVER
                for code in range(N_CODES):
                    if old[code] > 0:
                        kept = max(kept, more_after[left, code] - more_before[code])
            base = held * kept
            for code in range(N_CODES):
                base += new[code] * more_after[left, code]
                old_more[code] = more_before[code] + kept
            merge_prices(new, new_price, more_after[left], old, old_price, old_more, held, price, have)
        args = (masks, spare, price, have, base + onward[left], best, gain, used)
        found, brought = best_play(length, first, letters, low, high, order, reach, values, *args)
        if found >= 0:
            word, best = found, brought
    return word, best


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
    active: npt.NDArray[np.bool_],
    value: npt.NDArray[np.int64],
    taken: npt.NDArray[np.int8],
    word: npt.NDArray[np.int32],
) -> None:
    """Turns whose draw leads to `drawn` tiles drawn, `first_left` to `stop_left` of them from the left, the row not yet empty.

    more: what a held tile of each code costs beside its own price, by tiles drawn, part of the left draws and part of the
    number held: shape (tiles, sides, holds, N_CODES), see `solver.bound.prices`. counts, cheapest: by (drawn, left); value,
    taken, word: by (drawn, left, held), the best turn's value, left draws, word.
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
                found, best = best_turn(
                    rack, held, new, new_price, old, old_price, more_before, more_after, holds == 1, onward, *args
                )
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
    found, best = best_turn(
        size, size, new, new_price, total, cheapest[tiles, 0], more_end[size], more_end, False, onward, *args, 0
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
            )
            if found >= 0:
                value[before, was, held], word[before, was, held] = best, found
