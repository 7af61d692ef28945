"""Solutions: the turns of one game, and their text format."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Turn:
    """One turn, such as `6 s?l?mnize solemnize`.

    Attributes:
        left: The number of tiles drawn from the left.
        play: The tiles laid down.
        word: The word that they make.
        score: The score, in points.
    """

    left: int
    play: str
    word: str
    score: int

    def __str__(self) -> str:
        return f"{self.left} {self.play} {self.word}"


@dataclass(frozen=True)
class Solution:
    """The turns of a game, from the first."""

    turns: tuple[Turn, ...]

    @cached_property
    def score(self) -> int:
        """The sum of the turns' scores, in points."""
        return sum(turn.score for turn in self.turns)

    def text(self) -> str:
        """Return the solution in the challenge's format, one turn a line."""
        return "".join(f"{turn}\n" for turn in self.turns)
