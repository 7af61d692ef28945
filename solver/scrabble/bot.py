"""A bot that makes the move of the highest equity.

The equity is the points of a legal play + the worth of its leave, see data/leaves.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.scrabble.game import TableGame
from solver.scrabble.graph import PlayableWords
from solver.scrabble.kernels.board_lines import Ints
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
from verify.scrabble.board import Board, Square, board_of
from verify.scrabble.gcg import Event, Kind
from verify.scrabble.play import THROUGH, Grid, Placed, parse_place, place_play, place_text
from verify.scrabble.tiles import BLANK, TileSet, written


@dataclass(frozen=True)
class Leaves:
    """The worth of tiles in a leave, in points.

    Attributes:
        copies: By tile, the worth of one, two, ... copies together; the last one holds for more
            copies, too.
        pairs: By two tiles, the additional worth of both together.
    """

    copies: Mapping[str, tuple[float, ...]]
    pairs: Mapping[tuple[str, str], float]

    def worth(self, kinds: Sequence[str]) -> LeaveWorth:
        """Return the worth of leaves as arrays by kind, for kernels; blanks come first."""
        most = max(map(len, self.copies.values()), default=1)
        copies = np.zeros((len(kinds), most + 1), dtype=np.int64)
        for tile, worths in self.copies.items():
            scaled = [round(POINT * worth) for worth in worths]
            row = copies[kinds.index(tile)]
            row[1:] = scaled[-1]
            row[1 : len(scaled) + 1] = scaled
        pair = np.zeros((len(kinds), len(kinds)), dtype=np.int64)
        for both, worth in self.pairs.items():
            pair[*sorted(map(kinds.index, both))] = round(POINT * worth)
        return LeaveWorth(copies, pair, 0)


@cache
def bundled_leaves(name: str) -> Leaves | None:
    """Return the leaves learnt with the bundled tile set of that name; None if none were learnt."""
    path = data_folder() / "leaves" / f"{name}.toml"
    if not path.exists():
        return None
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    pairs = {}
    for key, worth in content["pairs"].items():
        one, other = key.split()
        pairs[one, other] = worth
    return Leaves(content["copies"], pairs)


def last_worth(tiles: TileSet, kinds: Sequence[str], unseen: int, times: int = 2) -> LeaveWorth:
    """Return the worth of leaves once the bag is empty.

    A player who goes out leads by `times` the value of the others' tiles more; any other player by
    that of the leave less.

    Args:
        tiles: The tile set.
        kinds: The kinds of tiles, blanks first.
        unseen: The sum of the values of the others' tiles.
        times: 2 if the player who goes out also gets what the others lose, else 1.
    """
    lost = np.outer([tiles.value(kind) for kind in kinds], np.arange(tiles.rack_size + 1))
    pair = np.zeros((len(kinds), len(kinds)), dtype=np.int64)
    return LeaveWorth(-times * POINT * lost, pair, times * POINT * unseen)


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


class PlayGenerator:
    """Finds plays for one tile set, one board and one list of words."""

    def __init__(self, words: PlayableWords, tiles: TileSet, board: Board) -> None:
        self._words = words
        self._tiles = tiles
        self._kinds = kinds_of(words.tiles)
        self._values = np.array([tiles.value(kind) for kind in self._kinds])
        self._laid: dict[str, tuple[int, int]] = {}
        for code, tile in enumerate(words.tiles, start=1):
            self._laid[tiles.spelling.lower(tile)] = (code, 0)
            self._laid[tile] = (code, tiles.values[tile])
        self._board = board
        self._empty = np.zeros((4, board.size, board.size), dtype=np.int64)
        for square in np.ndindex(board.size, board.size):
            self._empty[2, *square] = board.letter_premium(Square(*square))
            self._empty[3, *square] = board.word_premium(Square(*square))
        self._no_worth = Leaves({}, {}).worth(self._kinds)
        # the texts of places, and the characters of codes in plays and in words, as in `Found`
        lines = [Square(*at) for at in np.ndindex(1 << 5, 1 << 5)]
        self._places = [place_text(square, True) for square in lines]
        self._places += [place_text(Square(at, line), False) for line, at in lines]
        self._tile_signs = np.zeros(256, dtype=np.uint32)
        self._word_signs = np.zeros(256, dtype=np.uint32)
        self._several: dict[int, str] = {}  # the texts of characters that are more than one letter
        for code, tile in enumerate(words.tiles, start=1):
            plain = self._sign(tile, code)
            self._tile_signs[code] = self._sign(written([tile]), code + 256)
            blank = written([tiles.spelling.lower(tile)])
            self._tile_signs[BLANKED + code] = self._sign(blank, code + 512)
            self._tile_signs[-code] = ord(THROUGH)
            self._word_signs[[code, BLANKED + code, -code]] = plain

    def _sign(self, text: str, number: int) -> int:
        """Return the character for a text, which several letters do not have."""
        if len(text) == 1:
            return ord(text)
        self._several[0xE000 + number] = text
        return 0xE000 + number

    def _texts(self, codes: npt.NDArray[np.int8], signs: npt.NDArray[np.uint32]) -> list[str]:
        """Return the text of each row of codes, all at once, without the zeros at the end."""
        texts: list[str] = signs[codes.view(np.uint8)].view(f"U{codes.shape[1]}").ravel().tolist()
        if self._several:
            return [text.translate(self._several) for text in texts]
        return texts

    def worth(self, leave: Iterable[str], leaves: LeaveWorth) -> int:
        """Return the worth of a leave, in thousandths of a point."""
        return int(self._rack(leave, leaves).worth[-1])

    def best_leave(
        self, rack: Iterable[str], leaves: LeaveWorth, given: int
    ) -> tuple[list[str], int]:
        """Return the part of a rack without 1 to `given` tiles that is worth most, and its worth.

        Of equal parts it is the smallest.
        """
        table = self._rack(rack, leaves)
        allowed = np.flatnonzero(table.size[:-1] >= table.size[-1] - given).tolist()
        best = max(allowed, key=lambda leave: (table.worth[leave], -table.size[leave]))
        rest = best
        kept: list[str] = []
        for kind in np.flatnonzero(table.step)[::-1]:
            count, rest = divmod(rest, int(table.step[kind]))
            kept += [self._kinds[kind]] * count
        return kept, int(table.worth[best])

    def best(
        self, grid: Grid, rack: Iterable[str], most: int = 1, leaves: LeaveWorth | None = None
    ) -> Iterator[BoardPlay]:
        """Yield the `most` legal plays with the highest equity, best first.

        Ties go by direction, across first, then by line, place and letters. Without `leaves` the
        equity is the score.
        """
        table = self._rack(rack, leaves or self._no_worth)
        if not len(table.descending):
            return iter(())
        room = most + min(most, _SORTED_TOGETHER)
        found = Found(
            keys=np.empty(room, dtype=np.int64),
            score=np.empty(room, dtype=np.int64),
            tiles=np.empty((room, self._board.size), dtype=np.int8),
            state=np.zeros(2, dtype=np.int64),
            most=most,
        )
        count = board_plays(self._words.graph, self._squares(grid), table, found)
        keys = found.keys[:count]
        codes = found.tiles[:count]
        columns = (
            map(self._places.__getitem__, (keys & ((1 << PLACE_BITS) - 1)).tolist()),
            self._texts(codes, self._tile_signs),
            self._texts(codes, self._word_signs),
            found.score[:count].tolist(),
            (-(keys >> PLACE_BITS)).tolist(),
        )
        return map(BoardPlay._make, zip(*columns, strict=True))

    def _rack(self, tiles: Iterable[str], leaves: LeaveWorth) -> Rack:
        """Return a rack and its leaves, without tiles that the set lacks."""
        held = Counter(tiles)
        counts = np.array([held[kind] for kind in self._kinds])
        return rack_of(counts, self._values, leaves, self._tiles.rack_size, self._tiles.bonus)

    def _squares(self, grid: Grid) -> Ints:
        """Return the squares of a board as kernels take them."""
        squares = self._empty.copy()
        letters, worth, *_premiums = squares
        strange = (len(self._kinds), 0)  # a tile that occurs in no word
        for square, tile in grid.items():
            letters[square], worth[square] = self._laid.get(tile, strange)
        return squares


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


class OwnMove(NamedTuple):
    """A move that was made.

    Attributes:
        place: The place of a play; empty for an exchange or a pass.
        tiles: The tiles as the file has them.
        score: The score in points.
        used: The tiles of the rack that it uses.
        new: The tiles that it lays, by square.
    """

    place: str
    tiles: str
    score: int
    used: Sequence[str]
    new: Mapping[Square, str]


class Compared(NamedTuple):
    """The rank of a move among all, its equity in points, and the best move."""

    rank: int
    equity: float
    best: RankedMove


_ALL = 1 << 16  # more plays than a rack has


class Ranking:
    """Ranks moves with one tile set and one list of words.

    Args:
        words: The words to make plays from.
        tiles: The tile set.
        is_word: Returns whether a word of a play is valid: `words` may hold forms that the judge
            rejects; None if all are.
        leaves: The worth of leaves; None to consider points only.
    """

    def __init__(
        self,
        words: PlayableWords,
        tiles: TileSet,
        is_word: Callable[[str], bool] | None,
        leaves: Leaves | None,
    ) -> None:
        self._tiles = tiles
        self._is_word = is_word
        self._kinds = kinds_of(words.tiles)
        self._board = board_of(tiles.board)
        self._generator = PlayGenerator(words, tiles, self._board)
        self._worth = None if leaves is None else leaves.worth(self._kinds)

    def best(
        self, grid: Grid, rack: Sequence[str], players: int, most: int, gains: bool
    ) -> list[RankedMove]:
        """Return the `most` moves with the highest equity, best first.

        They are plays, and the best exchange if the bag allows one.

        Args:
            grid: The tiles on the board.
            rack: The tiles of the rack.
            players: The number of players.
            most: The number of moves.
            gains: Whether the player who goes out gets the value of the tiles of the others.
        """
        worth, bag = self._worth_here(grid, rack, players, gains)
        moves = [self._move(play, rack) for play in self.plays(grid, rack, most, worth)]
        if worth is not None and bag >= self._tiles.exchange:
            moves.append(self._exchange(rack, worth, bag))
        return sorted(moves, key=lambda move: -move.equity)[:most]

    def _worth_here(
        self, grid: Grid, rack: Sequence[str], players: int, gains: bool
    ) -> tuple[LeaveWorth | None, int]:
        """Return the worth of leaves in a position, and the number of tiles in the bag."""
        unseen = self._tiles.unseen(grid, rack)
        bag = max(0, unseen.total() - self._tiles.rack_size * (players - 1))
        worth = self._worth
        if worth is not None and bag == 0:
            others = self._tiles.rack_value(unseen.elements())
            worth = last_worth(self._tiles, self._kinds, others, 1 + gains)
        return worth, bag

    def compared(
        self, grid: Grid, rack: Sequence[str], players: int, gains: bool, own: OwnMove
    ) -> Compared:
        """Return how a move compares with all others, for arguments as of `best`."""
        moves = self.best(grid, rack, players, _ALL, gains)
        worth, _bag = self._worth_here(grid, rack, players, gains)
        leave = _without(rack, own.used)
        equity = float(own.score)
        if worth is not None:
            equity += self._generator.worth(leave, worth) / POINT
        # the equities of equal moves differ by rounding alone
        rank = 1 + sum(move.equity > equity + 0.5 / POINT for move in moves)
        best = moves[0] if moves else RankedMove("", "", "", 0, written(rack), 0.0)
        return Compared(rank, equity, best)

    def is_same(self, move: RankedMove, grid: Grid, own: OwnMove) -> bool:
        """Return whether a ranked move is this one."""
        if not move.place or not own.place:
            both = (self._tiles.split(move.tiles), own.used)
            return move.place == own.place and sorted(both[0]) == sorted(both[1])
        return self._placed(move.place, move.tiles, grid).new == own.new

    def _placed(self, place: str, tiles: str, grid: Grid) -> Placed:
        start, across = parse_place(place, self._board)
        laid = self._tiles.split(tiles)
        return place_play(self._board, grid, start, across, laid, self._tiles)

    def plays(
        self, grid: Grid, rack: Sequence[str], most: int, worth: LeaveWorth | None = None
    ) -> list[BoardPlay]:
        """Return the `most` plays of the highest equity, or without `worth` score, best first."""
        room = most
        while True:
            found = list(self._generator.best(grid, rack, room, worth))
            valid = list(islice((play for play in found if self._is_valid(play, grid)), most))
            if len(valid) == most or len(found) < room:
                return valid
            room *= 4

    def _is_valid(self, play: BoardPlay, grid: Grid) -> bool:
        """Return whether the judge accepts all words of a play; a list may hold others."""
        if self._is_word is None:
            return True
        return all(map(self._is_word, self._placed(play.place, play.tiles, grid).texts))

    def _move(self, play: BoardPlay, rack: Sequence[str]) -> RankedMove:
        laid = [tile for tile in self._tiles.split(play.tiles) if tile != THROUGH]
        leave = _without(rack, map(self._tiles.tile_of, laid))
        return RankedMove(*play[:4], written(leave), play.equity / POINT)

    def _exchange(self, rack: Sequence[str], worth: LeaveWorth, bag: int) -> RankedMove:
        kept, equity = self._generator.best_leave(rack, worth, bag)
        given = _without(rack, kept)
        leave = written(_without(rack, given))
        return RankedMove(
            place="", tiles=written(given), word="", score=0, leave=leave, equity=equity / POINT
        )


def _without(rack: Sequence[str], used: Iterable[str]) -> list[str]:
    """Return the tiles of a rack but those used, in the order of the rack, equal ones together."""
    return list((Counter(rack) - Counter(used)).elements())


class Bot(Ranking):
    """A player for one tile set and one list of words, see `Ranking`.

    Its `is_word` also judges the plays of others.
    """

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
        return next(iter(self.plays(game.grid, game.tiles.split(game.rack), 1)), None)

    def move(self, game: TableGame) -> Event:
        """Return the move of the bot when it is on turn and the game is not over."""
        rack = game.tiles.split(game.rack)
        for best in self.best(game.grid, rack, game.players, 1, game.rules.gain):
            if best.place:
                return game.play(best.place, best.tiles)
            return game.exchange(best.tiles)
        return game.pass_turn()

    def turn(self, game: TableGame) -> Iterator[tuple[Event, str]]:
        """Yield the events of a turn, a challenge with its result.

        The caller takes each event before it asks for the next.

        The bot challenges a play with an invalid word. Then it moves, or counts the racks if the
        game is over, or may be and the bot can only pass.
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
        if self._worth is None:
            return 0.0
        return self._generator.worth(leave, self._worth) / POINT

    def refutes(self, game: TableGame) -> bool:
        """Return whether the last play has an invalid word."""
        played = game.last_play
        return played is not None and not all(map(self._judge, played.placed.texts))
