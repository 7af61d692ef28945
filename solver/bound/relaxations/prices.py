"""Prices of tiles, the dual prices that a bound is computed from. Any prices give a bound, good prices a low one."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.tiles import N_CODES
from solver.model.units import POINT, SCALE
from solver.search.beam_prices import tile_prices


class Effort(IntEnum):
    """How thoroughly a relaxation is evaluated at some prices."""

    SPARING = 0  # only states near the best games, and only words that have been best before: mostly too low for a bound
    REFRESH = 1  # all states with known words, to choose again those near the best games; these with all words if that pays
    FULL = 2  # all states and words: the result is a bound


HIGHEST = 100_000 * POINT  # the highest price; sums over a rack fit the int32 of kernels


@dataclass(frozen=True)
class Prices:
    """Prices in whole thousandths of a point, 0 to `HIGHEST`.

    Attributes:
        tile: the price of playing each tile of the row, int64, shape (tiles,).
        leave: the price of holding a tile, by moment, side, hold and code, int64, shape (tiles + rack + 1, sides, holds,
            N_CODES). While D < tiles tiles have been drawn, l of them from the left, and m are held, the moment is D, the side
            is l * sides // (D + 1), and the hold is m * holds // rack. Once the row is empty the moment is tiles + rack - m,
            and side and hold are 0. Only r3 uses these prices.
        knots: ascending moments between which the prices of leaves are linear, rounded down; () if each moment has its own.
    """

    tile: npt.NDArray[np.int64]
    leave: npt.NDArray[np.int64]
    knots: tuple[int, ...] = ()

    def equal(self, other: "Prices") -> bool:
        """Return whether all prices are the same as those of `other`."""
        return np.array_equal(self.tile, other.tile) and np.array_equal(self.leave, other.leave)

    @classmethod
    def rounded(cls, tile: npt.NDArray[np.float64], leave: npt.NDArray[np.float64]) -> "Prices":
        """Return the allowed prices nearest to those given, in points; NaN becomes 0."""
        return cls(_whole(tile), _whole(leave))

    @classmethod
    def between(
        cls, tile: npt.NDArray[np.float64], at_knots: npt.NDArray[np.float64], knots: tuple[int, ...], moments: int
    ) -> "Prices":
        """Return prices as `rounded` does, from prices of leaves at knots, shape (knots, sides, holds, N_CODES)."""
        return cls(_whole(tile), linear(_whole(at_knots), knots, moments), knots)


def linear(at_knots: npt.NDArray[np.int64], knots: tuple[int, ...], moments: int) -> npt.NDArray[np.int64]:
    """Return whole prices that are linear between knots, rounded down, and constant before the first and after the last."""
    times, places = np.arange(moments), np.array(knots)
    behind = np.clip(np.searchsorted(places, times, side="right"), 1, max(1, len(knots) - 1))
    begin, end = places[behind - 1], places[np.minimum(behind, len(knots) - 1)]
    width = np.maximum(1, end - begin)
    share = np.clip(times - begin, 0, width)[:, None, None, None]
    width = width[:, None, None, None]
    first, last = at_knots[behind - 1], at_knots[np.minimum(behind, len(knots) - 1)]
    prices: npt.NDArray[np.int64] = (first * (width - share) + last * share) // width
    return prices


def _whole(prices: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    whole: npt.NDArray[np.int64] = np.clip(np.nan_to_num(np.rint(POINT * prices)), 0, HIGHEST).astype(np.int64)
    return whole


def first_prices(problem: Problem) -> Prices:
    """Return the prices that an ascent begins with.

    A tile's price assumes one position for all letters, which suits short and long rows. Holding a tile costs nothing.
    """
    puzzle = problem.puzzle
    of_code = tile_prices(problem, 0.75, 0.75, typical=0.0) / SCALE
    return Prices.rounded(of_code[puzzle.row_codes], np.zeros((len(puzzle.row) + puzzle.rack_size + 1, 1, 1, N_CODES)))
