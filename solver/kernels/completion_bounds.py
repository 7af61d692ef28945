"""How much the states of a layer, and the racks drawn from them, can still come to."""

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import kernel
from solver.kernels.leave_prices import LeavePrices, leave_price
from solver.kernels.ranks import unrank_counts
from solver.kernels.states import left_of, rank_of
from solver.model.tiles import N_CODES


@kernel
def completion_bounds(
    key: npt.NDArray[np.uint64],
    played: int,
    undrawn: npt.NDArray[np.int64],
    cheapest: npt.NDArray[np.int64],
    leaves: LeavePrices,
    value: npt.NDArray[np.int64],
    bound: npt.NDArray[np.int64],
) -> None:
    """Fill `bound` with what the rest of the game from each state brings at most, in thousandths of a point.

    key: of states with `played` tiles played, shape (n,).
    undrawn: prices of the tiles not drawn yet, by (drawn, left).
    cheapest: of each code's drawn tiles, ascending.
    value: of the relaxed game, by (drawn, left, held). Which of equal tiles a state holds makes no difference to the game: it
        is taken to hold the cheapest ones.
    """
    counts = np.zeros(N_CODES, np.int8)
    for i in range(len(key)):
        held = unrank_counts(rank_of(key[i]), counts)
        left = left_of(key[i])
        drawn = played + held
        more = leave_price(leaves, drawn, left, held)
        total = value[drawn, left, held] + undrawn[drawn, left]
        for code in range(N_CODES):
            total += counts[code] * more[code]
            for copy in range(counts[code]):
                total += cheapest[drawn, left, code, copy]
        bound[i] = total


@kernel
def rack_worths(
    key: npt.NDArray[np.uint64],
    cheapest: npt.NDArray[np.int64],
    more: npt.NDArray[np.int64],
    worth: npt.NDArray[np.int64],
) -> None:
    """Add to `worth` what the tiles of each rack cost together, in thousandths of a point.

    cheapest: by left draws, of each code's drawn tiles, ascending, shape (nodes, N_CODES, rack).
    more: what a tile of each code costs beside that, shape (nodes, N_CODES).
    """
    counts = np.zeros(N_CODES, np.int8)
    for i in range(len(key)):
        unrank_counts(rank_of(key[i]), counts)
        left = left_of(key[i])
        for code in range(N_CODES):
            worth[i] += counts[code] * more[left, code]
            for copy in range(counts[code]):
                worth[i] += cheapest[left, code, copy]
