"""The verdict of the referee on a solution."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from verify.text import counted, printable, quote

MOST_LISTED = 1_000  # faults; the others are counted
_LONGEST_MEANING = 200  # characters of what a line was taken for


@dataclass(frozen=True)
class Violation:
    """A fault.

    Attributes:
        line: its line, from 1; 0 for the file as a whole.
        code: its kind.
        message: what is wrong, and what was expected.
        follows_from: the line of the fault that causes this one; None for an independent fault.
    """

    line: int
    code: str
    message: str
    follows_from: int | None = None


@dataclass(frozen=True)
class Violations:
    """The faults of a file in the order of its lines.

    listed: at most `MOST_LISTED`, independent ones preferred.
    count, following: how many there are in all, and how many of them follow from others.
    """

    listed: tuple[Violation, ...] = ()
    count: int = 0
    following: int = 0

    @classmethod
    def of(cls, faults: Iterable[Violation], more: int = 0) -> "Violations":
        """Return these faults, and `more` that are only counted."""
        ordered = sorted(faults, key=lambda violation: violation.line)
        following = sum(fault.follows_from is not None for fault in ordered)
        kept = sorted(ordered, key=lambda fault: fault.follows_from is not None)[:MOST_LISTED]
        listed = tuple(sorted(kept, key=lambda violation: violation.line))
        return cls(listed, len(ordered) + more, following)

    def __str__(self) -> str:
        independent = self.count - self.following
        text = counted(independent, "fault", grouped=True)
        if not self.following:
            return text
        verb = "follows" if self.following == 1 else "follow"
        return f"{text}, {self.following:,} that {verb} from {'it' if independent == 1 else 'them'}"

    @property
    def more(self) -> int:
        """The number of faults that are not listed."""
        return self.count - len(self.listed)

    @property
    def independent(self) -> tuple[Violation, ...]:
        """The listed faults that follow from no other."""
        return tuple(fault for fault in self.listed if fault.follows_from is None)

    def followers(self, line: int) -> str | None:
        """Summarize the faults that follow from the one in `line`; None where none do."""
        lines = [fault.line for fault in self.listed if fault.follows_from == line]
        if not lines:
            return None
        places = f"line {lines[0]}" if lines[0] == lines[-1] else f"lines {lines[0]} to {lines[-1]}"
        return f"{counted(len(lines), 'fault', grouped=True)} in {places} follow{'s' * (len(lines) == 1)} from line {line}"

    def lines(self, file: str, every: bool = False) -> list[str]:
        """Return a line for each independent fault, or for `every` listed one, and one for the rest."""
        name = printable(file)
        shown = self.listed if every else self.independent
        lines: list[str] = []
        for fault, after in zip_longest(shown, shown[1:]):
            follows = "" if fault.follows_from is None else f" (follows from line {fault.follows_from})"
            lines.append(f"{name}:{fault.line}: {fault.code}: {fault.message}{follows}")
            last = after is None or after.line != fault.line
            if not every and last and (followers := self.followers(fault.line)):
                lines.append(f"{name}: {followers} (--all lists them)")
        return [*lines, f"{name}: and {self.more:,} more"] if self.more else lines

    def as_json(self) -> dict[str, Any]:
        """Return the fields of a verdict that list the faults."""
        return {
            "violations": [vars(violation) for violation in self.listed],
            "violation_count": self.count,
            "following_count": self.following,
        }


@dataclass(frozen=True)
class Replay:
    """A turn as the referee read it.

    Attributes:
        line: its line, from 1.
        row: the rest of the row before the draw.
        left: the tiles drawn from the left end.
        right: the tiles drawn from the right end.
        rack: the tiles held after the draw.
        play: the tiles played, `?` for a blank.
        word: the word that they stand for.
        score: the points of the play.
        total: the points of all plays so far.
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

    notes: sentences that say which of several readings was taken.
    taken: (line, what it was taken for).
    passed: (line, text) of lines without a meaning to the referee; more: the number of further ones.
    """

    notes: tuple[str, ...] = ()
    taken: tuple[tuple[int, str], ...] = ()
    passed: tuple[tuple[int, str], ...] = ()
    more: int = 0

    def lines(self, file: str) -> list[str]:
        """Return a line for each line of the file, in order."""
        meanings = [(line, f"taken as {printable(what[:_LONGEST_MEANING])}") for line, what in self.taken]
        meanings += [(line, f"passed over: {quote(text)}") for line, text in self.passed]
        rest = [f"{printable(file)}: and {self.more:,} more passed over"] if self.more else []
        return [f"{printable(file)}:{line}: {what}" for line, what in sorted(meanings)] + rest

    def as_json(self) -> dict[str, Any]:
        """Return the reading as plain values."""
        return {
            "notes": list(self.notes),
            "taken": [{"line": line, "as": what} for line, what in self.taken],
            "passed_over": [{"line": line, "text": text} for line, text in self.passed],
            "passed_over_count": len(self.passed) + self.more,
        }


@dataclass(frozen=True)
class Judged:
    """The part that every verdict has: the judged file, and its faults."""

    file: str
    faults: Violations

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The listed faults."""
        return self.faults.listed

    @property
    def valid(self) -> bool:
        """Whether no fault was found."""
        return self.faults.count == 0

    @property
    def state(self) -> str:
        """Whether the file is valid, in words."""
        return "valid" if self.valid else f"INVALID, {self.faults}"

    def _text(self, head: str, every: bool = False) -> str:
        """Return a line for the verdict, and one for each fault."""
        lines = [f"{printable(self.file)}: {printable(head)}", *self.faults.lines(self.file, every)]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class Verdict(Judged):
    """All faults, in the order of the lines, and the replay.

    `score` is the sum of the plays as they were read; it counts only where `valid` is true.

    Attributes:
        puzzle: the name of the rules.
        turns: the turns as they were read.
        name: the heading of the answer, where a file holds several.
        reading: how the file was read.
        rule_notes: sentences about the rules, besides their name.
    """

    puzzle: str
    turns: tuple[Replay, ...]
    name: str = ""
    reading: Reading = Reading()
    rule_notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about the rules and the reading, besides the faults."""
        return (*self.rule_notes, *self.reading.notes)

    @property
    def score(self) -> int:
        """The score of the plays as they were read, in points."""
        return self.turns[-1].total if self.turns else 0

    def as_json(self, explain: bool = False) -> dict[str, Any]:
        """Return the verdict as plain values; `explain` adds the reading."""
        fields = {"file": self.file, "puzzle": self.puzzle, "valid": self.valid, "score": self.score, **self.faults.as_json()}
        if self.name:
            fields["name"] = self.name
        if self.notes:
            fields["notes"] = list(self.notes)
        return {**fields, "reading": self.reading.as_json()} if explain else fields

    def as_text(self, every: bool = False, explain: bool = False) -> str:
        """Return a line for the verdict, and one for each fault.

        Args:
            every: also for faults that follow from others.
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
        reading = self.reading.lines(self.file) if explain else []
        return self._text(head, every) + "".join(f"{line}\n" for line in [*notes, *reading])
