"""The verdict of the referee on a solution."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from verify.text import counted, printable, quote

MOST_LISTED = 1_000  # faults; the others are counted
_LONGEST_TOLD = 200  # characters of what a line was taken for


@dataclass(frozen=True)
class Violation:
    """A fault: the line it stands in (1 is the first; 0 is the file as a whole), what kind it is, and what was expected.

    follows_from: the line of the fault without which this one would not be there; None where it stands for itself.
    """

    line: int
    code: str
    message: str
    follows_from: int | None = None


@dataclass(frozen=True)
class Violations:
    """The faults of a file in the order of its lines, and how many there are in all.

    listed: at most `MOST_LISTED`; those that stand for themselves come first into the list.
    following: how many follow from others.
    """

    listed: tuple[Violation, ...] = ()
    count: int = 0
    following: int = 0

    @classmethod
    def of(cls, found: Iterable[Violation], more: int = 0) -> "Violations":
        """The violations in `found`, and the number of `more` that are only counted."""
        ordered = sorted(found, key=lambda violation: violation.line)
        following = sum(fault.follows_from is not None for fault in ordered)
        kept = sorted(ordered, key=lambda fault: fault.follows_from is not None)[:MOST_LISTED]
        listed = tuple(sorted(kept, key=lambda violation: violation.line))
        return cls(listed, len(ordered) + more, following)

    def __str__(self) -> str:
        own = self.count - self.following
        text = counted(own, "fault", grouped=True)
        if not self.following:
            return text
        verb = "follows" if self.following == 1 else "follow"
        return f"{text}, {self.following:,} that {verb} from {'it' if own == 1 else 'them'}"

    @property
    def more(self) -> int:
        """How many faults are not listed."""
        return self.count - len(self.listed)

    @property
    def independent(self) -> tuple[Violation, ...]:
        """Those of the list that stand for themselves."""
        return tuple(fault for fault in self.listed if fault.follows_from is None)

    def followers(self, line: int) -> str | None:
        """What is said, in place of a list, of the faults that follow from the one in `line`; None where none do."""
        lines = [fault.line for fault in self.listed if fault.follows_from == line]
        if not lines:
            return None
        places = f"line {lines[0]}" if lines[0] == lines[-1] else f"lines {lines[0]} to {lines[-1]}"
        many = counted(len(lines), "fault", grouped=True)
        return f"{many} in {places} follow{'s' if len(lines) == 1 else ''} from line {line}"

    def lines(self, file: str, every: bool = False) -> list[str]:
        """A line for each fault that stands for itself, or for `every` one of the list, and one for the rest."""
        name = printable(file)
        shown = self.listed if every else self.independent
        lines: list[str] = []
        for fault, after in zip_longest(shown, shown[1:]):
            follows = "" if fault.follows_from is None else f" (follows from line {fault.follows_from})"
            lines.append(f"{name}:{fault.line}: {fault.code}: {fault.message}{follows}")
            last = after is None or after.line != fault.line
            if not every and last and (told := self.followers(fault.line)):
                lines.append(f"{name}: {told} (--all lists them)")
        return [*lines, f"{name}: and {self.more:,} more"] if self.more else lines

    def as_json(self) -> dict[str, Any]:
        """The fields of a verdict that tell them."""
        return {
            "violations": [vars(violation) for violation in self.listed],
            "violation_count": self.count,
            "following_count": self.following,
        }


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
class Reading:
    """How a file was read.

    notes: which of several readings was taken, a sentence each.
    taken: (line, what it was taken for).
    passed: (line, text) of what means nothing to the referee; more: how many beside those.
    """

    notes: tuple[str, ...] = ()
    taken: tuple[tuple[int, str], ...] = ()
    passed: tuple[tuple[int, str], ...] = ()
    more: int = 0

    def lines(self, file: str) -> list[str]:
        """A line for each line of the file, in their order."""
        told = [(line, f"taken as {printable(what[:_LONGEST_TOLD])}") for line, what in self.taken]
        told += [(line, f"passed over: {quote(text)}") for line, text in self.passed]
        rest = [f"{printable(file)}: and {self.more:,} more passed over"] if self.more else []
        return [f"{printable(file)}:{line}: {what}" for line, what in sorted(told)] + rest

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "notes": list(self.notes),
            "taken": [{"line": line, "as": what} for line, what in self.taken],
            "passed_over": [{"line": line, "text": text} for line, text in self.passed],
            "passed_over_count": len(self.passed) + self.more,
        }


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

    def _text(self, head: str, every: bool = False) -> str:
        """A line for the verdict, and one for each fault."""
        lines = [f"{printable(self.file)}: {printable(head)}", *self.faults.lines(self.file, every)]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class Verdict(Judged):
    """All faults, in the order of the lines, and the replay.

    `score` is the sum of the plays as they were read; it counts only where `valid` is true.

    name: the heading of the answer, where a file holds several.
    reading: what was taken for what.
    rule_notes: what is said of the rules besides their name, a sentence each.
    """

    puzzle: str
    turns: tuple[Replay, ...]
    name: str = ""
    reading: Reading = Reading()
    rule_notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know besides the faults: of the rules, and of the reading."""
        return (*self.rule_notes, *self.reading.notes)

    @property
    def score(self) -> int:
        """The score of the plays as they were read, in points."""
        return self.turns[-1].total if self.turns else 0

    def as_json(self, explain: bool = False) -> dict[str, Any]:
        """The verdict as plain values. explain: with what was taken for what."""
        told = {"file": self.file, "puzzle": self.puzzle, "valid": self.valid, "score": self.score, **self.faults.as_json()}
        if self.name:
            told["name"] = self.name
        if self.notes:
            told["notes"] = list(self.notes)
        return {**told, "reading": self.reading.as_json()} if explain else told

    def as_text(self, every: bool = False, explain: bool = False) -> str:
        """A line for the verdict, and one for each fault.

        every: also those that follow from others.
        explain: also a line for each line of the file that says what it was taken for.
        """
        played = f"{counted(self.score, 'point')} in {counted(len(self.turns), 'turn')}"
        # a heading may be made to look like a verdict
        shown = quote(self.name) if "valid" in self.name.lower() else self.name
        name = f"{shown}: " if shown else ""
        if self.valid:
            head = f"{name}valid, {played} on {self.puzzle}"
        else:
            head = f"{name}INVALID on {self.puzzle}, {self.faults}; as read, {played}"
        notes = [f"{printable(self.file)}: {printable(note)}" for note in self.notes]
        told = self.reading.lines(self.file) if explain else []
        return self._text(head, every) + "".join(f"{line}\n" for line in [*notes, *told])
