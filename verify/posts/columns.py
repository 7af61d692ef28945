"""Tables that name their columns: in whatever order they stand, their rows are read as left draws, play and word."""

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
_LONGEST = 2_000  # characters of a row


@dataclass(frozen=True)
class _Table:
    """A table, by its first line.

    separator: between cells; width: how many there are.
    wanted: the places of left draws, play and word, and of the score where there is one.
    game: the place of the number of the game.
    """

    separator: str
    width: int
    wanted: tuple[int, ...]
    game: int | None


def in_order(lines: "Iterable[Line]") -> "Iterator[Line]":
    """The lines, with the rows of such tables as `6,s?l?mnize,solemnize,121`, and a heading before each further game."""
    table, game = None, None
    for line in lines:
        if len(line.text) > _LONGEST:
            table = None
        elif (named := _named(line.text)) is not None:
            table, game = named, None
        elif table is not None and not _RULE.fullmatch(line.text):
            cells = _cells(line.text, table.separator)
            if len(cells) != table.width:
                table = None
            else:
                if table.game is not None and game not in (None, cells[table.game]):
                    yield replace(line, text=f"## game {cells[table.game]}")
                game = cells[table.game] if table.game is not None else None
                line = replace(line, text=",".join(cells[place] for place in table.wanted))
        yield line


def _named(text: str) -> _Table | None:
    """The table that begins with this line; None where it does not name left draws, play, word and a further column."""
    for separator in _SEPARATORS:
        names = [name.lower() for name in _cells(text, separator)] if separator in text else []
        if 3 < len(names) <= _MOST_COLUMNS:
            left, play, word, score, game = (
                [place for place, name in enumerate(names) if name in known] for known in (LEFT, PLAY, WORD, SCORE, _GAME)
            )
            if len(left) == len(play) == len(word) == 1:
                wanted = (*left, *play, *word, *score[:1])
                return _Table(separator, len(names), wanted, game[0] if game else None)
    return None


def _cells(text: str, separator: str) -> list[str]:
    text = text.strip("| \t") if separator == "|" else text
    return [cell.strip(' \t*`"') for cell in text.split(separator)]
