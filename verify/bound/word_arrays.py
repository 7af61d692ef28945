"""The words of a puzzle as arrays."""

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from verify.replay.rules import Rules, RulesError
from verify.text import quote

Ints = npt.NDArray[np.int64]

LETTERS = 26
BLANK_KIND = 26  # letters are 0 to 25
PADDING = 27  # fills a row after the end of a word
KINDS = 28


@dataclass(frozen=True)
class WordArrays:
    """The words that fit in a rack, by length.

    Attributes:
        starts: The index of the first word of each length, shape (rack + 2,).
        letters: The letters of each word, then PADDING, shape (words, rack).
        copies: For each place, how often its letter occurs again later in the word, shape (words, rack).
        masks: Two bit masks for each word, with a bit for each of the first four copies of each letter, uint64,
            shape (2, words).
    """

    starts: Ints
    letters: Ints
    copies: Ints
    masks: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, rules: Rules) -> "WordArrays":
        """Return the arrays of all words of `rules` that fit in a rack.

        Raises:
            RulesError: A word has a letter outside a to z. No word may be skipped, since a game could play it.
        """
        rack = rules.rack_size
        words = sorted((word for word in rules.words if len(word) <= rack), key=lambda word: (len(word), word))
        if not set("".join(words)) <= set(ascii_lowercase):
            strange = next(word for word in words if not set(word) <= set(ascii_lowercase))
            raise RulesError(f"the word {quote(strange)}: expected letters a to z only")
        letters = np.full((len(words), rack), PADDING, dtype=np.int64)
        copies = np.zeros((len(words), rack), dtype=np.int64)
        counts = np.zeros((len(words), LETTERS), dtype=np.int64)
        for number, word in enumerate(words):
            for place, letter in enumerate(word):
                code = ord(letter) - ord("a")
                letters[number, place] = code
                copies[number, place] = word.count(letter, place + 1)
                counts[number, code] += 1
        lengths = np.array([len(word) for word in words], dtype=np.int64)
        return cls(np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64), letters, copies, masks(counts))


def kinds_of(rules: Rules) -> Ints:
    """Return the kind of each tile of the row."""
    return np.array([BLANK_KIND if tile == "?" else ord(tile) - ord("a") for tile in rules.row], dtype=np.int64)


def values_of(rules: Rules) -> Ints:
    """Return the points of each kind of tile, shape (KINDS,)."""
    values = np.zeros(KINDS, dtype=np.int64)
    for letter, value in rules.values.items():
        values[ord(letter) - ord("a")] = value
    return values


def masks(counts: Ints) -> npt.NDArray[np.uint64]:
    """Return the bit masks of letter counts of shape (..., LETTERS): uint64, shape (2, ...)."""
    bits = np.uint64(1) << np.arange(LETTERS, dtype=np.uint64)
    more = np.uint64(LETTERS)
    return np.stack(
        [
            ((counts > low) * bits).sum(axis=-1, dtype=np.uint64)
            | (((counts > low + 1) * bits).sum(axis=-1, dtype=np.uint64) << more)
            for low in (0, 2)
        ]
    )
