"""A game in progress: board, totals, turn, and how it may end.

The referee, the table and the pages replay games with it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.scrabble.board import Square, board_of
from verify.scrabble.gcg import TURNS, Event, Kind
from verify.scrabble.play import Grid, Placed, parse_place, place_play, score_play
from verify.scrabble.rule_sets import RuleSet
from verify.scrabble.tiles import TileSet


@dataclass(frozen=True)
class LastPlay:
    """The last play, while it may be challenged.

    `scoreless`: the number of turns in a row without a score before it.
    """

    event: Event
    placed: Placed
    scoreless: int


class GameState:
    """The state after the events taken so far.

    Args:
        tiles: The tile set.
        rules: The rule set.
        nicks: The players, in the order of their turns.

    Attributes:
        grid: The tiles on the board. It is replaced, never changed, so that it can be kept.
        totals: The total of each player.
        on_turn: The player whose turn it is; empty in a game without named players.
        scoreless: The number of turns in a row without a score.
        passes: The number of passes in a row.
        short: By player, the number of tiles that the bag lacked to fill the rack again.
        is_legal: Whether all plays fit the board and are in turn, so that it is known who has how
            many tiles at the end.
        last_play: The play that may still be challenged.
        last_turn: The last turn, without passes of others after it; None before the first turn and
            after a withdrawal.
    """

    def __init__(self, tiles: TileSet, rules: RuleSet, nicks: Sequence[str]) -> None:
        self.tiles = tiles
        self.rules = rules
        self.nicks = list(nicks)
        self.board = board_of(tiles.board)
        self.grid: Grid = {}
        self.totals = dict.fromkeys(nicks, 0)
        self.on_turn = next(iter(nicks), "")
        self.scoreless = 0
        self.passes = 0
        self.short: Counter[str] = Counter()
        self.is_legal = True
        self.last_play: LastPlay | None = None
        self.last_turn: Event | None = None

    @property
    def players(self) -> int:
        """The number of players, at least 2."""
        return max(2, len(self.nicks))

    def unseen(self, rack: Iterable[str] = ()) -> Counter[str]:
        """Return the number of each tile that is neither on the board nor on `rack`."""
        return self.tiles.unseen(self.grid, rack)

    @property
    def in_bag(self) -> int:
        """The number of tiles in the bag if racks are full while the bag has tiles."""
        racks = self.tiles.rack_size * self.players
        return max(0, self.tiles.bag().total() - len(self.grid) - racks)

    @property
    def out(self) -> str:
        """The player who has no tile left, with an empty bag; empty if it is not certain of anyone.

        The number of tiles laid decides: racks are full while the bag has tiles.
        """
        if not self.is_legal:
            return ""
        size = self.tiles.rack_size
        return next((nick for nick, short in self.short.items() if short >= size), "")

    @property
    def why_over(self) -> str:
        """Why passes or turns without a score may end the game; empty if they do not."""
        rules = self.rules
        if 0 < rules.passes * self.players <= self.passes:
            return f"every player passed {rules.passes} times in a row"
        if 0 < rules.scoreless <= self.scoreless and (rules.on_empty or self.grid):
            return f"{self.scoreless} turns brought no points"
        return ""

    @property
    def may_end(self) -> bool:
        """Whether passes, or turns without a score, let a player end the game or end it."""
        return self.why_over != ""

    @property
    def must_end(self) -> bool:
        """Whether passes, or turns without a score, end the game."""
        return self.may_end and self.rules.must_end

    def place(self, event: Event) -> Placed:
        """Return the play of an event on this board.

        Raises `ValueError` if its place is not on the board.
        """
        start, across = parse_place(event.place, self.board)
        return place_play(
            self.board, self.grid, start, across, self.tiles.split(event.tiles), self.tiles
        )

    def score(self, placed: Placed) -> int:
        """Return the score of a play on this board."""
        return score_play(self.board, self.grid, placed, self.tiles)

    def used(self, placed: Placed) -> Counter[str]:
        """Return the tiles of the rack that a play uses."""
        return Counter(map(self.tiles.tile_of, placed.new.values()))

    def take(self, event: Event, placed: Placed | None = None) -> list[Square]:
        """Carry out an event; return the squares whose tiles it takes back.

        Args:
            event: The event with its score and its total.
            placed: The play of the event, if it is one that can be placed.
        """
        last = self.last_play
        scoreless = self.scoreless
        lifted: list[Square] = []
        if event.kind in TURNS:
            self._take_turn(event)
        elif event.kind is Kind.WITHDRAWN and last and last.event.player == event.player:
            lifted = sorted(last.placed.new)
            self.grid = {square: tile for square, tile in self.grid.items() if square not in lifted}
            self.short[event.player] -= max(0, len(lifted) - self.in_bag)
            self.scoreless = last.scoreless + 1
            self.last_turn = None
        self.last_play = None
        if placed is not None:
            self.short[event.player] += max(0, len(placed.new) - self.in_bag)
            self.is_legal &= not placed.faults
            self.grid = {**self.grid, **placed.new}
            self.last_play = LastPlay(event, placed, scoreless)
        self.totals[event.player] = event.total
        return lifted

    def _take_turn(self, event: Event) -> None:
        self.pass_on(event.player)
        if self.out:
            return  # a pass after the end changes nothing
        self.scoreless += 1
        if event.kind is Kind.PLAY and event.score > 0:
            self.scoreless = 0
        if event.kind is not Kind.PASS:
            self.passes = 0
            self.last_turn = event
        else:
            self.passes += 1
            # after the last play the others may still pass
            if self.last_turn is not None and self.last_turn.player == event.player:
                self.last_turn = event

    def pass_on(self, player: str) -> None:
        """Let the player after `player` be on turn."""
        if player in self.nicks:
            following = self.nicks.index(player) + 1
            self.on_turn = self.nicks[following % len(self.nicks)]
