"""Where a key's search begins in an open-addressing table, and the additive hash of a multiset of tiles."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.model.tiles import N_CODES

MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: Fibonacci hashing

TILE_HASH: npt.NDArray[np.uint64] = np.random.Generator(np.random.PCG64(294)).integers(1, 2**64, size=N_CODES, dtype=np.uint64)
"""A random number for each tile: a multiset's hash is their sum, modulo 2**64, and its highest bits say where to look."""


@kernel
def first_slot(key: np.uint64, last: np.uint64) -> np.uint64:
    """The first place to look for `key` in a table of a power of two places, the last of them `last`."""
    return ((key * MIX) >> np.uint64(24)) & last


@kernel
def log2(size: int) -> int:
    """The logarithm of a power of two."""
    bits = 0
    while size > 1:
        size >>= 1
        bits += 1
    return bits
