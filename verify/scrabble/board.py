"""The board and its premium squares."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from verify.rules import RulesError
from verify.scrabble.tables import bundled, text_file
from verify.text import counted, quote

LARGEST_BOARD = 21  # rows and columns
# by the sign of a square: the name of its premium, the factor of a letter, the factor of a word
_PREMIUMS = {
    "Q": ("4xWS", 1, 4),
    "T": ("3xWS", 1, 3),
    "D": ("2xWS", 1, 2),
    "q": ("4xLS", 4, 1),
    "t": ("3xLS", 3, 1),
    "d": ("2xLS", 2, 1),
    "*": ("star", 1, 2),
    ".": ("", 1, 1),
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
        return self._premium(square)[1]

    def word_premium(self, square: Square) -> int:
        """Return the multiplier of the score of a word with a new tile on a square."""
        return self._premium(square)[2]

    def name(self, square: Square) -> str:
        """Return the name of the premium of a square, such as `3xWS`; empty for a plain square."""
        return self._premium(square)[0]

    def _premium(self, square: Square) -> tuple[str, int, int]:
        return _PREMIUMS[self.rows[square.row][square.column]]


@cache
def board_of(name: str) -> Board:
    """Return the bundled board of that name, or the one in a file whose name ends in .txt.

    Raises `RulesError`.
    """
    path = bundled("boards").get(name, Path(name))
    if path.suffix != ".txt":
        raise RulesError(
            f"board {quote(name)}: expected one of {', '.join(bundled('boards'))}, "
            "or a file whose name ends in .txt"
        )
    lines = text_file(path, "the board").splitlines()
    rows = {number: line for number, line in enumerate(lines, start=1) if line[:1] not in ("", "#")}
    size = len(rows)
    if size % 2 == 0 or size > LARGEST_BOARD:
        expected = f"expected an odd number of rows, at most {LARGEST_BOARD}"
        raise RulesError(f"{path}: the board has {counted(size, 'row')}: {expected}")
    for number, row in rows.items():
        if len(row) != size or not set(row) <= _PREMIUMS.keys():
            expected = f"expected {size} squares, each one of {' '.join(_PREMIUMS)}"
            raise RulesError(f"{path}:{number}: {quote(row)}: {expected}")
    return Board(tuple(rows.values()))
