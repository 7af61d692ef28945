"""The best turn of a relaxed game: the word that gains most from priced tiles.

All figures are whole thousandths of a point. A word gains its points less the prices of its tiles. Each letter's tiles stand,
cheapest first, at the letter's latest positions. Then blanks, cheapest first, take the positions that gain least, as long as
this helps. No other way to lay the word down with these tiles gains more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.word_arrays import BLANK_KIND, KINDS, LETTERS, PADDING, Ints, WordArrays

NONE = 10**12  # the price of a tile that is not there
HIGHEST = NONE // 10_000  # the highest price allowed: sums over a rack stay far below NONE
_FIRST_LOOK = 128  # words looked at first


@dataclass(frozen=True)
class Shortlist:
    """The words for a turn, those first that can bring most.

    number, length: the number of each word in `words`, and its length.
    upper: the most that each word can bring, with what is to come after it.
    masks: as in `WordArrays`.
    onward: what is to come after a word of each length.
    """

    words: WordArrays
    values: Ints
    number: Ints
    length: Ints
    upper: Ints
    masks: npt.NDArray[np.uint64]
    onward: Sequence[int | None]


def shortlist(words: WordArrays, values: Ints, least: Sequence[Ints], onward: Sequence[int | None]) -> Shortlist:
    """The words in the order of the most that they can bring.

    values: the points of each kind of tile, in thousandths, shape (KINDS,).
    least: by length of a word, the lowest price of each kind, shape (KINDS,), NONE where there is none of it.
    onward: what is to come after a word of each length; None if no word of that length can be played.
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
    # without words that need a missing letter: its price NONE is more than all others together
    order = order[upper[order] > -NONE // 2]
    return Shortlist(words, values, number[order], length_of[order], upper[order], words.masks[:, number[order]], onward)


def best_turn(
    listed: Shortlist, prices: Sequence[Ints], base: Sequence[int], own: npt.NDArray[np.uint64], spare: int, floor: int
) -> int:
    """The most that a turn brings, or `floor` if that is more.

    prices: for each length of a word, the prices by kind of tile, ascending, shape (KINDS, rack); NONE where there are no more.
    base: for each length, what a word brings beside its gain and what is to come.
    own: the masks of the tiles that may all be played.
    spare: how many other letters a word may need.
    """
    extra = np.array(base, dtype=np.int64)
    highest = int(extra.max())
    best, at, size = floor, 0, _FIRST_LOOK
    while at < len(listed.number) and int(listed.upper[at]) + highest > best:
        near = slice(at, at + size)
        lacking = np.bitwise_count(listed.masks[0, near] & ~own[0]) + np.bitwise_count(listed.masks[1, near] & ~own[1])
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
    """What the words numbered `some`, of one length, gain: shape (len(some),)."""
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
    """Prices of tiles, given as (kind, price): by kind, ascending, at most `most` of each: shape (KINDS, most)."""
    by_kind: list[list[int]] = [[] for _ in range(KINDS)]
    for kind, price in tiles:
        by_kind[kind].append(price)
    found = np.full((KINDS, most), NONE, dtype=np.int64)
    for kind, prices in enumerate(by_kind):
        if prices:
            kept = sorted(prices)[:most]
            found[kind, : len(kept)] = kept
    found[PADDING] = 0
    return found


def counts_of(kinds: Sequence[int]) -> Ints:
    """How many of each letter there are in `kinds`: int64, shape (LETTERS,)."""
    return np.bincount(np.array(kinds, dtype=np.int64), minlength=KINDS)[:LETTERS].astype(np.int64)
