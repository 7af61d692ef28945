"""The way back in a sweep, which remembers no parents: which states may have led to one."""

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import packed_left, packed_rank
from solver.compiled import kernel
from solver.index.kernels.ranks import unrank_counts
from solver.model.tiles import N_CODES


@kernel
def possible_parents(
    states: npt.NDArray[np.uint64],
    played: int,
    row: npt.NDArray[np.uint8],
    rack_size: int,
    target: np.uint64,
    found: npt.NDArray[np.int64],
    tiles_played: npt.NDArray[np.int8],
) -> int:
    """Find the states whose rack, after some draw, holds all that the target's leave holds; returns how many.

    states: packed, with `played` tiles played.
    target: a packed state with more tiles played.
    found: int64, shape (n, 2), which state, and its left draws.
    tiles_played: int8, shape (n, N_CODES), the counts of what the rack holds beside that leave. There is room for all states.
    """
    tiles = row.shape[0]
    leave, counts = np.zeros(N_CODES, np.int8), np.zeros(N_CODES, np.int8)
    unrank_counts(packed_rank(target), leave)
    count = 0
    for state in range(states.shape[0]):
        held = unrank_counts(packed_rank(states[state]), counts)
        left = packed_left(states[state])
        drawn = played + held
        want = min(rack_size - held, tiles - drawn)
        draw = 0
        if drawn + want < tiles:
            draw = packed_left(target) - left
            if not 0 <= draw <= want:
                continue
        for i in range(draw):
            counts[row[left + i]] += np.int8(1)
        for i in range(want - draw):
            counts[row[tiles - (drawn - left) - 1 - i]] += np.int8(1)
        fits = True
        for code in range(N_CODES):
            counts[code] -= leave[code]
            fits = fits and counts[code] >= 0
        if fits:
            found[count, 0], found[count, 1] = state, draw
            tiles_played[count] = counts
            count += 1
    return count
