"""From the bytes of a solution file to its lines. Nothing is refused here: what is wrong becomes a violation."""

import json
import re
from dataclasses import dataclass, field

from verify.verdict import Violation

_SCORE_CLAIM = re.compile(r"#\s*(?:total\s+)?score\s*[:=]?\s*([0-9]{1,9})(?:\s+points)?\s*$", re.IGNORECASE)
_PUZZLE_NAME = re.compile(r"#\s*puzzle\s*[:=]?\s*(\S.*?)\s*$", re.IGNORECASE)
_QUOTED = 40
_EMPTY = Violation(0, "empty", "no turn: expected lines such as '6 s?l?mnize solemnize'")


@dataclass(frozen=True)
class TurnLine:
    """The three fields of a line, as they stand there (play and word in lower case).

    malformed: the line had more or fewer fields, and these are a guess; `left` is empty where none could be a count.
    """

    line: int
    left: str
    play: str
    word: str
    malformed: bool = False


@dataclass
class SolutionText:
    """A solution file, read. claims: (line, score) of `# score N` comments; puzzle: of a `# puzzle NAME` comment."""

    turns: list[TurnLine] = field(default_factory=list)
    claims: list[tuple[int, int]] = field(default_factory=list)
    puzzle: str | None = None
    violations: list[Violation] = field(default_factory=list)


def parse(content: bytes) -> SolutionText:
    """Read a solution. Upper case, blank lines, `#` comments, CRLF, tabs and a byte-order mark are fine.

    So is the JSON object that `rowdraw solve --json` prints; its lines are the turns.
    """
    text = SolutionText()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and _read_json(text, content):
        return text
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            text.violations.append(
                Violation(number, "not-utf8", f"byte {error.start + 1} of the line, {raw[error.start]:#04x}, is no UTF-8")
            )
            line = raw.decode("utf-8", "replace")
        line = line.strip()
        if line.startswith("#"):
            _read_comment(text, number, line)
        elif line:
            _read_turn(text, number, line)
    if not text.turns and not text.violations:
        text.violations.append(_EMPTY)
    return text


def _read_json(text: SolutionText, content: bytes) -> bool:
    """Read a JSON object with "turns"; false where it is none."""
    try:
        fields = json.loads(content.decode("utf-8-sig"))
        turns = [
            TurnLine(number, str(turn["left"]), turn["play"].lower(), turn["word"].lower())
            for number, turn in enumerate(fields["turns"], start=1)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    text.turns = turns
    if isinstance(fields.get("score"), int):
        text.claims.append((0, fields["score"]))
    if isinstance(fields.get("puzzle"), str):
        text.puzzle = fields["puzzle"]
    if not turns:
        text.violations.append(_EMPTY)
    return True


def quote(token: str) -> str:
    """`token` in quotes, cut to a readable length."""
    return repr(token if len(token) <= _QUOTED else token[: _QUOTED - 1] + "…")


def _read_comment(text: SolutionText, number: int, line: str) -> None:
    if claim := _SCORE_CLAIM.match(line):
        text.claims.append((number, int(claim[1])))
    elif (name := _PUZZLE_NAME.match(line)) and text.puzzle is None:
        text.puzzle = name[1]


def _read_turn(text: SolutionText, number: int, line: str) -> None:
    fields = line.split()
    malformed = len(fields) != 3
    if malformed:
        text.violations.append(
            Violation(
                number,
                "malformed-line",
                f"{quote(line)} has {len(fields)} field{'s' if len(fields) != 1 else ''}: "
                "expected three, left draws, play and word",
            )
        )
        fields = _likely_fields(fields)
    left, play, word = fields[:3]
    text.turns.append(TurnLine(number, left, play.lower(), word.lower(), malformed))


def _likely_fields(fields: list[str]) -> list[str]:
    """Three fields where there are more or fewer: a lone word is play and word, a missing count is left open."""
    if len(fields) > 3:
        return fields[:3]
    if len(fields) == 2 and not fields[0][:1].isdigit():
        return ["", *fields]
    counts = fields[:1] if fields[0][:1].isdigit() else []
    others = fields[len(counts) :] or [""]
    return [*(counts or [""]), others[0], others[0]]
