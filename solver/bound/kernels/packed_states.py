"""States and racks of a sweep, each packed into a 64-bit number, so that equal ones sort together.

From the highest bit on a number holds

    partition | rank of the leave or rack | left draws | score
     6 bits   |          29 bits          |   8 bits   | 21 bits

So numbers are sorted by partition, and within one by rank, left draws and score. The partition is
a hash of the left draws, which spreads neighbouring left draws over the partitions.
"""

import numpy as np

from solver.compiled import I64, U64, kernel
from solver.index.kernels.indexes import MIX, rank_counts, unrank_all, unrank_counts
from solver.model.tiles import N_CODES, Codes, Counts

PART_BITS = 6
_LEFT_BITS = 8
SCORE_BITS = 21
_KEY_SHIFT = np.uint64(SCORE_BITS)  # to leave and left draws, without the score
_RANK_SHIFT = np.uint64(_LEFT_BITS + SCORE_BITS)
_PART_SHIFT = np.uint64(64 - PART_BITS)
_RANK_MASK = np.uint64((1 << 29) - 1)
_LEFT_MASK = np.uint64((1 << _LEFT_BITS) - 1)
_SCORE_MASK = np.uint64((1 << SCORE_BITS) - 1)

Packed = U64


@kernel
def packed(rank: np.uint64, left: int, score: int) -> np.uint64:
    """Return the number that holds a leave or rack of at most 10 tiles.

    It is given by its rank, left draws and score in points.
    """
    part = (np.uint64(left) * MIX) >> _PART_SHIFT
    key = (np.uint64(rank) << _RANK_SHIFT) | (np.uint64(left) << _KEY_SHIFT)
    return (part << _PART_SHIFT) | key | np.uint64(score)


@kernel
def packed_rank(number: np.uint64) -> np.uint64:
    """Return the rank of the leave or rack that a number holds."""
    return number >> _RANK_SHIFT & _RANK_MASK


@kernel
def packed_left(number: np.uint64) -> int:
    """Return the left draws that a number holds."""
    return np.int64(number >> _KEY_SHIFT & _LEFT_MASK)


@kernel
def packed_score(number: np.uint64) -> int:
    """Return the score in points that a number holds."""
    return np.int64(number & _SCORE_MASK)


@kernel
def best_of_each(numbers: Packed) -> int:
    """Keep the highest score of each leave or rack with equal left draws.

    Args:
        numbers: uint64, sorted; those kept are moved to the front, in order.

    Returns:
        The number of those kept.
    """
    kept = 0
    for i in range(len(numbers)):
        if kept == 0 or numbers[kept - 1] >> _KEY_SHIFT != numbers[i] >> _KEY_SHIFT:
            kept += 1
        numbers[kept - 1] = numbers[i]
    return kept


@kernel
def packed_racks(states: Packed, played: int, row: Codes, rack_size: int, racks: Packed) -> int:
    """Make every draw of every state with `played` tiles played, and return the number of racks.

    Equal racks count several times. Once the row is empty, the order of the draws no longer
    matters: left draws become 0, so that equal racks are one rack. `racks` is filled with packed
    racks; it needs room for rack_size + 1 racks of each state.
    """
    counts = np.zeros(N_CODES, np.int8)
    tiles = len(row)
    count = 0
    for state in states:
        held = unrank_counts(packed_rank(state), counts)
        left = packed_left(state)
        score = packed_score(state)
        drawn = played + held
        draws = min(rack_size - held, tiles - drawn)
        # the tiles that are drawn if all draws are from the right; meaningless, and unused, once
        # the row is empty
        right = tiles - drawn + left - draws
        for tile in range(right, right + draws):
            counts[row[tile]] += np.int8(1)
        empties = drawn + draws == tiles
        for from_left in range(1 if empties else draws + 1):
            if from_left > 0:
                counts[row[right + from_left - 1]] -= np.int8(1)
                counts[row[left + from_left - 1]] += np.int8(1)
            racks[count] = packed(rank_counts(counts), 0 if empties else left + from_left, score)
            count += 1
    return count


def leaves_of(numbers: Packed) -> Counts:
    """Return the tiles of each leave or rack by code: int8, shape (n, N_CODES)."""
    return unrank_all(numbers >> _RANK_SHIFT & _RANK_MASK)


def part_of(numbers: Packed, part: int, parts: int) -> Packed:
    """Return one of `parts` partitions of sorted numbers, as a view.

    `parts` is a power of two, at most 2 ** PART_BITS.
    """
    if parts == 1:
        return numbers
    # 65 - bit_length is 64 - log2: the partition is in the highest bits
    ends = np.arange(part, part + 2, dtype=np.uint64) << np.uint64(65 - parts.bit_length())
    low, high = np.searchsorted(numbers, ends).tolist()
    # the end of the last partition, 2 ** 64, overflows to 0
    return numbers[low : high if part + 1 < parts else None]


def merged(chunks: list[Packed]) -> Packed:
    """Return all numbers, sorted, with only the highest score of equal leaves or racks.

    Those that differ in their left draws are not equal.
    """
    joined = np.concatenate([*chunks, np.zeros(0, np.uint64)])
    joined.sort()
    return joined[: best_of_each(joined)]


def unpack_scores(numbers: Packed) -> I64:
    """Return the score of each number, in points."""
    return (numbers & _SCORE_MASK).astype(np.int64)


def sampled(numbers: Packed, share: int) -> Packed:
    """Return about one number in `share`, a power of two.

    A hash of leave or rack and left draws chooses them.
    """
    if share == 1:
        return numbers
    mixed = (numbers >> _KEY_SHIFT) * MIX
    return numbers[mixed >> np.uint64(65 - share.bit_length()) == 0]


def unpack_lefts(numbers: Packed) -> I64:
    """Return the left draws of each number."""
    return (numbers >> _KEY_SHIFT & _LEFT_MASK).astype(np.int64)
