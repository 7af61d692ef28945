"""States and racks of a sweep as integers, which sort quickly: the tiles, as digits of `bits` bits, then the score.

A tile is its kind + 1; kinds that the row lacks have no digit. The tiles are in descending order, the first one in the highest
digit, so that equal leaves and racks have equal numbers. Tiles played and left draws are the same for all states of an array.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.words import POINT, Ints

MOST_TILES = 15
Numbers = npt.NDArray[np.uint64]


class Packing(NamedTuple):
    """How tiles and scores are packed.

    Attributes:
        row: The digit of each tile of the row, shape (tiles,).
        bits: The bits of a digit.
        score: The bits of a score.
        rack: The size of a rack.
    """

    row: Ints
    bits: int
    score: int
    rack: int


@compiled
def score_of(state: np.uint64, packing: Packing) -> int:
    """Return the score of a state or rack, in points."""
    return int(np.int64(state & ((np.uint64(1) << np.uint64(packing.score)) - np.uint64(1))))


@compiled
def tiles_of(state: np.uint64, packing: Packing, tiles: Ints) -> int:
    """Write the tiles of a leave or rack to `tiles`, ascending; return their count."""
    rest, bits = state >> np.uint64(packing.score), np.uint64(packing.bits)
    digit = (np.uint64(1) << bits) - np.uint64(1)
    count = 0
    while rest != 0:
        tiles[count] = np.int64(rest & digit)
        rest >>= bits
        count += 1
    return count


@compiled
def packed(tiles: Ints, count: int, score: int, packing: Packing) -> np.uint64:
    """Return the number of a leave or rack of `count` ascending tiles."""
    number = np.uint64(0)
    for i in range(count - 1, -1, -1):
        number = number << np.uint64(packing.bits) | np.uint64(tiles[i])
    return number << np.uint64(packing.score) | np.uint64(score)


@compiled
def bound_of(state: np.uint64, packing: Packing, worth: Ints, tiles: Ints) -> int:
    """Return score + worth of the tiles of a state or rack, in thousandths of a point; `tiles` is scratch."""
    count, copies = tiles_of(state, packing, tiles), 1
    total = POINT * score_of(state, packing)
    for i in range(count):
        if i + 1 < count and tiles[i + 1] == tiles[i]:
            copies += 1
        else:
            total += worth[tiles[i], copies]
            copies = 1
    return total


@compiled
def highest_bound(states: Numbers, packing: Packing, worth: Ints) -> int:
    """Return the highest score + worth of some states or racks."""
    tiles = np.zeros(MOST_TILES + 1, np.int64)
    highest = 0
    for state in states:
        highest = max(highest, bound_of(state, packing, worth, tiles))
    return highest


@compiled
def worthy(states: Numbers, packing: Packing, worth: Ints, least: Ints) -> Numbers:
    """Return the states or racks whose score + worth is at least `least`, which depends on their number of tiles.

    Args:
        states: States or racks.
        packing: How they are packed.
        worth: By number of tiles: the worth of its tiles, see `verify.bound.foci.completion`.
        least: By number of tiles, in thousandths of a point.
    """
    tiles = np.zeros(MOST_TILES + 1, np.int64)
    kept, count = np.empty_like(states), 0
    for state in states:
        size = tiles_of(state, packing, tiles)
        if bound_of(state, packing, worth[size], tiles) >= least[size]:
            kept[count] = state
            count += 1
    return kept[:count].copy()


@compiled
def draw_all(states: Numbers, packing: Packing, played: int, was: int, left: int) -> Numbers:
    """Make every draw that leads to `left` left draws, or to an empty row; return the racks.

    Args:
        states: States with the same tiles played and left draws.
        packing: How they are packed.
        played: The tiles played.
        was: The left draws before.
        left: The left draws after.
    """
    row, rack, total = packing.row, packing.rack, len(packing.row)
    tiles = np.zeros(MOST_TILES + 1, np.int64)
    racks, count = np.empty_like(states), 0
    for state in states:
        held = tiles_of(state, packing, tiles)
        drawn = played + held
        to_draw = min(rack - held, total - drawn)
        from_left = to_draw if drawn + to_draw == total else left - was
        if not 0 <= from_left <= to_draw:
            continue
        for new in range(to_draw):
            tile = row[was + new] if new < from_left else row[total - (drawn - was) - 1 - (new - from_left)]
            at = held + new
            while at > 0 and tiles[at - 1] > tile:
                tiles[at] = tiles[at - 1]
                at -= 1
            tiles[at] = tile
        racks[count] = packed(tiles, held + to_draw, score_of(state, packing), packing)
        count += 1
    return racks[:count]


@compiled
def _keep_best(states: Numbers, packing: Packing) -> int:
    """Keep the best score of each leave or rack in sorted `states`: move the kept states to the front, return their count."""
    score, kept = np.uint64(packing.score), 0
    for i in range(len(states)):
        if i + 1 == len(states) or states[i] >> score != states[i + 1] >> score:
            states[kept] = states[i]
            kept += 1
    return kept


def joined(parts: list[Numbers], packing: Packing) -> Numbers:
    """Merge states or racks: each leave or rack once, with its best score, ascending."""
    states = np.concatenate([np.zeros(0, dtype=np.uint64), *parts])
    states.sort()
    return states[: _keep_best(states, packing)]
