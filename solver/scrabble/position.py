"""A position of a Scrabble game in a GCG file, and the best moves of a rack there."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from solver.errors import RackError, SolutionError
from solver.scrabble.graph import PlayableWords, words_of
from solver.scrabble.kernels.rack_leaves import POINT, LeaveWorth
from solver.scrabble.leaves import bundled_leaves, kinds_of, last_worth
from solver.scrabble.legal_plays import BoardPlay, PlayGenerator, judged
from verify.datafiles import bundled_words
from verify.judging import named_answer
from verify.reading import LARGEST_TEXT, read_file
from verify.scrabble.board import FULL_RACK, board_of
from verify.scrabble.game_referee import GameReferee
from verify.scrabble.gcg import Event, Kind, is_gcg, read_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.lexicons import ICELANDIC, NONE, game_words
from verify.scrabble.play import THROUGH, Grid
from verify.scrabble.racks import known_rack
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names, tile_set_of, written
from verify.text import counted, quote

_MOVES = (Kind.PLAY, Kind.EXCHANGE, Kind.PASS)
_LISTS = {"english": "enable1", "english_super": "enable1", "icelandic": ICELANDIC}  # by tile set, for games that name no list


@dataclass(frozen=True)
class Position:
    """The board before an event of a game, or at its end.

    Attributes:
        name: The file and the number of the event, for messages.
        grid: The tiles on the board.
        tiles: The tile set.
        lexicon: The word list that the game names.
        players: The number of players.
        event: The event; None at the end of the file.
        faults: The number of faults that the referee finds before the event.
    """

    name: str
    grid: Grid
    tiles: TileSet
    lexicon: str | None
    players: int
    event: Event | None
    faults: int

    def unseen(self, rack: Sequence[str] = ()) -> Counter[str]:
        """Return the tiles that are neither on the board nor on `rack`."""
        return self.tiles.bag() - Counter(map(self.tiles.tile_of, self.grid.values())) - Counter(rack)

    def own_rack(self) -> str:
        """Return the rack that the file gives for the event. Raises `RackError` if it gives none."""
        if self.event is None:
            raise RackError(f"{self.name}: the end of the file has no rack: expected RACK, or FILE#N for the event N")
        if self.event.kind not in _MOVES or not known_rack(self.tiles, self.event.rack):
            why = "gives no rack" if self.event.kind in _MOVES else f"is no move ({self.event.kind.value})"
            raise RackError(f"{self.name}: line {self.event.line} {why}: expected RACK")
        return self.event.rack

    def rack(self, text: str) -> list[str]:
        """Return the tiles of a rack, blanks last. Raises `RackError` if it is impossible here."""
        rack, what = self.tiles.split(text.upper()), f"rack {quote(text)}"
        strange = sorted({tile for tile in rack if tile not in self.tiles.counts})
        if strange:
            raise RackError(
                f"{what} holds {quote(' '.join(strange))}: expected tiles of the {self.tiles.name} set, ? for a blank"
            )
        if not 1 <= len(rack) <= FULL_RACK:
            raise RackError(f"{what} holds {counted(len(rack), 'tile')}: expected 1 to {FULL_RACK}")
        missing = Counter(rack) - self.unseen()
        if missing:
            short = quote(" ".join(sorted(missing.elements())))
            raise RackError(f"{what} needs {short} more than are left: {self.name} has the others on the board")
        order = [*self.tiles.values, BLANK]
        return sorted(rack, key=order.index)


def read_position(named: str, tiles: str | None) -> Position:
    """Return the position before an event of a game in a GCG file, see `Position`.

    Args:
        named: `FILE#N` for the event N, counted from 1; `FILE` for the end of the file.
        tiles: A bundled tile set or a file; None to let the game decide.

    Raises:
        SolutionError: The file cannot be read, is not a game that the referee can judge, or has no such event.
        RulesError: The tile set cannot be read.
    """
    try:
        file, number = named_answer(named)
        content = read_file(Path(file), LARGEST_TEXT)
    except OSError as error:
        raise SolutionError(f"{named}: the game cannot be read ({error.strerror})") from error
    if not is_gcg(content):
        raise SolutionError(f"{file}: not a Scrabble game: expected GCG, with lines such as '>ann: ABCDEFG 8H FACED +30 30'")
    verdict = judge_game(content, file, tiles, NONE)
    if not verdict.judged:
        raise SolutionError(f"{file}: {verdict.violations[-1].message}")
    game = read_gcg(content)
    if number > len(game.events):
        raise SolutionError(
            f"{named}: the file has {counted(len(game.events), 'event')}: expected FILE#N with N up to this number"
        )
    event = game.events[number - 1] if number else None
    chosen = tile_set_of(tiles) if tiles is not None else tile_set(verdict.tiles)
    before = game.events[: number - 1] if number else game.events
    referee = GameReferee(chosen, None)
    referee.judge(replace(game, events=before))
    faults = sum(event is None or fault.line < event.line for fault in verdict.violations)
    lexicon, players = game.pragma("lexicon"), max(2, len(game.players))
    return Position(named, referee.grid, chosen, lexicon, players, event, faults)


def position_words(position: Position, named: str | None) -> tuple[PlayableWords, Callable[[str], bool] | None]:
    """Return the words for plays, and the judge of words where the list holds some that the judge rejects.

    Args:
        position: The position.
        named: The word list or its file; None for the bundled list that the game names, or the one for its tiles.

    Raises:
        SolutionError: No list is known.
        TableError: The list cannot be read.
    """
    lexicon = named or position.lexicon or _LISTS.get(position.tiles.name, "")
    is_bundled = lexicon.lower() == ICELANDIC or bundled_words(lexicon.lower()) is not None
    # a game must not decide which files are opened
    if lexicon.lower() in ("", NONE) or not (named or is_bundled):
        which = f"the list {quote(lexicon)} is not" if lexicon else f"no list for {position.tiles.name} tiles is"
        raise SolutionError(f"{position.name}: {which} at hand: expected --words with enable1, bin or a file")
    return words_of(lexicon, position.tiles), game_words(lexicon).is_word if lexicon.lower() == ICELANDIC else None


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
    """Ranks the moves of racks in a position as the bot does.

    Args:
        position: The position.
        words: The words to make plays from.
        is_word: Judges the words of plays; None if all `words` are valid.
    """

    def __init__(self, position: Position, words: PlayableWords, is_word: Callable[[str], bool] | None) -> None:
        self._position, self._kinds, self._is_word = position, kinds_of(words.tiles), is_word
        self._board = board_of(position.tiles.board)
        self._plays = PlayGenerator(words, position.tiles, self._board)
        leaves = bundled_leaves(position.tiles.name) if _is_bundled(position.tiles) else None
        self._worth = None if leaves is None else leaves.worth(self._kinds)

    def best(self, rack: Sequence[str], most: int) -> list[RankedMove]:
        """Return the `most` moves with the highest equity, best first: plays, and the best exchange if the bag allows one."""
        tiles, unseen = self._position.tiles, self._position.unseen(rack)
        bag = max(0, unseen.total() - FULL_RACK * (self._position.players - 1))
        worth = self._worth
        if worth is not None and not bag:
            worth = last_worth(tiles, self._kinds, tiles.rack_value(unseen.elements()), 2 if tiles.end == "gain" else 1)
        moves = [self._move(play, rack) for play in self._found(rack, most, worth)]
        if worth is not None and bag >= tiles.exchange:
            kept, equity = self._plays.best_leave(rack, worth, bag)
            given = _without(rack, kept)
            moves.append(RankedMove("", written(given), "", 0, written(_without(rack, given)), equity / POINT))
        return sorted(moves, key=lambda move: -move.equity)[:most]

    def _found(self, rack: Sequence[str], most: int, worth: LeaveWorth | None) -> Sequence[BoardPlay]:
        room, grid, tiles = most, self._position.grid, self._position.tiles
        while True:
            plays = self._plays.best(grid, rack, room, worth)
            if self._is_word is None:
                return plays
            valid = list(islice(judged(plays, grid, self._board, tiles, self._is_word), most))
            if len(valid) == most or len(plays) < room:
                return valid
            room *= 4

    def _move(self, play: BoardPlay, rack: Sequence[str]) -> RankedMove:
        tiles = self._position.tiles
        used = [tiles.tile_of(tile) for tile in tiles.split(play.tiles) if tile != THROUGH]
        return RankedMove(*play[:4], written(_without(rack, used)), play.equity / POINT)


def _without(rack: Sequence[str], used: Sequence[str]) -> list[str]:
    """Return the other tiles, in the order of the rack."""
    rest = Counter(used)
    kept = []
    for tile in rack:
        if rest[tile]:
            rest[tile] -= 1
        else:
            kept.append(tile)
    return kept


def _is_bundled(tiles: TileSet) -> bool:
    return tiles.name in tile_set_names() and tile_set(tiles.name) == tiles
