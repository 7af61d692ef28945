"""The best turn of a relaxed game: the word that gains most from priced tiles.

All figures are whole thousandths of a point. A word gains its points less the prices of its tiles. Each letter's tiles stand,
cheapest first, at the letter's latest positions; then blanks, cheapest first, take the positions that gain least, as long as
that gains. No way to lay the word down with such tiles gains more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.words import BLANK, KINDS, LETTERS, PADDING, Ints, Words

NONE = 10**12  # the price of a tile that is not there
HIGHEST = NONE // 1000  # a price that is allowed: sums over a rack stay far from NONE
_FIRST_LOOK = 128  # words looked at first


@dataclass(frozen=True)
class Shortlist:
    """The words of a place in the game, those first that can bring most there.

    number: of each word; length.
    upper: how much it can bring at most, what is to come counted in.
    masks: as in `Words`.
    onward: what is to come after a word of each length.
    """

    words: Words
    values: Ints
    number: Ints
    length: Ints
    upper: Ints
    masks: npt.NDArray[np.uint64]
    onward: Sequence[int | None]


def shortlist(words: Words, values: Ints, least: Sequence[Ints], onward: Sequence[int | None]) -> Shortlist:
    """The words by what they bring at most.

    values: of each kind of tile, shape (KINDS,).
    least: by length of a word, the lowest price of each kind, shape (KINDS,), NONE where there is none of it.
    onward: None where no word of that length can be played.
    """
    numbers, lengths, uppers = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for length, to_come in enumerate(onward):
        first, stop = int(words.starts[length]), int(words.starts[length + 1])
        if to_come is None or first == stop:
            continue
        upper = np.full(stop - first, to_come, dtype=np.int64)
        for place in range(length):
            gain = np.maximum((place + 1) * values - least[length], -least[length][BLANK])
            upper += gain[words.letters[first:stop, place]]
        numbers.append(np.arange(first, stop))
        lengths.append(np.full(stop - first, length))
        uppers.append(upper)
    number, length_of, upper = np.concatenate(numbers), np.concatenate(lengths), np.concatenate(uppers)
    order = np.argsort(-upper, kind="stable")
    # a letter that is not there costs more than all others can: see HIGHEST
    order = order[upper[order] > -NONE // 2]
    return Shortlist(words, values, number[order], length_of[order], upper[order], words.masks[:, number[order]], onward)


def best_turn(
    listed: Shortlist, prices: Sequence[Ints], base: Sequence[int], own: npt.NDArray[np.uint64], spare: int, floor: int
) -> int:
    """The most that a turn brings, `floor` where that is more.

    prices: by length of the word, of the tiles of each kind, ascending, shape (KINDS, rack), NONE where there are no more.
    base: by length, what a word brings beside its gain and what is to come.
    own: masks of the tiles that are known.
    spare: how many letters beside those a word may need.
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


def gains(words: Words, values: Ints, some: Ints, length: int, price: Ints) -> Ints:
    """What the words numbered `some`, of one length, gain: shape (len(some),)."""
    letters, copies = words.letters[some, :length], words.copies[some, :length]
    gain = np.arange(1, length + 1) * values[letters] - price[letters, np.minimum(copies, price.shape[1] - 1)]
    total: Ints = gain.sum(axis=1)
    gain.sort(axis=1)
    for blank, cost in enumerate(price[BLANK, :length].tolist()):
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
    """How many of each letter: shape (LETTERS,)."""
    return np.bincount(np.array(kinds, dtype=np.int64), minlength=KINDS)[:LETTERS].astype(np.int64)
