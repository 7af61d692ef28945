"""A puzzle as searches need it: the referee's reading of its rules, as codes and tables; its words.

And its file.

A puzzle file is TOML:

    name = "challenge"
    row = "sd?zeioao..."     # letters a to z, ? for a blank, 1 to 10,000 tiles; or a drawn row:
                             # { bag = "english", seed = 7, tiles = 60 }
    rack = 10                # 2 to 15
    words = "enable1"        # a bundled list; the user gives any other list with --words
    values = "english"       # a bundled set, or a table: { a = 1, "?" = 2, ... }; others are worth
    0 bonus = 50               # points for a play of a full rack; 0 if left out
"""

import json
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver.checking import checked
from solver.model.tiles import N_CODES, ORDER, Codes, Scoring, encode, encode_bytes, scoring_of
from verify import Rules, load_rules

CHALLENGE = "challenge"

load_puzzle = checked(load_rules)


@dataclass(frozen=True)
class Lexicon:
    """Distinct words in lower case, sorted.

    Attributes:
        words: The words. The id of a word is its index, from 0.
        digest: The SHA-256 of the words, one a line.
    """

    words: tuple[str, ...] = field(repr=False)
    digest: str

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """The index of each word's first letter in `codes`: int64, shape (words + 1,)."""
        lengths = np.fromiter(map(len, self.words), dtype=np.int64, count=len(self.words))
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

    @cached_property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The codes of the letters of all words, in their order: uint8, shape (letters,)."""
        return encode_bytes(np.frombuffer("".join(self.words).encode(), dtype=np.uint8))

    @cached_property
    def shortest(self) -> int:
        """The length of the shortest word; 1 without words."""
        return min(map(len, self.words), default=1)


class Puzzle:
    """The rules of a puzzle as searches read them: tiles as codes, counts and values as tables.

    A search is judged by the referee's rules, not by this copy of them.

    Attributes:
        name: The name of the puzzle.
        row: The tiles of the row.
        rack_size: The number of tiles that a rack holds.
        values: The value of each tile; a tile that is left out is worth 0.
        bonus: The points for a play of a full rack.
    """

    def __init__(self, rules: Rules) -> None:
        self.name = rules.puzzle
        self.row = rules.row
        self.rack_size = rules.rack_size
        self.values = rules.values
        self.bonus = rules.bonus

    @cached_property
    def row_codes(self) -> Codes:
        """The row as codes: uint8, shape (tiles,)."""
        return encode(self.row)

    @cached_property
    def counts_from_left(self) -> npt.NDArray[np.int64]:
        """The number of each tile among the first i tiles: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes)

    @cached_property
    def counts_from_right(self) -> npt.NDArray[np.int64]:
        """The number of each tile among the last i tiles: int64, shape (tiles + 1, N_CODES)."""
        return _running_counts(self.row_codes[::-1])

    @cached_property
    def value_table(self) -> npt.NDArray[np.int32]:
        """Values by code: int32, shape (N_CODES,)."""
        return np.array([self.values.get(tile, 0) for tile in ORDER], dtype=np.int32)

    def scoring(self, rule: str = "positional") -> Scoring:
        """Return the scoring of plays by `rule`, see `solver.model.tiles`."""
        return scoring_of(self.value_table, rule, self.rack_size, self.bonus)

    def drawn(self, played: int) -> int:
        """Return the number of tiles drawn before the play that follows `played` tiles.

        Each draw fills the rack if it can.
        """
        return min(len(self.row), played + self.rack_size)


def _running_counts(codes: Codes) -> npt.NDArray[np.int64]:
    one_each = np.eye(N_CODES, dtype=np.int64)[codes]
    return np.concatenate([np.zeros((1, N_CODES), dtype=np.int64), one_each.cumsum(axis=0)])


def puzzle_toml(rules: Rules) -> str:
    """Return the text of a puzzle file that reads back as `rules`."""
    fields = {"name": rules.puzzle, **rules.fields()}
    if rules.values == load_rules(CHALLENGE).values:
        fields["values"] = "english"
    if not rules.bonus:
        del fields["bonus"]
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        # quotes around a key are allowed, and ? needs them
        pairs = [f'"{tile}" = {worth}' for tile, worth in sorted(value.items())]
        return f"{{ {', '.join(pairs)} }}"
    return json.dumps(value, ensure_ascii=False)
