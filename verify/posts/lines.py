"""Classifies one line of a post: a turn, a malformed turn, a claim of a score, a heading, or prose."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

_LOOKED_AT = 400  # characters of a line; a turn without a remark has fewer
_LONGEST_TURN = 10_000  # characters of a turn with a remark
_MOST_WORDS = 4  # of a line that may be a broken turn where turns stand around it
_LARGEST_COUNT = 15  # of tiles on a rack

_NUMBERING = re.compile(r"(?:(?:turn|move|play|round|zug)\s*#?\d{1,4}\s*[:.)\-]?|[(#]?\d{1,4}[:.)])\s+(?=\d)", re.IGNORECASE)
_ANY_NUMBERING = re.compile(r"(?:(?:turn|move|play|round|zug)\s*#?\d{1,4}\s*[:.)\-]?|[(#]?\d{1,4}[.)])\s+", re.IGNORECASE)
_PROSE_COMMA = re.compile(r"[^\W\d][,;](?:\s|$)")
_BULLET = re.compile(r"[-*+\u2022\u2013\u00b7]\s+(?=\d)")
_CSV = re.compile(r'\s*"?\d{1,4}"?\s*([,;])')
_REMARK = re.compile(r"\s(?:#|//|<--|\u2190).*$")
_BRACKETED_BLANK = re.compile(r"[\[({]([?_])[\])}]")
_SCORE_IN_BRACKETS = re.compile(r"([(\[] ?[+=]? ?[0-9]{1,6}) ?(?:points?|pts|p)\.? ?([)\]])$", re.IGNORECASE)
_ARROWS = frozenset({"->", "=>", "\u2192", "=", "|", "\u21d2", "-", "\u2013", "\u2014", "/"})
_DIGITS = re.compile(r"[0-9]{1,9}")
_TILES = re.compile(r"[A-Za-z?_]+")
_BLANK_SIGNS = frozenset("*.#@%-")  # people write blanks with these, besides ? and _
_LETTERS = re.compile(r"[A-Za-z]+")
_POINTS = re.compile(r"[(\[+=]{0,2}([0-9]{1,6})[)\]]?")
_UNITS = frozenset({"points", "pts", "pts.", "p", "point"})
_NUMBERISH = re.compile(r"[+\-\u2212\u2013]?\d[\d.,_]*[:.)]?")
# a number, a play and a word with any signs around them, such as "(5 asp asp)" and "5 asp asp:"
_SIGNED = re.compile(
    r"[\W_]*(?:(?:turn|move|play|round|zug)\s*#?)?\d{1,4}[^\w?]+([A-Za-z?_]+)[^\w?]+([A-Za-z]+)[\W_]*", re.IGNORECASE
)
_INLINE_MARKS = re.compile(r"<[^<>]{1,100}>|\x1b\[[0-9;]*m|\]\([^()\s]*\)")
_EMPHASIS = re.compile(r"[*`~]+|\b_+|_+\b")
_FIELD = re.compile(r"[A-Za-z?_]+|[+\-]?\d[\d.]*")
# a duration; not a number of draws and a play that begins like one: "3 s*at", "2 min.ed"
_TIME = re.compile(r"\d ?(?:ms|s|sec|secs|seconds?|min|mins|minutes?)(?![\w?*#@%]|[.\-]\w)")
_RULE = re.compile(r"[|\s:+=_*~\-]{3,}")
_MEASURED = re.compile(r"(?:[A-Za-z]+ [0-9]+(?: |$)){2,}")  # "depth 1 best 121": a turn has two words next to each other
_TOTAL = (
    "total|score|scores|scored|sum|result|points|punkte|punktzahl|gesamt|gesamtpunktzahl|insgesamt|summe|puntos|puntuaci\u00f3n|"
    "puntuaci\u00f3n total|total de puntos|pontos|pontua\u00e7\u00e3o|punti|punteggio|totale|stig|samtals|po\u00e4ng|totalt|"
    "summa|\u0438\u0442\u043e\u0433\u043e|\u0441\u0447\u0435\u0442|\u0441\u0447\u0451\u0442|\u043e\u0447\u043a\u043e\u0432|\u5f97\u5206|\u603b\u5206|\u5408\u8a08"
)
_NUMBER = r"(?P<n>[0-9]{1,3}(?:[,.' \u00a0\u202f][0-9]{3})+(?![0-9])|[0-9]{1,6})"
_NO_PART = r"(?![0-9]*[/%\u2030]|[.,:][0-9]| ?(?:/|of|out of|ms|s|sec|secs|seconds?|min|minutes?|turns?|words?|tries|times)\b)"
_CLAIM = re.compile(
    rf"(?:(?:my|the|final|grand|total|overall|best|mein|meine|mi|mon)\s+)*(?:{_TOTAL})(?:\s+(?:score|points|punkte|de puntos))?"
    rf"(?:\s+(?:is|was|of|so far|ist|es|est))?\s*[:=\u2192\uff1a\-\u2013\u2014]*\s*{_NUMBER}{_NO_PART}"
    r"(?![0-9A-Za-z])(?:[\s,;.!()\u2014\u2013-].*)?",
    re.IGNORECASE,
)
_I_GOT = re.compile(
    rf"(?:i|we|this|mine|it|ich|j'ai)\s+"
    rf"(?:got|get|gets|scored|scores|have|has|reached|reaches|made|habe|komme auf|obtain)\s+"
    rf"(?:a |an )?(?:total |score |final )*(?:of |is )?{_NUMBER}{_NO_PART}(?![0-9A-Za-z])(?:[\s,;.!()-].*)?",
    re.IGNORECASE,
)
_THAT_IS = re.compile(
    rf"(?:so,? |and )?(?:that|this|it|which|total)(?:['\u2019]?s| is| makes| gives| adds up to| comes to)?"
    rf"(?: exactly| just)? (?:an? |the )?(?:total |score |sum )*(?:of )?{_NUMBER} ?(?:points?|pts)\.?"
    r"(?: in total| in all| altogether| total)?[.!]*",
    re.IGNORECASE,
)
_POINTS_ALONE = re.compile(
    rf"=?\s*{_NUMBER}\s*(?:points?|pts|punkte|puntos|pontos|punti|stig|po\u00e4ng|\u043e\u0447\u043a\u043e\u0432)(?:\s+(?:in\s+)?total)?[.!]?",
    re.IGNORECASE,
)
_ALONE = re.compile(r"=?\s*([0-9]{2,6})")
_IN_HEADING = re.compile(rf"\b{_NUMBER}\s*(?:points?|pts|punkte|puntos|stig)\b", re.IGNORECASE)
_MARKED_HEADING = re.compile(r"#{2,6}\s*(?=[^\s#])|#\s*(?=/?u/)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.{1,200}?)\1:?(.{0,60})")
_USER = re.compile(r"/?u/[\w-]{1,40}\b.{0,80}")
_NUMBERED_HEADING = re.compile(r"(?:solution|answer|attempt|try|run|entry|l\u00f6sung)\s*#?\d{1,4}\b.{0,60}", re.IGNORECASE)
_NAMED = re.compile(r"[^\s:|][^:|]{0,50}:")
_COLUMNS = frozenset(
    {"left", "l", "draw", "draws", "count", "n", "#", "no", "turn", "move", "play", "plays", "tiles", "laid", "word", "words"}
    | {"score", "scores", "points", "pts", "total", "sum", "zug", "links", "wort", "punkte"}
)


class LineKind(Enum):
    """The kind of a line."""

    TURN = auto()
    BROKEN = auto()  # a malformed turn, wherever it stands
    DOUBTFUL = auto()  # a turn by its form, and prose by its words and its place
    FIELDS = auto()  # a malformed turn among turns, and nothing elsewhere
    CLAIM = auto()
    HEADING = auto()
    COMMENT = auto()
    AUTHOR = auto()  # the author of the lines after it
    BUTTON = auto()  # a button, a vote or a time of a page of comments
    RULE = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a turn: numbers, play, word, numbers.

    bullet: `-`, `*` or `+` before it, or `1` for any numbering; empty for none.
    bare: only a count, a play and a word, separated by white space.
    unit: whether the last number says that it is of points.
    """

    lead: tuple[str, ...]
    play: str
    word: str
    trail: tuple[str, ...]
    bullet: str
    bare: bool
    table: bool
    unit: bool = False

    @property
    def has_inner_capitals(self) -> bool:
        """Whether the small letters after the first tile of a play have capitals among them."""
        texts = (self.play, self.word)
        return any(not text.islower() and not text.isupper() and text[1:] != text[1:].lower() for text in texts)


@dataclass(frozen=True, slots=True)
class Item:
    """A classified line. value: the score of a claim or of a heading; name: of a heading, without its marks.

    strong: whether a heading is marked as one or names a user; a line that only ends in a colon does not.
    """

    kind: LineKind
    cells: Cells | None = None
    value: int | None = None
    name: str = ""
    strong: bool = False


PROSE = Item(LineKind.PROSE)


def item_of(text: str) -> Item:
    """Classify a line by itself."""
    if text.startswith("#") and not _MARKED_HEADING.match(text):
        return Item(LineKind.COMMENT)
    whole, text = text, text[:_LOOKED_AT]
    cells = turn_cells(text)
    if cells is not None and len(whole) > _LOOKED_AT:
        cells = turn_cells(whole) if len(whole) <= _LONGEST_TURN else None
        if cells is None:
            return Item(LineKind.BROKEN)
    if cells is not None:
        return Item(LineKind.TURN, cells)
    if _is_signed(text):
        return Item(LineKind.BROKEN)
    if heading := _heading(text):
        return heading
    plain = text.strip("*_`~ ")
    if (value := _claim(_without_marks(plain))) is not None:
        return Item(LineKind.CLAIM, value=value)
    fields = _fields(plain)
    if is_broken(fields):
        return Item(LineKind.BROKEN)
    if _RULE.fullmatch(plain or "---"):
        # those of a table cut nothing
        return Item(LineKind.RULE) if _RULE.fullmatch(text) and "|" not in text and "+" not in text else PROSE
    if _is_column_heading(plain):
        return PROSE
    return Item(LineKind.FIELDS) if _looks_like_fields(fields, text) else PROSE


def turn_cells(text: str) -> Cells | None:
    """Return the cells of a turn in one of the usual forms; None for another line."""
    whole = text
    text = text.replace("`", "").strip("*~ \t") if not text.startswith("* ") else text.replace("`", "")
    text = _SCORE_IN_BRACKETS.sub(r"\1\2 points", _BRACKETED_BLANK.sub(r"\1", text))
    bullet, table, unit = "", False, False
    if "|" in text:
        # a star at one end alone is a blank, and no emphasis
        cells = [cell.strip(" `\t") for cell in text.strip("| \t").split("|")]
        cells, table = [cell.strip("* ") if cell[:1] == cell[-1:] == "*" else cell for cell in cells], True
        cells[0] = cells[0].rstrip(".)")
    elif csv := _CSV.match(text):
        cells, table = [cell.strip().strip('"').strip() for cell in text.rstrip(",; ").split(csv[1])], True
    else:
        if mark := _BULLET.match(text):
            bullet, text = mark[0][0], text[mark.end() :]
        if mark := _NUMBERING.match(text):
            bullet, text = bullet or "1", text[mark.end() :]
        # a remark follows the play, whose first tile may be a # for a blank
        first = letter.start() if (letter := _LETTERS.search(text)) else 0
        text = text[:first] + _REMARK.sub("", text[first:])
        cells = [cell for cell in text.split() if cell not in _ARROWS]
        if cells and cells[-1].lower() in _UNITS:
            cells, unit = cells[:-1], True
    numbers = 0
    while numbers < 2 and numbers < len(cells) and _DIGITS.fullmatch(cells[numbers]):
        numbers += 1
    lead, rest = tuple(cells[:numbers]), cells[numbers:]
    if not lead or len(rest) < 2 or not _LETTERS.fullmatch(rest[1]) or (play := _tiles(*rest[:2])) is None:
        return None
    trail = [_POINTS.fullmatch(cell) for cell in rest[2:]]
    if len(trail) > 2 or not all(trail):
        return None
    bare = cells == whole.split() and len(cells) == 3 and numbers == 1 and play == rest[0]
    return Cells(lead, play, rest[1], tuple(found[1] for found in trail if found), bullet, bare, table, unit)


def _tiles(play: str, word: str) -> str | None:
    """Return the tiles of a play, `?` or `_` for blanks, or another sign with which it makes the word; None for no play."""
    if _TILES.fullmatch(play):
        return play
    signs = {tile for tile in play if not tile.isalnum()}
    if len(signs) == 1 and signs <= _BLANK_SIGNS and len(play) > 1 and fits(play, word) and _LETTERS.search(play):
        return play.replace(signs.pop(), "?")
    return None


def fits(play: str, word: str) -> bool:
    """Whether a play may be meant to make a word: the same letters, with any sign for blanks."""
    pairs = zip(play.lower(), word.lower(), strict=False)
    return len(play) == len(word) > 1 and all(tile == letter or not tile.isalnum() for tile, letter in pairs)


def is_broken(fields: list[str]) -> bool:
    """Whether the fields of a line, which is no turn, were meant as one."""
    if len(fields) < 2:
        return False
    numbered = _NUMBERISH.fullmatch(fields[0]) is not None
    if len(fields) > 2 and numbered and fits(fields[1], fields[2]) and _LETTERS.search(fields[2]):
        return True
    if len(fields) > _MOST_WORDS + 2:
        return False
    pairs = [(a, b) for a, b in pairwise(fields) if fits(a, b) and _LETTERS.fullmatch(b)]
    if any(not play.isalpha() and _TILES.search(play) for play, _word in pairs):
        return True
    if any(_NUMBERISH.fullmatch(count) and pair in pairs for count, pair in zip(fields, pairwise(fields[1:]), strict=False)):
        return True
    if numbered and len(fields) > 2:
        play, word = fields[1:3]
        shape = play.replace("?", "").replace("_", "").isalpha() and word.isalpha()
        return shape and play[:2].lower() == word[:2].lower() and _small(fields[0])
    return bool(pairs) and len(fields) == 3 and pairs[-1] == (fields[1], fields[2])


def _is_signed(text: str) -> bool:
    """Whether a line has the three fields of a turn and only signs besides; not for headings and comments."""
    found = None if text.startswith("#") else _SIGNED.fullmatch(_INLINE_MARKS.sub(" ", text))
    return found is not None and fits(found[1], found[2])


def _without_marks(text: str) -> str:
    """Return a line without emphasis; the last row of a table, `| Total | | 1042 |`, as its two filled cells."""
    text = _INLINE_MARKS.sub("", _EMPHASIS.sub("", text))
    if "|" in text or ",," in text or ";;" in text:
        cells = [cell.strip() for cell in re.split(r"\||[,;]{2,}", text) if cell.strip()]
        return " ".join(cells) if len(cells) == 2 else text
    return text


def _small(count: str) -> bool:
    """Whether a field may be a number of draws."""
    digits = re.match(r"\d+", count.lstrip("+-\u2212\u2013"))
    return digits is not None and int(digits[0][:9]) <= _LARGEST_COUNT


def _fields(text: str) -> list[str]:
    """Return the fields of a line that is no turn, without signs around them."""
    if mark := _BULLET.match(text) or _ANY_NUMBERING.match(text):
        text = text[mark.end() :]
    text = text.replace('"', " ")
    if "|" in text or not _PROSE_COMMA.search(text):
        text = re.sub(r"[|,;]", " ", text)
    fields = [field.rstrip(".,;:!") if field[:1].isalpha() else field.rstrip(",;") for field in text.split()]
    return [field for field in fields if field and field not in _ARROWS]


def _looks_like_fields(fields: list[str], text: str) -> bool:
    """Whether a line could be a broken turn among turns: few fields, and no sign of prose."""
    if not fields or _TIME.search(text):
        return False
    if "|" in text or (len(fields) <= _MOST_WORDS + 1 and re.match(r"[+\-\u2212]?\d", fields[0])):
        return True
    line = " ".join(fields)
    if _MEASURED.fullmatch(line):
        return False
    cased = line.islower() or line.isupper() or "?" in line[:-1]
    return len(fields) <= _MOST_WORDS and cased and all(map(_FIELD.fullmatch, _split(text)))


def _split(text: str) -> list[str]:
    """Return the whole fields of a line, or the cells of a table or of a list with commas."""
    return (text if _PROSE_COMMA.search(text) else re.sub(r'[|,;"]', " ", text)).split()


def _claim(text: str) -> int | None:
    """Return the score that a line claims in words; None for none."""
    found = _CLAIM.fullmatch(text) or _I_GOT.fullmatch(text) or _THAT_IS.fullmatch(text) or _POINTS_ALONE.fullmatch(text)
    if found:
        return int(re.sub(r"[^0-9]", "", found["n"]))
    alone = _ALONE.fullmatch(text)
    return int(alone[1]) if alone and int(alone[1]) > _LARGEST_COUNT else None


def _heading(text: str) -> Item | None:
    """Return a heading: `## name`, `**name**`, `u/name`, `Solution 2`, `name:`; None for another line."""
    strong = True
    if mark := _MARKED_HEADING.match(text):
        name = text[mark.end() :]
    elif bold := _BOLD.fullmatch(text):
        name = bold[2] + bold[3]
        if _claim(bold[2]) is not None or _claim(name.strip("*_ ")) is not None:
            return None
    elif _USER.fullmatch(text) or _NUMBERED_HEADING.fullmatch(text) or (_NAMED.fullmatch(text) and len(text.split()) <= 6):
        name, strong = text, not text.endswith(":")
    else:
        return None
    inside = _IN_HEADING.search(name)
    value = int(re.sub(r"[^0-9]", "", inside["n"])) if inside else None
    return Item(LineKind.HEADING, value=value, name=name.strip("*_#`: \t=-")[:80], strong=strong)


def _is_column_heading(text: str) -> bool:
    """Whether a line names the columns of a table."""
    names = [name.strip(" *`_\"'").lower() for name in re.split(r"[|,;\t]|\s{1,}", text.strip("| "))]
    named = [name for name in names if name]
    return len(named) > 1 and sum(name in _COLUMNS for name in named) * 2 > len(named)
