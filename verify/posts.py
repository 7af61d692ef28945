"""From a post to the answers in it: which lines are turns, where one answer ends and the next begins, what is passed over.

A piece is a run of turns that no boundary cuts. Whether two pieces are one answer is decided where they are judged
(`verify.answers`), since only the replay tells.
"""

from dataclasses import dataclass, field
from itertools import pairwise

from verify.columns import in_order
from verify.lines import Cells, Item, Kind, fits, item_of
from verify.markup import Line, has_tags, lines_of
from verify.parse import comment_of
from verify.text import quote
from verify.verdict import Violation

MOST_LINES = 200_000  # of a post; what is longer is read as the plain format only
MOST_NOTED = 2_000  # lines that are told as passed over; the others are counted
_HEADERS = ("puzzle", "row", "answer")  # comments that begin an answer
_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True, slots=True)
class Row:
    """A turn as it stands in a post. cells: None where it is malformed."""

    line: int
    text: str
    cells: Cells | None


@dataclass
class Piece:
    """Turns that belong together, and what stands around them.

    hard: a heading or a header stands before it, and not just some prose.
    heading, name, named_claim: (line, text) of the heading, what it says, and the score in it, if there is one.
    marked: it is a heading by its form, and not just a line that ends in a colon.
    claims: (line, score), of the whole piece.
    comments: (line, text) that mean something to the referee.
    passed: (line, text) that mean nothing to it, at most `MOST_NOTED`; more: how many beside those.
    """

    hard: bool = False
    name: str = ""
    heading: tuple[int, str] | None = None
    marked: bool = False
    named_claim: list[tuple[int, int]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    claims: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    passed: list[tuple[int, str]] = field(default_factory=list)
    more: int = 0
    violations: list[Violation] = field(default_factory=list)

    def pass_over(self, line: int, text: str) -> None:
        """Note a line that is not taken for anything."""
        if len(self.passed) < MOST_NOTED:
            self.passed.append((line, text))
        else:
            self.more += 1


@dataclass
class Post:
    """A post, read. plain: it holds nothing that the plain format does not have."""

    pieces: list[Piece]
    plain: bool


def decoded(content: bytes) -> str:
    """The text of a file; bytes that are no UTF-8 are replaced."""
    if (encoding := _BOMS.get(content[:2])) is not None:
        text = content[2:].decode(encoding, "replace")
    else:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_post(content: bytes) -> Post:
    """The pieces of a post; none where it holds no turn."""
    text = decoded(content)
    found = _doubted([(line, item_of(line.text)) for line in in_order(lines_of(text))])
    if not any(item.kind is Kind.TURN for _line, item in found):
        return Post([], plain=True)
    broken = {} if content[:2] in _BOMS else _not_utf8(content)
    reader = _Reader(found, broken)
    pieces = reader.read()
    plain = content[:2] not in _BOMS and not has_tags(text) and len(pieces) == 1
    return Post(pieces, plain and all(_is_plain(line, item) for line, item in found))


def _doubted(found: list[tuple[Line, Item]]) -> list[tuple[Line, Item]]:
    """The lines, with doubt where a number and two words stand outside of all paragraphs of turns: "3 seconds later"."""
    sure = {
        line.place
        for line, item in found
        if item.cells is not None and (line.fenced or not item.cells.bare or _resemble(item.cells.play, item.cells.word))
    }
    if not sure:
        return found
    first, last = min(sure), max(sure)
    return [
        (line, Item(Kind.DOUBTFUL, item.cells) if item.kind is Kind.TURN and not first <= line.place <= last else item)
        for line, item in found
    ]


def _resemble(play: str, word: str) -> bool:
    """Whether a play and a word are no two words of prose: one makes the other, or nearly, or has blanks."""
    return fits(play, word) or not play.isalpha() or play[:2].lower() == word[:2].lower()


def _is_plain(line: Line, item: Item) -> bool:
    """Whether the plain format has such lines, well-formed or not."""
    if item.kind in (Kind.TURN, Kind.DOUBTFUL):
        cells = item.cells
        return cells is not None and cells.bare and line.is_bare and "_" not in cells.play and not cells.has_inner_capitals
    return item.kind in (Kind.BROKEN, Kind.FIELDS, Kind.COMMENT) and (line.is_bare or item.kind is Kind.COMMENT)


def _not_utf8(content: bytes) -> dict[int, Violation]:
    """A fault for each line that is not UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return {}
    faults = {}
    for number, raw in enumerate(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), start=1):
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            what = f"byte {error.start + 1} of the line, {raw[error.start]:#04x}, is not UTF-8"
            faults[number] = Violation(number, "not-utf8", what)
    return faults


class _Reader:
    """Cuts the lines of a post into pieces."""

    def __init__(self, found: list[tuple[Line, Item]], not_utf8: dict[int, Violation]) -> None:
        self.found = found
        self.not_utf8 = not_utf8
        self.pieces = [Piece()]
        self._starts = self._boundaries(self._claims_lead())

    def read(self) -> list[Piece]:
        """All pieces, in order."""
        regions = self._regions()
        for place, (line, item) in enumerate(self.found):
            if place in self._starts and self.pieces[-1].rows:
                self.pieces.append(Piece(hard=self._starts[place]))
            piece = self.pieces[-1]
            if item.kind is Kind.TURN or item.kind is Kind.BROKEN or (item.kind is Kind.FIELDS and regions[place]):
                piece.rows.append(Row(line.number, _cells_text(line.text), item.cells))
            elif item.kind is Kind.DOUBTFUL:
                what = f"{quote(line.text)} may be a turn, or prose: expected a play that fits its word, or other words"
                piece.violations.append(Violation(line.number, "ambiguous", what))
            elif item.kind is Kind.CLAIM and item.value is not None:
                piece.claims.append((line.number, item.value))
            elif item.kind is Kind.COMMENT and (meaning := comment_of(line.text)) is not None:
                piece.comments.append((line.number, line.text))
                if meaning == "answer" and not piece.rows:
                    piece.name, piece.marked = line.text.strip("# "), True
            elif item.kind is Kind.HEADING and not piece.rows and (item.strong or not piece.name):
                if piece.heading is not None:
                    piece.pass_over(*piece.heading)
                piece.heading = line.number, line.text
                piece.name, piece.marked = item.name, item.strong
                piece.named_claim = [] if item.value is None else [(line.number, item.value)]
            else:
                piece.pass_over(line.number, line.text)
            if line.number in self.not_utf8 and item.kind not in (Kind.PROSE, Kind.HEADING, Kind.CLAIM):
                piece.violations.append(self.not_utf8[line.number])
        return self.pieces

    def _boundaries(self, lead: bool) -> dict[int, bool]:
        """The places where a new piece begins, and whether a heading or a header says so.

        A boundary stands between two turns; lines behind it belong to the new piece.

        lead: a claim tells the score of the turns behind it.
        """
        starts: dict[int, bool] = {}
        last: Line | None = None  # the last turn
        mark, hard = None, False
        for place, (line, item) in enumerate(self.found):
            if item.kind is Kind.TURN or (item.kind is Kind.BROKEN and mark is not None):
                if last is not None and mark is None and _stands_apart(line, last):
                    mark = place
                if mark is not None and last is not None:
                    starts[mark] = hard
                last, mark, hard = line, None, False
            elif last is None:
                continue
            elif item.kind is Kind.HEADING or (item.kind is Kind.COMMENT and comment_of(line.text) in _HEADERS):
                if not hard:
                    mark, hard = place, True
            elif item.kind is Kind.CLAIM and mark is None:
                mark = place if lead else place + 1
            elif item.kind is Kind.PROSE and mark is None and line.place != last.place:
                mark = place
        return starts

    def _claims_lead(self) -> bool:
        """Whether a score stands before each answer rather than behind it."""
        turns = [place for place, (_line, item) in enumerate(self.found) if item.kind is Kind.TURN]
        claims = [place for place, (_line, item) in enumerate(self.found) if item.kind is Kind.CLAIM]
        return bool(claims) and claims[0] < turns[0] and claims[-1] < turns[-1]

    def _regions(self) -> list[bool]:
        """For each line whether it stands among turns: in a paragraph that has one, or between two of an answer."""
        turns = [place for place, (_line, item) in enumerate(self.found) if item.kind is Kind.TURN]
        places = {self.found[place][0].place for place in turns}
        inside = [line.place in places for line, _item in self.found]
        for before, after in pairwise(turns):
            if not any(place in self._starts for place in range(before + 1, after + 1)):
                inside[before + 1 : after] = [True] * (after - before - 1)
        return inside


def _stands_apart(line: Line, last: Line) -> bool:
    """Whether a line stands in another fence or another quotation than `last`."""
    return (line.fenced, line.depth) != (last.fenced, last.depth) or (line.fenced and line.place != last.place)


def _cells_text(text: str) -> str:
    """A line of a table as its cells, with white space between them; any other line as it is."""
    return " ".join(cell.strip() for cell in text.strip("| ").split("|")) if "|" in text else text
