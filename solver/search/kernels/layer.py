"""The layer of a beam: states met so far, one for each key, found through an open-addressing table."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.hashing import first_slot
from solver.search.kernels.states import States


@kernel
def merge(arriving: States, many: int, kept: States, count: int, table: npt.NDArray[np.int32], cutoff: int) -> int:
    """Put the first `many` children into a layer of `count` states; returns its new count.

    The layer's arrays have room for count + many states; `table` (int32, a power of two, more than that) holds index + 1. Of
    children with one key the best score stays; of those the smallest (move, parent), so that the order in which threads
    deliver them does not matter.
    """
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    in_key, in_priority, in_score, in_parent, in_move = arriving
    key, priority, score, parent, move = kept
    last = np.uint64(table.shape[0] - 1)
    for i in range(many):
        if in_priority[i] < cutoff:
            continue
        slot = first_slot(in_key[i], last)
        while table[slot] != 0 and key[table[slot] - 1] != in_key[i]:
            slot = (slot + np.uint64(1)) & last
        if table[slot] == 0:
            at = count
            count += 1
            table[slot] = np.int32(count)
        else:
            at = np.int64(table[slot]) - 1
            if in_score[i] < score[at]:
                continue
            later = in_move[i] > move[at] or (in_move[i] == move[at] and in_parent[i] >= parent[at])
            if in_score[i] == score[at] and later:
                continue
        key[at], priority[at], score[at] = in_key[i], in_priority[i], in_score[i]
        parent[at], move[at] = in_parent[i], in_move[i]
    return count


@kernel
def compact(kept: States, count: int, table: npt.NDArray[np.int32], cutoff: int) -> int:
    """Drop the states below `cutoff` and fill `table` anew; returns the new count."""
    key, priority, score, parent, move = kept
    table[:] = 0
    last = np.uint64(table.shape[0] - 1)
    at = 0
    for i in range(count):
        if priority[i] >= cutoff:
            key[at], priority[at], score[at], parent[at], move[at] = key[i], priority[i], score[i], parent[i], move[i]
            slot = first_slot(key[at], last)
            while table[slot] != 0:
                slot = (slot + np.uint64(1)) & last
            at += 1
            table[slot] = np.int32(at)
    return at
