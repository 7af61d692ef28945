"""The words of a problem as the relaxed games want them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.kernels.relax import fill_masks
from solver.problem import Problem
from solver.tiles import BLANK_CODE, N_CODES

POINT = 1000  # prices, values and bounds are whole thousandths of a point


@dataclass(frozen=True)
class Table:
    """The words that the row's tiles can make in racks of its size, by length; see `solver.kernels.relax`.

    ids: places in the lexicon; first: of each length's words, int64, shape (rack + 2,); letters: codes, int8, shape (words,
    rack); low, high: masks, uint64; values: by code, in thousandths of a point.
    """

    ids: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    letters: npt.NDArray[np.int8]
    low: npt.NDArray[np.uint64]
    high: npt.NDArray[np.uint64]
    values: npt.NDArray[np.int64]

    @classmethod
    def of(cls, problem: Problem) -> "Table":
        """The table of `problem`."""
        rack = problem.puzzle.rack_size
        starts, codes = problem.lexicon.starts, problem.lexicon.codes
        lengths = np.diff(starts)
        ids = np.flatnonzero((lengths >= 1) & (lengths <= rack))
        ids = ids[np.argsort(lengths[ids], kind="stable")]
        letters = np.zeros((len(ids), rack), dtype=np.int8)
        counts = np.zeros((len(ids), N_CODES), dtype=np.int64)
        for place in range(rack):
            long = np.flatnonzero(lengths[ids] > place)
            letters[long, place] = codes[starts[ids[long]] + place]
            counts[long, letters[long, place]] += 1
        total = problem.puzzle.counts_from_left[-1]
        missing = np.maximum(counts - total, 0)
        fits = missing.sum(axis=1) - missing[:, BLANK_CODE] <= total[BLANK_CODE]
        ids, letters, counts = ids[fits], letters[fits], counts[fits]
        first = np.searchsorted(lengths[ids], np.arange(rack + 2)).astype(np.int64)
        low, high = np.empty(len(ids), dtype=np.uint64), np.empty(len(ids), dtype=np.uint64)
        fill_masks(counts, low, high)
        return cls(ids, first, letters, low, high, problem.puzzle.value_table.astype(np.int64) * POINT)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each word."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """What the kernels take."""
        return self.first, self.letters, self.low, self.high
