"""From the states of a layer to the racks that their draws make."""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.hashing import first_slot
from solver.index.kernels.ranks import rank_counts, unrank_counts
from solver.model.tiles import N_CODES
from solver.search.kernels.states import Racks, States, left_of, packed_key, rank_of


@kernel
def draw_racks(
    states: States,
    row: npt.NDArray[np.uint8],
    played: int,
    rack_size: int,
    part: int,
    parts: int,
    table: npt.NDArray[np.int32],
    racks: Racks,
) -> int:
    """Make every draw of every state with `played` tiles played; returns how many racks come of them.

    There is one rack for equal tiles and left draws: the one with the best score, then the first. Once the row is empty its
    ends no longer matter: left draws become 0.

    row: codes, uint8.
    part, parts: only draws that lead to left draws of `part` modulo `parts` are made, so that threads share the work and equal
        racks meet.
    table: zeros, a power of two and at least twice the racks.
    racks: room for rack_size // parts + 1 of them a state.
    """
    last = np.uint64(table.shape[0] - 1)
    counts = np.zeros(N_CODES, np.int8)
    tiles = row.shape[0]
    count = 0
    for state in range(states.key.shape[0]):
        held = unrank_counts(rank_of(states.key[state]), counts)
        left = left_of(states.key[state])
        drawn = played + held
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
            key = packed_key(rank_counts(counts), end)
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
            racks.left_draws[rack] = np.int16(draw)
    return count
