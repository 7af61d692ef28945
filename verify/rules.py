"""The rules of a puzzle, read from a puzzle file and a word list: what the core is given."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from verify.core import BLANK, ImpossibleError, Puzzle, require_whole
from verify.files import (
    LARGEST_TEXT,
    LARGEST_WORD_LIST,
    Places,
    benchmark,
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
OWN_ROW = "a row of your own"  # the name of a row that has no other
BY_OTHER_RULES = "by other rules"  # the end of the name of a puzzle with the row of another one
LARGEST_SEED = 10**9
_FIELDS = {"name", "row", "rack", "words", "values", "bonus"}
_LONGEST_NAME = 100
_SHOWN = 30  # tiles that are shown of a row without a name


class RowdrawError(ValueError):
    """Input that cannot be used. The message says where it is and what was expected."""


class RulesError(RowdrawError):
    """A puzzle file or a word list that cannot be used.

    The message names the file, the line if known, and what was expected.

    Attributes:
        line: the line that states the impossible rule; 0 where it is not known.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class WordList:
    """The valid words of a list, in lower case.

    Attributes:
        words: the words, sorted.
        name: the name of the list.
        file: its file; None for a list that is given as words.
        left_out: a sentence about the lines that are no words; empty for none.
    """

    words: tuple[str, ...] = field(repr=False)
    name: str = "own-words"
    file: Path | None = None
    left_out: str = ""

    @classmethod
    def of(cls, words: Sequence[str]) -> "WordList":
        """Return a list of words in either case.

        Raises `RulesError` without one, or for one with other letters.
        """
        for word in words:
            if not _is_spelled(word):
                raise RulesError(f"words: {quote(word)}: expected letters a to z")
        if not words:
            raise RulesError("words: the list is empty: expected at least one word")
        return cls(tuple(sorted({word.lower() for word in words})))

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The words, for look-ups."""
        return frozenset(self.words)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the words, a line each."""
        return hashlib.sha256("\n".join((*self.words, "")).encode()).hexdigest()


@dataclass(frozen=True)
class Rules(Puzzle):
    """A puzzle as it was read: the rules by which answers are judged.

    Attributes:
        name: what a verdict calls it.
        puzzle: its own name, by which records and comparisons know it.
        notes: sentences that a verdict adds to the name.
        word_list: the list of its words.
    """

    name: str = field(default="", compare=False)
    puzzle: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)
    word_list: WordList = field(default=WordList(()), compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.word_list.words:
            object.__setattr__(self, "word_list", WordList(tuple(sorted(self.words))))

    def bonus_of(self, tiles: str) -> int:
        """Return the points that a play has for its number of tiles."""
        return self.bonus if len(tiles) == self.rack_size else 0

    @property
    def words_hash(self) -> str:
        """SHA-256 of the words, sorted, a line each."""
        return self.word_list.digest

    @property
    def digest(self) -> str:
        """SHA-256 of all that a score depends on."""
        return puzzle_digest(self, self.words_hash)

    @property
    def has_own_words(self) -> bool:
        """Whether the words are not those of the bundled list of that name."""
        file = self.word_list.file
        return file is None or file != bundled_words(self.word_list.name)

    def where_listed(self, word: str) -> str:
        """Return a clause on the copies of enable1 that hold `word`.

        Empty for other words and lists.
        """
        if word not in words_of_other_copies() or self.words != _bundled().distinct:
            return ""
        copies = "copies of enable1 with 172,823 words hold it"
        return f"; {copies}, the copy that the challenge links does not"

    @property
    def is_variant(self) -> bool:
        """Whether a blank is worth something, or a full rack has a bonus."""
        return bool(self.bonus or self.values.get(BLANK))

    def fields(self) -> dict[str, Any]:
        """Return the rules as the fields of a puzzle file."""
        return {
            "row": self.row,
            "rack": self.rack_size,
            "words": self.word_list.name,
            "values": dict(self.values),
            "bonus": self.bonus,
        }

    def packed(self) -> dict[str, Any]:
        """Return the rules for another process: fields, with the list's file or its words."""
        file = self.word_list.file
        words = list(self.word_list.words) if file is None else str(file.resolve())
        return {"name": self.puzzle, **self.fields(), "words": words}

    def with_fields(
        self, fields: Mapping[str, object], places: Callable[[str], str] | None = None
    ) -> "Rules":
        """Return the rules with other fields of a puzzle file, such as `{"rack": 7}`.

        Args:
            fields: row, rack, values or bonus. Spaces and line ends in a row do not count.
            places: returns where a field comes from, for messages.

        Raises:
            RulesError: For a field that no puzzle can have.
        """
        if isinstance(row := fields.get("row"), str):
            fields = {**fields, "row": "".join(row.split())}
        places = places or (lambda _name: "the rules")
        made = _made({**self.fields(), **fields}, places, self.word_list)
        if made.row != self.row:
            name = OWN_ROW
        elif made == self:
            name = self.puzzle
        else:
            name = f"{self.puzzle.removesuffix(f' {BY_OTHER_RULES}')} {BY_OTHER_RULES}"
        return replace(made, name=name, puzzle=name)

    def with_row(self, row: str, name: str = OWN_ROW) -> "Rules":
        """Return the same rules with another row.

        Raises `RulesError` unless it is 1 to 10,000 tiles.
        """
        return replace(self.with_fields({"row": row}), name=name, puzzle=name)

    def with_words(self, words: str | Path | Sequence[str]) -> "Rules":
        """Return the rules with other words: the name of a bundled list, a file, or the words.

        Raises:
            RulesError: The list cannot be read, is empty, or holds something else.
        """
        if not isinstance(words, str | Path | Sequence):
            expected = "expected a list, a file, or the words"
            raise RulesError(f"words = {quote(words)}: {expected}")
        if isinstance(words, str | Path):
            listed = _words(lambda _name: "words", self.word_list.name, str(words))
        else:
            listed = WordList.of(words)
        made = _made(self.fields(), lambda _name: "the rules", listed)
        return replace(made, name=self.name, puzzle=self.puzzle)

    def shuffled(self, seed: int) -> "Rules":
        """Return the rules with the tiles of the row in an order that depends on `seed` alone."""
        tiles = list(self.row)
        random.Random(seed).shuffle(tiles)
        return self.with_row("".join(tiles), f"shuffled-{seed:02}")


def puzzle_digest(puzzle: Puzzle, words_hash: str) -> str:
    """Return SHA-256 of all that a score depends on: the rules, and the hash of the words."""
    values = ",".join(f"{letter}={puzzle.values.get(letter, 0)}" for letter in ascii_lowercase)
    # only variants have these, so that the digests of all other puzzles stay the same
    for name, worth in (("?", puzzle.values.get(BLANK, 0)), ("bonus", puzzle.bonus)):
        if worth:
            values += f",{name}={worth}"
    lines = f"{puzzle.row}\n{puzzle.rack_size}\n{values}\n{words_hash}\n"
    return hashlib.sha256(lines.encode()).hexdigest()


def load_rules(
    puzzle: str | Path = "challenge",
    words: str | Path | None = None,
    row: str | None = None,
) -> Rules:
    """Return the rules of a bundled puzzle or of a puzzle file.

    A puzzle can name only a bundled list, since no file may decide which other files are opened.

    Args:
        puzzle: a bundled name, or a TOML file.
        words: another word list: the name of a bundled one, or a file.
        row: another row.

    Raises:
        RulesError: For a puzzle or a list that does not exist or cannot be used.
    """
    named = str(puzzle)
    places, fields = _read(named)
    usual = fields.get("row")
    if row:
        fields = {**fields, "row": row}
    if "row" not in fields:
        raise RulesError(
            f'{places.file}: row is missing: expected row = "...", '
            "tiles of a to z and ? for a blank"
        )
    name = fields.get("name", Path(places.file).stem)
    is_name = isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST_NAME
    if not is_name or not str(name).strip():
        raise _wrong(places, "name", name, f"a line of at most {_LONGEST_NAME} characters")
    given = None if words is None else str(words)
    rules = made_rules(fields, places, given, str(name))
    is_known = is_bundled(named) or named in benchmark()
    base = rules.name if is_known else f"{rules.name} ({named})"
    shown = rules_name(base, fields["row"], usual, given)
    own = OWN_ROW if row and row != usual else rules.name
    return replace(rules, name=shown, puzzle=own)


def unpacked(packed: Mapping[str, Any]) -> Rules:
    """Return the rules of `Rules.packed`.

    Raises `RulesError` for fields that no puzzle can have, or a list that is gone.
    """
    places = Places("the puzzle")
    words = packed["words"]
    listed = _words(places, "", words) if isinstance(words, str) else WordList.of(words)
    return replace(_made(packed, places, listed), name=packed["name"], puzzle=packed["name"])


def bundled_fields(puzzle: str) -> dict[str, object]:
    """Return the fields of the file of a bundled puzzle."""
    return _read(puzzle)[1]


def rules_name(
    puzzle: str, row: object, usual: object, words: str | None, others: Sequence[str] = ()
) -> str:
    """Return the name of rules with another row than the `usual` one, other words, or `others`."""
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
    """Return a row as a name shows it: a long one cut, with its first difference from `usual`."""
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
            "the name of the puzzle is empty: "
            "expected a bundled name such as challenge, or a TOML file"
        )
    if not is_bundled(puzzle) and puzzle in benchmark():
        return Places("benchmark.csv"), {"name": puzzle, "row": benchmark()[puzzle]["row"]}
    path = data_folder() / "puzzles" / f"{puzzle}.toml" if is_bundled(puzzle) else Path(puzzle)
    try:
        content = read_file(path, LARGEST_TEXT)
        fields = toml_fields(content)
    except FileNotFoundError as error:
        like = nearest(puzzle, bundled_names())
        expected = like or ": expected a bundled name such as challenge, or a TOML file"
        raise RulesError(f"{puzzle[:100]}: no such puzzle{expected}") from error
    except OSError as error:
        message = f"{puzzle[:100]}: no such puzzle ({error.strerror})"
        raise RulesError(message) from error
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


def wrong_rule(places: Callable[[str], str], name: str, message: str) -> RulesError:
    """Return an error with the place of a rule, and its line if `places` knows lines."""
    line = places.lines.get(name, 0) if isinstance(places, Places) else 0
    return RulesError(f"{places(name)}: {message}", line)


def _wrong(places: Callable[[str], str], name: str, value: object, expected: str) -> RulesError:
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
    listed = _words(places, fields.get("words", BUNDLED_LIST), words)
    return replace(_made(fields, places, listed), name=name, puzzle=name)


def _made(fields: Mapping[str, Any], places: Callable[[str], str], listed: WordList) -> Rules:
    """Return the rules, without a name, that the fields of a puzzle give with these words."""
    row: Any = fields.get("row")
    try:
        if isinstance(row, dict):
            row = _drawn(row)
        return Rules(
            row=lower(row) if isinstance(row, str) else row,
            rack_size=fields.get("rack", 10),
            values=_values(fields.get("values", "english")),
            words=listed.distinct,
            bonus=fields.get("bonus", 0),
            notes=(listed.left_out,) if listed.left_out else (),
            word_list=listed,
        )
    except ImpossibleError as error:
        raise wrong_rule(places, error.rule, str(error)) from error


def is_bundled(puzzle: str) -> bool:
    """Whether a puzzle of that name is bundled."""
    return puzzle in bundled_names()


@cache
def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled puzzles, sorted."""
    return tuple(sorted(path.stem for path in (data_folder() / "puzzles").glob("*.toml")))


def read_words(path: Path) -> WordList:
    """Read a word list.

    Raises `RulesError` where the file cannot be read, is not UTF-8, or holds no word.
    """
    lines = list_lines(path)
    written = list(filter(None, lines))
    spelled = written
    left_out = ""
    # all at once, because every command reads a list and few lists hold anything else
    if not _is_spelled("".join(written)):
        spelled = list(filter(_is_spelled, written))
        number, line = next(
            (number, line)
            for number, line in enumerate(lines, start=1)
            if line and not _is_spelled(line)
        )
        if not spelled:
            raise RulesError(
                f"{path}:{number}: {quote(line)} is not a word, nor is any other line: "
                "expected letters a to z"
            )
        others = len(written) - len(spelled)
        left_out = left_out_lines(path, others, len(written), number, line)
    # most lists are in lower case and sorted already, which is fast to sort
    listed = sorted(spelled if "".join(spelled).islower() else map(str.lower, spelled))
    return WordList(tuple(dict.fromkeys(listed)), path.stem, path, left_out)


def _is_spelled(text: str) -> bool:
    """Whether a text has letters a to z only, in either case, and at least one."""
    return text.isascii() and text.isalpha()


def list_lines(path: Path) -> list[str]:
    """Return the lines of a word list, stripped.

    Raises `RulesError` where it cannot be read, is not UTF-8, or is empty.
    """
    try:
        text = utf8_text(read_file(path, LARGEST_WORD_LIST))
    except OSError as error:
        raise RulesError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RulesError(
            f"{printable(str(path))}: {error}: expected a text file, a word a line"
        ) from error
    lines = list(map(str.strip, text.split("\n")))
    if not any(lines):
        raise RulesError(f"{path}: the word list is empty: expected a word a line")
    return lines


def _words(places: Callable[[str], str], named: object, given: str | None) -> WordList:
    """Return the words of the list `given`, or of the one that the puzzle names."""
    if not isinstance(named, str) or not named.isprintable():
        raise _wrong(places, "words", named, "the name of a word list")
    if given == "":
        raise RulesError("the name of the word list is empty: expected a file, a word a line")
    path = bundled_words(named) if given is None else word_list(given)
    if path is None:
        missing = f"words = {quote(named)}: not a bundled list: pass its words with --words FILE"
        raise wrong_rule(places, "words", missing)
    return list_in(path)


def list_in(path: Path) -> WordList:
    """Return the words of a file, read again only after a change. Raises as `read_words` does."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return read_words(path)  # raises the error with its reason
    return _kept_words(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _kept_words(path: Path, changed: int, size: int) -> WordList:  # noqa: ARG001
    """Return the words of a file, which is read again only after a change."""
    return read_words(path)


def _bundled() -> WordList:
    path = bundled_words(BUNDLED_LIST)
    assert path is not None
    return list_in(path)


def _drawn(draw: Mapping[str, Any]) -> str:
    """Return the row that a table `{ bag, seed, tiles }` draws from the shuffled bag.

    Raises `ImpossibleError` for another table.
    """
    strange = sorted(set(draw) - {"bag", "seed", "tiles"})
    if strange:
        unknown = f"row: unknown field {quote(strange[0])}: expected bag, seed, tiles"
        raise ImpossibleError("row", unknown)
    for key, example in (("bag", '"english"'), ("seed", "7")):
        if key not in draw:
            missing = f"row: {key} is missing: expected {key} = ..., such as {example}"
            raise ImpossibleError("row", missing)
    named = f"row: bag = {quote(draw['bag'])}"
    expected = 'expected the name of a tile set, such as "english"'
    counts = _tile_set("row", f"{named}: {expected}", draw["bag"])["counts"]
    if not set(counts) <= {*ascii_lowercase, BLANK}:
        raise ImpossibleError("row", f"{named}: expected a tile set of the letters a to z")
    tiles = [tile for tile in ascii_lowercase + BLANK for _ in range(counts.get(tile, 0))]
    most = draw.get("tiles", len(tiles))
    require_whole("row", "row: seed", draw["seed"], 0, LARGEST_SEED)
    require_whole("row", "row: tiles", most, 1, len(tiles))
    random.Random(draw["seed"]).shuffle(tiles)
    return "".join(tiles[:most])


def _tile_set(rule: str, message: str, name: object) -> dict[str, Any]:
    """Return the bundled tile set of that name. Raises `ImpossibleError` of a rule without one."""
    for path in (data_folder() / "tiles").glob("*.toml"):
        if path.stem == name:
            return toml_fields(path.read_bytes())
    raise ImpossibleError(rule, message)


def _values(values: Any) -> Any:
    """Return values, those of a tile set if one is named, without a blank that is worth 0."""
    if isinstance(values, str):
        expected = 'no such tile set: expected "english" or a table of letter = value'
        values = _tile_set("values", f"values = {quote(values)}: {expected}", values)["values"]
    if isinstance(values, dict) and values.get(BLANK) == 0:
        return {tile: value for tile, value in values.items() if tile != BLANK}
    return values
