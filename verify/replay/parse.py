"""Reads the lines of a solution file from its bytes, and makes a violation of each error."""

import io
import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

from verify.reading import json_value
from verify.replay.stated import RULES, Stated, rule_in, stated_by, stated_in
from verify.replay.verdict import Violation
from verify.text import counted, lower, quote

# a comment is matched only up to this length, so that the patterns stay quick for any file
_LONGEST_COMMENT = 12_000
_FIRST_TURNS = 100  # lines searched for the first turn of an answer
_MOST_NOTES = 20
_LONGEST_LINE = 10_000  # characters of a turn
MOST_LINES = 100_000  # lines that are read; a game has ten thousand turns at most
MOST_NESTING = 100_000  # objects and lists of a JSON answer
_SCORE_CLAIM = re.compile(
    r"# ?(?:total )?score ?[:=]? ?([+-]?[0-9][0-9,]*(?:\.[0-9]*)?)(?: ?(?:points|pts)\.?)?", re.IGNORECASE
)
# names of files may have more than one space in them
_PUZZLE_NAME = re.compile(r"#\s*puzzle(?:\s*[:=]\s*|\s+)(\S.*)", re.IGNORECASE)
_ROW = re.compile(r"# ?row(?: ?[:=] ?| )(\S+)", re.IGNORECASE)
_ANSWER = re.compile(r"# ?answer [0-9]{1,9}(?::.*)?", re.IGNORECASE)  # what `rowdraw solve --top` writes before each
NO_RULES = frozenset({None, "score", "answer"})
"""The values of `comment_of` for comments that state no rule."""
_EMPTY = Violation(0, "empty", "no turn: expected lines such as '6 s?l?mnize solemnize'")


@dataclass(frozen=True)
class TurnLine:
    """The three fields of a line, as written (play and word in lower case).

    malformed: the line had more or fewer fields, and these are a guess; `left` is empty where none could be a count.
    score, total: the claims for the turn and for all turns so far; None without a claim.
    """

    line: int
    left: str
    play: str
    word: str
    malformed: bool = False
    score: object = None
    total: object = None


@dataclass
class SolutionText:
    """A parsed solution file.

    claims: (line, score) of `# score N` comments, and of posts that say it in words.
    running: (line, score) of claims before further turns: of the game, or of the turns so far.
    stated: the rules that the file states.
    notes: sentences about comments that are ignored.
    unread: the number of turns beyond the longest possible game, which are not read.
    is_json: it was a JSON object; lines are numbers of turns then.
    """

    turns: list[TurnLine] = field(default_factory=list)
    claims: list[tuple[int, object]] = field(default_factory=list)
    running: list[tuple[int, object]] = field(default_factory=list)
    stated: Stated = field(default_factory=Stated)
    violations: list[Violation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unread: int = 0
    is_json: bool = False

    def state(self, number: int, comment: str, fields: dict[str, Any]) -> None:
        """Take over the rule that `comment` in line `number` states.

        A comment behind a turn states no rule of the turns above it, and one that contradicts an earlier one is a fault.
        """
        if all(getattr(self.stated, name) == value for name, value in fields.items()):
            return
        name = next(iter(fields))
        earlier = dict(self.stated.lines).get(name)
        # prose of three words has no count
        played = (turn for turn in self.turns[:_FIRST_TURNS] if not turn.malformed and any(map(str.isdigit, turn.left)))
        if any(turn.line < number for turn in played):
            what = f"line {number}: {quote(comment)} is ignored: a rule stands before the first turn of its answer"
            if len(self.notes) < _MOST_NOTES:
                last = len(self.notes) == _MOST_NOTES - 1
                self.notes.append("further rules behind the first turn are ignored as well" if last else what)
        elif earlier is not None:
            known = quote(getattr(self.stated, name))
            what = f"{quote(comment)} contradicts line {earlier}, which says {name} {known}: expected one of them"
            self.violations.append(Violation(number, "contradictory-rules", what))
        else:
            self.stated = replace(self.stated, **fields, lines=(*self.stated.lines, (name, number)))


def parse(content: bytes) -> SolutionText:
    """Read a solution. Upper case, blank lines, `#` comments, CRLF, tabs and a byte-order mark are allowed.

    The JSON object that `rowdraw solve --json` prints is allowed, too; then the number of a turn counts as its line.
    """
    text = SolutionText()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and _read_json(text, content):
        return text
    content = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # a list of all lines would take many times the memory of the file
    lines = io.BytesIO(content)
    for number, raw in enumerate(lines, start=1):
        if number > MOST_LINES:
            text.unread = sum(1 for line in chain([raw], lines) if (turn := line.strip()) and not turn.startswith(b"#"))
            break
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            text.violations.append(not_utf8(number, raw, error))
            line = raw.decode("utf-8", "replace")
        line = line.strip()
        if line.startswith("#"):
            read_comment(text, number, line)
        elif line:
            read_turn(text, number, line)
    if not text.turns and not text.violations:
        text.violations.append(_EMPTY)
    return text


def not_utf8(number: int, raw: bytes, error: UnicodeDecodeError) -> Violation:
    """Return the fault of line `number`, which is not UTF-8."""
    return Violation(number, "not-utf8", f"byte {error.start + 1} of the line, {raw[error.start]:#04x}, is not UTF-8")


def _read_json(text: SolutionText, content: bytes) -> bool:
    """Read a JSON object with "turns"; returns false for other content."""
    twice: list[str] = []
    try:
        _read_fields(text, json_value(content, MOST_NESTING, object_pairs_hook=partial(_object, twice)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    text.violations += [Violation(0, "contradictory-rules", f"{what}: expected it once") for what in dict.fromkeys(twice)]
    return True


def _object(twice: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; `twice` gets a clause for each name that it gives two values."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields and fields[name] != value:
            twice.append(f"{quote(name)} is both {quote(fields[name])} and {quote(value)}")
        fields[name] = value
    return fields


def _read_fields(text: SolutionText, fields: Any) -> None:
    """Read a JSON object. Where it is no answer, raises one of several errors and leaves `text` unchanged."""
    turns = [
        TurnLine(number, str(turn["left"]), lower(turn["play"]), lower(turn["word"]), score=turn.get("score"))
        for number, turn in enumerate(fields["turns"], start=1)
    ]
    text.is_json = True
    text.turns = turns
    if "score" in fields:
        text.claims.append((0, fields["score"]))
    text.stated, wrong = stated_in(fields)
    text.violations += [Violation(0, "unknown-puzzle", what) for what in wrong]
    misplaced = [name for name in RULES if name != "row" and name in fields]
    text.notes += [f"{name} = {quote(fields[name])} is ignored: expected it among the rules" for name in misplaced]
    if not turns:
        text.violations.append(_EMPTY)


def parse_list(content: bytes) -> list[SolutionText] | None:
    """Return the answers in a list of JSON objects; None for other content."""
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        return None
    try:
        objects = json_value(content, MOST_NESTING)
        texts = [SolutionText() for _ in objects]
        for text, fields in zip(texts, objects, strict=True):
            _read_fields(text, fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return texts or None


def comment_of(line: str) -> str | None:
    """Return what a comment states: `score`, `puzzle`, `row`, a rule, or `answer` where one begins; None for a remark."""
    line = line[:_LONGEST_COMMENT]
    comment = " ".join(line.split())
    if _SCORE_CLAIM.fullmatch(comment):
        return "score"
    if _PUZZLE_NAME.fullmatch(line):
        return "puzzle"
    if _ROW.fullmatch(comment):
        return "row"
    return "answer" if _ANSWER.fullmatch(comment) else rule_in(comment)


def read_comment(text: SolutionText, number: int, line: str) -> None:
    """Take over the statement in the comment of line `number`."""
    line = line[:_LONGEST_COMMENT]
    comment = " ".join(line.split())
    if claim := _SCORE_CLAIM.fullmatch(comment):
        whole = re.fullmatch(r"([+-]?)0*([0-9]{1,9})", claim[1].replace(",", "").removesuffix("."))
        text.claims.append((number, int(whole[1] + whole[2]) if whole else claim[1]))
    elif name := _PUZZLE_NAME.fullmatch(line):
        text.state(number, line, {"puzzle": name[1]})
    elif row := _ROW.fullmatch(comment):
        text.state(number, line, {"row": row[1].lower()})
    elif rule_in(comment) is not None:
        try:
            text.state(number, line, stated_by(comment))
        except ValueError as error:
            text.violations.append(Violation(number, "unknown-puzzle", str(error)))


def read_turn(text: SolutionText, number: int, line: str) -> None:
    """Read a turn of the plain format; what is wrong with it becomes a violation."""
    if len(line) > _LONGEST_LINE:
        what = f"{quote(line)} has {len(line):,} characters: expected three fields, left draws, play and word"
        text.violations.append(Violation(number, "malformed-line", what))
        return
    fields = line.split()
    malformed = len(fields) != 3
    if malformed:
        what = f"{quote(line)} has {counted(len(fields), 'field')}: expected three, left draws, play and word"
        text.violations.append(Violation(number, "malformed-line", what))
        fields = _likely_fields(fields)
    left, play, word = fields[:3]
    text.turns.append(TurnLine(number, left, lower(play), lower(word), malformed))


def _likely_fields(fields: list[str]) -> list[str]:
    """Return three fields from more or fewer: a single word is play and word, and a missing number stays empty."""
    if len(fields) > 3:
        return fields[:3]
    if len(fields) == 2 and not fields[0][:1].isdigit():
        return ["", *fields]
    counts = fields[:1] if fields[0][:1].isdigit() else []
    others = fields[len(counts) :] or [""]
    return [*(counts or [""]), others[0], others[0]]
