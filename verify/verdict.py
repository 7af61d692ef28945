"""The verdict of the referee on a solution."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verify.text import printable

MOST_LISTED = 1_000  # faults that are listed; any others are only counted


@dataclass(frozen=True)
class Violation:
    """A fault: its line (from 1; 0 means the whole file), the code of its kind, and a message that says what was expected."""

    line: int
    code: str
    message: str


@dataclass(frozen=True)
class Violations:
    """The faults of a file in the order of its lines: the first `MOST_LISTED`, and the number of all."""

    listed: tuple[Violation, ...] = ()
    count: int = 0

    @classmethod
    def of(cls, found: Iterable[Violation], more: int = 0) -> "Violations":
        """The violations in `found`, and the number of `more` that are only counted."""
        ordered = sorted(found, key=lambda violation: violation.line)
        return cls(tuple(ordered[:MOST_LISTED]), len(ordered) + more)

    def __str__(self) -> str:
        return f"{self.count:,} violation{'' if self.count == 1 else 's'}"

    @property
    def more(self) -> int:
        """How many faults are not listed."""
        return self.count - len(self.listed)

    def lines(self, file: str) -> list[str]:
        """A line for each fault that is listed, and one with the number of the rest."""
        lines = [f"{printable(file)}:{fault.line}: {fault.code}: {fault.message}" for fault in self.listed]
        return [*lines, f"{printable(file)}: and {self.more:,} more"] if self.more else lines

    def as_json(self) -> dict[str, Any]:
        """The violations as fields of a verdict in JSON."""
        return {"violations": [vars(violation) for violation in self.listed], "violation_count": self.count}


@dataclass(frozen=True)
class Replay:
    """A turn as the referee read it.

    row: what was left of the row before the draw.
    left, right: the tiles drawn from each end.
    rack: the tiles held after the draw.
    score, total: the points of the play, and of all plays so far.
    """

    line: int
    row: str
    left: str
    right: str
    rack: str
    play: str
    word: str
    score: int
    total: int


@dataclass(frozen=True)
class Judged:
    """What every verdict has: the file that was judged, and its faults."""

    file: str
    faults: Violations

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The faults that are listed."""
        return self.faults.listed

    @property
    def valid(self) -> bool:
        """Whether there is no fault."""
        return self.faults.count == 0

    @property
    def state(self) -> str:
        """Whether the file is valid, in words."""
        return "valid" if self.valid else f"INVALID, {self.faults}"

    def _text(self, head: str) -> str:
        """A line for the verdict, and one for each violation."""
        return "".join(f"{line}\n" for line in [f"{printable(self.file)}: {printable(head)}", *self.faults.lines(self.file)])


@dataclass(frozen=True)
class Verdict(Judged):
    """All violations, in the order of the lines, and the replay.

    `score` is the sum of the plays as they were read; it counts only if `valid` is true.
    """

    puzzle: str
    turns: tuple[Replay, ...]

    @property
    def score(self) -> int:
        """The score of the plays as they were read, in points."""
        return self.turns[-1].total if self.turns else 0

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {"file": self.file, "valid": self.valid, "score": self.score, **self.faults.as_json()}

    def as_text(self) -> str:
        """A line for the verdict, and one for each violation."""
        turns = f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'}"
        if self.valid:
            return self._text(f"valid, {self.score} points in {turns} on {self.puzzle}")
        return self._text(f"INVALID on {self.puzzle}, {self.faults}; as read, {self.score} points in {turns}")
