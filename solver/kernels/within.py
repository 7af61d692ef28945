"""Plays that some tiles allow, of all that the closed index holds."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.closing import first_code, without_first
from solver.tiles import N_CODES


@kernel
def plays_within(
    packed: npt.NDArray[np.uint64],
    score: npt.NDArray[np.int32],
    available: npt.NDArray[np.int64],
    prices: npt.NDArray[np.int64],
    scale: int,
    worth: npt.NDArray[np.int64],
) -> int:
    """Set `worth` (int64, shape (plays,)) of each play to scale * score less the prices of its tiles; returns how many fit.

    A play that needs more of a tile than `available` (int64, shape (N_CODES,)) has gets the least int64.
    """
    counts = np.zeros(N_CODES, np.int64)
    fitting = 0
    for i in range(packed.shape[0]):
        counts[:] = 0
        total = scale * np.int64(score[i])
        rest = packed[i]
        fits = True
        while rest != np.uint64(0) and fits:
            code = first_code(rest)
            counts[code] += 1
            fits = counts[code] <= available[code]
            total -= prices[code]
            rest = without_first(rest)
        fitting += fits
        worth[i] = total if fits else np.int64(-(1 << 63))
    return fitting
