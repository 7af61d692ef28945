"""Candidates for the parent of a state. A sweep stores no parents: it searches for them when it has to show a game."""

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
    parents: npt.NDArray[np.int64],
    tiles_played: npt.NDArray[np.int8],
) -> int:
    """Find the states that can draw a rack that contains the target's leave.

    Args:
        states: packed, with `played` tiles played, shape (n,).
        played: tiles played.
        row: the codes of its tiles, shape (tiles,).
        rack_size: the size of a full rack.
        target: a packed state with more tiles played.
        parents: int64, shape (n, 2), a row for each state found: its index, and the left draws of its draw.
        tiles_played: int8, shape (n, N_CODES), a row for each state found: the tiles that a play to the target uses, by code.

    Returns:
        The number of states found.
    """
    tiles = row.shape[0]
    leave, counts = np.zeros(N_CODES, np.int8), np.zeros(N_CODES, np.int8)
    unrank_counts(packed_rank(target), leave)
    count = 0
    for state in range(states.shape[0]):
        held = unrank_counts(packed_rank(states[state]), counts)
        left = packed_left(states[state])
        drawn = played + held
        to_draw = min(rack_size - held, tiles - drawn)
        draw = 0  # a draw that empties the row takes the same tiles from either end
        if drawn + to_draw < tiles:
            draw = packed_left(target) - left
            if not 0 <= draw <= to_draw:
                continue
        for i in range(draw):
            counts[row[left + i]] += np.int8(1)
        for i in range(to_draw - draw):
            counts[row[tiles - (drawn - left) - 1 - i]] += np.int8(1)
        fits = True
        for code in range(N_CODES):
            counts[code] -= leave[code]
            fits = fits and counts[code] >= 0
        if fits:
            parents[count, 0], parents[count, 1] = state, draw
            tiles_played[count] = counts
            count += 1
    return count
