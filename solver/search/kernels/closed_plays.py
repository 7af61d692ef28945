"""The arrays that expansion on the closed index reads: the plays under the prices of one beam, and one rack at a time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.search.kernels.sieve import Sieves


class ClosedPlays(NamedTuple):
    """The plays of the closed index under the prices of a beam.

    Attributes:
        slots: The hash table from a multiset of tiles to its best score; uint64, see `solver.index.kernels.closed_index`.
        ranks: The rank of the multiset in each slot; uint64.
        slot_shift: The number of bits by which a hash is shifted right to give its first slot.
        filter: The largest entry of the plays whose hash, shifted right by `filter_shift` bits, is the index; uint8.
        filter_shift: See `filter`.
        least: The least worth of a play of each length, in sixteenths of a point; int64, shape (longest + 1,).
        step: The width of an entry for each length, in sixteenths of a point; int64, shape (longest + 1,).
        sieves: The sieves for second plays, with the same entries.
        prices: The prices of tiles, in sixteenths of a point; int64, shape (left draws, N_CODES). The last row also holds for
            more left draws.
        excess: The amount by which the price of a tile is below the price that the entries assume, or 0; same unit and shape.
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


class HashedRow(NamedTuple):
    """The row of a puzzle with the hashes of its tiles.

    Attributes:
        codes: The codes of the tiles; uint8, shape (tiles,).
        hashes: The hashes of the tiles, and a last one for a tile that is never drawn; uint64, shape (tiles + 1,).
    """

    codes: npt.NDArray[np.uint8]
    hashes: npt.NDArray[np.uint64]


class Rack(NamedTuple):
    """One rack. `priority`, `score` and `parent` are those before the play, as in `solver.search.kernels.states.DrawnRacks`.

    Attributes:
        tiles: The codes of the tiles, ascending, in the first `size` places; int64, shape (CLOSED_RACK,).
        size: The number of tiles.
        left: The number of tiles drawn from the left since the start.
        left_draws: The number of tiles drawn from the left in this turn.
        price: The prices of tiles, in sixteenths of a point; int64, shape (N_CODES,).
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
    """All distinct sub-multisets of a rack; shape (2 ** CLOSED_RACK,).

    Attributes:
        hash: The hashes; uint64.
        length: The numbers of tiles; uint8.
        members: Bit masks of the places of the rack that each one takes; uint16.
        cost: The sums of the prices of their tiles, in sixteenths of a point; int32.
    """

    hash: npt.NDArray[np.uint64]
    length: npt.NDArray[np.uint8]
    members: npt.NDArray[np.uint16]
    cost: npt.NDArray[np.int32]


class Setups(NamedTuple):
    """First plays, after which a second play is looked for; shape (up to 2 ** CLOSED_RACK,).

    Attributes:
        subset: The index of each play among the rack's sub-multisets; int64.
        slot: The slot of each play in the hash table; uint64.
    """

    subset: npt.NDArray[np.int64]
    slot: npt.NDArray[np.uint64]
