"""The first slot of a key in a hash table with open addressing, and the additive hash of a multiset of tiles."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.model.tiles import N_CODES

MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: Fibonacci hashing

TILE_HASH: npt.NDArray[np.uint64] = np.random.Generator(np.random.PCG64(294)).integers(1, 2**64, size=N_CODES, dtype=np.uint64)
"""A random number for each tile. A multiset's hash is their sum modulo 2**64; its highest bits give the first slot."""


@kernel
def first_slot(key: np.uint64, last: np.uint64) -> np.uint64:
    """Return the first slot to look for `key` in a table whose size is a power of two and whose last slot is `last`."""
    return ((key * MIX) >> np.uint64(24)) & last


@kernel
def log2(size: int) -> int:
    """Return the binary logarithm of a power of two."""
    bits = 0
    while size > 1:
        size >>= 1
        bits += 1
    return bits
