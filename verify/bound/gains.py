"""The gain of a word at the prices of a turn."""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.shortlists import CompiledWords
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, Ints

_ONE = np.uint64(1)


@compiled
def gain_of(words: CompiledWords, word: int, length: int, prices: Ints, gain: Ints, used: Ints) -> int:
    """Return the gain of a word: its points minus the prices of its tiles.

    The cheapest tiles of a letter go to the last places of that letter; then blanks replace the places that gain least.

    Args:
        words: All words.
        word: The index of the word.
        length: Its length.
        prices: By kind, ascending, padded with NONE, shape (KINDS, rack).
        gain: Scratch, shape (rack,).
        used: Scratch, shape (KINDS,).
    """
    total = 0
    for place in range(length):
        used[words.letters[word, place]] = 0
    for place in range(length - 1, -1, -1):
        kind = words.letters[word, place]
        copy = used[kind]
        used[kind] = copy + 1
        gain[place] = (place + 1) * words.values[kind] - prices[kind, copy]
        total += gain[place]
    for blank in range(length):
        price = prices[BLANK_KIND, blank]
        if price >= NONE:
            break
        worst = 0
        for place in range(1, length):
            if gain[place] < gain[worst]:
                worst = place
        if gain[worst] >= -price:
            break
        total -= price + gain[worst]
        gain[worst] = NONE
    return total


@compiled
def count_bits(word: np.uint64) -> int:
    """Return the number of bits set."""
    word = word - (word >> _ONE & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (word >> np.uint64(2) & np.uint64(0x3333333333333333))
    word = word + (word >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(word * np.uint64(0x0101010101010101) >> np.uint64(56))
