"""The referee of a whole game: replays it event by event and names every fault.

After a fault it goes on with what the file says: a wrong score or total is reported once, and the next total is compared with
the file's own. The words of a withdrawn play are not looked up, since plays are withdrawn because a word is not valid.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from verify.scrabble.board import FULL_RACK, standard_board
from verify.scrabble.gcg import Event, GameFile, Kind
from verify.scrabble.play import Grid, Placed, parse_place, place_play, score_play
from verify.scrabble.tiles import BLANK, TileSet
from verify.text import quote
from verify.verdict import Violation

_CHALLENGE_BONUSES = (5, 10)
_TURNS = {Kind.PLAY, Kind.EXCHANGE, Kind.PASS}


@dataclass
class _Player:
    total: int = 0
    last_play: "_Played | None" = None


@dataclass(frozen=True)
class _Played:
    event: Event
    placed: Placed
    score: int


@dataclass
class GameReferee:
    """A game in progress.

    is_word: says whether a word (in capitals) is valid; None if words are not judged.
    """

    tiles: TileSet
    is_word: Callable[[str], bool] | None
    grid: Grid = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    _players: dict[str, _Player] = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)
    _on_turn: str | None = None

    def judge(self, game: GameFile) -> None:
        """Replay all events of `game`."""
        self._order = [player.nick for player in game.players]
        self._players = {nick: _Player() for nick in self._order}
        if not 2 <= len(self._order) <= 4:
            self._fault(
                0, "players", f"{len(self._order)} players are named: expected 2 to 4 pragmata such as '#player1 ann Ann'"
            )
        withdrawn = _withdrawn_plays(game.events)
        for index, event in enumerate(game.events):
            self._take(event, index in withdrawn)

    @property
    def totals(self) -> dict[str, int]:
        """The total of each player, as the file says."""
        return {nick: player.total for nick, player in self._players.items()}

    def _take(self, event: Event, withdrawn: bool) -> None:
        if event.player not in self._players:
            if self._order:
                known = ", ".join(map(quote, self._order))
                self._fault(
                    event.line, "unknown-player", f"{quote(event.player)} is not a player of this game: expected one of {known}"
                )
            self._players[event.player] = _Player()
        player = self._players[event.player]
        if event.kind in _TURNS:
            self._check_turn(event)
        taken_back = self._withdraw(event, player) if event.kind is Kind.WITHDRAWN else None
        if event.rack:
            self._check_rack(event)
        expected = {
            Kind.PLAY: self._play,
            Kind.EXCHANGE: self._exchange,
            Kind.PASS: self._nothing,
            Kind.WITHDRAWN: lambda _event, _player: taken_back,
            Kind.CHALLENGE: self._challenge,
            Kind.TIME: self._time,
            Kind.RACK: self._end_rack,
        }[event.kind](event, player)
        if event.kind is Kind.PLAY and not withdrawn and player.last_play is not None:
            self._check_words(event, player.last_play.placed)
        if expected is not None and event.score != expected:
            self._fault(event.line, "wrong-score", f"{event.score:+d}: expected {expected:+d}")
        if event.total != player.total + event.score:
            self._fault(
                event.line,
                "wrong-total",
                f"total {event.total} after {player.total} {event.score:+d}: expected {player.total + event.score}",
            )
        player.total = event.total

    def _check_turn(self, event: Event) -> None:
        if self._on_turn is not None and event.player != self._on_turn and event.player in self._order:
            self._fault(event.line, "out-of-turn", f"{quote(event.player)} moves: expected {quote(self._on_turn)}")
        if event.player in self._order:
            place = self._order.index(event.player)
            self._on_turn = self._order[(place + 1) % len(self._order)]

    def _check_rack(self, event: Event) -> None:
        """The rack must be tiles that are neither on the board nor more than the set has."""
        unknown = sorted({tile for tile in event.rack if tile not in self.tiles.counts})
        if unknown:
            self._fault(
                event.line,
                "unknown-tile",
                f"rack {quote(event.rack)} holds {quote(' '.join(unknown))}: no tiles of the {self.tiles.name} set",
            )
        if len(event.rack) > FULL_RACK:
            self._fault(
                event.line, "rack-size", f"rack {quote(event.rack)} holds {len(event.rack)} tiles: expected at most {FULL_RACK}"
            )
        self._check_bag(event, Counter(event.rack), f"rack {quote(event.rack)}")

    def _check_bag(self, event: Event, wanted: Counter[str], what: str) -> None:
        unseen = self.tiles.bag()
        unseen.subtract(self.tiles.tile_of(tile) for tile in self.grid.values())
        short = {tile: count - unseen[tile] for tile, count in wanted.items() if tile in unseen and count > unseen[tile]}
        if short:
            tiles = " ".join(tile for tile, count in sorted(short.items()) for _ in range(count))
            self._fault(event.line, "not-in-bag", f"{what} needs {quote(tiles)} more than the set has off the board")

    def _play(self, event: Event, player: _Player) -> int | None:
        player.last_play = None
        try:
            start, across = parse_place(event.place)
        except ValueError as error:
            self._fault(event.line, "illegal-play", str(error))
            return None
        placed = place_play(self.grid, start, across, event.tiles)
        for fault in placed.faults:
            self._fault(event.line, "illegal-play", f"{event.place} {quote(event.tiles)}: {fault}")
        used = Counter(self.tiles.tile_of(tile) for tile in placed.new.values())
        strange = sorted({tile for tile in placed.new.values() if tile.upper() not in self.tiles.values})
        if strange:
            self._fault(
                event.line,
                "unknown-tile",
                f"{quote(event.tiles)} lays {quote(' '.join(strange))}: no tiles of the {self.tiles.name} set",
            )
        if event.rack:
            missing = used - Counter(event.rack)
            if missing:
                tiles = " ".join(sorted(missing.elements()))
                self._fault(
                    event.line,
                    "not-on-rack",
                    f"{quote(event.tiles)} needs {quote(tiles)} more than the rack {quote(event.rack)} holds",
                )
        else:
            self._check_bag(event, used, f"play {quote(event.tiles)}")
        score = score_play(placed, self.grid, standard_board(), self.tiles)
        self.grid.update(placed.new)
        player.last_play = _Played(event, placed, score)
        return score

    def _check_words(self, event: Event, placed: Placed) -> None:
        if self.is_word is not None:
            for word in placed.texts():
                if not self.is_word(word):
                    self._fault(event.line, "unknown-word", f"{quote(word)} is not in the word list")

    def _nothing(self, _event: Event, player: _Player) -> int:
        player.last_play = None
        return 0

    def _exchange(self, event: Event, player: _Player) -> int:
        player.last_play = None
        named = not (event.tiles.isascii() and event.tiles.isdecimal())
        # the file may give only the number of tiles; of a number with many digits the first ones are enough
        number = len(event.tiles) if named else int(event.tiles[:9])
        if event.rack and named:
            missing = Counter(event.tiles) - Counter(event.rack)
            if missing:
                tiles = " ".join(sorted(missing.elements()))
                self._fault(
                    event.line,
                    "not-on-rack",
                    f"exchange of {quote(event.tiles)} needs {quote(tiles)} more than the rack {quote(event.rack)} holds",
                )
        if number > FULL_RACK:
            self._fault(event.line, "illegal-exchange", f"{number} tiles are exchanged: expected at most {FULL_RACK}")
        left = self._bag_size()
        if left < FULL_RACK:
            self._fault(event.line, "illegal-exchange", f"the bag holds {max(0, left)} tiles: expected at least {FULL_RACK}")
        return 0

    def _bag_size(self) -> int:
        """How many tiles are in the bag if every player holds a full rack."""
        return self.tiles.bag().total() - len(self.grid) - FULL_RACK * max(2, len(self._order))

    def _withdraw(self, event: Event, player: _Player) -> int | None:
        played, player.last_play = player.last_play, None
        if played is None:
            self._fault(
                event.line,
                "illegal-withdrawal",
                f"{quote(event.player)} has no play to take back: expected a play in the turn before",
            )
            return None
        for square in played.placed.new:
            del self.grid[square]
        return -played.event.score

    def _challenge(self, event: Event, player: _Player) -> int | None:
        if player.last_play is None:
            self._fault(event.line, "illegal-challenge", f"{quote(event.player)} has no play that was challenged")
        if event.score in _CHALLENGE_BONUSES:
            return event.score
        expected = " or ".join(f"+{bonus}" for bonus in _CHALLENGE_BONUSES)
        self._fault(event.line, "wrong-score", f"challenge bonus {event.score:+d}: expected {expected}")
        return None

    def _time(self, event: Event, _player: _Player) -> int | None:
        if event.score > 0:
            self._fault(event.line, "wrong-score", f"time penalty {event.score:+d}: expected 0 or less")
        return None

    def _end_rack(self, event: Event, _player: _Player) -> int:
        """The points for tiles left at the end: own ones are lost, those of others are won, twice with two players."""
        value = self.tiles.rack_value(event.tiles)
        self._check_bag(
            event, Counter(tile for tile in event.tiles if tile in self.tiles.counts or tile == BLANK), quote(event.tiles)
        )
        if event.score < 0 or (event.rack == event.tiles and event.rack and event.score <= 0):
            return -value
        doubled = 2 * value
        return value if event.score == value and len(self._order) > 2 else doubled

    def _fault(self, line: int, code: str, message: str) -> None:
        self.violations.append(Violation(line, code, message))


def _withdrawn_plays(events: tuple[Event, ...]) -> set[int]:
    """The places, in `events`, of the plays that their players take back."""
    last: dict[str, int] = {}
    found = set()
    for index, event in enumerate(events):
        if event.kind is Kind.PLAY:
            last[event.player] = index
        elif event.kind is Kind.WITHDRAWN and event.player in last:
            found.add(last.pop(event.player))
    return found
