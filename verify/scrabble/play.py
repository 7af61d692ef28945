"""A play on a board in progress: its squares, the words it forms, its legality and its score."""

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from verify.scrabble.board import Board, NotationError, Square
from verify.scrabble.tiles import TileSet, written
from verify.text import quote

THROUGH = "."
_PLACE = re.compile(r"(?P<row>[0-9]{1,2})(?P<column>[A-Z])", re.IGNORECASE)

Grid = dict[Square, str]
"""The tiles on the board as laid down: in capital letters, or in small letters for a blank."""

Word = tuple[tuple[Square, str], ...]


class Scored(NamedTuple):
    """How a word scores: each tile has a value and a multiplier, and the sum has one, too."""

    values: Sequence[int]
    multipliers: Sequence[int]
    multiplier: int = 1

    @property
    def points(self) -> int:
        """The score of the word."""
        tiles = zip(self.values, self.multipliers, strict=True)
        return sum(value * multiplier for value, multiplier in tiles) * self.multiplier


@dataclass(frozen=True)
class Placed:
    """A play placed on a board.

    Attributes:
        new: The tiles that it adds, by square.
        words: All words formed, the main word first.
        texts: The words in capital letters.
        faults: The reasons why it is illegal.
    """

    new: Mapping[Square, str]
    words: tuple[Word, ...] = ()
    texts: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def parse_place(place: str, board: Board) -> tuple[Square, bool]:
    """Return (square, across) of a place: `8H` across, `H8` down.

    Raises `NotationError` if the board has no such square.
    """
    across = place[:1].isdigit()
    match = _PLACE.fullmatch(place if across else place[1:] + place[:1])
    if match:
        square = Square(int(match["row"]) - 1, ord(match["column"].upper()) - ord("A"))
        if board.holds(square):
            return square, across
    last = chr(ord("A") + board.size - 1)
    raise NotationError(
        f"{quote(place)} is not a square: expected rows 1 to {board.size} and columns A to {last}"
    )


def place_text(square: Square, across: bool) -> str:
    """Return the place in the form that `parse_place` reads."""
    name = str(square)
    return name[1:] + name[0] if across else name


def place_play(
    board: Board, grid: Grid, start: Square, across: bool, laid: Sequence[str], tiles: TileSet
) -> Placed:
    """Place tiles of a set from `start` on.

    In `laid`, `.` or the tile itself stands for a tile that is already on the board.
    """
    upper = tiles.spelling.upper
    new: Grid = {}
    faults: list[str] = []
    square = start
    for tile in laid:
        if not board.holds(square):
            faults.append(f"{quote(written(laid))} leaves the board")
            break
        lying = grid.get(square)
        if lying is None and tile == THROUGH:
            faults.append(f"'.' at {square}, where no tile lies")
        elif lying is None:
            new[square] = tile
        elif tile != THROUGH and upper(tile) != upper(lying):
            faults.append(f"{quote(tile)} at {square}, where {quote(lying)} lies already")
        square = square.next(across)
    tiles_on = ChainMap(new, grid)
    lines = [_word_at(tiles_on, start, across), *(_word_at(tiles_on, at, not across) for at in new)]
    words = tuple(word for word in lines if len(word) > 1)
    touches = any(square in grid for word in words for square in dict(word))
    if not new:
        faults.append("no new tile")
    elif not words:
        faults.append("it forms no word of two letters or more")
    elif not grid and board.centre not in new:
        faults.append(f"the first play does not cover the centre, {board.centre}")
    if new and grid and not touches:
        faults.append("it touches no tile on the board")
    texts = tuple(upper("".join(dict(word).values())) for word in words)
    return Placed(new, words, texts, tuple(faults))


def score_play(board: Board, grid: Grid, placed: Placed, tiles: TileSet) -> int:
    """Return the points of a play, from the `grid` before it. A full rack earns a bonus."""
    total = sum(scored(board, grid, word, tiles).points for word in placed.words)
    if len(placed.new) == tiles.rack_size:
        total += tiles.bonus
    return total


def scored(board: Board, grid: Grid, word: Word, tiles: TileSet) -> Scored:
    """Return how a word scores, from the `grid` before it. Only new tiles use premiums."""
    values = []
    multipliers = []
    multiplier = 1
    for square, tile in word:
        values.append(tiles.value(tile))
        if square in grid:
            multipliers.append(1)
        else:
            multipliers.append(board.letter_premium(square))
            multiplier *= board.word_premium(square)
    return Scored(values, multipliers, multiplier)


def _word_at(tiles: Mapping[Square, str], square: Square, across: bool) -> Word:
    """Return the tiles in line with `square` up to the next empty square on both sides."""
    while square.next(across, -1) in tiles:
        square = square.next(across, -1)
    word = []
    while square in tiles:
        word.append((square, tiles[square]))
        square = square.next(across)
    return tuple(word)
