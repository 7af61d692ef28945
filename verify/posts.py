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
from typing import Any

from verify import core
from verify.core import BLANK, Fault, Played, Position, Turn
from verify.explain import Answer, Claim, claim_in, mentioned, whole
from verify.records import (
    LONGEST_LINE,
    Line,
    Record,
    Token,
    has_pair,
    is_mixed,
    is_name,
    lines_of,
    pair_at,
    records_in,
    shape_of,
    spelt,
)
from verify.stated import RulesOf, Stated, statement
from verify.text import counted, lower, quote

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


@dataclass(frozen=True)
class Candidate:
    """A record, and the turn that it is by one meaning of capitals."""

    record: Record
    turn: Turn

    @classmethod
    def of(cls, record: Record, capitals: str) -> "Candidate":
        """Return the candidate that a record is; without play and word it is malformed."""
        number = record.line.number
        count = lower(record.fields.get("left", ""))
        fields = record.fields
        play, word = spelt(fields.get("play", ""), fields.get("word", ""), capitals)
        if not play or not word:
            return cls(record, Turn(number, record.line.text, "", ""))
        return cls(record, Turn(number, count, play, word))

    @property
    def line(self) -> Line:
        """Its first line."""
        return self.record.line


@dataclass(eq=False)
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
        return self.found[-1].record.last

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
        self.shapes.add(candidate.record.shape)
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

    def scan(capitals: str) -> _Scan:
        return _Scan(lines, records, rules, rules_of, capitals)

    best = scan("letters")
    words = (text for record in records for text in record.fields.values())
    if any(map(is_mixed, words)):
        best = max([best, scan("blanks"), scan("small")], key=_Scan.rating)
    return best.answers()


class _Scan:
    """One reading of a post: a meaning of capitals.

    `rules` are the fields of the lines that state rules, by the index of the line.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        records: Sequence[Record],
        rules: Mapping[int, dict[str, Any]],
        rules_of: RulesOf,
        capitals: str,
    ) -> None:
        self._games: list[Game] = []
        self._lines = lines
        self._rules_of = rules_of
        self._capitals = capitals
        self._group = Stated()  # the rules stated since the last turn
        self._unused: list[Line] = []  # the lines that state them
        self._ignored: list[Line] = []  # which state rules of no answer
        self._dropped: list[Candidate] = []  # which may be turns and are in no answer
        self._candidates = [Candidate.of(record, capitals) for record in records]
        lines_with = {(record.line.at, record.shape) for record in records}
        self._shapes = Counter(shape for _at, shape in lines_with)
        # before each line, the lines with a word, and those of them that are no comments
        self._texts = [0]
        self._talk = [0]
        for line in lines:
            has_word = any(map(str.isalpha, line.text))
            self._texts.append(self._texts[-1] + has_word)
            self._talk.append(self._talk[-1] + (has_word and not line.text.startswith("#")))
        number = 0
        for line in lines:
            if line.at in rules:
                self._state(line, rules[line.at])
            while number < len(self._candidates) and self._candidates[number].line is line:
                self._classify(number)
                number += 1

    def rating(self) -> tuple[bool, int]:
        """Return what makes one reading better than another.

        These are whether no turn has a fault, and the number of legal turns.
        """
        turns = sum(len(game.found) for game in self._games)
        legal = sum(not turn.faults for game in self._games for turn in game.played)
        return 0 < turns == legal, legal

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
        elif candidate.record.group != current.found[-1].record.group:
            self._begin(self._new_game(), candidate)
        elif current.allows(turn):
            current.take(candidate)
        elif self._is_talk(current, candidate):
            self._dropped.append(candidate)
        elif self._begins_another(number, current):
            self._begin(self._new_game(), candidate)
        elif (
            line.paragraph in current.paragraphs
            or candidate.record.shape in current.shapes
            or (candidate.record.is_named and current.found[-1].record.is_named)
        ):
            current.take(candidate)
        else:
            self._dropped.append(candidate)

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

        A chance one in talk has not, nor has code, of names alone: `left = take(row)`.
        """
        record = candidate.record
        is_alone = not record.is_named and len(record.shape) != 3
        if is_alone and self._shapes[record.shape] == 1:
            return False
        fields = record.fields
        return "left" not in fields or re.search("[0-9?]", "".join(fields.values())) is not None

    def _begins_another(self, number: int, current: Game) -> bool:
        """Whether a candidate that cannot go on with an answer begins another one.

        A turn of few tiles can be legal on the full row by chance. So more must be played in a row,
        below a cut or the end of the game; or text must be between: there a legal answer is over if
        its next turn would be a fault.
        """
        rules = current.answer.rules
        position: Position | None = Position(rules.row)
        tiles = 0
        for candidate in self._candidates[number : number + _NO_CHANCE]:
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
        found = self._games
        self._games = [game for game in found if any(map(self._is_usual, game.found))] or found
        if not self._games:
            return []
        for game in found:
            if game not in self._games:
                self._dropped += game.found
        totals = {game.total for game in self._games}
        begin = 0
        for number, game in enumerate(self._games):
            end = self._end(*self._games[number : number + 2])
            _Surroundings(game, self._lines[begin:end], totals).read()
            begin = end
            if any(is_mixed(text) for one in game.found for text in one.record.fields.values()):
                game.answer.reading.notes.append(_CAPITALS[self._capitals])
        notes = self._games[-1].answer.reading.notes
        for line in (*self._ignored, *self._unused):
            what = "is ignored: a rule is expected directly above its turns"
            notes.append(f"line {line.number}: {quote(line.text)} {what}")
        notes += self._dropped_lines()
        return [game.answer for game in self._games]

    def _dropped_lines(self) -> list[str]:
        """Return a note on lines that may be turns, are in no answer, and repeat none of a turn."""
        turns = {replace(one.turn, line=0) for game in self._games for one in game.found}
        lines = {
            one.line.number: one.line.text
            for one in self._dropped
            if replace(one.turn, line=0) not in turns
        }
        if not lines:
            return []
        first = min(lines)
        what = "may hold turns that are in no answer, the first is line"
        return [f"{counted(len(lines), 'line')} {what} {first}: {quote(lines[first])}"]

    def _end(self, game: Game, following: Game | None = None) -> int:
        """Return the index after the last line that belongs to a game, not to the next one."""
        if following is None:
            return len(self._lines)
        end = game.last.at + 1
        while (
            end < following.found[0].line.at
            and self._lines[end].paragraph == game.last.paragraph
            and not self._lines[end].text.startswith("#")
        ):
            end += 1
        return end


class _Surroundings:
    """The lines around the turns of a game, and the pieces of their lines that are no turn."""

    def __init__(self, game: Game, lines: Sequence[Line], totals: set[int]) -> None:
        self._game = game
        self._lines = lines
        self._totals = totals  # of all games
        self._passed: dict[str, tuple[int, str, int]] = {}  # by form: line, text, lines of the form
        self._fillers = {
            token.text.lower()
            for one in game.found
            for token in (*one.record.before, *one.record.after)
        }

    def read(self) -> None:
        """Find the nearly-turns among the lines, and note what each was taken for."""
        game, answer = self._game, self._game.answer
        answer.turns = [candidate.turn for candidate in game.found]
        stated = {number for _name, number in answer.stated.lines}
        for number, candidate in enumerate(game.found, start=1):
            fields = candidate.record.fields
            answer.claims += [
                Claim(candidate.line.number, whole(fields[name]), number, name)
                for name in ("right", "score", "total")
                if fields.get(name)
            ]
        within = {
            at for one in game.found for at in range(one.record.line.at, one.record.last.at + 1)
        }
        above: list[str] = []
        after = 0  # lines with text below the last turn
        for line in self._lines:
            if line.is_cut:
                what = f"only the first {LONGEST_LINE:,} characters of this line are read"
                if line.at in within:
                    answer.faults.append(Fault(line.number, "too-long-line", what))
                else:
                    answer.reading.notes.append(f"line {line.number}: {what}")
            if line.at in within:
                continue
            if line.number in stated:
                answer.reading.taken.append((line.number, f"a header: {line.text}"))
                continue
            is_above = line.at < game.found[0].line.at
            if is_above:
                above.append(line.text)
            after += line.at > game.last.at
            self._read_line(line, is_above=is_above, is_near=after <= 1)
        answer.name = _name(above)
        self._read_pieces()
        answer.turns.sort(key=lambda turn: turn.line)
        answer.reading.note_turns(answer.turns)
        named = [
            f"line {number:,} was passed over: {quote(text)}"
            + (f", and {count - 1:,} more like it" if count > 1 else "")
            for number, text, count in self._passed.values()
        ]
        if len(named) > _MOST_NAMED:
            named[_MOST_NAMED:] = [f"{len(named) - _MOST_NAMED:,} more lines were passed over"]
        answer.reading.notes += named

    def _read_line(self, line: Line, *, is_above: bool, is_near: bool) -> None:
        """Take a line without a turn as a nearly-turn, a remark on points, or talk."""
        game, answer = self._game, self._game.answer
        is_there = line.paragraph in game.paragraphs
        is_comment = line.text.startswith("#")
        if is_there and not is_comment and self._is_nearly_turn(line):
            answer.turns.append(_nearest_turn(line))
            return
        if is_comment and (score := claim_in(line.text)) is not None:
            if not is_above or score not in self._totals:
                answer.claims.append(Claim(line.number, score))
            answer.reading.taken.append((line.number, f"a claim: {line.text}"))
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
        """Name a text that was passed over, if it holds a number or a listed word."""
        words = self._game.answer.rules.words
        has_number = any(map(str.isdigit, text))
        if str(self._game.total) in (token.text.strip("!,") for token in tokens):
            return
        if has_number or any(lower(one.text) in words for one in tokens if not is_name(one)):
            form = re.sub("[0-9]+", "0", text[:200])
            first, shown, count = self._passed.get(form, (number, text, 0))
            self._passed[form] = (first, shown, count + 1)

    def _is_nearly_turn(self, line: Line) -> bool:
        """Whether a line is nearly a turn, with a slip in a field or between the fields."""
        game = self._game
        if has_pair(line.text):
            return True
        tokens = line.tokens()
        if any(token.field for token in tokens):
            return False
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
        """Name the pieces of the lines of turns that are no turn, and check numbers after turns."""
        game, answer = self._game, self._game.answer
        usual = Counter(shape_of(one.record.after) for one in game.found)
        lead = Counter(shape_of(one.record.before) for one in game.found)
        numbers: list[tuple[int, int]] = []  # line and number after a turn, not its score
        right = 0
        for candidate, played in zip(game.found, game.played, strict=True):
            record = candidate.record
            line = record.last
            values = [
                int(one.text) for one in record.after if re.fullmatch("[+]?[0-9]{1,9}", one.text)
            ]
            is_right = not {played.score, played.total}.isdisjoint(values)
            right += is_right
            text = " ".join(token.text for token in record.after)
            shape = shape_of(record.after)
            if shape and 2 * usual[shape] <= len(game.found):
                alone = len(record.after) == 1 and not record.before
                if alone and len(game.found) > 1 and (values or has_pair(f"{played.word} {text}")):
                    what = f"{quote(text)} is more than the other turns have"
                    expected = "expected left draws, tiles and word"
                    answer.faults.append(
                        Fault(line.number, "malformed-line", f"{what}: {expected}")
                    )
                else:
                    self._pass(line.number, text, record.after)
            elif values and not is_right:
                numbers.append((line.number, values[0]))
            elif "a" in shape and not is_right:
                self._pass(line.number, text, record.after)
            shape = shape_of(record.before)
            if shape and 2 * lead[shape] <= len(game.found):
                text = " ".join(token.text for token in record.before)
                self._pass(line.number, text, record.before)
        if numbers and not right:
            line_number, value = numbers[0]
            self._passed["numbers"] = (line_number, f"{value}", len(numbers))
            return
        for line_number, value in numbers:
            what = f"{value:,} is neither the score of this turn nor the total so far"
            answer.reading.notes.append(f"line {line_number}: {what}")


def _nearest_turn(line: Line) -> Turn:
    """Return the turn that a line is nearly: with two words that are alike, or without fields."""
    tokens = line.tokens()
    at = pair_at(tokens)
    if at is None:
        return Turn(line.number, line.text, "", "")
    left = tokens[at - 1].text if at else ""
    return Turn(line.number, lower(left), *spelt(tokens[at].text, tokens[at + 1].text))


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
