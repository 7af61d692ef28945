"""Drops states that some focus rules out."""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, Numbers, count_tiles, score_of, spelled_tiles
from verify.bound.relaxed_game import POINT
from verify.bound.word_arrays import KINDS, Ints


@compiled
def drop_ruled_out(states: Numbers, spelled: Numbers, to_come: Ints, worth: Ints, least: int) -> int:
    """Move the states that no focus rules out to the front; return their count.

    Args:
        states: States of one layer with the same number of left draws.
        spelled: Their tiles, which are moved with them.
        to_come: From `verify.bound.foci.Judges.by_focus`, shape (foci, rack).
        worth: From the same, shape (foci, rack, KINDS, rack + 1).
        least: The lowest completion bound of interest, in thousandths of a point.
    """
    tiles, copies = np.zeros(MOST_TILES, np.int64), np.zeros(KINDS, np.int64)
    kept = 0
    for i in range(len(states)):
        held = spelled_tiles(spelled[i], tiles)
        distinct = count_tiles(tiles, held, copies)
        is_open = True
        for focus in range(len(to_come)):
            bound = POINT * score_of(states[i]) + to_come[focus, held]
            for at in range(distinct):
                bound += worth[focus, held, tiles[at], copies[tiles[at]]]
            if bound < least:
                is_open = False
                break
        if is_open:
            states[kept], spelled[kept] = states[i], spelled[i]
            kept += 1
    return kept
