"""The best turn of a relaxed game: the word that gains most from priced tiles.

All figures are whole thousandths of a point. The gain of a word is its points minus the prices of its tiles. The cheapest tiles
of a letter go to the last positions of that letter. Then blanks, cheapest first, replace the positions that gain least, as long
as this raises the gain. No other arrangement of these tiles gains more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.word_arrays import BLANK_KIND, KINDS, LETTERS, PADDING, Ints, WordArrays

NONE = 10**12  # the price of a missing tile
HIGHEST = NONE // 10_000  # the highest price allowed: sums over a rack stay far below NONE
_FIRST_LOOK = 128  # words in the first batch


@dataclass(frozen=True)
class Shortlist:
    """The words for a turn, in descending order of their upper bounds.

    Attributes:
        words: All words.
        values: The points of each kind of tile, in thousandths, shape (KINDS,).
        number: The index of each listed word in `words`.
        length: The length of each listed word.
        upper: The upper bound of each listed word, including the rest of the game.
        masks: The masks of the listed words, as in `WordArrays`.
        onward: By length of the word, the value of the rest of the game; None if no word of that length can be played.
    """

    words: WordArrays
    values: Ints
    number: Ints
    length: Ints
    upper: Ints
    masks: npt.NDArray[np.uint64]
    onward: Sequence[int | None]


def shortlist(words: WordArrays, values: Ints, least: Sequence[Ints], onward: Sequence[int | None]) -> Shortlist:
    """Return the words in descending order of their upper bounds.

    Args:
        words: All words.
        values: The points of each kind of tile, in thousandths, shape (KINDS,).
        least: By length of the word, the lowest price of each kind, shape (KINDS,); NONE for a missing kind.
        onward: By length of the word, the value of the rest of the game; None if no word of that length can be played.
    """
    numbers, lengths, uppers = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for length, to_come in enumerate(onward):
        first, stop = int(words.starts[length]), int(words.starts[length + 1])
        if to_come is None or first == stop:
            continue
        upper = np.full(stop - first, to_come, dtype=np.int64)
        for place in range(length):
            gain = np.maximum((place + 1) * values - least[length], -least[length][BLANK_KIND])
            upper += gain[words.letters[first:stop, place]]
        numbers.append(np.arange(first, stop))
        lengths.append(np.full(stop - first, length))
        uppers.append(upper)
    number, length_of, upper = np.concatenate(numbers), np.concatenate(lengths), np.concatenate(uppers)
    order = np.argsort(-upper, kind="stable")
    # drop words that need a missing letter: its price NONE exceeds the sum of all others
    order = order[upper[order] > -NONE // 2]
    return Shortlist(words, values, number[order], length_of[order], upper[order], words.masks[:, number[order]], onward)


def best_turn(
    listed: Shortlist, prices: Sequence[Ints], base: Sequence[int], drawn: npt.NDArray[np.uint64], spare: int, floor: int
) -> int:
    """Return the highest value of a turn with the rest of the game, or `floor` if that is higher.

    Args:
        listed: The words to try.
        prices: By length of the word, the ascending prices of each kind of tile, shape (KINDS, rack), padded with NONE.
        base: By length of the word, what a word brings besides its gain and the rest of the game.
        drawn: The masks of the tiles just drawn, which may all be played.
        spare: The number of further letters that a word may need.
        floor: A value that is already reached.
    """
    extra = np.array(base, dtype=np.int64)
    highest = int(extra.max())
    best, at, size = floor, 0, _FIRST_LOOK
    while at < len(listed.number) and int(listed.upper[at]) + highest > best:
        near = slice(at, at + size)
        lacking = np.bitwise_count(listed.masks[0, near] & ~drawn[0]) + np.bitwise_count(listed.masks[1, near] & ~drawn[1])
        bring = listed.upper[near] + extra[listed.length[near]]
        chosen = at + np.flatnonzero((lacking <= spare) & (bring > best))
        for length in np.unique(listed.length[chosen]).tolist():
            some = listed.number[chosen[listed.length[chosen] == length]]
            to_come = listed.onward[length]
            assert to_come is not None
            best = max(
                best, int(gains(listed.words, listed.values, some, length, prices[length]).max()) + base[length] + to_come
            )
        at, size = at + size, size * 4
    return best


def gains(words: WordArrays, values: Ints, some: Ints, length: int, price: Ints) -> Ints:
    """Return the gains of the words with the indices `some`, all of one length: shape (len(some),)."""
    letters, copies = words.letters[some, :length], words.copies[some, :length]
    gain = np.arange(1, length + 1) * values[letters] - price[letters, np.minimum(copies, price.shape[1] - 1)]
    total: Ints = gain.sum(axis=1)
    gain.sort(axis=1)
    for blank, cost in enumerate(price[BLANK_KIND, :length].tolist()):
        if cost >= NONE:
            break
        total += np.maximum(0, -cost - gain[:, blank])
    return total


def ascending(tiles: Sequence[tuple[int, int]], most: int) -> Ints:
    """Return the `most` lowest prices of each kind, ascending, from pairs (kind, price): shape (KINDS, most)."""
    by_kind: list[list[int]] = [[] for _ in range(KINDS)]
    for kind, price in tiles:
        by_kind[kind].append(price)
    lowest = np.full((KINDS, most), NONE, dtype=np.int64)
    for kind, prices in enumerate(by_kind):
        if prices:
            kept = sorted(prices)[:most]
            lowest[kind, : len(kept)] = kept
    lowest[PADDING] = 0
    return lowest


def counts_of(kinds: Sequence[int]) -> Ints:
    """Return the number of each letter in `kinds`: int64, shape (LETTERS,)."""
    return np.bincount(np.array(kinds, dtype=np.int64), minlength=KINDS)[:LETTERS].astype(np.int64)
