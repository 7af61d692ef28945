"""Racks of a beam and the two ways to find their plays."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from solver.kernels import prices as price_kernels
from solver.kernels.draw import draw_racks
from solver.kernels.expand import expand
from solver.kernels.spend import spend
from solver.problem import Problem
from solver.search.layers import Children
from solver.tiles import BLANK_CODE

SCALE = 16  # priorities are whole numbers of 1/16 points


def tile_prices(problem: Problem, letter: float, blank: float) -> npt.NDArray[np.int64]:
    """What it costs to use up each tile: int64, by code, in 1/16 points.

    A letter costs `letter` times what it scores at a middle position of a full rack, a blank `blank` times what the row's
    average letter scores there.
    """
    values = problem.puzzle.value_table.astype(np.float64)
    row = problem.puzzle.row_codes
    letters = row[row != BLANK_CODE]
    middle = (problem.puzzle.rack_size + 1) / 2
    prices = letter * values * middle
    prices[BLANK_CODE] = blank * middle * (values[letters].mean() if len(letters) else 0.0)
    return np.rint(SCALE * prices).astype(np.int64)


@dataclass(frozen=True)
class Racks:
    """The racks that the states of a layer can draw. Arrays: see `solver.kernels.draw`."""

    arrays: tuple[npt.NDArray[Any], ...]
    count: int


def draw(problem: Problem, states: tuple[npt.NDArray[Any], ...], tiles_played: int) -> Racks:
    """All racks of `states` (key, priority, score; shape (n,)), equal ones once."""
    size = problem.puzzle.rack_size
    most = len(states[0]) * (size + 1)
    arrays = (
        np.empty(most, dtype=np.uint64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.int16),
    )
    table = np.zeros(1 << (2 * most - 1).bit_length(), dtype=np.int32)
    count = draw_racks(*states, problem.puzzle.row_codes, tiles_played, size, table, *arrays)
    return Racks(arrays, count)


class Expander(Protocol):
    """Finds the plays of racks `first` to `stop` that reach the cut-offs, and says how far it came."""

    longest: int
    largest_round: int  # racks between two looks at the clock and the cut-offs

    def children(self) -> Children: ...

    def __call__(self, first: int, stop: int, racks: Racks, cut: npt.NDArray[np.int64], out: Children) -> int: ...


class ClosedExpander:
    """On the index closed under blanks: for racks of up to 10 tiles."""

    longest = price_kernels.MAX_LENGTH
    largest_round = 4096

    def __init__(self, problem: Problem, prices: npt.NDArray[np.int64]) -> None:
        index = problem.closed
        nodes = np.empty((len(index.mask), price_kernels.NODE_WORDS), dtype=np.uint32)
        halves = nodes.view(np.int16)
        grain = price_kernels.node_worths(index.mask, index.child, index.score, index.level, prices, SCALE, nodes, halves)
        self._index = (nodes, halves, grain, index.score, prices, SCALE)

    def children(self) -> Children:
        return Children(self.longest, 1 << 16)

    def __call__(self, first: int, stop: int, racks: Racks, cut: npt.NDArray[np.int64], out: Children) -> int:
        return int(expand(first, stop, *racks.arrays, cut, *self._index, *out.arrays, out.count))


class SpendingExpander:
    """On plain signatures, spending blanks on the way: for larger racks, and slower."""

    largest_round = 64

    def __init__(self, problem: Problem, prices: npt.NDArray[np.int64]) -> None:
        index, lexicon = problem.signatures, problem.lexicon
        self.longest = problem.puzzle.rack_size
        self._index = (
            problem.puzzle.value_table,
            index.mask,
            index.child,
            index.entry,
            index.family,
            index.members,
            lexicon.starts,
            lexicon.codes,
            prices,
            SCALE,
        )

    def children(self) -> Children:
        return Children(self.longest, 1 << 16)

    def __call__(self, first: int, stop: int, racks: Racks, cut: npt.NDArray[np.int64], out: Children) -> int:
        return int(spend(first, stop, *racks.arrays, cut, *self._index, *out.arrays, out.count))


def make_expander(problem: Problem, prices: npt.NDArray[np.int64]) -> Expander:
    """The faster expander that `problem` allows."""
    kind = ClosedExpander if problem.has_closed_index else SpendingExpander
    return kind(problem, prices)
