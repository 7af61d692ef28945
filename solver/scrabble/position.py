"""A position of a Scrabble game in a GCG file, and the best moves of a rack there."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from solver.errors import RackError, RowdrawError
from solver.scrabble.bot import Bot, RankedMove, bot_of
from solver.scrabble.game import in_order, play_of
from solver.scrabble.steps import judged_file
from verify.files import named_answer
from verify.scrabble.game import GameState
from verify.scrabble.game_referee import GameReferee, Step
from verify.scrabble.gcg import TURNS
from verify.scrabble.judge import GameVerdict
from verify.scrabble.lexicons import NONE, is_named_list
from verify.scrabble.tiles import written
from verify.strictness import Strictness
from verify.text import counted, quote


@dataclass(frozen=True)
class BoardPosition:
    """A game before one of its events, or at its end.

    Attributes:
        name: The file and the number of the event, for messages.
        game: The game so far.
        step: The event as the referee replayed it; None at the end of the file.
    """

    name: str
    game: GameState
    step: Step | None = None

    @property
    def is_turn(self) -> bool:
        """Whether the event is a play, an exchange or a pass."""
        return self.step is not None and self.step.event.kind in TURNS

    def own_rack(self) -> str:
        """Return the rack that the file gives for the event. Raises `RackError` without one."""
        if self.step is not None and self.is_turn:
            rack = self.step.event.rack
            if self.game.tiles.rack(rack):
                return rack
        raise RackError(f"{self.name}: the file gives no rack there: expected RACK, or FILE#N")

    def is_own(self, move: RankedMove) -> bool:
        """Return whether the event, which must be a turn, is this move."""
        assert self.step is not None
        placed = self.step.placed
        if placed is None:
            given = self.game.tiles.split(self.step.event.tiles)
            return not move.place and sorted(given) == sorted(self.game.tiles.split(move.tiles))
        return not placed.faults and move[:2] == play_of(self.game.grid, placed.new)

    def rack(self, text: str) -> list[str]:
        """Return the tiles of a rack, blanks last. Raises `RackError` if it is impossible here."""
        tiles = self.game.tiles
        rack = tiles.split(tiles.spelling.upper(text))
        what = f"rack {quote(text)}"
        if not rack:
            raise RackError(f"{what} holds no tile: expected 1 to {tiles.rack_size}")
        referee = GameReferee(self.game, None, Strictness(racks=True))
        referee.check_rack(rack, what)
        for fault in referee.faults:
            raise RackError(f"{self.name}: {fault.message}")
        return in_order(tiles, rack)


def read_game(file: str, tiles: str | None) -> GameVerdict:
    """Return the verdict on a game in a GCG file, whose words are not judged.

    Args:
        file: The file.
        tiles: A bundled tile set or a file; None to let the game decide.

    Raises:
        RowdrawError: The file cannot be read, or is not a game.
        RulesError: The tile set cannot be read.
    """
    verdict = judged_file(file, tiles=tiles, words=NONE)
    if verdict is None:
        expected = "expected GCG, with lines such as '>ann: ABCDEFG 8H FACED +30 30'"
        raise RowdrawError(f"{file}: not a Scrabble game: {expected}")
    return verdict


def read_position(named: str, tiles: str | None) -> tuple[GameVerdict, BoardPosition]:
    """Return a game, see `read_game`, and one of its positions.

    `named` is `FILE#N` for the event N, counted from 1; `FILE` for the end of the file. Raises
    `RowdrawError` also if the game has no such event, or could not be judged.
    """
    try:
        file, number = named_answer(named)
    except OSError as error:
        raise RowdrawError(f"{named}: the game cannot be read ({error.strerror})") from error
    verdict = read_game(file, tiles)
    if number > len(verdict.steps):
        events = counted(len(verdict.steps), "event")
        expected = "expected FILE#N with N up to this number"
        raise RowdrawError(f"{named}: the file has {events}: {expected}")
    before = number - 1 if number else len(verdict.steps)
    return verdict, next(islice(positions_of(verdict), before, None))


def positions_of(verdict: GameVerdict) -> Iterator[BoardPosition]:
    """Yield the positions before all events of a game, and at its end.

    All have the same game, which goes on when the next one is asked for. Raises `RowdrawError` if
    the referee could not judge it.
    """
    if not verdict.judged:
        raise RowdrawError(f"{verdict.file}: {verdict.violations[-1].message}")
    game = GameState(verdict.tile_set, verdict.rule_set, list(verdict.names))
    for number, step in enumerate(verdict.steps, start=1):
        yield BoardPosition(f"{verdict.file}#{number}", game, step)
        game.take(step.event, step.placed)
    yield BoardPosition(verdict.file, game)


def bot_for(verdict: GameVerdict, named: str | None) -> Bot:
    """Return the bot that ranks the moves of a game.

    Args:
        verdict: The game.
        named: The word list or its file; None for the bundled list that the game names, or the one
            for its tiles.

    Raises:
        RowdrawError: No list is known.
        TableError: The list cannot be read.
    """
    tiles = verdict.tile_set
    lexicon = named or verdict.game.pragma("lexicon") or tiles.words
    # a game must not decide which files are opened
    is_known = lexicon == tiles.words or is_named_list(lexicon)
    if lexicon.lower() in ("", NONE) or not (named or is_known):
        which = f"no list for {tiles.name} tiles is"
        if lexicon:
            which = f"the list {quote(lexicon)} is not"
        expected = "expected --words with enable1, bin or a file"
        raise RowdrawError(f"{verdict.file}: {which} bundled: {expected}")
    return bot_of(tiles, lexicon)


def compared_moves(
    verdict: GameVerdict, bot: Bot, refuse: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield for each turn of a game how its move compares with the best one, as plain values.

    Equities and what was lost are in points. `refuse` takes the reason why a turn is left out.
    """
    for number, place in enumerate(positions_of(verdict), start=1):
        if place.step is None or not place.is_turn:
            continue
        try:
            rack = place.rack(place.own_rack())
        except RackError as error:
            refuse(str(error))
            continue
        event = place.step.event
        score = place.step.score
        used: Iterable[str] = place.game.tiles.split(event.tiles)
        if place.step.placed is not None:
            used = place.game.used(place.step.placed).elements()
        rank, equity, best = bot.compared(place.game, rack, used, score)
        yield {
            "event": number,
            "player": event.player,
            "rack": written(rack),
            "place": event.place or "-",
            "tiles": event.tiles or "-",
            "score": score,
            "equity": round(equity, 2),
            "rank": rank,
            "points lost": best.score - score,
            "equity lost": round(best.equity - equity, 2),
            "best place": best.place or "-",
            "best tiles": best.tiles or "-",
            "best score": best.score,
            "best equity": round(best.equity, 2),
        }


def best_texts(verdict: GameVerdict, bot: Bot) -> dict[int, str]:
    """Return by the number of each turn its rank, and the best move with what it has more."""
    moves = compared_moves(verdict, bot, lambda _why: None)
    return {move["event"]: _best_text(move) for move in moves}


def _best_text(move: Mapping[str, Any]) -> str:
    """Return the text of one of `compared_moves`."""
    if move["rank"] == 1:
        return "the best move"
    best = f"{move['best place']} {move['best tiles']}"
    if move["best tiles"] == "-":
        best = "pass"
    elif move["best place"] == "-":
        best = f"exchange of {move['best tiles']}"
    more = f"{move['points lost']:+d} points, {move['equity lost']:+.2f} of equity"
    return f"rank {move['rank']}; the best move, {best}, {move['best score']:+d}: {more}"
