"""The closed index as arrays: a hash table from a multiset of tiles to its best score, and filters by worth.

A play's worth is scale * score less the prices of its tiles. A filter holds, at the place that a multiset's hash names,
the largest worth that any play with such a hash has, in 254 steps for each length: one byte says that a multiset is no play
worth having, and for nearly all of them that is so.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.closing import first_code, without_first
from solver.kernels.hashing import TILE_HASH, log2
from solver.kernels.ranks import rank_counts
from solver.tiles import N_CODES

MARK_BITS, SCORE_BITS = 37, 27  # of a slot: the lowest bits of the hash, then the score
STEPS = 253
NEVER = 255  # no play reaches it
LONG = 9  # tiles of the shortest plays that may have filters of their own


@kernel
def fill_slots(
    packed: npt.NDArray[np.uint64],
    score: npt.NDArray[np.int32],
    slots: npt.NDArray[np.uint64],
    ranks: npt.NDArray[np.uint64],
) -> None:
    """Enter all plays into `slots` (uint64 zeros, a power of two and more than the plays): open addressing by hash.

    ranks (uint64, the same shape): which multiset a slot is of, beyond doubt.
    """
    counts = np.zeros(N_CODES, np.int8)
    last = np.uint64(slots.shape[0] - 1)
    shift = np.uint64(64 - log2(slots.shape[0]))
    for i in range(packed.shape[0]):
        counts[:] = 0
        total = np.uint64(0)
        rest = packed[i]
        while rest != np.uint64(0):
            code = first_code(rest)
            counts[code] += np.int8(1)
            total += TILE_HASH[code]
            rest = without_first(rest)
        slot = total >> shift
        while slots[slot] != np.uint64(0):
            slot = (slot + np.uint64(1)) & last
        mark = total << np.uint64(64 - MARK_BITS) >> np.uint64(64 - MARK_BITS)
        slots[slot] = (mark << np.uint64(SCORE_BITS)) | np.uint64(score[i])
        ranks[slot] = rank_counts(counts)


@kernel
def fill_filter(
    packed: npt.NDArray[np.uint64],
    score: npt.NDArray[np.int32],
    prices: npt.NDArray[np.int64],
    scale: int,
    bits: int,
    least: npt.NDArray[np.int64],
    step: npt.NDArray[np.int64],
    has_long: bool,
) -> npt.NDArray[np.uint8]:
    """Filters under `prices` (int64, by code): uint8, shape (filters, 2**bits). The first one is of all plays; with `has_long`
    each length from LONG on has another, see `filter_of`.

    A play of length L and worth w is entered as 1 + (w - least[L]) // step[L], at most 1 + STEPS; 0 is no play. least, step:
    int64, shape (longest + 1,), filled here.
    """
    plays = packed.shape[0]
    filters = np.zeros((1 + filter_of(least.shape[0] - 1) if has_long else 1, 1 << bits), np.uint8)
    worth = np.zeros(plays, np.int64)
    length = np.zeros(plays, np.int8)
    place = np.zeros(plays, np.uint32)
    most = np.full(least.shape[0], -(1 << 62), np.int64)
    least[:] = 1 << 62
    shift = np.uint64(64 - bits)
    for i in range(plays):
        total = np.uint64(0)
        w = scale * np.int64(score[i])
        tiles = 0
        rest = packed[i]
        while rest != np.uint64(0):
            code = first_code(rest)
            total += TILE_HASH[code]
            w -= prices[code]
            tiles += 1
            rest = without_first(rest)
        worth[i] = w
        length[i] = tiles
        place[i] = total >> shift
        least[tiles] = min(least[tiles], w)
        most[tiles] = max(most[tiles], w)
    for tiles in range(least.shape[0]):
        if most[tiles] < least[tiles]:
            least[tiles] = 0
            most[tiles] = -1
        step[tiles] = max(np.int64(1), -(-(most[tiles] - least[tiles] + 1) // STEPS))
    for i in range(plays):
        entry = np.uint8(1 + (worth[i] - least[length[i]]) // step[length[i]])
        filters[0, place[i]] = max(filters[0, place[i]], entry)
        own = filter_of(length[i])
        if has_long and own > 0:
            filters[own, place[i]] = max(filters[own, place[i]], entry)
    return filters


@kernel
def filter_of(length: int) -> int:
    """Which filter tells most of plays of `length` tiles where long ones have their own."""
    return max(0, length + 1 - LONG)


@kernel
def needed_entry(worth: int, least: int, step: int) -> np.uint8:
    """The least entry of a filter that may stand for a play of that `worth`; `NEVER` where none does."""
    return np.uint8(min(max(1 + (worth - least) // step, 1), NEVER))


@kernel
def settled_slot(slots: npt.NDArray[np.uint64], slot: np.uint64, entry: np.uint64, hashed: np.uint64) -> np.uint64:
    """The slot of the multiset with that hash, or the empty one where it would stand. slot: where to look first; entry: what
    stands there. Marks are random: whether the slot is of that multiset its rank says."""
    last = np.uint64(slots.shape[0] - 1)
    mark = hashed << np.uint64(64 - MARK_BITS) >> np.uint64(64 - MARK_BITS)
    while entry != np.uint64(0) and entry >> np.uint64(SCORE_BITS) != mark:
        slot = (slot + np.uint64(1)) & last
        entry = slots[slot]
    return slot
