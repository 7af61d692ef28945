"""A play on a board in progress: the squares it covers, the words it forms, its legality and its score."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from verify.points import points
from verify.scrabble.board import FULL_RACK, FULL_RACK_BONUS, Board, Square
from verify.scrabble.tiles import TileSet, written
from verify.text import quote

THROUGH = "."

Grid = dict[Square, str]
"""The tiles on the board as laid down: in capital letters, or in small letters for a blank."""

Word = tuple[tuple[Square, str], ...]


@dataclass(frozen=True)
class Placed:
    """A play placed on a board.

    Attributes:
        new: The tiles that it adds, by square.
        words: All words formed, the main word first.
        faults: The reasons why it is illegal.
    """

    new: Mapping[Square, str]
    words: tuple[Word, ...]
    faults: tuple[str, ...]

    def texts(self) -> list[str]:
        """Return the words formed, in capital letters."""
        return ["".join(tile for _square, tile in word).upper() for word in self.words]


def parse_place(place: str, board: Board) -> tuple[Square, bool]:
    """Return (square, across) of a place such as `8H`, across, or `H8`, down. Raises `ValueError` if it is off the board."""
    across = place[0].isdigit()
    digits, letter = (place[:-1], place[-1]) if across else (place[1:], place[0])
    square = Square(int(digits) - 1, ord(letter.upper()) - ord("A"))
    if not board.holds(square):
        last = chr(ord("A") + board.size - 1)
        raise ValueError(f"{quote(place)} is not a square: expected rows 1 to {board.size} and columns A to {last}")
    return square, across


def place_text(square: Square, across: bool) -> str:
    """Return the place in the form that `parse_place` reads."""
    name = str(square)
    return name[1:] + name[0] if across else name


def place_play(board: Board, grid: Grid, start: Square, across: bool, tiles: Sequence[str]) -> Placed:
    """Place `tiles` from `start` on. `.` or the tile itself stands for a tile that is already on the board."""
    new: Grid = {}
    faults: list[str] = []
    square = start
    for tile in tiles:
        if not board.holds(square):
            faults.append(f"{quote(written(tiles))} leaves the board")
            break
        lying = grid.get(square)
        if lying is None and tile == THROUGH:
            faults.append(f"'.' at {square}, where no tile lies")
        elif lying is None:
            new[square] = tile
        elif tile != THROUGH and tile.upper() != lying.upper():
            faults.append(f"{quote(tile)} at {square}, where {quote(lying)} lies already")
        square = square.next(across)
    if not new:
        faults.append("no new tile")
    main = _word_at(grid, new, start, across)
    crossing = tuple(word for at in new for word in [_word_at(grid, new, at, not across)] if len(word) > 1)
    words = ((main,) if len(main) > 1 else ()) + crossing
    faults += _connection_faults(board, grid, new, words)
    return Placed(new, words, tuple(faults))


def score_play(board: Board, grid: Grid, placed: Placed, tiles: TileSet) -> int:
    """Return the score of a play in points, from the `grid` before it. Only new tiles use premiums; seven of them earn 50."""
    total = sum(_score_word(board, grid, word, tiles) for word in placed.words)
    return total + (FULL_RACK_BONUS if len(placed.new) == FULL_RACK else 0)


def _score_word(board: Board, grid: Grid, word: Word, tiles: TileSet) -> int:
    fresh = [square for square, _tile in word if square not in grid]
    laid = ((tiles.value(tile), 1 if square in grid else board.letter_premium(square)) for square, tile in word)
    return points(laid) * prod(board.word_premium(square) for square in fresh)


def _word_at(grid: Grid, new: Grid, square: Square, across: bool) -> Word:
    """Return the tiles in line with `square`, across or down, up to the next empty square on both sides."""

    def tile_at(at: Square) -> str | None:
        return new.get(at) or grid.get(at)

    while tile_at(square.next(across, -1)):
        square = square.next(across, -1)
    return tuple(_run(tile_at, square, across))


def _run(tile_at: Callable[[Square], str | None], square: Square, across: bool) -> Iterator[tuple[Square, str]]:
    while tile := tile_at(square):
        yield square, tile
        square = square.next(across)


def _connection_faults(board: Board, grid: Grid, new: Grid, words: tuple[Word, ...]) -> list[str]:
    if not new:
        return []
    if not words:
        return ["it forms no word of two letters or more"] + ([] if not grid else ["it touches no tile on the board"])
    if not grid:
        return [] if board.centre in new else [f"the first play does not cover the centre, {board.centre}"]
    if not any(square in grid for word in words for square, _tile in word):
        return ["it touches no tile on the board"]
    return []
