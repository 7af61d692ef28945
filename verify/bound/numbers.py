"""States and racks packed into integers: left draws << 50 | number of the leave or rack << 21 | score.

The number of a multiset of up to ten tiles: write its tiles, as kind + 1, in descending order t_1 >= t_2 >= ..., pad with zeros
to ten, and add up the binomial coefficients C(t_j + 10 - j, 11 - j). Different multisets have different numbers.
"""

import math

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled

MOST_TILES = 10  # of a rack
MOST_LEFT, MOST_SCORE = (1 << 14) - 1, (1 << 21) - 1
LEFT, NUMBER = np.uint64(50), np.uint64(21)
_NUMBER_MASK, _SCORE_MASK = np.uint64((1 << 29) - 1), np.uint64(MOST_SCORE)
_TERMS = 28  # the kinds, and 0 for no tile
_SPELLED = 5  # bits of a tile in a spelled rack

Numbers = npt.NDArray[np.uint64]
TERM: npt.NDArray[np.uint64] = np.array(
    [[math.comb(tile + i - 1, i) if i else 0 for i in range(MOST_TILES + 1)] for tile in range(_TERMS)], dtype=np.uint64
)
"""TERM[tile, i]: what a tile, as kind + 1, at place 11 - i adds to the number of a multiset."""
TERMS: npt.NDArray[np.uint32] = np.zeros((_TERMS, MOST_TILES + 1, MOST_TILES + 1), dtype=np.uint32)
"""TERMS[tile, i, copies]: the sum of TERM over `copies` equal tiles, the first of which is at place 11 - i."""
for _copies in range(1, MOST_TILES + 1):
    TERMS[:, _copies:, _copies] = TERMS[:, _copies:, _copies - 1] + TERM[:, 1 : MOST_TILES + 2 - _copies]


@compiled
def state_number(left: int, number: np.uint64, score: int) -> np.uint64:
    """Return a state or rack packed into an integer."""
    return np.uint64(left) << LEFT | number << NUMBER | np.uint64(score)


@compiled
def left_of(state: np.uint64) -> int:
    """Return the left draws of a state or rack."""
    return np.int64(state >> LEFT)


@compiled
def score_of(state: np.uint64) -> int:
    """Return the score of a state or rack, in points."""
    return np.int64(state & _SCORE_MASK)


@compiled
def tiles_of(state: np.uint64, tiles: npt.NDArray[np.int64]) -> int:
    """Write the tiles of a leave or rack to `tiles`, as kind + 1, descending; return their count."""
    rest = state >> NUMBER & _NUMBER_MASK
    count = 0
    tile = _TERMS - 1
    for place in range(MOST_TILES):
        while TERM[tile, MOST_TILES - place] > rest:
            tile -= 1
        if tile == 0:
            break
        rest -= TERM[tile, MOST_TILES - place]
        tiles[place] = tile
        count += 1
    return count


@compiled
def spell(states: Numbers) -> Numbers:
    """Return the tiles of leaves or racks in a form that is faster to read: five bits a tile, the first tile lowest."""
    tiles, spelled = np.zeros(MOST_TILES, np.int64), np.zeros(len(states), np.uint64)
    for i in range(len(states)):
        for place in range(tiles_of(states[i], tiles)):
            spelled[i] |= np.uint64(tiles[place]) << np.uint64(_SPELLED * place)
    return spelled


@compiled
def spelled_tiles(spelled: np.uint64, tiles: npt.NDArray[np.int64]) -> int:
    """Write the tiles of a leave or rack spelled by `spell` to `tiles`; return their count."""
    count = 0
    while spelled != 0:
        tiles[count] = np.int64(spelled & np.uint64((1 << _SPELLED) - 1))
        spelled >>= np.uint64(_SPELLED)
        count += 1
    return count


@compiled
def count_tiles(tiles: npt.NDArray[np.int64], size: int, copies: npt.NDArray[np.int64]) -> int:
    """Move the distinct ones of descending tiles to the front and count their copies; return the number of distinct tiles."""
    distinct = 0
    for place in range(size):
        tile = tiles[place]
        if place == 0 or tile != tiles[distinct - 1]:
            tiles[distinct] = tile
            copies[tile] = 0
            distinct += 1
        copies[tile] += 1
    return distinct


@compiled
def number_of(tiles: npt.NDArray[np.int64], count: int) -> np.uint64:
    """Return the number of a multiset of `count` tiles, as kind + 1, descending."""
    number = np.uint64(0)
    for place in range(count):
        number += TERM[tiles[place], MOST_TILES - place]
    return number


@compiled
def keep_best(states: Numbers) -> int:
    """Keep the best score of each leave or rack in sorted `states`: move the kept states to the front, return their count."""
    kept = 0
    for i in range(len(states)):
        if i + 1 == len(states) or states[i] >> NUMBER != states[i + 1] >> NUMBER:
            states[kept] = states[i]
            kept += 1
    return kept


def joined(parts: list[Numbers]) -> Numbers:
    """Merge states or racks: each leave or rack with its left draws once, with its best score, ascending."""
    states = np.concatenate([np.zeros(0, dtype=np.uint64), *parts])
    states.sort()
    return states[: keep_best(states)]
