"""A position of a Scrabble game in a GCG file, and the best moves of a rack there."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from solver.errors import RackError, RowdrawError
from solver.scrabble.bot import Compared, MoveRanking, bundled_leaves
from solver.scrabble.game import in_order, play_of
from solver.scrabble.graph import PlayableWords, words_of
from verify.files import LARGEST_TEXT, is_gcg, named_answer, read_file, text_bytes
from verify.scrabble.board import board_of
from verify.scrabble.game_referee import Step
from verify.scrabble.gcg import TURNS
from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.lexicons import ICELANDIC, NONE, game_words, is_named_list
from verify.scrabble.play import Grid
from verify.scrabble.rule_sets import DEFAULT, rule_set_of
from verify.scrabble.tiles import TileSet, tile_set, tile_set_names, written
from verify.text import counted, quote


@dataclass(frozen=True)
class BoardPosition:
    """The board before an event of a game, or at its end.

    Attributes:
        name: The file and the number of the event, for messages.
        grid: The tiles on the board.
        tiles: The tile set.
        lexicon: The word list that the game names; empty if it names none.
        players: The number of players.
        step: The event as the referee replayed it; None at the end of the file.
        faults: The number of faults that the referee finds before the event.
        gains: Whether the player who goes out gets the value of the tiles of the others.
    """

    name: str
    grid: Grid
    tiles: TileSet
    lexicon: str
    players: int
    step: Step | None
    faults: int
    gains: bool

    def unseen(self, rack: Sequence[str] = ()) -> Counter[str]:
        """Return the tiles that are neither on the board nor on `rack`."""
        return self.tiles.unseen(self.grid, rack)

    @property
    def is_turn(self) -> bool:
        """Whether the event is a play, an exchange or a pass."""
        return self.step is not None and self.step.event.kind in TURNS

    def own_rack(self) -> str:
        """Return the rack that the file gives for the event. Raises `RackError` without one."""
        if self.step is None:
            expected = "expected RACK, or FILE#N for the event N"
            raise RackError(f"{self.name}: the end of the file has no rack: {expected}")
        event = self.step.event
        why = "gives no rack"
        if not self.is_turn:
            why = f"is no move ({event.kind.value})"
        elif self.tiles.rack(event.rack):
            return event.rack
        raise RackError(f"{self.name}: line {event.line} {why}: expected RACK")

    def own_move(self) -> tuple[str, str]:
        """Return (place, tiles) of the move of the event, which must be a turn, as rankings do."""
        assert self.step is not None
        event = self.step.event
        placed = self.step.placed
        if placed is None:
            given = self.tiles.split(event.tiles)
            if set(given) <= self.tiles.counts.keys():
                given = in_order(self.tiles, given)
            return event.place, written(given)
        if placed.faults:
            return event.place, written(placed.new.values())
        return play_of(board_of(self.tiles.board), self.grid, list(placed.new.items()))

    def rack(self, text: str) -> list[str]:
        """Return the tiles of a rack, blanks last. Raises `RackError` if it is impossible here."""
        rack = self.tiles.split(self.tiles.spelling.upper(text))
        what = f"rack {quote(text)}"
        strange = sorted(set(rack) - self.tiles.counts.keys())
        if strange:
            expected = f"expected tiles of the {self.tiles.name} set, ? for a blank"
            raise RackError(f"{what} holds {quote(' '.join(strange))}: {expected}")
        most = self.tiles.rack_size
        if not 1 <= len(rack) <= most:
            raise RackError(f"{what} holds {counted(len(rack), 'tile')}: expected 1 to {most}")
        missing = Counter(rack) - self.unseen()
        if missing:
            short = quote(" ".join(sorted(missing.elements())))
            where = f"{self.name} has the others on the board"
            raise RackError(f"{what} needs {short} more than are left: {where}")
        return in_order(self.tiles, rack)


def read_position(named: str, tiles: str | None) -> BoardPosition:
    """Return the position before an event of a game in a GCG file, see `BoardPosition`.

    Args:
        named: `FILE#N` for the event N, counted from 1; `FILE` for the end of the file.
        tiles: A bundled tile set or a file; None to let the game decide.

    Raises:
        RowdrawError: The file cannot be read, is not a game that the referee can judge, or has no
            such event.
        RulesError: The tile set cannot be read.
    """
    try:
        file, number = named_answer(named)
    except OSError as error:
        raise RowdrawError(f"{named}: the game cannot be read ({error.strerror})") from error
    *before, end = read_positions(file, tiles)
    if number > len(before):
        events = counted(len(before), "event")
        expected = "expected FILE#N with N up to this number"
        raise RowdrawError(f"{named}: the file has {events}: {expected}")
    return before[number - 1] if number else end


def read_positions(file: str, tiles: str | None) -> list[BoardPosition]:
    """Return the positions before all events of a GCG file, and at its end.

    Raises as `read_position` does.
    """
    try:
        content = text_bytes(read_file(Path(file), LARGEST_TEXT), file)
    except OSError as error:
        raise RowdrawError(f"{file}: the game cannot be read ({error.strerror})") from error
    if not is_gcg(content):
        expected = "expected GCG, with lines such as '>ann: ABCDEFG 8H FACED +30 30'"
        raise RowdrawError(f"{file}: not a Scrabble game: {expected}")
    return positions_of(judge_game(content, file, tiles, NONE))


def positions_of(verdict: GameVerdict) -> list[BoardPosition]:
    """Return the positions before all events of a game, and at its end.

    Raises `RowdrawError` if the referee could not judge it.
    """
    if not verdict.judged:
        raise RowdrawError(f"{verdict.file}: {verdict.violations[-1].message}")
    rules = rule_set_of(verdict.rules or verdict.tile_set.rules or DEFAULT)
    # a file without events has a fault, but a board on which moves can be compared
    lines = sorted(fault.line for fault in verdict.violations if fault.code != "empty")
    end = BoardPosition(
        name=verdict.file,
        grid=verdict.grid,
        tiles=verdict.tile_set,
        lexicon=verdict.game.pragma("lexicon"),
        players=max(2, len(verdict.names)),
        step=None,
        faults=len(lines),
        gains=rules.gain,
    )
    positions = []
    for number, step in enumerate(verdict.steps, start=1):
        faults = bisect_left(lines, step.event.line)
        name = f"{verdict.file}#{number}"
        positions.append(replace(end, name=name, grid=step.before, step=step, faults=faults))
    return [*positions, end]


def position_words(
    position: BoardPosition, named: str | None
) -> tuple[PlayableWords, Callable[[str], bool] | None]:
    """Return the words for plays, and the judge of words that the list holds but the judge rejects.

    Args:
        position: The position.
        named: The word list or its file; None for the bundled list that the game names, or the one
            for its tiles.

    Raises:
        RowdrawError: No list is known.
        TableError: The list cannot be read.
    """
    lexicon = named or position.lexicon or position.tiles.words
    # a game must not decide which files are opened
    is_known = lexicon == position.tiles.words or is_named_list(lexicon)
    if lexicon.lower() in ("", NONE) or not (named or is_known):
        which = f"no list for {position.tiles.name} tiles is"
        if lexicon:
            which = f"the list {quote(lexicon)} is not"
        expected = "expected --words with enable1, bin or a file"
        raise RowdrawError(f"{position.name}: {which} bundled: {expected}")
    words = words_of(lexicon, position.tiles)
    if lexicon.lower() == ICELANDIC:
        return words, game_words(lexicon).is_word
    return words, None


def ranking_of(position: BoardPosition, named: str | None) -> MoveRanking:
    """Return a ranking of moves in a position; for `named` and errors see `position_words`."""
    tiles = position.tiles
    words, is_word = position_words(position, named)
    leaves = None
    if tiles.name in tile_set_names() and tile_set(tiles.name) == tiles:
        leaves = bundled_leaves(tiles.name)
    return MoveRanking(words, tiles, is_word, leaves)


def compared_moves(
    positions: Iterable[BoardPosition], ranking: MoveRanking, refuse: Callable[[str], None]
) -> Iterator[tuple[int, list[str], Step, Compared]]:
    """Yield the number, the rack and the step of each turn, and how it compares with the best move.

    `refuse` takes the reason why a turn is left out.
    """
    for number, place in enumerate(positions, start=1):
        if place.step is None or not place.is_turn:
            continue
        try:
            rack = place.rack(place.own_rack())
        except RackError as error:
            refuse(str(error))
            continue
        _place, tiles = place.own_move()
        compared = ranking.compared(
            place.grid, rack, place.players, place.gains, tiles, place.step.score
        )
        yield number, rack, place.step, compared


def best_texts(positions: Iterable[BoardPosition], ranking: MoveRanking) -> dict[int, str]:
    """Return by the number of each turn its rank, and the best move with what it has more."""
    texts = {}
    moves = compared_moves(positions, ranking, lambda _why: None)
    for number, _rack, step, (rank, equity, best) in moves:
        what = f"{best.place} {best.tiles}" if best.place else f"exchange of {best.tiles}"
        more = f"{best.score - step.score:+d} points, {best.equity - equity:+.2f} of equity"
        texts[number] = f"rank {rank}; the best move, {what}, {best.score:+d}: {more}"
    return texts
