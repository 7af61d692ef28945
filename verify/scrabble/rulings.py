"""Rules on which federations differ: what a challenge costs, what time costs, when a game without points ends."""

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
"""What happens after a challenge in vain, by the name of the rule."""


@dataclass(frozen=True)
class Rulings:
    """The rules of one federation.

    challenge: one of `CHALLENGES`.
    time_step: a time penalty is a multiple of so many points.
    scoreless: turns without a score, one after the other, that end a game.
    """

    challenge: str = "any"
    time_step: int = 10
    scoreless: int = 6

    def bonuses(self, words: int) -> tuple[int, ...]:
        """The bonuses that a play which forms so many words may get."""
        per_word = tuple(5 * count for count in range(1, words + 1))
        return {"any": (5, 10), "5": (5,), "10": (10,), "5-per-word": per_word}.get(self.challenge, ())

    @property
    def loses(self) -> int:
        """What a challenger loses whose challenge is in vain."""
        return 5 if self.challenge == "-5" else 0


STANDARD = Rulings()
"""What most federations have, as far as games tell."""
