"""What a play scores, in the form that kernels take: a sum over its letters, and a part that depends on its length alone.

Where a blank is worth b points, every tile of a play counts as a blank first, so that a play of n tiles has b for each of its n
positions, whatever its tiles are. A letter then adds its margin, the points by which its value exceeds b, at its position. A
margin is negative where a blank is worth more than the letter.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.model.racks import MAX_TILES
from solver.model.tiles import BLANK_CODE


class Scoring(NamedTuple):
    """The rule by which plays score.

    margins: int32, by code, shape (N_CODES,), in points: what a letter is worth more than a blank; 0 for the blank.
    extra: int64, by length of the play, shape (MAX_TILES + 1,), in points: what a play scores beside the margins.
    """

    margins: npt.NDArray[np.int32]
    extra: npt.NDArray[np.int64]

    @property
    def is_plain(self) -> bool:
        """Whether plays score nothing beside their margins, and no margin is negative."""
        return not ((self.margins < 0).any() or self.extra.any())


def scoring_of(values: npt.NDArray[np.int32], rule: str = "positional", rack_size: int = 0, bonus: int = 0) -> Scoring:
    """The scoring of tile values by code, blanks included: int32, shape (N_CODES,), 0 or more.

    rule: "positional" is the sum of position x value and `bonus` for a play of `rack_size` tiles, "scrabble" the sum of values,
        "longest" the length.
    """
    lengths = np.arange(MAX_TILES + 1, dtype=np.int64)
    blank = int(values[BLANK_CODE])
    extra = {"positional": blank * lengths * (lengths + 1) // 2, "scrabble": blank * lengths, "longest": 0 * lengths}[rule]
    if rule == "positional":
        extra[rack_size] += bonus
    return Scoring((values - blank).astype(np.int32), extra)
