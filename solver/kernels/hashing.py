"""Where a key's search begins in an open-addressing table."""

import numpy as np

from solver.jit import kernel

MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: Fibonacci hashing


@kernel
def first_slot(key: np.uint64, last: np.uint64) -> np.uint64:
    """The first place to look for `key` in a table of a power of two places, the last of them `last`."""
    return ((key * MIX) >> np.uint64(24)) & last
