"""A puzzle: the row, the rack size, the values of the tiles, the bonus and the word list.

A puzzle file is TOML:

    name = "challenge"
    row = "sd?zeioao..."     # letters a to z, ? for a blank, 1 to 10,000 tiles; or { bag = "english", seed = 7, tiles = 60 }
    rack = 10                # 2 to 15
    words = "enable1"        # a bundled list; the user gives any other list with --words
    values = "english"       # a bundled set, or a table: { a = 1, "?" = 2, ... }, tiles left out are worth 0
    bonus = 50               # points for a play of a full rack; 0 if left out
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
from solver.model.scoring import Scoring, scoring_of
from solver.model.tiles import BLANK, N_CODES, ORDER, Codes, encode
from verify.datafiles import bundled_words, data_folder
from verify.reading import LARGEST_TEXT, Places, read_file, toml_fields, toml_lines
from verify.text import nearest, quote

MAX_ROW = 10_000
MIN_RACK, MAX_RACK = 2, 15
MAX_VALUE = 1000
MAX_BONUS = 10_000
MAX_SEED = 10**9
_LONGEST_NAME = 100
_FIELDS = {"name", "row", "rack", "words", "values", "bonus"}
CHALLENGE = "challenge"
OWN_ROW = "a row of your own"  # the name of a row that has no other


@dataclass(frozen=True)
class Puzzle:
    """The rules by which a solution is judged.

    Attributes:
        name: The name of the puzzle.
        row: The tiles of the row.
        rack_size: The number of tiles that a rack holds.
        words: The name of the word list.
        values: The value of each tile; a tile that is left out is worth 0.
        own_words: The file of another list that the user has chosen; None for the list called `words`.
        source: The bundled name, or the file that the puzzle was read from.
        own_row: Whether `row` differs from the row in `source`.
        bonus: The points for a play of a full rack.
    """

    name: str
    row: str
    rack_size: int
    words: str
    values: Mapping[str, int]
    own_words: Path | None = None
    source: str = field(default="", compare=False)
    own_row: bool = field(default=False, compare=False)
    bonus: int = 0

    @property
    def reference(self) -> str:
        """The text that identifies the puzzle to a user: the bundled name or the file, or else its name."""
        return self.source or self.name

    @property
    def word_list(self) -> Path:
        """The file of the word list. Raises `PuzzleError` if the list is not bundled and the user has chosen no file.

        A puzzle cannot name the file itself: it may come from a stranger, and must not decide which files are opened.
        """
        path = self.own_words or bundled_words(self.words)
        if path is None:
            where = f"{self.reference}: words = {quote(self.words)}"
            raise PuzzleError(f"{where}: not a bundled list: give --words FILE with its words")
        return path

    @cached_property
    def row_codes(self) -> Codes:
        """The row as codes: uint8, shape (tiles,)."""
        return encode(self.row)

    @cached_property
    def counts_from_left(self) -> npt.NDArray[np.int64]:
        """The number of each tile among the first i tiles of the row: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes)

    @cached_property
    def counts_from_right(self) -> npt.NDArray[np.int64]:
        """The number of each tile among the last i tiles of the row: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes[::-1])

    @cached_property
    def value_table(self) -> npt.NDArray[np.int32]:
        """Values by code: int32, shape (N_CODES,)."""
        return np.array([self.values.get(tile, 0) for tile in ORDER], dtype=np.int32)

    @property
    def is_variant(self) -> bool:
        """Whether a blank is worth something, or a full rack has a bonus."""
        return bool(self.bonus or self.values.get(BLANK))

    def scoring(self, rule: str = "positional") -> Scoring:
        """Return the scoring of plays by `rule`, see `solver.model.scoring`."""
        return scoring_of(self.value_table, rule, self.rack_size, self.bonus)

    def drawn(self, played: int) -> int:
        """Return the number of tiles drawn before the play that follows `played` tiles; each draw fills the rack if it can."""
        return min(len(self.row), played + self.rack_size)

    def digest(self, lexicon_digest: str) -> str:
        """Return the SHA-256 of all that a score depends on."""
        values = ",".join(f"{letter}={self.values.get(letter, 0)}" for letter in ascii_lowercase)
        # only variants have these, so that the digests of all other puzzles stay the same
        variant = {"?": self.values.get(BLANK, 0), "bonus": self.bonus}
        values += "".join(f",{name}={worth}" for name, worth in variant.items() if worth)
        return hashlib.sha256(f"{self.row}\n{self.rack_size}\n{values}\n{lexicon_digest}\n".encode()).hexdigest()

    def with_row(self, row: str, name: str = OWN_ROW) -> "Puzzle":
        """Return the same rules with another row. Raises `PuzzleError` unless `row` is 1 to 10,000 tiles."""
        return replace(self, name=name, row=checked_row(row, "the row"), own_row=True)

    def shuffled(self, seed: int) -> "Puzzle":
        """Return the puzzle with the same tiles in an order that depends on `seed` alone."""
        tiles = list(self.row)
        random.Random(seed).shuffle(tiles)
        return replace(self, name=f"shuffled-{seed:02}", row="".join(tiles), source="", own_row=True)


def bundled_puzzles() -> list[str]:
    """Return the names of the bundled puzzles."""
    return sorted(path.stem for path in (data_folder() / "puzzles").glob("*.toml"))


def load_puzzle(name_or_file: str, words: Path | None = None) -> Puzzle:
    """Return a bundled puzzle or the puzzle of a TOML file. `words` is the file of another word list than the puzzle's.

    Raises `PuzzleError` if the puzzle does not exist, or is not valid.
    """
    if not name_or_file:
        raise PuzzleError("the name of the puzzle is empty: expected a bundled name such as challenge, or a TOML file")
    if name_or_file in bundled_puzzles():
        bundled = read_puzzle(data_folder() / "puzzles" / f"{name_or_file}.toml")
        return replace(bundled, source=name_or_file, own_words=words)
    if not name_or_file.isprintable():
        # a solution names its puzzle in one line of UTF-8 text
        raise PuzzleError(f"{name_or_file[:100]!r}: expected a puzzle whose name is text")
    path = Path(name_or_file)
    try:
        exists = path.exists()
    except OSError:
        exists = False
    if not exists:
        known = bundled_puzzles()
        like = nearest(name_or_file, known) or f": expected a TOML file or one of {', '.join(known)}"
        raise PuzzleError(f"{name_or_file[:100]}: no such puzzle{like}")
    return replace(read_puzzle(path), own_words=words)


def read_puzzle(path: Path) -> Puzzle:
    """Return the puzzle of a TOML file. Raises `PuzzleError` that names the file, the field and what was expected."""
    try:
        content = read_file(path, LARGEST_TEXT)
        fields = toml_fields(content)
    except OSError as error:
        raise PuzzleError(f"{path}: the puzzle cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise PuzzleError(f"{path}: the puzzle is not TOML: {error}") from error
    places = Places(str(path), toml_lines(content))
    for key in fields:
        if key not in _FIELDS:
            raise PuzzleError(f"{places(key)}: unknown field {quote(key)}: expected {', '.join(sorted(_FIELDS))}")
    if "row" not in fields:
        raise PuzzleError(f'{path}: row is missing: expected row = "...", tiles of a to z and ? for a blank')
    return made_puzzle(fields, places, fields.get("name", path.stem), str(path))


def made_puzzle(fields: Mapping[str, Any], places: Places, name: Any, source: str = "") -> Puzzle:
    """Return the puzzle with the fields of a puzzle file.

    Args:
        fields: The fields; `row` is among them.
        places: The file of the fields and their lines, for messages.
        name: The name of the puzzle.
        source: The bundled name, or the file of the puzzle.

    Raises:
        PuzzleError: A field is not valid.
    """
    row = fields["row"]
    if isinstance(row, dict):
        row = _row_of_bag(row, f"{places('row')}: row")
    if not isinstance(row, str):
        raise PuzzleError(f"{places('row')}: row = {quote(row)}: expected a string of tiles")
    rack = _whole(fields.get("rack", 10), MIN_RACK, MAX_RACK, f"{places('rack')}: rack")
    words = fields.get("words", "enable1")
    if not isinstance(words, str) or not words.isprintable():
        raise PuzzleError(f"{places('words')}: words = {quote(words)}: expected the name of a word list")
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise PuzzleError(f"{places('name')}: name = {quote(name)}: expected a line of at most {_LONGEST_NAME} characters")
    return Puzzle(
        name=name,
        row=checked_row(row, f"{places('row')}: row"),
        rack_size=rack,
        words=words,
        values=_values(places("values"), fields.get("values", "english")),
        source=source,
        bonus=_whole(fields.get("bonus", 0), 0, MAX_BONUS, f"{places('bonus')}: bonus"),
    )


def checked_row(row: str, where: str) -> str:
    """Return `row` in lower case. Raises `PuzzleError` unless it is 1 to 10,000 tiles."""
    try:
        encode(row)
    except RackError as error:
        raise PuzzleError(f"{where}: {error}") from error
    if not 1 <= len(row) <= MAX_ROW:
        raise PuzzleError(f"{where} has {len(row)} tiles: expected 1 to {MAX_ROW:,}")
    return row.lower()


def fields_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the rules of a puzzle as the fields of a puzzle file."""
    values = dict(puzzle.values)
    return {"row": puzzle.row, "rack": puzzle.rack_size, "words": puzzle.words, "values": values, "bonus": puzzle.bonus}


def puzzle_toml(puzzle: Puzzle) -> str:
    """Return the text of a puzzle file that reads back as `puzzle`."""
    names = {BLANK: f'"{BLANK}"'}  # TOML requires quotes around a key that is not a letter
    table = ", ".join(f"{names.get(tile, tile)} = {value}" for tile, value in sorted(puzzle.values.items()))
    values = '"english"' if is_english(puzzle.values) else f"{{ {table} }}"
    name, row, quoted_words = (json.dumps(text, ensure_ascii=False) for text in (puzzle.name, puzzle.row, puzzle.words))
    bonus = f"bonus = {puzzle.bonus}\n" if puzzle.bonus else ""
    return f"name = {name}\nrow = {row}\nrack = {puzzle.rack_size}\nwords = {quoted_words}\nvalues = {values}\n{bonus}"


def is_english(values: Mapping[str, int]) -> bool:
    """Return whether these are the values of the bundled set `english`."""
    return values == _values("", "english")


def _running_counts(codes: Codes) -> npt.NDArray[np.int64]:
    one_each = np.eye(N_CODES, dtype=np.int64)[codes]
    return np.concatenate([np.zeros((1, N_CODES), dtype=np.int64), one_each.cumsum(axis=0)])


def _row_of_bag(fields: dict[str, Any], where: str) -> str:
    """Return the first tiles of a shuffled bag. Before the shuffle, the tiles are sorted from a to z, with blanks last."""
    if strange := sorted(fields.keys() - {"bag", "seed", "tiles"}):
        raise PuzzleError(f"{where}: unknown field {quote(strange[0])}: expected bag, seed, tiles")
    for key, example in (("bag", '"english"'), ("seed", "7")):
        if key not in fields:
            raise PuzzleError(f"{where}: {key} is missing: expected {key} = ..., such as {example}")
    counts = _tile_set(fields["bag"], "counts")
    if counts is None:
        raise PuzzleError(f'{where}: bag = {quote(fields["bag"])}: no such tile set: expected a name such as "english"')
    if any(tile not in ORDER for tile in counts):
        raise PuzzleError(f"{where}: bag = {quote(fields['bag'])}: expected a tile set of the letters a to z")
    seed = _whole(fields["seed"], 0, MAX_SEED, f"{where}: seed")
    bag = list("".join(tile * counts.get(tile, 0) for tile in (*ascii_lowercase, BLANK)))
    first = _whole(fields.get("tiles", len(bag)), 1, len(bag), f"{where}: tiles")
    random.Random(seed).shuffle(bag)
    return "".join(bag[:first])


def _tile_set(name: Any, table: str) -> dict[str, Any] | None:
    """Return a table in the file of a bundled tile set; None if no set has that name."""
    files = {path.stem: path for path in (data_folder() / "tiles").glob("*.toml")}
    return toml_fields(files[name].read_bytes())[table] if isinstance(name, str) and name in files else None


def _whole(number: Any, least: int, most: int, where: str) -> int:
    """Return `number`. Raises `PuzzleError` unless it is a whole number from `least` to `most`."""
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise PuzzleError(f"{where} = {quote(number)}: expected a whole number from {least} to {most:,}")
    return number


def _values(where: str, values: Any) -> dict[str, int]:
    if isinstance(values, str):
        name, values = values, _tile_set(values, "values")
        if values is None:
            raise PuzzleError(
                f'{where}: values = {quote(name)}: no such tile set: expected "english" or a table of letter = value'
            )
    if not isinstance(values, dict):
        raise PuzzleError(f"{where}: values = {quote(values)}: expected a table of letter = value")
    for tile, value in values.items():
        if len(tile) != 1 or tile not in ORDER:
            raise PuzzleError(f'{where}: values: {quote(tile)} is not a tile: expected a to z, or "?" for a blank')
        _whole(value, 0, MAX_VALUE, f"{where}: values: {tile}")
    # a blank that is worth 0 is left out, so that equal rules are equal puzzles
    return {tile: value for tile, value in values.items() if value or tile != BLANK}
