"""The verdict on an answer: what the core decides, with what was expected for every fault.

After the first fault of draws or tiles the rack is unknown: the draws and tiles of later turns are
not judged, since their faults would follow from it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from verify import core
from verify.core import Fault, Played, Turn
from verify.rules import Rules, RulesError
from verify.stated import RulesOf, Stated
from verify.text import counted, placed, printable, quote

MOST_LISTED = 1_000  # faults; the others are counted
_LONGEST_CLAIM = 400  # characters of a line in which points are looked for
_LONGEST_MEANING = 200  # characters of what a line was taken for
_EMPTY = Fault(0, "empty", "no turn: expected lines such as '6 s?l?mnize solemnize'")


@dataclass(frozen=True)
class Claim:
    """A number that an answer claims by name.

    value: A whole number; anything else is wrong.
    turns: The number of the turn that it is about, from 1; 0 for the whole answer.
    name: `right` for the draws from the right end, else points.
    """

    line: int
    value: object
    turns: int = 0
    name: str = "score"


@dataclass(frozen=True)
class Faults:
    """The faults of a file in the order of its lines. listed: the first ones. count: of all."""

    listed: tuple[Fault, ...] = ()
    count: int = 0

    @classmethod
    def of(cls, faults: Iterable[Fault], more: int = 0) -> "Faults":
        """Return these faults, and `more` that are only counted."""
        ordered = sorted(faults, key=lambda fault: fault.line)
        return cls(tuple(ordered[:MOST_LISTED]), len(ordered) + more)

    def __str__(self) -> str:
        return counted(self.count, "fault", grouped=True)

    @property
    def more(self) -> int:
        """The number of faults that are not listed."""
        return self.count - len(self.listed)

    def lines(self, file: str) -> list[str]:
        """Return a line for each listed fault, and one for the rest."""
        name = printable(file)
        lines = [
            f"{placed(name, fault.line)}: {fault.code}: {fault.message}" for fault in self.listed
        ]
        if self.more:
            lines.append(f"{name}: and {self.more:,} more")
        return lines

    def as_json(self) -> dict[str, Any]:
        """Return the fields of a verdict that list the faults."""
        return {"violations": [vars(fault) for fault in self.listed], "violation_count": self.count}


@dataclass
class Reading:
    """How a file was read.

    notes: sentences that say which of several readings was taken.
    taken: (line, what it was taken for).
    passed: (line, text) of lines without a meaning to the referee.
    """

    notes: list[str] = field(default_factory=list)
    taken: list[tuple[int, str]] = field(default_factory=list)
    passed: list[tuple[int, str]] = field(default_factory=list)

    def note_turns(self, turns: Iterable[Turn]) -> None:
        """Note what the lines of the turns were taken for."""
        for number, turn in enumerate(turns, start=1):
            what = f"turn {number}: {turn.count} {turn.play} {turn.word}"
            self.taken.append((turn.line, what.rstrip()))

    def lines(self, file: str) -> list[str]:
        """Return a line for each line of the file, in order."""
        meanings = [(line, f"passed over: {quote(text)}") for line, text in self.passed]
        for line, what in self.taken:
            meanings.append((line, f"taken as {printable(what[:_LONGEST_MEANING])}"))
        name = printable(file)
        return [f"{name}:{line}: {what}" for line, what in sorted(meanings)]

    def as_json(self) -> dict[str, Any]:
        """Return the reading as plain values."""
        return {
            "notes": self.notes,
            "taken": [{"line": line, "as": what} for line, what in self.taken],
            "passed_over": [{"line": line, "text": text} for line, text in self.passed],
        }


@dataclass(frozen=True)
class BaseVerdict:
    """The part that every verdict has: the judged file, and its faults."""

    file: str
    faults: Faults

    @property
    def violations(self) -> tuple[Fault, ...]:
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

    def _text(self, head: str) -> str:
        """Return a line for the verdict, and one for each fault."""
        lines = [f"{printable(self.file)}: {printable(head)}", *self.faults.lines(self.file)]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, repr=False)
class Verdict(BaseVerdict):
    """All faults, in the order of the lines, and the replay.

    `score` is the sum of the plays as they were read; it counts only where `valid` is true.

    Attributes:
        rules: the rules by which it was judged.
        turns: the turns as they were read.
        name: the heading of the answer, where a file holds several.
        reading: how the file was read.
        unjudged: the line after which draws and tiles are not judged; None where all are.
        states_rules: whether the answer states its puzzle or other rules.
    """

    rules: Rules
    turns: tuple[Played, ...]
    name: str = ""
    reading: Reading = field(default_factory=Reading)
    unjudged: int | None = None
    states_rules: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the lines are surely meant as an answer, and not a list of other things."""
        return self.valid or self.states_rules

    @property
    def puzzle(self) -> str:
        """The name of the rules."""
        return self.rules.name

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about the rules and the reading, besides the faults."""
        notes = (*self.rules.notes, *self.reading.notes)
        if self.unjudged is None:
            return notes
        return (
            f"draws and tiles after line {self.unjudged} are not judged: "
            "their faults would follow from this one",
            *notes,
        )

    @property
    def score(self) -> int:
        """The score of the plays as they were read, in points."""
        return self.turns[-1].total if self.turns else 0

    def __repr__(self) -> str:
        played = f"{counted(self.score, 'point')} in {counted(len(self.turns), 'turn')}"
        return f"<Verdict {printable(self.file)}: {self.state}, {played}>"

    def __str__(self) -> str:
        return self.as_text()

    def as_json(self, explain: bool = False) -> dict[str, Any]:
        """Return the verdict as plain values; `explain` adds the reading."""
        fields = {
            "file": self.file,
            "puzzle": self.puzzle,
            "valid": self.valid,
            "score": self.score,
            **self.faults.as_json(),
        }
        if self.name:
            fields["name"] = self.name
        if self.notes:
            fields["notes"] = list(self.notes)
        if explain:
            fields["reading"] = self.reading.as_json()
        return fields

    def as_text(self, explain: bool = False) -> str:
        """Return a line for the verdict, and one for each fault; `explain` adds the reading."""
        played = f"{counted(self.score, 'point')} in {counted(len(self.turns), 'turn')}"
        # a heading may be made to look like a verdict
        shown = quote(self.name) if "valid" in self.name.lower() else self.name
        name = f"{shown}: " if shown else ""
        if self.valid:
            head = f"{name}valid, {played} on {self.puzzle}"
        else:
            head = f"{name}INVALID on {self.puzzle}, {self.faults}; as read, {played}"
        lines = [f"{printable(self.file)}: {printable(note)}" for note in self.notes]
        if explain:
            lines += self.reading.lines(self.file)
        return self._text(head) + "".join(f"{line}\n" for line in lines)


@dataclass
class Answer:
    """An answer as its reader found it.

    Attributes:
        stated: The rules that it states.
        rules: The rules by which it is judged.
        error: Why those that it states cannot be used.
        turns: Its turns, in order.
        claims: What it claims by name.
        faults: The faults that the reader found, besides those of the turns.
        reading: How it was read.
        name: Its heading.
    """

    stated: Stated
    rules: Rules
    error: RulesError | None = None
    turns: list[Turn] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    reading: Reading = field(default_factory=Reading)
    name: str = ""

    @classmethod
    def by(cls, stated: Stated, rules_of: RulesOf, **found: Any) -> "Answer":
        """Return an answer that is judged by what it states; `found` are its other fields.

        Where that is impossible, it is judged by the default rules.
        """
        faults = list(stated.faults)
        try:
            return cls(stated, rules_of(stated), faults=faults, **found)
        except RulesError as error:
            return cls(stated, rules_of(Stated()), error, faults=faults, **found)


def judge_answer(answer: Answer, file: str) -> Verdict:
    """Return the verdict on an answer. file: its name in the verdict."""
    rules = answer.rules
    played = core.replay(rules, answer.turns)
    turns = tuple(turn for turn in played if turn.play)
    faults = [_with_hint(rules, turn, fault) for turn in played for fault in turn.faults]
    if turns and len(turns) == len(played):
        faults += _false_claims(turns, answer.claims)
    faults += answer.faults
    if not faults and not core.is_valid(played):
        faults.append(_EMPTY)
    # the position is unknown from the first fault of draws or tiles on
    lost = [turn.line for turn in played if turn.after is None]
    return Verdict(
        file=file,
        faults=Faults.of(faults),
        rules=rules,
        turns=turns,
        name=answer.name,
        reading=answer.reading,
        unjudged=lost[0] if len(lost) > 1 else None,
        states_rules=answer.stated != Stated(),
    )


def _with_hint(rules: Rules, turn: Turn, fault: Fault) -> Fault:
    """Return a fault of the core with what helps a person to mend it."""
    tiles, word = turn.play, turn.word
    hint = ""
    if fault.code == "bad-left-count" and not turn.count:
        return replace(fault, message="left draws are missing: expected a number, as in left=6")
    if fault.code == "unknown-word" and not (word.isascii() and word.isalpha()):
        hint = ": words have only the letters a to z"
    elif fault.code == "unknown-word":
        hint = rules.where_listed(word)
    elif fault.code == "play-word-mismatch" and len(tiles) != len(word):
        hint = f": it has {counted(len(tiles), 'tile')}, expected {len(word)}, one for each letter"
    elif fault.code == "play-word-mismatch":
        pairs = zip(tiles, word, strict=True)
        at = [tile in (letter, core.BLANK) for tile, letter in pairs].index(False)
        hint = f": position {at + 1} has {tiles[at]!r}, expected {word[at]!r} or a blank"
    return replace(fault, message=fault.message + hint)


def _false_claims(turns: Sequence[Played], claims: Sequence[Claim]) -> Iterator[Fault]:
    """Yield a fault for each claim that is wrong.

    A claim of points is right if it is the score of its turn, or the total so far.
    """
    for claim in claims:
        turn = turns[(claim.turns or len(turns)) - 1]
        if claim.name == "right":
            drawn = len(turn.right)
            if turn.after is not None and claim.value != drawn:
                what = f"{quote(claim.value)} right draws: expected {drawn}, which fill the rack"
                yield Fault(claim.line, "bad-right-count", what)
            continue
        right = [turn.total]
        expected = f"{turn.total}"
        if claim.turns:
            right.append(turn.score)
            expected = f"{turn.score} for the turn, or {turn.total} so far"
        if type(claim.value) is not int or claim.value not in right:
            message = f"claims a score of {quote(claim.value)}: expected {expected}"
            yield Fault(claim.line, "score-claim", message)


_NUMBER = re.compile(
    r"[+-]?[0-9]{1,3}(?:[ ,.'\u00a0][0-9]{3})+(?![0-9])|[+-]?[0-9]++(?:[.,][0-9]++)?"
)
_POINTS = re.compile(r"\b(?:points?|pts|scored?|total|sum|result)\b", re.IGNORECASE)
_SCORE_COMMENT = re.compile(r"#[\s#]*(?:total\s+)?score\b[\s:=]*", re.IGNORECASE)
_LEAST_TOTAL = 10  # smaller numbers near points count something else


def claim_in(comment: str) -> object:
    """Return the score that a comment such as `# score 1042` claims; None for another comment."""
    head = _SCORE_COMMENT.match(comment[:_LONGEST_CLAIM])
    number = head and _NUMBER.match(comment, head.end())
    return whole(number[0]) if number else None


def mentioned(line: str) -> list[int]:
    """Return the numbers in a line of talk that mentions points, the largest first."""
    line = line[:_LONGEST_CLAIM]
    if not _POINTS.search(line):
        return []
    numbers = {whole(match[0]) for match in _NUMBER.finditer(line)}
    found = (one for one in numbers if isinstance(one, int) and one >= _LEAST_TOTAL)
    return sorted(found, reverse=True)


def whole(text: str) -> object:
    """Return the whole number that digits say, grouped or not, or else the text."""
    groups = re.split("[ ,.'\u00a0]", text)
    digits = text
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
        digits = "".join(groups)
    digits = re.sub(r"[.,]0*$", "", digits)
    return int(digits) if re.fullmatch("[+-]?0*[0-9]{1,9}", digits) else text
