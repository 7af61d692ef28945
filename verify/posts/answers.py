"""Judges posts: chooses the reading, and decides where one answer ends and the next begins.

The plain format is read first; what is valid in it stays so. Otherwise the turns are taken out of the post. Of several possible
readings the referee takes the valid one, and the verdict says so. Two valid ones with different scores are a fault.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from verify.posts.lines import LineKind, item_of
from verify.posts.markup import lines_of
from verify.posts.posts import MOST_LINES, MOST_NOTED, Cut, Piece, decoded, read_post
from verify.posts.readings import CASE, Way, has_inner_capitals, taken, text_of, ways
from verify.replay.misspelt import misspelt_rule
from verify.replay.parse import NO_RULES, SolutionText, comment_of, parse, parse_list
from verify.replay.referee import judge_text
from verify.replay.rules import Rules, RulesError
from verify.replay.stated import Stated, stated_rules
from verify.replay.verdict import Reading, Verdict, Violation, Violations
from verify.text import printable, quote

_NO_FILE = "the answer"
_FEW = 8  # answers of up to this number of pieces are always tried together
_NO_CHANCE = 7  # tiles that can hardly be played from the first rack by chance
_ASTRAY = frozenset({"not-on-rack", "too-many-draws", "row-exhausted", "after-end"})
_MOST_TRIED = 50_000  # limit of turns judged to join pieces; beyond it they are joined

RulesOf = Callable[[SolutionText], Rules]
"""The rules for an answer, by what its header says. Raises `RulesError`."""

_CAPITALS = re.compile(rb"^[ \t]*[^\s#][^\n]*[A-Z]", re.MULTILINE)
_TURN = re.compile(rb"^[ \t]*[^\s#]", re.MULTILINE)
_HEADER = re.compile(rb"^[ \t]*#[ \t]*(?:puzzle|row|rack|values|bonus|words)\b", re.MULTILINE | re.IGNORECASE)


def judge(answer: bytes | str, rules: Rules | None = None, file: str = "-", strict: bool = False) -> Verdict:
    """Return the verdict on the answer in a text: in the plain format, or in a comment or a page with prose, tables and fences.

    Never raises, whatever the text holds. A text with several answers is invalid: `judge_all` separates them.

    Args:
        answer: The text.
        rules: None for the rules in its header, and without a header those of the bundled challenge.
        file: The name in the verdict.
        strict: Whether to read only the plain format.
    """
    verdicts = judge_all(answer, rules, file, strict)
    if len(verdicts) == 1:
        return verdicts[0]
    first, second = verdicts[:2]
    line = second.turns[0].line if second.turns else 0
    fault = Violation(line, "several-answers", f"here begins the second of {len(verdicts):,} answers: expected one")
    return replace(first, file=file, faults=Violations.of([*first.violations, fault], first.faults.more))


def judge_all(answer: bytes | str, rules: Rules | None = None, file: str = "-", strict: bool = False) -> list[Verdict]:
    """Return the verdicts on all answers in a text, at least one; several are named `FILE#1`, `FILE#2` and so on.

    Never raises. The arguments are those of `judge`.
    """
    content = answer.encode("utf-8", "surrogatepass") if isinstance(answer, str) else answer
    rules_of: RulesOf = header_rules if rules is None else lambda _text: rules
    return [verdict for verdict, _rules in judged(content, rules_of, file, strict)]


def judged(content: bytes, rules_of: RulesOf, file: str, strict: bool = False) -> list[tuple[Verdict, Rules]]:
    """Return the verdicts on all answers in a file, each with its rules.

    Raises the error of `rules_of`, but not where another answer in the file names a known puzzle.
    """
    texts = None if strict else parse_list(content)
    if texts is not None:
        verdicts = [_judged(text, _never_raising(rules_of, file), file) for text in texts]
        if _all_unknown(verdicts):
            rules_of(texts[0])
        return _numbered(verdicts)
    text = parse(content)
    only_plain = strict or text.is_json or content.count(b"\n") > MOST_LINES
    try:
        verdict, rules = _judged(text, rules_of, file)
    except RulesError:
        # other answers may name a known puzzle, or be valid by themselves
        pieces = [] if only_plain else read_post(content).pieces
        verdicts = _verdicts(_groups(pieces, _never_raising(rules_of, file), file)) if len(pieces) > 1 else []
        named = any(piece.headers for piece in pieces[1:])
        if not any(verdict.valid for verdict, _rules in verdicts) and (not named or _all_unknown(verdicts)):
            raise
        return verdicts
    plain = replace(verdict, reading=_plain_reading(content, text)), rules
    settled = plain[0].valid and not _CAPITALS.search(content) and not _has_later_header(content)
    if only_plain or settled:
        return [plain]
    post = read_post(content)
    is_plain = post.plain and not any(way.capitals != CASE for way in ways(post.pieces))
    if not post.pieces or (is_plain and len(post.pieces) == 1):
        return [plain]
    if len(post.pieces) > 1:
        rules_of = _never_raising(rules_of, file)
    groups = _groups(post.pieces, rules_of, file)
    return [plain] if is_plain and len(groups) == 1 else _verdicts(groups)


def _has_later_header(content: bytes) -> bool:
    """Whether a comment behind a turn may state a rule, so that another answer may begin there."""
    turn = _TURN.search(content)
    return turn is not None and _HEADER.search(content, turn.end()) is not None


def _verdicts(groups: Sequence[tuple[list[Piece], tuple[Verdict, Rules]]]) -> list[tuple[Verdict, Rules]]:
    """Return the verdicts on all answers of a post, with their readings."""
    return _numbered([_with_reading(group, verdict, several=len(groups) > 1) for group, verdict in groups])


def _plain_reading(content: bytes, text: SolutionText) -> Reading:
    """Return the meaning of each line of a file in the plain format."""
    taken_lines = tuple(taken([], text))
    if text.is_json or b"#" not in content or content.count(b"\n") > MOST_LINES:
        return Reading(taken=taken_lines)
    headers: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    more = 0
    for line, raw in enumerate(decoded(content).split("\n"), start=1):
        if not (comment := raw.strip()).startswith("#"):
            continue
        if (meaning := comment_of(comment)) is None:
            if len(remarks) < MOST_NOTED:
                remarks.append((line, comment))
            else:
                more += 1
        elif meaning != "score" and len(headers) < MOST_NOTED:
            headers.append((line, f"a header: {comment}"))
    notes = _misspelt(remarks, text.turns[0].line) if text.turns else ()
    return Reading(notes, (*taken_lines, *headers), tuple(remarks), more)


def _misspelt(remarks: Sequence[tuple[int, str]], turn: int) -> tuple[str, ...]:
    """Return a sentence for each comment before the first turn, in line `turn`, that seems to state a rule."""
    clauses = ((line, _clause(text)) for line, text in remarks if line < turn and text.startswith("#"))
    return tuple(f"line {line}: {clause}" for line, clause in clauses if clause)


def _clause(comment: str) -> str:
    """Return what is wrong with a comment without a meaning that seems to state a rule; empty for others."""
    if comment_of(comment) in NO_RULES:
        return misspelt_rule(comment)
    return f"{quote(comment)} is ignored, in program code or a quotation: expected a rule directly before the turns"


def _judged(text: SolutionText, rules_of: RulesOf, file: str) -> tuple[Verdict, Rules]:
    rules = rules_of(text)
    return judge_text(text, rules, file), rules


def _never_raising(rules_of: RulesOf, file: str) -> RulesOf:
    """Wrap `rules_of`: an answer to an unknown puzzle gets a fault, so that the others in its file are judged."""

    def rules(text: SolutionText) -> Rules:
        try:
            return rules_of(text)
        except RulesError as error:
            text.violations = [_fault_of(error, file)]
            text.turns, text.claims, text.running = [], [], []
            return _stated(Stated())

    return rules


def _all_unknown(verdicts: Sequence[tuple[Verdict, Rules]]) -> bool:
    """Whether every answer names an unknown puzzle."""
    return all("unknown-puzzle" in {fault.code for fault in verdict.violations} for verdict, _rules in verdicts)


def has_turns(content: bytes) -> bool:
    """Whether a line of a text is a turn of the row-draw puzzle."""
    if content.count(b"\n") > MOST_LINES:
        return False
    return any(item_of(line.text).kind is LineKind.TURN for line in lines_of(decoded(content)))


def header_rules(text: SolutionText) -> Rules:
    """Return the rules that a header states; the challenge for an unusable header, which becomes a fault."""
    try:
        return _stated(text.stated)
    except RulesError as error:
        text.violations.append(_fault_of(error, _NO_FILE))
        return _stated(Stated())


def _fault_of(error: RulesError, file: str) -> Violation:
    """Return the fault of an answer whose rules cannot be used. file: the one that the error names, as the verdict does."""
    place = f"{file}:{error.line}: " if error.line else f"{file}: "
    return Violation(error.line, "unknown-puzzle", printable(str(error).removeprefix(place)))


@lru_cache(maxsize=64)
def _stated(stated: Stated) -> Rules:
    return stated_rules(stated, None, _NO_FILE)


def _numbered(verdicts: list[tuple[Verdict, Rules]]) -> list[tuple[Verdict, Rules]]:
    if len(verdicts) == 1:
        return verdicts
    return [
        (replace(verdict, file=f"{verdict.file}#{number}"), rules) for number, (verdict, rules) in enumerate(verdicts, start=1)
    ]


def _groups(pieces: Sequence[Piece], rules_of: RulesOf, file: str) -> list[tuple[list[Piece], tuple[Verdict, Rules]]]:
    """Return the pieces of each answer, and the verdict on it."""
    groups = [([pieces[0]], _best(pieces[:1], rules_of, file))]
    work = 0
    for piece in pieces[1:]:
        before, _ = groups[-1]
        cut = Cut.HEADING if piece.cut is Cut.AUTHOR and piece.author == before[0].author else piece.cut
        if work > _MOST_TRIED and cut < Cut.NAME:
            before.append(piece)
            continue
        piece.inherited = _inherited(piece, before[0], cut)
        apart = _best([piece], rules_of, file)
        if cut is Cut.AUTHOR or (cut >= Cut.NAME and (apart[0].valid or work > _MOST_TRIED)):
            groups.append(([piece], apart))
            continue
        joined = [*before, piece]
        together = _best(joined, rules_of, file)
        work += sum(len(part.rows) for part in joined) if len(joined) > _FEW else 0
        if together[0].valid and apart[0].valid and cut > Cut.SPACE:
            joined[-1] = _doubtful(piece)
            groups[-1] = joined, _best(joined, rules_of, file)
        elif together[0].valid or (cut < Cut.HEADING and not _begins_another(piece, before[0], cut, apart[0], together[0])):
            groups[-1] = joined, together
        else:
            groups.append(([piece], apart))
    if work > _MOST_TRIED:
        return [(group, _best(group, rules_of, file)) for group, _verdict in groups]
    return groups


def _inherited(piece: Piece, before: Piece, cut: Cut) -> list[tuple[int, str]]:
    """Return the earlier headers that also count for a piece: none where it has a heading, a puzzle or a row of its own."""
    stated = {comment_of(text) for _line, text in piece.headers}
    is_headed = piece.heading is not None if stated else cut >= Cut.NAME
    if is_headed or stated & {"puzzle", "row"}:
        return []
    return [header for header in (*before.inherited, *before.headers) if comment_of(header[1]) not in stated]


def _begins_another(piece: Piece, before: Piece, cut: Cut, apart: Verdict, together: Verdict) -> bool:
    """Whether a piece starts another answer rather than continuing a faulty one.

    It does if it can be played from the first tiles of the row on. A turn of few tiles can do that by chance. So a piece of few
    tiles must also begin as the answer before does, or follow the end of the row, with more than a blank line between.
    """
    if _played(piece, apart) >= max(_NO_CHANCE, _played(piece, together) + 1):
        return True
    first = piece.rows[0]
    is_over = any(fault.code == "after-end" and fault.line == first.line for fault in together.violations)
    repeats = first.text.split() == before.rows[0].text.split()
    return apart.valid and (repeats or (is_over and cut > Cut.SPACE))


def _played(piece: Piece, verdict: Verdict) -> int:
    """Count the tiles of a piece's turns before the first turn that rack or row do not allow."""
    lines = {row.line for row in piece.rows}
    stop = min((fault.line for fault in verdict.violations if fault.line in lines and fault.code in _ASTRAY), default=None)
    return sum(len(turn.play) for turn in verdict.turns if turn.line in lines and (stop is None or turn.line < stop))


def _doubtful(piece: Piece) -> Piece:
    """Return a piece with the fault that it may be a separate answer or continue the one before."""
    line = piece.rows[0].line
    what = "the turns from here on may go on with the answer, or be another one, and both are valid: expected a heading between"
    return replace(piece, violations=[*piece.violations, Violation(line, "ambiguous", f"{what} two answers")])


def _with_reading(pieces: Sequence[Piece], answer: tuple[Verdict, Rules], several: bool) -> tuple[Verdict, Rules]:
    """Return the verdict on an answer with its reading. several: it is one of several in its file."""
    verdict, rules = answer
    notes = list(verdict.reading.notes)
    parts = [str(piece.rows[0].line) for piece in pieces if piece is pieces[0] or piece.cut > Cut.SPACE]
    if len(parts) > 1:
        notes.append(f"read as one answer in {len(parts)} parts, from line {', '.join(parts)}")
    passed = tuple(line for piece in pieces for line in piece.passed)
    notes += _misspelt(passed, pieces[0].rows[0].line)
    reading = replace(verdict.reading, notes=tuple(notes), passed=passed, more=sum(piece.more for piece in pieces))
    return replace(verdict, name=pieces[0].name if pieces[0].marked or several else "", reading=reading), rules


def _best(pieces: Sequence[Piece], rules_of: RulesOf, file: str) -> tuple[Verdict, Rules]:
    """Return the verdict on these pieces as one answer, in the valid reading or else the one with fewest independent faults."""
    readings: list[tuple[Way, Verdict, Rules]] = []
    for way in ways(pieces):
        text = text_of(pieces, way)
        verdict, rules = _judged(text, rules_of, file)
        readings.append((way, replace(verdict, reading=Reading(taken=tuple(taken(pieces, text)))), rules))
    way, verdict, rules = min(readings, key=lambda reading: reading[1].faults.count - reading[1].faults.following)
    valid = [(other, reading) for other, reading, _ in readings if reading.valid]
    if len({reading.score for _, reading in valid}) > 1 and has_inner_capitals(pieces):
        first, second = valid[0], next(pair for pair in valid if pair[1].score != valid[0][1].score)
        what = (
            f"{first[0].said} for {first[1].score} points, or {second[0].said} for {second[1].score}, and both are valid: "
            "expected ? for each blank"
        )
        fault = Violation(verdict.turns[0].line, "ambiguous", what)
        verdict = replace(verdict, faults=Violations.of([*verdict.violations, fault]))
    elif len({other.capitals for other, *_ in readings}) > 1:
        verdict = replace(verdict, reading=replace(verdict.reading, notes=(way.said,)))
    return verdict, rules
