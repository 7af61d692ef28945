"""Rules on which federations differ: the cost of a challenge, time penalties, and when turns without points end a game."""

from dataclasses import dataclass

CHALLENGES = {
    "any": "a bonus of 5 or 10 points for a play that was challenged in vain",
    "5": "a bonus of 5 points for the play",
    "10": "a bonus of 10 points for the play",
    "5-per-word": "a bonus of 5 points for each word of the play that is challenged",
    "-5": "the challenger loses 5 points",
    "double": "the challenger loses the turn, no points are given",
    "single": "nothing happens: no points are given",
    "void": "words that are not valid cannot be played",
}
"""The consequence of a failed challenge, by the name of the rule."""


@dataclass(frozen=True)
class Rulings:
    """The rules of one federation.

    Attributes:
        challenge: One of `CHALLENGES`.
        time_step: Every time penalty is a multiple of this, in points.
        scoreless: The number of consecutive turns without a score that ends a game.
    """

    challenge: str = "any"
    time_step: int = 10
    scoreless: int = 6

    def bonuses(self, words: int) -> tuple[int, ...]:
        """Return the possible bonuses of a play that forms `words` words and was challenged in vain."""
        per_word = tuple(5 * count for count in range(1, words + 1))
        return {"any": (5, 10), "5": (5,), "10": (10,), "5-per-word": per_word}.get(self.challenge, ())

    @property
    def loses(self) -> int:
        """The points that a challenger loses after a failed challenge."""
        return 5 if self.challenge == "-5" else 0


STANDARD = Rulings()
"""The rules of most federations, as far as game files show them."""
