"""The plays of the closed index that fit the tiles available."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.build_closed import first_code, without_first
from solver.model.tiles import N_CODES
from solver.model.units import SCALE


@kernel
def fitting_plays(
    packed: npt.NDArray[np.uint64],
    score: npt.NDArray[np.int32],
    available: npt.NDArray[np.int64],
    prices: npt.NDArray[np.int64],
    place: npt.NDArray[np.int64],
    worth: npt.NDArray[np.int64],
) -> int:
    """Find the plays that need no tile more often than it is available, and return their number.

    Args:
        packed: The plays of the closed index.
        score: Their scores in points.
        available: The number of copies of each tile; int64, shape (N_CODES,).
        prices: The prices of tiles by code, in sixteenths of a point.
        place: Output: the indices of the fitting plays, ascending. It has room for all plays.
        worth: Output: their scores less the prices of their tiles, in sixteenths of a point. It has room for all plays.
    """
    counts = np.zeros(N_CODES, np.int64)
    fitting = 0
    for i in range(packed.shape[0]):
        counts[:] = 0
        total = SCALE * np.int64(score[i])
        rest = packed[i]
        fits = True
        while rest != np.uint64(0) and fits:
            code = first_code(rest)
            counts[code] += 1
            fits = counts[code] <= available[code]
            total -= prices[code]
            rest = without_first(rest)
        place[fitting] = i
        worth[fitting] = total
        fitting += fits
    return fitting
