"""The best turn of a relaxed rack: its new tiles are known, its old ones may be any tiles drawn before."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    PricedTiles,
    RelaxedRack,
    RelaxedWords,
    WordOrder,
    best_play,
    masks_of,
    merge_prices,
    play_value,
)
from solver.compiled import borrowing, kernel
from solver.model.tiles import N_CODES


class RelaxedTurn(NamedTuple):
    """A draw whose best play is sought.

    Attributes:
        size: the number of tiles in the rack.
        held: the number of old tiles among them.
        new: the tiles of this draw; their `more` is ignored.
        old: all tiles drawn before; `more` is the price of holding one before the turn.
        more_after: int64, shape (rack + 1, N_CODES), the price of holding a tile after the play, by the number of tiles kept
            and by code, in thousandths of a point.
        one_price: whether all rows of `more_after` are known to be equal.
        onward: int64, shape (rack + 1,), the value of the game after the play, by the number of tiles kept, in
            thousandths of a point; MINUS_INFINITY where no play may end.
    """

    size: int
    held: int
    new: PricedTiles
    old: PricedTiles
    more_after: npt.NDArray[np.int64]
    one_price: bool
    onward: npt.NDArray[np.int64]


class Scratch(NamedTuple):
    """Room for one turn at a time, because `best_turn` must not create arrays.

    Attributes:
        risen: int64, shape (N_CODES,), for the prices of holding a tile before the turn, with their rise.
        price: int64, shape (N_CODES, rack), as in `RelaxedRack`.
        have: int64, shape (N_CODES,), as in `RelaxedRack`.
        gain: int64, shape (rack,), as in `RelaxedRack`.
        used: int64, shape (N_CODES,), as in `RelaxedRack`.
    """

    risen: npt.NDArray[np.int64]
    price: npt.NDArray[np.int64]
    have: npt.NDArray[np.int64]
    gain: npt.NDArray[np.int64]
    used: npt.NDArray[np.int64]


class OldOrder(NamedTuple):
    """The words in descending order of the most that they can gain from old tiles alone.

    Attributes:
        least: int64, shape (N_CODES,), the lowest cost of an old tile of each code, its price plus the price of holding it, in
            thousandths of a point; MINUS_INFINITY if no such tile exists.
        ordered: the words; empty if they have not been sorted.
    """

    least: npt.NDArray[np.int64]
    ordered: WordOrder


@borrowing
def best_turn(
    turn: RelaxedTurn, words: RelaxedWords, by_new: WordOrder, by_old: OldOrder, best: int, only: int, scratch: Scratch
) -> tuple[int, int]:
    """Return the best word of a turn and its value; -1 and `best` if no word exceeds `best`.

    `docs/bound.md` derives the costs. The price of holding a tile rises by up to d during the turn (`rise`), and every old tile
    that is not played gains d. So the turn begins with d for each old tile, plus the price of holding each new tile afterwards
    (`base`). To play a new tile of code c then costs its price + after[c], and an old one its price + old_more[c] + d.

    The words are sorted twice, by upper bounds of their gains at the costs of new tiles and of old tiles. For each length the
    search takes the order with fewer words to try. The order for old tiles leaves out d, which is the same for each letter, and
    counts new tiles as old ones; `bonus` is the most that they can cost less than that.

    Args:
        turn: the draw.
        words: all words.
        by_new: the words in the order for new tiles.
        by_old: the words in the order for old tiles.
        best: the value to exceed, in thousandths of a point.
        only: the index of the one word to try; -1 for all.
        scratch: as `new_scratch` returns it.
    """
    old_more_risen, price, have, gain, used = scratch
    low, high = masks_of(turn.new.count)
    known = RelaxedRack(low, high, turn.held + turn.new.count[0], price, have, gain, used)
    # tuples are unpacked before the loop: numba counts the references to each array that is taken out of one
    new_count, new_price, _no_more = turn.new
    old_count, old_price, old_more = turn.old
    more_after, onward, held, one_price = turn.more_after, turn.onward, turn.held, turn.one_price
    first, letters, _low_masks, _high_masks, values = words
    new_reach, old_reach, old_least = by_new.reach, by_old.ordered.reach, by_old.least
    two_orders = len(old_reach) > 0 and _covers(old_least, new_count)
    word = -1
    base, rise, bonus = 0, 0, 0
    priced_kept, merged = -1, False
    after = more_after[0]
    for length in range(turn.size, 0, -1):
        kept = turn.size - length
        if onward[kept] <= MINUS_INFINITY or (only >= 0 and not first[length] <= only < first[length + 1]):
            continue
        if priced_kept < 0 or not (one_price or _are_equal(more_after[kept], more_after[priced_kept])):
            priced_kept = kept
            after = more_after[kept]
            rise = _rise(old_count, old_more, after) if held > 0 else 0
            for code in range(N_CODES):
                old_more_risen[code] = old_more[code] + rise
            base = held * rise + _total(new_count, after)
            bonus = _savings(new_count, new_price, old_least, after, rise) if two_orders else 0
            merged = False
        total = base + onward[kept]
        uses_old, reach_base = False, total
        if only < 0:
            begin, end = first[length], first[length + 1]
            # most lengths end here: the first word of an order reaches furthest
            if begin == end or new_reach[begin] <= best - total:
                continue
            if two_orders:
                old_base = total + bonus - length * rise
                if old_reach[begin] <= best - old_base:
                    continue
                if _above(old_reach, begin, end, best - old_base) < _above(new_reach, begin, end, best - total):
                    uses_old, reach_base = True, old_base
        if not merged:
            merge_prices(
                PricedTiles(new_count, new_price, after), PricedTiles(old_count, old_price, old_more_risen), held, known
            )
            merged = True
        better, value = only, total
        if only >= 0:
            value += play_value(letters[only], length, values, price, have, gain, used)
        else:
            ordered = by_old.ordered if uses_old else by_new
            better, value = best_play(length, words, ordered, known, total, reach_base, best)
        if better >= 0 and value > best:
            word, best = better, value
    return word, best


@kernel
def new_scratch(rack: int) -> Scratch:
    """Return room for the prices of a turn; `rack` is the size of a full rack."""
    price, used = np.empty((N_CODES, rack), np.int64), np.empty(N_CODES, np.int64)
    return Scratch(np.empty(N_CODES, np.int64), price, np.empty(N_CODES, np.int64), np.empty(rack, np.int64), used)


@borrowing
def _total(count: npt.NDArray[np.int64], prices: npt.NDArray[np.int64]) -> int:
    """Return the sum of the prices of tiles, from the number of each code."""
    total = 0
    for code in range(N_CODES):
        total += count[code] * prices[code]
    return total


@borrowing
def _savings(
    count: npt.NDArray[np.int64],
    price: npt.NDArray[np.int64],
    old_least: npt.NDArray[np.int64],
    after: npt.NDArray[np.int64],
    rise: int,
) -> int:
    """Return the most that new tiles can cost less than an order for old tiles assumes.

    Args:
        count: the number of new tiles of each code, shape (N_CODES,).
        price: their prices, shape (N_CODES, rack).
        old_least: the lowest cost of an old tile of each code, without the rise, shape (N_CODES,).
        after: the price of holding a tile after the play, shape (N_CODES,).
        rise: the rise of the price of holding an old tile.
    """
    savings = 0
    for code in range(N_CODES):
        for copy in range(count[code]):
            savings += max(0, rise + old_least[code] - after[code] - price[code, copy])
    return savings


@borrowing
def _covers(least: npt.NDArray[np.int64], count: npt.NDArray[np.int64]) -> bool:
    """Return whether every code with tiles has a lowest cost: without one, `_savings` has nothing to compare with."""
    covers = True
    for code in range(N_CODES):
        covers &= count[code] == 0 or least[code] != MINUS_INFINITY
    return covers


@borrowing
def _are_equal(some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> bool:
    """Return whether two rows of prices are equal."""
    equal = True
    for code in range(N_CODES):
        equal &= some[code] == others[code]
    return equal


@borrowing
def _rise(count: npt.NDArray[np.int64], before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]) -> int:
    """Return the largest rise of the price of holding a tile, from `before` to `after`, over the codes with tiles."""
    highest = MINUS_INFINITY
    for code in range(N_CODES):
        if count[code] > 0:
            highest = max(highest, after[code] - before[code])
    return highest


@borrowing
def _above(reach: npt.NDArray[np.int64], at: int, end: int, limit: int) -> int:
    """Return how many values of the descending `reach` exceed `limit`, from index `at` to `end`."""
    low, high = at, end
    while low < high:
        middle = (low + high) // 2
        if reach[middle] > limit:
            low = middle + 1
        else:
            high = middle
    return low - at
