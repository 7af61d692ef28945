"""The words of a puzzle as arrays. Kinds of tiles are numbers: the letters 0 to 25, the blank 26."""

from collections.abc import Collection
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

LETTERS = 26
BLANK_KIND = 26
KINDS = 27
POINT = 1000  # thousandths


class WordArrays(NamedTuple):
    """The words that fit in a rack, by length and then in alphabetical order of their last letters, those before, and so on.

    Attributes:
        starts: The index of the first word of each length, shape (rack + 2,).
        letters: The letters of each word, int8, shape (words, rack).
        onward: By place, the index of the first later word of this length that differs from this place on, int32, shape
            (words, rack): where a search goes on if no word with these last letters is of use.
        values: The value of each kind of tile, in thousandths of a point, shape (KINDS,).
    """

    starts: Ints
    letters: npt.NDArray[np.int8]
    onward: npt.NDArray[np.int32]
    values: Ints


def kind_of(tile: str) -> int:
    """Return the kind of a tile."""
    return BLANK_KIND if tile == "?" else ord(tile) - ord("a")


def word_arrays(words: Collection[str], rack: int, values: Collection[int]) -> WordArrays:
    """Return the arrays of all words of at most `rack` letters; `values` has the points of a to z."""
    some = sorted((word for word in words if len(word) <= rack), key=lambda word: (len(word), word[::-1]))
    assert set("".join(some)) <= set(ascii_lowercase)  # no word may be skipped, since a game could play it
    lengths = np.array([len(word) for word in some], dtype=np.int64)
    starts = np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64)
    letters = np.zeros((len(some), rack), dtype=np.int8)
    onward = np.zeros((len(some), rack), dtype=np.int32)
    for length in range(1, rack + 1):
        first, stop = int(starts[length]), int(starts[length + 1])
        codes = np.frombuffer("".join(some[first:stop]).encode(), dtype=np.int8).reshape(stop - first, length) - ord("a")
        letters[first:stop, :length] = codes
        for place in range(length):
            begins = np.flatnonzero((codes[1:, place:] != codes[:-1, place:]).any(axis=1)) + 1
            nearest = np.append(begins, stop - first)
            onward[first:stop, place] = first + nearest[np.searchsorted(nearest, np.arange(stop - first), side="right")]
    return WordArrays(starts, letters, onward, np.array([*values, 0], dtype=np.int64) * POINT)
