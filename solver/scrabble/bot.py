"""A bot that makes the move of the highest equity: the points of a legal play + the worth of its leave, see data/leaves."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from solver.scrabble.game import TableGame
from solver.scrabble.graph import PlayableWords
from solver.scrabble.kernels.board_lines import Ints, Lines
from solver.scrabble.kernels.board_plays import (
    BLANKED,
    PLACE_BITS,
    POINT,
    Found,
    LeaveWorth,
    Rack,
    board_plays,
    rack_of,
)
from verify.files import data_folder
from verify.scrabble.board import FULL_RACK, FULL_RACK_BONUS, Board, Square, board_of
from verify.scrabble.gcg import Event, Kind
from verify.scrabble.play import THROUGH, Grid, parse_place, place_play, place_text
from verify.scrabble.tiles import BLANK, TileSet, written


@dataclass(frozen=True)
class Leaves:
    """The worth of tiles in a leave, in points.

    Attributes:
        copies: By tile, the worth of one, two, ... copies together; the last one holds for more copies, too.
        pairs: By two tiles, the additional worth of both together.
    """

    copies: Mapping[str, tuple[float, ...]]
    pairs: Mapping[tuple[str, str], float]

    def worth(self, tiles: Iterable[str]) -> LeaveWorth:
        """Return the worth of leaves as arrays for kernels, for these kinds of tiles, blanks first."""
        place = {tile: number for number, tile in enumerate(tiles)}
        most = max((len(some) for some in self.copies.values()), default=1)
        copies = np.zeros((len(place), most + 1), dtype=np.int64)
        for tile, worths in self.copies.items():
            padded = [*worths, *[worths[-1]] * (most - len(worths))]
            copies[place[tile], 1:] = [round(POINT * worth) for worth in padded]
        pair = np.zeros((len(place), len(place)), dtype=np.int64)
        for (one, other), worth in self.pairs.items():
            first, second = sorted((place[one], place[other]))
            pair[first, second] = round(POINT * worth)
        return LeaveWorth(copies, pair, 0)


@cache
def bundled_leaves(name: str) -> Leaves | None:
    """Return the leaves learnt with the bundled tile set of that name; None if none were learnt."""
    path = data_folder() / "leaves" / f"{name}.toml"
    if not path.exists():
        return None
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    copies = {tile: tuple(map(float, worths)) for tile, worths in content["copies"].items()}
    return Leaves(
        copies,
        {(key.split()[0], key.split()[1]): float(worth) for key, worth in content["pairs"].items()},
    )


def last_worth(tiles: TileSet, kinds: Iterable[str], unseen: int, times: int = 2) -> LeaveWorth:
    """Return the worth of leaves once the bag is empty.

    A player who goes out leads by `times` the value of the others' tiles more; any other player by that of the leave less.

    Args:
        tiles: The tile set.
        kinds: The kinds of tiles, blanks first.
        unseen: The sum of the values of the others' tiles.
        times: 2 if the player who goes out also gets what the others lose, else 1.
    """
    values = np.array([tiles.value(kind) for kind in kinds], dtype=np.int64)
    copies = -times * POINT * values[:, None] * np.arange(FULL_RACK + 1)
    return LeaveWorth(
        copies, np.zeros((len(values), len(values)), dtype=np.int64), times * POINT * unseen
    )


def kinds_of(tiles: Iterable[str]) -> list[str]:
    """Return the kinds of tiles on a rack, blanks first, as kernels count them."""
    return [BLANK, *tiles]


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
    return LeaveWorth(
        np.zeros((kinds, 2), dtype=np.int64), np.zeros((kinds, kinds), dtype=np.int64), 0
    )


def valid_plays(
    plays: Iterable[BoardPlay],
    grid: Grid,
    board: Board,
    tiles: TileSet,
    is_word: Callable[[str], bool],
) -> Iterator[BoardPlay]:
    """Yield the plays of which all words are valid: a list may hold forms that the judge of words rejects."""
    for play in plays:
        start, across = parse_place(play.place, board)
        if all(
            map(is_word, place_play(board, grid, start, across, tiles.split(play.tiles)).texts())
        ):
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
        squares = [
            [Square(row, column) for column in range(board.size)] for row in range(board.size)
        ]
        premiums = (
            np.array(
                [[board.letter_premium(square) for square in row] for row in squares],
                dtype=np.int64,
            ),
            np.array(
                [[board.word_premium(square) for square in row] for row in squares], dtype=np.int64
            ),
        )
        self._premiums = (
            premiums,
            (np.ascontiguousarray(premiums[0].T), np.ascontiguousarray(premiums[1].T)),
        )
        self._writing = _Writing(words.tiles, board)

    def worth(self, leave: Iterable[str], leaves: LeaveWorth) -> int:
        """Return the worth of a leave, in thousandths of a point."""
        return int(self._rack(leave, leaves).worth[-1])

    def best_leave(
        self, rack: Iterable[str], leaves: LeaveWorth, given: int
    ) -> tuple[list[str], int]:
        """Return the part of a rack that is worth most without 1 to `given` tiles, and its worth; of equals the smallest."""
        table = self._rack(rack, leaves)
        parts = np.flatnonzero(table.size[:-1] >= table.size[-1] - given)
        best = int(parts[np.lexsort((table.size[parts], -table.worth[parts]))[0]])
        kept, rest = list[str](), best
        for kind in np.flatnonzero(table.step)[::-1].tolist():
            count, rest = divmod(rest, int(table.step[kind]))
            kept += [self._words.tiles[kind - 1] if kind else BLANK] * count
        return kept, int(table.worth[best])

    def best(
        self, grid: Grid, rack: Iterable[str], most: int = 1, leaves: LeaveWorth | None = None
    ) -> Sequence[BoardPlay]:
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

        return lines(0, letters, worth), lines(
            1, np.ascontiguousarray(letters.T), np.ascontiguousarray(worth.T)
        )


class _Writing:
    """Writes plays as GCG does."""

    def __init__(self, tiles: tuple[str, ...], board: Board) -> None:
        self._size = board.size
        squares = range(1 << 5)
        self._places = [place_text(Square(line, at), True) for line in squares for at in squares]
        self._places += [place_text(Square(at, line), False) for line in squares for at in squares]
        # a tile of several letters is one private character at first
        signs = [tile if len(tile) == 1 else chr(0xE000 + code) for code, tile in enumerate(tiles)]
        small = [
            tile.lower() if len(tile) == 1 else chr(0xE100 + code)
            for code, tile in enumerate(tiles)
        ]
        self._tile_points, self._word_points = np.zeros((2, 256), dtype=np.uint32)
        for code, (tile, blank) in enumerate(zip(signs, small, strict=True), start=1):
            self._tile_points[[code, BLANKED + code, -code]] = ord(tile), ord(blank), ord(THROUGH)
            self._word_points[[code, BLANKED + code, -code]] = ord(tile)
        self._in_tiles = {
            ord(sign): written([tile])
            for sign, tile in zip(signs, tiles, strict=True)
            if len(tile) > 1
        }
        self._in_tiles |= {
            ord(sign): written([tile.lower()])
            for sign, tile in zip(small, tiles, strict=True)
            if len(tile) > 1
        }
        self._in_words = {
            ord(sign): tile for sign, tile in zip(signs, tiles, strict=True) if len(tile) > 1
        }

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


class RankedMove(NamedTuple):
    """A play, or the best exchange.

    Attributes:
        place: The place, as GCG writes it; empty for an exchange.
        tiles: The tiles played, as GCG writes them, or exchanged.
        word: The main word; empty for an exchange.
        score: The score in points.
        leave: The tiles that stay on the rack.
        equity: Score + worth of the leave, in points.
    """

    place: str
    tiles: str
    word: str
    score: int
    leave: str
    equity: float


class Ranking:
    """Ranks moves with one tile set and one list of words.

    Args:
        words: The words to make plays from.
        tiles: The tile set.
        is_word: Returns whether a word of a play is valid: `words` may hold forms that the judge rejects; None if all are.
        leaves: The worth of leaves; None to consider points only.
    """

    def __init__(
        self,
        words: PlayableWords,
        tiles: TileSet,
        is_word: Callable[[str], bool] | None,
        leaves: Leaves | None,
    ) -> None:
        self._tiles, self._is_word = tiles, is_word
        self._kinds, self._board = kinds_of(words.tiles), board_of(tiles.board)
        self._generator = PlayGenerator(words, tiles, self._board)
        self._worth = None if leaves is None else leaves.worth(self._kinds)

    def best(
        self, grid: Grid, rack: Sequence[str], players: int, most: int, gains: bool = True
    ) -> list[RankedMove]:
        """Return the `most` moves with the highest equity, best first: plays, and the best exchange if the bag allows one.

        Args:
            grid: The tiles on the board.
            rack: The tiles of the rack.
            players: The number of players.
            most: The number of moves.
            gains: Whether the player who goes out gets the value of the tiles of the others.
        """
        unseen = self._tiles.unseen(grid, rack)
        bag = max(0, unseen.total() - FULL_RACK * (players - 1))
        worth = self._worth
        if worth is not None and not bag:
            worth = last_worth(
                self._tiles,
                self._kinds,
                self._tiles.rack_value(unseen.elements()),
                2 if gains else 1,
            )
        moves = [self._move(play, rack) for play in self.plays(grid, rack, most, worth)]
        if worth is not None and bag >= self._tiles.exchange:
            kept, equity = self._generator.best_leave(rack, worth, bag)
            given = Counter(rack) - Counter(kept)
            leave = Counter(rack) - given
            moves.append(
                RankedMove(
                    "", written(given.elements()), "", 0, written(leave.elements()), equity / POINT
                )
            )
        return sorted(moves, key=lambda move: -move.equity)[:most]

    def plays(
        self, grid: Grid, rack: Sequence[str], most: int, worth: LeaveWorth | None = None
    ) -> Sequence[BoardPlay]:
        """Return the `most` best plays, by descending equity; without `worth`, by descending points."""
        room = most
        while True:
            plays = self._generator.best(grid, rack, room, worth)
            if self._is_word is None:
                return plays
            valid = list(
                islice(valid_plays(plays, grid, self._board, self._tiles, self._is_word), most)
            )
            if len(valid) == most or len(plays) < room:
                return valid
            room *= 4

    def _move(self, play: BoardPlay, rack: Sequence[str]) -> RankedMove:
        used = [
            self._tiles.tile_of(tile) for tile in self._tiles.split(play.tiles) if tile != THROUGH
        ]
        leave = Counter(rack) - Counter(used)
        return RankedMove(*play[:4], written(leave.elements()), play.equity / POINT)


class Bot(Ranking):
    """A player for one tile set and one list of words, see `Ranking`; `is_word` also judges the plays of others."""

    def __init__(
        self,
        words: PlayableWords,
        tiles: TileSet,
        is_word: Callable[[str], bool],
        leaves: Leaves | None,
    ) -> None:
        super().__init__(words, tiles, is_word, leaves)
        self._judge = is_word

    def hint(self, game: TableGame) -> BoardPlay | None:
        """Return the play of the player on turn with the most points; None if no word fits."""
        return next(iter(self.plays(game.grid, game.rack, 1)), None)

    def move(self, game: TableGame) -> Event:
        """Return the move of the bot when it is on turn and the game is not over."""
        best = next(
            iter(self.best(game.grid, game.rack, game.players, 1, gains=game.rules.gain)), None
        )
        if best is None:
            return game.pass_turn()
        return game.play(best.place, best.tiles) if best.place else game.exchange(best.tiles)

    def turn(self, game: TableGame) -> Iterator[tuple[Event, str]]:
        """Yield the events of a turn, a challenge with its result. The caller takes each before it asks for the next.

        The bot challenges a play with an invalid word. Then it moves, or counts the racks if the game is over, or may be and
        the bot can only pass.
        """
        if self.refutes(game):
            event, result = game.challenge(self._judge)
            yield event, f"{game.setup.name_of(game.on_turn)} challenges: {result}"
        if not game.is_over:
            event = self.move(game)
            if event.kind is not Kind.PASS or not game.can_end:
                yield event, ""
                return
        for event in game.ending():
            yield event, ""

    def worth(self, leave: Iterable[str]) -> float:
        """Return the worth of a leave, in points."""
        return 0.0 if self._worth is None else self._generator.worth(leave, self._worth) / POINT

    def refutes(self, game: TableGame) -> bool:
        """Return whether the last play has an invalid word."""
        return game.last_play is not None and not all(
            map(self._judge, game.last_play.placed.texts())
        )
