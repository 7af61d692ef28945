"""The plays of the closed index as an expander wants them: under the prices of one beam."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.search.kernels.sieve import Sieves


class ClosedPlays(NamedTuple):
    """The plays of the closed index under the prices of a beam.

    slots, ranks: uint64, the hash table from a multiset of tiles to its best score, see `solver.index.kernels.closed_index`.
    slot_shift: a hash shifted by so many bits is the place where to look first.
    filter: uint8, the largest entry of any play whose hash, shifted by `filter_shift` bits, is that place.
    least, step: int64, shape (longest + 1,), by length, how a worth becomes an entry.
    sieves: for second plays, of the same entries.
    prices: int64, shape (left draws, N_CODES), of using a tile up, in sixteenths of a point; the last row holds for all left
        draws beyond.
    excess: likewise, by how much less a tile costs than entries think, 0 where it does not.
    """

    slots: npt.NDArray[np.uint64]
    ranks: npt.NDArray[np.uint64]
    slot_shift: np.uint64
    filter: npt.NDArray[np.uint8]
    filter_shift: np.uint64
    least: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    sieves: Sieves
    prices: npt.NDArray[np.int64]
    excess: npt.NDArray[np.int64]


class Row(NamedTuple):
    """The row.

    codes: uint8, shape (tiles,).
    hashes: uint64, shape (tiles + 1,), of its tiles and of one more that is never drawn.
    """

    codes: npt.NDArray[np.uint8]
    hashes: npt.NDArray[np.uint64]


class Rack(NamedTuple):
    """One rack.

    tiles: int64, shape (CLOSED_RACK,), codes, ascending, of which `size` are filled.
    left: tiles drawn from the left so far, `left_draws` of them in this turn.
    priority, score, parent: before the play, as in `solver.search.kernels.states.Racks`.
    price: int64, shape (N_CODES,), in sixteenths of a point.
    """

    tiles: npt.NDArray[np.int64]
    size: int
    left: int
    left_draws: int
    priority: int
    score: int
    parent: int
    price: npt.NDArray[np.int64]


class Subsets(NamedTuple):
    """All distinct sub-multisets of a rack, shape (2 ** CLOSED_RACK,).

    hash: uint64.
    length: uint8, tiles.
    members: uint16, a bit for each place of the rack that is taken.
    cost: int32, the prices of its tiles, in sixteenths of a point.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.uint8]
    members: npt.NDArray[np.uint16]
    cost: npt.NDArray[np.int32]


class Setups(NamedTuple):
    """Plays after which a second one is looked for, shape (up to 2 ** CLOSED_RACK,).

    subset: int64, which of the rack's sub-multisets.
    slot: uint64, where it stands in the hash table.
    """

    subset: npt.NDArray[np.int64]
    slot: npt.NDArray[np.uint64]
