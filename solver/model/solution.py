"""A solution: the turns of one game, and how they are written down."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Turn:
    """One turn, such as `6 s?l?mnize solemnize`: the left draws, the tiles laid down, their word, and the score in points."""

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
