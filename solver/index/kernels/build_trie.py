"""Tries over sorted tile multisets, in breadth-first order."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel


class Trie(NamedTuple):
    """A trie as arrays of shape (nodes,). Node 0 is the root. The children of a node are adjacent, in the order of their codes.

    Attributes:
        mask: A bit mask of the codes of the children; uint32.
        child: The index of the first child; uint32.
        entry: The number of the multiset that ends at the node, or -1; int32.
    """

    mask: npt.NDArray[np.uint32]
    child: npt.NDArray[np.uint32]
    entry: npt.NDArray[np.int32]


@kernel
def build_trie(rows: npt.NDArray[np.uint8]) -> Trie:
    """Build the trie of distinct multisets.

    Args:
        rows: The multisets in order, each a row of ascending codes + 1, padded with zeros; uint8, shape (n, width).
    """
    n, width = rows.shape
    size = np.zeros(width + 2, np.int64)
    size[0] = 1
    for i in range(n):
        depth = _common_prefix(rows, i)
        while depth < width and rows[i, depth] != 0:
            depth += 1
            size[depth] += 1
    free = np.zeros(width + 2, np.int64)  # the next free node at each depth
    for depth in range(width + 1):
        free[depth + 1] = free[depth] + size[depth]
    nodes = free[width + 1]
    mask = np.zeros(nodes, np.uint32)
    child = np.zeros(nodes, np.uint32)
    entry = np.full(nodes, -1, np.int32)
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
    return Trie(mask, child, entry)


@kernel
def _common_prefix(rows: npt.NDArray[np.uint8], i: int) -> int:
    """Return the number of leading tiles that row i shares with the row before it."""
    depth = 0
    if i > 0:
        while depth < rows.shape[1] and rows[i, depth] != 0 and rows[i, depth] == rows[i - 1, depth]:
            depth += 1
    return depth
