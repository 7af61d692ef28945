"""Which states or racks of a sweep others stand in for.

Whatever word lays down a letter can lay down a blank in its place, and scores less by the letter's place times its value. So a
game goes as well, or better, from a leave with a blank for a letter, if the score there is higher by the letter's value times
the tiles of a rack.
"""

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import SCORE_SHIFT, Packed, packed, packed_left, packed_rank, packed_score
from solver.compiled import kernel
from solver.index.kernels.ranks import CHOOSE, MAX_RACK, OFFSET, unrank_tiles
from solver.model.tiles import BLANK_CODE, N_CODES


@kernel
def find_dominated(numbers: Packed, value: npt.NDArray[np.int32], rack_size: int, dominated: npt.NDArray[np.bool_]) -> None:
    """Mark the numbers that another one stands in for.

    numbers: states or racks of one part of a layer, sorted, each once.
    value: points of each code, shape (N_CODES,).
    dominated: shape (numbers,).
    """
    tiles = np.zeros(MAX_RACK, np.int64)
    # numbers that hold one letter ascend, and so do those with a blank for it: each search begins where the last one ended
    begin = np.zeros(N_CODES, np.int64)
    for i in range(len(numbers)):
        dominated[i] = False
        rank, left, score = packed_rank(numbers[i]), packed_left(numbers[i]), packed_score(numbers[i])
        size = unrank_tiles(rank, tiles)
        # the blank, whose code is 0, comes first and adds nothing to a rank; the tiles before the letter move up by a place
        moved, unmoved = OFFSET[size], rank - OFFSET[size]
        for place in range(1, size + 1):
            code = tiles[place - 1]
            unmoved -= CHOOSE[place, code]
            if code != BLANK_CODE and (place == size or tiles[place] != code):
                other = packed(moved + unmoved, left, 0)
                at = _first_from(numbers, begin[code], other)
                if at < len(numbers) and numbers[at] >> SCORE_SHIFT == other >> SCORE_SHIFT:
                    dominated[i] |= packed_score(numbers[at]) >= score + rack_size * value[code]
                begin[code] = at
            moved += CHOOSE[place + 1, code]


@kernel
def _first_from(numbers: Packed, begin: int, wanted: np.uint64) -> int:
    """The place of the first number from `begin` on that is not below `wanted`."""
    stride = 1
    while begin + stride < len(numbers) and numbers[begin + stride] < wanted:
        begin += stride
        stride *= 2
    end = min(begin + stride, len(numbers))
    while begin < end:
        middle = begin + (end - begin) // 2
        if numbers[middle] < wanted:
            begin = middle + 1
        else:
            end = middle
    return begin
