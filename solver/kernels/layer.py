"""The layer of a beam: states met so far, one for each key, found through an open-addressing table."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.hashing import first_slot


@kernel
def merge(
    in_key: npt.NDArray[np.uint64],
    in_priority: npt.NDArray[np.int64],
    in_score: npt.NDArray[np.int32],
    in_parent: npt.NDArray[np.int32],
    in_move: npt.NDArray[np.int32],
    arriving: int,
    key: npt.NDArray[np.uint64],
    priority: npt.NDArray[np.int64],
    score: npt.NDArray[np.int32],
    parent: npt.NDArray[np.int32],
    move: npt.NDArray[np.int32],
    count: int,
    table: npt.NDArray[np.int32],
    cut: int,
) -> int:
    """Put the first `arriving` children into a layer of `count` states; returns its new count.

    The layer's arrays have room for count + arriving states; `table` (int32, a power of two, more than that) holds index + 1.
    Of children with one key the best score stays; of those the smallest (move, parent), so that the order in which
    threads deliver them does not matter.
    """
    last = np.uint64(table.shape[0] - 1)
    for i in range(arriving):
        if in_priority[i] < cut:
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
        key[at] = in_key[i]
        priority[at] = in_priority[i]
        score[at] = in_score[i]
        parent[at] = in_parent[i]
        move[at] = in_move[i]
    return count


@kernel
def compact(
    key: npt.NDArray[np.uint64],
    priority: npt.NDArray[np.int64],
    score: npt.NDArray[np.int32],
    parent: npt.NDArray[np.int32],
    move: npt.NDArray[np.int32],
    count: int,
    table: npt.NDArray[np.int32],
    cut: int,
) -> int:
    """Drop the states below `cut` and fill `table` anew; returns the new count."""
    table[:] = 0
    last = np.uint64(table.shape[0] - 1)
    kept = 0
    for i in range(count):
        if priority[i] >= cut:
            key[kept] = key[i]
            priority[kept] = priority[i]
            score[kept] = score[i]
            parent[kept] = parent[i]
            move[kept] = move[i]
            slot = first_slot(key[kept], last)
            while table[slot] != 0:
                slot = (slot + np.uint64(1)) & last
            kept += 1
            table[slot] = np.int32(kept)
    return kept
