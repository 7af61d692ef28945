"""The words of a problem as arrays for the relaxed games."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import RelaxedWords, fill_masks
from solver.index.problem import Problem
from solver.model.tiles import BLANK_CODE, N_CODES
from solver.model.units import POINT


@dataclass(frozen=True)
class WordTable:
    """The words that tiles of the row can spell and a rack can hold, sorted by length.

    Attributes:
        ids: indices of the words in the lexicon, int64, shape (words,).
        words: the words as arrays for kernels.
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
