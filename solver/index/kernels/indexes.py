"""The index closed under blanks as arrays, and numbers for multisets of tiles.

The closed index holds every multiset of tiles, blanks included, that spells a word, with its best
score. A multiset of up to 12 tiles is packed into 64 bits. Each tile takes 5 bits, which hold code
+ 1. The smallest code is in the highest bits, and zeros follow the last tile. So the order of the
packed numbers is the order of a trie.

A multiset a_1 <= ... <= a_k of codes has rank OFFSET[k] + sum_i C(a_i + i - 1, i), so that a leave
of up to 15 tiles and its left draws fit one 64-bit key. The sum is the combinatorial number system
on the strictly increasing a_i + i - 1; the offset counts all multisets of fewer tiles. There are
C(42, 15) < 2**37 multisets of up to 15 tiles.

The worth of a play is its score less the prices of its tiles, in sixteenths of a point. Its entry
is the worth quantised to at most 253 steps for each length. A filter is indexed by the first bits
of a multiset's hash, and holds the largest entry of any play with these bits. So one byte rules out
nearly every multiset that is not a play of the worth needed.
"""

import math
from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I32, I64, U8, U64, kernel
from solver.model.tiles import BLANK_CODE, N_CODES, SCALE

MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: Fibonacci hashing

TILE_HASH: U64 = np.random.Generator(np.random.PCG64(294)).integers(
    1, 2**64, size=N_CODES, dtype=np.uint64
)
"""A random number for each tile.

A multiset's hash is their sum modulo 2**64; its highest bits give the first slot.
"""


@kernel
def first_slot(key: np.uint64, last: np.uint64) -> np.uint64:
    """Return the first slot for `key` in a table of 2**n slots, the last of which is `last`."""
    return ((key * MIX) >> np.uint64(24)) & last


@kernel
def log2(size: int) -> int:
    """Return the binary logarithm, rounded down."""
    bits = 0
    while size > 1:
        size >>= 1
        bits += 1
    return bits


MAX_RACK = 15

CHOOSE: U64 = np.array(
    [[math.comb(a + i - 1, i) if i else 0 for a in range(N_CODES)] for i in range(MAX_RACK + 1)],
    dtype=np.uint64,
)
OFFSET: U64 = np.array(
    [sum(math.comb(N_CODES + j - 1, j) for j in range(k)) for k in range(MAX_RACK + 2)],
    dtype=np.uint64,
)


@kernel
def rank_counts(counts: I8) -> np.uint64:
    """Return the rank of the multiset with `counts` (int8, shape (N_CODES,)) of each tile."""
    total = np.uint64(0)
    size = 0
    for code in range(N_CODES):
        for _ in range(counts[code]):
            size += 1
            total += CHOOSE[size, code]
    return total + OFFSET[size]


@kernel
def unrank_counts(rank: np.uint64, counts: I8) -> int:
    """Set `counts` (int8, shape (N_CODES,)) to the multiset of `rank`, and return its size."""
    counts[:] = 0
    size = _size_of(rank)
    rest = rank - OFFSET[size]
    code = N_CODES - 1
    for place in range(size, 0, -1):
        code = _largest_code(rest, place, code)
        rest -= CHOOSE[place, code]
        counts[code] += np.int8(1)
    return size


@kernel
def unrank_all(ranks: U64) -> I8:
    """Return the number of each tile in each multiset: int8, shape (ranks, N_CODES)."""
    counts = np.zeros((len(ranks), N_CODES), np.int8)
    for i in range(len(ranks)):
        unrank_counts(ranks[i], counts[i])
    return counts


@kernel
def unrank_tiles(rank: np.uint64, tiles: I64) -> int:
    """Write the codes of the multiset of `rank` to `tiles` (int64), ascending; return its size."""
    size = _size_of(rank)
    rest = rank - OFFSET[size]
    code = N_CODES - 1
    for place in range(size, 0, -1):
        code = _largest_code(rest, place, code)
        rest -= CHOOSE[place, code]
        tiles[place - 1] = code
    return size


@kernel
def _size_of(rank: np.uint64) -> int:
    """Return the number of tiles in the multiset of `rank`."""
    size = MAX_RACK
    while OFFSET[size] > rank:
        size -= 1
    return size


@kernel
def _largest_code(rest: np.uint64, place: int, code: int) -> int:
    """Return the code of the tile at `place`, at most `code`; `rest` is the rest of the rank."""
    while CHOOSE[place, code] > rest:
        code -= 1
    return code


PACKED_TILES = 12
TILE_BITS = 5


@kernel
def close_under_blanks(
    words: U8,
    length: int,
    margins: I32,
    bits: int,
) -> tuple[U64, I32]:
    """Find every multiset of tiles that plays one of `words`, and its best score.

    If a letter occurs twice and one of its tiles is a blank, the blank takes the earlier position,
    which costs least. If the margin of the letter is negative, the blank takes the later position.

    Args:
        words: The codes of words of equal length; uint8, shape (n, length).
        length: The length of the words.
        margins: The margins of letters in points, see `solver.model.tiles`; int32, shape
            (N_CODES,).
        bits: The binary logarithm of the initial size of the hash table.

    Returns:
        The packed multisets (uint64, unsorted) and their scores (int32).
    """
    size = 1 << bits
    keys = np.zeros(size, np.uint64)
    scores = np.zeros(size, np.int32)
    used = 0
    count = np.zeros(N_CODES, np.int64)
    # [code, k]: the score of the last k copies of a letter
    last = np.zeros((N_CODES, length + 1), np.int32)
    letters = np.zeros(length, np.int64)
    blanked = np.zeros(length, np.int64)
    for w in range(words.shape[0]):
        count[:] = 0
        for place in range(length - 1, -1, -1):
            code = words[w, place]
            last[code, count[code] + 1] = (
                last[code, count[code]] + np.int32(place + 1) * margins[code]
            )
            count[code] += 1
        distinct = 0
        for code in range(N_CODES):
            if count[code] > 0:
                letters[distinct] = code
                blanked[distinct] = 0
                distinct += 1
        turned = 0
        while turned < distinct:
            key = np.uint64(0)
            score = np.int32(0)
            blanks = 0
            for i in range(distinct):
                code = letters[i]
                blanks += blanked[i]
                real = count[code] - blanked[i]
                # the real copies of a letter take the last positions, or the first if the margin is
                # negative
                earliest = last[code, count[code]] - last[code, blanked[i]]
                score += last[code, real] if margins[code] >= 0 else earliest
                for _ in range(real):
                    key = (key << np.uint64(TILE_BITS)) | np.uint64(code + 1)
            for i in range(blanks):
                key |= np.uint64(BLANK_CODE + 1) << np.uint64(TILE_BITS * (length - 1 - i))
            key <<= np.uint64(TILE_BITS * (PACKED_TILES - length))
            if 2 * used >= size:
                size *= 2
                keys, scores = _grown(keys, scores, size)
            slot = _slot_of(keys, key)
            if keys[slot] == np.uint64(0):
                keys[slot] = key
                scores[slot] = score
                used += 1
            elif score > scores[slot]:
                scores[slot] = score
            # the next choice of letters that blanks stand for, counted like an odometer
            turned = 0
            while turned < distinct and blanked[turned] == count[letters[turned]]:
                blanked[turned] = 0
                turned += 1
            if turned < distinct:
                blanked[turned] += 1
    filled = np.flatnonzero(keys)
    return keys[filled], scores[filled]


@kernel
def _slot_of(keys: U64, key: np.uint64) -> np.uint64:
    """Return the slot of `key` in the open-addressing table `keys`, or the empty slot for it."""
    last = np.uint64(keys.shape[0] - 1)
    slot = first_slot(key, last)
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _grown(keys: U64, scores: I32, size: int) -> tuple[U64, I32]:
    """Return the same table with `size` slots."""
    new_keys = np.zeros(size, np.uint64)
    new_scores = np.zeros(size, np.int32)
    for old in range(keys.shape[0]):
        if keys[old] != np.uint64(0):
            slot = _slot_of(new_keys, keys[old])
            new_keys[slot] = keys[old]
            new_scores[slot] = scores[old]
    return new_keys, new_scores


@kernel
def first_code(packed: np.uint64) -> int:
    """Return the code of the first tile of a packed multiset, which is not empty."""
    return np.int64(packed >> np.uint64(TILE_BITS * (PACKED_TILES - 1))) - 1


@kernel
def without_first(packed: np.uint64) -> np.uint64:
    """Return the packed multiset without its first tile; 0 if that was the last tile."""
    return (packed << np.uint64(TILE_BITS)) & np.uint64((1 << (TILE_BITS * PACKED_TILES)) - 1)


# of a slot: the mark, which is the lowest 37 bits of the hash, then the score
SLOT_SCORE_BITS = 27
MARK_MASK = np.uint64((1 << 64 - SLOT_SCORE_BITS) - 1)
SCORE_MASK = np.uint64((1 << SLOT_SCORE_BITS) - 1)
STEPS = 253
UNREACHABLE = 255  # an entry above that of every play


class Rated(NamedTuple):
    """Plays rated under prices; shape (plays,).

    Attributes:
        hash: The hashes; uint64.
        length: The numbers of tiles; int8.
        entry: 1 + (worth - least[length]) // step[length], at most 1 + STEPS; uint8.
        least: The least worth for each length, in sixteenths of a point; int64, shape (longest +
            1,).
        step: The width of a step for each length, in sixteenths of a point; int64, shape (longest +
            1,).
    """

    hash: U64
    length: I8
    entry: U8
    least: I64
    step: I64


@kernel
def hashes_of(packed: U64) -> U64:
    """Return the hash of each multiset, the sum of the hashes of its tiles: uint64, same shape."""
    hashes = np.zeros(packed.shape[0], np.uint64)
    for i in range(packed.shape[0]):
        rest = packed[i]
        while rest != np.uint64(0):
            hashes[i] += TILE_HASH[first_code(rest)]
            rest = without_first(rest)
    return hashes


@kernel
def fill_slots(
    packed: U64,
    hashes: U64,
    score: I32,
    slots: U64,
    ranks: U64,
) -> None:
    """Enter all plays into a hash table with open addressing.

    Args:
        packed: The multisets.
        hashes: Their hashes, see `hashes_of`.
        score: Their scores.
        slots: Output: marks and scores. Zeros before; uint64, whose size is a power of two above
            the number of plays.
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
        slots[slot] = (hashes[i] << np.uint64(SLOT_SCORE_BITS)) | np.uint64(score[i])
        ranks[slot] = rank_counts(counts)


@kernel
def rate_plays(
    packed: U64,
    score: I32,
    prices: I64,
    longest: int,
) -> Rated:
    """Rate the plays of the closed index, of at most `longest` tiles.

    `prices` are int64, by code, in sixteenths of a point.
    """
    plays = packed.shape[0]
    hashes = hashes_of(packed)
    lengths = np.zeros(plays, np.int8)
    entries = np.zeros(plays, np.uint8)
    worth = np.zeros(plays, np.int64)
    least = np.full(longest + 1, 1 << 62, np.int64)
    most = np.full(longest + 1, -(1 << 62), np.int64)
    step = np.zeros(longest + 1, np.int64)
    for i in range(plays):
        total = SCALE * np.int64(score[i])
        tiles = 0
        rest = packed[i]
        while rest != np.uint64(0):
            total -= prices[first_code(rest)]
            tiles += 1
            rest = without_first(rest)
        worth[i] = total
        lengths[i] = tiles
        least[tiles] = min(least[tiles], total)
        most[tiles] = max(most[tiles], total)
    for tiles in range(least.shape[0]):
        if most[tiles] < least[tiles]:
            least[tiles] = 0
        step[tiles] = max(np.int64(1), -(-(most[tiles] - least[tiles] + 1) // STEPS))
    for i in range(plays):
        entries[i] = np.uint8(1 + (worth[i] - least[lengths[i]]) // step[lengths[i]])
    return Rated(hashes, lengths, entries, least, step)


@kernel
def fill_filter(rated: Rated, bits: int) -> U8:
    """Return the largest entry for each first `bits` bits of a hash: uint8, shape (2**bits,)."""
    hashes, entries = rated.hash, rated.entry
    filter_ = np.zeros(1 << bits, np.uint8)
    shift = np.uint64(64 - bits)
    for i in range(hashes.shape[0]):
        place = hashes[i] >> shift
        filter_[place] = max(filter_[place], entries[i])
    return filter_


@kernel
def needed_entry(worth: int, least: int, step: int) -> np.uint8:
    """Return the least entry of plays of `worth` or more; `UNREACHABLE` if there are none."""
    return np.uint8(min(max(1 + (worth - least) // step, 1), UNREACHABLE))


@kernel
def settled_slot(slots: U64, slot: np.uint64, entry: np.uint64, hashed: np.uint64) -> np.uint64:
    """Return the slot whose mark fits a hash, or the empty slot where the search for it ends.

    Two multisets may share a mark, so the caller must compare ranks.

    Args:
        slots: The hash table, see `fill_slots`.
        slot: The first slot to look at.
        entry: The content of that slot.
        hashed: The hash of the multiset.
    """
    last = np.uint64(slots.shape[0] - 1)
    mark = hashed & MARK_MASK
    while entry != np.uint64(0) and entry >> np.uint64(SLOT_SCORE_BITS) != mark:
        slot = (slot + np.uint64(1)) & last
        entry = slots[slot]
    return slot
