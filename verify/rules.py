"""What a solution is judged by, read from a puzzle file and a word list."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from verify.datafiles import data_folder
from verify.points import points

BLANK = "?"


class RulesError(ValueError):
    """A puzzle file or a word list that cannot be used; the message names the file and what was expected."""


@dataclass(frozen=True)
class Rules:
    """A row of tiles, the size of the rack, the value of each letter (a blank is worth 0) and the words that count."""

    name: str
    row: str
    rack_size: int
    values: Mapping[str, int]
    words: frozenset[str]

    def score(self, tiles: str) -> int:
        """A play is tiles with multipliers, and here the multiplier is the position: sum of position x value."""
        return points((self.values.get(tile, 0), position) for position, tile in enumerate(tiles, start=1))


def load_rules(puzzle: str = "challenge", words: str | None = None) -> Rules:
    """The rules of a bundled puzzle or of a puzzle file; `words` names another word list file.

    Raises `RulesError`.
    """
    bundled = data_folder() / "puzzles" / f"{puzzle}.toml"
    path = bundled if is_bundled(puzzle) else Path(puzzle)
    try:
        fields = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise RulesError(
            f"{puzzle}: no such puzzle ({error.strerror}): expected a bundled name such as challenge, or a TOML file"
        ) from error
    except ValueError as error:
        raise RulesError(f"{path}: the puzzle is no TOML: {error}") from error
    row, rack = fields.get("row"), fields.get("rack", 10)
    if not isinstance(row, str) or not row or not set(row.lower()) <= {*ascii_lowercase, BLANK}:
        raise RulesError(f"{path}: row = {row!r:.60}: expected a string of tiles, a to z and ? for a blank")
    if type(rack) is not int or rack < 1:
        raise RulesError(f"{path}: rack = {rack!r}: expected a whole number")
    return Rules(
        name=str(fields.get("name", path.stem)),
        row=row.lower(),
        rack_size=rack,
        values=_values(path, fields.get("values", "english")),
        words=read_words(Path(words) if words else _word_list(path, fields.get("words", "enable1"))),
    )


def is_bundled(puzzle: str) -> bool:
    """Whether a puzzle of that name comes with the product."""
    return puzzle in {path.stem for path in (data_folder() / "puzzles").glob("*.toml")}


def read_words(path: Path) -> frozenset[str]:
    """The words of a file, a word a line, in lower case. Raises `RulesError`."""
    try:
        words = path.read_bytes().decode("utf-8-sig").lower().split()
    except OSError as error:
        raise RulesError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise RulesError(f"{path}: byte {error.start + 1} is no UTF-8: expected a text file, a word a line") from error
    if not words:
        raise RulesError(f"{path}: the word list is empty: expected a word a line")
    return frozenset(words)


def _word_list(puzzle: Path, words: Any) -> Path:
    if not isinstance(words, str):
        raise RulesError(f"{puzzle}: words = {words!r}: expected the name of a word list or of a file")
    bundled = data_folder() / f"{words}.txt"
    return bundled if bundled.is_file() else puzzle.parent / words


def _values(puzzle: Path, values: Any) -> Mapping[str, int]:
    if isinstance(values, str):
        tiles = data_folder() / "tiles" / f"{values}.toml"
        if not tiles.is_file():
            raise RulesError(f'{puzzle}: values = {values!r}: expected "english" or a table of letter = value')
        values = tomllib.loads(tiles.read_text(encoding="utf-8"))["values"]
    if not isinstance(values, dict) or not all(
        letter in ascii_lowercase and len(letter) == 1 and type(value) is int and value >= 0 for letter, value in values.items()
    ):
        raise RulesError(f"{puzzle}: values = {values!r:.60}: expected a table of letter = whole number of 0 or more")
    return dict(values)
