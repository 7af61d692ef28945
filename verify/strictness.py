"""How strictly a game is judged: what is a fault, and what only a remark."""

from dataclasses import dataclass

RECORDS = ("exact", "lenient", "program", "stands")


@dataclass(frozen=True)
class Strictness:
    """What is a fault, and not a remark.

    Attributes:
        racks: Whether what contradicts a rack is a fault.
        phonies: Whether a play with a word that is not in the list is a fault, as on servers.
        record: How a program may write the game down: `exact`, without a deviation; `lenient`,
            without the numbers of a pass or an exchange, and without the loss of one player after
            passes; `program`, also with the bonus of a challenge in the score of the play, and
            without the loss of a play taken back; `stands`: wrong scores, totals and counts of the
            tiles left are remarks.
    """

    racks: bool = False
    phonies: bool = False
    record: str = "lenient"

    def allows(self, record: str) -> bool:
        """Return whether a game may be written down so."""
        return RECORDS.index(self.record) >= RECORDS.index(record)
