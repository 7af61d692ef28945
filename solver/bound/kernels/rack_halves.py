"""Racks in two halves, so that a sweep need not look at all sub-multisets of a rack one by one.

The lower half holds the tiles of low value. Neighbouring racks often have the same higher half, and then what its leaves can
reach is known already. The bound of a leave of the whole rack is the sum of one figure from each half.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.outlook import DEAD_END, Outlook
from solver.compiled import borrowing, kernel
from solver.index.kernels.hashing import TILE_HASH
from solver.model.racks import CLOSED_RACK
from solver.model.tiles import N_CODES
from solver.model.units import POINT

LOW_LEAVES = 1 << CLOSED_RACK // 2  # at most half of the tiles, all different
HIGH_LEAVES = 1 << 7  # at most four different tiles and six of one kind: 112


class Rack(NamedTuple):
    """A rack in the order of its values.

    Attributes:
        tiles: int64, shape (CLOSED_RACK,), the codes of the tiles in ascending order of value, then code.
        order: int64, shape (CLOSED_RACK,), the place in `tiles` of each tile in ascending order of code.
        ranking: int64, shape (N_CODES,), the place of each code in ascending order of value, then code.
    """

    tiles: npt.NDArray[np.int64]
    order: npt.NDArray[np.int64]
    ranking: npt.NDArray[np.int64]


class Half(NamedTuple):
    """All distinct sub-multisets of one half of a rack, as leaves: each array ends in an axis over them.

    The empty one comes first, the whole half last, and the complement of number i is number total - 1 - i. Of equal tiles the
    first ones are kept, so that no sub-multiset comes twice.

    Attributes:
        hash: uint64, of the tiles kept.
        length: int64, the number of tiles kept.
        places: int64, a bit for the place of each tile kept, within the half.
        value: int64, the sum of the values of these tiles, in thousandths of a point.
        most: int64, the most that these tiles score at the first positions of a word, in thousandths of a point.
        worth: int64, shape (groups, leaves), the prices of playing and of holding these tiles, in thousandths of a point. The
            first axis is the group of the number of tiles held, see `expand_bounded`.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]
    worth: npt.NDArray[np.int64]


class Reach(NamedTuple):
    """What the leaves of the higher half of a rack can reach, by the number of low tiles held.

    The leaves are sorted by length, so that those of a group of tiles held stand next to each other.

    Attributes:
        leaf: int64, shape (leaves,), the numbers of the leaves in this order.
        hash: uint64, shape (leaves,), their hashes.
        begin: int64, shape (low tiles held, groups + 1), the place of the first leaf of each group in it.
        kept: int64, shape (low tiles held, leaves), the worth of a leaf plus `Outlook.rest`, in thousandths of a point.
        gain: int64, shape (low tiles held, leaves), the most that the other tiles of the half score after the low tiles that
            are played, in thousandths of a point.
        most: int64, shape (low tiles held, groups), the highest sum of `kept` and `gain` in each group.
    """

    leaf: npt.NDArray[np.int64]
    hash: npt.NDArray[np.uint64]
    begin: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]
    gain: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]


@kernel
def new_rack(values: npt.NDArray[np.int32]) -> Rack:
    """Return an empty rack, from the value of each code in points, shape (N_CODES,)."""
    ranking = np.zeros(N_CODES, np.int64)
    for code in range(N_CODES):
        for other in range(N_CODES):
            ranking[code] += np.int64(values[other] < values[code] or (values[other] == values[code] and other < code))
    return Rack(np.zeros(CLOSED_RACK, np.int64), np.zeros(CLOSED_RACK, np.int64), ranking)


@kernel
def new_half(groups: int, leaves: int) -> Half:
    """Return empty arrays for up to `leaves` leaves of half a rack, and `groups` groups of tiles held."""
    return Half(
        np.zeros(leaves, np.uint64),
        np.zeros(leaves, np.int64),
        np.zeros(leaves, np.int64),
        np.zeros(leaves, np.int64),
        np.zeros(leaves, np.int64),
        np.zeros((groups, leaves), np.int64),
    )


@kernel
def new_reach(groups: int) -> Reach:
    """Return empty arrays for the leaves of the higher half of a rack, and `groups` groups of tiles held."""
    low_held = CLOSED_RACK // 2 + 1
    return Reach(
        np.zeros(HIGH_LEAVES + 1, np.int64),
        np.zeros(HIGH_LEAVES + 1, np.uint64),
        np.zeros((low_held, groups + 1), np.int64),
        np.zeros((low_held, HIGH_LEAVES), np.int64),
        np.zeros((low_held, HIGH_LEAVES), np.int64),
        np.zeros((low_held, groups), np.int64),
    )


@borrowing
def sort_by_value(codes: npt.NDArray[np.int64], size: int, rack: Rack) -> int:
    """Sort the `size` tiles of a rack, given by ascending codes, and return the number of tiles in its lower half.

    The lower half has at most half of the tiles. Equal tiles are in the same half.
    """
    tiles, order, ranking = rack
    for place in range(size):
        at, rank = place, ranking[codes[place]]
        while at > 0 and ranking[tiles[at - 1]] > rank:
            tiles[at] = tiles[at - 1]
            at -= 1
        tiles[at] = codes[place]
    for place in range(size):
        at = 0
        while tiles[at] != codes[place]:
            at += 1
        order[place] = order[place - 1] + 1 if place > 0 and codes[place - 1] == codes[place] else at
    lows = size // 2
    while lows > 0 and tiles[lows - 1] == tiles[lows]:
        lows -= 1
    return lows


@borrowing
def fill_half(
    tiles: npt.NDArray[np.int64],
    outlook: Outlook,
    left: int,
    groups: npt.NDArray[np.int64],
    values: npt.NDArray[np.int32],
    half: Half,
) -> int:
    """Fill a half with the leaves of its tiles, and return their number.

    Args:
        tiles: the codes of the half, equal ones next to each other, in ascending order of value.
        outlook: the outlook after the draws of the rack.
        left: its left draws.
        groups: the group of each number of tiles held, shape (rack + 1,).
        values: the value of each code in points, shape (N_CODES,).
        half: the arrays to fill; number 0, which keeps no tile, stays as it is: all zeros.
    """
    hashes, lengths, places, value, most, worth = half
    total, place = 1, 0
    while place < len(tiles):
        tile, before, start, copies = tiles[place], total, place, 0
        while place < len(tiles) and tiles[place] == tile:
            copies += 1
            more_hash, more_places = np.uint64(copies) * TILE_HASH[tile], ((1 << copies) - 1) << start
            more_value = copies * POINT * np.int64(values[tile])
            more_points = more_value * (copies + 1) // 2
            for i in range(before):
                hashes[total + i] = hashes[i] + more_hash
                places[total + i] = places[i] | more_places
                value[total + i] = value[i] + more_value
                # the copies take the last positions
                most[total + i] = most[i] + more_value * lengths[i] + more_points
                lengths[total + i] = lengths[i] + copies
            group = -1
            for held in range(len(groups)):
                if groups[held] > group:
                    group = groups[held]
                    more = outlook.playing[left, tile, copies] + copies * outlook.holding[left, held, tile]
                    for i in range(before):
                        worth[group, total + i] = worth[group, i] + more
            total += before
            place += 1
    return total


@borrowing
def fill_reach(
    high: Half, total: int, lows: int, rest: npt.NDArray[np.int64], groups: npt.NDArray[np.int64], reach: Reach
) -> None:
    """Fill what the leaves of the higher half of a rack can reach.

    Args:
        high: the leaves.
        total: their number; the last one keeps the whole half.
        lows: the number of tiles in the lower half.
        rest: `Outlook.rest` at the left draws of the rack, shape (rack + 1,).
        groups: the group of each number of tiles held, shape (rack + 1,).
        reach: the arrays to fill.
    """
    hashes, lengths, _places, value, most_points, worth = high
    leaf, hash_, begin, kept, gain, most = reach
    size, at = lows + lengths[total - 1], 0
    for length in range(lengths[total - 1] + 1):
        for i in range(total):
            leaf[at], hash_[at] = i, hashes[i]
            at += np.int64(lengths[i] == length)
    for low_held in range(lows + 1):
        for group in range(most.shape[1]):
            begin[low_held, group], most[low_held, group] = total, DEAD_END
        begin[low_held, most.shape[1]] = total
        for at in range(total - 1, -1, -1):
            i = leaf[at]
            held, other = low_held + lengths[i], total - 1 - i
            group = groups[held]
            begin[low_held, group] = at
            gain[low_held, at] = most_points[other] + (lows - low_held) * value[other]
            # a play takes at least one tile
            kept[low_held, at] = rest[held] + worth[group, i] if held < size else DEAD_END
            most[low_held, group] = max(most[low_held, group], kept[low_held, at] + gain[low_held, at])
