"""Finds dominated states and racks, which need not be played.

A blank can take the place of any letter. Replace one letter of a state's leave by a blank, and play on with the same words. The
two games differ only in the points of that letter: its value times its place in the word. The state with the letter is
dominated if the state with the blank leads by at least the points that the letter earns at its last place in any word. Then no
game through the state with the letter scores more than the best one through the state with the blank. The dominating state has
more blanks, so that no two states dominate each other.
"""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, NUMBER, TERM, Numbers, score_of, spelled_tiles
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints, WordArrays


def most_lost(words: WordArrays, values: Ints) -> Ints:
    """Return the most points that a blank in place of a letter can lose, by tile as kind + 1, shape (KINDS + 1,).

    Args:
        words: All words.
        values: The points of each kind of tile, shape (KINDS,).
    """
    lost = np.zeros(KINDS + 1, dtype=np.int64)
    for kind in range(BLANK_KIND):
        places = np.flatnonzero((words.letters == kind).any(axis=0)) + 1
        lost[kind + 1] = values[kind] * places.max(initial=0)
    return lost


@compiled
def drop_dominated(states: Numbers, spelled: Numbers, lost: Ints) -> int:
    """Move the undominated states to the front; return their count.

    Args:
        states: Distinct states or racks of one layer with the same number of left draws, ascending.
        spelled: Their tiles, which are moved with them.
        lost: From `most_lost`.
    """
    tiles = np.zeros(MOST_TILES, np.int64)
    # replacing the same letter by a blank keeps the ascending order: each search resumes where the last one stopped
    reached = np.zeros(KINDS + 1, np.int64)
    dropped = np.zeros(len(states), np.bool_)
    for i in range(len(states)):
        size, score = spelled_tiles(spelled[i], tiles), score_of(states[i])
        # the number with a blank in front: tiles before the letter move back one place, those after it keep their place
        before, behind = TERM[BLANK_KIND + 1, MOST_TILES], states[i] >> NUMBER
        for place in range(size):
            tile = tiles[place]
            behind -= TERM[tile, MOST_TILES - place]
            if tile != BLANK_KIND + 1 and (place + 1 == size or tiles[place + 1] != tile):
                at = _search(states, reached[tile], before + behind)
                reached[tile] = at
                if at < len(states) and states[at] >> NUMBER == before + behind:
                    dropped[i] |= score_of(states[at]) >= score + lost[tile]
            before += TERM[tile, MOST_TILES - place - 1]
    kept = 0
    for i in range(len(states)):
        if not dropped[i]:
            states[kept], spelled[kept] = states[i], spelled[i]
            kept += 1
    return kept


@compiled
def _search(states: Numbers, low: int, number: np.uint64) -> int:
    """Return the index of the first state from `low` on whose number, with its left draws in front, is at least `number`."""
    step = 1
    while low + step <= len(states) and states[low + step - 1] >> NUMBER < number:
        low += step
        step *= 2
    high = min(low + step - 1, len(states))
    while low < high:
        middle = (low + high) // 2
        if states[middle] >> NUMBER < number:
            low = middle + 1
        else:
            high = middle
    return low
