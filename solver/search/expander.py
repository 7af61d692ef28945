"""Racks of a beam and the two ways to find their plays."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from solver.kernels.closed import fill_filter, rate_plays
from solver.kernels.draw import draw_racks
from solver.kernels.expand import MAX_LENGTH, expand
from solver.kernels.hashing import TILE_HASH
from solver.kernels.sieve import fill_sieves
from solver.kernels.spend import spend
from solver.problem import Problem
from solver.search.layers import Children

_FILTER_BITS = 20  # a megabyte: larger ones let less through but leave the cache
SCALE = 16  # priorities are whole numbers of 1/16 points


@dataclass(frozen=True)
class Racks:
    """The racks that the states of a layer can draw. Arrays: see `solver.kernels.draw`."""

    arrays: tuple[npt.NDArray[Any], ...]
    count: int


def draw(problem: Problem, states: tuple[npt.NDArray[Any], ...], tiles_played: int, part: int = 0, parts: int = 1) -> Racks:
    """All racks of `states` (key, priority, score; shape (n,)), equal ones once; or a part of `parts` of them."""
    size = problem.puzzle.rack_size
    most = len(states[0]) * (size // parts + 1)
    arrays = (
        np.empty(most, dtype=np.uint64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.int16),
    )
    table = np.zeros(1 << (2 * most - 1).bit_length(), dtype=np.int32)
    row = problem.puzzle.row_codes
    count = draw_racks(*states, row, tiles_played, size, part, parts, table, *arrays)
    return Racks(tuple(array[:count] for array in arrays), count)


def joined(parts: list[Racks]) -> Racks:
    """The racks of all parts."""
    if len(parts) == 1:
        return parts[0]
    arrays = tuple(np.concatenate(columns) for columns in zip(*(part.arrays for part in parts), strict=True))
    return Racks(arrays, sum(part.count for part in parts))


@dataclass(frozen=True)
class Cuts:
    """The least priorities that children need. drawn: tiles drawn by then; layers: by tiles played, int64, shape (reach + 1,);
    setups: by length, of plays after which a second one is looked for at once, int64, shape (longest + 1,); landings: by tiles
    played, after both, int64, shape (reach + 1,), or (0,) where none is looked for."""

    drawn: int
    layers: npt.NDArray[np.int64]
    setups: npt.NDArray[np.int64]
    landings: npt.NDArray[np.int64]


class Expander(Protocol):
    """Finds the plays of racks `first` to `stop` that reach the cut-offs, and says how far it came."""

    longest: int  # play
    reach: int  # tiles that a child has played more than its parent at most
    largest_span: int  # racks between two looks at the clock and the cut-offs

    def children(self) -> Children: ...

    def __call__(self, first: int, stop: int, racks: Racks, cuts: Cuts, out: Children) -> int: ...


class ClosedExpander:
    """On the index closed under blanks: for racks of up to 10 tiles."""

    longest = MAX_LENGTH
    largest_span = 2048

    def __init__(
        self,
        problem: Problem,
        prices: npt.NDArray[np.int64],
        weights: npt.NDArray[np.int64] | None = None,
        fishes: bool = False,
    ) -> None:
        """prices: by code, or by left draws and code; shape (N_CODES,) or (left draws, N_CODES). weights: how many racks to
        expect for each left draws. fishes: it may be asked for second plays."""
        index = problem.closed
        rows = np.atleast_2d(prices)
        mean = np.average(rows, axis=0, weights=weights).astype(np.int64)
        least, step = (np.zeros(self.longest + 1, dtype=np.int64) for _ in range(2))
        plays = rate_plays(index.packed, index.score, mean, SCALE, least, step)
        filter_ = fill_filter(plays[0], plays[2], _FILTER_BITS)
        sieves = fill_sieves(*(array if fishes else array[:0] for array in plays), self.longest)
        self.reach = 2 * self.longest if fishes else self.longest
        row = problem.puzzle.row_codes
        self._row = row, np.append(TILE_HASH[row], np.uint64(0))
        self._index = (filter_, *sieves, least, step, index.slots, index.ranks, mean, rows, SCALE)

    def children(self) -> Children:
        return Children(self.reach, 1 << 16)

    def __call__(self, first: int, stop: int, racks: Racks, cuts: Cuts, out: Children) -> int:
        return int(
            expand(
                first,
                stop,
                *racks.arrays,
                cuts.drawn,
                *self._row,
                cuts.layers,
                cuts.setups,
                cuts.landings,
                *self._index,
                out.known,
                *out.arrays,
                out.count,
            )
        )


class SpendingExpander:
    """On plain signatures, spending blanks on the way: for larger racks, slower, and without second plays."""

    largest_span = 64

    def __init__(self, problem: Problem, prices: npt.NDArray[np.int64]) -> None:
        index, lexicon = problem.signatures, problem.lexicon
        self.longest = self.reach = problem.puzzle.rack_size
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

    def __call__(self, first: int, stop: int, racks: Racks, cuts: Cuts, out: Children) -> int:
        return int(spend(first, stop, *racks.arrays, cuts.layers, *self._index, *out.arrays, out.count))


def make_expander(problem: Problem, prices: npt.NDArray[np.int64], fishes: bool) -> Expander:
    """The faster expander that `problem` allows. prices: by code; fishes: that it looks for second plays if it can."""
    return ClosedExpander(problem, prices, fishes=fishes) if problem.has_closed_index else SpendingExpander(problem, prices)
