"""Tile sets: the value of each letter and the number of each tile.

A tile is a string: one capital letter, or several in sets that have such tiles (`CH`, `L·L`). A
blank laid down for a tile is written in small letters. Racks and plays write tiles of several
letters in brackets: `[CH]ICO`, `[ch]ICO` with a blank.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from verify.rules import RulesError
from verify.scrabble.board import board_of
from verify.scrabble.tables import bundled, filled, option_file, toml_file
from verify.text import lower, quote

BLANK = "?"
_TILE = re.compile(r"\?|(?=.*[^\W\d_])[^ .()\[\]?#>\t]{1,8}", re.DOTALL)
_LARGEST_RACK = 20  # tiles
_UNKNOWN = "UNKNOWN"  # what some programs write for a rack that the annotator does not know


# small letters and their capitals in the sets that have one of the last letters
_CASES = (("iı", "İI", "ıİ"), ("ß", "ẞ", "ßẞ"))


class Spelling(NamedTuple):
    """How words are written with a tile set.

    Attributes:
        small: Small letters whose capitals are not those of most languages, such as a Turkish `i`.
        capital: Their capitals, in the same order.
        signs: The characters of tiles that are no letters, such as `·`.
    """

    small: str = ""
    capital: str = ""
    signs: str = ""

    def upper(self, text: str) -> str:
        """Return a text in capitals."""
        return text.translate(str.maketrans(self.small, self.capital)).upper()

    def lower(self, text: str) -> str:
        """Return a text in small letters."""
        return lower(text.translate(str.maketrans(self.capital, self.small)))

    def is_word(self, text: str) -> bool:
        """Return whether a text has only letters, and signs of the tiles."""
        return text.translate(str.maketrans("", "", self.signs)).isalpha()


def spelling_of(tiles: Iterable[str]) -> Spelling:
    """Return the spelling of a set with these tiles."""
    letters = set("".join(tiles))
    chosen = [case for case in _CASES if letters.intersection(case[2])]
    return Spelling(
        small="".join(small for small, _capital, _of in chosen),
        capital="".join(capital for _small, capital, _of in chosen),
        signs="".join(sorted(letter for letter in letters if not letter.isalpha())),
    )


@dataclass(frozen=True)
class TileSet:
    """The value and the number of each tile.

    The blank is `?` and worth nothing. It can also be a letter without tiles.

    Attributes:
        name: The name of the set.
        values: The value of each tile but the blank.
        counts: The number of each tile.
        lexicons: Prefixes of the names of word lists for this set, in small letters.
        words: The word list of new games and of the search for moves; empty for none. The referee
            does not use it: most games that name no list were played with another one.
        rules: The rule set of games that name none; empty for none.
        board: The board: the name of a bundled one, or a file.
        exchange: The fewest tiles in the bag with which an exchange is allowed.
        rack_size: The number of tiles of a full rack.
        bonus: The points for laying a full rack at once.
    """

    name: str
    values: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    lexicons: tuple[str, ...] = ()
    words: str = ""
    rules: str = ""
    board: str = "standard"
    exchange: int = 7
    rack_size: int = 7
    bonus: int = 50

    @cached_property
    def spelling(self) -> Spelling:
        """How words are written with these tiles."""
        return spelling_of(self.values)

    @cached_property
    def _tile(self) -> re.Pattern[str]:
        # a tile that contains a sign such as · needs no brackets: it cannot be read in another way
        alone = [re.escape(tile) for tile in self.values if len(tile) > 1 and not tile.isalpha()]
        forms = "|".join([*alone, *map(self.spelling.lower, alone), "."])
        return re.compile(rf"\[([^\[\]]{{1,8}})\]|({forms})", re.DOTALL)

    def split(self, text: str) -> list[str]:
        """Return the tiles of a written rack or play. Some programs write blanks as underscores."""
        found = self._tile.findall(text.replace("_", BLANK))
        return [several or single for several, single in found]

    def rack(self, text: str) -> list[str]:
        """Return the tiles of a written rack; none if it is unknown.

        It is written `UNKNOWN`, or with more `?` than the set has blanks.
        """
        capitals = self.spelling.upper(text)
        held = self.split(capitals)
        if text.upper() == _UNKNOWN or held.count(BLANK) > self.counts.get(BLANK, 0):
            return []
        return held

    def are_right(self, tiles: Iterable[str]) -> bool:
        """Return whether no two neighbours spell one tile of the set.

        The federations do not allow C and H laid for CH.
        """
        capitals = map(self.spelling.upper, tiles)
        return not any(one + other in self.values for one, other in pairwise(capitals))

    def value(self, tile: str) -> int:
        """Return the value of a tile as laid down: one in small letters is a blank."""
        return self.values.get(tile, 0)

    def tile_of(self, laid: str) -> str:
        """Return the tile of the set that was laid down: one in small letters is a blank."""
        return BLANK if laid != self.spelling.upper(laid) else laid

    def bag(self) -> Counter[str]:
        """Return all tiles of the set."""
        return Counter(self.counts)

    def unseen(self, grid: Mapping[Any, str], rack: Iterable[str] = ()) -> Counter[str]:
        """Return the number of each tile that is neither on the board nor on `rack`."""
        return self.bag() - Counter(map(self.tile_of, grid.values())) - Counter(rack)

    def rack_value(self, tiles: Iterable[str]) -> int:
        """Return the sum of the values of tiles on a rack."""
        return sum(map(self.value, tiles))

    def has(self, laid: str) -> bool:
        """Return whether a tile can be laid down so.

        A letter without tiles is in small letters, since it is a blank.
        """
        if self.tile_of(laid) == BLANK:
            return self.spelling.upper(laid) in self.values
        return self.counts.get(laid, 0) > 0


def written(tiles: Iterable[str]) -> str:
    """Return tiles as racks and plays write them: those of several letters in brackets."""
    return "".join(tile if len(tile) == 1 else f"[{tile}]" for tile in tiles)


def tile_set_names() -> tuple[str, ...]:
    """Return the names of the bundled tile sets."""
    return tuple(bundled("tiles"))


@cache
def tile_set(name: str) -> TileSet:
    """Return the bundled tile set of that name. Raises `KeyError` if it does not exist."""
    return read_tile_set(bundled("tiles")[name])


def tile_set_of(name_or_file: str) -> TileSet:
    """Return the bundled set of that name, or the set in a file.

    Raises `RulesError` if neither can be read.
    """
    file = option_file(name_or_file, tile_set_names(), "tile set")
    return tile_set(name_or_file.lower()) if file is None else read_tile_set(file)


def tile_set_for(lexicon: str) -> TileSet | None:
    """Return the bundled set for a word list of that name, such as `RD28` or `GERMAN`.

    None if no set is known.
    """
    for name in tile_set_names():
        known = tile_set(name)
        starts = "|".join([*known.lexicons, name])
        if re.match(rf"({starts})(?![a-z])", lexicon.lower()):
            return known
    return None


def read_tile_set(path: Path) -> TileSet:
    """Return the set in a file, see docs/formats.md. Raises `RulesError`."""
    read = filled(TileSet(path.stem), path, toml_file(path, "the tile set"))
    values = _tiles(path, "values", read.values)
    counts = _tiles(path, "counts", read.counts)
    if values.pop(BLANK, 0):
        raise RulesError(f"{path}: values: '?': a blank is worth nothing: expected no value for it")
    if others := (set(counts) - {BLANK}) ^ set(values):
        raise RulesError(
            f"{path}: {quote(min(others))}: expected the same tiles in values and counts"
        )
    if not all(map(str.isalnum, read.lexicons)):
        raise RulesError(f"{path}: lexicons: expected a list of names")
    if not 1 <= read.rack_size <= _LARGEST_RACK:
        expected = f"expected 1 to {_LARGEST_RACK}"
        raise RulesError(f"{path}: rack_size = {read.rack_size}: {expected}")
    # the files that it names are next to it
    own: dict[str, Any] = {}
    for name in ("board", "words", "rules"):
        value = getattr(read, name)
        own[name] = str(path.parent / value) if "." in value else value
    board_of(own["board"])  # refuses a wrong board before a game
    return replace(
        replace(read, **own),
        values=values,
        counts=counts,
        lexicons=tuple(map(str.lower, read.lexicons)),
    )


def _tiles(path: Path, table: str, entries: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each tile in capitals. Raises `RulesError`."""
    if not entries:
        raise RulesError(f"{path}: expected a table [{table}] with a number for each tile")
    found: dict[str, int] = {}
    spelling = spelling_of(entries)
    for tile, number in entries.items():
        if not _TILE.fullmatch(tile):
            raise RulesError(
                f"{path}: {table}: {quote(tile)} is no tile: expected letters, or ? for a blank"
            )
        capital = spelling.upper(tile)
        if capital in found:
            raise RulesError(f"{path}: {table}: {quote(tile)} is given twice")
        found[capital] = number
    return found
