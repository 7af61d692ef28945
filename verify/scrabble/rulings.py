"""Rules on which federations differ: the cost of a challenge, time penalties, the end of a game; and how racks are judged."""

from dataclasses import dataclass

CHALLENGES = {
    "any": "a bonus of 5 or 10 points for a play that was challenged in vain",
    "5": "a bonus of 5 points for the play",
    "10": "a bonus of 10 points for the play",
    "5-per-word": "a bonus of 5 points for each word of the play that is challenged",
    "-5": "the challenger loses 5 points",
    "-10": "the challenger loses 10 points",
    "double": "the challenger loses the turn, no points are given",
    "single": "nothing happens: no points are given",
    "void": "words that are not valid cannot be played",
}
"""The consequence of a failed challenge, by the name of the rule."""

ENDS = {
    "gain": "the player who goes out gets the value of the tiles of the others",
    "deduct": "every player loses the value of the own tiles, and no one gets it; two passes of every player end the game",
}
"""Who gets the value of the tiles left, by the name of the rule."""

RACKS = {
    "lenient": "racks that contradict each other or the board are remarks",
    "strict": "they are faults",
}
"""How racks are judged that an annotator may have guessed, by the name of the rule."""


@dataclass(frozen=True)
class Rulings:
    """The rules of one federation.

    Attributes:
        challenge: One of `CHALLENGES`.
        time_step: Every time penalty is a multiple of this, in points.
        scoreless: The number of consecutive turns without a score that ends a game; None if they only let a player end it.
        end: One of `ENDS`; None for the rule of the game or of its tile set.
        racks: One of `RACKS`.
    """

    challenge: str = "any"
    time_step: int = 10
    scoreless: int | None = None
    end: str | None = None
    racks: str = "lenient"

    def bonuses(self, words: int) -> tuple[int, ...]:
        """Return the possible bonuses of a play that forms `words` words and was challenged in vain."""
        per_word = tuple(5 * count for count in range(1, words + 1))
        return {"any": (5, 10), "5": (5,), "10": (10,), "5-per-word": per_word}.get(self.challenge, ())

    @property
    def loses(self) -> int:
        """The points that a challenger loses after a failed challenge."""
        return {"-5": 5, "-10": 10}.get(self.challenge, 0)


STANDARD = Rulings()
"""The rules of most federations, as far as game files show them."""
