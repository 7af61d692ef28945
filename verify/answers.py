"""Judges answers of every form: each is turned into turns, and the core decides.

The challenge's format is read first, and what is valid in it stays so; then JSON; then posts, see
`verify.posts`.
"""

import io
import re
from dataclasses import replace
from functools import lru_cache
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from verify import core
from verify.core import Fault, Turn
from verify.explain import (
    Answer,
    Claim,
    Faults,
    Reading,
    Verdict,
    claim_in,
    judge_answer,
)
from verify.files import LARGEST_TEXT, json_value, read_file, text_bytes
from verify.rules import Rules, RulesError
from verify.stated import RULES, RulesOf, Stated, stated_in, stated_rules, statement
from verify.text import lower, placed, printable, quote

_MOST_LINES = 100_000  # that are read; a game has ten thousand turns at most
_MOST_NESTING = 100_000  # objects and lists of a JSON answer
_INNER_CAPITAL = re.compile(r"^[ \t]*\d+[ \t]+[a-z?]+[A-Z]", re.MULTILINE)
_IN_PAGE = re.compile(r'<(?:metadata|script type="text/plain") class="rowdraw-game">([^<]*)</')
_NO_FILE = "the answer"


class Written(Protocol):
    """What can be written as an answer, such as a solver's result."""

    def text(self) -> str:
        """Return the answer in the challenge's format."""


def judge(
    answer: bytes | str | Path | Written,
    rules: Rules | None = None,
    file: str = "-",
    strict: bool = False,
) -> Verdict:
    """Return the verdict on the answer in a text: in the challenge's format, in JSON, or in a post.

    Never raises, whatever a text holds. A text with several answers is invalid: `judge_all`
    separates them.

    Args:
        answer: The text, the path of its file, or a result of the solver.
        rules: None for the rules that the answer states, and without any those of the bundled
            challenge.
        file: The name in the verdict.
        strict: Whether to accept only the challenge's format.

    Raises:
        OSError: The file of a path cannot be read.
        TypeError: `answer` is none of these.
    """
    first, *others = judge_all(answer, rules, file, strict)
    if not others:
        return first
    line = others[0].turns[0].line if others[0].turns else 0
    what = f"the second of {len(others) + 1:,} answers begins here: expected one"
    fault = Fault(line, "several-answers", what)
    faults = Faults.of([*first.violations, fault], first.faults.more)
    return replace(first, file=file, faults=faults)


def judge_all(
    answer: bytes | str | Path | Written,
    rules: Rules | None = None,
    file: str = "-",
    strict: bool = False,
) -> list[Verdict]:
    """Return the verdicts on all answers in a text, at least one; several are named `FILE#1`...

    The arguments and errors are those of `judge`.
    """
    if isinstance(answer, Path) and file == "-":
        file = str(answer)
    content = _content(answer)
    rules_of: RulesOf = rules_by_statement if rules is None else lambda _stated: rules
    none = Answer.by(Stated(), rules_of)
    verdicts: list[Verdict] = []
    try:
        verdicts = judge_file(text_bytes(content, file), rules_of, file, strict)
    except RulesError as error:
        none.faults.append(_unknown_puzzle(error, _NO_FILE))
    except OSError as error:
        none.faults.append(Fault(0, "not-text", str(error.strerror)))
    if isinstance(answer, str) and not verdicts and not none.faults and _is_name(answer):
        what = f"no turn: {quote(answer)} is the name of a file: pass it as a pathlib.Path"
        none.faults.append(Fault(0, "empty", what))
    return verdicts or [judge_answer(none, file)]


def _content(answer: object) -> bytes:
    """Return the bytes of what a caller passes. Raises as `judge` does."""
    if isinstance(answer, Path):
        return read_file(answer, LARGEST_TEXT)
    text = answer
    if callable(written := getattr(answer, "text", None)):
        text = written()
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if not isinstance(text, bytes):
        kind = type(answer).__name__
        raise TypeError(f"{kind}: expected an answer as text or bytes, a Path, or a result")
    return text


def _is_name(text: str) -> bool:
    """Whether a text is the name of an existing file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=64)
def rules_by_statement(stated: Stated) -> Rules:
    """Return the rules that an answer states, else those of the challenge. Raises `RulesError`."""
    return stated_rules(stated, None, _NO_FILE)


def judge_file(content: bytes, rules_of: RulesOf, file: str, strict: bool = False) -> list[Verdict]:
    """Return the verdicts on all answers in a file; none for a file without a turn.

    Raises the error of `rules_of`, but not where another answer in the file names a known puzzle.
    """
    answers = _answers(content, rules_of, strict)
    errors = [answer.error for answer in answers if answer.error is not None]
    if errors and len(errors) == len(answers):
        raise errors[0]
    for answer in answers:
        if answer.error is not None:
            answer.faults.append(_unknown_puzzle(answer.error, file))
    if len(answers) == 1:
        return [replace(judge_answer(answers[0], file), name="")]
    return [
        judge_answer(answer, f"{file}#{number}") for number, answer in enumerate(answers, start=1)
    ]


def stated_rules_of(content: bytes, number: int | None = None) -> Stated:
    """Return the rules that an answer in a file states. number: which one, from 1; None for 1."""
    answers = _answers(content, rules_by_statement, strict=False)
    if not answers:
        return _plain(_text(content)[0], rules_by_statement)[0].stated
    return answers[min(number or 1, len(answers)) - 1].stated


def _answers(content: bytes, rules_of: RulesOf, strict: bool) -> list[Answer]:
    """Return the answers in a file.

    They are in JSON, in the challenge's format if that makes a valid answer, else in a post.
    """
    if not strict and (objects := _objects(content)):
        return [_from_json(fields, rules_of) for fields in objects]
    text, has_more = _text(content)
    if not strict:
        text = _shown_games(text)
    plain, is_whole = _plain(text, rules_of)
    is_valid = plain.error is None and judge_answer(plain, "").valid
    if has_more:
        what = f"this line and those after it are not read: expected at most {_MOST_LINES:,} lines"
        plain.faults.append(Fault(_MOST_LINES + 1, "too-many-lines", what))
    if strict or has_more or (is_whole and is_valid):
        return [plain]
    from verify.posts import answers_in

    answers = answers_in(text, rules_of)
    is_plain = bool(plain.turns) and all(turn.play and turn.count.isdigit() for turn in plain.turns)
    if is_plain and not answers:
        return [plain]
    return answers


def _unknown_puzzle(error: RulesError, file: str) -> Fault:
    """Return the fault of an answer whose rules cannot be used.

    file: The one that the error names, as the verdict does.
    """
    message = str(error).removeprefix(f"{placed(file, error.line)}: ")
    return Fault(error.line, "unknown-puzzle", printable(message))


def _text(content: bytes) -> tuple[str, bool]:
    """Return the text of the lines of a file that are read, and whether it has more.

    All of them may not fit into memory. Bytes that the encoding does not know are replaced.
    """
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", "replace")
    text = "".join(islice(lines, _MOST_LINES))
    return text, bool(lines.read(1))


def _shown_games(text: str) -> str:
    """Return the games in pages and pictures of rowdraw, and what follows these, in their lines.

    A text that does not begin with one stays as it is. Each game is in the challenge's format.
    """
    games = [*_IN_PAGE.finditer(text)] if text.lstrip().startswith("<") else []
    if not games:
        return text
    parts = [(game.start(1), unescape(game[1]), game.end(1)) for game in games]
    end = max(games[-1].end(), text.rfind("</html>"), text.rfind("</svg>"))
    parts.append((end, text[end:], len(text)))
    shown = ""
    at = 0
    for begin, part, after in parts:
        shown += "\n" * text.count("\n", at, begin) + part
        at = after
    return shown


def _plain(text: str, rules_of: RulesOf) -> tuple[Answer, bool]:
    """Return the answer in the challenge's format.

    Also returns false if a rule after a turn may begin another answer.
    """
    turns = core.turns_of(text)
    first = turns[0].line if turns else _MOST_LINES
    stated = Stated()
    claims = []
    reading = Reading()
    reading.note_turns(turns)
    if _INNER_CAPITAL.search(text):
        reading.notes.append("capitals are read as letters")
    is_whole = True
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        if not line.startswith("#"):
            continue
        fields, clause = statement(line)
        if fields and number < first:
            stated = stated.with_rule(number, line, fields)
            reading.taken.append((number, f"a header: {line}"))
        elif fields:
            is_whole = False
            ignored = f"{quote(line)} is ignored: a rule is expected before the first turn"
            reading.notes.append(f"line {number}: {ignored}")
        elif (score := claim_in(line)) is not None:
            claims.append(Claim(number, score))
            reading.taken.append((number, f"a claim: {line}"))
        else:
            reading.passed.append((number, line))
            if clause and number < first:
                reading.notes.append(f"line {number}: {clause}")
    answer = Answer.by(stated, rules_of, turns=turns, claims=claims, reading=reading)
    return answer, is_whole


def _objects(content: bytes) -> "list[_Object]":
    """Return the answers of JSON: objects with "turns", as `rowdraw solve --json` prints.

    Empty for a text that is not JSON, or holds anything else.
    """
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return []
    try:
        value = json_value(content, _MOST_NESTING, object_pairs_hook=_Object, parse_int=_whole)
    except ValueError:
        return []
    objects = value if isinstance(value, list) else [value]
    for fields in objects:
        if not isinstance(fields, dict) or not isinstance(fields.get("turns"), list):
            return []
        # turns with other names are read as those of a post
        first = fields["turns"][:1]
        if any(isinstance(turn, dict) and not turn.keys() >= {"left", "play"} for turn in first):
            return []
    return objects


def _whole(text: str) -> int | str:
    """Return a number of JSON; one of thousands of digits, no rule and no claim, as its text."""
    if len(text) < 1_000:
        return int(text)
    return text


class _Object(dict[str, Any]):
    """An object of JSON. twice: a clause for each name that it gives two values."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = [
            f"{quote(name)} is both {quote(value)} and {quote(self[name])}"
            for name, value in pairs
            if value != self[name]
        ]


def _from_json(fields: _Object, rules_of: RulesOf) -> Answer:
    """Return the answer in a JSON object; an entry that is no turn is a malformed line.

    The number of a turn is its line.
    """
    answer = Answer.by(stated_in(fields), rules_of)
    for clause in fields.twice:
        answer.faults.append(Fault(0, "contradictory-rules", f"{clause}: expected it once"))
    for name in RULES:
        if name != "row" and name in fields:
            ignored = f"{name} = {quote(fields[name])} is ignored"
            answer.reading.notes.append(f"{ignored}: expected it among the rules")
    for number, entry in enumerate(fields["turns"], start=1):
        match entry:
            case {"left": left, "play": str(play), "word": str(word)}:
                answer.turns.append(Turn(number, str(left), lower(play), lower(word)))
            case _:
                answer.turns.append(Turn(number, str(entry), "", ""))
        for name in ("right", "score"):
            if isinstance(entry, dict) and entry.get(name) is not None:
                answer.claims.append(Claim(number, entry[name], number, name))
    if fields.get("score") is not None:
        answer.claims.append(Claim(0, fields["score"]))
    answer.reading.note_turns(answer.turns)
    return answer
