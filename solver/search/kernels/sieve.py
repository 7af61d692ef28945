"""Sieves: of nearly every multiset they say at once that it is not a play worth what is needed.

Most second looks ask for very good plays, of which there are few: so a sieve is a set of levels, each with about half of the
plays of the one below, the best ones, and the smaller the table the nearer to the processor it stays. A level is a blocked
Bloom filter (Putze, Sanders and Singler 2007): a play sets three bits of one word, and its hash says which.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel
from solver.index.kernels.closed_index import NEVER, Rated
from solver.index.kernels.hashing import log2

_FEWEST = 1024  # plays that the smallest level has room for, a power of two
_PLAYS_A_WORD = 2  # a power of two


class Sieves(NamedTuple):
    """Sieves for plays of each length.

    words: uint64, all levels one after the other; the first two words are a level without plays.
    start: int64, shape (longest + 1, NEVER + 1), by length and needed entry, where the smallest level with all plays of that
        entry or more begins.
    shift: uint64, likewise, by how much to shift a hash for the number of its word there.
    """

    words: npt.NDArray[np.uint64]
    start: npt.NDArray[np.int64]
    shift: npt.NDArray[np.uint64]


@kernel
def sieve_bits(hashed: np.uint64) -> np.uint64:
    """Which bits of its word the multiset with that hash sets."""
    one, low = np.uint64(1), np.uint64(63)
    return (one << (hashed & low)) | (one << (hashed >> np.uint64(6) & low)) | (one << (hashed >> np.uint64(12) & low))


@kernel
def fill_sieves(rated: Rated, longest: int) -> Sieves:
    """The sieves of the plays of all lengths up to `longest`."""
    hashes, lengths, entries = rated.hash, rated.length, rated.entry
    above = np.zeros((longest + 1, NEVER + 1), np.int64)  # by length and entry: plays of that entry or more
    for i in range(hashes.shape[0]):
        above[lengths[i], entries[i]] += 1
    start = np.zeros((longest + 1, NEVER + 1), np.int64)
    shift = np.full((longest + 1, NEVER + 1), 63, np.uint64)
    lowest = np.zeros((longest + 1, NEVER), np.int64)  # by length and level, the smallest level first: its lowest entry
    levels = np.zeros(longest + 1, np.int64)
    total = 2
    for length in range(longest + 1):
        for entry in range(NEVER - 1, 0, -1):
            above[length, entry] += above[length, entry + 1]
        entry = NEVER if above[length, 1] > 0 else 1
        while entry > 1:
            beyond, most = entry, _FEWEST
            entry -= 1
            while above[length, entry] > most:
                most *= 2
            while entry > 1 and above[length, entry - 1] <= most:
                entry -= 1
            start[length, entry:beyond] = total
            shift[length, entry:beyond] = 64 - log2(most // _PLAYS_A_WORD)
            lowest[length, levels[length]] = entry
            levels[length] += 1
            total += most // _PLAYS_A_WORD
    words = np.zeros(total, np.uint64)
    for i in range(hashes.shape[0]):
        length = lengths[i]
        bits = sieve_bits(hashes[i])
        for level in range(levels[length] - 1, -1, -1):
            entry = lowest[length, level]
            if entry > entries[i]:
                break
            words[start[length, entry] + np.int64(hashes[i] >> shift[length, entry])] |= bits
    return Sieves(words, start, shift)
