"""From the states of a layer to the racks that their draws make."""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.hashing import first_slot
from solver.kernels.ranks import LEFT_BITS, LEFT_MASK, rank_counts, unrank_counts
from solver.tiles import N_CODES


@kernel
def draw_racks(
    state_key: npt.NDArray[np.uint64],
    state_priority: npt.NDArray[np.int64],
    state_score: npt.NDArray[np.int32],
    row: npt.NDArray[np.uint8],
    tiles_played: int,
    rack_size: int,
    part: int,
    parts: int,
    table: npt.NDArray[np.int32],
    rack_key: npt.NDArray[np.uint64],
    rack_priority: npt.NDArray[np.int64],
    rack_score: npt.NDArray[np.int32],
    rack_parent: npt.NDArray[np.int32],
    rack_draw: npt.NDArray[np.int16],
) -> int:
    """Every draw of every state, one rack for equal tiles and left draws: the one with the best score, then the first.

    Only draws that lead to left draws of `part` modulo `parts`, so that threads share the work and equal racks meet. state_*:
    shape (states,); row: codes, uint8; table: zeros, a power of two and at least twice the racks. rack_*: room for
    rack_size // parts + 1 racks a state; filled and counted. Once the row is empty its ends no longer matter: left draws
    become 0.
    """
    last = np.uint64(table.shape[0] - 1)
    counts = np.zeros(N_CODES, np.int8)
    tiles = row.shape[0]
    racks = 0
    for state in range(state_key.shape[0]):
        held = unrank_counts(state_key[state] >> np.uint64(LEFT_BITS), counts)
        left = np.int64(state_key[state] & LEFT_MASK)
        drawn = tiles_played + held
        right = drawn - left  # meaningless, and unused, once the row is empty
        want = min(rack_size - held, tiles - drawn)
        choices = want + 1
        emptied = drawn + want == tiles
        if emptied:
            choices = 1
        for i in range(want):
            if emptied:
                counts[row[left + i]] += np.int8(1)
            else:
                counts[row[tiles - right - 1 - i]] += np.int8(1)
        for draw in range(choices):
            if draw > 0:
                counts[row[tiles - right - 1 - (want - draw)]] -= np.int8(1)
                counts[row[left + draw - 1]] += np.int8(1)
            end = np.uint64(0) if emptied else np.uint64(left + draw)
            if np.int64(end) % parts != part:
                continue
            key = (rank_counts(counts) << np.uint64(LEFT_BITS)) | end
            slot = first_slot(key, last)
            while table[slot] != 0 and rack_key[table[slot] - 1] != key:
                slot = (slot + np.uint64(1)) & last
            if table[slot] == 0:
                rack = racks
                racks += 1
                table[slot] = np.int32(racks)
            else:
                rack = np.int64(table[slot]) - 1
                if state_score[state] <= rack_score[rack]:
                    continue
            rack_key[rack] = key
            rack_priority[rack] = state_priority[state]
            rack_score[rack] = state_score[state]
            rack_parent[rack] = np.int32(state)
            rack_draw[rack] = np.int16(draw)
    return racks
