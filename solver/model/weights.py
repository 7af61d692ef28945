"""The scoring rules of `rowdraw best`: one entry for each, from which everything else follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ScoringRule:
    """How the score of a play depends on places and length.

    Attributes:
        text: What the rule counts, for the help.
        weight: The factor of the value of a tile, by its position from 1; 0 or more, and never less
            at a later position.
        points: Points for the length of the play, whatever its tiles are.
        has_bonus: Whether a play of a full rack has the puzzle's bonus.
    """

    text: str
    weight: Callable[[int], int]
    points: Callable[[int], int] = lambda _length: 0
    has_bonus: bool = False


RULES: Mapping[str, ScoringRule] = {
    "positional": ScoringRule(
        "the sum of position x value", weight=lambda position: position, has_bonus=True
    ),
    "scrabble": ScoringRule("the sum of values", weight=lambda _position: 1),
    "longest": ScoringRule(
        "the number of letters", weight=lambda _position: 0, points=lambda length: length
    ),
}
