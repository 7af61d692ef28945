"""A puzzle: the row, the rack size, the values of the tiles, the bonus and the words; and how its answers state these rules.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import compress
from operator import ne
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.checking import checked
from solver.errors import LexiconError, PuzzleError, RackError
from solver.model.tiles import (
    BLANK,
    N_CODES,
    ORDER,
    Codes,
    Scoring,
    encode,
    encode_bytes,
    scoring_of,
)
from verify import Rules, load_rules
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
)
from verify.text import left_out_lines, nearest, quote


@dataclass(frozen=True)
class Lexicon:
    """Distinct words in lower case, sorted.

    Attributes:
        name: The name of the word list.
        words: The words. The id of a word is its index, from 0.
        left_out: A sentence about lines of the file that are not words; empty if all are.
    """

    name: str
    words: tuple[str, ...] = field(repr=False)
    left_out: str = field(default="", repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words, one a line."""
        return hashlib.sha256("\n".join((*self.words, "")).encode()).hexdigest()

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """The index of each word's first letter in `codes`: int64, shape (words + 1,)."""
        lengths = np.fromiter(map(len, self.words), dtype=np.int64, count=len(self.words))
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

    @cached_property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The codes of the letters of all words, one word after the other: uint8, shape (letters,)."""
        return encode_bytes(np.frombuffer("".join(self.words).encode(), dtype=np.uint8))

    @cached_property
    def shortest(self) -> int:
        """The length of the shortest word; 1 without words."""
        return min(map(len, self.words), default=1)


def read_lexicon(path: Path) -> Lexicon:
    """Read a word list. A word is a line of letters a to z, in either case; `Lexicon.left_out` counts other lines.

    Raises `LexiconError` if the file cannot be read, is not UTF-8, or holds no word.
    """
    try:
        text = utf8_text(read_file(path, LARGEST_WORD_LIST))
    except OSError as error:
        raise LexiconError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise LexiconError(f"{path}: {error}: expected a text file, a word a line") from error
    lines = list(filter(None, map(str.strip, text.split("\n"))))
    if not lines:
        raise LexiconError(f"{path}: the word list is empty: expected a word a line")
    spelled, left_out = lines, ""
    if not _is_spelled("".join(lines)):  # rare
        spelled = list(filter(_is_spelled, lines))
        number, other = _first_other(text)
        if not spelled:
            raise LexiconError(
                f"{path}:{number}: {quote(other)} is not a word, nor is any other line: expected letters a to z"
            )
        left_out = left_out_lines(path, len(lines) - len(spelled), len(lines), number, other)
    # most lists are in lower case and sorted already, and hold no word twice, which is fast to find out
    words = sorted(spelled if "".join(spelled).islower() else map(str.lower, spelled))
    return Lexicon(path.stem, tuple(compress(words, map(ne, words, ("", *words)))), left_out)


def lexicon_of(words: Sequence[str]) -> Lexicon:
    """Return the lexicon of some words, in either case. Raises `LexiconError` without words, or for one with other letters."""
    for word in words:
        if not _is_spelled(word):
            raise LexiconError(f"words: {quote(word)}: expected letters a to z")
    if not words:
        raise LexiconError("words: the list is empty: expected at least one word")
    return Lexicon("own-words", tuple(sorted({word.lower() for word in words})))


def _first_other(text: str) -> tuple[int, str]:
    """Return the number of the first line that is not a word, from 1, and the line."""
    lines = enumerate(map(str.strip, text.split("\n")), start=1)
    return next((number, line) for number, line in lines if line and not _is_spelled(line))


def _is_spelled(line: str) -> bool:
    """Return whether a line consists of letters a to z."""
    return line.isascii() and line.isalpha()


MAX_ROW = 10_000
MIN_RACK, MAX_RACK = 2, 15
MAX_VALUE = 1000
MAX_BONUS = 10_000
MAX_SEED = 10**9
_LONGEST_NAME = 100
_FIELDS = {"name", "row", "rack", "words", "values", "bonus"}
CHALLENGE = "challenge"
OWN_ROW = "a row of your own"  # the name of a row that has no other
BY_OTHER_RULES = "by other rules"  # the end of the name of a puzzle with the row of another one


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
    def stated_name(self) -> str:
        """The name that answers and certificates state. A file is called by its name alone: they may be posted."""
        return Path(self.source).name or self.name

    @property
    def word_list(self) -> Path:
        """The file of the word list. Raises `PuzzleError` if the list is not bundled and the user has chosen no file.

        A puzzle cannot name the file itself: it may come from a stranger, and must not decide which files are opened.
        """
        path = self.own_words or bundled_words(self.words)
        if path is None:
            where = f"{self.reference}: words = {quote(self.words)}"
            raise PuzzleError(f"{where}: not a bundled list: pass its words with --words FILE")
        return path

    @property
    def has_own_words(self) -> bool:
        """Whether the user has chosen another list than the one called `words`."""
        return self.own_words is not None and self.own_words != bundled_words(self.words)

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
        """Return the scoring of plays by `rule`, see `solver.model.tiles`."""
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
        return hashlib.sha256(
            f"{self.row}\n{self.rack_size}\n{values}\n{lexicon_digest}\n".encode()
        ).hexdigest()

    @checked
    def with_row(self, row: str, name: str = OWN_ROW) -> "Puzzle":
        """Return the same rules with another row, without its spaces and line ends.

        Raises `PuzzleError` unless `row` is 1 to 10,000 tiles.
        """
        return replace(
            self, name=name, row=checked_row("".join(row.split()), "the row"), own_row=True
        )

    def with_rules(
        self, fields: Mapping[str, Any], places: Callable[[str], str] = lambda _field: "the rules"
    ) -> "Puzzle":
        """Return the puzzle with other rules, such as `{"rack": 7, "values": {**puzzle.values, "q": 15}}`, and a name for it.

        Args:
            fields: The fields of a puzzle file that replace those of this puzzle: row, rack, values, bonus.
            places: Returns where a field comes from, for messages.

        Raises:
            PuzzleError: A field is not valid.
        """
        made = made_puzzle({**fields_of(self), **fields}, places, self.name, self.source)
        own_row = made.row != self.row
        if own_row or made.digest("") != self.digest(""):
            made = replace(made, name=OWN_ROW if own_row else f"{self.name} {BY_OTHER_RULES}")
        return replace(made, own_words=self.own_words, own_row=own_row or self.own_row)

    @checked
    def with_words(self, words: str | Path) -> "Puzzle":
        """Return the puzzle with another word list: a bundled one, such as `enable1`, or a file."""
        bundled = bundled_words(str(words))
        if bundled is not None:
            return replace(self, words=str(words), own_words=bundled)
        return replace(self, own_words=Path(words))

    @checked
    def shuffled(self, seed: int) -> "Puzzle":
        """Return the puzzle with the same tiles in an order that depends on `seed` alone."""
        tiles = list(self.row)
        random.Random(seed).shuffle(tiles)
        return replace(
            self, name=f"shuffled-{seed:02}", row="".join(tiles), source="", own_row=True
        )


def bundled_puzzles() -> list[str]:
    """Return the names of the bundled puzzles."""
    return sorted(path.stem for path in (data_folder() / "puzzles").glob("*.toml"))


@checked
def load_puzzle(name_or_file: str | Path, words: str | Path | None = None) -> Puzzle:
    """Return a bundled puzzle or the puzzle of a TOML file, with another word list than the puzzle's if `words` names one.

    Raises `PuzzleError` if the puzzle does not exist, or is not valid.
    """
    if words is not None:
        return load_puzzle(name_or_file).with_words(words)
    if not name_or_file:
        raise PuzzleError(
            "the name of the puzzle is empty: expected a bundled name such as challenge, or a TOML file"
        )
    if isinstance(name_or_file, str) and name_or_file in bundled_puzzles():
        return replace(
            read_puzzle(data_folder() / "puzzles" / f"{name_or_file}.toml"), source=name_or_file
        )
    name = str(name_or_file)
    if not name.isprintable():
        # a solution names its puzzle in one line of UTF-8 text
        raise PuzzleError(f"{name[:100]!r}: expected a puzzle whose name is text")
    path = Path(name_or_file)
    try:
        exists = path.exists()
    except OSError:
        exists = False
    if not exists:
        known = bundled_puzzles()
        row = f"; for a row of these tiles: --row {name}" if _is_short_row(name) else ""
        like = nearest(name, known) or f": expected a TOML file or one of {', '.join(known)}{row}"
        raise PuzzleError(f"{name[:100]}: no such puzzle{like}")
    return read_puzzle(path)


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
            raise PuzzleError(
                f"{places(key)}: unknown field {quote(key)}: expected {', '.join(sorted(_FIELDS))}"
            )
    if "row" not in fields:
        raise PuzzleError(
            f'{path}: row is missing: expected row = "...", tiles of a to z and ? for a blank'
        )
    return made_puzzle(fields, places, fields.get("name", path.stem), str(path))


def made_puzzle(
    fields: Mapping[str, Any], places: Callable[[str], str], name: Any, source: str = ""
) -> Puzzle:
    """Return the puzzle with the fields of a puzzle file.

    Args:
        fields: The fields; `row` is among them.
        places: Returns where a field comes from, for messages.
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
        raise PuzzleError(
            f"{places('words')}: words = {quote(words)}: expected the name of a word list"
        )
    if (
        not isinstance(name, str)
        or not name.strip()
        or not name.isprintable()
        or len(name) > _LONGEST_NAME
    ):
        raise PuzzleError(
            f"{places('name')}: name = {quote(name)}: expected a line of at most {_LONGEST_NAME} characters"
        )
    return Puzzle(
        name=name,
        row=checked_row(row, f"{places('row')}: row"),
        rack_size=rack,
        words=words,
        values=_values(places("values"), fields.get("values", "english")),
        source=source,
        bonus=_whole(fields.get("bonus", 0), 0, MAX_BONUS, f"{places('bonus')}: bonus"),
    )


def _is_short_row(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and all(tile in ORDER for tile in text.lower())


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
    return {
        "row": puzzle.row,
        "rack": puzzle.rack_size,
        "words": puzzle.words,
        "values": values,
        "bonus": puzzle.bonus,
    }


def puzzle_toml(puzzle: Puzzle) -> str:
    """Return the text of a puzzle file that reads back as `puzzle`."""
    names = {BLANK: f'"{BLANK}"'}  # TOML requires quotes around a key that is not a letter
    table = ", ".join(
        f"{names.get(tile, tile)} = {value}" for tile, value in sorted(puzzle.values.items())
    )
    values = '"english"' if is_english(puzzle.values) else f"{{ {table} }}"
    name, row, quoted_words = (
        json.dumps(text, ensure_ascii=False) for text in (puzzle.name, puzzle.row, puzzle.words)
    )
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
        raise PuzzleError(
            f'{where}: bag = {quote(fields["bag"])}: no such tile set: expected a name such as "english"'
        )
    if any(tile not in ORDER for tile in counts):
        raise PuzzleError(
            f"{where}: bag = {quote(fields['bag'])}: expected a tile set of the letters a to z"
        )
    seed = _whole(fields["seed"], 0, MAX_SEED, f"{where}: seed")
    bag = list("".join(tile * counts.get(tile, 0) for tile in (*ascii_lowercase, BLANK)))
    first = _whole(fields.get("tiles", len(bag)), 1, len(bag), f"{where}: tiles")
    random.Random(seed).shuffle(bag)
    return "".join(bag[:first])


def _tile_set(name: Any, table: str) -> dict[str, Any] | None:
    """Return a table in the file of a bundled tile set; None if no set has that name."""
    files = {path.stem: path for path in (data_folder() / "tiles").glob("*.toml")}
    return (
        toml_fields(files[name].read_bytes())[table]
        if isinstance(name, str) and name in files
        else None
    )


def _whole(number: Any, least: int, most: int, where: str) -> int:
    """Return `number`. Raises `PuzzleError` unless it is a whole number from `least` to `most`."""
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise PuzzleError(
            f"{where} = {quote(number)}: expected a whole number from {least} to {most:,}"
        )
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
            raise PuzzleError(
                f'{where}: values: {quote(tile)} is not a tile: expected a to z, or "?" for a blank'
            )
        _whole(value, 0, MAX_VALUE, f"{where}: values: {tile}")
    # a blank that is worth 0 is left out, so that equal rules are equal puzzles
    return {tile: value for tile, value in values.items() if value or tile != BLANK}


_LONGEST_LIST = 100  # the most characters in the name of a word list
_RULES = ("row", "rack", "values", "bonus", "words")  # in the order of the comments


def address_of(puzzle: Puzzle) -> tuple[str, str | None]:
    """Return the name by which a referee finds the puzzle of an answer, and the row if it differs from that puzzle's row.

    If the rules are those of the challenge, an answer names the challenge and its row instead of a file.
    """
    if puzzle.source in bundled_puzzles() and not puzzle.own_row:
        return puzzle.source, None
    challenge = load_puzzle(CHALLENGE)
    same_words = puzzle.own_words is not None or puzzle.words == challenge.words
    same_rules = (puzzle.rack_size, puzzle.values, puzzle.bonus) == (
        challenge.rack_size,
        challenge.values,
        challenge.bonus,
    )
    if same_words and same_rules:
        return CHALLENGE, None if puzzle.row == challenge.row else puzzle.row
    return puzzle.stated_name, puzzle.row if puzzle.own_row else None


def bundled_address(puzzle: Puzzle) -> tuple[str, str | None] | None:
    """Return the bundled puzzle and the other row that are all of `puzzle`, but for words that the user chose; else None."""
    name, row = address_of(puzzle)
    if name not in bundled_puzzles():
        return None
    named = load_puzzle(name) if row is None else load_puzzle(name).with_row(row)
    is_same = (named.digest(""), named.words) == (puzzle.digest(""), puzzle.words)
    return (name, row) if is_same else None


@dataclass(frozen=True)
class Statement:
    """The rules that an answer states of its puzzle.

    Attributes:
        puzzle: The bundled puzzle, or the file's name without its folder.
        row: The row.
        rack: The number of tiles that a rack holds.
        values: The values of the tiles.
        bonus: The points for a play of a full rack.
        words: The name of the word list.
        words_hash: The SHA-256 of its words, sorted, one a line.
        named: The rules that the comments of an answer must name besides `puzzle`: all if the puzzle is not bundled.
    """

    puzzle: str
    row: str
    rack: int
    values: Mapping[str, int]
    bonus: int
    words: str
    words_hash: str
    named: tuple[str, ...]

    @classmethod
    def of(cls, puzzle: Puzzle, lexicon: Lexicon) -> "Statement":
        """Return the statement of `puzzle` played with the words of `lexicon`."""
        name, _row = address_of(puzzle)
        named = tuple(rule for rule in _RULES if rule != "bonus" or puzzle.bonus)
        if name in bundled_puzzles():
            rules, bundled = fields_of(puzzle), fields_of(load_puzzle(name))
            has_own = puzzle.has_own_words
            named = tuple(
                rule
                for rule in _RULES
                if rules[rule] != bundled[rule] or (rule == "words" and has_own)
            )
        words = _one_line(lexicon.name)
        return cls(
            name,
            puzzle.row,
            puzzle.rack_size,
            puzzle.values,
            puzzle.bonus,
            words,
            lexicon.digest,
            named,
        )

    @classmethod
    def of_rules(cls, rules: Rules) -> "Statement":
        """Return the statement of the rules by which the referee has judged an answer."""
        name = rules.name if rules.name in bundled_puzzles() else CHALLENGE
        usual = _bundled_rules(name)
        same = (
            rules.row == usual.row,
            rules.rack_size == usual.rack_size,
            all(rules.values.get(tile, 0) == usual.values.get(tile, 0) for tile in ORDER),
            rules.bonus == usual.bonus,
            rules.words_hash == usual.words_hash,
        )
        named = tuple(rule for rule, is_usual in zip(_RULES, same, strict=True) if not is_usual)
        words = _one_line(rules.list_name)
        return cls(
            name,
            rules.row,
            rules.rack_size,
            rules.values,
            rules.bonus,
            words,
            rules.words_hash,
            named,
        )

    def comments(self) -> str:
        """Return the lines with which an answer begins; none for the challenge, whose own script reads only turns."""
        texts = {
            "row": self.row,
            "rack": str(self.rack),
            "values": _values_text(self.values),
            "bonus": str(self.bonus),
            "words": f"{self.words} {self.words_hash}",
        }
        lines = [f"{rule} {texts[rule]}" for rule in self.named]
        # a reader recognises the start of an answer by a line with the puzzle or the row
        if self.puzzle != CHALLENGE or (lines and "row" not in self.named):
            lines.insert(0, f"puzzle {self.puzzle}")
        return "".join(f"# {line}\n" for line in lines)

    def fields(self) -> dict[str, Any]:
        """Return the puzzle, the row if it differs from the bundled puzzle's row, and all rules, for JSON."""
        row = {"row": self.row} if "row" in self.named else {}
        rules = {rule: getattr(self, rule) for rule in (*_RULES, "words_hash")}
        return {"puzzle": self.puzzle, **row, "rules": rules}


_bundled_rules = cache(load_rules)


def _values_text(values: Mapping[str, int]) -> str:
    if is_english(values):
        return "english"
    return " ".join(f"{tile}={value}" for tile, value in sorted(values.items()) if value) or "none"


def _one_line(name: str) -> str:
    """Return the name of a file in a form that fits one line of a comment."""
    return (
        " ".join("".join(c if c.isprintable() else "?" for c in name).split())[:_LONGEST_LIST]
        or "?"
    )
