"""Tiles, racks and the scoring of plays as numbers, in the form that kernels take.

A tile is a letter a to z or the blank `?`. Inside the solver a tile is its *code*, its index in
`ORDER`. The order decides the shape of every trie. Blanks come first, so that plays with different
numbers of blanks are in separate subtrees. Letters follow from common to rare: this gives the
fewest nodes, and a beam was a quarter faster with it than with the order of the alphabet.

Scores are whole points. Priorities and the prices of beams are whole sixteenths of a point, so that
prices can be fractions of a point. Bounds, and the prices that prove them, are whole thousandths of
a point, as in certificates.

A score is a sum over the letters, and extra points that depend on the length alone. If a blank is
worth b points, every tile first counts as a blank. So a play of n tiles scores b at each of its n
positions, whatever its tiles are. A letter then adds its margin, the points by which its value
exceeds b, at its position. The margin is negative if a blank is worth more than the letter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import RackError
from solver.model.weights import RULES
from verify.text import quote

BLANK = "?"
ORDER = "?esiarntolcdugpmhbyfvkwzxqj"
N_CODES = len(ORDER)
BLANK_CODE = ORDER.index(BLANK)

NO_TILE = 255

_CODE_OF_BYTE = np.full(256, NO_TILE, dtype=np.uint8)
for _code, _tile in enumerate(ORDER):
    _CODE_OF_BYTE[ord(_tile)] = _code
    _CODE_OF_BYTE[ord(_tile.upper())] = _code

Codes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int8]


def encode(tiles: str) -> Codes:
    """Return the codes of `tiles`, in their order: uint8, shape (len(tiles),).

    Raises:
        RackError: A character is not a tile. The message names the first one.
    """
    if tiles.isascii():
        codes = encode_bytes(np.frombuffer(tiles.encode(), dtype=np.uint8))
        if not (codes == NO_TILE).any():
            return codes
    place = next(
        i for i, tile in enumerate(tiles) if not tile.isascii() or tile.lower() not in ORDER
    )
    raise RackError(
        f"{tiles[place]!r} at place {place + 1} of {quote(tiles)} is not a tile: "
        "expected letters a to z and ? for a blank"
    )


def encode_bytes(raw: npt.NDArray[np.uint8]) -> Codes:
    """Return the codes of ASCII bytes, with NO_TILE for a byte that is not a tile."""
    return _CODE_OF_BYTE[raw]


def decode(codes: npt.ArrayLike) -> str:
    """Return the tiles with these codes."""
    return "".join(ORDER[int(c)] for c in np.asarray(codes))


def counts_of(codes: npt.ArrayLike) -> Counts:
    """Return the number of each tile: int8, shape (N_CODES,)."""
    return np.bincount(np.asarray(codes, dtype=np.int64), minlength=N_CODES).astype(np.int8)


SCALE = 16  # units of a priority in one point
POINT = 1000  # units of a bound in one point


MAX_TILES = 20
CLOSED_RACK = 12  # for larger racks an index closed under blanks would be too large
USUAL_RACK = 10  # the largest whose games can be proven: 64 bits hold the states of a sweep


def rack_counts(rack: str) -> Counts:
    """Return the number of each tile in `rack`: int8, shape (N_CODES,).

    Raises `RackError` unless it is 1 to 20 tiles.
    """
    counts: Counts = racks_counts([rack])[0]
    return counts


def racks_counts(racks: Sequence[str]) -> Counts:
    """Return the number of each tile in each rack: int8, shape (racks, N_CODES).

    Raises `RackError` as `rack_counts` does.
    """
    for rack in racks:
        if not 1 <= len(rack) <= MAX_TILES:
            raise RackError(f"rack {quote(rack)} has {len(rack)} tiles: expected 1 to {MAX_TILES}")
    lengths = np.fromiter(map(len, racks), dtype=np.int64, count=len(racks))
    # all racks are counted in one call, since `rowdraw best -` may read 100,000 of them
    places = np.repeat(np.arange(len(racks)) * N_CODES, lengths) + encode("".join(racks))
    return np.bincount(places, minlength=len(racks) * N_CODES).astype(np.int8).reshape(-1, N_CODES)


def laid_tiles(rack: Counts, word: str) -> str:
    """Return the tiles that `rack` lays down for `word`.

    Blanks stand for the earliest copies of letters that the rack lacks.

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
        missing = [
            letter for letter, tile in zip(reversed(word), tiles, strict=True) if tile == BLANK
        ]
        raise RackError(
            f"{quote(word)} needs {' '.join(sorted(missing))} beyond the letters of the rack, "
            "and the rack holds "
            f"{blanks or 'no'} blank{'s' if blanks != 1 else ''}"
        )
    return "".join(reversed(tiles))


class Scoring(NamedTuple):
    """The rule by which plays score.

    Attributes:
        weights: The factor of a letter's margin, by its position from 1; int64, shape (MAX_TILES +
            1,).
        margins: The points by which each letter is worth more than a blank, 0 for the blank; int32,
            by code, shape (N_CODES,).
        extra: The points that a play scores in addition to its margins; int64, by length of the
            play, shape (MAX_TILES + 1,).
    """

    weights: npt.NDArray[np.int64]
    margins: npt.NDArray[np.int32]
    extra: npt.NDArray[np.int64]

    @property
    def is_plain(self) -> bool:
        """Whether blanks stand for missing letters alone: no letter scores less than a blank."""
        return not ((self.margins < 0).any() and self.weights.any())


def scoring_of(
    values: npt.NDArray[np.int32], rule: str = "positional", rack_size: int = 0, bonus: int = 0
) -> Scoring:
    """Return the scoring of plays by tile values.

    Args:
        values: The values by code, blanks included, 0 or more; int32, shape (N_CODES,).
        rule: A key of `RULES`.
        rack_size: The number of tiles of a play that has the bonus.
        bonus: The points that a rule with a bonus adds for such a play.
    """
    chosen = RULES[rule]
    weights = np.array(
        [0, *(chosen.weight(position) for position in range(1, MAX_TILES + 1))], dtype=np.int64
    )
    blank = int(values[BLANK_CODE])
    extra = blank * weights.cumsum() + np.array(
        [chosen.points(length) for length in range(MAX_TILES + 1)], dtype=np.int64
    )
    if chosen.has_bonus:
        extra[rack_size] += bonus
    return Scoring(weights, (values - blank).astype(np.int32), extra)
