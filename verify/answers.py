"""Judges answers of every form: each is turned into turns, and the core decides.

The challenge's format is read first, and what is valid in it stays so; then JSON; then posts, see `verify.posts`.
"""

import io
import re
from dataclasses import replace
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import Any

from verify import core
from verify.core import Fault, Turn
from verify.explain import Answer, Claim, Faults, Verdict, claimed, judge_answer
from verify.files import json_value
from verify.rules import Rules, RulesError
from verify.stated import RULES, RulesOf, Stated, stated_in, stated_rules, statement
from verify.text import lower, printable, quote

_MOST_LINES = 100_000  # that are read; a game has ten thousand turns at most
_MOST_NESTING = 100_000  # objects and lists of a JSON answer
_INNER_CAPITAL = re.compile(r"^[ \t]*\d+[ \t]+[a-z?]+[A-Z]", re.MULTILINE)
_IN_PAGE = re.compile(r'<(?:metadata|script type="text/plain") class="rowdraw-game">([^<]*)</')
_NO_FILE = "the answer"
_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def judge(
    answer: bytes | str, rules: Rules | None = None, file: str = "-", strict: bool = False
) -> Verdict:
    """Return the verdict on the answer in a text: in the challenge's format, in JSON, or in a post.

    Never raises, whatever the text holds. A text with several answers is invalid: `judge_all` separates them.

    Args:
        answer: The text.
        rules: None for the rules that the answer states, and without any those of the bundled challenge.
        file: The name in the verdict.
        strict: Whether to accept only the challenge's format.
    """
    verdicts = judge_all(answer, rules, file, strict)
    if len(verdicts) == 1:
        return verdicts[0]
    first, second = verdicts[:2]
    line = second.turns[0].line if second.turns else 0
    fault = Fault(
        line,
        "several-answers",
        f"the second of {len(verdicts):,} answers begins here: expected one",
    )
    return replace(
        first, file=file, faults=Faults.of([*first.violations, fault], first.faults.more)
    )


def judge_all(
    answer: bytes | str, rules: Rules | None = None, file: str = "-", strict: bool = False
) -> list[Verdict]:
    """Return the verdicts on all answers in a text, at least one; several are named `FILE#1`, `FILE#2` and so on.

    Never raises. The arguments are those of `judge`.
    """
    content = answer.encode("utf-8", "surrogatepass") if isinstance(answer, str) else answer
    rules_of: RulesOf = rules_by_statement if rules is None else lambda _stated: rules
    none = Answer(Stated(), rules_of(Stated()))
    try:
        return judge_file(content, rules_of, file, strict) or [judge_answer(none, file)]
    except RulesError as error:
        none.faults.append(_unknown_puzzle(error, _NO_FILE))
        return [judge_answer(none, file)]


@lru_cache(maxsize=64)
def rules_by_statement(stated: Stated) -> Rules:
    """Return the rules that an answer states, else those of the bundled challenge. Raises `RulesError`."""
    return stated_rules(stated, None, _NO_FILE)


def judge_file(content: bytes, rules_of: RulesOf, file: str, strict: bool = False) -> list[Verdict]:
    """Return the verdicts on all answers in a file; none for a file without a turn.

    Raises the error of `rules_of`, but not where another answer in the file names a known puzzle.
    """
    answers = _answers(content, rules_of, strict)
    if (
        answers
        and (error := answers[0].error) is not None
        and all(answer.error for answer in answers)
    ):
        raise error
    verdicts = []
    for number, answer in enumerate(answers, start=1):
        if answer.error is not None:
            answer.faults.append(_unknown_puzzle(answer.error, file))
        if len(answers) == 1:
            answer.name = ""
        verdicts.append(judge_answer(answer, f"{file}#{number}" if len(answers) > 1 else file))
    return verdicts


def stated_rules_of(content: bytes, number: int | None = None) -> Stated:
    """Return the rules that an answer in a file states. number: which answer, from 1; None for the first."""
    answers = _answers(content, rules_by_statement, strict=False) or [
        _plain(_decoded(content), rules_by_statement)[0]
    ]
    return answers[min(number or 1, len(answers)) - 1].stated


def _answers(content: bytes, rules_of: RulesOf, strict: bool) -> list[Answer]:
    """Return the answers in a file: in JSON, in the challenge's format if that makes a valid answer, else in a post."""
    objects = None if strict else _objects(content)
    if objects is not None:
        return [_from_json(fields, rules_of) for fields in objects]
    content, has_more = _first_lines(content)
    text = _decoded(content) if strict else _shown_games(_decoded(content))
    plain, is_whole = _plain(text, rules_of)
    is_valid = plain.error is None and judge_answer(plain, "").valid
    if has_more:
        what = f"this line and those after it are not read: expected at most {_MOST_LINES:,} lines"
        plain.faults.append(Fault(_MOST_LINES + 1, "too-many-lines", what))
    if strict or has_more or (is_whole and is_valid):
        return [plain]
    from verify.posts import answers_in

    is_plain = bool(plain.turns) and all(turn.play and turn.count.isdigit() for turn in plain.turns)
    return answers_in(text, rules_of) or ([plain] if is_plain else [])


def _unknown_puzzle(error: RulesError, file: str) -> Fault:
    """Return the fault of an answer whose rules cannot be used. file: the one that the error names, as the verdict does."""
    place = f"{file}:{error.line}: " if error.line else f"{file}: "
    return Fault(error.line, "unknown-puzzle", printable(str(error).removeprefix(place)))


def _decoded(content: bytes) -> str:
    """Return the text of a file; bytes that are no UTF-8 are replaced."""
    if (encoding := _BOMS.get(content[:2])) is not None:
        text = content[2:].decode(encoding, "replace")
    else:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _first_lines(content: bytes) -> tuple[bytes, bool]:
    """Return the lines of a file that are read, and whether it has more: all of them may not fit into memory."""
    if content.count(b"\n") + content.count(b"\r") <= _MOST_LINES:
        return content, False
    lines = io.BytesIO(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    first = b"".join(islice(lines, _MOST_LINES))
    return first, lines.tell() < lines.getbuffer().nbytes


def _shown_games(text: str) -> str:
    """Return the games in a page or a picture of rowdraw, each in the challenge's format in its line; another text as it is."""
    shown = _IN_PAGE.search(text) if text.lstrip().startswith("<") else None
    return (
        text if shown is None else "\n" * text.count("\n", 0, shown.start(1)) + unescape(shown[1])
    )


def _plain(text: str, rules_of: RulesOf) -> tuple[Answer, bool]:
    """Return the answer in the challenge's format; and false if a rule after a turn may begin another answer."""
    turns = core.turns_of(text)
    first = turns[0].line if turns else _MOST_LINES
    lines = ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1))
    comments = [(number, line, *statement(line)) for number, line in lines if line.startswith("#")]
    stated = Stated()
    for number, comment, fields, _clause in comments:
        if number < first:
            stated = stated.with_rule(number, comment, fields)
    answer = Answer.by(stated, rules_of)
    answer.turns = turns
    answer.note_turns()
    if _INNER_CAPITAL.search(text):
        answer.reading.notes.append("capitals are read as letters")
    for number, comment, fields, clause in comments:
        if fields and number < first:
            answer.reading.taken.append((number, f"a header: {comment}"))
        elif fields:
            answer.reading.notes.append(
                f"line {number}: {quote(comment)} is ignored: a rule is expected before the first turn"
            )
        elif scores := claimed(comment):
            answer.claims.append(Claim(number, scores, sum(turn.line < number for turn in turns)))
            answer.reading.taken.append((number, f"a claim: {comment}"))
        else:
            answer.reading.passed.append((number, comment))
            answer.reading.notes += (
                [f"line {number}: {clause}"] if clause and number < first else []
            )
    return answer, not any(
        fields and number > first for number, _comment, fields, _clause in comments
    )


def _objects(content: bytes) -> "list[_Object] | None":
    """Return the answers of JSON: an object with "turns", as `rowdraw solve --json` prints, or a list of them; else None."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return None
    try:
        value = json_value(content, _MOST_NESTING, object_pairs_hook=_Object, parse_int=_whole)
    except ValueError:
        return None
    objects = value if isinstance(value, list) else [value]
    are_answers = all(
        isinstance(fields, dict) and isinstance(fields.get("turns"), list) for fields in objects
    )
    return objects if objects and are_answers else None


def _whole(text: str) -> int | str:
    """Return a number of JSON; one of thousands of digits as its text, which no rule and no claim is."""
    return int(text) if len(text) < 1_000 else text


class _Object(dict[str, Any]):
    """An object of JSON. twice: a clause for each name that it gives two values."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        differing = [(name, value) for name, value in pairs if value != self[name]]
        self.twice = [
            f"{quote(name)} is both {quote(value)} and {quote(self[name])}"
            for name, value in differing
        ]


def _from_json(fields: _Object, rules_of: RulesOf) -> Answer:
    """Return the answer in a JSON object; an entry that is no turn is a malformed line. The number of a turn is its line."""
    answer = Answer.by(stated_in(fields), rules_of)
    answer.faults += [
        Fault(0, "contradictory-rules", f"{what}: expected it once") for what in fields.twice
    ]
    misplaced = [name for name in RULES if name != "row" and name in fields]
    answer.reading.notes = [
        f"{name} = {quote(fields[name])} is ignored: expected it among the rules"
        for name in misplaced
    ]
    for number, entry in enumerate(fields["turns"], start=1):
        turn = entry if isinstance(entry, dict) else {}
        play, word = turn.get("play"), turn.get("word")
        if "left" in turn and isinstance(play, str) and isinstance(word, str):
            answer.turns.append(Turn(number, str(turn["left"]), lower(play), lower(word)))
        else:
            answer.turns.append(Turn(number, str(entry), "", ""))
        if turn.get("score") is not None:
            answer.claims.append(Claim(number, [turn["score"]], number))
    if fields.get("score") is not None:
        answer.claims.append(Claim(0, [fields["score"]], 0))
    answer.note_turns()
    return answer
