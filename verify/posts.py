"""Finds the answers in a post: the game decides what is a turn.

A post is a stream of numbers and words. A number and two words that are alike are a candidate. A
candidate that the rules allow after the turns before it is the next turn, and one that they allow
on the full row begins another answer. A candidate that they forbid is a fault if it is among turns
or has the shape of their lines, and so is a line among them that is nearly a turn: no bad line is
lost in silence. All else is talk. Markup, quotation marks, numbering, tables, lists and logs need
no rules of their own.
"""

import html
import re
from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from verify import core
from verify.core import BLANK, Fault, Played, Position, Turn
from verify.explain import Answer, Claim, claimed
from verify.rules import Rules
from verify.stated import RulesOf, Stated, statement
from verify.text import lower, quote

_TAG = re.compile(r"<(/?[a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_LONG_ENTITY = re.compile("&#[0-9]{8,}")
_CELL = re.compile(r"\s*[|,;\t]\s*|\s{2,}")
_COLUMNS = {
    "left": "left",
    "draw": "left",
    "draws": "left",
    "play": "play",
    "tiles": "play",
    "word": "word",
}
_WORDS = ("play", "word")
_TURN = ("left", *_WORDS, "score", "total")  # the order of the columns
_SPOILER = re.compile(r">!|!<|\|\||~~(?!~)[^~\n]+~~(?!~)")  # and what is struck out
_BLANK_IN_BRACKETS = re.compile(r"[\[({]\s?[?_]\s?[\])}]")
_BREAKS = {"br", "/p", "/tr", "/li", "/pre", "/div", "/h1", "/h2", "/h3", "/blockquote"}
_RULER = re.compile("[-=*_]{3,}")
_BARE = re.compile(r"\s*(?:\S+[ \t]+[A-Za-z?*_]+[ \t]+[A-Za-z?*_]+[ \t]*)?")
_FENCE = re.compile(r"```|~~~")
_RULE = re.compile("#\\s*[a-z]")  # with a capital it is a heading
# names of fields stand between the values of objects and of logs
_FIELDS = "left|draws?|play|tiles|word|right|rack|row|hand|turn|score"
_LABEL = re.compile(rf"\"[^\"]*\"\s*:|'[a-z_]+'\s*:|\b(?:{_FIELDS})\s*[:=]", re.IGNORECASE)
_SEPARATOR = re.compile(
    "[\\s,;|=\"'`()\\[\\]{}<>/\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a\u00ab\u00bb"
    "\u2192\u2502\u3001\u3002\uff0c]+"
)
_SIGNED = re.compile("^[> \t]*([-+\u2212\u2013])[^\\S\n]+(?=[0-9])", re.MULTILINE)
_UNSIGNED = re.compile(r"^[> \t]*\d", re.MULTILINE)
_EMPHASIS = "*_~"
_MARKS_OF_BLANKS = re.compile("[*_#]")
_ALIKE = 0.6  # the share of a play's tiles that are letters of its word, or blanks
_POINTS = re.compile(r"\b(?:points?|pts)\b", re.IGNORECASE)
_NO_CHANCE = 7  # tiles that can hardly be played from the first rack by chance
_LONGEST_HEADING = 60  # characters
_LONGEST_LINE = 500_000  # characters of a line with turns, such as a list of ten thousand
_LONGEST_TURN = 60  # letters of a line that may be a turn whose spaces are lost

_ORDERS = ("lpw", "lwp", "pwl", "wpl", "plw", "wlp")  # of the columns: left draws, play, word
_CAPITALS = {
    "letters": "capitals are read as letters",
    "blanks": "capitals among small letters are read as blanks",
    "small": "small letters among capitals are read as blanks",
}
_LETTERS_OF_BLANKS = {"blanks": "[A-Z]", "small": "[a-z]"}


class Token(NamedTuple):
    """A number or a word of a line."""

    text: str
    is_number: bool


@dataclass(frozen=True)
class Line:
    """A line of a post.

    Attributes:
        at: Its index among the lines.
        number: Its line in the file, from 1.
        text: Its text, without marks of quotation.
        paragraph: The number of its paragraph; of a game in a table of games, less than 0.
        is_code: Whether it is in a fence, or indented as code is.
        is_quoted: Whether it is in a quotation.
        tokens: Its numbers and words.
    """

    at: int
    number: int
    text: str
    paragraph: int
    is_code: bool
    is_quoted: bool
    tokens: tuple[Token, ...]

    @cached_property
    def shape(self) -> str:
        """The kinds of the tokens: 0 for a number, a for a word."""
        return "".join("0" if token.is_number else "a" for token in self.tokens)

    @property
    def has_word(self) -> bool:
        """Whether one of its tokens is a word."""
        return "a" in self.shape


@dataclass(frozen=True)
class Candidate:
    """Three tokens that may be a turn. trail: the numbers directly after them."""

    line: Line
    turn: Turn
    trail: Sequence[str]


@dataclass
class Game:
    """An answer in a post, as far as its turns are found.

    Attributes:
        answer: What a verdict is made of.
        begin: The index of the first line after the answer before.
        position: After its last turn; None after a fault of draws or tiles.
        found: Its turns.
        played: What the core says of them.
        paragraphs, shapes: Those of the lines of its turns.
        named: The play and word of each turn.
    """

    answer: Answer
    begin: int
    position: Position | None
    found: list[Candidate] = field(default_factory=list)
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
        return self.found[-1].line

    @property
    def total(self) -> int:
        """The points so far."""
        return self.played[-1].total if self.played else 0

    def allows(self, turn: Turn) -> bool:
        """Whether the rules allow a turn after the others."""
        if self.position is None:
            return False
        return not core.play(self.answer.rules, self.position, turn).faults

    def take(self, candidate: Candidate) -> None:
        """Take a candidate as the next turn, legal or not."""
        turn = candidate.turn
        played = core.play(self.answer.rules, self.position, turn, self.total)
        self.position = played.after
        self.found.append(candidate)
        self.played.append(played)
        self.paragraphs.add(candidate.line.paragraph)
        self.shapes.add(candidate.line.shape)
        self.named.add((turn.play, turn.word))

    def repeats(self, turn: Turn) -> bool:
        """Whether a turn names another one again, as a table of scores does.

        The first one again begins another answer.
        """
        is_first = replace(turn, line=0) == replace(self.found[0].turn, line=0)
        return (turn.play, turn.word) in self.named and not is_first


def answers_in(text: str, rules_of: RulesOf) -> list[Answer]:
    """Return the answers in a post, in order; none in talk."""
    lines = _joined(_by_columns(_lines(text)))
    # a file of lines of three fields has no talk
    is_bare = all(_BARE.fullmatch(line) or line.startswith("#") for line in text.split("\n"))

    def scan(order: str, capitals: str) -> _Scan:
        return _Scan(lines, rules_of, order, capitals, is_bare)

    best = scan(_ORDERS[0], "letters")
    others = []
    if any(map(_has_mixed, lines)):
        others = [scan(_ORDERS[0], capitals) for capitals in ("blanks", "small")]
        best = max([best, *others], key=_Scan.rating)
    if not best.legal:
        others = [scan(order, "letters") for order in _ORDERS[1:]]
        best = max([best, *others], key=_Scan.rating)
    return best.answers()


class _Scan:
    """One reading of a post: an order of the columns, and a meaning of capitals."""

    def __init__(
        self, lines: Sequence[Line], rules_of: RulesOf, order: str, capitals: str, is_bare: bool
    ) -> None:
        self._games: list[Game] = []
        self._lines = lines
        self._rules_of = rules_of
        self._capitals = capitals
        self._is_bare = is_bare
        self._group = Stated()  # the rules stated since the last turn
        self._unused: list[Line] = []  # the lines that state them
        self._ignored: list[Line] = []  # which state rules of no answer
        self._candidates: list[Candidate] = []
        self._shapes: Counter[str] = Counter()  # of the lines with candidates
        # before each line, the lines with a word, and those of them that are no comments
        self._texts = [0]
        self._talk = [0]
        for line in lines:
            found = list(_candidates(line, order, capitals))
            self._candidates += found
            self._shapes[line.shape] += bool(found)
            self._texts.append(self._texts[-1] + line.has_word)
            self._talk.append(self._talk[-1] + (line.has_word and not line.text.startswith("#")))
        number = 0
        for line in lines:
            if _RULE.match(line.text) and (fields := statement(line.text)[0]):
                self._state(line, fields)
            while number < len(self._candidates) and self._candidates[number].line is line:
                self._classify(number)
                number += 1

    @property
    def legal(self) -> int:
        """The number of turns that the rules allow."""
        return sum(not turn.faults for game in self._games for turn in game.played)

    def rating(self) -> tuple[bool, int]:
        """Return what makes one reading better than another.

        These are whether no turn has a fault, and the number of legal turns.
        """
        turns = sum(len(game.found) for game in self._games)
        return 0 < turns == self.legal, self.legal

    def _state(self, line: Line, fields: dict[str, Any]) -> None:
        """Take over a rule. One that differs from those above belongs to another answer."""
        self._unused.append(line)
        stated = self._stated
        names_another = self._games and {"puzzle", "row"} & fields.keys()
        if names_another or any(getattr(stated, name) != value for name, value in fields.items()):
            self._group = self._group.with_rule(line.number, line.text, fields)

    @property
    def _stated(self) -> Stated:
        """The rules in force: those stated since the last turn, and those of the answer before.

        The latter do not hold for another puzzle.
        """
        if self._games and self._group.puzzle is None:
            return self._group.over(self._games[-1].answer.stated)
        return self._group

    def _classify(self, number: int) -> None:
        """Find what a candidate is: the next turn, the first of an answer, a fault, or talk."""
        candidate = self._candidates[number]
        turn, line = candidate.turn, candidate.line
        current = self._games[-1] if self._games else None
        if self._group != Stated() and not self._are_rules_of(candidate):
            self._ignored += self._unused
            self._forget_rules()
        if current is None or self._group != Stated():
            game = self._new_game()
            is_same = current is not None and current.answer.rules == game.answer.rules
            begins = game.allows(turn) and (self._group.puzzle, self._group.row) != (None, None)
            if current is not None and is_same and current.allows(turn) and not begins:
                self._forget_rules()
                current.take(candidate)
            elif game.allows(turn) or self._is_usual(candidate):
                self._begin(game, candidate)
        elif current.allows(turn):
            current.take(candidate)
        elif self._is_talk(current, candidate):
            return
        elif self._begins_another(number, current):
            self._begin(self._new_game(), candidate)
        elif line.paragraph in current.paragraphs or line.shape in current.shapes:
            current.take(candidate)

    def _are_rules_of(self, candidate: Candidate) -> bool:
        """Whether the rules stated last are those of a turn.

        They are not if they are above talk or code, or in a quotation above it.
        """
        last, line = self._unused[-1], candidate.line
        if last.is_quoted != line.is_quoted:
            return False
        return last.paragraph == line.paragraph or self._talk[line.at] <= self._talk[last.at + 1]

    def _forget_rules(self) -> None:
        """Drop the rules stated since the last turn."""
        self._group = Stated()
        self._unused = []

    def _new_game(self) -> Game:
        begin = self._games[-1].last.at + 1 if self._games else 0
        answer = Answer.by(self._stated, self._rules_of)
        return Game(answer, begin, Position(answer.rules.row))

    def _begin(self, game: Game, candidate: Candidate) -> None:
        game.take(candidate)
        self._games.append(game)
        self._forget_rules()

    def _is_usual(self, candidate: Candidate) -> bool:
        """Whether the line of a candidate is a bare turn, or has the shape of another one.

        A chance one in talk has not.
        """
        return len(candidate.line.shape) == 3 or self._shapes[candidate.line.shape] > 1

    def _begins_another(self, number: int, current: Game) -> bool:
        """Whether a candidate that cannot go on with an answer begins another one.

        A turn of few tiles can be legal on the full row by chance. So more must be played in a row,
        below a cut or the end of the game; or text must be between: there a legal answer is over if
        its next turn would be a fault.
        """
        rules = current.answer.rules
        position: Position | None = Position(rules.row)
        tiles = 0
        for candidate in self._candidates[number:]:
            played = core.play(rules, position, candidate.turn)
            if played.faults:
                break
            tiles += len(played.play)
            position = played.after
            if tiles >= _NO_CHANCE:
                break
        line, last = self._candidates[number].line, current.last
        is_cut = last.paragraph != line.paragraph or self._has_text(last, line)
        if tiles >= _NO_CHANCE and (is_cut or current.is_over):
            return True
        return self._is_apart(current, line) and (tiles > 0 or current.position is not None)

    def _is_talk(self, game: Game, candidate: Candidate) -> bool:
        """Whether a candidate that cannot go on with an answer is talk.

        It repeats a turn of it, or is in a sentence, elsewhere.
        """
        repeats = game.repeats(candidate.turn)
        if self._is_apart(game, candidate.line):
            return repeats or not self._is_usual(candidate)
        return repeats and game.is_over and candidate.line.paragraph not in game.paragraphs

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
        claims = self._claims()
        ends = [*(game.begin for game in self._games[1:]), len(self._lines)]
        for game, end in zip(self._games, ends, strict=True):
            self._read_around(game, end, claims.keys())
        for line in (*self._ignored, *self._unused):
            what = "is ignored: a rule is expected directly above its turns"
            note = f"line {line.number}: {quote(line.text)} {what}"
            self._games[-1].answer.reading.notes.append(note)
        self._give(claims)
        return [game.answer for game in self._games]

    def _claims(self) -> dict[int, list[object]]:
        """Return the scores that lines without a turn claim.

        A number of points far from all turns may count votes, and in code without a turn it is no
        claim.
        """
        of_turns = set[int]().union(*(game.paragraphs for game in self._games))
        at_turns = {candidate.line.at for game in self._games for candidate in game.found}
        claims = {}
        for line in self._lines:
            is_there = line.paragraph in of_turns
            if line.at in at_turns or (line.is_code and not is_there):
                continue
            if scores := claimed(line.text, alone=is_there):
                claims[line.at] = scores
        return claims

    def _read_around(self, game: Game, end: int, claims: Container[int]) -> None:
        """Find the nearly-turns among an answer's lines, and note what each was taken for."""
        answer = game.answer
        notes = answer.reading.notes
        at_turns = {candidate.line.at for candidate in game.found}
        rest = "".join(game.position or (answer.rules.row,))
        stated = {number for _name, number in answer.stated.lines}
        first, last = game.found[0].line.at, game.last.at
        answer.turns = [candidate.turn for candidate in game.found]
        for line in self._lines[game.begin : end]:
            if line.at in at_turns or not line.text:
                continue
            if line.number in stated:
                answer.reading.taken.append((line.number, f"a header: {line.text}"))
                continue
            if line.at in claims:
                continue
            is_between = first < line.at < last
            # a word alone below the last turn is talk, and so is above the first what has no play
            # with its word
            tiles = ""
            if is_between:
                tiles = answer.rules.row
            elif line.at > last and line.shape != "a":
                tiles = rest
            is_near = self._is_bare or line.paragraph in game.paragraphs
            is_near = is_near and not line.text.startswith("#")
            if (
                is_near
                and line.tokens
                and (self._is_bare or _is_nearly_turn(line, answer.rules, game.shapes, tiles))
            ):
                answer.turns.append(_nearest_turn(line))
                continue
            answer.reading.passed.append((line.number, line.text))
            clause = statement(line.text)[1]
            if line.at <= last and clause:
                notes.append(f"line {line.number}: {clause}")
            elif is_between and is_near and game.position is None and line.has_word:
                what = f"{quote(line.text)} is between turns and was passed over"
                notes.append(f"line {line.number}: {what}")
        self._read_trails(game)
        answer.turns.sort(key=lambda turn: turn.line)
        answer.reading.note_turns(answer.turns)
        if any(_has_mixed(candidate.line) for candidate in game.found):
            notes.append(_CAPITALS[self._capitals])
        above = self._lines[game.begin : first]
        answer.name = _name([line.text for line in above if line.has_word])

    def _read_trails(self, game: Game) -> None:
        """Take a number after a turn as a claim of points.

        It is one if the line says so, or in a column whose numbers are right for the most part. One
        such number alone, which says nothing, is a fault.
        """
        answer = game.answer
        columns: list[Claim] = []
        right = 0
        for number, (candidate, played) in enumerate(
            zip(game.found, game.played, strict=True), start=1
        ):
            values = [int(text) for text in candidate.trail if re.fullmatch("[+]?[0-9]{1,9}", text)]
            right += played.score in values or played.total in values
            claims = answer.claims if _POINTS.search(candidate.line.text) else columns
            claims += [Claim(played.line, [value], number) for value in values]
        if len(game.found) > 1 and len(columns) == 1:
            claim = columns[0]
            if len(game.found[claim.turns - 1].line.shape) == 4:
                what = f"{claim.scores[0]} is a number more than the other turns have"
                message = f"{what}: expected left draws, tiles and word"
                answer.faults.append(Fault(claim.line, "malformed-line", message))
                return
        if 2 * right >= len({claim.line for claim in columns}):
            answer.claims += columns

    def _give(self, claims: Mapping[int, Sequence[object]]) -> None:
        """Give the scores that lines claim to the answer around each line.

        A line between two answers belongs to the one whose total it claims, else to the first.
        """
        ends = [game.last.at for game in self._games]
        for at, scores in claims.items():
            number = bisect(ends, at)  # of the first answer that does not end above the line
            near = self._games[max(0, number - 1) : number + 1]
            if number < len(ends) and self._games[number].found[0].line.at < at:
                near = [self._games[number]]
            game = next((one for one in near if one.total in scores), near[0])
            line = self._lines[at]
            turns = bisect(game.found, at, key=lambda candidate: candidate.line.at)
            is_near = turns > 0 or line.paragraph in game.paragraphs
            game.answer.claims.append(Claim(line.number, scores, turns, is_near))
            game.answer.reading.taken.append((line.number, f"a claim: {line.text}"))


def _lines(text: str) -> list[Line]:
    """Return the lines of a post with their tokens.

    Marks of quotation and of fences, and tags of a page, are left out.
    """
    if _TAG.search(text):
        text = _TAG.sub(_gap_of, _HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), text))
    text = _SPOILER.sub(" ", html.unescape(_LONG_ENTITY.sub(" ", text)).replace("\\", ""))
    text = _BLANK_IN_BRACKETS.sub(BLANK, text)
    signs = Counter(_SIGNED.findall(text))
    has_unsigned = _UNSIGNED.search(text) is not None
    lines: list[Line] = []
    paragraph = 0
    is_fenced = False
    for number, whole in enumerate(text.split("\n"), start=1):
        for part in whole.split("\v"):
            shown = part.strip().lstrip("> \t").strip()
            is_fence = bool(_FENCE.match(shown))
            is_fenced ^= is_fence
            if not shown or is_fence or _RULER.fullmatch(shown):
                paragraph += 1
                continue
            signed = _SIGNED.match(shown)
            if signed and has_unsigned and signs[signed[1]] == 1:
                shown = signed[1] + shown[signed.end() :]  # one dash alone is a minus, not a bullet
            lines.append(
                Line(
                    at=len(lines),
                    number=number,
                    text=shown,
                    paragraph=paragraph,
                    is_code=is_fenced or part.startswith(("    ", "\t")),
                    is_quoted=part.lstrip().startswith(">"),
                    tokens=_tokens(shown),
                )
            )
    return lines


def _gap_of(tag: re.Match[str]) -> str:
    gap = "\v" if tag[1].lower() in _BREAKS else " "
    return gap + "\n" * tag[0].count("\n")


def _tokens(text: str) -> tuple[Token, ...]:
    if len(text) > _LONGEST_LINE:
        return ()
    tokens = []
    for piece in _SEPARATOR.split(_LABEL.sub(" ", text)):
        bare = piece.strip(_EMPHASIS).rstrip(".:")
        if any(c.isalpha() or c == BLANK for c in piece) or (piece and set(piece) <= {"*", "_"}):
            tokens.append(Token(piece, is_number=False))
        elif any(c.isdigit() for c in bare):
            tokens.append(Token(bare, is_number=True))
    return tuple(tokens)


def _by_columns(lines: list[Line]) -> list[Line]:
    """Return the lines; below one that names the columns, these come in the order of a turn.

    Left draws, play and word come first, then scores and totals.
    """
    names: list[str] = []
    paragraph = games = 0
    last_game = ""
    result = []
    for line in lines:
        if not line.tokens:
            # the cells of a line of megabytes would take hundreds of them
            result.append(line)
            continue
        cells = [cell.strip("\"'` \t") for cell in _CELL.split(line.text.strip("| "))]
        labels = [_COLUMNS.get(cell.lower(), cell.lower()) for cell in cells]
        if {"left", "play", "word"} <= set(labels):
            names = labels
            paragraph = line.paragraph
            line = replace(line, tokens=())
        elif line.paragraph == paragraph and len(cells) == len(names):
            row = dict(zip(names, cells, strict=True))
            if row["play"].strip("-:"):  # not a ruler
                game = row.get("game", "")
                games += game != last_game
                last_game = game
                tokens = tuple(
                    Token(row[name], name not in _WORDS) for name in _TURN if name in row
                )
                # each game of a table is a paragraph of its own
                line = replace(line, paragraph=-games or line.paragraph, tokens=tokens)
        result.append(line)
    return result


def _joined(lines: list[Line]) -> list[Line]:
    """Return the lines; where no line has a turn, three that hold a token each become one."""
    if any(_has_turn(line, _ORDERS[:1]) for line in lines):
        return lines
    held = [line for line in lines if line.tokens]
    threes = [
        replace(first, tokens=first.tokens + second.tokens + third.tokens)
        for first, second, third in zip(held, held[1:], held[2:], strict=False)
    ]
    whole = (line for line in threes if len(line.shape) == 3 and _has_turn(line, _ORDERS))
    first_turn = next(whole, None)
    if first_turn is None:
        return lines
    result = list(lines)
    for number, line in enumerate(threes):
        if line.shape == first_turn.shape and result[line.at] is lines[line.at]:
            result[line.at] = line
            for other in held[number + 1 : number + 3]:
                result[other.at] = replace(other, text="", tokens=())
    return result


def _has_turn(line: Line, orders: Sequence[str]) -> bool:
    return any(next(_candidates(line, order, "letters"), None) for order in orders)


def _candidates(line: Line, order: str, capitals: str) -> Iterator[Candidate]:
    """Yield the candidates of a line, from left to right."""
    kinds = line.shape
    wanted = order.replace("l", "0").replace("p", "a").replace("w", "a")
    start = kinds.find(wanted)
    while start >= 0:
        three = dict(zip(order, line.tokens[start : start + 3], strict=True))
        count, play, word = three["l"].text, three["p"].text, three["w"].text
        start += 1
        if _alike(play, word) and len(count) < 4:
            start += 2
            end = start
            while kinds.startswith("0", end):
                end += 1
            turn = Turn(line.number, count, *_spelt(play, word, capitals))
            yield Candidate(line, turn, [token.text for token in line.tokens[start:end]])
        start = kinds.find(wanted, start)


def _spelt(play: str, word: str, capitals: str) -> tuple[str, str]:
    """Return play and word as a turn has them."""
    play, word = _trimmed(play, word)
    marks = play
    if word.lower() == play.lower() and not _is_mixed(play):
        marks = word
    if capitals != "letters" and _is_mixed(marks):
        play = re.sub(_LETTERS_OF_BLANKS[capitals], BLANK, marks)
    return lower(_MARKS_OF_BLANKS.sub(BLANK, play)), lower(word)


def _trimmed(play: str, word: str) -> tuple[str, str]:
    """Return play and word without marks of emphasis.

    Marks are blanks if the play has the length of the word with them.
    """
    word = word.strip(f"{_EMPHASIS}#").rstrip(".:")
    for form in (play, play.strip(_EMPHASIS)):
        if len(form) == len(word):
            return form, word
    return play.strip(_EMPHASIS).rstrip(".:"), word


def _alike(play: str, word: str) -> bool:
    """Whether two words may be a play and its word, with a slip or two."""
    play, word = map(lower, _trimmed(play, word))
    same = _same(play, word)
    if len(play) == len(word):
        return sum(same) >= _ALIKE * len(word)
    ends = _same(play[::-1], word[::-1])
    shared = [*same, False].index(False) + [*ends, False].index(False)
    shortest, longest = sorted((len(play), len(word)))
    return min(shortest, shared) >= _ALIKE * longest


def _same(play: str, word: str) -> list[bool]:
    """Return for each tile of a play whether it may stand for its letter."""
    pairs = zip(play, word, strict=False)
    return [tile == letter or tile in "?*_#" for tile, letter in pairs]


def _is_nearly_turn(line: Line, rules: Rules, shapes: set[str], tiles: str) -> bool:
    """Whether a line among turns is nearly one, with a slip in a field or between the fields.

    tiles: Those to play.
    """
    words = [token.text for token in line.tokens if not token.is_number]
    if line.shape in shapes:
        lengths = {sum(map(str.isalpha, word)) for word in words}
        if tiles or BLANK in line.text or len(lengths) == 1:
            return True
    if any(len(play) > 1 and _alike(play, word) for play, word in pairwise(words)):
        return True
    letters = "".join(c for c in line.text if c.isalpha() or c == BLANK)
    if 4 <= len(letters) <= _LONGEST_TURN:
        middle = len(letters) // 2
        for at in range(middle - 1, middle + 3):
            if _alike(letters[:at], letters[at:]):
                return True
    if not tiles or len(line.tokens) > 3 or len(words) > 1:
        return False
    numbers = [int(token.text) for token in line.tokens if re.fullmatch("[0-9]{1,9}", token.text)]
    if numbers and numbers[-1] > rules.rack_size:
        return False
    if not words:
        return bool(numbers) and re.fullmatch(r"\W*[0-9]+\W*", line.text) is not None
    word = lower(words[0])
    if word not in rules.words:
        return bool(numbers)
    lacking = (Counter(word) - Counter(tiles)).total()
    return len(word) <= rules.rack_size and lacking <= tiles.count(BLANK)


def _nearest_turn(line: Line) -> Turn:
    """Return the turn that a line is nearly: with two words that are alike, or without fields."""
    if line.shape in ("0aa", "aaa") and len(line.tokens) == 3:
        left, play, word = (token.text for token in line.tokens)
        return Turn(line.number, lower(left), *_spelt(play, word, "letters"))
    for number, (before, after) in enumerate(pairwise(line.tokens)):
        if not before.is_number and not after.is_number and _alike(before.text, after.text):
            left = line.tokens[number - 1].text if number else ""
            return Turn(line.number, lower(left), *_spelt(before.text, after.text, "letters"))
    return Turn(line.number, line.text, "", "")


def _name(texts: Sequence[str]) -> str:
    """Return the name that the lines before an answer give it.

    It is the last heading, or else the last short line.
    """
    short = [text for text in texts if len(text) <= _LONGEST_HEADING and not statement(text)[0]]
    headings = [
        text for text in short if text.startswith(("#", "**", "u/", "/u/")) or text.endswith(":")
    ]
    name = (headings or short or [""])[-1]
    # without marks of emphasis and the addresses of links
    return re.sub(r"\*+|\[([^][]*)\]\([^()]*\)", r"\1", name).strip("#_: ")


def _has_mixed(line: Line) -> bool:
    """Whether a word of a line has capitals and small letters."""
    return any(_is_mixed(token.text) for token in line.tokens)


def _is_mixed(text: str) -> bool:
    """Whether a text has capitals and small letters."""
    return text.lower() != text and text.upper() != text
