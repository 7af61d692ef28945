"""Shortlists: the words that can improve the best value of a turn of a relaxed game, in descending order of their gains."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints

_GRAINS = 1 << 10  # buckets of the sort by gain
_SLACK = 8_000  # how far below the current need a list of words reaches, in thousandths of a point


class CompiledWords(NamedTuple):
    """The words by length, see `verify.bound.word_arrays.WordArrays`.

    Attributes:
        starts: The index of the first word of each length.
        letters: The letters of each word.
        masks: The bit masks of each word.
        shared: The length of the prefix that each word shares with the word before it, int8, shape (words,).
        values: The value of each kind of tile, in thousandths of a point.
    """

    starts: Ints
    letters: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint64]
    shared: npt.NDArray[np.int8]
    values: Ints


class Shortlist(NamedTuple):
    """The words with the highest gains when the list was made; it is reused for the next states.

    Attributes:
        number: The indices of the listed words, int32, shape (words,); those of a length begin at the index of its first word.
        count: By length, the number of words listed.
        cut: By length, the cut-off: the list holds all words that gained more when it was made.
        gains: The gains that the list was made with, by length, place and kind, shape (rack + 1, rack, KINDS).
    """

    number: npt.NDArray[np.int32]
    count: Ints
    cut: Ints
    gains: Ints


@compiled
def candidates(
    least: Ints, highest: Ints, size: int, floor: int, words: CompiledWords, listed: Shortlist
) -> tuple[Ints, Ints, Ints]:
    """Return the words that may bring more than `floor` at the lowest prices.

    Args:
        least: The lowest prices, by length and kind.
        highest: By length, the most that a word brings besides its gain.
        size: The longest word that can be played.
        floor: A value that is already reached.
        words: All words.
        listed: The shortlist to use; it is remade where it is too short.

    Returns:
        The indices of the words, by length and then by descending gain; the most that each gains, rounded up a little; and the
        index where each length begins.
    """
    gains = np.empty((size, KINDS), np.int64)
    first_of = np.zeros(size + 2, np.int64)
    for length in range(1, size + 1):
        fill_gains(gains, least[length], length, words)
        # the most by which any gain has risen since the list was made
        more = 0
        for place in range(length):
            rise = -NONE
            for kind in range(BLANK_KIND):
                rise = max(rise, gains[place, kind] - listed.gains[length, place, kind])
            more += rise
        if listed.cut[length] + more > floor - highest[length]:
            _list_words(gains, length, floor - highest[length] - _SLACK, words, listed)
        first_of[length + 1] = first_of[length] + listed.count[length]
    number, reach = np.empty(first_of[size + 1], np.int64), np.empty(first_of[size + 1], np.int64)
    end = 0
    for length in range(1, size + 1):
        first_of[length] = end
        fill_gains(gains, least[length], length, words)
        for i in range(words.starts[length], words.starts[length] + listed.count[length]):
            word, total = listed.number[i], np.int64(0)
            for place in range(length):
                total += gains[place, words.letters[word, place]]
            if total > floor - highest[length]:
                number[end], reach[end] = word, total
                end += 1
        _sort(number[first_of[length] : end], reach[first_of[length] : end])
    first_of[size + 1] = end
    return number, reach, first_of


@compiled
def _sort(number: npt.NDArray[np.int64], reach: Ints) -> None:
    """Sort words by descending gain. A fast bucket sort: the gains in a bucket are all rounded up to the highest of it."""
    if len(reach) == 0:
        return
    highest = reach.max()
    grain = (highest - reach.min()) // _GRAINS + 1
    behind = np.zeros(_GRAINS + 2, np.int64)
    for gain in reach:
        behind[(highest - gain) // grain + 1] += 1
    for i in range(_GRAINS + 1):
        behind[i + 1] += behind[i]
    numbers, gains = number.copy(), reach.copy()
    for word, gain in zip(numbers, gains):  # noqa: B905
        i = (highest - gain) // grain
        number[behind[i]], reach[behind[i]] = word, highest - i * grain
        behind[i] += 1


@compiled
def fill_gains(gains: Ints, least: Ints, length: int, words: CompiledWords) -> None:
    """Write the most that each letter gains at each place, as a letter or as a blank, at the prices `least` by kind."""
    for place in range(length):
        for kind in range(BLANK_KIND):
            gains[place, kind] = max((place + 1) * words.values[kind] - least[kind], -least[BLANK_KIND])


@compiled
def _list_words(gains: Ints, length: int, cut: int, words: CompiledWords, listed: Shortlist) -> None:
    """Remake the list of the words of one length that gain more than `cut`."""
    total, rest = np.zeros(length + 1, np.int64), np.zeros(length + 1, np.int64)
    for place in range(length - 1, -1, -1):
        rest[place] = gains[place, :BLANK_KIND].max() + rest[place + 1]
    count, first = 0, words.starts[length]
    hopeless = length  # words that share a longer prefix than this with the word before are skipped
    for word in range(first, words.starts[length + 1]):
        if words.shared[word] > hopeless:
            continue
        hopeless = length
        for place in range(words.shared[word], length):
            total[place + 1] = total[place] + gains[place, words.letters[word, place]]
            if total[place + 1] + rest[place + 1] <= cut:
                hopeless = place
                break
        if hopeless == length:
            listed.number[first + count] = word
            count += 1
    listed.count[length], listed.cut[length] = count, cut
    listed.gains[length, :length] = gains[:length]
