"""A bot that makes the move of the highest equity.

The equity is the points of a legal play + the worth of its leave, see data/leaves.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice, takewhile
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from solver.scrabble.game import TableGame
from solver.scrabble.graph import words_of
from solver.scrabble.kernels.board_lines import Ints, WordGraph
from solver.scrabble.kernels.board_plays import (
    BLANKED,
    PLACE_BITS,
    POINT,
    Found,
    HeldRack,
    LeaveWorth,
    board_plays,
    rack_of,
)
from verify.files import data_folder
from verify.scrabble.board import Square, board_of
from verify.scrabble.game import GameState
from verify.scrabble.gcg import Event, Kind
from verify.scrabble.lexicons import game_words
from verify.scrabble.play import THROUGH, Grid, place_play, place_text
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names, written


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


def bundled_leaves(tiles: TileSet) -> Leaves | None:
    """Return the leaves learnt with a bundled tile set; None for another one, or if none were."""
    path = data_folder() / "leaves" / f"{tiles.name}.toml"
    is_bundled = tiles.name in tile_set_names() and tiles == tile_set(tiles.name)
    if not is_bundled or not path.exists():
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


def kinds_of(tiles: TileSet) -> list[str]:
    """Return the kinds of tiles on a rack, blanks first, as kernels count them."""
    return [BLANK, *tiles.values]


_SORTED_TOGETHER = 1 << 12  # plays found before the worst of them are dropped


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


_COMPARED = 1 << 10  # moves looked at first when a move is compared with those that are better


class Bot:
    """Ranks moves with one tile set and one list of words, and plays the best ones.

    Args:
        words: The words to make plays from.
        tiles: The tile set.
        is_word: Returns whether a word is valid: `words` may hold forms that the judge rejects, and
            others play words that it does not hold; None if all are.
        leaves: The worth of leaves; None to consider points only.
    """

    def __init__(
        self,
        words: WordGraph,
        tiles: TileSet,
        is_word: Callable[[str], bool] | None = None,
        leaves: Leaves | None = None,
    ) -> None:
        self._words = words
        self._tiles = tiles
        self._is_word = is_word
        self._kinds = kinds_of(tiles)
        self._values = np.array([tiles.value(kind) for kind in self._kinds])
        self._board = board_of(tiles.board)
        self._no_worth = Leaves({}, {}).worth(self._kinds)
        self._worth = None if leaves is None else leaves.worth(self._kinds)
        size = self._board.size
        self._empty = np.zeros((4, size, size), dtype=np.int64)
        for square in np.ndindex(size, size):
            self._empty[2, *square] = self._board.letter_premium(Square(*square))
            self._empty[3, *square] = self._board.word_premium(Square(*square))
        self._laid: dict[str, tuple[int, int]] = {}
        self._tile_of_code: dict[int, str] = {}  # in plays, as in `Found`
        for code, tile in enumerate(tiles.values, start=1):
            small = tiles.spelling.lower(tile)
            self._laid[small] = (code, 0)
            self._laid[tile] = (code, tiles.values[tile])
            self._tile_of_code |= {code: tile, BLANKED + code: small, -code: THROUGH}

    def best(self, game: GameState, rack: Sequence[str], most: int) -> list[RankedMove]:
        """Return the `most` moves of a rack with the highest equity, best first.

        They are plays, and the best exchange if the bag allows one.
        """
        return list(islice(self._moves(game, rack, most), most))

    def compared(
        self, game: GameState, rack: Sequence[str], used: Iterable[str], score: int
    ) -> tuple[int, float, RankedMove]:
        """Return the rank of a move among all, its equity in points, and the best move.

        Args:
            game: The game before it.
            rack: The tiles of the rack.
            used: The tiles of it that the move plays or gives.
            score: Its points.
        """
        worth = self._worth_here(game, rack)
        equity = score + self.worth(_without(rack, used), worth) / POINT
        moves = self._moves(game, rack, _COMPARED)
        best = next(moves, RankedMove("", "", "", 0, written(rack), 0.0))
        # the equities of equal moves differ by rounding alone
        limit = equity + 0.5 / POINT
        better = sum(1 for _move in takewhile(lambda move: move.equity > limit, moves))
        return 1 + better + (best.equity > limit), equity, best

    def _worth_here(self, game: GameState, rack: Sequence[str]) -> LeaveWorth:
        """Return the worth of leaves in a position; they are worth nothing if only points count."""
        if self._worth is None or game.in_bag > 0:
            return self._worth or self._no_worth
        others = self._tiles.rack_value(game.unseen(rack).elements())
        return last_worth(self._tiles, self._kinds, others, 1 + game.rules.gain)

    def _moves(self, game: GameState, rack: Sequence[str], room: int) -> Iterator[RankedMove]:
        """Yield all moves by equity; for `room` see `plays`."""
        worth = self._worth_here(game, rack)
        exchanges = []
        if game.in_bag >= self._tiles.exchange:
            kept, equity = self.best_leave(rack, worth, game.in_bag)
            given = _without(rack, kept)
            leave = written(_without(rack, given))
            exchanges.append(RankedMove("", written(given), "", 0, leave, equity / POINT))
        plays = self.plays(game.grid, rack, room, worth)
        return merge(plays, exchanges, key=attrgetter("equity"), reverse=True)

    def plays(
        self, grid: Grid, rack: Sequence[str], room: int, worth: LeaveWorth | None = None
    ) -> Iterator[RankedMove]:
        """Yield all legal plays by equity, or without `worth` by score.

        It looks for `room` plays, and only for more if the caller asks for them.
        """
        done = 0
        while True:
            found = self.search(grid, rack, room, worth)
            for number in range(done, len(found.keys)):
                move = self._play(grid, rack, found, number)
                # a list may hold words that the judge rejects
                if move is not None:
                    yield move
            if len(found.keys) < room:
                return
            done = room
            room *= 4

    def _play(
        self, grid: Grid, rack: Sequence[str], found: Found, number: int
    ) -> RankedMove | None:
        """Return a play that was found; None if the judge rejects one of its words."""
        key = int(found.keys[number])
        across = key >> 10 & 1 == 0
        start = Square(key >> 5 & 31, key & 31)  # the line and the place
        if not across:
            start = Square(start.column, start.row)
        laid = [self._tile_of_code[code] for code in found.tiles[number].tolist() if code != 0]
        placed = place_play(self._board, grid, start, across, laid, self._tiles)
        if not self._are_valid(placed.texts):
            return None
        return RankedMove(
            place=place_text(start, across),
            tiles=written(laid),
            word=placed.texts[0],
            score=int(found.score[number]),
            leave=written(_without(rack, map(self._tiles.tile_of, placed.new.values()))),
            equity=-(key >> PLACE_BITS) / POINT,
        )

    def _are_valid(self, words: Iterable[str]) -> bool:
        return self._is_word is None or all(map(self._is_word, words))

    def search(
        self, grid: Grid, rack: Iterable[str], most: int = 1, leaves: LeaveWorth | None = None
    ) -> Found:
        """Return the `most` plays of words of the list with the highest equity, best first.

        Ties go by direction, across first, then by line, place and letters. Without `leaves` the
        equity is the score.
        """
        room = most + min(most, _SORTED_TOGETHER)
        found = Found(
            keys=np.empty(room, dtype=np.int64),
            score=np.empty(room, dtype=np.int64),
            tiles=np.empty((room, self._board.size), dtype=np.int8),
            state=np.zeros(2, dtype=np.int64),
            most=most,
        )
        table = self._rack(rack, leaves or self._no_worth)
        count = 0
        if len(table.descending):
            count = board_plays(self._words, self._squares(grid), table, found)
        return found._replace(
            keys=found.keys[:count], score=found.score[:count], tiles=found.tiles[:count]
        )

    def worth(self, leave: Iterable[str], leaves: LeaveWorth | None = None) -> int:
        """Return the worth of a leave, in thousandths of a point; by default with a full bag."""
        return int(self._rack(leave, leaves or self._worth or self._no_worth).worth[-1])

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

    def _rack(self, tiles: Iterable[str], leaves: LeaveWorth) -> HeldRack:
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

    def hint(self, game: TableGame) -> RankedMove | None:
        """Return the play of the player on turn with the most points; None if no word fits."""
        return next(self.plays(game.grid, game.tiles.split(game.rack), 1), None)

    def move(self, game: TableGame) -> Event:
        """Return the move of the bot when it is on turn and the game is not over."""
        rack = game.tiles.split(game.rack)
        for best in self.best(game, rack, 1):
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
        if self._is_word is not None and self.refutes(game):
            event, result = game.challenge(self._is_word)
            yield event, f"{game.name} challenges: {result}"
        if not game.is_over:
            event = self.move(game)
            if event.kind is not Kind.PASS or not game.can_end:
                yield event, ""
                return
        for event in game.ending():
            yield event, ""

    def refutes(self, game: TableGame) -> bool:
        """Return whether the last play has an invalid word."""
        played = game.last_play
        return played is not None and not self._are_valid(played.placed.texts)


def bot_of(tiles: TileSet, lexicon: str) -> Bot:
    """Return a bot that plays the words of a list, with its search for plays compiled.

    It knows the worth of leaves with a bundled tile set. The first time with a list may take a
    minute; then the cache has its words.

    Raises:
        TableError: The list cannot be read.
    """
    words = words_of(lexicon, tiles)
    judge = game_words(lexicon, spelling=tiles.spelling)
    bot = Bot(words, tiles, judge.is_word, bundled_leaves(tiles))
    bot.search({}, [*tiles.values][:1])
    return bot


def _without(rack: Sequence[str], used: Iterable[str]) -> list[str]:
    """Return the tiles of a rack but those used, in the order of the rack, equal ones together."""
    return list((Counter(rack) - Counter(used)).elements())
