"""A solution: the turns of one game, and how they are written down."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Turn:
    """Tiles drawn from the left, then tiles laid down: the line `6 s?l?mnize solemnize`."""

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
        """The solution in the challenge's format, a line a turn."""
        return "".join(f"{turn}\n" for turn in self.turns)
