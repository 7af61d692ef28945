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
from solver.model.weights import RULES


class Scoring(NamedTuple):
    """The rule by which plays score.

    Attributes:
        weights: The factor of a letter's margin, by its position from 1; int64, shape (MAX_TILES + 1,).
        margins: The points by which each letter is worth more than a blank, 0 for the blank; int32, by code, shape (N_CODES,).
        extra: The points that a play scores in addition to its margins; int64, by length of the play, shape (MAX_TILES + 1,).
    """

    weights: npt.NDArray[np.int64]
    margins: npt.NDArray[np.int32]
    extra: npt.NDArray[np.int64]

    @property
    def is_plain(self) -> bool:
        """Whether no letter scores less than a blank in its place, so that blanks stand for missing letters alone."""
        return not ((self.margins < 0).any() and self.weights.any())


def scoring_of(values: npt.NDArray[np.int32], rule: str = "positional", rack_size: int = 0, bonus: int = 0) -> Scoring:
    """Return the scoring of plays by tile values.

    Args:
        values: The values by code, blanks included, 0 or more; int32, shape (N_CODES,).
        rule: A key of `RULES`.
        rack_size: The number of tiles of a play that has the bonus.
        bonus: The points that a rule with a bonus adds for such a play.
    """
    chosen = RULES[rule]
    weights = np.array([0, *(chosen.weight(position) for position in range(1, MAX_TILES + 1))], dtype=np.int64)
    blank = int(values[BLANK_CODE])
    extra = blank * weights.cumsum() + np.array([chosen.points(length) for length in range(MAX_TILES + 1)], dtype=np.int64)
    if chosen.has_bonus:
        extra[rack_size] += bonus
    return Scoring(weights, (values - blank).astype(np.int32), extra)
