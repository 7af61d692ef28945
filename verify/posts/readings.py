"""The possible readings of the turns of an answer: the meaning of its columns and of its capitals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verify.posts.lines import Cells
from verify.posts.posts import Piece, TableRow
from verify.replay.parse import SolutionText, TurnLine, comment_of, read_comment, read_turn
from verify.replay.rules import BLANK
from verify.text import lower, quote

# meanings of a capital among small letters
CASE, BLANKS, INNER = "case", "blanks", "inner"
_SAID = {
    CASE: "capitals are read as letters",
    BLANKS: "capitals among small letters are read as blanks",
    INNER: "capitals among small letters are read as blanks, those of a first letter alone as letters",
}


@dataclass(frozen=True)
class Way:
    """One way to read an answer.

    capitals: `CASE`, `BLANKS` or `INNER`.
    totals: whether a column of numbers behind the words holds running totals, not scores.
    """

    capitals: str = CASE
    totals: bool = False

    @property
    def said(self) -> str:
        """A clause for people on this reading."""
        return _SAID[self.capitals]


def ways(pieces: Sequence[Piece]) -> list[Way]:
    """Return the possible readings of these pieces as one answer, the most usual one first."""
    rows = [row.cells for piece in pieces for row in piece.rows if row.cells]
    capitals = [CASE]
    if any(_is_mixed(cells.play) or _is_mixed(cells.word) for cells in rows):
        capitals = [CASE, BLANKS]
        if has_inner_capitals(pieces):
            titles = any(_is_title(cells.play) for cells in rows)
            capitals = [BLANKS, INNER, CASE] if titles else [BLANKS, CASE]
    totals = [False, True] if any(len(cells.trail) == 1 for cells in rows) else [False]
    return [Way(capital, total) for capital in capitals for total in totals]


def has_inner_capitals(pieces: Sequence[Piece]) -> bool:
    """Whether capitals stand among the small letters of a play, behind its first tile."""
    return any(row.cells is not None and row.cells.has_inner_capitals for piece in pieces for row in piece.rows)


def text_of(pieces: Sequence[Piece], way: Way) -> SolutionText:
    """Return these pieces as one answer, read in this way."""
    text = SolutionText()
    columns = _Columns([row.cells for piece in pieces for row in piece.rows if row.cells])
    for place, piece in enumerate(pieces):
        signs = columns.signs or _signs([row.cells for row in piece.rows if row.cells])
        for row in piece.rows:
            turn = columns.turn(row, way, signs)
            if turn is None:
                read_turn(text, row.line, row.text)
            else:
                text.turns.append(turn)
        text.violations += piece.violations
        for line, comment in [*(piece.inherited if place == 0 else []), *piece.comments]:
            read_comment(text, line, comment)
        claims = [*piece.named_claim, *piece.claims]
        (text.claims if place == len(pieces) - 1 else text.running).extend(claims)
    return text


class _Columns:
    """The meaning of the columns, which is the same in all turns of an answer; a turn with other columns is malformed."""

    def __init__(self, cells: Sequence[Cells]) -> None:
        self.leads = len(cells[0].lead) if cells and len({len(turn.lead) for turn in cells}) == 1 else 1
        self.trails = len(cells[0].trail) if cells and len({len(turn.trail) for turn in cells}) == 1 else 0
        several = len(cells) > 1
        if self.leads == 2 and not (_is_numbering([turn.lead[0] for turn in cells]) and (several or cells[0].table)):
            self.leads = 1
        if self.trails and not (several or cells[0].table or cells[0].bullet):
            self.trails = 0
        self.signs = _signs(cells)

    def turn(self, row: TableRow, way: Way, signs: frozenset[str]) -> TurnLine | None:
        """Return a turn read in this way; None where it has other columns. signs: the possible bullets."""
        cells = row.cells
        if cells is None or len(cells.lead) != self.leads:
            return None
        # a number of points is no column
        if len(cells.trail) != self.trails and not (cells.unit and len(cells.trail) == 1 and not self.trails):
            return None
        if cells.bullet in ("-", "+", "\u2013") and cells.bullet not in signs:
            return None
        play, word = _play(cells, way.capitals), lower(cells.word)
        numbers = [int(number) for number in cells.trail]
        score = numbers[0] if numbers and not (way.totals and len(numbers) == 1) else None
        total = numbers[-1] if len(numbers) == 2 or (numbers and way.totals) else None
        return TurnLine(row.line, cells.lead[-1], play, word, score=score, total=total)


def _signs(cells: Sequence[Cells]) -> frozenset[str]:
    """Return the bullet of several turns and more than half of all: a dash before a single one may be a minus."""
    bullets = [turn.bullet for turn in cells]
    return frozenset(bullet for bullet in set(bullets) if 1 < bullets.count(bullet) > len(bullets) / 2)


def _is_numbering(cells: Sequence[str]) -> bool:
    """Whether a column numbers the turns, from 0 or 1."""
    numbers = [int(cell) for cell in cells]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_mixed(text: str) -> bool:
    """Whether a text has capitals and small letters."""
    return not text.islower() and not text.isupper() and text.lower() != text


def _is_title(play: str) -> bool:
    return play[:1].isupper() and not any(map(str.isupper, play[1:]))


def _play(cells: Cells, capitals: str) -> str:
    """Return the tiles of a play. The capitals that mark its blanks may be those of the word next to it."""
    play = cells.play.replace("_", BLANK)
    if capitals != CASE and BLANK not in play and not _is_mixed(play) and _is_mixed(cells.word):
        play = cells.word if play.lower() == cells.word.lower() else play
    if capitals != CASE and _is_mixed(play) and not (capitals == INNER and _is_title(play)):
        play = "".join(BLANK if tile.isupper() else tile for tile in play)
    return lower(play)


def taken(pieces: Sequence[Piece], text: SolutionText) -> Iterator[tuple[int, str]]:
    """Yield (line, what it was taken for) of the lines with a meaning."""
    for number, turn in enumerate(text.turns, start=1):
        yield turn.line, f"turn {number}: {turn.left} {turn.play} {turn.word}"
    for line, claim in [*text.claims, *text.running]:
        yield line, f"a claim of {quote(claim)} points"
    for piece in pieces:
        if piece.heading is not None:
            yield piece.heading[0], f"a heading: {piece.name}"
        for line, comment in piece.comments:
            if comment_of(comment) != "score":
                yield line, f"a header: {comment}"
