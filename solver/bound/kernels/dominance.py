"""Dominated states and racks of a sweep.

A blank can replace a letter in any word. The word then scores less by the letter's value times its position, at most its value
times the size of a rack. So one state dominates another if its leave has a blank in place of a letter, and its score is higher
by at least that amount: no game from the dominated state ends with a higher score.
"""

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import SCORE_SHIFT, Packed, packed, packed_left, packed_rank, packed_score
from solver.compiled import kernel
from solver.index.kernels.ranks import CHOOSE, MAX_RACK, OFFSET, unrank_tiles
from solver.model.tiles import BLANK_CODE, N_CODES


@kernel
def find_dominated(numbers: Packed, value: npt.NDArray[np.int32], rack_size: int, dominated: npt.NDArray[np.bool_]) -> None:
    """Mark the dominated numbers.

    Args:
        numbers: distinct states or racks of one partition of a layer, sorted.
        value: the points of each code, shape (N_CODES,).
        rack_size: the size of a full rack.
        dominated: filled, shape (n,).
    """
    tiles = np.zeros(MAX_RACK, np.int64)
    # replacing a letter by a blank keeps the order of the numbers: the search for each letter begins where its last one stopped
    begin = np.zeros(N_CODES, np.int64)
    for i in range(len(numbers)):
        dominated[i] = False
        rank, left, score = packed_rank(numbers[i]), packed_left(numbers[i]), packed_score(numbers[i])
        size = unrank_tiles(rank, tiles)
        # the blank has code 0: it comes first, adds nothing to a rank, and moves the tiles before the letter up by one place;
        # `moved` sums the terms of these tiles at their new places, `unmoved` those of the tiles after the letter
        moved, unmoved = OFFSET[size], rank - OFFSET[size]
        for place in range(1, size + 1):
            code = tiles[place - 1]
            unmoved -= CHOOSE[place, code]
            # of equal letters only the last one is replaced: the others give the same leave
            if code != BLANK_CODE and (place == size or tiles[place] != code):
                other = packed(moved + unmoved, left, 0)
                at = _first_from(numbers, begin[code], other)
                if at < len(numbers) and numbers[at] >> SCORE_SHIFT == other >> SCORE_SHIFT:
                    dominated[i] |= packed_score(numbers[at]) >= score + rack_size * value[code]
                begin[code] = at
            moved += CHOOSE[place + 1, code]


@kernel
def _first_from(numbers: Packed, begin: int, wanted: np.uint64) -> int:
    """Return the index of the first number from `begin` on that is at least `wanted`, by a galloping search."""
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
