"""Plays that some tiles allow, of all that the closed index holds."""

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
    """The plays that need no tile more often than `available` (int64, shape (N_CODES,)) has it; returns how many.

    place, worth: room for all plays; where the fitting ones stand, ascending, and their scores less the prices of their tiles,
        in sixteenths of a point.
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
