"""Finds the answers in a post: the game decides what is a turn.

A post is a stream of numbers and words. A number and two words that are alike are a candidate. A candidate that the rules
allow after the turns before it is the next turn, and one that they allow on the full row begins another answer. A candidate
that they forbid is a fault if it is among turns or has the shape of their lines, and so is a line among them that is nearly a
turn: no bad line is lost in silence. All else is talk. Markup, quotation marks, numbering, tables, lists and logs need no rules
of their own.
"""

import html
import re
from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from verify import core
from verify.core import BLANK, Fault, Position, Turn
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
    "[\\s,;|=\"'`()\\[\\]{}<>/\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a\u00ab\u00bb\u2192\u2502\u3001\u3002\uff0c]+"
)
_SIGNED = re.compile("([-+\u2212\u2013])\\s+(?=[0-9])")
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


class Token(NamedTuple):
    """A number or a word of a line."""

    text: str
    is_number: bool


@dataclass(frozen=True)
class Line:
    """A line of a post.

    Attributes:
        number: Its line in the file, from 1.
        text: Its text, without marks of quotation.
        paragraph: The number of its paragraph; of a game in a table of games, less than 0.
        is_code: Whether it is in a fence, or indented as code is.
        is_quoted: Whether it is in a quotation.
        tokens: Its numbers and words.
    """

    number: int
    text: str
    paragraph: int
    is_code: bool
    is_quoted: bool = False
    tokens: tuple[Token, ...] = ()

    @cached_property
    def shape(self) -> str:
        """The kinds of the tokens: 0 for a number, a for a word."""
        return "".join("0" if token.is_number else "a" for token in self.tokens)


@dataclass(frozen=True)
class Candidate:
    """Three tokens that may be a turn. at: the index of their line. trail: the numbers directly after them."""

    at: int
    line: Line
    turn: Turn
    trail: tuple[str, ...] = ()


@dataclass
class Game:
    """An answer in a post, as far as its turns are found.

    Attributes:
        answer: What a verdict is made of.
        begin: The index of the first line after the answer before.
        position: After its last turn; None after a fault of draws or tiles.
        found: Its turns.
        legal: The number of turns that the rules allow.
        paragraphs, shapes: Those of the lines of its turns.
        named: The play and word of each turn.
    """

    answer: Answer
    begin: int
    position: Position | None
    found: list[Candidate] = field(default_factory=list)
    legal: int = 0
    paragraphs: set[int] = field(default_factory=set)
    shapes: set[str] = field(default_factory=set)
    named: set[tuple[str, str]] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """Whether row and rack are empty."""
        return self.position == Position("", "")

    def allows(self, turn: Turn) -> bool:
        """Whether the rules allow a turn after the others."""
        return (
            self.position is not None
            and not core.play(self.answer.rules, self.position, turn).faults
        )

    def take(self, candidate: Candidate) -> None:
        """Take a candidate as the next turn, legal or not."""
        turn = candidate.turn
        played = core.play(self.answer.rules, self.position, turn)
        self.position = played.after
        self.legal += not played.faults
        self.found.append(candidate)
        self.paragraphs.add(candidate.line.paragraph)
        self.shapes.add(candidate.line.shape)
        self.named.add((turn.play, turn.word))

    def repeats(self, turn: Turn) -> bool:
        """Whether a turn names another one again, as a table of scores does. The first one again begins another answer."""
        is_first = replace(turn, line=0) == replace(self.found[0].turn, line=0)
        return (turn.play, turn.word) in self.named and not is_first


def answers_in(text: str, rules_of: RulesOf) -> list[Answer]:
    """Return the answers in a post, in order; none in talk."""
    lines = _joined(_by_columns(_lines(text)))
    is_mixed = any(_is_mixed(token.text) for line in lines for token in line.tokens)
    capitals = list(_CAPITALS) if is_mixed else ["letters"]
    # a file of lines of three fields has no talk
    is_bare = all(_BARE.fullmatch(line) or line.startswith("#") for line in text.split("\n"))
    best = max(
        (_Scan(lines, rules_of, _ORDERS[0], way, is_bare) for way in capitals), key=_Scan.rating
    )
    if not best.legal:
        best = max(
            (best, *(_Scan(lines, rules_of, order, "letters", is_bare) for order in _ORDERS[1:])),
            key=_Scan.rating,
        )
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
        self._unused: list[int] = []  # the lines which state them
        self._ignored: list[int] = []  # which state rules of no answer
        self._candidates = [
            candidate
            for at, line in enumerate(lines)
            for candidate in _candidates(at, line, order, capitals)
        ]
        self._shapes = Counter(
            line.shape for line in {one.at: one.line for one in self._candidates}.values()
        )
        # before each line, the lines with a word, and those of them that are no comments
        self._texts = list(accumulate(("a" in line.shape for line in lines), initial=0))
        self._talk = list(
            accumulate(("a" in line.shape and line.text[0] != "#" for line in lines), initial=0)
        )
        number = 0
        for at, line in enumerate(lines):
            if _RULE.match(line.text) and (fields := statement(line.text)[0]):
                self._state(at, fields)
            while number < len(self._candidates) and self._candidates[number].at == at:
                self._classify(number)
                number += 1

    @property
    def legal(self) -> int:
        """The number of turns that the rules allow."""
        return sum(game.legal for game in self._games)

    def rating(self) -> tuple[bool, int]:
        """What makes one reading better than another: no turn has a fault; more turns are legal."""
        turns = sum(len(game.found) for game in self._games)
        return 0 < turns == self.legal, self.legal

    def _state(self, at: int, fields: dict[str, Any]) -> None:
        """Take over a rule. One that differs from those of the turns above belongs to another answer."""
        self._unused.append(at)
        stated = self._stated
        names_another = self._games and {"puzzle", "row"} & fields.keys()
        if names_another or any(getattr(stated, name) != value for name, value in fields.items()):
            line = self._lines[at]
            self._group = self._group.with_rule(line.number, line.text, fields)

    @property
    def _stated(self) -> Stated:
        """The rules in force: those stated since the last turn, and but for another puzzle those of the answer before."""
        before = (
            self._games[-1].answer.stated
            if self._games and self._group.puzzle is None
            else Stated()
        )
        return self._group.over(before)

    def _classify(self, number: int) -> None:
        """Find what a candidate is: the next turn, the first one of another answer, a fault, or talk."""
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
        """Whether the rules stated last are those of a turn: not above talk or code, nor in a quotation above it."""
        last, line = self._lines[self._unused[-1]], candidate.line
        has_talk = (
            self._talk[candidate.at] > self._talk[self._unused[-1] + 1]
            and last.paragraph != line.paragraph
        )
        return not has_talk and last.is_quoted == line.is_quoted

    def _forget_rules(self) -> None:
        """Drop the rules stated since the last turn."""
        self._group = Stated()
        self._unused = []

    def _new_game(self) -> Game:
        begin = self._games[-1].found[-1].at + 1 if self._games else 0
        answer = Answer.by(self._stated, self._rules_of)
        return Game(answer, begin, Position(answer.rules.row))

    def _begin(self, game: Game, candidate: Candidate) -> None:
        game.take(candidate)
        self._games.append(game)
        self._forget_rules()

    def _is_usual(self, candidate: Candidate) -> bool:
        """Whether the line of a candidate is a bare turn, or has the shape of another one: a chance one in talk has not."""
        return len(candidate.line.shape) == 3 or self._shapes[candidate.line.shape] > 1

    def _begins_another(self, number: int, current: Game) -> bool:
        """Whether a candidate that cannot go on with an answer begins another one.

        A turn of few tiles can be legal on the full row by chance. So more must be played in a row, below a cut or the end of
        the game; or text must be between: there a legal answer is over if its next turn would be a fault.
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
        here, last = self._candidates[number], current.found[-1]
        is_cut = (
            last.line.paragraph != here.line.paragraph
            or self._texts[here.at] > self._texts[last.at + 1]
        )
        if tiles >= _NO_CHANCE and (is_cut or current.is_over):
            return True
        return self._is_apart(current, here) and (tiles > 0 or current.position is not None)

    def _is_talk(self, game: Game, candidate: Candidate) -> bool:
        """Whether a candidate that cannot go on with an answer repeats a turn of it, or is in a sentence, elsewhere."""
        repeats = game.repeats(candidate.turn)
        if self._is_apart(game, candidate):
            return repeats or not self._is_usual(candidate)
        return repeats and game.is_over and candidate.line.paragraph not in game.paragraphs

    def _is_apart(self, game: Game, candidate: Candidate) -> bool:
        """Whether a candidate is in another paragraph than the last turn, with text between."""
        last = game.found[-1]
        has_text = self._texts[candidate.at] > self._texts[last.at + 1]
        return has_text and last.line.paragraph != candidate.line.paragraph

    def answers(self) -> list[Answer]:
        """Return the answers with the meaning of the lines around their turns. Turns within talk count only if none is bare."""
        bare = [game for game in self._games if any(map(self._is_usual, game.found))]
        self._games = bare or self._games
        if not self._games:
            return []
        # a number of points far from all turns may count votes, and in code without a turn it is none
        of_turns = set[int]().union(*(game.paragraphs for game in self._games))
        at_turns = {candidate.at for game in self._games for candidate in game.found}
        claims = {}
        for at, line in enumerate(self._lines):
            is_there = line.paragraph in of_turns
            if (
                at not in at_turns
                and (is_there or not line.is_code)
                and (scores := claimed(line.text, alone=is_there))
            ):
                claims[at] = scores
        ends = [game.begin for game in self._games[1:]] + [len(self._lines)]
        for game, end in zip(self._games, ends, strict=True):
            self._read_around(game, end, claims.keys())
        for line in (self._lines[at] for at in (*self._ignored, *self._unused)):
            what = f"line {line.number}: {quote(line.text)} is ignored: a rule is expected directly above its turns"
            self._games[-1].answer.reading.notes.append(what)
        self._give(claims)
        return [game.answer for game in self._games]

    def _read_around(self, game: Game, end: int, claims: Container[int]) -> None:
        """Find the nearly-turns among the lines of an answer, and note what each line was taken for."""
        answer = game.answer
        at_turns = {candidate.at for candidate in game.found}
        rest = "".join(game.position or (answer.rules.row,))
        stated = {number for _name, number in answer.stated.lines}
        first, last = min(at_turns), max(at_turns)
        nearly = []
        for at in range(game.begin, end):
            line = self._lines[at]
            # a word alone below the last turn is talk, and so is above the first what has no play with its word
            tiles = ""
            if first < at < last:
                tiles = answer.rules.row
            elif at > last and line.shape != "a":
                tiles = rest
            if at in at_turns or not line.text.strip():
                continue
            is_near = (
                self._is_bare or line.paragraph in game.paragraphs
            ) and not line.text.startswith("#")
            if line.number in stated:
                answer.reading.taken.append((line.number, f"a header: {line.text}"))
            elif at in claims:
                continue
            elif (
                is_near
                and line.tokens
                and (self._is_bare or _is_nearly_turn(line, answer.rules, game.shapes, tiles))
            ):
                nearly.append(_nearest_turn(line))
            else:
                answer.reading.passed.append((line.number, line.text))
                clause = statement(line.text)[1]
                if at <= last and clause:
                    answer.reading.notes.append(f"line {line.number}: {clause}")
                elif first < at < last and is_near and game.position is None and "a" in line.shape:
                    what = f"line {line.number}: {quote(line.text)} is between turns and was passed over"
                    answer.reading.notes.append(what)
        self._read_trails(game)
        answer.turns = sorted(
            [*(candidate.turn for candidate in game.found), *nearly], key=lambda turn: turn.line
        )
        answer.reading.note_turns(answer.turns)
        if any(_is_mixed(token.text) for one in game.found for token in one.line.tokens):
            answer.reading.notes.append(_CAPITALS[self._capitals])
        answer.name = _name(
            [
                self._lines[at].text
                for at in range(game.begin, first)
                if "a" in self._lines[at].shape
            ]
        )

    def _read_trails(self, game: Game) -> None:
        """Take a number after a turn as a claim: of points, or in a column whose numbers are right for the most part.

        One such number alone, which says nothing, is a fault.
        """
        answer = game.answer
        columns: list[Claim] = []
        right = total = 0
        for number, candidate in enumerate(game.found, start=1):
            points = core.score(answer.rules, candidate.turn.play)
            total += points
            values = [int(text) for text in candidate.trail if re.fullmatch("[+]?[0-9]{1,9}", text)]
            right += any(value in (points, total) for value in values)
            claims = answer.claims if _POINTS.search(candidate.line.text) else columns
            claims += [Claim(candidate.turn.line, [value], number) for value in values]
        if (
            len(game.found) > 1
            and len(columns) == 1
            and len(game.found[columns[0].turns - 1].line.shape) == 4
        ):
            what = f"{columns[0].scores[0]} is a number more than the other turns have: expected left draws, tiles and word"
            answer.faults.append(Fault(columns[0].line, "malformed-line", what))
        elif 2 * right >= len({claim.line for claim in columns}):
            answer.claims += columns

    def _give(self, claims: Mapping[int, Sequence[object]]) -> None:
        """Give the scores that lines claim to the answer around each line, or to the one before or after, whose total it is."""
        ats = [[candidate.at for candidate in game.found] for game in self._games]
        totals = [
            sum(core.score(game.answer.rules, one.turn.play) for one in game.found)
            for game in self._games
        ]
        ends = [of_game[-1] for of_game in ats]
        for at, scores in claims.items():
            number = bisect(ends, at)  # of the first answer that does not end above the line
            near = [near for near in (number - 1, number) if 0 <= near < len(ats)]
            if number < len(ats) and ats[number][0] < at:
                near = [number]
            owner = next((near for near in near if totals[near] in scores), near[0])
            game, line = self._games[owner], self._lines[at]
            turns = bisect(ats[owner], at)
            is_near = turns > 0 or line.paragraph in game.paragraphs
            game.answer.claims.append(Claim(line.number, scores, turns, is_near))
            game.answer.reading.taken.append((line.number, f"a claim: {line.text}"))


def _lines(text: str) -> list[Line]:
    """Return the lines of a post with their tokens, without marks of quotation and of fences, and without tags of a page."""
    if _TAG.search(text):
        text = _TAG.sub(_gap_of, _HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), text))
    text = _SPOILER.sub(" ", html.unescape(_LONG_ENTITY.sub(" ", text)).replace("\\", ""))
    text = _BLANK_IN_BRACKETS.sub(BLANK, text)
    begins = [line.lstrip("> \t") for line in text.split("\n")]
    signs = Counter(match[1] for begin in begins if (match := _SIGNED.match(begin)))
    has_unsigned = any(begin[:1].isdigit() for begin in begins)
    lines = []
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
            is_code = is_fenced or part.startswith(("    ", "\t"))
            lines.append(
                Line(
                    number, shown, paragraph, is_code, part.lstrip().startswith(">"), _tokens(shown)
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
    """Return the lines; below one that names the columns left, play and word, these come first, then scores and totals."""
    columns: dict[str, int] = {}
    width = paragraph = games = 0
    last_game = ""
    result = []
    for line in lines:
        if not line.tokens:
            result.append(line)
            continue
        cells = [cell.strip("\"'` \t") for cell in _CELL.split(line.text.strip("| "))]
        names = [_COLUMNS.get(cell.lower(), cell.lower()) for cell in cells]
        if {"left", "play", "word"} <= set(names):
            line = replace(line, tokens=())
            columns = {name: column for column, name in enumerate(names)}
            width = len(cells)
            paragraph = line.paragraph
        elif (
            columns
            and line.paragraph == paragraph
            and len(cells) == width
            and cells[columns["play"]].strip("-:")
        ):
            three = [
                Token(cells[columns[name]], name == "left") for name in ("left", "play", "word")
            ]
            scores = [
                Token(cells[columns[name]], is_number=True)
                for name in ("score", "total")
                if name in columns
            ]
            game = cells[columns["game"]] if "game" in columns else ""
            games += game != last_game
            last_game = game
            # each game of a table is a paragraph of its own
            line = replace(line, paragraph=-games or line.paragraph, tokens=(*three, *scores))
        result.append(line)
    return result


def _joined(lines: list[Line]) -> list[Line]:
    """Return the lines; in a post without a turn in a line, three that hold a token each become one."""
    if any(_has_turn(line, _ORDERS[:1]) for line in lines):
        return lines
    held = [at for at, line in enumerate(lines) if line.tokens]
    by_three = zip(held, held[1:], held[2:], strict=False)
    threes = [
        replace(lines[three[0]], tokens=tuple(token for at in three for token in lines[at].tokens))
        for three in by_three
    ]
    shape = next(
        (line.shape for line in threes if len(line.shape) == 3 and _has_turn(line, _ORDERS)), None
    )
    result = list(lines)
    for start, line in enumerate(threes):
        at = held[start]
        if line.shape == shape and result[at] is lines[at]:
            result[at] = line
            for other in held[start + 1 : start + 3]:
                result[other] = replace(lines[other], text="", tokens=())
    return result


def _has_turn(line: Line, orders: Sequence[str]) -> bool:
    return any(True for order in orders for _candidate in _candidates(0, line, order, "letters"))


def _candidates(at: int, line: Line, order: str, capitals: str) -> Iterator[Candidate]:
    """Yield the candidates of a line, from left to right."""
    kinds = line.shape
    wanted = "".join("0" if column == "l" else "a" for column in order)
    start = kinds.find(wanted)
    while start >= 0:
        three = dict(zip(order, line.tokens[start : start + 3], strict=True))
        play, word = three["p"].text, three["w"].text
        after = start + 1
        if _alike(play, word) and len(three["l"].text) < 4:
            after = start + 3
            turn = Turn(line.number, three["l"].text, *_spelt(play, word, capitals))
            end = after
            while kinds[end : end + 1] == "0":
                end += 1
            yield Candidate(at, line, turn, tuple(token.text for token in line.tokens[after:end]))
        start = kinds.find(wanted, after)


def _spelt(play: str, word: str, capitals: str) -> tuple[str, str]:
    """Return play and word as a turn has them."""
    play, word = _trimmed(play, word)
    marks = (
        word if word.lower() == play.lower() and _is_mixed(word) and not _is_mixed(play) else play
    )
    if capitals == "small" and _is_mixed(marks):
        play = re.sub("[a-z]", BLANK, marks)
    elif capitals == "blanks" and _is_mixed(marks):
        play = re.sub("[A-Z]", BLANK, marks)
    return lower(_MARKS_OF_BLANKS.sub(BLANK, play)), lower(word)


def _trimmed(play: str, word: str) -> tuple[str, str]:
    """Return play and word without marks of emphasis; marks are blanks if the play has the length of the word with them."""
    word = word.strip(f"{_EMPHASIS}#").rstrip(".:")
    forms = (play, play.strip(_EMPHASIS), play.strip(_EMPHASIS).rstrip(".:"))
    return next((form for form in forms if len(form) == len(word)), forms[-1]), word


def _alike(play: str, word: str) -> bool:
    """Whether two words may be a play and its word, with a slip or two."""
    play, word = (lower(text) for text in _trimmed(play, word))
    same = [tile == letter or tile in "?*_#" for tile, letter in zip(play, word, strict=False)]
    if len(play) == len(word):
        return sum(same) >= _ALIKE * len(word)
    ends = [
        tile == letter or tile in "?*_#"
        for tile, letter in zip(reversed(play), reversed(word), strict=False)
    ]
    shared = min(len(play), len(word), _run(same) + _run(ends))
    return shared >= _ALIKE * max(len(play), len(word))


def _run(same: list[bool]) -> int:
    return same.index(False) if False in same else len(same)


def _is_nearly_turn(line: Line, rules: Rules, shapes: set[str], tiles: str) -> bool:
    """Whether a line among turns is nearly one, with a slip in a field or between the fields. tiles: those to play."""
    words = [token.text for token in line.tokens if not token.is_number]
    is_bare = (
        bool(tiles)
        or BLANK in line.text
        or len({sum(map(str.isalpha, word)) for word in words}) == 1
    )
    if (is_bare and line.shape in shapes) or any(
        _alike(*pair) for pair in pairwise(words) if len(pair[0]) > 1
    ):
        return True
    letters = "".join(c for c in line.text if c.isalpha() or c == BLANK)
    middle = len(letters) // 2
    if 4 <= len(letters) <= _LONGEST_TURN and any(
        _alike(letters[:at], letters[at:]) for at in range(middle - 1, middle + 3)
    ):
        return True
    numbers = [int(token.text) for token in line.tokens if re.fullmatch("[0-9]{1,9}", token.text)]
    if (
        not tiles
        or len(line.tokens) > 3
        or len(words) > 1
        or (numbers and numbers[-1] > rules.rack_size)
    ):
        return False
    if not words:
        return bool(numbers) and re.fullmatch(r"\W*[0-9]+\W*", line.text) is not None
    word = lower(words[0])
    lacking = (Counter(word) - Counter(tiles)).total()
    is_playable = (
        word in rules.words and len(word) <= rules.rack_size and lacking <= tiles.count(BLANK)
    )
    return is_playable or (bool(numbers) and word not in rules.words)


def _nearest_turn(line: Line) -> Turn:
    """Return the turn that a line is nearly: with two words that are alike, or as a line that is none."""
    if line.shape in ("0aa", "aaa") and len(line.tokens) == 3:
        left, play, word = (token.text for token in line.tokens)
        return Turn(line.number, lower(left), *_spelt(play, word, "letters"))
    for number, (before, after) in enumerate(pairwise(line.tokens)):
        if not before.is_number and not after.is_number and _alike(before.text, after.text):
            left = line.tokens[number - 1].text if number else ""
            return Turn(line.number, lower(left), *_spelt(before.text, after.text, "letters"))
    return Turn(line.number, line.text, "", "")


def _name(texts: Sequence[str]) -> str:
    """Return the name that the lines before an answer give it: the last heading, or else the last short line."""
    short = [text for text in texts if len(text) <= _LONGEST_HEADING and not statement(text)[0]]
    headings = [
        text for text in short if text.startswith(("#", "**", "u/", "/u/")) or text.endswith(":")
    ]
    # without marks of emphasis and the addresses of links
    return re.sub(r"\*+|\[([^][]*)\]\([^()]*\)", r"\1", (headings or short or [""])[-1]).strip(
        "#_: "
    )


def _is_mixed(text: str) -> bool:
    """Whether a text has capitals and small letters."""
    return text.lower() != text and text.upper() != text
