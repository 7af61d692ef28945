"""The scoring of plays in the form that kernels take: a sum over the letters, and extra points that depend on the length alone.

If a blank is worth b points, every tile first counts as a blank. So a play of n tiles scores b at each of its n positions,
whatever its tiles are. A letter then adds its margin, the points by which its value exceeds b, at its position. The margin is
negative if a blank is worth more than the letter.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.model.racks import MAX_TILES
from solver.model.tiles import BLANK_CODE


class Scoring(NamedTuple):
    """The rule by which plays score.

    Attributes:
        margins: The points by which each letter is worth more than a blank, 0 for the blank; int32, by code, shape (N_CODES,).
        extra: The points that a play scores in addition to its margins; int64, by length of the play, shape (MAX_TILES + 1,).
    """

    margins: npt.NDArray[np.int32]
    extra: npt.NDArray[np.int64]

    @property
    def is_plain(self) -> bool:
        """Whether plays score nothing besides their margins, and no margin is negative."""
        return not ((self.margins < 0).any() or self.extra.any())


def scoring_of(values: npt.NDArray[np.int32], rule: str = "positional", rack_size: int = 0, bonus: int = 0) -> Scoring:
    """Return the scoring of plays by tile values.

    Args:
        values: The values by code, blanks included, 0 or more; int32, shape (N_CODES,).
        rule: "positional" for the sum of position x value, "scrabble" for the sum of values, "longest" for the length.
        rack_size: The number of tiles of a play that has the bonus.
        bonus: The points that the positional rule adds for such a play.
    """
    lengths = np.arange(MAX_TILES + 1, dtype=np.int64)
    blank = int(values[BLANK_CODE])
    extra = {"positional": blank * lengths * (lengths + 1) // 2, "scrabble": blank * lengths, "longest": 0 * lengths}[rule]
    if rule == "positional":
        extra[rack_size] += bonus
    return Scoring((values - blank).astype(np.int32), extra)
