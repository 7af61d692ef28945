"""The rules of a puzzle, read from a puzzle file and a word list: what the core is given."""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from verify.core import BLANK, Puzzle, words_of
from verify.files import (
    LARGEST_TEXT,
    LARGEST_WORD_LIST,
    Places,
    bundled_words,
    data_folder,
    read_file,
    toml_fields,
    toml_lines,
    utf8_text,
    word_list,
    words_of_other_copies,
)
from verify.text import left_out_lines, lower, nearest, printable, quote

BUNDLED_LIST = "enable1"
_FIELDS = {"name", "row", "rack", "words", "values", "bonus"}
_LONGEST_ROW, _LARGEST_RACK, _LARGEST_VALUE, _LARGEST_BONUS = 10_000, 15, 1000, 10_000
_LARGEST_SEED = 10**9
_LONGEST_NAME = 100
_SHOWN = 30  # tiles that are shown of a row without a name


class RulesError(ValueError):
    """A puzzle file or a word list that cannot be used; the message names the file, the line if known, and what was expected.

    line: the line that states the impossible rule; 0 where it is not known.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class WordList:
    """The valid words of a list, in lower case. left_out: a sentence about the lines that are no words; empty for none."""

    words: frozenset[str]
    left_out: str = ""


@dataclass(frozen=True)
class Rules(Puzzle):
    """A puzzle with what a verdict says of it.

    Attributes:
        name: what the verdict calls it.
        notes: sentences that a verdict adds to the name.
        list_name: the name of the word list.
    """

    name: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)
    list_name: str = field(default=BUNDLED_LIST, compare=False)

    def bonus_of(self, tiles: str) -> int:
        """Return the points that a play has for its number of tiles."""
        return self.bonus if len(tiles) == self.rack_size else 0

    @property
    def words_hash(self) -> str:
        """SHA-256 of the words, sorted, a line each."""
        return _words_hash(self.words)

    def where_listed(self, word: str) -> str:
        """Return a clause on the copies of enable1 that hold `word`; empty for other words and lists."""
        if (
            word not in words_of_other_copies()
            or self.words != _words(Places(""), BUNDLED_LIST, None).words
        ):
            return ""
        return "; copies of enable1 with 172,823 words hold it, the copy that the challenge links does not"

    @property
    def is_variant(self) -> bool:
        """Whether a blank is worth something, or a full rack has a bonus."""
        return bool(self.bonus or self.values.get(BLANK))


def load_rules(
    puzzle: str = "challenge", words: str | None = None, row: str | None = None
) -> Rules:
    """Return the rules of a bundled puzzle or of a puzzle file; `words` is another word list file, `row` another row.

    A puzzle can name only a bundled list, since no file may decide which other files are opened. Raises `RulesError`.
    """
    places, fields = _read(puzzle)
    if not row and "row" not in fields:
        raise RulesError(
            f'{places.file}: row is missing: expected row = "...", tiles of a to z and ? for a blank'
        )
    name = fields.get("name", Path(places.file).stem)
    if (
        not isinstance(name, str)
        or not name.strip()
        or not name.isprintable()
        or len(name) > _LONGEST_NAME
    ):
        raise _wrong(places, "name", name, f"a line of at most {_LONGEST_NAME} characters")
    rules = made_rules(fields | ({"row": row} if row else {}), places, words, name)
    base = rules.name if is_bundled(puzzle) else f"{rules.name} ({puzzle})"
    usual = fields.get("row")
    return replace(rules, name=rules_name(base, row or usual, usual, words))


def bundled_fields(puzzle: str) -> dict[str, object]:
    """Return the fields of the file of a bundled puzzle."""
    return _read(puzzle)[1]


def rules_name(
    puzzle: str, row: object, usual: object, words: str | None, others: Sequence[str] = ()
) -> str:
    """Return the name of the rules of a puzzle with another row than its `usual` one, other words, or `others` of an answer."""
    is_own = isinstance(row, str) and row != usual
    name = named_row(str(row), usual) if is_own else f"the row of {puzzle}"
    if others:
        name += f", with the rules that the answer itself names: {', '.join(others)}"
    else:
        name = f"{name}, with the rules of {puzzle}" if is_own else puzzle
    if words is None:
        return name
    return f"{name}{', with' if name == puzzle else ' and'} the words of {words}"


def named_row(row: str, usual: object = None) -> str:
    """Return a row as the name of rules shows it: a long one cut, with its length and its first difference from `usual`."""
    if len(row) <= _SHOWN:
        return f"the row {row}"
    name = f"the row {row[: _SHOWN - 3]}... of {len(row):,} tiles"
    if not isinstance(usual, str) or row == usual or row[: _SHOWN - 3] != usual[: _SHOWN - 3]:
        return name
    tile = next(
        place for place, (own, other) in enumerate(zip_longest(row, usual), start=1) if own != other
    )
    return f"{name}, other than the puzzle's row from tile {tile:,} on"


def _read(puzzle: str) -> tuple[Places, dict[str, object]]:
    """Return the file of a puzzle with the lines of its fields, and the fields."""
    if not puzzle:
        raise RulesError(
            "the name of the puzzle is empty: expected a bundled name such as challenge, or a TOML file"
        )
    path = data_folder() / "puzzles" / f"{puzzle}.toml" if is_bundled(puzzle) else Path(puzzle)
    try:
        content = read_file(path, LARGEST_TEXT)
        fields = toml_fields(content)
    except OSError as error:
        like = (
            nearest(puzzle, bundled_names())
            or ": expected a bundled name such as challenge, or a TOML file"
        )
        raise RulesError(f"{puzzle[:100]}: no such puzzle ({error.strerror}){like}") from error
    except ValueError as error:
        raise RulesError(f"{puzzle[:100]}: the puzzle is not TOML: {error}") from error
    places = Places(str(path), toml_lines(content))
    strange = sorted(set(fields) - _FIELDS)
    if strange:
        raise wrong_rule(
            places,
            strange[0],
            f"unknown field {quote(strange[0])}: expected {', '.join(sorted(_FIELDS))}",
        )
    return places, fields


def wrong_rule(places: Places, name: str, message: str) -> RulesError:
    """Return an error with the place of a rule."""
    return RulesError(f"{places(name)}: {message}", places.lines.get(name, 0))


def _wrong(places: Places, name: str, value: object, expected: str) -> RulesError:
    """Return the error of a rule that no puzzle can have."""
    return wrong_rule(places, name, f"{name} = {quote(value)}: expected {expected}")


def made_rules(fields: Mapping[str, object], places: Places, words: str | None, name: str) -> Rules:
    """Return the rules that the fields of a puzzle give.

    Args:
        fields: As in a puzzle file.
        places: The file of the fields and their lines, for messages.
        words: The file of another word list; None for the one that the fields name.
        name: The name of the rules; of any length, since it may hold the names of files.

    Raises:
        RulesError: For a field that no puzzle can have.
    """
    row, rack, bonus = fields.get("row"), fields.get("rack", 10), fields.get("bonus", 0)
    if isinstance(row, dict):
        row = _drawn(places, row)
    if (
        not isinstance(row, str)
        or not 1 <= len(row) <= _LONGEST_ROW
        or not set(lower(row)) <= {*ascii_lowercase, BLANK}
    ):
        raise _wrong(places, "row", row, f"1 to {_LONGEST_ROW:,} tiles, a to z and ? for a blank")
    if type(rack) is not int or not 2 <= rack <= _LARGEST_RACK:
        raise _wrong(places, "rack", rack, f"a whole number from 2 to {_LARGEST_RACK}")
    if type(bonus) is not int or not 0 <= bonus <= _LARGEST_BONUS:
        raise _wrong(places, "bonus", bonus, f"a whole number from 0 to {_LARGEST_BONUS:,}")
    values = _values(places, fields.get("values", "english"))
    named = fields.get("words", BUNDLED_LIST)
    word_list = _words(places, named, words)
    notes = (word_list.left_out,) if word_list.left_out else ()
    list_name = str(named) if words is None else Path(words).stem
    return Rules(lower(row), rack, values, word_list.words, bonus, name, notes, list_name)


def is_bundled(puzzle: str) -> bool:
    """Whether a puzzle of that name is bundled."""
    return puzzle in bundled_names()


@cache
def bundled_names() -> frozenset[str]:
    """Return the names of the bundled puzzles."""
    return frozenset(path.stem for path in (data_folder() / "puzzles").glob("*.toml"))


def read_words(path: Path) -> WordList:
    """Read a word list.

    Raises `RulesError` where the file cannot be read, is not UTF-8, or holds no word.
    """
    lines = list_lines(path)
    words = words_of("\n".join(lines))
    others = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if line and lower(line) not in words
    ]
    if not words:
        number, line = others[0]
        raise RulesError(
            f"{path}:{number}: {quote(line)} is not a word, nor is any other line: expected letters a to z"
        )
    left_out = (
        left_out_lines(path, len(others), sum(map(bool, lines)), *others[0]) if others else ""
    )
    return WordList(words, left_out)


def list_lines(path: Path) -> list[str]:
    """Return the lines of a word list, stripped. Raises `RulesError` where it cannot be read, is not UTF-8, or is empty."""
    try:
        lines = [line.strip() for line in utf8_text(read_file(path, LARGEST_WORD_LIST)).split("\n")]
    except OSError as error:
        raise RulesError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RulesError(
            f"{printable(str(path))}: {error}: expected a text file, a word a line"
        ) from error
    if not any(lines):
        raise RulesError(f"{path}: the word list is empty: expected a word a line")
    return lines


def _words(places: Places, named: object, given: str | None) -> WordList:
    """Return the words of the list `given`, or of the one that the puzzle names."""
    if not isinstance(named, str) or not named.isprintable():
        raise _wrong(places, "words", named, "the name of a word list")
    if given == "":
        raise RulesError("the name of the word list is empty: expected a file, a word a line")
    path = bundled_words(named) if given is None else word_list(given)
    if path is None:
        raise wrong_rule(
            places,
            "words",
            f"words = {quote(named)}: not a bundled list: pass its words with --words FILE",
        )
    try:
        status = path.stat()
    except (OSError, ValueError):
        return read_words(path)  # raises the error with its reason
    return _kept_words(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _kept_words(path: Path, changed: int, size: int) -> WordList:  # noqa: ARG001
    """Return the words of a file, read again only after a change: answers to many puzzles share a list."""
    return read_words(path)


@lru_cache(maxsize=4)
def _words_hash(words: frozenset[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _drawn(places: Places, draw: Mapping[str, object]) -> str:
    """Return the row that a table `{ bag, seed, tiles }` draws: the first tiles of the shuffled bag, or all."""
    strange = sorted(set(draw) - {"bag", "seed", "tiles"})
    if strange:
        raise wrong_rule(
            places, "row", f"row: unknown field {quote(strange[0])}: expected bag, seed, tiles"
        )
    for key, example in (("bag", '"english"'), ("seed", "7")):
        if key not in draw:
            raise wrong_rule(
                places, "row", f"row: {key} is missing: expected {key} = ..., such as {example}"
            )
    bag, seed = draw["bag"], draw["seed"]
    file = _tile_set(bag)
    if file is None:
        raise wrong_rule(
            places,
            "row",
            f'row: bag = {quote(bag)}: expected the name of a tile set, such as "english"',
        )
    if type(seed) is not int or not 0 <= seed <= _LARGEST_SEED:
        raise wrong_rule(
            places,
            "row",
            f"row: seed = {quote(seed)}: expected a whole number from 0 to {_LARGEST_SEED:,}",
        )
    counts = toml_fields(file.read_bytes())["counts"]
    if not set(counts) <= {*ascii_lowercase, BLANK}:
        raise wrong_rule(
            places, "row", f"row: bag = {quote(bag)}: expected a tile set of the letters a to z"
        )
    tiles = [tile for tile in ascii_lowercase + BLANK for _ in range(counts.get(tile, 0))]
    most = draw.get("tiles", len(tiles))
    if type(most) is not int or not 1 <= most <= len(tiles):
        raise wrong_rule(
            places,
            "row",
            f"row: tiles = {quote(most)}: expected a whole number from 1 to {len(tiles)}",
        )
    random.Random(seed).shuffle(tiles)
    return "".join(tiles[:most])


def _tile_set(name: object) -> Path | None:
    """Return the file of the bundled tile set of that name."""
    return next(
        (path for path in (data_folder() / "tiles").glob("*.toml") if path.stem == name), None
    )


def _values(places: Places, values: object) -> Mapping[str, int]:
    if isinstance(values, str):
        tiles = _tile_set(values)
        if tiles is None:
            raise _wrong(places, "values", values, '"english" or a table of letter = value')
        values = toml_fields(tiles.read_bytes())["values"]
    pairs: Iterable[tuple[Any, Any]] = (
        values.items() if isinstance(values, dict) else [(None, None)]
    )
    if not all(
        tile in (*ascii_lowercase, BLANK) and type(n) is int and 0 <= n <= _LARGEST_VALUE
        for tile, n in pairs
    ):
        expected = f'a table of letter = whole number from 0 to {_LARGEST_VALUE:,}, "?" for a blank'
        raise _wrong(places, "values", values, expected)
    # a blank worth 0 is left out, so that equal rules are equal objects
    return {tile: value for tile, value in pairs if value or tile != BLANK}
