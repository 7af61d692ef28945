"""The end of a game: who gets the points of the tiles that are left, and what may follow the last turn.

Tiles that are left are counted in one of two ways. The player who has none left gets twice the value of the others' tiles; or
gets their value once, and the owners lose it. With more than two players only the second way is possible. After several turns
without a score every player loses the value of the own rack.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from verify.scrabble.gcg import Event, Kind
from verify.scrabble.rulings import Rulings
from verify.scrabble.tiles import TileSet, written
from verify.text import counted, quote

Fault = Callable[[int, str, str], None]


@dataclass(frozen=True)
class _Counted:
    """Tiles counted at the end, and their value."""

    event: Event
    tiles: tuple[str, ...]
    value: int


@dataclass
class Ending:
    """What is known of the end of a game so far. `fault` takes the line, the code and the message of a fault."""

    tiles: TileSet
    rulings: Rulings
    players: int
    fault: Fault
    scoreless: int = 0
    last_turn: Event | None = None
    won: list[_Counted] = field(default_factory=list)
    lost: list[_Counted] = field(default_factory=list)
    _times: dict[str, Event] = field(default_factory=dict)
    _before: int = 0
    _told: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether tiles that are left have been counted."""
        return bool(self.won or self.lost)

    @property
    def is_over(self) -> bool:
        """Whether no turn can follow: tiles or time have been counted, or too many turns brought nothing."""
        return self.is_counted or bool(self._times) or self.scoreless >= self.rulings.scoreless

    def turn(self, event: Event) -> None:
        """A play, an exchange or a pass."""
        by_turns = self.scoreless >= self.rulings.scoreless
        if (self.is_counted or by_turns) and not self._told:
            self._told = True  # a fault for each turn that follows would say nothing more
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
        """The last play was taken back, so that its turn brought nothing."""
        self.scoreless = self._before + 1
        self.last_turn = None

    def time(self, event: Event) -> None:
        """A time penalty."""
        step = self.rulings.time_step
        if event.player in self._times:
            self.fault(event.line, "second-time", f"second time penalty of {quote(event.player)}: expected one")
        self._times[event.player] = event
        if event.score > 0 or event.score % step:
            self.fault(event.line, "wrong-score", f"time penalty {event.score:+d}: expected a multiple of -{step}")

    def count(self, event: Event, off_board: Counter[str]) -> int:
        """Tiles left at the end; returns the score that was expected."""
        tiles = tuple(self.tiles.split(event.tiles))
        value = self.tiles.rack_value(tiles)
        if not event.is_scored:
            # who loses tiles holds them
            once = self.players > 2 or self.lost
            event = replace(event, score=-value if event.rack else value if once else 2 * value)
        counted = _Counted(event, tiles, value)
        own = event.score < 0 or (event.score == 0 and event.rack != "")
        return self._lose(counted) if own else self._win(counted, off_board)

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
        """No event follows."""
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
        """Nobody gets the tiles of others: every player loses the own ones, after enough turns without a score."""
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
