"""What the referee of a game finds besides faults."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phony:
    """A play with `words` that are not in the list. `challenger` had it taken back; None if it stood."""

    line: int
    player: str
    words: tuple[str, ...]
    challenger: str | None = None


@dataclass(frozen=True)
class RightScore:
    """The score of an event by the rules, and the total of its player after it. If no rule sets the score, the file does."""

    score: int
    total: int
