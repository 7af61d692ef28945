"""The board, its premium squares, and the score of a word on the empty board."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import NamedTuple

from verify.datafiles import data_folder
from verify.points import points
from verify.text import quote

COLUMNS = "ABCDEFGHIJKLMNO"
SIZE = len(COLUMNS)  # of the standard board
FULL_RACK, FULL_RACK_BONUS = 7, 50
_LETTER_PREMIUMS = {"q": 4, "t": 3, "d": 2}
_WORD_PREMIUMS = {"Q": 4, "T": 3, "D": 2, "*": 2}
_NAMES = {"Q": "4xWS", "T": "3xWS", "D": "2xWS", "q": "4xLS", "t": "3xLS", "d": "2xLS", "*": "star", ".": ""}
_SQUARE = re.compile(r"([A-Oa-o])([1-9]|1[0-5])")


class BoardError(ValueError):
    """A square is not on the board, or a word does not fit; the message says what was expected."""


class Square(NamedTuple):
    """A square; row and column are counted from 0."""

    row: int
    column: int

    @classmethod
    def parse(cls, text: str) -> "Square":
        """Return the square of a text such as `I2`: column, then row. Raises `BoardError`."""
        match = _SQUARE.fullmatch(text)
        if match is None:
            raise BoardError(f"{quote(text)} is not a square: expected a column A to O and a row 1 to 15, such as I2")
        return cls(int(match[2]) - 1, COLUMNS.index(match[1].upper()))

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.column)}{self.row + 1}"

    def next(self, across: bool, steps: int = 1) -> "Square":
        """Return the square `steps` further, across or down; it may be off the board."""
        return Square(self.row, self.column + steps) if across else Square(self.row + steps, self.column)


@dataclass(frozen=True)
class Board:
    """A board: a string for each row with a character for each square, see data/boards/standard.txt."""

    rows: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of rows, which is also the number of columns."""
        return len(self.rows)

    @property
    def centre(self) -> Square:
        """The square that the first play covers."""
        return Square(self.size // 2, self.size // 2)

    def holds(self, square: Square) -> bool:
        """Return whether the square is on the board."""
        return 0 <= square.row < self.size and 0 <= square.column < self.size

    def letter_premium(self, square: Square) -> int:
        """Return the multiplier of the value of a new tile on a square."""
        return _LETTER_PREMIUMS.get(self.rows[square.row][square.column], 1)

    def word_premium(self, square: Square) -> int:
        """Return the multiplier of the score of a word with a new tile on a square."""
        return _WORD_PREMIUMS.get(self.rows[square.row][square.column], 1)

    def name(self, square: Square) -> str:
        """Return the name of the premium of a square, such as `3xWS`; empty for a plain square."""
        return _NAMES[self.rows[square.row][square.column]]


@dataclass(frozen=True)
class WordScore:
    """A scored word: values and multipliers of its letters, multiplier of the word, bonus in points."""

    values: tuple[int, ...]
    multipliers: tuple[int, ...]
    word_multiplier: int
    bonus: int

    @property
    def total(self) -> int:
        """The score of the word, in points."""
        return points(zip(self.values, self.multipliers, strict=True)) * self.word_multiplier + self.bonus


@cache
def board_of(name: str) -> Board:
    """Return the bundled board of that name."""
    lines = (data_folder() / "boards" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return Board(tuple(line for line in lines if not line.startswith("#")))


def standard_board() -> Board:
    """Return the usual Scrabble board."""
    return board_of("standard")


def score_word(
    word: Sequence[str], value_of: Callable[[str], int], at: Square | None = None, across: bool = True, bonus: bool = False
) -> WordScore:
    """Return the score of `word` on the empty board.

    Args:
        word: The letters of the word, or its tiles, which may have several letters.
        value_of: Returns the value of a letter.
        at: The square of the first letter; None for a score without premiums.
        across: Whether the word runs across, or down.
        bonus: Whether seven letters earn 50 points.

    Raises:
        BoardError: The word does not fit on the board.
    """
    shown = quote("".join(word))
    if not 2 <= len(word) <= SIZE:
        raise BoardError(f"{shown} has {len(word)} letters: expected 2 to {SIZE}")
    values = tuple(value_of(letter) for letter in word)
    earned = FULL_RACK_BONUS if bonus and len(word) == FULL_RACK else 0
    if at is None:
        return WordScore(values, (1,) * len(word), 1, earned)
    board = standard_board()
    if not board.holds(at.next(across, len(word) - 1)):
        way = "across" if across else "down"
        room = SIZE - (at.column if across else at.row)
        raise BoardError(f"{shown} of {len(word)} letters leaves the board at {at} {way}: expected at most {room}")
    squares = [at.next(across, i) for i in range(len(word))]
    return WordScore(
        values,
        tuple(board.letter_premium(square) for square in squares),
        prod(board.word_premium(square) for square in squares),
        earned,
    )
