"""The closed index as arrays: a hash table from a multiset of tiles to its best score, and a filter by worth.

The worth of a play is its score less the prices of its tiles, in sixteenths of a point. Its entry is the worth quantised to at
most 253 steps for each length. A filter is indexed by the first bits of a multiset's hash, and holds the largest entry of any
play with these bits. So one byte rules out nearly every multiset that is not a play of the worth needed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.build_closed import first_code, without_first
from solver.index.kernels.hashing import TILE_HASH, log2
from solver.index.kernels.ranks import rank_counts
from solver.model.tiles import N_CODES
from solver.model.units import SCALE

MARK_BITS, SLOT_SCORE_BITS = 37, 27  # of a slot: the mark, which is the lowest bits of the hash, then the score
SCORE_MASK = np.uint64((1 << SLOT_SCORE_BITS) - 1)
STEPS = 253
UNREACHABLE = 255  # an entry above that of every play


class Rated(NamedTuple):
    """Plays rated under prices; shape (plays,).

    Attributes:
        hash: The hashes; uint64.
        length: The numbers of tiles; int8.
        entry: 1 + (worth - least[length]) // step[length], at most 1 + STEPS; uint8.
        least: The least worth for each length, in sixteenths of a point; int64, shape (longest + 1,).
        step: The width of a step for each length, in sixteenths of a point; int64, shape (longest + 1,).
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.int8]
    entry: npt.NDArray[np.uint8]
    least: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]


@kernel
def hashes_of(packed: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the hash of each multiset of tiles, the sum of the hashes of its tiles: uint64, same shape."""
    hashes = np.zeros(packed.shape[0], np.uint64)
    for i in range(packed.shape[0]):
        rest = packed[i]
        while rest != np.uint64(0):
            hashes[i] += TILE_HASH[first_code(rest)]
            rest = without_first(rest)
    return hashes


@kernel
def fill_slots(
    packed: npt.NDArray[np.uint64],
    hashes: npt.NDArray[np.uint64],
    score: npt.NDArray[np.int32],
    slots: npt.NDArray[np.uint64],
    ranks: npt.NDArray[np.uint64],
) -> None:
    """Enter all plays into a hash table with open addressing.

    Args:
        packed: The multisets.
        hashes: Their hashes, see `hashes_of`.
        score: Their scores.
        slots: Output: marks and scores. Zeros before; uint64, whose size is a power of two above the number of plays.
        ranks: Output: the exact rank of the multiset in each slot; uint64, same shape.
    """
    counts = np.zeros(N_CODES, np.int8)
    last = np.uint64(slots.shape[0] - 1)
    shift = np.uint64(64 - log2(slots.shape[0]))
    for i in range(packed.shape[0]):
        counts[:] = 0
        rest = packed[i]
        while rest != np.uint64(0):
            counts[first_code(rest)] += np.int8(1)
            rest = without_first(rest)
        slot = hashes[i] >> shift
        while slots[slot] != np.uint64(0):
            slot = (slot + np.uint64(1)) & last
        mark = hashes[i] << np.uint64(64 - MARK_BITS) >> np.uint64(64 - MARK_BITS)
        slots[slot] = (mark << np.uint64(SLOT_SCORE_BITS)) | np.uint64(score[i])
        ranks[slot] = rank_counts(counts)


@kernel
def rate_plays(
    packed: npt.NDArray[np.uint64], score: npt.NDArray[np.int32], prices: npt.NDArray[np.int64], longest: int
) -> Rated:
    """Rate the plays of the closed index, of at most `longest` tiles, under `prices` (int64, by code, 1/16 points)."""
    least, step = np.zeros(longest + 1, np.int64), np.zeros(longest + 1, np.int64)
    plays = packed.shape[0]
    hashes, lengths, entries = np.zeros(plays, np.uint64), np.zeros(plays, np.int8), np.zeros(plays, np.uint8)
    worth = np.zeros(plays, np.int64)
    most = np.full(least.shape[0], -(1 << 62), np.int64)
    least[:] = 1 << 62
    for i in range(plays):
        total = np.uint64(0)
        w = SCALE * np.int64(score[i])
        tiles = 0
        rest = packed[i]
        while rest != np.uint64(0):
            code = first_code(rest)
            total += TILE_HASH[code]
            w -= prices[code]
            tiles += 1
            rest = without_first(rest)
        worth[i] = w
        hashes[i] = total
        lengths[i] = tiles
        least[tiles] = min(least[tiles], w)
        most[tiles] = max(most[tiles], w)
    for tiles in range(least.shape[0]):
        if most[tiles] < least[tiles]:
            least[tiles] = 0
            most[tiles] = -1
        step[tiles] = max(np.int64(1), -(-(most[tiles] - least[tiles] + 1) // STEPS))
    for i in range(plays):
        entries[i] = np.uint8(1 + (worth[i] - least[lengths[i]]) // step[lengths[i]])
    return Rated(hashes, lengths, entries, least, step)


@kernel
def fill_filter(rated: Rated, bits: int) -> npt.NDArray[np.uint8]:
    """Return the largest entry of the plays whose hashes begin with the same `bits` bits: uint8, shape (2**bits,)."""
    hashes, entries = rated.hash, rated.entry
    filter_ = np.zeros(1 << bits, np.uint8)
    shift = np.uint64(64 - bits)
    for i in range(hashes.shape[0]):
        place = hashes[i] >> shift
        filter_[place] = max(filter_[place], entries[i])
    return filter_


@kernel
def needed_entry(worth: int, least: int, step: int) -> np.uint8:
    """Return the least filter entry that a play of `worth` or more can have; `UNREACHABLE` if no play has that worth."""
    return np.uint8(min(max(1 + (worth - least) // step, 1), UNREACHABLE))


@kernel
def settled_slot(slots: npt.NDArray[np.uint64], slot: np.uint64, entry: np.uint64, hashed: np.uint64) -> np.uint64:
    """Return the slot whose mark fits a hash, or the empty slot where the search for it ends.

    Two multisets may share a mark, so the caller must compare ranks.

    Args:
        slots: The hash table, see `fill_slots`.
        slot: The first slot to look at.
        entry: The content of that slot.
        hashed: The hash of the multiset.
    """
    last = np.uint64(slots.shape[0] - 1)
    mark = hashed << np.uint64(64 - MARK_BITS) >> np.uint64(64 - MARK_BITS)
    while entry != np.uint64(0) and entry >> np.uint64(SLOT_SCORE_BITS) != mark:
        slot = (slot + np.uint64(1)) & last
        entry = slots[slot]
    return slot
