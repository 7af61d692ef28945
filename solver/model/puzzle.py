"""A puzzle: the row, the rack size, the values of the tiles, the bonus and the word list.

A puzzle file is TOML:

    name = "challenge"
    row = "sd?zeioao..."     # letters a to z, ? for a blank, 1 to 10,000 tiles; or { bag = "english", seed = 7, tiles = 60 }
    rack = 10                # 2 to 15
    words = "enable1"        # a bundled list; the user gives any other list with --words
    values = "english"       # a bundled set, or a table: { a = 1, "?" = 2, ... }, tiles left out are worth 0
    bonus = 50               # points for a play of as many tiles as a rack holds; 0 if left out
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
from verify.reading import LARGEST_TEXT, read_file, toml_fields
from verify.text import nearest, quote

MAX_ROW = 10_000
MIN_RACK, MAX_RACK = 2, 15
MAX_VALUE = 1000
MAX_BONUS = 10_000
MAX_SEED = 10**9
_LONGEST_NAME = 100
_FIELDS = {"name", "row", "rack", "words", "values", "bonus"}
CHALLENGE = "challenge"
OWN_ROW = "a row of your own"  # what a row without a name is called


@dataclass(frozen=True)
class Puzzle:
    """What a solution is judged by. `values` maps each tile to its value; a tile that it leaves out is worth 0.

    words: the name of the word list.
    own_words: the file of another list that the user has chosen; None for the list called `words`.
    source: the bundled name, or the file that the puzzle was read from.
    own_row: whether `row` is another row than the one in `source`.
    bonus: points for a play of as many tiles as a rack holds.
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
        same_rules = (self.rack_size, self.values, self.bonus) == (challenge.rack_size, challenge.values, challenge.bonus)
        if same_words and same_rules:
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

    @property
    def is_variant(self) -> bool:
        """Whether a blank is worth something, or a full rack has a bonus."""
        return bool(self.bonus or self.values.get(BLANK))

    def scoring(self, rule: str = "positional") -> Scoring:
        """How plays score by `rule`, see `solver.model.scoring`."""
        return scoring_of(self.value_table, rule, self.rack_size, self.bonus)

    def drawn(self, played: int) -> int:
        """How many tiles are drawn by the play that follows `played` played tiles: each draw fills the rack if it can."""
        return min(len(self.row), played + self.rack_size)

    def digest(self, lexicon_digest: str) -> str:
        """sha256 of everything that a score depends on."""
        values = ",".join(f"{letter}={self.values.get(letter, 0)}" for letter in ascii_lowercase)
        # only where a variant has them, so that the digests of all other puzzles stay as they are
        more = {"?": self.values.get(BLANK, 0), "bonus": self.bonus}
        values += "".join(f",{name}={worth}" for name, worth in more.items() if worth)
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
    if not name_or_file:
        raise PuzzleError("the name of the puzzle is empty: expected a bundled name such as challenge, or a TOML file")
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
    if "row" not in fields:
        raise PuzzleError(f'{path}: row is missing: expected row = "...", tiles of a to z and ? for a blank')
    return made_puzzle(fields, str(path), fields.get("name", path.stem), str(path))


def made_puzzle(fields: Mapping[str, Any], where: str, name: Any, source: str = "") -> Puzzle:
    """Return the puzzle that the fields of a puzzle file give.

    Args:
        fields: As in a puzzle file; `row` is there.
        where: The file that they stand in, for messages.
        name: What the puzzle is called.
        source: The bundled name, or the file of the puzzle.

    Raises:
        PuzzleError: For a field that no puzzle can have.
    """
    row = fields["row"]
    if isinstance(row, dict):
        row = _row_of_bag(row, f"{where}: row")
    if not isinstance(row, str):
        raise PuzzleError(f"{where}: row = {quote(row)}: expected a string of tiles")
    rack = _whole(fields.get("rack", 10), MIN_RACK, MAX_RACK, f"{where}: rack")
    words = fields.get("words", "enable1")
    if not isinstance(words, str) or not words.isprintable():
        raise PuzzleError(f"{where}: words = {quote(words)}: expected the name of a word list")
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise PuzzleError(f"{where}: name = {quote(name)}: expected a line of at most {_LONGEST_NAME} characters")
    return Puzzle(
        name=name,
        row=checked_row(row, f"{where}: row"),
        rack_size=rack,
        words=words,
        values=_values(where, fields.get("values", "english")),
        source=source,
        bonus=_whole(fields.get("bonus", 0), 0, MAX_BONUS, f"{where}: bonus"),
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


def fields_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the rules of a puzzle as the fields of a puzzle file."""
    values = dict(puzzle.values)
    return {"row": puzzle.row, "rack": puzzle.rack_size, "words": puzzle.words, "values": values, "bonus": puzzle.bonus}


def puzzle_toml(puzzle: Puzzle) -> str:
    """The text of a puzzle file that reads back as `puzzle`."""
    names = {BLANK: f'"{BLANK}"'}  # a key of TOML that is no letter stands in quotes
    table = ", ".join(f"{names.get(tile, tile)} = {value}" for tile, value in sorted(puzzle.values.items()))
    values = '"english"' if is_english(puzzle.values) else f"{{ {table} }}"
    name, row, quoted_words = (json.dumps(text, ensure_ascii=False) for text in (puzzle.name, puzzle.row, puzzle.words))
    bonus = f"bonus = {puzzle.bonus}\n" if puzzle.bonus else ""
    return f"name = {name}\nrow = {row}\nrack = {puzzle.rack_size}\nwords = {quoted_words}\nvalues = {values}\n{bonus}"


def is_english(values: Mapping[str, int]) -> bool:
    """Whether these are the values of the bundled set `english`."""
    return values == _values("", "english")


def _running_counts(codes: Codes) -> npt.NDArray[np.int64]:
    one_each = np.eye(N_CODES, dtype=np.int64)[codes]
    return np.concatenate([np.zeros((1, N_CODES), dtype=np.int64), one_each.cumsum(axis=0)])


def _row_of_bag(told: dict[str, Any], where: str) -> str:
    """The first tiles of a shuffled bag. Before the shuffle its tiles stand from a to z, and blanks behind them."""
    for key in told:
        if key not in ("bag", "seed", "tiles"):
            raise PuzzleError(f"{where}: unknown field {quote(key)}: expected bag, seed, tiles")
    for key, example in (("bag", '"english"'), ("seed", "7")):
        if key not in told:
            raise PuzzleError(f"{where}: {key} is missing: expected {key} = ..., such as {example}")
    counts = _tile_set(told["bag"], "counts")
    if counts is None:
        raise PuzzleError(f'{where}: bag = {quote(told["bag"])}: no such tile set: expected a name such as "english"')
    if any(tile not in ORDER for tile in counts):
        raise PuzzleError(f"{where}: bag = {quote(told['bag'])}: expected a tile set of the letters a to z")
    seed = _whole(told["seed"], 0, MAX_SEED, f"{where}: seed")
    bag = list("".join(tile * counts.get(tile, 0) for tile in (*ascii_lowercase, BLANK)))
    first = _whole(told.get("tiles", len(bag)), 1, len(bag), f"{where}: tiles")
    random.Random(seed).shuffle(bag)
    return "".join(bag[:first])


def _tile_set(name: Any, table: str) -> dict[str, Any] | None:
    """The table of that name in the file of a bundled tile set; None if no set has the name."""
    files = {path.stem: path for path in (data_folder() / "tiles").glob("*.toml")}
    return toml_fields(files[name].read_bytes())[table] if isinstance(name, str) and name in files else None


def _whole(number: Any, least: int, most: int, where: str) -> int:
    """`number`. Raises `PuzzleError` unless it is a whole number in these limits."""
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise PuzzleError(f"{where} = {quote(number)}: expected a whole number from {least} to {most:,}")
    return number


def _values(where: str, values: Any) -> dict[str, int]:
    if isinstance(values, str):
        named, values = values, _tile_set(values, "values")
        if values is None:
            raise PuzzleError(
                f'{where}: values = {quote(named)}: no such tile set: expected "english" or a table of letter = value'
            )
    if not isinstance(values, dict):
        raise PuzzleError(f"{where}: values = {quote(values)}: expected a table of letter = value")
    for tile, value in values.items():
        if len(tile) != 1 or tile not in ORDER:
            raise PuzzleError(f'{where}: values: {quote(tile)} is not a tile: expected a to z, or "?" for a blank')
        _whole(value, 0, MAX_VALUE, f"{where}: values: {tile}")
    # a blank that is worth 0 is left out, so that equal rules are equal puzzles
    return {tile: value for tile, value in values.items() if value or tile != BLANK}
