"""States and racks that need not be played, since others bring as much.

A blank lays down what any letter lays down. Take a state, put a blank in the place of one letter of its leave, and play on with
the same words: the games score the same but for the letter, which is worth its value times its place in a word. So if the state
with the blank has at least as many points more as the letter can bring at its last place in any word, no game through the state
with the letter ends with more than the best one through the state with the blank. The latter has more blanks, so that no two
states stand in for each other.
"""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, NUMBER, TERM, Numbers, score_of, spelled_tiles
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints, WordArrays


def most_lost(words: WordArrays, values: Ints) -> Ints:
    """How many points a blank in the place of a letter can lose, by tile as kind + 1, shape (KINDS + 1,).

    values: the points of each kind of tile, shape (KINDS,).
    """
    lost = np.zeros(KINDS + 1, dtype=np.int64)
    for kind in range(BLANK_KIND):
        places = np.flatnonzero((words.letters == kind).any(axis=0)) + 1
        lost[kind + 1] = values[kind] * places.max(initial=0)
    return lost


@compiled
def drop_dominated(states: Numbers, spelled: Numbers, lost: Ints) -> int:
    """Move those to the front for which no other one stands in; returns how many they are.

    states: states or racks of one layer with as many left draws, each once, ascending; `spelled` has their tiles, and is moved
    with them. lost: from `most_lost`.
    """
    tiles = np.zeros(MOST_TILES, np.int64)
    # with a blank in the place of the same letter, ascending states stay ascending: a search goes on where the last one ended
    reached = np.zeros(KINDS + 1, np.int64)
    dropped = np.zeros(len(states), np.bool_)
    for i in range(len(states)):
        size, score = spelled_tiles(spelled[i], tiles), score_of(states[i])
        # the number with a blank in front: tiles before the letter stand one place later, those behind it where they stood
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
    """The first state from `low` on whose number, with its left draws in front, is `number` or more."""
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
