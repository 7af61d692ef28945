"""Prices of tiles: what a bound is computed from. Any prices give a bound, good ones a low one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.tiles import N_CODES
from solver.model.units import POINT, SCALE
from solver.search.prices import tile_prices

HIGHEST = 1_000_000 * POINT  # a price; what is used up or held together stays far from the end of int64


@dataclass(frozen=True)
class Prices:
    """Whole thousandths of a point, 0 to `HIGHEST`.

    tile: of each tile of the row, for playing it, int64, shape (tiles,).
    leave: for holding a tile, by moment, side, hold and code, int64, shape (tiles + rack + 1, sides, holds, N_CODES). Moment D
        is when D < tiles tiles have been drawn, of them l from the left: on the side l * sides // (D + 1); m tiles held are
        the hold m * holds // rack. Moment tiles + rack - m is when the row is empty and m tiles are held, always side 0 and
        hold 0. None but r3 looks at these.
    """

    tile: npt.NDArray[np.int64]
    leave: npt.NDArray[np.int64]

    @classmethod
    def rounded(cls, tile: npt.NDArray[np.float64], leave: npt.NDArray[np.float64]) -> "Prices":
        """The allowed prices nearest to those given in points; 0 where none is given."""
        whole = [np.clip(np.nan_to_num(np.rint(POINT * prices)), 0, HIGHEST).astype(np.int64) for prices in (tile, leave)]
        return cls(*whole)


def first_prices(problem: Problem) -> Prices:
    """Where an ascent begins: one position for all letters, which short and long rows bear, and no prices for holding."""
    puzzle = problem.puzzle
    of_code = tile_prices(problem, 0.75, 0.75, typical=0.0) / SCALE
    return Prices.rounded(of_code[puzzle.row_codes], np.zeros((len(puzzle.row) + puzzle.rack_size + 1, 1, 1, N_CODES)))
