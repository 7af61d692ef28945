"""A bot that makes the move with the highest equity: points + worth of the leave."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from solver.scrabble.game import TableGame
from solver.scrabble.graph import PlayableWords
from solver.scrabble.kernels.rack_leaves import POINT, LeaveWorth
from solver.scrabble.leaves import Leaves, kinds_of, last_worth
from solver.scrabble.legal_plays import BoardPlay, PlayGenerator, judged
from verify.scrabble.board import standard_board
from verify.scrabble.gcg import Event
from verify.scrabble.tiles import TileSet

_LOOKED_AT = 20  # best plays whose words are then judged


class Bot:
    """A player for one tile set and one list of words.

    Args:
        words: The words to make plays from.
        tiles: The tile set.
        is_word: Returns whether a word of a play is valid: `words` may hold forms that the judge rejects.
        leaves: The worth of leaves; None for a player that considers points only.
    """

    def __init__(self, words: PlayableWords, tiles: TileSet, is_word: Callable[[str], bool], leaves: Leaves | None) -> None:
        self._words, self._tiles, self._is_word = words, tiles, is_word
        self._plays = PlayGenerator(words, tiles, standard_board())
        self._worth = None if leaves is None else leaves.worth(kinds_of(words.tiles))

    def plays(self, game: TableGame, worth: LeaveWorth | None = None) -> Iterator[BoardPlay]:
        """Yield the best plays of the player on turn, by descending equity; without `worth`, by descending points."""
        seen = 0
        for most in (1, _LOOKED_AT):  # the search for one play is faster, and hardly ever is that one rejected
            found = self._plays.best(game.grid, game.rack, most, worth)[seen:]
            yield from judged(found, game.grid, standard_board(), self._tiles, self._is_word)
            seen = most

    def move(self, game: TableGame) -> Event:
        """Return the move of the bot when it is on turn and the game is not over."""
        worth = self._worth_now(game)
        best = next(self.plays(game, worth), None)
        given, equity = self._exchange(game, worth)
        if given and (best is None or equity > best.equity):
            return game.exchange(given)
        return game.play(best.place, best.tiles) if best is not None else game.pass_turn()

    def worth(self, leave: Iterable[str]) -> float:
        """Return the worth of a leave, in points."""
        return 0.0 if self._worth is None else self._plays.worth(leave, self._worth) / POINT

    def refutes(self, game: TableGame) -> bool:
        """Return whether the last play has an invalid word."""
        return game.last_play is not None and not all(map(self._is_word, game.last_play.placed.texts()))

    def _worth_now(self, game: TableGame) -> LeaveWorth | None:
        if self._worth is None or game.bag:
            return self._worth
        others = "".join(rack for nick, rack in game.racks.items() if nick != game.on_turn)
        times = 2 if game.setup.end_rules.gains else 1
        return last_worth(self._tiles, kinds_of(self._words.tiles), self._tiles.rack_value(others), times)

    def _exchange(self, game: TableGame, worth: LeaveWorth | None) -> tuple[str, int]:
        """Return the best tiles to exchange and the equity of that; no tiles if an exchange is not allowed."""
        if worth is None or len(game.bag) < self._tiles.exchange:
            return "", 0
        kept, equity = self._plays.best_leave(game.rack, worth, len(game.bag))
        return "".join((Counter(game.rack) - Counter(kept)).elements()), equity
