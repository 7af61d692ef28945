"""The legal plays of a rack on a board, best first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from solver.scrabble.graph import PlayableWords
from solver.scrabble.kernels.board_lines import Ints, Lines
from solver.scrabble.kernels.board_plays import PLACE_BITS, Found, board_plays
from solver.scrabble.kernels.rack_leaves import BLANKED, LeaveWorth, Rack, rack_of
from verify.scrabble.board import FULL_RACK, FULL_RACK_BONUS, Board, Square
from verify.scrabble.play import THROUGH, Grid, parse_place, place_play, place_text
from verify.scrabble.tiles import BLANK, TileSet, written

_SORTED_TOGETHER = 1 << 12  # plays found before the worst of them are dropped


class BoardPlay(NamedTuple):
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


@dataclass(frozen=True)
class Plays(Sequence[BoardPlay]):
    """Plays, best first. They are kept as columns, because tens of thousands of objects would take longer than the search.

    Attributes:
        columns: The fields of all plays.
    """

    columns: tuple[list[str], list[str], list[str], list[int], list[int]]

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[BoardPlay]:
        return map(BoardPlay, *self.columns)

    @overload
    def __getitem__(self, at: int) -> BoardPlay: ...
    @overload
    def __getitem__(self, at: slice) -> list[BoardPlay]: ...
    def __getitem__(self, at: int | slice) -> BoardPlay | list[BoardPlay]:
        if isinstance(at, slice):
            return list(map(BoardPlay, *(column[at] for column in self.columns)))
        places, tiles, words, scores, equities = self.columns
        return BoardPlay(places[at], tiles[at], words[at], scores[at], equities[at])


def no_worth(words: PlayableWords) -> LeaveWorth:
    """Return leaves that are all worth 0, so that the best play is the one with the highest score."""
    kinds = len(words.tiles) + 1
    return LeaveWorth(np.zeros((kinds, 2), dtype=np.int64), np.zeros((kinds, kinds), dtype=np.int64), 0)


def judged(
    plays: Iterable[BoardPlay], grid: Grid, board: Board, tiles: TileSet, is_word: Callable[[str], bool]
) -> Iterator[BoardPlay]:
    """Yield the plays of which all words are valid: a list may hold forms that the judge of words rejects."""
    for play in plays:
        start, across = parse_place(play.place, board)
        if all(map(is_word, place_play(board, grid, start, across, tiles.split(play.tiles)).texts())):
            yield play


class PlayGenerator:
    """Finds plays for one tile set, one board and one list of words."""

    def __init__(self, words: PlayableWords, tiles: TileSet, board: Board) -> None:
        self._words, self._board = words, board
        self._code = {BLANK: 0} | {tile: code for code, tile in enumerate(words.tiles, start=1)}
        self._values = np.array([0, *(tiles.values[tile] for tile in words.tiles)], dtype=np.int64)
        self._laid = {tile.lower(): (self._code[tile], 0) for tile in words.tiles}
        self._laid |= {tile: (self._code[tile], tiles.values[tile]) for tile in words.tiles}
        self._strange = len(self._code)  # a tile that occurs in no word
        squares = [[Square(row, column) for column in range(board.size)] for row in range(board.size)]
        premiums = (
            np.array([[board.letter_premium(square) for square in row] for row in squares], dtype=np.int64),
            np.array([[board.word_premium(square) for square in row] for row in squares], dtype=np.int64),
        )
        self._premiums = (premiums, (np.ascontiguousarray(premiums[0].T), np.ascontiguousarray(premiums[1].T)))
        self._writing = _Writing(words.tiles, board)

    def worth(self, leave: Iterable[str], leaves: LeaveWorth) -> int:
        """Return the worth of a leave, in thousandths of a point."""
        return int(self._rack(leave, leaves).worth[-1])

    def best_leave(self, rack: Iterable[str], leaves: LeaveWorth, given: int) -> tuple[list[str], int]:
        """Return the part of a rack that is worth most without 1 to `given` tiles, and its worth; of equals the smallest."""
        table = self._rack(rack, leaves)
        parts = np.flatnonzero(table.size[:-1] >= table.size[-1] - given)
        best = int(parts[np.lexsort((table.size[parts], -table.worth[parts]))[0]])
        kept, rest = list[str](), best
        for kind in np.flatnonzero(table.step)[::-1].tolist():
            count, rest = divmod(rest, int(table.step[kind]))
            kept += [self._words.tiles[kind - 1] if kind else BLANK] * count
        return kept, int(table.worth[best])

    def best(self, grid: Grid, rack: Iterable[str], most: int = 1, leaves: LeaveWorth | None = None) -> Sequence[BoardPlay]:
        """Return the `most` legal plays with the highest equity, best first.

        Ties go by direction, across first, then by line, place and letters. Without `leaves` the equity is the score.
        """
        table = self._rack(rack, no_worth(self._words) if leaves is None else leaves)
        if not len(table.descending):
            return ()
        room = most + min(most, _SORTED_TOGETHER)
        found = Found(
            np.empty(room, dtype=np.int64),
            np.empty(room, dtype=np.int64),
            np.empty((room, self._board.size), dtype=np.int8),
            np.zeros(2, dtype=np.int64),
            most,
        )
        count = board_plays(self._words.graph, *self._lines(grid), table, found)
        return self._writing.plays(found, count)

    def _rack(self, tiles: Iterable[str], leaves: LeaveWorth) -> Rack:
        """Return a rack and its leaves."""
        counts = np.zeros(len(self._values), dtype=np.int64)
        for tile in tiles:
            if tile in self._code:
                counts[self._code[tile]] += 1
        return rack_of(counts, self._values, leaves, FULL_RACK, FULL_RACK_BONUS)

    def _lines(self, grid: Mapping[Square, str]) -> tuple[Lines, Lines]:
        """Return the rows and the columns of a board, before `fill_crossings`."""
        size = self._board.size
        codes, worths = [0] * (size * size), [0] * (size * size)
        for (row, column), tile in grid.items():
            at = row * size + column
            codes[at], worths[at] = self._laid.get(tile, (self._strange, 0))
        letters = np.array(codes, dtype=np.int64).reshape(size, size)
        worth = np.array(worths, dtype=np.int64).reshape(size, size)

        def lines(is_down: int, letters: Ints, worth: Ints) -> Lines:
            return Lines(
                letters,
                worth,
                *self._premiums[is_down],
                np.empty((size, size), dtype=np.uint64),
                np.empty((size, size), dtype=np.int64),
                np.empty((size, size), dtype=np.bool_),
                is_down,
            )

        return lines(0, letters, worth), lines(1, np.ascontiguousarray(letters.T), np.ascontiguousarray(worth.T))


class _Writing:
    """Writes plays as GCG does."""

    def __init__(self, tiles: tuple[str, ...], board: Board) -> None:
        self._size = board.size
        squares = range(1 << 5)
        self._places = [place_text(Square(line, at), True) for line in squares for at in squares]
        self._places += [place_text(Square(at, line), False) for line in squares for at in squares]
        # a tile of several letters is one private character at first
        signs = [tile if len(tile) == 1 else chr(0xE000 + code) for code, tile in enumerate(tiles)]
        small = [tile.lower() if len(tile) == 1 else chr(0xE100 + code) for code, tile in enumerate(tiles)]
        self._tile_points, self._word_points = np.zeros((2, 256), dtype=np.uint32)
        for code, (tile, blank) in enumerate(zip(signs, small, strict=True), start=1):
            self._tile_points[[code, BLANKED + code, -code]] = ord(tile), ord(blank), ord(THROUGH)
            self._word_points[[code, BLANKED + code, -code]] = ord(tile)
        self._in_tiles = {ord(sign): written([tile]) for sign, tile in zip(signs, tiles, strict=True) if len(tile) > 1}
        self._in_tiles |= {ord(sign): written([tile.lower()]) for sign, tile in zip(small, tiles, strict=True) if len(tile) > 1}
        self._in_words = {ord(sign): tile for sign, tile in zip(signs, tiles, strict=True) if len(tile) > 1}

    def plays(self, found: Found, count: int) -> Plays:
        """Return the first `count` plays."""
        keys, codes = found.keys[:count], found.tiles[:count].view(np.uint8)
        places = [self._places[place] for place in (keys & ((1 << PLACE_BITS) - 1)).tolist()]
        tiles = self._texts(self._tile_points[codes], self._in_tiles)
        words = self._texts(self._word_points[codes], self._in_words)
        equities = (-(keys >> PLACE_BITS)).tolist()
        return Plays((places, tiles, words, found.score[:count].tolist(), equities))

    def _texts(self, points: npt.NDArray[np.uint32], several: Mapping[int, str]) -> list[str]:
        texts: list[str] = points.view(f"=U{self._size}").ravel().tolist()
        return [text.translate(several) for text in texts] if several else texts
