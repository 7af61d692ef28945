"""Cuts a post into pieces: finds the turns, the boundaries between answers, and the lines that are passed over.

A piece is a run of turns without a boundary. Only the replay shows whether two pieces are one answer (`verify.posts.answers`).
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise

from verify.posts.bylines import without_furniture
from verify.posts.code import without_code
from verify.posts.columns import in_order
from verify.posts.lines import Cells, Item, LineKind, fits, item_of
from verify.posts.markup import Line, has_tags, lines_of
from verify.replay.parse import NO_RULES, comment_of, not_utf8
from verify.replay.verdict import Violation
from verify.text import quote

MOST_LINES = 200_000  # of a post; longer ones are read in the plain format only
MOST_NOTED = 2_000  # listed lines that are passed over; the others are counted
_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


class Cut(IntEnum):
    """What separates a piece from the one before; the higher the value, the less likely they are one answer."""

    SPACE = 0  # a blank line, or a line of prose among turns
    MARK = 1  # prose, a rule, buttons, a fence, a claim
    NAME = 2  # a line that ends in a colon
    HEADING = 3
    AUTHOR = 4


@dataclass(frozen=True, slots=True)
class TableRow:
    """A turn as it stands in a post. cells: None where it is malformed."""

    line: int
    text: str
    cells: Cells | None


@dataclass
class Piece:
    """Turns that belong together, and the lines around them.

    cut: what separates it from the piece before.
    heading, name, named_claim: (line, text) of the heading, its name, and the score in it, if any.
    marked: it has the form of a heading, and is not only a line that ends in a colon.
    author: the author of its comment, where a page of comments names one.
    claims: (line, score), of the whole piece.
    comments: (line, text) with a meaning to the referee.
    inherited: headers of the answer before it, which count where it is a separate answer and does not state the same rule.
    passed: (line, text) without a meaning, at most `MOST_NOTED`; more: the number of further ones.
    """

    cut: Cut = Cut.MARK
    author: str = ""
    name: str = ""
    heading: tuple[int, str] | None = None
    marked: bool = False
    named_claim: list[tuple[int, int]] = field(default_factory=list)
    rows: list[TableRow] = field(default_factory=list)
    claims: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    inherited: list[tuple[int, str]] = field(default_factory=list)
    passed: list[tuple[int, str]] = field(default_factory=list)
    more: int = 0
    violations: list[Violation] = field(default_factory=list)

    @property
    def headers(self) -> list[tuple[int, str]]:
        """The comments that state a rule."""
        return [comment for comment in self.comments if comment_of(comment[1]) not in NO_RULES]

    def pass_over(self, line: int, text: str) -> None:
        """Note a line without a meaning."""
        if len(self.passed) < MOST_NOTED:
            self.passed.append((line, text))
        else:
            self.more += 1

    def forget(self) -> None:
        """Pass over the rules and claims of an author whose comment has no turn."""
        for line, text in self.comments:
            self.pass_over(line, text)
        self.comments, self.claims = [], []


@dataclass
class Post:
    """A parsed post. plain: all its lines are of the plain format."""

    pieces: list[Piece]
    plain: bool


def decoded(content: bytes) -> str:
    """Return the text of a file; bytes that are no UTF-8 are replaced."""
    if (encoding := _BOMS.get(content[:2])) is not None:
        text = content[2:].decode(encoding, "replace")
    else:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_post(content: bytes) -> Post:
    """Return the pieces of a post; none where it holds no turn."""
    text = decoded(content)
    lines = list(in_order(lines_of(text)))
    found = without_furniture([(line, item_of(line.text)) for line in lines])
    found = _doubted(without_code(found, _places(found, in_fences=False)))
    if not any(item.kind is LineKind.TURN for _line, item in found):
        return Post([], plain=True)
    broken = {} if content[:2] in _BOMS else _undecodable(content)
    reader = _Reader(found, broken)
    pieces = reader.read()
    plain = content[:2] not in _BOMS and not has_tags(text)
    return Post(pieces, plain and all(_is_plain(line, item) for line, item in found))


def _places(found: Sequence[tuple[Line, Item]], in_fences: bool) -> set[int]:
    """Return the paragraphs that certainly hold a turn. in_fences: whether a number and two words in a fence are one."""
    return {
        line.place
        for line, item in found
        if item.cells is not None
        and ((in_fences and (line.fenced or not item.cells.bare)) or _resemble(item.cells.play, item.cells.word))
    }


def _doubted(found: list[tuple[Line, Item]]) -> list[tuple[Line, Item]]:
    """Mark a number and two words outside all paragraphs of turns as doubtful: "3 seconds later"."""
    sure = _places(found, in_fences=True)
    if not sure:
        return found
    first, last = min(sure), max(sure)
    return [
        (line, Item(LineKind.DOUBTFUL, item.cells) if item.kind is LineKind.TURN and not first <= line.place <= last else item)
        for line, item in found
    ]


def _resemble(play: str, word: str) -> bool:
    """Whether a play and a word are no prose: the play makes the word, or nearly, or has blanks."""
    return fits(play, word) or not play.isalpha() or play[:2].lower() == word[:2].lower()


def _is_plain(line: Line, item: Item) -> bool:
    """Whether a line is of the plain format, well-formed or not."""
    if item.kind in (LineKind.TURN, LineKind.DOUBTFUL):
        cells = item.cells
        return cells is not None and cells.bare and line.is_bare and "_" not in cells.play and not cells.has_inner_capitals
    return item.kind in (LineKind.BROKEN, LineKind.FIELDS, LineKind.COMMENT) and (line.is_bare or item.kind is LineKind.COMMENT)


def _undecodable(content: bytes) -> dict[int, Violation]:
    """Return a fault for each line that is not UTF-8."""
    with suppress(UnicodeDecodeError):
        content.decode("utf-8")
        return {}
    faults = {}
    for number, raw in enumerate(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), start=1):
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            faults[number] = not_utf8(number, raw, error)
    return faults


class _Reader:
    """Cuts the lines of a post into pieces."""

    def __init__(self, found: list[tuple[Line, Item]], not_utf8: dict[int, Violation]) -> None:
        self.found = found
        self.not_utf8 = not_utf8
        self.pieces = [Piece()]
        self._author = ""  # of the current comment
        self._starts = self._boundaries(self._claims_lead())

    def read(self) -> list[Piece]:
        """Return all pieces, in order."""
        regions, depths = self._regions(), self._depths()
        for place, (line, item) in enumerate(self.found):
            if place in self._starts and self.pieces[-1].rows:
                self.pieces.append(Piece(self._starts[place], self._author, self._author, marked=self._author != ""))
            piece = self.pieces[-1]
            if item.kind is LineKind.TURN or item.kind is LineKind.BROKEN or (item.kind is LineKind.FIELDS and regions[place]):
                piece.rows.append(TableRow(line.number, _cells_text(line.text), item.cells))
            elif item.kind is LineKind.DOUBTFUL:
                what = f"{quote(line.text)} may be a turn, or prose: expected a play that fits its word, or other words"
                piece.violations.append(Violation(line.number, "ambiguous", what))
            elif item.kind is LineKind.CLAIM and item.value is not None:
                piece.claims.append((line.number, item.value))
            elif item.kind is LineKind.COMMENT and (meaning := _meaning(line, depths[place])) is not None:
                piece.comments.append((line.number, line.text))
                if meaning == "answer" and not piece.rows:
                    piece.name, piece.marked = line.text.strip("# "), True
            elif item.kind is LineKind.AUTHOR:
                if not piece.rows:
                    if self._author:
                        piece.forget()
                    piece.author = item.name
                    _head(piece, line, item)
                self._author = item.name
            elif item.kind is LineKind.HEADING and not piece.rows and (item.strong or not piece.name):
                _head(piece, line, item)
            else:
                piece.pass_over(line.number, line.text)
            if line.number in self.not_utf8 and item.kind not in (LineKind.PROSE, LineKind.HEADING, LineKind.CLAIM):
                piece.violations.append(self.not_utf8[line.number])
        return self.pieces

    def _boundaries(self, lead: bool) -> dict[int, Cut]:
        """Return the places where a new piece begins, and what separates it.

        A boundary lies between two turns; the lines after it belong to the new piece.

        lead: whether a claim is the score of the turns after it.
        """
        starts: dict[int, Cut] = {}
        last: Line | None = None  # the last turn
        mark, cut = 0, None
        for place, (line, item) in enumerate(self.found):
            spaced = (Cut.SPACE if line.apart else None) if cut is None else cut
            if item.kind is LineKind.TURN or (item.kind is LineKind.BROKEN and spaced is not None):
                if last is not None:
                    mark = place if cut is None else mark
                    cut = Cut.MARK if spaced in (None, Cut.SPACE) and _stands_apart(line, last) else spaced
                    if cut is not None:
                        starts[mark] = cut
                last, cut = line, None
            elif last is not None and (new := _cut(line, item, last, spaced)) is not None:
                # a piece begins at its author or its first heading, else after the turns before it
                if cut is None or (cut < Cut.NAME and new > cut) or (new is Cut.AUTHOR and cut is not new):
                    mark = place + (item.kind is LineKind.CLAIM and not lead)
                cut = new if cut is None else max(cut, new)
        return starts

    def _claims_lead(self) -> bool:
        """Whether a score stands before each answer rather than after it."""
        turns = [place for place, (_line, item) in enumerate(self.found) if item.kind is LineKind.TURN]
        claims = [place for place, (_line, item) in enumerate(self.found) if item.kind is LineKind.CLAIM]
        return bool(claims) and claims[0] < turns[0] and claims[-1] < turns[-1]

    def _depths(self) -> list[int]:
        """Return for each line how deeply the next turn is quoted, or the last one for the lines after it."""
        depths, depth = [0] * len(self.found), 0
        turns = [(place, line.depth) for place, (line, item) in enumerate(self.found) if item.kind is LineKind.TURN]
        depth = turns[-1][1]
        for place in reversed(range(len(self.found))):
            if turns and turns[-1][0] == place:
                depth = turns.pop()[1]
            depths[place] = depth
        return depths

    def _regions(self) -> list[bool]:
        """Return for each line whether it stands among turns: in a paragraph with one, or between two of an answer."""
        turns = [place for place, (_line, item) in enumerate(self.found) if item.kind is LineKind.TURN]
        places = {self.found[place][0].place for place in turns}
        inside = [line.place in places for line, _item in self.found]
        for before, after in pairwise(turns):
            if not any(self._starts.get(place, Cut.SPACE) > Cut.SPACE for place in range(before + 1, after + 1)):
                inside[before + 1 : after] = [True] * (after - before - 1)
        return inside


def _meaning(line: Line, depth: int) -> str | None:
    """Return what a comment states; None for a rule that someone quotes above turns of quotation `depth`."""
    meaning = comment_of(line.text)
    return None if line.depth > depth and meaning not in NO_RULES else meaning


def _head(piece: Piece, line: Line, item: Item) -> None:
    """Take a line as the heading of a piece; the author of a comment stays in its name."""
    if piece.heading is not None:
        piece.pass_over(*piece.heading)
    piece.heading = line.number, line.text
    of_author = piece.author and item.kind is LineKind.HEADING
    piece.name, piece.marked = f"{piece.author}: {item.name}" if of_author else item.name, item.strong
    piece.named_claim = [] if item.value is None else [(line.number, item.value)]


def _cut(line: Line, item: Item, last: Line, spaced: Cut | None) -> Cut | None:
    """Return the boundary that a line without a turn makes; `spaced` where it makes none. last: the turn before it."""
    if item.kind is LineKind.AUTHOR:
        return Cut.AUTHOR
    if item.kind is LineKind.HEADING:
        return Cut.HEADING if item.strong else Cut.NAME
    if item.kind is LineKind.COMMENT and comment_of(line.text) not in NO_RULES - {"answer"}:
        return Cut.HEADING
    if item.kind in (LineKind.CLAIM, LineKind.RULE, LineKind.BUTTON):
        return Cut.MARK
    if item.kind is LineKind.PROSE:
        return Cut.MARK if line.place != last.place else Cut.SPACE
    return spaced


def _stands_apart(line: Line, last: Line) -> bool:
    """Whether a line is in another fence or quotation than `last`."""
    return (line.fenced, line.depth) != (last.fenced, last.depth) or (line.fenced and line.place != last.place)


def _cells_text(text: str) -> str:
    """Return a line of a table as its cells, separated by spaces; another line without marks of code around it."""
    return " ".join(cell.strip() for cell in text.strip("| ").split("|")) if "|" in text else text.strip("`")
