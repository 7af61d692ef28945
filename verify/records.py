"""Reads the lines of a post, and the records in them that may be turns.

A record is written by names (`left=6 play=asp word=asp`, an object, a row below a line of names),
in one line or over several, or without names: a number and two words that are alike. A name that
is not known stays apart. Each token is looked at once, so that time grows with the text.
"""

import html
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from verify.core import BLANK
from verify.text import lower

_TAG = re.compile(r"<(/?[a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_BREAKS = {"br", "/p", "/tr", "/li", "/pre", "/div", "/h1", "/h2", "/h3", "/blockquote"}
_LONG_ENTITY = re.compile("&#[0-9]{8,}")
_SPOILER = re.compile(r">!|!<|\|\||~~(?!~)[^~\n]+~~(?!~)")  # and what is struck out
_BLANK_IN_BRACKETS = re.compile(r"[\[({]\s?[?_]\s?[\])}]")
_RULER = re.compile(r"[-=*_]{3,}|\[\[[\w.-]+\]\]")  # or the head of an entry in TOML
_FENCE = re.compile("```|~~~")
_SIGNED = re.compile("^[> \t]*([-+\u2212\u2013])[^\\S\n]+(?=[0-9])", re.MULTILINE)
_UNSIGNED = re.compile(r"^[> \t]*\d", re.MULTILINE)
LONGEST_LINE = 500_000  # characters that are read, such as a list of ten thousand turns

# the words of names, by field; of two fields in a name the first one counts
_NAMES = {
    "right": "right r",
    "left": "left l draw draws drawn",
    "total": "total sum running cumulative",
    "score": "score points pts s",
    "play": "play played tiles p",
    "word": "word w",
    "turn": "turn move step no number #",
    "game": "game",
    "": "from the of so far count",
}
_FIELD_OF = {word: name for name, words in _NAMES.items() for word in words.split()}
_LINKS = {"as", "for", "word"}  # between a play and its word
_TURN = ("left", "play", "word")
_VALUE = (
    "[^\\s,;|=\"'`()\\[\\]{}<>/\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a\u00ab\u00bb"
    "\u2192\u2502\u3001\u3002\uff0c]++"
)
_TOKEN = re.compile(
    r"(?<![\w?]):?(?P<name>[A-Za-z]++(?:[ _-][A-Za-z]++){0,2}+)(?P<end>[\"'`*]*+)\s*+(?:=>|[:=])"
    rf"\s*+[\"'`*]*+(?P<value>{_VALUE})"
    r"|(?<![\w.])(?P<count>[0-9]{1,3}) ?(?P<side>(?:from )?(?:the )?(?:left|right)|[LR])\b"
    r"(?!\s*[:=]\s*\d)|\b(?P<bare>left|right) (?P<bared>[0-9]{1,2})\b(?! ?(?:left|right))"
    rf"|(?<!\w)(?P<letter>[LR])(?P<number>[0-9]{{1,2}})\b|{_VALUE}"
)
_PLAIN = re.compile(_VALUE)
_CUTS = (re.compile("[|]"), re.compile("\t"), re.compile("[;]"), re.compile("[,]"))
_SPACES = (re.compile(" {2,}"), re.compile(" +"))
_AROUND_CELL = " \t\"'`*_,[]():"
_NAME_OF_COLUMN = re.compile("#|[A-Za-z][A-Za-z _.-]{0,29}")
_OPENS_RECORD = re.compile(r"[-*+{}\[\]]")
_ORDERS = ("0aa", "aa0", "a0a")  # of a number and two words that are alike
_EMPHASIS = "*_~"
_MARKS_OF_BLANKS = re.compile("[*_#]")
_LETTERS_OF_BLANKS = {"blanks": "[A-Z]", "small": "[a-z]"}
_ALIKE = 0.6  # the share of a play's tiles that are letters of its word, or blanks


class Token(NamedTuple):
    """A number or a word of a line, with its place, and its field if a name says it."""

    text: str
    begin: int
    end: int
    field: str = ""

    @property
    def kind(self) -> str:
        """`0` for a number, `a` for a word."""
        return "0" if not any(c.isalpha() or c in "?*_" for c in self.text) else "a"


def shape_of(tokens: Iterable[Token]) -> str:
    """Return the kinds of tokens."""
    return "".join(token.kind for token in tokens)


@dataclass(frozen=True)
class Line:
    """A line of a post.

    Attributes:
        at: Its index among the lines.
        number: Its line in the file, from 1.
        text: Its text, without marks of quotation.
        paragraph: The number of its paragraph.
        is_quoted: Whether it is in a quotation.
        is_cut: Whether it goes on after its text, and the rest is not read.
    """

    at: int
    number: int
    text: str
    paragraph: int
    is_quoted: bool
    is_cut: bool

    @cached_property
    def shape(self) -> str:
        """The kinds of its tokens."""
        return shape_of(self.tokens())

    def tokens(self) -> list[Token]:
        """Return its numbers and words. They take much more memory than the text."""
        return list(_tokens(self.text))


@dataclass(frozen=True)
class Record:
    """What may be a turn.

    Attributes:
        line: Its first line.
        last: Its last line.
        shape: The kinds of the tokens of its line; of one with names, the names.
        fields: Its left draws, play and word, and what else is named: right draws, score, total.
        is_named: Whether names say what its fields are.
        group: What tells the games of a table apart.
        before, after: The pieces of its line next to it that are in no record.
    """

    line: Line
    last: Line
    shape: str
    fields: dict[str, str]
    is_named: bool = False
    group: str = ""
    before: list[Token] = field(default_factory=list)
    after: list[Token] = field(default_factory=list)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a post; marks of quotation, of fences and of a page are left out."""
    if _TAG.search(text):
        text = _TAG.sub(_gap_of, _HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), text))
    text = _SPOILER.sub(" ", html.unescape(_LONG_ENTITY.sub(" ", text)).replace("\\", ""))
    text = _BLANK_IN_BRACKETS.sub(BLANK, text)
    signs = Counter(_SIGNED.findall(text))
    has_unsigned = _UNSIGNED.search(text) is not None
    lines: list[Line] = []
    paragraph = 0
    for number, whole in enumerate(text.split("\n"), start=1):
        for part in whole.split("\v"):
            shown = part.strip().lstrip("> \t").strip()
            if not shown or _FENCE.match(shown) or _RULER.fullmatch(shown):
                paragraph += 1
                continue
            signed = _SIGNED.match(shown)
            if signed and has_unsigned and signs[signed[1]] == 1:
                shown = signed[1] + shown[signed.end() :]  # one dash alone is a minus, not a bullet
            is_quoted = part.lstrip().startswith(">")
            text = shown[:LONGEST_LINE]
            is_cut = len(shown) > LONGEST_LINE
            lines.append(Line(len(lines), number, text, paragraph, is_quoted, is_cut))
    return lines


def _gap_of(tag: re.Match[str]) -> str:
    gap = "\v" if tag[1].lower() in _BREAKS else " "
    return gap + "\n" * tag[0].count("\n")


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        name = match["name"]
        begin = match.start()
        if side := match["side"] or match["letter"] or match["bare"]:
            number = match["count"] or match["number"] or match["bared"]
            yield Token(number, begin, match.end(), _field_of(side))
            continue
        if name:
            words = re.findall("[A-Z]?[a-z]+|[A-Z]+", name)
            known = 0
            while known < len(words) and words[-1 - known].lower() in _FIELD_OF:
                known += 1
            if field_name := _field_of(" ".join(words[len(words) - known :])):
                begin += name.index(words[-known])
                yield from _plain(text, match.start(), begin)
                yield Token(_bare(match["value"]), begin, match.end(), field_name)
                continue
            if match["end"]:  # an unknown name in quotation marks
                begin = match.start("value")
        yield from _plain(text, begin, match.end())


def _plain(text: str, begin: int, end: int) -> Iterator[Token]:
    for match in _PLAIN.finditer(text, begin, end):
        piece = match[0]
        if not any(c.isalpha() or c == BLANK for c in piece) and not set(piece) <= {"*", "_"}:
            piece = _bare(piece)
            if not any(map(str.isdigit, piece)):
                continue
        yield Token(piece, *match.span())


def _bare(text: str) -> str:
    return text.strip(_EMPHASIS).rstrip(".:") if set(text) - set(_EMPHASIS) else text


def _field_of(name: str) -> str:
    """Return the field that a name means; empty for none."""
    words = {word.lower() for word in re.findall("#|[A-Z]?[a-z]+|[A-Z]+", name)}
    fields = {_FIELD_OF[word] for word in words & _FIELD_OF.keys()}
    return next((name for name in _NAMES if name in fields), "")


def records_in(lines: Sequence[Line]) -> list[Record]:
    """Return the records of a post, in the order of their first lines."""
    reader = _Reader()
    records = [record for line in lines for record in reader.read(line)]
    records += reader.cut()
    return sorted(records, key=lambda record: record.line.at)


class _Reader:
    """Assembles records from one line after the other."""

    def __init__(self) -> None:
        self._columns = _Columns()
        self._named: dict[str, str] = {}  # the fields of a record that may go on
        self._first: Line | None = None  # of it
        self._last: Line | None = None
        self._rest: list[Token] = []  # in its lines, without a name
        self._lone: deque[tuple[Line, Token]] = deque(maxlen=3)  # each alone in its line

    def read(self, line: Line) -> Iterator[Record]:
        """Yield the records that a line completes."""
        if self._last is not None and (
            self._last.paragraph != line.paragraph or _OPENS_RECORD.match(line.text)
        ):
            yield from self.cut(is_over=self._last.paragraph != line.paragraph)
        row = self._columns.row(line)
        if row is not None:
            yield from row
            return
        tokens = line.tokens()
        if len(tokens) == 1 and not tokens[0].field:
            yield from self._read_lone(line, tokens[0])
        elif tokens:
            self._lone.clear()
            yield from self._read_tokens(line, tokens)

    def _read_lone(self, line: Line, token: Token) -> Iterator[Record]:
        if self._lone and self._lone[-1][0].paragraph != line.paragraph:
            self._lone.clear()
        self._lone.append((line, token))
        three = [token for _line, token in self._lone]
        if fields := _unnamed(three, 0):
            yield Record(self._lone[0][0], line, "0aa", fields)
            self._lone.clear()

    def _read_tokens(self, line: Line, tokens: Sequence[Token]) -> Iterator[Record]:
        found: list[Record] = []
        rest: list[Token] = []  # since the last record
        shape = shape_of(tokens)
        if len({token.field for token in tokens} & {*_TURN}) > 1:
            found += self.cut()
        begin = at = 0
        while at < len(tokens):
            token = tokens[at]
            made: list[Record] = []
            taken = 1
            if re.search("[{}]", line.text[begin : token.begin]):
                made += self.cut(is_over=False)
            if words := self._words(line, tokens[at : at + 3]):
                self._put(line, words)
                taken = len(words)
            elif fields := _unnamed(tokens, at, shape):
                made.append(Record(line, line, shape, fields))
                taken = 3
            elif token.field:
                if token.field in self._named:
                    made += self.cut()
                self._put(line, {token.field: token.text})
            else:
                rest.append(token)
            for record in made:
                (found[-1].after if found else record.before).extend(rest)
                rest = []
                found.append(record)
            begin = token.end
            at += taken
        if len(found) == 1 and not found[0].is_named and not self._named.keys() & {*_TURN}:
            found[0].fields.update(self._named)
            self._named = {}
        elif self._first is line and {"play", "word"} <= self._named.keys():
            for record in self.cut():
                record.before.extend(rest)
                rest = []
                found.append(record)
        if found:
            found[-1].after.extend(rest)
        elif self._last is line:
            self._rest += rest
        yield from found

    def _words(self, line: Line, three: Sequence[Token]) -> dict[str, str]:
        """Return play and word, or the word, of a record without their names, if they follow."""
        if self._first is not line or "left" not in self._named or "word" in self._named:
            return {}
        first, *others = three
        if "play" in self._named:
            play = Token(self._named["play"], 0, 0)
            return {"word": first.text} if _are_words([play, first]) else {}
        second = next((one for one in others if one.text.lower() not in _LINKS), first)
        if second is first or not _are_words([first, second]):
            return {}
        fields = {"play": first.text, "word": second.text}
        if second is not others[0]:
            fields["turn"] = ""  # the word between them is taken, too
        return fields

    def _put(self, line: Line, fields: dict[str, str]) -> None:
        if not self._named:
            self._first = line
        self._last = line
        self._named |= fields

    def cut(self, *, is_over: bool = True) -> Iterator[Record]:
        """Yield the record so far, if it may be a turn; else it may go on unless `is_over`."""
        turn = self._named.keys() & set(_TURN)
        if self._first is None or self._last is None or (len(turn) in (1, 2) and not is_over):
            return
        fields = self._named
        self._named = {}
        if len(turn) > 1:
            names = " ".join(name for name in fields if name != "turn")
            group = fields.pop("game", "")
            record = Record(self._first, self._last, names, fields, is_named=True, group=group)
            record.before.extend(self._rest)
            yield record
        self._rest.clear()


class _Columns:
    """The names of the columns of a table, from the line that holds them to the next paragraph."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._paragraph = -1
        self._cut = _SPACES[0]

    def row(self, line: Line) -> list[Record] | None:
        """Return the record in a row, none for the names themselves; None for another line."""
        if line.paragraph != self._paragraph:
            self._names = []
        if not self._names:
            return [] if self._read_names(line) else None
        cells = _cells(self._cut, line.text)
        if len(cells) != len(self._names) and self._cut in _SPACES:
            cells = _cells(_SPACES[1], line.text)
            if len(cells) > len(self._names):
                return None
        if len(cells) < len(self._names):
            return None
        if not any(cell.strip("-: ") for cell in cells):
            return []
        fields = {name: cell for name, cell in zip(self._names, cells, strict=False) if name}
        is_turn = _are_alike(fields.get("play", ""), fields.get("word", ""))
        if not is_turn and not re.search("[0-9]", fields.get("left", "")):
            return None
        group = fields.pop("game", "")
        after = [Token(cell, 0, 0) for cell in cells[len(self._names) :] if cell]
        shape = " ".join(self._names)
        return [Record(line, line, shape, fields, is_named=True, group=group, after=after)]

    def _read_names(self, line: Line) -> bool:
        """Take over the names of the columns, if a line holds them."""
        if len(line.text) > 1_000 or "word" not in line.text.lower():
            return False
        for cut in (*_CUTS, *_SPACES):
            cells = _cells(cut, line.text)
            names = [_field_of(cell) if _NAME_OF_COLUMN.fullmatch(cell) else "" for cell in cells]
            is_known = all(names) if cut is _SPACES[1] else True
            if is_known and len({*names} & {*_TURN}) > 1:
                self._names = _one_of_each(names, cells)
                self._paragraph = line.paragraph
                self._cut = cut
                return True
        return False


def _one_of_each(names: Sequence[str], cells: Sequence[str]) -> list[str]:
    """Return the names of columns, each only once: for its very name, or else for the shortest."""
    ranked = sorted(
        range(len(names)), key=lambda at: (cells[at].lower() != names[at], len(cells[at]))
    )
    best: dict[str, int] = {}
    for at in ranked:
        best.setdefault(names[at], at)
    return [name if best[name] == at else "" for at, name in enumerate(names)]


def _cells(cut: re.Pattern[str], text: str) -> list[str]:
    inner = text.strip().removeprefix("|").removesuffix("|")
    return [cell.strip(_AROUND_CELL) for cell in cut.split(inner)]


def _unnamed(tokens: Sequence[Token], at: int, shape: str = "") -> dict[str, str]:
    """Return left draws, play and word in three tokens without a name; empty for none."""
    three = tokens[at : at + 3]
    kinds = shape[at : at + 3] or shape_of(three)
    if kinds not in _ORDERS or any(token.field not in ("", "turn") for token in three):
        return {}
    number = three[kinds.index("0")].text
    play, word = (token.text for token in three if token.kind == "a")
    if len(number) > 3 or not _are_alike(play, word):
        return {}
    if BLANK in word and BLANK not in play:
        play, word = word, play
    return {"left": number, "play": play, "word": word}


def _are_words(two: Sequence[Token]) -> bool:
    """Whether two tokens may be a play and its word."""
    if len(two) < 2 or any(token.field or token.kind == "0" for token in two):
        return False
    return _are_alike(two[0].text, two[1].text)


def spelt(play: str, word: str, capitals: str = "letters") -> tuple[str, str]:
    """Return play and word as a turn has them.

    capitals: `letters`, or what stands for a blank: `blanks` among small letters, `small` letters
        among capitals.
    """
    play, word = _trimmed(play, word)
    marks = play
    if word.lower() == play.lower() and not is_mixed(play):
        marks = word
    if capitals != "letters" and is_mixed(marks):
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


def _are_alike(play: str, word: str) -> bool:
    """Whether two words may be a play and its word, with a slip or two."""
    play, word = map(lower, _trimmed(play, word))
    same = _same(play, word)
    if len(play) == len(word):
        return sum(same) >= max(1, _ALIKE * len(word))
    ends = _same(play[::-1], word[::-1])
    shared = [*same, False].index(False) + [*ends, False].index(False)
    shortest, longest = sorted((len(play), len(word)))
    return min(shortest, shared) >= _ALIKE * longest


def _same(play: str, word: str) -> list[bool]:
    """Return for each tile of a play whether it may stand for its letter."""
    pairs = zip(play, word, strict=False)
    return [tile == letter or tile in "?*_#" for tile, letter in pairs]


def has_pair(text: str) -> bool:
    """Whether a text is nearly a play with its word, perhaps without the space between them."""
    letters = "".join(c for c in text[:200] if c.isalpha() or c == BLANK)
    middle = len(letters) // 2
    if 4 <= len(letters) <= 60 and any(
        _are_alike(letters[:at], letters[at:]) for at in range(middle - 1, middle + 3)
    ):
        return True
    return pair_at(list(_tokens(text))) is not None


def pair_at(tokens: Sequence[Token]) -> int | None:
    """Return the place of two words that are alike, None without them; no pair is a letter each."""
    for at, token in enumerate(tokens):
        if len(token.text) > 1 and not is_name(token) and _are_words(tokens[at : at + 2]):
            return at
    return None


def is_name(token: Token) -> bool:
    """Whether a token is the name of a field, and not its value."""
    return all(word in _FIELD_OF for word in re.split("[_-]", token.text.lower()))


def is_mixed(text: str) -> bool:
    """Whether a text has capitals and small letters."""
    return text.lower() != text and text.upper() != text
