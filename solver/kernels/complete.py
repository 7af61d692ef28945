"""How much the states of a layer, and the racks drawn from them, can still come to."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.ranks import LEFT_BITS, LEFT_MASK, unrank_counts
from solver.tiles import N_CODES


@kernel
def completions(
    key: npt.NDArray[np.uint64],
    played: int,
    undrawn: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    more_end: npt.NDArray[np.int64],
    value: npt.NDArray[np.int64],
    bound: npt.NDArray[np.int64],
) -> None:
    """Fill `bound` with what the rest of the game from each state brings at most, in thousandths of a point.

    undrawn: prices of the tiles not drawn yet, by (drawn, left); cheapest: of each code's drawn tiles, ascending; more,
    more_end, value: as in `solver.kernels.relax_held`. Which of equal tiles a state holds is ours to say: the cheapest ones.
    """
    tiles = value.shape[0] - 1
    rack = value.shape[2] - 1
    sides, holds = more.shape[1], more.shape[2]
    counts = np.zeros(N_CODES, np.int8)
    for i in range(len(key)):
        held = unrank_counts(key[i] >> np.uint64(LEFT_BITS), counts)
        left = np.int64(key[i] & LEFT_MASK)
        drawn = played + held
        total = value[drawn, left, held] + undrawn[drawn, left]
        for code in range(N_CODES):
            for copy in range(counts[code]):
                total += cheapest[drawn, left, code, copy]
            if counts[code] > 0:
                if drawn == tiles:
                    total += counts[code] * more_end[held, code]
                else:
                    total += counts[code] * more[drawn, left * sides // (drawn + 1), held * holds // rack, code]
        bound[i] = total


@kernel
def rack_worths(
    key: npt.NDArray[np.uint64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    worth: npt.NDArray[np.int64],
) -> None:
    """Add to `worth` what the tiles of each rack cost together, in thousandths of a point.

    cheapest: by left draws, of each code's drawn tiles, ascending, shape (nodes, N_CODES, rack); more: what a tile of each code
    costs beside that, shape (nodes, N_CODES).
    """
    counts = np.zeros(N_CODES, np.int8)
    for i in range(len(key)):
        unrank_counts(key[i] >> np.uint64(LEFT_BITS), counts)
        left = np.int64(key[i] & LEFT_MASK)
        for code in range(N_CODES):
            worth[i] += counts[code] * more[left, code]
            for copy in range(counts[code]):
                worth[i] += cheapest[left, code, copy]
