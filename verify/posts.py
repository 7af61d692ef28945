"""Finds the answers in a post: the game decides which records are turns.

A record that the rules allow after the turns before it is the next turn, and one that they allow
on the full row begins another answer. A record that they forbid is a fault if it is among turns or
has their shape, and so is a line among them that is nearly a turn. All else is talk: what it says
of points is a remark, and what stands among turns, or follows them, is named.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from verify import core
from verify.core import BLANK, Fault, Played, Position, Turn
from verify.explain import Answer, Claim, claim_in, mentioned, whole
from verify.records import (
    LONGEST_LINE,
    Line,
    Record,
    Token,
    is_glued_pair,
    is_mixed,
    is_name,
    lines_of,
    pair_at,
    records_in,
    shape_of,
    spelt,
)
from verify.stated import RulesOf, Stated, statement
from verify.text import lower, quote

_NOTHING = Stated()
_RULE = re.compile("#\\s*[a-z]")  # with a capital it is a heading
_NO_CHANCE = 7  # tiles that can hardly be played from the first rack by chance
_LONGEST_HEADING = 60  # characters
_MOST_NAMED = 20  # passed lines of an answer that its verdict names
# the line above a comment: `[-]ann 2 points 6 years ago`, `/u/ann`, `ann • 2y ago`
_AUTHOR = re.compile(
    r"\W*(?:/?u/)(?P<user>[\w-]+)|(?:\[\S\]\s*)?(?P<name>[\w-]+)(?:\[\w\])?\s.*"
    r"(?:\bago\b|\bpoints?$)|\[\S\]\s*(?P<shut>[\w-]+)"
)
_SHORT = ("0aa", "0a", "a0", "00a", "0")  # the tokens of a line that lacks a field
_CAPITALS = {
    "letters": "capitals are read as letters",
    "blanks": "capitals among small letters are read as blanks",
    "small": "small letters among capitals are read as blanks",
}


@dataclass
class Game:
    """An answer in a post, as far as its turns are found.

    Attributes:
        answer: What a verdict is made of.
        position: After its last turn; None after a fault of draws or tiles.
        found: Its turns.
        played: What the core says of them.
        paragraphs, shapes: Those of the lines of its turns.
        named: The play and word of each turn.
    """

    answer: Answer
    position: Position | None
    found: list[Record] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    paragraphs: set[int] = field(default_factory=set)
    shapes: set[str] = field(default_factory=set)
    named: set[tuple[str, str]] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """Whether row and rack are empty."""
        return self.position == ("", "")

    @property
    def last(self) -> Line:
        """The line of the last turn."""
        return self.found[-1].last

    @property
    def total(self) -> int:
        """The points so far."""
        return self.played[-1].total if self.played else 0

    def allows(self, turn: Turn) -> bool:
        """Whether the rules allow a turn after the others."""
        if self.position is None:
            return False
        return not core.play(self.answer.rules, self.position, turn).faults

    def take(self, record: Record) -> None:
        """Take a record as the next turn, legal or not."""
        turn = record.turn
        played = core.play(self.answer.rules, self.position, turn, self.total)
        self.position = played.after
        self.found.append(record)
        self.played.append(played)
        self.paragraphs.add(record.line.paragraph)
        self.shapes.add(record.shape)
        self.named.add((turn.play, turn.word))

    def repeats(self, turn: Turn) -> bool:
        """Whether a turn names another one again, as a table of scores does.

        The first one again begins another answer.
        """
        is_first = replace(turn, line=0) == replace(self.found[0].turn, line=0)
        return (turn.play, turn.word) in self.named and not is_first


def answers_in(text: str, rules_of: RulesOf) -> list[Answer]:
    """Return the answers in a post, in order; none in talk."""
    lines = lines_of(text)
    rules = {
        line.at: fields
        for line in lines
        if _RULE.match(line.text) and (fields := statement(line.text)[0])
    }
    # `# values a=1 l=1` states rules, and is no turn by its names
    records = records_in([line for line in lines if line.at not in rules])
    headers = _headers(lines, records, rules)

    def scan(capitals: str) -> _Scan:
        return _Scan(lines, records, headers, rules_of, capitals)

    best = scan("letters")
    words = (text for record in records for text in record.fields.values())
    if any(map(is_mixed, words)):
        best = max([best, scan("blanks"), scan("small")], key=_Scan.rating)
    answers = best.answers()
    used = {number for header in headers for _name, number in header.lines}
    for at in rules:
        line = lines[at]
        if answers and line.number not in used:
            what = "is ignored: a rule is expected directly above its turns"
            answers[-1].reading.notes.append(f"line {line.number}: {quote(line.text)} {what}")
    return answers


def _headers(
    lines: Sequence[Line], records: Sequence[Record], rules: Mapping[int, dict[str, Any]]
) -> list[Stated]:
    """Return the rules stated directly above each record.

    Those above talk or code are of no record.
    """
    headers: list[Stated] = []
    begin = 0
    for record in records:
        header = _NOTHING
        stating = [lines[at] for at in range(begin, record.line.at) if at in rules]
        if stating and _is_header(stating[-1], lines[stating[-1].at + 1 : record.line.at + 1]):
            for line in stating:
                header = header.with_rule(line.number, line.text, rules[line.at])
        headers.append(header)
        begin = record.line.at
    return headers


def _is_header(rule: Line, below: Sequence[Line]) -> bool:
    """Whether a rule belongs to the turn in the last line of those below it."""
    *between, turn = below
    has_talk = any(_has_word(line) and not line.text.startswith("#") for line in between)
    return rule.paragraph == turn.paragraph or not has_talk


def _has_word(line: Line) -> bool:
    return any(map(str.isalpha, line.text))


class _Scan:
    """One reading of a post: a meaning of capitals.

    `headers` has for each record the rules that are stated directly above it.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        records: Sequence[Record],
        headers: Sequence[Stated],
        rules_of: RulesOf,
        capitals: str,
    ) -> None:
        self._games: list[Game] = []
        self._lines = lines
        self._rules_of = rules_of
        self._capitals = capitals
        self._records = [replace(record, capitals=capitals) for record in records]
        lines_with = {(record.line.at, record.shape) for record in records}
        self._shapes = Counter(shape for _at, shape in lines_with)
        self._texts = [0, *accumulate(map(_has_word, lines))]  # lines with a word before each line
        for number, header in enumerate(headers):
            self._classify(number, header)

    def rating(self) -> tuple[bool, int]:
        """Return what makes one reading better than another.

        These are whether no turn has a fault, and the number of legal turns.
        """
        turns = sum(len(game.found) for game in self._games)
        legal = sum(not turn.faults for game in self._games for turn in game.played)
        return 0 < turns == legal, legal

    def _in_force(self, header: Stated) -> Stated:
        """Return rules, completed by those of the answer before unless they are of a puzzle."""
        if self._games and header.puzzle is None:
            return header.over(self._games[-1].answer.stated)
        return header

    def _classify(self, number: int, header: Stated) -> None:
        """Find what a candidate is: the next turn, the first of an answer, a fault, or talk.

        header: the rules stated above it.
        """
        record = self._records[number]
        turn, line = record.turn, record.line
        current = self._games[-1] if self._games else None
        names_row = (header.puzzle, header.row) != (None, None)
        if current is None or names_row or self._in_force(header) != current.answer.stated:
            game = self._new_game(header)
            is_same = current is not None and current.answer.rules == game.answer.rules
            begins = names_row and game.allows(turn)
            if current is not None and is_same and current.allows(turn) and not begins:
                current.take(record)
            elif game.allows(turn) or self._is_usual(record):
                self._begin(game, record)
        elif record.group != current.found[-1].group:
            self._begin(self._new_game(), record)
        elif current.allows(turn):
            current.take(record)
        elif self._is_talk(current, record):
            return
        elif self._begins_another(number, current):
            self._begin(self._new_game(), record)
        elif (
            line.paragraph in current.paragraphs
            or record.shape in current.shapes
            or (record.is_named and current.found[-1].is_named)
        ):
            current.take(record)

    def _new_game(self, header: Stated = _NOTHING) -> Game:
        answer = Answer.by(self._in_force(header), self._rules_of)
        return Game(answer, Position(answer.rules.row))

    def _begin(self, game: Game, record: Record) -> None:
        game.take(record)
        self._games.append(game)

    def _is_usual(self, record: Record) -> bool:
        """Whether the line of a candidate is a bare turn, or has the shape of another one.

        A chance one in talk has not.
        """
        return record.is_named or len(record.shape) == 3 or self._shapes[record.shape] > 1

    def _begins_another(self, number: int, current: Game) -> bool:
        """Whether a candidate that cannot go on with an answer begins another one.

        A turn of few tiles can be legal on the full row by chance. So more must be played in a row,
        below a cut or the end of the game; or text must be between: there a legal answer is over if
        its next turn would be a fault.
        """
        game = self._new_game()
        for record in self._records[number : number + _NO_CHANCE]:
            if not game.allows(record.turn):
                break
            game.take(record)
        tiles = sum(len(turn.play) for turn in game.played)
        line, last = self._records[number].line, current.last
        is_cut = last.paragraph != line.paragraph or self._has_text(last, line)
        if tiles >= _NO_CHANCE and (is_cut or current.is_over):
            return True
        return self._is_apart(current, line) and (tiles > 0 or current.position is not None)

    def _is_talk(self, game: Game, record: Record) -> bool:
        """Whether a candidate that cannot go on with an answer is talk.

        It repeats a turn of it, or is in a sentence, elsewhere.
        """
        repeats = game.repeats(record.turn)
        if self._is_apart(game, record.line):
            return repeats or not self._is_usual(record)
        return repeats and game.is_over and record.line.paragraph not in game.paragraphs

    def _is_apart(self, game: Game, line: Line) -> bool:
        """Whether a line is in another paragraph than the last turn, with text between."""
        return game.last.paragraph != line.paragraph and self._has_text(game.last, line)

    def _has_text(self, above: Line, below: Line) -> bool:
        """Whether a line between two others has a word."""
        return self._texts[below.at] > self._texts[above.at + 1]

    def answers(self) -> list[Answer]:
        """Return the answers with the meaning of the lines around their turns.

        Turns within talk count only if none is bare.
        """
        bare = [game for game in self._games if any(map(self._is_usual, game.found))]
        self._games = bare or self._games
        if not self._games:
            return []
        totals = {game.total for game in self._games}
        begin = 0
        for number, game in enumerate(self._games):
            end = self._end(number)
            _Surroundings(game, self._lines[begin:end], totals).read()
            begin = end
            if any(is_mixed(text) for one in game.found for text in one.fields.values()):
                game.answer.reading.notes.append(_CAPITALS[self._capitals])
        return [game.answer for game in self._games]

    def _end(self, number: int) -> int:
        """Return the index after the last line that belongs to a game, not to the next one."""
        if number == len(self._games) - 1:
            return len(self._lines)
        last, following = self._games[number].last, self._games[number + 1].found[0].line
        for line in self._lines[last.at + 1 : following.at]:
            if line.paragraph != last.paragraph or line.text.startswith("#"):
                return line.at
        return following.at


class _Surroundings:
    """The lines around the turns of a game, and the pieces of their lines that are no turn."""

    def __init__(self, game: Game, lines: Sequence[Line], totals: set[int]) -> None:
        self._game = game
        self._lines = lines
        self._totals = totals  # of all games
        self._passed: list[str] = []  # notes on what may be a turn and was passed over
        self._fillers = {token.text.lower() for one in game.found for token in one.pieces}

    def read(self) -> None:
        """Find the nearly-turns among the lines, and note what each was taken for."""
        game, answer = self._game, self._game.answer
        answer.turns = [record.turn for record in game.found]
        for number, record in enumerate(game.found, start=1):
            answer.claims += [
                Claim(record.line.number, whole(record.fields[name]), number, name)
                for name in ("right", "score", "total")
                if record.fields.get(name)
            ]
        self._read_pieces()
        stated = {number for _name, number in answer.stated.lines}
        within = {at for one in game.found for at in range(one.line.at, one.last.at + 1)}
        after = 0  # lines with text below the last turn
        for line in self._lines:
            if line.is_cut:
                what = f"only the first {LONGEST_LINE:,} characters of this line are read"
                answer.reading.notes.append(f"line {line.number}: {what}")
            if line.at in within:
                continue
            if line.number in stated:
                answer.reading.taken.append((line.number, f"a header: {line.text}"))
                continue
            after += line.at > game.last.at
            self._read_line(line, is_near=after <= 1)
        first = game.found[0].line.at
        answer.name = _name([line.text for line in self._lines if line.at < first])
        answer.turns.sort(key=lambda turn: turn.line)
        answer.reading.note_turns(answer.turns)
        if len(self._passed) > _MOST_NAMED:
            rest = len(self._passed) - _MOST_NAMED
            self._passed[_MOST_NAMED:] = [f"{rest:,} more lines were passed over"]
        answer.reading.notes += self._passed

    def _read_line(self, line: Line, *, is_near: bool) -> None:
        """Take a line without a turn as a nearly-turn, a claim, a remark on points, or talk."""
        game, answer = self._game, self._game.answer
        is_there = line.paragraph in game.paragraphs
        is_above = line.at < game.found[0].line.at
        score = claim_in(line.text)
        if score is not None:
            if not is_above or score not in self._totals:
                answer.claims.append(Claim(line.number, score))
            answer.reading.taken.append((line.number, f"a claim: {line.text}"))
            return
        turn = None
        if is_there and not line.text.startswith("#"):
            turn = self._nearest_turn(line)
        if turn is not None:
            answer.turns.append(turn)
            return
        points = mentioned(line.text)
        if not self._totals.isdisjoint(points):
            answer.reading.taken.append((line.number, f"a mention of points: {line.text}"))
            return
        answer.reading.passed.append((line.number, line.text))
        if points:
            what = f"the text mentions {points[0]:,} points, the answer has {game.total:,}"
            answer.reading.notes.append(f"line {line.number}: {what}")
        elif not is_above and (is_there or is_near):
            self._pass(line.number, line.text, line.tokens())
        clause = statement(line.text)[1]
        if clause and line.at <= game.last.at:
            answer.reading.notes.append(f"line {line.number}: {clause}")

    def _pass(self, number: int, text: str, tokens: Sequence[Token]) -> None:
        """Name a text that was passed over if it holds a listed word, or a number but the score."""
        words = self._game.answer.rules.words
        if str(self._game.total) in (token.text.strip("!,") for token in tokens):
            return
        if any(map(str.isdigit, text)) or any(
            lower(one.text) in words for one in tokens if not is_name(one)
        ):
            self._passed.append(f"line {number:,} was passed over: {quote(text)}")

    def _nearest_turn(self, line: Line) -> Turn | None:
        """Return the turn that a line is nearly, with two words that are alike, or malformed."""
        tokens = line.tokens()
        at = pair_at(tokens)
        if at is not None:
            left = tokens[at - 1].text if at else ""
            return Turn(line.number, lower(left), *spelt(tokens[at].text, tokens[at + 1].text))
        if is_glued_pair(line.text) or self._lacks_field(line, tokens):
            return Turn(line.number, line.text, "", "")
        return None

    def _lacks_field(self, line: Line, tokens: Sequence[Token]) -> bool:
        """Whether a line is a turn with a slip in a field, or without one."""
        if any(token.field for token in tokens):
            return False
        game = self._game
        rules = game.answer.rules
        tokens = [
            token
            for token in tokens
            if token.text.lower() not in self._fillers and not is_name(token)
        ]
        kinds = shape_of(tokens)
        numbers = [one.text for one in tokens if one.kind == "0"]
        if any(not one.isdecimal() or int(one[:9]) > rules.rack_size for one in numbers[-1:]):
            return False
        words = [lower(one.text) for one in tokens if one.kind == "a"]
        if line.at < game.found[0].line.at:
            return kinds == "0aa" and len(words[0]) == len(words[1])
        if line.at < game.last.at:
            is_short = kinds in _SHORT or line.shape in game.shapes
            return is_short or (kinds == "a" and words[0] in rules.words)
        rest = Counter("".join(game.position or (rules.row,)))
        lacking = (Counter(words[-1] if words else "") - rest).total()
        return kinds in _SHORT and lacking <= rest[BLANK]

    def _read_pieces(self) -> None:
        """Name the pieces of lines of turns that are no turn and that most of them lack.

        What most of them have may be scores: then each wrong one is a remark.
        """
        found = self._game.found
        shapes = Counter(shape_of(record.pieces) for record in found)
        wrong: list[str] = []
        right = 0
        for record, played in zip(found, self._game.played, strict=True):
            shape = shape_of(record.pieces)
            if 2 * shapes[shape] > len(found):
                values = _numbers_of(record.pieces)
                is_right = not {played.score, played.total}.isdisjoint(values)
                right += is_right
                if values and not is_right:
                    what = f"{values[0]:,} is neither the score of this turn nor the total so far"
                    wrong.append(f"line {record.last.number}: {what}")
                continue
            text = " ".join(token.text for token in record.pieces)
            # a number in front may be that of the turn
            is_field = shape == "0" and record.pieces[0].begin > 0
            if len(found) > 1 and (is_field or text == record.turn.word):
                what = f"{quote(text)} is more than the other turns have"
                expected = "expected left draws, tiles and word"
                fault = Fault(record.last.number, "malformed-line", f"{what}: {expected}")
                self._game.answer.faults.append(fault)
            else:
                self._pass(record.last.number, text, record.pieces)
        if right:
            self._game.answer.reading.notes += wrong


def _numbers_of(tokens: Sequence[Token]) -> list[int]:
    """Return the whole numbers among pieces."""
    return [int(one.text) for one in tokens if re.fullmatch("[+]?[0-9]{1,9}", one.text)]


def _name(texts: Sequence[str]) -> str:
    """Return the name that the lines above an answer give it.

    It is the last author of a comment, else the last heading, or else the last short line.
    """
    short = [text for text in texts if len(text) <= _LONGEST_HEADING and not statement(text)[0]]
    short = [text for text in short if any(map(str.isalpha, text))]
    for text in reversed(short):
        author = _AUTHOR.match(text)
        if author and author["user"]:
            return f"u/{author['user']}"
        if author:
            return author["name"] or author["shut"]
    headings = [text for text in short if text.startswith(("#", "**")) or text.endswith(":")]
    name = (headings or short or [""])[-1]
    # without marks of emphasis and the addresses of links
    return re.sub(r"\*+|\[([^][]*)\]\([^()]*\)", r"\1", name).strip("#_: ")
