"""The board and its premium squares."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from verify.scrabble.tables import bundled

FULL_RACK = 7
FULL_RACK_BONUS = 50
_LETTER_PREMIUMS = {"q": 4, "t": 3, "d": 2}
_WORD_PREMIUMS = {"Q": 4, "T": 3, "D": 2, "*": 2}
_NAMES = {
    "Q": "4xWS",
    "T": "3xWS",
    "D": "2xWS",
    "q": "4xLS",
    "t": "3xLS",
    "d": "2xLS",
    "*": "star",
    ".": "",
}


class NotationError(ValueError):
    """A square, a word or a distribution is not in the notation, or does not fit."""


class Square(NamedTuple):
    """A square; row and column are counted from 0."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.column)}{self.row + 1}"

    def next(self, across: bool, steps: int = 1) -> "Square":
        """Return the square `steps` further, across or down; it may be off the board."""
        if across:
            return Square(self.row, self.column + steps)
        return Square(self.row + steps, self.column)


@dataclass(frozen=True)
class Board:
    """A board: for each row a character for each square, see data/boards/standard.txt."""

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


@cache
def board_of(name: str) -> Board:
    """Return the bundled board of that name."""
    lines = bundled("boards")[name].read_text(encoding="utf-8").splitlines()
    return Board(tuple(line for line in lines if not line.startswith("#")))
