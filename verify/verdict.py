"""What the referee says of a solution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Violation:
    """A fault: the line it stands in (1 is the first; 0 is the file as a whole), what kind it is, and what was expected."""

    line: int
    code: str
    message: str


def fault_lines(file: str, violations: Sequence[Violation]) -> list[str]:
    """A line for each violation, as every verdict lists them."""
    return [f"{file}:{fault.line}: {fault.code}: {fault.message}" for fault in violations]


@dataclass(frozen=True)
class Replay:
    """A turn as the referee read it.

    row: what was left of the row before the draw; left, right: the tiles drawn from each end; rack: the tiles held
    after the draw; score and total: of the play, and so far.
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
class Verdict:
    """All violations, in the order of the lines, and the replay.

    `score` is the sum of the plays as they were read; it counts only where `valid` is true.
    """

    file: str
    puzzle: str
    turns: tuple[Replay, ...]
    violations: tuple[Violation, ...]

    @property
    def valid(self) -> bool:
        return not self.violations

    @property
    def score(self) -> int:
        return self.turns[-1].total if self.turns else 0

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "file": self.file,
            "valid": self.valid,
            "score": self.score,
            "violations": [vars(violation) for violation in self.violations],
        }

    def as_text(self) -> str:
        """A line for the verdict, and one for each violation."""
        turns = f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'}"
        if self.valid:
            return f"{self.file}: valid, {self.score} points in {turns} on {self.puzzle}\n"
        faults = f"{len(self.violations)} violation{'' if len(self.violations) == 1 else 's'}"
        lines = [f"{self.file}: INVALID on {self.puzzle}, {faults}; as read, {self.score} points in {turns}"]
        return "".join(f"{line}\n" for line in lines + fault_lines(self.file, self.violations))
