"""Draws of a sweep, by compiled code."""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, Numbers, left_of, number_of, score_of, spelled_tiles, state_number
from verify.bound.words import Ints


@compiled
def draw_all(states: Numbers, spelled: Numbers, played: int, row: Ints, rack: int, left: int, racks: Numbers) -> int:
    """Make the draws that lead to `left` left draws, or to an empty row; returns how many there are.

    states: with as many tiles played; `spelled` has their tiles. row: kinds + 1. racks: room for one a state.
    """
    total = len(row)
    tiles = np.zeros(MOST_TILES, np.int64)
    count = 0
    for i in range(len(states)):
        state = states[i]
        held, was = spelled_tiles(spelled[i], tiles), left_of(state)
        drawn = played + held
        want = min(rack - held, total - drawn)
        from_left = left - was
        if drawn + want == total:
            from_left = want if drawn < total else 0
        elif not 0 <= from_left <= want:
            continue
        for new in range(want):
            tile = row[was + new] if new < from_left else row[total - (drawn - was) - 1 - (new - from_left)]
            at = held + new
            while at > 0 and tiles[at - 1] < tile:
                tiles[at] = tiles[at - 1]
                at -= 1
            tiles[at] = tile
        racks[count] = state_number(0 if drawn + want == total else left, number_of(tiles, held + want), score_of(state))
        count += 1
    return count
