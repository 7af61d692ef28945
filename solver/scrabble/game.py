"""A game in progress: board, bag, racks and totals, all determined by the seed and the events.

Every move is an event of a GCG file. A method such as `play` returns the event of a move, or raises an error if the move is not
allowed. `take` carries out an event. To undo a move or to resume a game, the events are replayed from the start.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from solver.errors import TableError
from verify.scrabble.board import FULL_RACK, standard_board
from verify.scrabble.gcg import Event, Kind, Player
from verify.scrabble.play import Grid, Placed, parse_place, place_play, score_play
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names
from verify.text import counted, quote

CHALLENGE_BONUS = 5  # points for a player whose valid play was challenged


@dataclass(frozen=True)
class EndRules:
    """How a game ends besides a player going out with an empty bag, and who gets the value of the tiles left.

    Attributes:
        passes: The number of passes in a row of every player that end the game; 0 if passes do not end it.
        scoreless: The number of turns in a row without a point after which the player on turn may end the game; 0 for never.
            The game cannot end like this on an empty board.
        gains: Whether the player who goes out gets the value of the tiles of the others.
    """

    passes: int
    scoreless: int
    gains: bool


END_RULES = {"gain": EndRules(0, 6, True), "deduct": EndRules(2, 0, False)}
"""The rules by name: those of most federations, and those of Icelandic tables."""


@dataclass(frozen=True)
class Setup:
    """The setup of a game.

    Attributes:
        players: The players, in the order of their turns.
        tiles: The tile set.
        lexicon: The name of the word list.
        seed: The seed of the order of the bag.
        end: The name of the rules of the end, one of `END_RULES`; empty for those of the tile set.
    """

    players: tuple[Player, ...]
    tiles: TileSet
    lexicon: str
    seed: int
    end: str = ""

    @property
    def nicks(self) -> list[str]:
        """The nicks of the players, in the order of their turns."""
        return [player.nick for player in self.players]

    @property
    def end_name(self) -> str:
        """The name of the rules of the end."""
        return self.end or self.tiles.end

    @property
    def end_rules(self) -> EndRules:
        """The rules of the end."""
        return END_RULES[self.end_name]


def table_tiles(name: str) -> TileSet:
    """Return a bundled set for games at a table. Raises `TableError` if the set needs another board or brackets."""
    sets = [tile_set(known) for known in tile_set_names()]
    fitting = {some.name: some for some in sets if some.board == "standard" and all(len(tile) == 1 for tile in some.values)}
    if name not in fitting:
        raise TableError(f"tile set {quote(name)}: expected one of {', '.join(fitting)}")
    return fitting[name]


@dataclass(frozen=True)
class LastPlay:
    """The play that may still be challenged, with the state needed to take it back."""

    nick: str
    placed: Placed
    score: int
    rack: str
    drawn: tuple[str, ...]
    scoreless_before: int


@dataclass
class TableGame:
    """The state after `events`.

    Attributes:
        setup: The setup.
        events: The events so far.
        grid: The tiles on the board.
        totals: The total of each player.
        racks: The sorted tiles of each player.
        bag: The tiles in the bag; the last one is drawn next.
        last_play: The play that may still be challenged, if any.
        settled: The players whose rack at the end has been counted.
    """

    setup: Setup
    events: list[Event] = field(default_factory=list)
    grid: Grid = field(default_factory=dict)
    totals: dict[str, int] = field(init=False)
    racks: dict[str, str] = field(init=False)
    bag: list[str] = field(init=False)
    last_play: LastPlay | None = None
    settled: set[str] = field(default_factory=set)
    _turns: int = 0
    _passes: int = 0
    _scoreless: int = 0

    def __post_init__(self) -> None:
        self._order = {tile: place for place, tile in enumerate([*self.setup.tiles.values, BLANK])}
        self.totals = dict.fromkeys(self.setup.nicks, 0)
        self.bag = _shuffled(sorted(self.setup.tiles.bag().elements()), f"{self.setup.seed}")
        self.racks = dict.fromkeys(self.setup.nicks, "")
        for nick in self.setup.nicks:
            self._draw(nick)

    @property
    def on_turn(self) -> str:
        """The nick of the player whose move it is."""
        return self.setup.nicks[self._turns % len(self.setup.nicks)]

    @property
    def rack(self) -> str:
        """The tiles of the player on turn."""
        return self.racks[self.on_turn]

    @property
    def gone_out(self) -> str | None:
        """The player without tiles, whose last play may still be challenged; None if all players have tiles."""
        return next((nick for nick, rack in self.racks.items() if not rack), None)

    @property
    def scoreless(self) -> int:
        """The number of turns in a row without a point."""
        return self._scoreless

    @property
    def may_end(self) -> bool:
        """Whether enough turns brought no point that the player on turn may end the game, which is not over yet."""
        enough = self.setup.end_rules.scoreless
        return bool(enough and self.grid) and self._scoreless >= enough and not self.is_over and not self.settled

    @property
    def is_over(self) -> bool:
        """Whether no player can move: one is out of tiles, all have passed often enough, or racks have been counted."""
        passes = self.setup.end_rules.passes * len(self.setup.players)
        return bool(self.settled) or self.gone_out is not None or 0 < passes <= self._passes

    @property
    def finished(self) -> bool:
        """Whether the game is over and all racks at the end have been counted."""
        return bool(self.settled) and not self.ending()

    def play(self, place: str, tiles: str) -> Event:
        """Return the event of laying `tiles` at `place`: a small letter is a blank, `.` a tile that is already on the board."""
        self._check_may_move()
        try:
            start, across = parse_place(place, standard_board())
        except ValueError as error:
            raise TableError(str(error)) from error
        strange = sorted({tile for tile in tiles if tile != "." and tile.upper() not in self.setup.tiles.values})
        if strange:
            raise TableError(f"{quote(tiles)} holds {strange[0]!r}: expected letters of the {self.setup.tiles.name} set")
        placed = place_play(standard_board(), self.grid, start, across, tiles)
        if placed.faults:
            raise TableError(f"{place} {quote(tiles)}: {placed.faults[0]}")
        used = Counter(self.setup.tiles.tile_of(tile) for tile in placed.new.values())
        self._check_on_rack(used, tiles)
        score = score_play(standard_board(), self.grid, placed, self.setup.tiles)
        return self._event(Kind.PLAY, self.on_turn, score, place.upper(), tiles)

    def exchange(self, tiles: str) -> Event:
        """Return the event of exchanging `tiles` for the same number from the bag."""
        self._check_may_move()
        needed = max(self.setup.tiles.exchange, len(tiles))
        if len(self.bag) < needed:
            raise TableError(f"the bag holds {counted(len(self.bag), 'tile')}: this exchange needs at least {needed}")
        self._check_on_rack(Counter(tiles), tiles)
        return self._event(Kind.EXCHANGE, self.on_turn, 0, tiles=tiles)

    def pass_turn(self) -> Event:
        """Return the event of passing."""
        self._check_may_move()
        return self._event(Kind.PASS, self.on_turn, 0)

    def challenge(self, is_word: Callable[[str], bool]) -> tuple[Event, list[str]]:
        """Return the event of challenging the last play, and its invalid words.

        A play with an invalid word is withdrawn; otherwise its player gets `CHALLENGE_BONUS`. Then the challenger moves.
        """
        if self.last_play is None:
            raise TableError("there is no play to challenge: expected the turn before to be a play not challenged yet")
        wrong = [word for word in self.last_play.placed.texts() if not is_word(word)]
        nick = self.last_play.nick
        if wrong:
            withdrawn = Event(
                Kind.WITHDRAWN,
                nick,
                self.last_play.rack,
                "",
                "",
                -self.last_play.score,
                self.totals[nick] - self.last_play.score,
            )
            return withdrawn, wrong
        return self._event(Kind.CHALLENGE, nick, CHALLENGE_BONUS), []

    def ending(self) -> list[Event]:
        """Return the events that still have to count the racks, once the game is over or the player on turn may end it.

        Every player loses the value of the tiles held. If the rules give it to the player who went out, it counts twice for
        that player instead with two players, and once with more.
        """
        if not (self.is_over or self.may_end):
            return []
        held = {nick: rack for nick, rack in self.racks.items() if rack}
        out = self.gone_out if self.setup.end_rules.gains else None
        others = "".join(held.values())
        if out is not None and len(self.setup.players) == 2:
            settling = [self._settle(out, others, 2)]
        else:
            settling = [self._settle(nick, rack, -1) for nick, rack in held.items()]
            settling += [self._settle(out, others, 1)] if out is not None else []
        return [event for event in settling if event.player not in self.settled]

    def take(self, event: Event) -> None:
        """Carry out `event`, which a method of this game has returned."""
        nick = event.player
        if event.kind is Kind.PLAY:
            self._lay(event)
        elif event.kind is Kind.EXCHANGE:
            self.racks[nick] = self._without(nick, Counter(event.tiles))
            self._draw(nick)
            self.bag = _shuffled(sorted([*self.bag, *event.tiles]), f"{self.setup.seed}:{len(self.events)}")
        elif event.kind is Kind.WITHDRAWN and self.last_play is not None:
            for square in self.last_play.placed.new:
                del self.grid[square]
            self.bag += reversed(self.last_play.drawn)
            self.racks[nick] = self.last_play.rack
            self._scoreless = self.last_play.scoreless_before + 1
        elif event.kind is Kind.RACK:
            self.settled.add(nick)
        if event.kind in (Kind.EXCHANGE, Kind.PASS):
            self._scoreless += 1
        if event.kind in (Kind.PLAY, Kind.EXCHANGE, Kind.PASS):
            self._turns += 1
            self._passes = self._passes + 1 if event.kind is Kind.PASS else 0
        if event.kind is not Kind.PLAY:
            self.last_play = None
        self.totals[nick] = event.total
        self.events.append(event)

    def _lay(self, event: Event) -> None:
        nick, rack = event.player, self.racks[event.player]
        placed = place_play(standard_board(), self.grid, *parse_place(event.place, standard_board()), event.tiles)
        self.grid.update(placed.new)
        self.racks[nick] = self._without(nick, Counter(self.setup.tiles.tile_of(tile) for tile in placed.new.values()))
        drawn = self._draw(nick)
        self.last_play = LastPlay(nick, placed, event.score, rack, drawn, self._scoreless)
        self._scoreless = 0 if event.score else self._scoreless + 1

    def _event(self, kind: Kind, nick: str, score: int, place: str = "", tiles: str = "") -> Event:
        return Event(kind, nick, self.racks[nick], place, tiles, score, self.totals[nick] + score)

    def _settle(self, nick: str, tiles: str, times: int) -> Event:
        score = times * self.setup.tiles.rack_value(tiles)
        return Event(Kind.RACK, nick, self.racks[nick], "", tiles, score, self.totals[nick] + score)

    def _check_may_move(self) -> None:
        if self.settled or (self.is_over and self.gone_out is None):
            raise TableError("the game is over: expected 'undo' or 'quit'")
        if self.gone_out is not None:
            raise TableError(f"{self.gone_out} has played the last tile: expected 'challenge' or 'accept'")

    def _check_on_rack(self, used: Counter[str], tiles: str) -> None:
        missing = used - Counter(self.rack)
        if missing:
            needed = " ".join(sorted(missing.elements()))
            hint = "; a small letter is a blank" if BLANK in missing else ""
            raise TableError(f"{quote(tiles)} needs {quote(needed)} more than the rack {self.rack!r} holds{hint}")

    def _without(self, nick: str, used: Counter[str]) -> str:
        return self._sorted((Counter(self.racks[nick]) - used).elements())

    def _draw(self, nick: str) -> tuple[str, ...]:
        """Fill the rack of `nick` from the bag; return the tiles in the order of their draws."""
        count = min(FULL_RACK - len(self.racks[nick]), len(self.bag))
        drawn = tuple(self.bag.pop() for _ in range(count))
        self.racks[nick] = self._sorted([*self.racks[nick], *drawn])
        return drawn

    def _sorted(self, tiles: Iterable[str]) -> str:
        return "".join(sorted(tiles, key=self._order.__getitem__))


def _shuffled(tiles: list[str], seed: str) -> list[str]:
    """Return `tiles` in an order that depends only on `seed`, the same in every version of Python."""
    rng = Random(seed)
    return [tile for _key, _place, tile in sorted((rng.random(), place, tile) for place, tile in enumerate(tiles))]
