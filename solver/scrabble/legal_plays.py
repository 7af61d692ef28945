"""The legal plays of a rack on a board, best first."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.scrabble.graph import PlayableWords
from solver.scrabble.kernels.board_plays import (
    BLANKED,
    Hand,
    LeaveWorth,
    Lines,
    TopPlays,
    board_plays,
    fill_crossings,
    leave_worth,
)
from verify.scrabble.board import FULL_RACK, FULL_RACK_BONUS, Board, Square
from verify.scrabble.play import THROUGH, Grid, place_text
from verify.scrabble.tiles import BLANK, TileSet, written
from verify.threads import ThreadPool


@dataclass(frozen=True)
class BoardPlay:
    """A legal play.

    Attributes:
        place: The place, as GCG writes it.
        tiles: The tiles, as GCG writes them.
        word: The main word.
        score: The score in points.
        equity: Score + worth of the leave, in thousandths of a point.
    """

    place: str
    tiles: str
    word: str
    score: int
    equity: int


def no_worth(words: PlayableWords) -> LeaveWorth:
    """Return leaves that are all worth 0, so that the best play is the one with the highest score."""
    kinds = len(words.tiles) + 1
    return LeaveWorth(np.zeros((kinds, 2), dtype=np.int64), np.zeros((kinds, kinds), dtype=np.int64), 0)


class PlayGenerator:
    """Finds plays for one tile set, one board and one list of words."""

    def __init__(self, words: PlayableWords, tiles: TileSet, board: Board) -> None:
        self._words, self._board = words, board
        self._code = {tile: code for code, tile in enumerate(words.tiles, start=1)}
        self._values = np.array([0, *(tiles.values[tile] for tile in words.tiles)], dtype=np.int64)
        squares = [[Square(row, column) for column in range(board.size)] for row in range(board.size)]
        self._premiums = (
            np.array([[board.letter_premium(square) for square in row] for row in squares], dtype=np.int64),
            np.array([[board.word_premium(square) for square in row] for row in squares], dtype=np.int64),
        )

    def counts(self, tiles: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the number of each kind of tile, blanks first: int64, shape (kinds,)."""
        held = Counter(tiles)
        return np.array([held[BLANK], *(held[tile] for tile in self._words.tiles)], dtype=np.int64)

    def worth(self, leave: Iterable[str], leaves: LeaveWorth) -> int:
        """Return the worth of a leave, in thousandths of a point."""
        counts = self.counts(leave)
        return leave_worth(counts, np.flatnonzero(counts), leaves)

    def best(self, grid: Grid, rack: Iterable[str], most: int = 1, leaves: LeaveWorth | None = None) -> list[BoardPlay]:
        """Return the `most` legal plays with the highest equity, best first; ties go by their place on the board.

        Without `leaves` the equity is the score.
        """
        counts = self.counts(rack)
        hand = Hand(counts, np.flatnonzero(counts), self._values, FULL_RACK, FULL_RACK_BONUS)
        worth = no_worth(self._words) if leaves is None else leaves

        def along(is_down: int) -> tuple[TopPlays, int]:
            size = self._board.size
            room = TopPlays(
                np.zeros(most, dtype=np.int64),
                np.zeros(most, dtype=np.int64),
                np.zeros((most, 4), dtype=np.int64),
                np.zeros((most, size), dtype=np.int8),
            )
            lines = self._lines(grid, is_down)
            fill_crossings(self._words.graph, lines, len(self._words.tiles))
            return room, board_plays(self._words.graph, lines, is_down, hand, worth, room, 0)

        if counts[0]:
            # with a blank the search is long enough for a second thread to pay off
            with ThreadPool(1) as pool:
                down = pool.submit(along, 1)
                both = [along(0), down.result()]
        else:
            both = [along(0), along(1)]
        where = np.concatenate([room.where[:count] for room, count in both])
        equity = np.concatenate([room.equity[:count] for room, count in both])
        order = np.lexsort((*where.T[[1, 0, 3]], -equity))[:most]
        rows, columns, across = both[0][0], both[1][0], both[0][1]
        return [self._play(rows, at, grid) if at < across else self._play(columns, at - across, grid) for at in order.tolist()]

    def _lines(self, grid: Mapping[Square, str], is_down: int) -> Lines:
        size = self._board.size
        letters, worth = np.zeros((size, size), dtype=np.int64), np.zeros((size, size), dtype=np.int64)
        for square, tile in grid.items():
            code = self._code.get(tile.upper(), len(self._code) + 1)  # a tile that occurs in no word
            letters[square.row, square.column] = code
            worth[square.row, square.column] = self._values[code] if tile == tile.upper() and code < len(self._values) else 0
        arrays = [letters, worth, *self._premiums]
        along = [np.ascontiguousarray(array.T) if is_down else array for array in arrays]
        return Lines(
            along[0],
            along[1],
            along[2],
            along[3],
            np.zeros((size, size), dtype=np.uint64),
            np.zeros((size, size), dtype=np.int64),
            np.zeros((size, size + 1), dtype=np.int64),
        )

    def _play(self, room: TopPlays, at: int, grid: Grid) -> BoardPlay:
        line, start, length, is_down = room.where[at].tolist()
        across = not is_down
        square = Square(line, start) if across else Square(start, line)
        tiles, word = [], []
        for step, code in enumerate(room.tiles[at, :length].tolist()):
            if code == 0:
                tiles.append(THROUGH)
                word.append(grid[square.next(across, step)].upper())
            else:
                letter = self._words.tiles[code % BLANKED - 1]
                tiles.append(letter.lower() if code > BLANKED else letter)
                word.append(letter)
        place = place_text(square, across)
        return BoardPlay(place, written(tiles), "".join(word), int(room.score[at]), int(room.equity[at]))
