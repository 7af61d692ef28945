"""The end of a game: who gets the points of the tiles left, and which events may follow the last turn.

The tiles left are counted in one of two ways. By the rule `gain`, the player who goes out gets twice the value of the others'
tiles; or gets their value once, and the owners lose it. With more than two players only the second way is possible. By the rule
`deduct`, the owners lose their tiles and no one gets their value. Sets that are played by `deduct` are also played in
tournaments, so that both rules are right for them unless an option or the game names one.

If enough turns without a score let a player end the game, every player loses the value of the tiles on their rack.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from verify.scrabble.gcg import Event, Kind
from verify.scrabble.play import Grid
from verify.scrabble.racks import ReportFault, known_rack
from verify.scrabble.rulings import Rulings
from verify.scrabble.tiles import TileSet, written
from verify.text import counted, quote

_SCORELESS = 6  # consecutive turns without a score after which a player may end the game
_PASSES = 2  # of every player in a row, which end a game by the rule `deduct`


@dataclass(frozen=True)
class _Counted:
    """Tiles counted at the end, and their value in points."""

    event: Event
    tiles: tuple[str, ...]
    value: int


@dataclass
class Ending:
    """The state of the end of a game so far.

    Attributes:
        tiles: The tile set.
        rulings: The rules of the federation.
        players: The number of players.
        fault: Reports a fault.
        grid: The tiles on the board, which the referee keeps up to date.
        scoreless: The number of consecutive turns without a score.
        passes: The number of consecutive passes.
        last_turn: The last turn, without passes of other players after it; None before the first turn and after a withdrawal.
        won: The counts that gave points to a player.
        lost: The counts that cost a player points.
    """

    tiles: TileSet
    rulings: Rulings
    players: int
    fault: ReportFault
    grid: Grid
    scoreless: int = 0
    passes: int = 0
    last_turn: Event | None = None
    won: list[_Counted] = field(default_factory=list)
    lost: list[_Counted] = field(default_factory=list)
    _times: dict[str, Event] = field(default_factory=dict)
    _before: int = 0
    _has_tiles: bool = False  # whether the board had tiles after the last turn
    _off_board: Counter[str] = field(default_factory=Counter)
    _is_reported: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether tiles left have been counted."""
        return bool(self.won or self.lost)

    @property
    def is_over(self) -> bool:
        """Whether the game is over or may be: tiles or time have been counted, or turns without a score let a player end it."""
        return self.is_counted or bool(self._times) or self._may_end

    @property
    def _deducts(self) -> bool:
        """Whether the tiles left may be lost without a gain."""
        return (self.rulings.end or self.tiles.end) == "deduct"

    @property
    def _gains(self) -> bool:
        """Whether the player who goes out may get the tiles left."""
        return self.rulings.end != "deduct"

    @property
    def _by_passes(self) -> bool:
        return self._deducts and self.passes >= _PASSES * self.players

    @property
    def _is_forced(self) -> bool:
        """Whether turns without a score have ended the game, whatever the players want."""
        by_turns = self.rulings.scoreless is not None and self.scoreless >= self.rulings.scoreless
        return (self._by_passes and not self._gains) or (by_turns and self._has_tiles)

    @property
    def _may_end(self) -> bool:
        """Whether turns without a score let a player end the game, which they never do on an empty board."""
        enough = self.scoreless >= (self.rulings.scoreless or _SCORELESS)
        return self._by_passes or (enough and self._has_tiles)

    def turn(self, event: Event) -> None:
        """Take a play, an exchange or a pass."""
        if (self.is_counted or self._is_forced) and not self._is_reported:
            self._is_reported = True  # a fault for each further turn would add nothing
            why = f"{self.scoreless} turns brought no points"
            if self.is_counted:
                why = "the tiles that are left were counted"
            elif self._by_passes and not self._gains:
                why = "every player passed twice in a row"
            self.fault(event.line, "after-end", f"the game is over, because {why}: expected no further turn")
        for time in self._times.values():
            self.fault(
                time.line, "early-time", f"time penalty of {quote(time.player)} before the end: expected it after the last turn"
            )
        self._times.clear()
        self._before = self.scoreless
        self.scoreless = 0 if event.kind is Kind.PLAY and event.score > 0 else self.scoreless + 1
        self.passes = self.passes + 1 if event.kind is Kind.PASS else 0
        # after the last play the others may still pass
        if event.kind is not Kind.PASS or (self.last_turn is not None and self.last_turn.player == event.player):
            self.last_turn = event
        self._has_tiles = bool(self.grid)

    def withdrawn(self) -> None:
        """Take the withdrawal of the last play: its turn counts as one without a score."""
        self.scoreless = self._before + 1
        self.last_turn = None
        self._has_tiles = bool(self.grid)

    def time(self, event: Event) -> None:
        """Take a time penalty."""
        step = self.rulings.time_step
        if event.player in self._times:
            self.fault(event.line, "second-time", f"second time penalty of {quote(event.player)}: expected one")
        self._times[event.player] = event
        if event.score > 0 or event.score % step:
            self.fault(event.line, "wrong-score", f"time penalty {event.score:+d}: expected a multiple of -{step}")

    def count(self, event: Event, off_board: Counter[str]) -> int:
        """Take tiles counted at the end; return the expected score."""
        tiles = tuple(self.tiles.split(event.tiles))
        value = self.tiles.rack_value(tiles)
        self._off_board = off_board
        if not event.is_scored:
            # a player who loses tiles still has a rack
            once = self.players > 2 or self.lost
            event = replace(event, score=-value if event.rack else value if once else 2 * value)
        counted = _Counted(event, tiles, value)
        is_lost = event.score < 0 or (event.score == 0 and event.rack != "")
        return self._lose(counted) if is_lost else self._win(counted, off_board)

    def _lose(self, counted: _Counted) -> int:
        event = counted.event
        rack = known_rack(self.tiles, event.rack)
        if rack and Counter(rack) != Counter(counted.tiles):
            self._end_fault(
                event,
                f"{quote(event.player)} holds {quote(event.rack)} but loses {quote(event.tiles)}: expected the same tiles",
            )
        if any(other.event.player == event.player for other in [*self.lost, *self.won]):
            self._end_fault(event, f"the tiles of {quote(event.player)} are counted a second time")
        self.lost.append(counted)
        return -counted.value

    def _win(self, counted: _Counted, off_board: Counter[str]) -> int:
        event, last = counted.event, self.last_turn
        if not self._gains:
            self._end_fault(event, f"{quote(event.player)} gets the tiles that are left: expected no gain by the rule 'deduct'")
        elif self.won:
            self._end_fault(event, "the tiles that are left were counted already: expected one player to get them")
        elif last is None or last.kind is not Kind.PLAY or last.player != event.player:
            who = "no one" if last is None or last.kind is not Kind.PLAY else quote(last.player)
            self._end_fault(event, f"{quote(event.player)} gets the tiles that are left: expected {who}, by the last play")
        elif Counter(counted.tiles) != off_board:
            left = "".join(sorted(off_board.elements()))
            self._end_fault(
                event, f"{quote(event.tiles)} are counted: expected all tiles that are left, {quote(written(left))}"
            )
        self.won.append(counted)
        once = event.score == counted.value
        return counted.value if once or self.players > 2 else 2 * counted.value

    def close(self) -> None:
        """Check the end as a whole, after the last event."""
        value_lost = sum(counted.value for counted in self.lost)
        if not self.won:
            self._close_lost()
            return
        won = self.won[0]
        doubled = self.players <= 2 and won.value > 0 and won.event.score == 2 * won.value
        if doubled and self.lost:
            self._end_fault(
                self.lost[0].event, f"{quote(won.event.player)} has got twice their value: expected no one to lose it as well"
            )
        elif not doubled and won.event.score == won.value != value_lost and self._gains:
            twice = f", or {2 * won.value:+d} for {quote(won.event.player)}" if self.players <= 2 else ""
            self._end_fault(
                won.event, f"{won.value:+d} for the tiles of others: expected them to lose {won.value}, not {value_lost}{twice}"
            )

    def _close_lost(self) -> None:
        """Check an end without a gain: by turns without a score, or by a player who went out under the rule `deduct`."""
        if not self.lost:
            return
        first, last = self.lost[0].event, self.last_turn
        losers = {counted.event.player for counted in self.lost}
        if self._may_end:
            if len(losers) < self.players:
                only = " and ".join(map(quote, sorted(losers)))
                self._end_fault(self.lost[-1].event, f"only {only} loses the own tiles: expected every player")
        elif self._deducts and last is not None and last.kind is Kind.PLAY:
            self._close_out(losers, last)
        elif self.scoreless == 0 and self._has_tiles:
            self._end_fault(first, "tiles are lost after a turn with a score: expected the other player to get them")
        else:
            enough = f"{self.rulings.scoreless or _SCORELESS} and a tile on the board"
            enough += f", or {_PASSES} passes of every player" if self._deducts else ""
            turns = counted(self.scoreless, "turn") + ("" if self._has_tiles else " on an empty board")
            self._end_fault(first, f"tiles are lost after {turns} without a score: expected {enough}")

    def _close_out(self, losers: set[str], last: Event) -> None:
        """Check that all tiles left are lost, none of them by the player who went out."""
        together = Counter(tile for counted in self.lost for tile in counted.tiles)
        if last.player in losers:
            self._end_fault(self.lost[0].event, f"{quote(last.player)} made the last play and loses tiles: expected none left")
        elif together != self._off_board:
            lost, left = (written(sorted(tiles.elements())) for tiles in (together, self._off_board))
            self._end_fault(self.lost[-1].event, f"{quote(lost)} are lost: expected all tiles that are left, {quote(left)}")

    def _end_fault(self, event: Event, message: str) -> None:
        self.fault(event.line, "wrong-end", message)
