"""The best turn of a relaxed rack: some new tiles, and old ones that may be any of those drawn before."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, leave_price, lefts_in
from solver.bound.kernels.relax_r1 import DrawnTiles
from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    PricedTiles,
    RelaxedRack,
    RelaxedWords,
    WordOrder,
    best_play,
    masks_of,
    merge_prices,
    order_words,
    play_value,
)
from solver.compiled import kernel
from solver.model.tiles import N_CODES


class Turn(NamedTuple):
    """A turn to be made.

    size: tiles of the rack, `held` of them old.
    new: the tiles drawn; their `more` is not looked at.
    old: all tiles drawn before, with what holding one costs.
    more_after: int64, shape (rack + 1, N_CODES), what holding a tile costs after the play, by the number of tiles left then,
        equal for all where `one_price`.
    onward: int64, shape (rack + 1,), the value of the game after the play, by the number of tiles left; in thousandths of a
        point.
    """

    size: int
    held: int
    new: PricedTiles
    old: PricedTiles
    more_after: npt.NDArray[np.int64]
    one_price: bool
    onward: npt.NDArray[np.int64]


class OldOrder(NamedTuple):
    """The words by what they gain at most from old tiles alone.

    least: int64, shape (N_CODES,), the lowest cost of an old tile of each code, MINUS_INFINITY where there is none.
    ordered: the words; empty where nobody has sorted them.
    """

    least: npt.NDArray[np.int64]
    ordered: WordOrder


@kernel
def order_by_old(held: int, drawn: int, near: DrawnTiles, leaves: LeavePrices, words: RelaxedWords, out: OldOrder) -> None:
    """Sort the words by what they gain at most from old tiles alone, where `held` of `drawn` tiles are held.

    near: for each number of left draws of `drawn` tiles, of which those in the window of the prices count.
    """
    rack = words.letters.shape[1]
    out.least[:] = MINUS_INFINITY
    low, high = lefts_in(leaves.window, drawn)
    for left in range(low, high + 1):
        more = leave_price(leaves, drawn, left, held)
        for code in range(N_CODES):
            if near.counts[left, code] > 0:
                lowest = near.cheapest[left, code, 0] + more[code]
                if out.least[code] == MINUS_INFINITY or lowest < out.least[code]:
                    out.least[code] = lowest
    least = np.empty((rack + 1, N_CODES), np.int64)
    least[:] = out.least
    order_words(words, least, out.ordered)


@kernel
def best_turn(turn: Turn, words: RelaxedWords, by_new: WordOrder, by_old: OldOrder, best: int, only: int) -> tuple[int, int]:
    """The best play of a turn, and what it brings, if that is more than `best`; -1 and `best` where it is not.

    The words stand in two orders, by what they gain at most at the prices of new tiles and of old ones; the one is taken in
    which fewer must be looked at.

    only: the one word to look at, -1 for all.
    """
    rack = words.letters.shape[1]
    more = np.empty(N_CODES, np.int64)
    low, high = masks_of(turn.new.count)
    known = RelaxedRack(
        low,
        high,
        turn.held + turn.new.count[0],
        np.empty((N_CODES, rack), np.int64),
        np.empty(N_CODES, np.int64),
        np.empty(rack, np.int64),
        np.empty(N_CODES, np.int64),
    )
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    new_count, new_price, _no_more = turn.new
    old_count, old_price, old_more = turn.old
    more_after, onward, held, one_price = turn.more_after, turn.onward, turn.held, turn.one_price
    first, letters, _low, _high, values = words
    old_least, old_reach = by_old.least, by_old.ordered.reach
    two_orders = len(by_old.ordered.word) > 0
    for code in range(N_CODES):
        two_orders &= new_count[code] == 0 or old_least[code] != MINUS_INFINITY
    word = -1
    base, kept, bonus = 0, 0, 0
    priced_left = -1
    for length in range(turn.size, 0, -1):
        left = turn.size - length
        if onward[left] <= MINUS_INFINITY or (only >= 0 and not first[length] <= only < first[length + 1]):
            continue
        if priced_left < 0 or not (one_price or _are_equal(more_after[left], more_after[priced_left])):
            priced_left = left
            after = more_after[left]
            kept = _rise(old_count, old_more, after) if held > 0 else 0
            base, bonus = held * kept, 0
            for code in range(N_CODES):
                base += new_count[code] * after[code]
                more[code] = old_more[code] + kept
                if two_orders:
                    for copy in range(new_count[code]):
                        # what the new tile saves at most, where the order took it for an old one
                        bonus += max(0, kept + old_least[code] - after[code] - new_price[code, copy])
            merge_prices(PricedTiles(new_count, new_price, after), PricedTiles(old_count, old_price, more), held, known)
        total = base + onward[left]
        if only >= 0:
            total += play_value(letters[only], length, values, known.price, known.have, known.gain, known.used)
            if total > best:
                word, best = only, total
            continue
        reach_base, ordered = total, by_new
        if two_orders:
            old_base = total + bonus - length * kept
            begin, end = first[length], first[length + 1]
            many = _above(by_new.reach, begin, end, best - total)
            if _above(old_reach, begin, end, best - old_base) < many:
                reach_base, ordered = old_base, by_old.ordered
        found, brought = best_play(length, words, ordered, known, total, reach_base, best)
        if found >= 0:
            word, best = found, brought
    return word, best


@kernel
def _are_equal(some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> bool:
    """Whether two rows of prices are the same."""
    equal = True
    for code in range(N_CODES):
        equal &= some[code] == others[code]
    return equal


@kernel
def _rise(count: npt.NDArray[np.int64], before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]) -> int:
    """By how much the price of holding one of the tiles counted rises at most."""
    rise = MINUS_INFINITY
    for code in range(N_CODES):
        if count[code] > 0:
            rise = max(rise, after[code] - before[code])
    return rise


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
