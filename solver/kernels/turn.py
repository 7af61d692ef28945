"""The best turn of a relaxed rack: some new tiles, and old ones that may be any of those drawn before."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.relax import NEVER, best_play, masks_of, merge_prices, order_words, play_value
from solver.tiles import N_CODES


@kernel
def order_by_old(
    held: int,
    counts: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    letters: npt.NDArray[np.int8],
    low: npt.NDArray[np.uint64],
    high: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int64],
    old_least: npt.NDArray[np.int64],
    old_low: npt.NDArray[np.uint64],
    old_high: npt.NDArray[np.uint64],
    order: npt.NDArray[np.int32],
    reach: npt.NDArray[np.int64],
) -> None:
    """Sort the words by what they gain at most from old tiles alone, where `held` are held, see `order_words`.

    counts, cheapest: of each number of left draws of one number of tiles drawn; more: of that number, shape (sides, holds,
    N_CODES). old_least becomes the lowest cost of an old tile of each code, NEVER where there is none.
    """
    rack, nodes = letters.shape[1], len(counts)
    sides, holds = more.shape[0], more.shape[1]
    old_least[:] = NEVER
    for left in range(nodes):
        for code in range(N_CODES):
            if counts[left, code] > 0:
                lowest = cheapest[left, code, 0] + more[left * sides // nodes, held * holds // rack, code]
                if old_least[code] == NEVER or lowest < old_least[code]:
                    old_least[code] = lowest
    least = np.empty((rack + 1, N_CODES), np.int64)
    least[:] = old_least
    order_words(first, letters, values, least, order, reach)
    old_low[:], old_high[:] = low[order], high[order]


@kernel
def _above(reach: npt.NDArray[np.int64], at: int, end: int, limit: int) -> int:
    """How many of the descending `reach` from `at` to `end` exceed `limit`."""
    low, high = at, end
    while low < high:
        middle = (low + high) // 2
        if reach[middle] > limit:
            low = middle + 1
        else:
            high = middle
    return low - at


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
    old_least: npt.NDArray[np.int64],
    old_low: npt.NDArray[np.uint64],
    old_high: npt.NDArray[np.uint64],
    old_order: npt.NDArray[np.int32],
    old_reach: npt.NDArray[np.int64],
    only: int,
) -> tuple[int, int]:
    """The best play of a rack of the `new` tiles and `held` old ones, `size` in all, and what it brings, if more than `best`.

    more_before: by code, what an old tile costs beside its own price; more_after: the same after the play, by the number of
    tiles left then, shape (rack + 1, N_CODES), equal for all where `one_price`; onward: value of the game after the play.
    The words stand in two orders, by what they gain at most at the prices of new tiles and, see `order_by_old`, of old ones;
    the one is taken in which fewer must be looked at. only: the one word to look at, -1 for all.
    """
    rack = letters.shape[1]
    price, have = np.empty((N_CODES, rack), np.int64), np.empty(N_CODES, np.int64)
    old_more = np.empty(N_CODES, np.int64)
    gain, used = np.empty(rack, np.int64), np.empty(N_CODES, np.int64)
    masks = masks_of(new)
    spare = held + new[0]
    word = -1
    base, kept, bonus = 0, 0, 0
    two_orders = len(old_order) > 0
    for code in range(N_CODES):
        two_orders &= new[code] == 0 or old_least[code] != NEVER
    priced = False
    for length in range(size, 0, -1):
        left = size - length
        if onward[left] <= NEVER or (only >= 0 and not first[length] <= only < first[length + 1]):
            continue
        if not (priced and one_price):
            priced = True
            kept = 0
            if held > 0:
                kept = NEVER
                for code in range(N_CODES):
                    if old[code] > 0:
                        kept = max(kept, more_after[left, code] - more_before[code])
            base, bonus = held * kept, 0
            for code in range(N_CODES):
                base += new[code] * more_after[left, code]
                old_more[code] = more_before[code] + kept
                if two_orders:
                    for copy in range(new[code]):
                        # what the new tile saves at most, where the order took it for an old one
                        bonus += max(0, kept + old_least[code] - more_after[left, code] - new_price[code, copy])
            merge_prices(new, new_price, more_after[left], old, old_price, old_more, held, price, have)
        total = base + onward[left]
        if only >= 0:
            total += play_value(letters[only], length, values, price, have, gain, used)
            if total > best:
                word, best = only, total
            continue
        reach_base, ordered = total, (low, high, order, reach)
        if two_orders:
            old_base = total + bonus - length * kept
            begin, end = first[length], first[length + 1]
            if _above(old_reach, begin, end, best - old_base) < _above(reach, begin, end, best - total):
                reach_base, ordered = old_base, (old_low, old_high, old_order, old_reach)
        args = (values, masks, spare, price, have, total, reach_base, best, gain, used)
        found, brought = best_play(length, first, letters, *ordered, *args)
        if found >= 0:
            word, best = found, brought
    return word, best
