"""The index closed under blanks: every multiset of tiles, blanks included, that spells a word, with its best score.

A multiset of up to 12 tiles is packed into 64 bits. Each tile takes 5 bits, which hold code + 1. The smallest code is in the
highest bits, and zeros follow the last tile. So the order of the packed numbers is the order of a trie.
"""

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.hashing import first_slot
from solver.model.tiles import BLANK_CODE, N_CODES

PACKED_TILES, TILE_BITS = 12, 5


@kernel
def close_under_blanks(
    words: npt.NDArray[np.uint8],
    length: int,
    margins: npt.NDArray[np.int32],
    bits: int,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Find every multiset of tiles that plays one of `words`, and its best score.

    If a letter occurs twice and one of its tiles is a blank, the blank takes the earlier position, which costs least. If the
    margin of the letter is negative, the blank takes the later position.

    Args:
        words: The codes of words of equal length; uint8, shape (n, length).
        length: The length of the words.
        margins: The margins of letters in points, see `solver.model.scoring`; int32, shape (N_CODES,).
        bits: The binary logarithm of the initial size of the hash table.

    Returns:
        The packed multisets (uint64, unsorted) and their scores (int32).
    """
    size = 1 << bits
    keys = np.zeros(size, np.uint64)
    scores = np.zeros(size, np.int32)
    used = 0
    count = np.zeros(N_CODES, np.int64)
    last = np.zeros((N_CODES, length + 1), np.int32)  # [code, k]: the score of the last k copies of a letter
    letters = np.zeros(length, np.int64)
    blanked = np.zeros(length, np.int64)
    for w in range(words.shape[0]):
        count[:] = 0
        for place in range(length - 1, -1, -1):
            code = words[w, place]
            last[code, count[code] + 1] = last[code, count[code]] + np.int32(place + 1) * margins[code]
            count[code] += 1
        distinct = 0
        for code in range(N_CODES):
            if count[code] > 0:
                letters[distinct] = code
                blanked[distinct] = 0
                distinct += 1
        more = True
        while more:
            key = np.uint64(0)
            score = np.int32(0)
            blanks = 0
            for i in range(distinct):
                code = letters[i]
                blanks += blanked[i]
                real = count[code] - blanked[i]
                # if the margin is negative, the real copies of a letter take the first positions and the blanks the last
                score += last[code, real] if margins[code] >= 0 else last[code, count[code]] - last[code, blanked[i]]
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
            i = 0
            while i < distinct and blanked[i] == count[letters[i]]:
                blanked[i] = 0
                i += 1
            more = i < distinct
            if more:
                blanked[i] += 1
    filled = np.flatnonzero(keys)
    return keys[filled], scores[filled]


@kernel
def _slot_of(keys: npt.NDArray[np.uint64], key: np.uint64) -> np.uint64:
    """Return the slot of `key` in the open-addressing table `keys`, or the empty slot (0) where it belongs."""
    last = np.uint64(keys.shape[0] - 1)
    slot = first_slot(key, last)
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _grown(
    keys: npt.NDArray[np.uint64], scores: npt.NDArray[np.int32], size: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
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
