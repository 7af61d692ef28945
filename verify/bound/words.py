"""The words of a puzzle as arrays. Kinds of tiles are numbers: letters are 0 to 25, blanks 26."""

from collections.abc import Collection
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.certificate import TILES

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
Int8s = npt.NDArray[np.int8]

LETTERS = 26
BLANK_KIND = 26
KINDS = 27
POINT = 1000  # thousandths

_NODE = np.dtype(
    [("place", np.int8), ("letter", np.int8), ("word", np.int32), ("beyond", np.int32)], align=True
)


class WordArrays(NamedTuple):
    """The words that fit in a rack, by length and then in alphabetical order from their ends.

    Attributes:
        starts: The index of the first word of each length, shape (rack + 2,).
        letters: The letters of each word, shape (words, rack).
        tree: For each length a tree of its words by their last letters, in depth-first order. A
            node is a letter at a place, in all words with the same letters after it; it has the
            first of these words, and the next node outside its subtree.
        roots: The index of the first node of each length, shape (rack + 2,).
        values: The value of each kind of tile, in thousandths of a point, shape (KINDS,).
    """

    starts: Ints
    letters: Int8s
    tree: npt.NDArray[Any]
    roots: Ints
    values: Ints


def kind_of(tile: str) -> int:
    """Return the kind of a tile."""
    return TILES.index(tile)


def kinds_of(row: str) -> Ints:
    """Return the kinds of the tiles of a row."""
    return np.array([kind_of(tile) for tile in row], dtype=np.int64)


def word_arrays(words: Collection[str], rack: int, values: Collection[int]) -> WordArrays:
    """Return the arrays of all words of at most `rack` letters.

    Args:
        words: All words of the list.
        rack: The size of a rack.
        values: The points of a to z.
    """
    playable = [word for word in words if len(word) <= rack]
    playable.sort(key=lambda word: (len(word), word[::-1]))
    text = "".join(word.ljust(rack, "a") for word in playable)
    # no word may be skipped, since a game could play it
    assert set(text) <= set(ascii_lowercase)
    lengths = np.array([len(word) for word in playable], dtype=np.int64)
    starts = np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64)
    letters = np.frombuffer(text.encode(), dtype=np.int8).reshape(-1, rack) - np.int8(ord("a"))
    # a word has a new node for each place up to the last one where it differs from the word before
    fresh = lengths.copy()
    alike = np.flatnonzero(lengths[1:] == lengths[:-1]) + 1
    fresh[alike] = rack - (letters[alike] != letters[alike - 1])[:, ::-1].argmax(axis=1)
    ends = fresh.cumsum()
    tree = np.zeros(fresh.sum(), dtype=_NODE)
    tree["word"] = np.repeat(np.arange(len(playable)), fresh)
    tree["place"] = np.repeat(ends, fresh) - 1 - np.arange(len(tree))
    tree["letter"] = letters[tree["word"], tree["place"]]
    for place in range(rack):
        nodes = np.flatnonzero(tree["place"] >= place)
        nearest = np.append(nodes[1:], len(tree))
        is_here = tree["place"][nodes] == place
        tree["beyond"][nodes[is_here]] = nearest[is_here]
    return WordArrays(
        starts=starts,
        letters=letters,
        tree=tree,
        roots=np.append(0, ends)[starts],
        values=np.array([*values, 0], dtype=np.int64) * POINT,
    )
