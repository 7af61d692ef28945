"""Tile sets: the value of each letter and the number of each tile.

A tile is a string: one capital letter, or several in sets that have such tiles (`CH`, `L·L`). A blank laid down for a tile is
written in small letters. Racks and plays write tiles of several letters in brackets: `[CH]ICO`, `[ch]ICO` with a blank.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

from verify.datafiles import data_folder
from verify.reading import LARGEST_TEXT, read_file, toml_fields, utf8_text
from verify.replay.rules import RulesError
from verify.text import quote

BLANK = "?"
END_NAMES = ("gain", "deduct")
"""The rules of the end: the player who goes out gets the value of the tiles of the others, or gets nothing."""

_STANDARD = "standard"
_OPTIONAL = {"lexicons", "board", "exchange", "end"}
_BRACKETED = re.compile(r"\[([^\[\]]{1,8})\]|(.)", re.DOTALL)
_LONGEST_TILE, _MOST_TILES, _MOST_VALUE = 8, 1_000, 1_000


@dataclass(frozen=True)
class TileSet:
    """The value and the number of each tile. The blank is `?`. A letter without tiles can only be played with a blank.

    Attributes:
        name: The name of the set.
        values: The value of each tile but the blank.
        counts: The number of each tile.
        lexicons: Prefixes of the names of word lists for this set, in small letters.
        board: The name of the board for this set.
        blank_value: The value of a blank.
        exchange: The fewest tiles in the bag with which an exchange is allowed.
        end: The name of the rules of the end that players of this set use, one of `END_NAMES`.
    """

    name: str
    values: Mapping[str, int]
    counts: Mapping[str, int]
    lexicons: tuple[str, ...] = ()
    board: str = _STANDARD
    blank_value: int = 0
    exchange: int = 7
    end: str = "gain"
    _long: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # a tile that contains a sign such as · needs no brackets: it cannot be read in another way
        alone = tuple(tile for tile in self.values if len(tile) > 1 and not tile.isalpha())
        object.__setattr__(self, "_long", alone)

    def split(self, text: str) -> list[str]:
        """Return the tiles of a written rack or play."""
        for tile in self._long:
            for form in (tile, tile.lower()):
                text = re.sub(rf"(?<!\[){re.escape(form)}(?!\])", f"[{form}]", text)
        return [several or single for several, single in _BRACKETED.findall(text)]

    def are_right(self, tiles: Iterable[str]) -> bool:
        """Return whether no two neighbours spell one tile of the set: the federations do not allow C and H laid for CH."""
        return not any(one.upper() + other.upper() in self.values for one, other in pairwise(tiles))

    def value(self, tile: str) -> int:
        """Return the value of a tile as laid down: one in small letters is a blank."""
        return self.blank_value if self.tile_of(tile) == BLANK else self.values.get(tile, 0)

    def tile_of(self, laid: str) -> str:
        """Return the tile of the set that was laid down: one in small letters is a blank."""
        return BLANK if laid != laid.upper() else laid

    def bag(self) -> Counter[str]:
        """Return all tiles of the set."""
        return Counter(self.counts)

    def rack_value(self, tiles: Iterable[str]) -> int:
        """Return the sum of the values of tiles on a rack."""
        return sum(map(self.value, tiles))

    def has(self, laid: str) -> bool:
        """Return whether a tile can be laid down so: a letter without tiles is in small letters, since it is a blank."""
        return laid.upper() in self.values if self.tile_of(laid) == BLANK else self.counts.get(laid, 0) > 0


def written(tiles: Iterable[str]) -> str:
    """Return tiles as racks and plays write them: those of several letters in brackets."""
    return "".join(tile if len(tile) == 1 else f"[{tile}]" for tile in tiles)


@cache
def tile_set_names() -> tuple[str, ...]:
    """Return the names of the bundled tile sets."""
    return tuple(sorted(path.stem for path in (data_folder() / "tiles").glob("*.toml")))


@cache
def tile_set(name: str) -> TileSet:
    """Return the bundled tile set of that name. Raises `KeyError` if it does not exist."""
    if name not in tile_set_names():
        raise KeyError(name)
    return read_tile_set(data_folder() / "tiles" / f"{name}.toml")


def tile_set_of(name_or_file: str) -> TileSet:
    """Return the bundled set of that name, or the set in a file. Raises `RulesError` if neither can be read."""
    if name_or_file.lower() in tile_set_names():
        return tile_set(name_or_file.lower())
    if not name_or_file.endswith(".toml"):
        known = ", ".join(tile_set_names())
        raise RulesError(f"tile set {quote(name_or_file)}: expected one of {known}, or a file whose name ends in .toml")
    return read_tile_set(Path(name_or_file))


def tile_set_for(lexicon: str) -> TileSet | None:
    """Return the bundled set for a word list of that name; None if no set is known."""
    named = lexicon.strip().lower()
    sets = [tile_set(name) for name in tile_set_names()]
    return next((some for some in sets if any(re.match(rf"{start}(?![a-z])", named) for start in some.lexicons)), None)


def read_tile_set(path: Path) -> TileSet:
    """Return the set in a file, see docs/formats.md. Raises `RulesError`, which says what was expected."""
    try:
        fields = toml_fields(normalize("NFC", utf8_text(read_file(path, LARGEST_TEXT))).encode())
    except OSError as error:
        raise RulesError(f"{path}: the tile set cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RulesError(f"{path}: the tile set is not TOML: {error}") from error
    unknown = set(fields) - {"values", "counts"} - _OPTIONAL
    if unknown:
        raise RulesError(f"{path}: {quote(min(unknown))}: expected values, counts, {', '.join(sorted(_OPTIONAL))}")
    values = _numbers(path, fields, "values", _MOST_VALUE)
    counts = _numbers(path, fields, "counts", _MOST_TILES)
    blank_value = values.pop(BLANK, 0)
    if set(counts) - {BLANK} != set(values):
        tile = min((set(counts) - {BLANK}) ^ set(values))
        raise RulesError(f"{path}: {quote(tile)}: expected the same tiles in values and counts")
    lexicons = fields.get("lexicons", [])
    if not isinstance(lexicons, list) or not all(isinstance(one, str) and one.isalnum() for one in lexicons):
        raise RulesError(f"{path}: lexicons: expected a list of names")
    exchange = fields.get("exchange", TileSet.exchange)
    if type(exchange) is not int or not 1 <= exchange <= _MOST_TILES:
        raise RulesError(f"{path}: exchange = {exchange!r:.40}: expected a whole number from 1 to {_MOST_TILES:,}")
    return TileSet(
        path.stem,
        MappingProxyType(values),
        MappingProxyType(counts),
        tuple(one.lower() for one in lexicons),
        _one_of(path, fields, "board", board_names(), _STANDARD),
        blank_value,
        exchange,
        _one_of(path, fields, "end", END_NAMES, TileSet.end),
    )


def _one_of(path: Path, fields: dict[str, Any], name: str, names: tuple[str, ...], default: str) -> str:
    chosen = fields.get(name, default)
    if chosen not in names:
        raise RulesError(f"{path}: {name} {quote(str(chosen))}: expected one of {', '.join(names)}")
    return str(chosen)


@cache
def board_names() -> tuple[str, ...]:
    """Return the names of the bundled boards."""
    return tuple(sorted(path.stem for path in (data_folder() / "boards").glob("*.txt")))


def _numbers(path: Path, fields: dict[str, Any], table: str, most: int) -> dict[str, int]:
    entries = fields.get(table)
    if not isinstance(entries, dict) or not entries:
        raise RulesError(f"{path}: expected a table [{table}] with a number for each tile")
    numbers: dict[str, int] = {}
    for tile, number in entries.items():
        letters = tile == BLANK or (any(map(str.isalpha, tile)) and not set(tile) & set(" .()[]?#>\t"))
        if not 1 <= len(tile) <= _LONGEST_TILE or not letters:
            raise RulesError(f"{path}: {table}: {quote(tile)} is no tile: expected letters, or ? for a blank")
        if type(number) is not int or not 0 <= number <= most:
            raise RulesError(f"{path}: {table}: {quote(tile)} = {number!r:.40}: expected a whole number from 0 to {most:,}")
        if tile.upper() in numbers:
            raise RulesError(f"{path}: {table}: {quote(tile)} stands twice")
        numbers[tile.upper()] = number
    return numbers
