"""The draws of a layer: from its states to the racks that they can draw."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.hashing import first_slot
from solver.index.kernels.ranks import rank_counts, unrank_counts
from solver.model.tiles import N_CODES
from solver.search.kernels.states import DrawnRacks, States, left_of, packed_key, rank_of


@kernel
def draw_racks(
    states: States,
    row: npt.NDArray[np.uint8],
    played: int,
    rack_size: int,
    part: int,
    parts: int,
    table: npt.NDArray[np.int32],
    racks: DrawnRacks,
) -> int:
    """Make every draw of every state, and return the number of distinct racks.

    Of racks with equal tiles and left draws the one with the best score stays; of equal scores the first. Left draws become 0
    when the row is empty, since they no longer matter.

    Args:
        states: The states of one layer.
        row: The codes of the row's tiles; uint8.
        played: The number of tiles that each state has played.
        rack_size: The number of tiles that a full rack holds.
        part: Only draws after which the left draws are `part` modulo `parts` are made. Threads share the work in this way, and
            equal racks still meet in one thread.
        parts: See `part`.
        table: Zeros; int32. The size is a power of two and at least twice the number of racks.
        racks: Output, with room for rack_size // parts + 1 racks a state.
    """
    last = np.uint64(table.shape[0] - 1)
    counts = np.zeros(N_CODES, np.int8)
    tiles = row.shape[0]
    count = 0
    for state in range(states.key.shape[0]):
        held = unrank_counts(rank_of(states.key[state]), counts)
        left = left_of(states.key[state])
        drawn = played + held
        right = drawn - left  # meaningless and unused when the row is empty
        draws = min(rack_size - held, tiles - drawn)
        choices = draws + 1
        emptied = drawn + draws == tiles
        if emptied:
            choices = 1
        for i in range(draws):
            if emptied:
                counts[row[left + i]] += np.int8(1)
            else:
                counts[row[tiles - right - 1 - i]] += np.int8(1)
        for left_draws in range(choices):
            if left_draws > 0:
                counts[row[tiles - right - 1 - (draws - left_draws)]] -= np.int8(1)
                counts[row[left + left_draws - 1]] += np.int8(1)
            new_left = np.uint64(0) if emptied else np.uint64(left + left_draws)
            if np.int64(new_left) % parts != part:
                continue
            key = packed_key(rank_counts(counts), new_left)
            slot = first_slot(key, last)
            while table[slot] != 0 and racks.key[table[slot] - 1] != key:
                slot = (slot + np.uint64(1)) & last
            if table[slot] == 0:
                rack = count
                count += 1
                table[slot] = np.int32(count)
            else:
                rack = np.int64(table[slot]) - 1
                if states.score[state] <= racks.score[rack]:
                    continue
            racks.key[rack] = key
            racks.priority[rack] = states.priority[state]
            racks.score[rack] = states.score[state]
            racks.parent[rack] = np.int32(state)
            racks.left_draws[rack] = np.int16(left_draws)
    return count
