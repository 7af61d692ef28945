"""Ranks: multisets of tiles numbered without gaps, so that a leave of up to 15 tiles and its left draws fit one 64-bit key.

A multiset a_1 <= ... <= a_k of codes has rank OFFSET[k] + sum_i C(a_i + i - 1, i). The sum is the combinatorial number system
on the strictly increasing a_i + i - 1; the offset counts all multisets of fewer tiles. There are C(42, 15) < 2**37 multisets of
up to 15 tiles.
"""

import math

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.model.tiles import N_CODES

MAX_RACK = 15

CHOOSE: npt.NDArray[np.uint64] = np.array(
    [[math.comb(a + i - 1, i) if i else 0 for a in range(N_CODES)] for i in range(MAX_RACK + 1)], dtype=np.uint64
)
OFFSET: npt.NDArray[np.uint64] = np.array(
    [sum(math.comb(N_CODES + j - 1, j) for j in range(k)) for k in range(MAX_RACK + 2)], dtype=np.uint64
)


@kernel
def rank_counts(counts: npt.NDArray[np.int8]) -> np.uint64:
    """Return the rank of the multiset with `counts` (int8, shape (N_CODES,)) of each tile."""
    total = np.uint64(0)
    size = 0
    for code in range(N_CODES):
        for _ in range(counts[code]):
            size += 1
            total += CHOOSE[size, code]
    return total + OFFSET[size]


@kernel
def unrank_counts(rank: np.uint64, counts: npt.NDArray[np.int8]) -> int:
    """Set `counts` (int8, shape (N_CODES,)) to the multiset of `rank`, and return its size."""
    counts[:] = 0
    size = _size_of(rank)
    rest = rank - OFFSET[size]
    code = N_CODES - 1
    for place in range(size, 0, -1):
        code = _largest_code(rest, place, code)
        rest -= CHOOSE[place, code]
        counts[code] += np.int8(1)
    return size


@kernel
def unrank_tiles(rank: np.uint64, tiles: npt.NDArray[np.int64]) -> int:
    """Write the codes of the multiset of `rank` to `tiles` (int64), ascending, and return its size."""
    size = _size_of(rank)
    rest = rank - OFFSET[size]
    code = N_CODES - 1
    for place in range(size, 0, -1):
        code = _largest_code(rest, place, code)
        rest -= CHOOSE[place, code]
        tiles[place - 1] = code
    return size


@kernel
def _size_of(rank: np.uint64) -> int:
    """Return the number of tiles in the multiset of `rank`."""
    size = MAX_RACK
    while OFFSET[size] > rank:
        size -= 1
    return size


@kernel
def _largest_code(rest: np.uint64, place: int, code: int) -> int:
    """Return the code, at most `code`, of the tile at `place`, where `rest` is the part of the rank not yet decoded."""
    while CHOOSE[place, code] > rest:
        code -= 1
    return code
