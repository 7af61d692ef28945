"""Racks, and the tiles that they lay down for words."""

from collections.abc import Sequence

import numpy as np

from solver.errors import RackError
from solver.model.tiles import BLANK, BLANK_CODE, N_CODES, Counts, encode
from verify.text import quote

MAX_TILES = 20
CLOSED_RACK = 10  # for larger racks an index closed under blanks would be too large


def rack_counts(rack: str) -> Counts:
    """Return the number of each tile in `rack`: int8, shape (N_CODES,). Raises `RackError` unless it is 1 to 20 tiles."""
    counts: Counts = racks_counts([rack])[0]
    return counts


def racks_counts(racks: Sequence[str]) -> Counts:
    """Return the number of each tile in each rack: int8, shape (racks, N_CODES). Raises `RackError` as `rack_counts` does."""
    for rack in racks:
        if not 1 <= len(rack) <= MAX_TILES:
            raise RackError(f"rack {quote(rack)} has {len(rack)} tiles: expected 1 to {MAX_TILES}")
    lengths = np.fromiter(map(len, racks), dtype=np.int64, count=len(racks))
    # all racks are counted in one call, since `rowdraw best -` may read 100,000 of them
    places = np.repeat(np.arange(len(racks)) * N_CODES, lengths) + encode("".join(racks))
    return np.bincount(places, minlength=len(racks) * N_CODES).astype(np.int8).reshape(-1, N_CODES)


def leave_of(rack: str, tiles: str) -> str:
    """Return the tiles that a rack keeps after a play of `tiles`, in the order of the rack."""
    leave = rack
    for tile in tiles:
        leave = leave.replace(tile, "", 1)
    return leave


def laid_tiles(rack: Counts, word: str) -> str:
    """Return the tiles that `rack` lays down for `word`. Blanks stand for the earliest copies of letters that the rack lacks.

    Raises:
        RackError: The rack cannot make the word. The message names the missing tiles.
    """
    have = rack.tolist()
    blanks = have[BLANK_CODE]
    tiles = []
    for letter, code in zip(reversed(word), reversed(encode(word).tolist()), strict=True):
        if have[code] > 0:
            have[code] -= 1
            tiles.append(letter)
        else:
            tiles.append(BLANK)
    if tiles.count(BLANK) > blanks:
        missing = [letter for letter, tile in zip(reversed(word), tiles, strict=True) if tile == BLANK]
        raise RackError(
            f"{quote(word)} needs {' '.join(sorted(missing))} beyond the letters of the rack, and the rack holds "
            f"{blanks or 'no'} blank{'s' if blanks != 1 else ''}"
        )
    return "".join(reversed(tiles))
