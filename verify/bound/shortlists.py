"""Which words a turn of a relaxed game must look at: those that may bring more than is known, those first that gain most."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints

_GRAINS = 1 << 10  # steps of gains that are told apart
_SLACK = 8_000  # thousandths of a point by which a list of words goes below what is needed now


class CompiledWords(NamedTuple):
    """The words by length, see `verify.bound.word_arrays.WordArrays`.

    shared: with how many letters of the word before it each word begins, int8, shape (words,).
    values: of each kind of tile, in thousandths of a point.
    """

    starts: Ints
    letters: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint64]
    shared: npt.NDArray[np.int8]
    values: Ints


class Shortlist(NamedTuple):
    """The words that gained most when they were last looked through: they serve for the next states, too.

    number: int32, shape (words,); those of a length stand from where it begins in `CompiledWords`, `count` of them.
    count, cut: by length; all words that gain more than `cut` at the gains of then are in the list.
    gains: by length, place and kind, shape (rack + 1, rack, KINDS).
    """

    number: npt.NDArray[np.int32]
    count: Ints
    cut: Ints
    gains: Ints


@compiled
def candidates(
    least: Ints, highest: Ints, size: int, floor: int, words: CompiledWords, listed: Shortlist
) -> tuple[Ints, Ints, Ints]:
    """The words that may bring more than `floor` at the lowest prices, by length, those first that gain most.

    Their numbers, the most that each gains, rounded up a little, and where those of each length begin.

    least: by length and kind. highest: by length, the most that a word brings beside its gain.
    """
    gains = np.empty((size, KINDS), np.int64)
    first_of = np.zeros(size + 2, np.int64)
    for length in range(1, size + 1):
        fill_gains(gains, least[length], length, words)
        # by how much a word gains more at most than when the list was made
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
    """Sort words by what they gain, the most first. Of those that gain nearly as much all count as the best: so it is quick."""
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
    """What each letter gains at most at each place of a word, as a letter or a blank; least: the lowest prices by kind."""
    for place in range(length):
        for kind in range(BLANK_KIND):
            gains[place, kind] = max((place + 1) * words.values[kind] - least[kind], -least[BLANK_KIND])


@compiled
def _list_words(gains: Ints, length: int, cut: int, words: CompiledWords, listed: Shortlist) -> None:
    """Make the list of the words of one length that gain more than `cut`."""
    total, rest = np.zeros(length + 1, np.int64), np.zeros(length + 1, np.int64)
    for place in range(length - 1, -1, -1):
        rest[place] = gains[place, :BLANK_KIND].max() + rest[place + 1]
    count, first = 0, words.starts[length]
    hopeless = length  # all words that begin with as many letters of the one before are passed over
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
