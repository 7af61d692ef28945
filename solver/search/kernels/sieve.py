"""The plays under the prices of one beam, and Bloom filters for plays of some worth or more.

Most look-ups for second plays need very good plays, and few plays are that good. So a sieve has
several levels: each holds about the better half of the plays of the level below. A smaller table
stays in a faster cache of the processor. A level is a blocked Bloom filter (Putze, Sanders and
Singler 2007): each play sets three bits of one word, and its hash selects the word and the bits.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I32, I64, U8, U16, U64, kernel
from solver.index.kernels.indexes import UNREACHABLE, Rated, log2

_FEWEST = 1024  # plays that the smallest level has room for, a power of two
_PLAYS_A_WORD = 2  # a power of two


class Sieves(NamedTuple):
    """Sieves for plays of each length.

    Attributes:
        words: All levels, one after the other; uint64. The first two words are a level without
            plays.
        start: The first word of the smallest level that holds all plays of an entry or more; int64,
            shape (longest + 1, UNREACHABLE + 1), by length and needed entry.
        shift: The number of bits by which a hash is shifted right to give its word within that
            level; uint64, same shape.
    """

    words: U64
    start: I64
    shift: U64


@kernel
def sieve_bits(hashed: np.uint64) -> np.uint64:
    """Return the bits that the multiset with that hash sets in its word."""
    one = np.uint64(1)
    low = np.uint64(63)
    return (
        (one << (hashed & low))
        | (one << (hashed >> np.uint64(6) & low))
        | (one << (hashed >> np.uint64(12) & low))
    )


@kernel
def fill_sieves(rated: Rated, longest: int) -> Sieves:
    """Build the sieves of the plays of all lengths up to `longest`."""
    hashes, lengths, entries, _least, _step = rated
    # the number of plays of that entry or more, by length and entry
    above = np.zeros((longest + 1, UNREACHABLE + 1), np.int64)
    for i in range(hashes.shape[0]):
        above[lengths[i], entries[i]] += 1
    start = np.zeros((longest + 1, UNREACHABLE + 1), np.int64)
    shift = np.full((longest + 1, UNREACHABLE + 1), 63, np.uint64)
    # the lowest entry, by length and level from the smallest
    lowest = np.zeros((longest + 1, UNREACHABLE), np.int64)
    levels = np.zeros(longest + 1, np.int64)
    total = 2
    for length in range(longest + 1):
        for entry in range(UNREACHABLE - 1, 0, -1):
            above[length, entry] += above[length, entry + 1]
        entry = UNREACHABLE
        while entry > 1 and above[length, 1] > 0:
            beyond = entry
            most = _FEWEST
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


class HashedRow(NamedTuple):
    """The row of a puzzle with the hashes of its tiles.

    Attributes:
        codes: The codes of the tiles; uint8, shape (tiles,).
        hashes: The hashes of the tiles, and a last one for a tile that is never drawn; uint64,
            shape (tiles + 1,).
    """

    codes: U8
    hashes: U64


class ClosedPlays(NamedTuple):
    """The plays of the closed index under the prices of a beam.

    Attributes:
        slots: The hash table from a multiset of tiles to its best score; uint64, see
            `solver.index.kernels.indexes`.
        ranks: The rank of the multiset in each slot; uint64.
        slot_shift: The number of bits by which a hash is shifted right to give its first slot.
        filter: The largest entry of the plays whose hash, shifted right by `filter_shift` bits, is
            the index; uint8.
        filter_shift: See `filter`.
        least: The least worth of a play of each length, in sixteenths of a point; int64, shape
            (longest + 1,).
        step: The width of an entry for each length, in sixteenths of a point; int64, shape (longest
            + 1,).
        sieves: The sieves for second plays, with the same entries.
        row: The row of the puzzle.
        prices: The prices of tiles, in sixteenths of a point; int64, shape (N_CODES,).
    """

    slots: U64
    ranks: U64
    slot_shift: np.uint64
    filter: U8
    filter_shift: np.uint64
    least: I64
    step: I64
    sieves: Sieves
    row: HashedRow
    prices: I64


class Rack(NamedTuple):
    """One rack. `priority`, `score` and `parent` are those before the play, as in `States`.

    Attributes:
        tiles: The codes of the tiles, ascending, in the first `size` places; int64, shape
            (CLOSED_RACK,).
        size: The number of tiles.
        hash: The hash of the rack.
        left: The number of tiles drawn from the left since the start.
        left_draws: The number of tiles drawn from the left in this turn.
        price: The prices of tiles, in sixteenths of a point; int64, shape (N_CODES,).
    """

    tiles: I64
    size: int
    hash: np.uint64
    left: int
    left_draws: int
    priority: int
    score: int
    parent: int
    price: I64


class Subsets(NamedTuple):
    """All distinct sub-multisets of a rack; shape (2 ** CLOSED_RACK,).

    Attributes:
        hash: The hashes; uint64.
        length: The numbers of tiles; uint8.
        members: Bit masks of the places of the rack that each one takes; uint16.
        cost: The sums of the prices of their tiles, in sixteenths of a point; int32.
    """

    hash: U64
    length: U8
    members: U16
    cost: I32


class Setups(NamedTuple):
    """First plays, after which a second play is looked for; shape (up to 2 ** CLOSED_RACK,).

    Attributes:
        subset: The index of each play among the rack's sub-multisets; int64.
        slot: The slot of each play in the hash table; uint64.
    """

    subset: I64
    slot: U64
