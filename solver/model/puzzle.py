"""A puzzle: the row, the rack size, the letter values and the word list.

A puzzle file is TOML:

    name = "challenge"
    row = "sd?zeioao..."     # letters a to z, ? for a blank, 1 to 10,000 tiles
    rack = 10                # 2 to 15
    words = "enable1"        # a bundled list; the user gives any other list with --words
    values = "english"       # a bundled set, or a table: { a = 1, b = 3, ... }, letters left out are worth 0
"""

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import PuzzleError, RackError
from solver.model.tiles import N_CODES, ORDER, Codes, encode
from verify.datafiles import bundled_words, data_folder
from verify.reading import LARGEST_TEXT, read_file, toml_fields
from verify.text import nearest, quote

MAX_ROW = 10_000
MIN_RACK, MAX_RACK = 2, 15
MAX_VALUE = 1000
_LONGEST_NAME = 100
_FIELDS = {"name", "row", "rack", "words", "values"}
CHALLENGE = "challenge"
OWN_ROW = "a row of your own"  # what a row without a name is called


@dataclass(frozen=True)
class Puzzle:
    """What a solution is judged by. `values` maps each letter to its value; the blank is worth 0.

    words: the name of the word list.
    own_words: the file of another list that the user has chosen; None for the list called `words`.
    source: the bundled name, or the file that the puzzle was read from.
    own_row: whether `row` is another row than the one in `source`.
    """

    name: str
    row: str
    rack_size: int
    words: str
    values: Mapping[str, int]
    own_words: Path | None = None
    source: str = field(default="", compare=False)
    own_row: bool = field(default=False, compare=False)

    @property
    def reference(self) -> str:
        """What finds it again: the bundled name or the file, and for a row of one's own its name."""
        return self.source or self.name

    @cached_property
    def address(self) -> tuple[str, str | None]:
        """By what a referee finds the puzzle of an answer: a puzzle's name, and the row where it is not that puzzle's own.

        No answer names a file where the rules are those of the challenge: the row is enough.
        """
        if self.source in bundled_puzzles() and not self.own_row:
            return self.source, None
        challenge = _load(CHALLENGE)
        same_words = self.own_words is not None or self.words == challenge.words
        if same_words and (self.rack_size, self.values) == (challenge.rack_size, challenge.values):
            return CHALLENGE, None if self.row == challenge.row else self.row
        return self.reference, self.row if self.own_row else None

    @property
    def word_list(self) -> Path:
        """The file of the word list. Raises `PuzzleError` if the list is not bundled and the user has chosen no other one.

        A puzzle must not decide which files are opened, since somebody else may have written it.
        """
        found = self.own_words or bundled_words(self.words)
        if found is None:
            named = f"{self.reference}: words = {quote(self.words)}"
            raise PuzzleError(f"{named}: not a bundled list: give --words FILE with its words")
        return found

    @cached_property
    def row_codes(self) -> Codes:
        """The row as codes: uint8, shape (tiles,)."""
        return encode(self.row)

    @cached_property
    def counts_from_left(self) -> npt.NDArray[np.int64]:
        """How many of each tile the first i tiles of the row hold: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes)

    @cached_property
    def counts_from_right(self) -> npt.NDArray[np.int64]:
        """How many of each tile the last i tiles of the row hold: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes[::-1])

    @cached_property
    def value_table(self) -> npt.NDArray[np.int32]:
        """Values by code: int32, shape (N_CODES,)."""
        return np.array([self.values.get(tile, 0) for tile in ORDER], dtype=np.int32)

    def drawn(self, played: int) -> int:
        """How many tiles are drawn by the play that follows `played` played tiles: each draw fills the rack if it can."""
        return min(len(self.row), played + self.rack_size)

    def digest(self, lexicon_digest: str) -> str:
        """sha256 of everything that a score depends on."""
        values = ",".join(f"{letter}={self.values.get(letter, 0)}" for letter in ascii_lowercase)
        return hashlib.sha256(f"{self.row}\n{self.rack_size}\n{values}\n{lexicon_digest}\n".encode()).hexdigest()

    def with_row(self, row: str, name: str = OWN_ROW) -> "Puzzle":
        """The same rules on another row. Raises `PuzzleError` unless `row` is 1 to 10,000 tiles."""
        return replace(self, name=name, row=checked_row(row, "the row"), own_row=True)

    def shuffled(self, seed: int) -> "Puzzle":
        """The same tiles in an order that depends on `seed` alone."""
        tiles = list(self.row)
        random.Random(seed).shuffle(tiles)
        return replace(self, name=f"shuffled-{seed:02}", row="".join(tiles), source="", own_row=True)


def bundled_puzzles() -> list[str]:
    """Names of the puzzles that come with the product."""
    return sorted(path.stem for path in (data_folder() / "puzzles").glob("*.toml"))


def load_puzzle(name_or_file: str, words: Path | None = None) -> Puzzle:
    """The bundled puzzle of that name, or the puzzle of a TOML file. Raises `PuzzleError` if there is none.

    words: the file of another word list than the puzzle's; None for the puzzle's own.
    """
    return replace(_load(name_or_file), own_words=words)


def _load(name_or_file: str) -> Puzzle:
    if name_or_file in bundled_puzzles():
        bundled = read_puzzle(data_folder() / "puzzles" / f"{name_or_file}.toml")
        return replace(bundled, source=name_or_file)
    if not name_or_file.isprintable():
        # a solution names its puzzle in one line of UTF-8
        raise PuzzleError(f"{name_or_file[:100]!r}: expected a puzzle whose name is text")
    path = Path(name_or_file)
    try:
        found = path.exists()
    except OSError:
        found = False
    if not found:
        known = bundled_puzzles()
        like = nearest(name_or_file, known) or f": expected a TOML file or one of {', '.join(known)}"
        raise PuzzleError(f"{name_or_file[:100]}: no such puzzle{like}")
    return read_puzzle(path)


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle of a TOML file. Raises `PuzzleError` naming the file, the field and what was expected."""
    try:
        fields = toml_fields(read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise PuzzleError(f"{path}: the puzzle cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise PuzzleError(f"{path}: the puzzle is not TOML: {error}") from error
    for key in fields:
        if key not in _FIELDS:
            raise PuzzleError(f"{path}: unknown field {quote(key)}: expected {', '.join(sorted(_FIELDS))}")
    row = fields.get("row")
    rack = fields.get("rack", 10)
    if not isinstance(row, str):
        raise PuzzleError(f"{path}: row = {quote(row)}: expected a string of tiles")
    if not isinstance(rack, int) or isinstance(rack, bool) or not MIN_RACK <= rack <= MAX_RACK:
        raise PuzzleError(f"{path}: rack = {quote(rack)}: expected a whole number from {MIN_RACK} to {MAX_RACK}")
    words = fields.get("words", "enable1")
    if not isinstance(words, str) or not words.isprintable():
        raise PuzzleError(f"{path}: words = {quote(words)}: expected the name of a word list")
    name = fields.get("name", path.stem)
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise PuzzleError(f"{path}: name = {quote(name)}: expected a line of at most {_LONGEST_NAME} characters")
    return Puzzle(
        name=name,
        row=checked_row(row, f"{path}: row"),
        rack_size=rack,
        words=words,
        values=_values(path, fields.get("values", "english")),
        source=str(path),
    )


def checked_row(row: str, where: str) -> str:
    """`row` in lower case. Raises `PuzzleError` unless it is 1 to 10,000 tiles."""
    try:
        encode(row)
    except RackError as error:
        raise PuzzleError(f"{where}: {error}") from error
    if not 1 <= len(row) <= MAX_ROW:
        raise PuzzleError(f"{where} has {len(row)} tiles: expected 1 to {MAX_ROW:,}")
    return row.lower()


def puzzle_toml(puzzle: Puzzle) -> str:
    """The text of a puzzle file that reads back as `puzzle`."""
    table = ", ".join(f"{letter} = {value}" for letter, value in sorted(puzzle.values.items()))
    values = '"english"' if puzzle.values == _values(Path(puzzle.source), "english") else f"{{ {table} }}"
    name, row, quoted_words = (json.dumps(text, ensure_ascii=False) for text in (puzzle.name, puzzle.row, puzzle.words))
    return f"name = {name}\nrow = {row}\nrack = {puzzle.rack_size}\nwords = {quoted_words}\nvalues = {values}\n"


def _running_counts(codes: Codes) -> npt.NDArray[np.int64]:
    one_each = np.eye(N_CODES, dtype=np.int64)[codes]
    return np.concatenate([np.zeros((1, N_CODES), dtype=np.int64), one_each.cumsum(axis=0)])


def _values(path: Path, values: Any) -> dict[str, int]:
    if isinstance(values, str):
        file = data_folder() / "tiles" / f"{values}.toml"
        if not values.isidentifier() or not file.exists():
            raise PuzzleError(
                f'{path}: values = {quote(values)}: no such tile set: expected "english" or a table of letter = value'
            )
        values = toml_fields(file.read_bytes())["values"]
    if not isinstance(values, dict):
        raise PuzzleError(f"{path}: values = {quote(values)}: expected a table of letter = value")
    for letter, value in values.items():
        if len(letter) != 1 or letter not in ascii_lowercase:
            raise PuzzleError(f"{path}: values: {quote(letter)} is not a letter: expected a to z (a blank is always worth 0)")
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_VALUE:
            raise PuzzleError(f"{path}: values: {letter} = {quote(value)}: expected a whole number from 0 to {MAX_VALUE}")
    return dict(values)
