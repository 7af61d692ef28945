"""The words of a puzzle as arrays. Kinds of tiles are numbers: the letters 0 to 25, the blank 26."""

from collections.abc import Collection
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]

LETTERS = 26
BLANK_KIND = 26
KINDS = 27
POINT = 1000  # thousandths

_NODE = np.dtype(
    [("place", np.int8), ("letter", np.int8), ("word", np.int32), ("beyond", np.int32)], align=True
)


class WordArrays(NamedTuple):
    """The words that fit in a rack, by length and then in alphabetical order of their last letters, those before, and so on.

    Attributes:
        starts: The index of the first word of each length, shape (rack + 2,).
        letters: The letters of each word, int8, shape (words, rack).
        tree: For each length a tree of its words by their last letters, in depth-first order. A node is a letter at a place, in
            all words with the same letters after it; it has the first of these words, and the next node outside its subtree.
        roots: The index of the first node of each length, shape (rack + 2,).
        values: The value of each kind of tile, in thousandths of a point, shape (KINDS,).
    """

    starts: Ints
    letters: npt.NDArray[np.int8]
    tree: Records
    roots: Ints
    values: Ints


def kind_of(tile: str) -> int:
    """Return the kind of a tile."""
    return BLANK_KIND if tile == "?" else ord(tile) - ord("a")


def word_arrays(words: Collection[str], rack: int, values: Collection[int]) -> WordArrays:
    """Return the arrays of all words of at most `rack` letters; `values` has the points of a to z."""
    some = sorted(
        (word for word in words if len(word) <= rack), key=lambda word: (len(word), word[::-1])
    )
    assert set("".join(some)) <= set(
        ascii_lowercase
    )  # no word may be skipped, since a game could play it
    lengths = np.array([len(word) for word in some], dtype=np.int64)
    starts = np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64)
    codes = np.frombuffer(
        "".join(word.ljust(rack, "a") for word in some).encode(), dtype=np.int8
    ).reshape(-1, rack)
    letters = codes - np.int8(ord("a"))
    # a word has a new node for each place up to the last one where it differs from the word before
    fresh = lengths.copy()
    alike = np.flatnonzero(lengths[1:] == lengths[:-1]) + 1
    fresh[alike] = rack - (letters[alike] != letters[alike - 1])[:, ::-1].argmax(axis=1)
    ends = fresh.cumsum()
    tree = np.zeros(fresh.sum(), dtype=_NODE)
    tree["word"] = np.repeat(np.arange(len(some)), fresh)
    tree["place"] = np.repeat(ends, fresh) - 1 - np.arange(len(tree))
    tree["letter"] = letters[tree["word"], tree["place"]]
    for place in range(rack):
        here = np.flatnonzero(tree["place"] >= place)
        nearest = np.append(here[1:], len(tree))
        tree["beyond"][here] = np.where(tree["place"][here] == place, nearest, tree["beyond"][here])
    return WordArrays(
        starts,
        letters,
        tree,
        np.append(0, ends)[starts],
        np.array([*values, 0], dtype=np.int64) * POINT,
    )
