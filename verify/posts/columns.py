"""Reads tables that name their columns, in any order, as left draws, play and word."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.posts.markup import Line

# names of columns, and of the fields of an object
LEFT = frozenset({"left", "l", "left draws", "leftdraws", "draws", "links"})
PLAY = frozenset({"play", "tiles", "laid", "laid down"})
WORD = frozenset({"word", "wort"})
SCORE = frozenset({"score", "points", "pts", "punkte"})
_GAME = frozenset({"game", "answer", "solution"})
_SEPARATORS = ("|", "\t", ";", ",")
_RULE = re.compile(r"[|\s:\-]*")
_MOST_COLUMNS = 30
_MOST_ABOVE = 10  # comments above a table, besides the last one
_LONGEST = 2_000  # characters of a row


@dataclass(frozen=True)
class _Table:
    """The columns of a table. wanted: the places of left draws, play, word and perhaps score; game: of the number of a game."""

    separator: str
    width: int
    wanted: tuple[int, ...]
    game: int | None


def in_order(lines: "Iterable[Line]") -> "Iterator[Line]":
    """Yield the lines, rows of such tables as `6,s?l?mnize,solemnize,121`, and a heading before each further game.

    Comments directly above a table state the rules of all its games: they follow each heading.
    """
    table, game = None, None
    above: list[Line] = []
    for line in lines:
        if len(line.text) > _LONGEST:
            table = None
        elif (header := _header(line.text)) is not None:
            table, game = header, None
        elif table is not None and not _RULE.fullmatch(line.text):
            cells = _cells(line.text, table.separator)
            if len(cells) != table.width:
                table = None
            else:
                if table.game is not None and game not in (None, cells[table.game]):
                    yield replace(line, text=f"## game {cells[table.game]}")
                    yield from above
                game = cells[table.game] if table.game is not None else None
                if all(cells[place] for place in table.wanted[:3]):
                    line = replace(line, text=",".join(cells[place] for place in table.wanted))
        if table is None:
            above = [*above[-_MOST_ABOVE:], line] if line.text.startswith("#") else []
        yield line


def _header(text: str) -> _Table | None:
    """Return the columns that this line names: left draws, play and word, in another order or with more; else None."""
    for separator in _SEPARATORS:
        names = [name.lower() for name in _cells(text, separator)] if separator in text else []
        if 3 <= len(names) <= _MOST_COLUMNS:
            left, play, word, score, game = (
                [place for place, name in enumerate(names) if name in known] for known in (LEFT, PLAY, WORD, SCORE, _GAME)
            )
            if len(left) == len(play) == len(word) == 1:
                wanted = (*left, *play, *word, *score[:1])
                if wanted == tuple(range(len(names))):
                    return None
                return _Table(separator, len(names), wanted, game[0] if game else None)
    return None


def _cells(text: str, separator: str) -> list[str]:
    text = text.strip("| \t") if separator == "|" else text
    return [cell.strip(' \t*`"') for cell in text.split(separator)]
