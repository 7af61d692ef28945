"""The layer of a beam: the states reached so far, one for each key, with a hash table by open addressing."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.hashing import first_slot
from solver.search.kernels.states import States


@kernel
def merge_children(arriving: States, arrivals: int, kept: States, count: int, table: npt.NDArray[np.int32], cutoff: int) -> int:
    """Merge children into a layer, and return its new number of states.

    Of children with equal keys the one with the best score stays. Of equal scores the one with the smallest (move, parent)
    stays, so that the order in which threads deliver children does not matter.

    Args:
        arriving: The children.
        arrivals: The number of children to merge, from the first.
        kept: The states of the layer, with room for count + arrivals of them.
        count: The number of states in the layer.
        table: The hash table, which holds index + 1; int32. Its size is a power of two above count + arrivals.
        cutoff: The least priority of a child that is kept.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to an array in one
    in_key, in_priority, in_score, in_parent, in_move = arriving
    key, priority, score, parent, move = kept
    last = np.uint64(table.shape[0] - 1)
    for i in range(arrivals):
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
    """Drop the states below `cutoff`, rebuild `table`, and return the new number of states."""
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
