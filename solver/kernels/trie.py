"""Tries over sorted tile multisets in breadth-first order: a node is a 32-bit mask of child codes and the place of its first
child; its children stand side by side in the order of their codes. Depth d occupies the places level[d] to level[d + 1]."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel


@kernel
def build_trie(
    rows: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Trie of `rows`: distinct multisets in order, each a row of ascending codes + 1 with zeros behind.

    rows: uint8, shape (n, width). Returns mask, child (uint32, shape (nodes,)), entry (int32: the row that ends at the node,
    or -1) and level (int64, shape (width + 2,)). Node 0 is the root.
    """
    n, width = rows.shape
    size = np.zeros(width + 2, np.int64)
    size[0] = 1
    for i in range(n):
        depth = _common_prefix(rows, i)
        while depth < width and rows[i, depth] != 0:
            depth += 1
            size[depth] += 1
    level = np.zeros(width + 2, np.int64)
    for depth in range(width + 1):
        level[depth + 1] = level[depth] + size[depth]
    nodes = level[width + 1]
    mask = np.zeros(nodes, np.uint32)
    child = np.zeros(nodes, np.uint32)
    entry = np.full(nodes, -1, np.int32)
    free = level.copy()
    path = np.zeros(width + 1, np.int64)
    for i in range(n):
        depth = _common_prefix(rows, i)
        while depth < width and rows[i, depth] != 0:
            parent = path[depth]
            node = free[depth + 1]
            free[depth + 1] += 1
            if mask[parent] == 0:
                child[parent] = node
            mask[parent] |= np.uint32(1) << np.uint32(rows[i, depth] - 1)
            depth += 1
            path[depth] = node
        entry[path[depth]] = i
    return mask, child, entry, level


@kernel
def _common_prefix(rows: npt.NDArray[np.uint8], i: int) -> int:
    """How many leading tiles row i shares with the row before it."""
    depth = 0
    if i > 0:
        while depth < rows.shape[1] and rows[i, depth] != 0 and rows[i, depth] == rows[i - 1, depth]:
            depth += 1
    return depth
