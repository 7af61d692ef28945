"""The end of a game: who gets the points of the tiles left, and which events may follow the last turn.

The tiles left are counted in one of two ways. The player who goes out gets twice the value of the others' tiles; or gets their
value once, and the owners lose it. With more than two players only the second way is possible. If several turns without a score
end the game, every player loses the value of the tiles on their rack.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from verify.scrabble.gcg import Event, Kind
from verify.scrabble.racks import ReportFault
from verify.scrabble.rulings import Rulings
from verify.scrabble.tiles import TileSet, written
from verify.text import counted, quote


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
        scoreless: The number of consecutive turns without a score.
        last_turn: The last turn, without passes of other players after it; None before the first turn and after a withdrawal.
        won: The counts that gave points to a player.
        lost: The counts that cost a player points.
    """

    tiles: TileSet
    rulings: Rulings
    players: int
    fault: ReportFault
    scoreless: int = 0
    last_turn: Event | None = None
    won: list[_Counted] = field(default_factory=list)
    lost: list[_Counted] = field(default_factory=list)
    _times: dict[str, Event] = field(default_factory=dict)
    _before: int = 0
    _is_reported: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether tiles left have been counted."""
        return bool(self.won or self.lost)

    @property
    def is_over(self) -> bool:
        """Whether no turn can follow: tiles or time have been counted, or too many turns had no score."""
        return self.is_counted or bool(self._times) or self.scoreless >= self.rulings.scoreless

    def turn(self, event: Event) -> None:
        """Take a play, an exchange or a pass."""
        by_turns = self.scoreless >= self.rulings.scoreless
        if (self.is_counted or by_turns) and not self._is_reported:
            self._is_reported = True  # a fault for each further turn would add nothing
            why = (
                "the tiles that are left were counted"
                if self.is_counted
                else f"{counted(self.scoreless, 'turn')} brought no points"
            )
            self.fault(event.line, "after-end", f"the game is over, because {why}: expected no further turn")
        for time in self._times.values():
            self.fault(
                time.line, "early-time", f"time penalty of {quote(time.player)} before the end: expected it after the last turn"
            )
        self._times.clear()
        self._before = self.scoreless
        self.scoreless = 0 if event.kind is Kind.PLAY and event.score > 0 else self.scoreless + 1
        # after the last play the others may still pass
        if event.kind is not Kind.PASS or (self.last_turn is not None and self.last_turn.player == event.player):
            self.last_turn = event

    def withdrawn(self) -> None:
        """Take the withdrawal of the last play: its turn counts as one without a score."""
        self.scoreless = self._before + 1
        self.last_turn = None

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
        if not event.is_scored:
            # a player who loses tiles still has a rack
            once = self.players > 2 or self.lost
            event = replace(event, score=-value if event.rack else value if once else 2 * value)
        counted = _Counted(event, tiles, value)
        is_lost = event.score < 0 or (event.score == 0 and event.rack != "")
        return self._lose(counted) if is_lost else self._win(counted, off_board)

    def _lose(self, counted: _Counted) -> int:
        event = counted.event
        rack = self.tiles.split(event.rack)
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
        if self.won:
            self._end_fault(event, "the tiles that are left were counted already: expected one player to get them")
        elif last is None or last.kind is not Kind.PLAY or last.player != event.player:
            who = "nobody" if last is None or last.kind is not Kind.PLAY else quote(last.player)
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
                self.lost[0].event, f"{quote(won.event.player)} has got twice their value: expected nobody to lose it as well"
            )
        elif not doubled and won.event.score == won.value and value_lost not in (won.value, *([0] if self.players > 2 else [])):
            twice = f", or {2 * won.value:+d} for {quote(won.event.player)}" if self.players <= 2 else ""
            self._end_fault(
                won.event, f"{won.value:+d} for the tiles of others: expected them to lose {won.value}, not {value_lost}{twice}"
            )

    def _close_lost(self) -> None:
        """Check an end without a winner of tiles: every player loses the tiles held, after enough turns without a score."""
        if not self.lost or self.last_turn is None:
            return
        losers = {counted.event.player for counted in self.lost}
        if self.scoreless == 0:
            why = "after a turn with a score: expected the other player to get them"
            self._end_fault(self.lost[0].event, f"tiles are lost {why}")
        elif self.scoreless < self.rulings.scoreless:
            turns = counted(self.scoreless, "turn")
            self._end_fault(
                self.lost[0].event, f"tiles are lost after {turns} without a score: expected {self.rulings.scoreless}"
            )
        elif len(losers) < self.players:
            only = " and ".join(map(quote, sorted(losers)))
            self._end_fault(self.lost[-1].event, f"only {only} loses the own tiles: expected every player")

    def _end_fault(self, event: Event, message: str) -> None:
        self.fault(event.line, "wrong-end", message)
