"""Draws of a sweep, by compiled code."""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, Numbers, left_of, number_of, score_of, spelled_tiles, state_number
from verify.bound.word_arrays import Ints


@compiled
def are_leaves(states: Numbers, spelled: Numbers, played: int, row: Ints, rack: int, left: int) -> bool:
    """Return whether all states can occur after `played` tiles and `left` left draws: each leave holds drawn tiles only.

    Compiled code relies on this, and a file may contain any states.

    Args:
        states: In any order.
        spelled: Their tiles.
        played: The tiles played.
        row: Kinds + 1.
        rack: The size of a rack.
        left: The left draws; 0 once the row is empty.
    """
    total = len(row)
    tiles = np.zeros(MOST_TILES, np.int64)
    for i in range(len(states)):
        held = spelled_tiles(spelled[i], tiles)
        drawn = played + held
        if states[i] != state_number(left, number_of(tiles, held), score_of(states[i])) or held >= rack or drawn > total:
            return False
        if left > (0 if drawn == total else drawn):
            return False
        begin = total if drawn == total else left
        end = total if drawn == total else total - (drawn - left)
        for place in range(held):
            same = 0
            for other in range(place + 1):
                same += tiles[other] == tiles[place]
            for at in range(total):
                same -= (at < begin or at >= end) and row[at] == tiles[place]
            if same > 0:
                return False
    return True


@compiled
def draw_all(states: Numbers, spelled: Numbers, played: int, row: Ints, rack: int, left: int, racks: Numbers) -> int:
    """Make every draw that leads to `left` left draws, or to an empty row; return the number of racks written.

    Args:
        states: States with the same number of tiles played.
        spelled: Their tiles.
        played: The tiles played.
        row: Kinds + 1.
        rack: The size of a rack.
        left: The left draws after the draw.
        racks: Output, with room for one rack a state.
    """
    total = len(row)
    tiles = np.zeros(MOST_TILES, np.int64)
    count = 0
    for i in range(len(states)):
        state = states[i]
        held, was = spelled_tiles(spelled[i], tiles), left_of(state)
        drawn = played + held
        to_draw = min(rack - held, total - drawn)
        from_left = left - was
        if drawn + to_draw == total:
            from_left = to_draw if drawn < total else 0
        elif not 0 <= from_left <= to_draw:
            continue
        for new in range(to_draw):
            tile = row[was + new] if new < from_left else row[total - (drawn - was) - 1 - (new - from_left)]
            at = held + new
            while at > 0 and tiles[at - 1] < tile:
                tiles[at] = tiles[at - 1]
                at -= 1
            tiles[at] = tile
        racks[count] = state_number(0 if drawn + to_draw == total else left, number_of(tiles, held + to_draw), score_of(state))
        count += 1
    return count
