"""Arcs: turns of a relaxed game with the tiles that they use. Each becomes a row of the master programme."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import RelaxedWords, fill_masks
from solver.index.problem import Problem
from solver.model.tiles import BLANK_CODE, N_CODES, POINT

State = tuple[int, ...]
Held = tuple[int, int, int, int]  # moment, side * holds + hold, code, count
_NO_TILE = -(1 << 40)  # gain of a letter that no tile supplies


@dataclass(frozen=True)
class WordTable:
    """The words that tiles of the row can spell and a rack can hold, sorted by length, as arrays for kernels.

    `ids` are their indices in the lexicon, int64, shape (words,).
    """

    ids: npt.NDArray[np.int64]
    words: RelaxedWords

    @classmethod
    def of(cls, problem: Problem) -> "WordTable":
        """Build the table of `problem`."""
        rack = problem.puzzle.rack_size
        starts, codes = problem.lexicon.starts, problem.lexicon.codes
        lengths = np.diff(starts)
        ids = np.flatnonzero((lengths >= 1) & (lengths <= rack))
        ids = ids[np.argsort(lengths[ids], kind="stable")]
        letters = np.zeros((len(ids), rack), dtype=np.int8)
        counts = np.zeros((len(ids), N_CODES), dtype=np.int64)
        for place in range(rack):
            longer = np.flatnonzero(lengths[ids] > place)
            letters[longer, place] = codes[starts[ids[longer]] + place]
            counts[longer, letters[longer, place]] += 1
        total = problem.puzzle.counts_from_left[-1]
        missing = np.maximum(counts - total, 0)
        fits = missing.sum(axis=1) - missing[:, BLANK_CODE] <= total[BLANK_CODE]
        ids, letters, counts = ids[fits], letters[fits], counts[fits]
        first = np.searchsorted(lengths[ids], np.arange(rack + 2)).astype(np.int64)
        low, high = np.empty(len(ids), dtype=np.uint64), np.empty(len(ids), dtype=np.uint64)
        fill_masks(counts, low, high)
        values = problem.puzzle.value_table.astype(np.int64) * POINT
        return cls(ids, RelaxedWords(first, letters, low, high, values))

    def some(self, chosen: npt.NDArray[np.int64]) -> RelaxedWords:
        """Return the words with the ascending indices `chosen` as arrays for kernels, numbered from 0."""
        words = self.words
        first = np.searchsorted(chosen, words.first).astype(np.int64)
        return RelaxedWords(first, words.letters[chosen], words.low[chosen], words.high[chosen], words.values)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each word."""
        return np.repeat(np.arange(len(self.words.first) - 1), np.diff(self.words.first))


@dataclass(frozen=True)
class Arc:
    """A turn from one state to another.

    A leave is listed as entries (moment, side * holds + hold, code, count), only for tiles with a price. A count is negative if
    the turn plays more old tiles than were held.

    Attributes:
        score: thousandths of a point.
        tiles: the places in the row of the tiles that it plays.
        held: the leave before the turn.
        kept: the leave after the turn.
    """

    source: State
    target: State
    score: int
    tiles: tuple[int, ...]
    held: tuple[Held, ...] = ()
    kept: tuple[Held, ...] = ()


def play_of(table: WordTable, word: int, offered: dict[int, list[tuple[int, int]]]) -> tuple[int, tuple[int, ...]]:
    """Return the best play of word number `word`, the same as `play_value` finds.

    It is given as its score in thousandths of a point, and the places in the row of its tiles. `offered` has the tiles that may
    be played, by code: (price, place in the row), ascending.
    """
    letters = table.words.letters[word][: table.lengths[word]].tolist()
    values = table.words.values
    used: dict[int, int] = {}
    gains: list[int] = [0] * len(letters)
    chosen: list[int] = [-1] * len(letters)
    for place in range(len(letters) - 1, -1, -1):
        code = letters[place]
        number = used.get(code, 0)
        used[code] = number + 1
        tiles = offered.get(code, [])
        if number < len(tiles):
            price, chosen[place] = tiles[number]
            gains[place] = (place + 1) * int(values[code]) - price
        else:
            gains[place] = _NO_TILE
    real = [True] * len(letters)
    for price, tile in offered.get(BLANK_CODE, []):
        worst = min((place for place in range(len(letters)) if real[place]), key=lambda place: gains[place], default=None)
        if worst is None or gains[worst] >= -price:
            break
        gains[worst], chosen[worst], real[worst] = -price, tile, False
    score = sum((place + 1) * int(values[code]) for place, code in enumerate(letters) if real[place])
    return score, tuple(chosen)


def by_code(
    row: npt.NDArray[np.uint8], price: npt.NDArray[np.int64], places: Sequence[int]
) -> dict[int, list[tuple[int, int]]]:
    """Return the tiles at `places` of the row by code: (price, place), ascending."""
    tiles_of: dict[int, list[tuple[int, int]]] = {}
    for place in places:
        tiles_of.setdefault(int(row[place]), []).append((int(price[place]), place))
    for tiles in tiles_of.values():
        tiles.sort()
    return tiles_of
