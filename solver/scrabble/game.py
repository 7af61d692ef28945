"""A game in progress: board, bag, racks and totals, all determined by the seed and the events.

Every move is an event of a GCG file. A method such as `play` returns the event of a move, or raises an error if the move is not
allowed. `take` carries out an event. To undo a move or to resume a game, the events are replayed from the start. Every event is
written to the file before the next move.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from solver.errors import TableError
from solver.files import replace_file, unchanged
from verify.files import LARGEST_TEXT, read_file
from verify.scrabble.board import FULL_RACK, Board, Square
from verify.scrabble.game import Game
from verify.scrabble.gcg import Event, GameFile, Kind, Player, read_gcg, write_event, write_gcg
from verify.scrabble.play import THROUGH, Grid, Placed, place_text
from verify.scrabble.rule_sets import CASUAL, RuleSet, rule_sets, rules_of_tiles
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names
from verify.text import counted, is_printable, printable, quote

_LONGEST_NAME = 20  # characters


@dataclass(frozen=True)
class Setup:
    """The setup of a game.

    Attributes:
        players: The players, in the order of their turns.
        tiles: The tile set.
        lexicon: The name of the word list.
        seed: The seed of the order of the bag.
        rules: The name of the rule set; empty for that of the tile set.
    """

    players: tuple[Player, ...]
    tiles: TileSet
    lexicon: str
    seed: int
    rules: str = ""

    def name_of(self, nick: str) -> str:
        """Return the name of a player; the nick where the player has no name."""
        return next(player.name for player in self.players if player.nick == nick) or nick

    @property
    def rule_set(self) -> RuleSet:
        """The rule set."""
        return (
            rule_sets()[self.rules]
            if self.rules
            else rules_of_tiles(self.tiles.name) or rule_sets()[CASUAL]
        )


def setup_of(
    tiles: TileSet, lexicon: str, seed: int, names: Sequence[str] = ("bot1", "bot2")
) -> Setup:
    """Return the setup of a game of two bots, whose names are in the order of their turns."""
    return Setup(tuple(Player(name, name) for name in names), tiles, lexicon, seed)


def table_tiles(name: str) -> TileSet:
    """Return a bundled set for a new game. Raises `TableError` if the board cannot show the set."""
    sets = {known: _unshown(tile_set(known)) for known in tile_set_names()}
    if reason := sets.get(name, "no set has this name"):
        fitting = ", ".join(known for known, why in sets.items() if not why)
        raise TableError(f"tile set {quote(name)}: {reason}: expected one of {fitting}")
    return tile_set(name)


def players_of(names: Sequence[str]) -> tuple[Player, ...]:
    """Return the players of these names; their nicks have no spaces and colons. Raises `TableError`."""
    players = []
    for name in names:
        plain = " ".join(name.split())
        if not 1 <= len(plain) <= _LONGEST_NAME or not is_printable(plain):
            raise TableError(
                f"name {quote(name)}: expected 1 to {_LONGEST_NAME} characters that can be shown"
            )
        players.append(Player(re.sub(r"[\s:#>]+", "_", plain), plain))
    if len({player.nick for player in players}) < len(players):
        raise TableError(
            f"names {', '.join(quote(player.name) for player in players)}: expected different names"
        )
    return tuple(players)


def table_rules(name: str) -> str:
    """Return the name of a bundled rule set for a new game. Raises `TableError` if no new game can have it."""
    fitting = [known for known, rules in rule_sets().items() if not rules.void]
    if name not in fitting:
        reason = (
            "a new game needs rules with challenges"
            if name in rule_sets()
            else "no bundled rule set has this name"
        )
        raise TableError(f"rules {quote(name)}: {reason}: expected one of {', '.join(fitting)}")
    return name


def _unshown(tiles: TileSet) -> str:
    """Return why the board cannot show a set; empty if it can."""
    several = [tile for tile in tiles.values if len(tile) > 1]
    if several:
        return (
            f"its tiles {', '.join(several)} have several letters, and a tile of the board has one"
        )
    return "" if tiles.board == "standard" else f"it is played on the {tiles.board} board"


class TableGame(Game):
    """The state after `events`.

    Attributes:
        setup: The setup.
        events: The events so far.
        main_words: The main word of each event, with small letters for blanks; empty where it is no play.
        racks: The sorted tiles of each player.
        bag: The tiles in the bag; the last one is drawn next.
        settled: The players whose rack at the end has been counted.
    """

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.tiles, setup.rule_set, [player.nick for player in setup.players])
        self.setup = setup
        self.events: list[Event] = []
        self.main_words: list[str] = []
        self.settled: set[str] = set()
        self._before_last: tuple[str, tuple[str, ...]] = (
            "",
            (),
        )  # the rack before the last play, and the tiles drawn after it
        self._order = {tile: place for place, tile in enumerate([*self.tiles.values, BLANK])}
        self.bag = _shuffled(sorted(self.tiles.bag().elements()), f"{setup.seed}")
        self.racks = dict.fromkeys(self.nicks, "")
        for nick in self.nicks:
            self._draw(nick)

    @property
    def rack(self) -> str:
        """The tiles of the player on turn."""
        return self.racks[self.on_turn]

    @property
    def gone_out(self) -> str | None:
        """The player without tiles, whose last play may still be challenged; None if all players have tiles."""
        return next((nick for nick, rack in self.racks.items() if not rack), None)

    @property
    def is_over(self) -> bool:
        """Whether no player can move: one is out of tiles, the rules end the game, or racks have been counted."""
        return bool(self.settled) or self.gone_out is not None or self.must_end

    @property
    def can_end(self) -> bool:
        """Whether the player on turn may end the game, which is not over yet."""
        return self.may_end and not self.is_over

    @property
    def finished(self) -> bool:
        """Whether the game is over and all racks at the end have been counted."""
        return bool(self.settled) and not self.ending()

    def play(self, place: str, tiles: str) -> Event:
        """Return the event of laying `tiles` at `place`: a small letter is a blank, `.` a tile that is already on the board."""
        self._check_may_move()
        event = self._event(Kind.PLAY, self.on_turn, 0, place.upper(), tiles)
        try:
            placed = self.place(event)
        except ValueError as error:
            raise TableError(str(error)) from error
        strange = sorted(
            {tile for tile in tiles if tile != "." and tile.upper() not in self.tiles.values}
        )
        if strange:
            raise TableError(
                f"{quote(tiles)} holds {strange[0]!r}: expected letters of the {self.tiles.name} set"
            )
        if placed.faults:
            raise TableError(f"{place} {quote(tiles)}: {placed.faults[0]}")
        self._check_on_rack(self.used(placed), tiles)
        return self._event(Kind.PLAY, self.on_turn, self.score(placed), place.upper(), tiles)

    def exchange(self, tiles: str) -> Event:
        """Return the event of exchanging `tiles` for the same number from the bag."""
        self._check_may_move()
        needed = max(self.tiles.exchange, len(tiles))
        if len(self.bag) < needed:
            raise TableError(
                f"the bag holds {counted(len(self.bag), 'tile')}: this exchange needs at least {needed}"
            )
        self._check_on_rack(Counter(tiles), tiles)
        return self._event(Kind.EXCHANGE, self.on_turn, 0, tiles=tiles)

    def pass_turn(self) -> Event:
        """Return the event of passing."""
        self._check_may_move()
        return self._event(Kind.PASS, self.on_turn, 0)

    def challenge(self, is_word: Callable[[str], bool]) -> tuple[Event, str]:
        """Return the event of challenging the last play, and a sentence about its result.

        A play with an invalid word is withdrawn; otherwise its player gains, or the challenger loses points or the turn.
        """
        if self.last_play is None:
            raise TableError(
                "there is no play to challenge: expected the turn before to be a play not challenged yet"
            )
        words, nick, score = (
            self.last_play.placed.texts(),
            self.last_play.event.player,
            self.last_play.event.score,
        )
        wrong = [word for word in words if not is_word(word)]
        if wrong:
            withdrawn = Event(
                Kind.WITHDRAWN,
                nick,
                self._before_last[0],
                "",
                "",
                -score,
                self.totals[nick] - score,
            )
            return (
                withdrawn,
                f"{', '.join(wrong)}: not valid; {self.setup.name_of(nick)} takes the play back",
            )
        if self.rules.costs_turn:
            name = self.setup.name_of(self.on_turn)
            return self._event(
                Kind.PASS, self.on_turn, 0
            ), f"the play is good: {name} loses the turn"
        if self.rules.cost:
            who, points = self.on_turn, -self.rules.cost
        else:
            bonuses = self.rules.bonuses(len(words))
            who, points = nick, bonuses[-1] if self.rules.per_word else bonuses[0]
        return self._event(
            Kind.CHALLENGE, who, points
        ), f"the play is good: {points:+d} for {self.setup.name_of(who)}"

    def ending(self) -> list[Event]:
        """Return the events that still have to count the racks, once the game is over or the player on turn may end it."""
        if not (self.is_over or self.may_end):
            return []
        return [event for event in self._counts() if event.player not in self.settled]

    def _counts(self) -> list[Event]:
        """Return the events that count the tiles left.

        Every player loses the value of the tiles held. If the rules give it to the player who went out, it counts twice for
        that player instead with two players, and once with more.
        """
        out, held = self.gone_out, {nick: rack for nick, rack in self.racks.items() if rack}
        others = "".join(held.values())
        lost = [self._count(nick, rack, rack, -1) for nick, rack in held.items()]
        if out is None or not self.rules.gain:
            return lost
        if len(self.nicks) == 2:
            return [self._count(out, "", others, 2)]
        return [*lost, self._count(out, "", others, 1)]

    def _count(self, nick: str, rack: str, tiles: str, times: int) -> Event:
        score = times * self.tiles.rack_value(tiles)
        return Event(Kind.RACK, nick, rack, "", tiles, score, self.totals[nick] + score)

    def take(self, event: Event, placed: Placed | None = None) -> list[Square]:
        """Carry out `event`, which a method of this game has returned."""
        nick, played = event.player, self.last_play
        if event.kind is Kind.PLAY:
            placed = self.place(event)
        lifted = super().take(event, placed)
        if placed is not None:
            rack = self.racks[nick]
            self.racks[nick] = self._without(nick, self.used(placed))
            self._before_last = (rack, self._draw(nick))
        elif event.kind is Kind.EXCHANGE:
            self.racks[nick] = self._without(nick, Counter(event.tiles))
            self._draw(nick)
            self.bag = _shuffled(
                sorted([*self.bag, *event.tiles]), f"{self.setup.seed}:{len(self.events)}"
            )
        elif event.kind is Kind.WITHDRAWN and played is not None:
            self.racks[nick], drawn = self._before_last
            self.bag += reversed(drawn)
        elif event.kind is Kind.RACK:
            self.settled.add(nick)
            self.last_play = None
        self.events.append(event)
        self.main_words.append(
            "".join(tile for _square, tile in placed.words[0]) if placed is not None else ""
        )
        return lifted

    def _event(self, kind: Kind, nick: str, score: int, place: str = "", tiles: str = "") -> Event:
        return Event(kind, nick, self.racks[nick], place, tiles, score, self.totals[nick] + score)

    def _check_may_move(self) -> None:
        if self.settled or (self.is_over and self.gone_out is None):
            raise TableError("the game is over: expected 'undo' or 'quit'")
        if self.gone_out is not None:
            raise TableError(
                f"{self.gone_out} has played the last tile: expected 'challenge' or 'accept'"
            )

    def _check_on_rack(self, used: Counter[str], tiles: str) -> None:
        missing = used - Counter(self.rack)
        if missing:
            needed = " ".join(sorted(missing.elements()))
            hint = "; a small letter is a blank" if BLANK in missing else ""
            raise TableError(
                f"{quote(tiles)} needs {quote(needed)} more than the rack {self.rack!r} holds{hint}"
            )

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
    return [
        tile
        for _key, _place, tile in sorted(
            (rng.random(), place, tile) for place, tile in enumerate(tiles)
        )
    ]


def play_of(board: Board, grid: Grid, laid: Sequence[tuple[Square, str]]) -> tuple[str, str]:
    """Return (place, tiles) of the play that puts the tiles of `laid` on their squares, with `.` for each tile passed through.

    Raises `TableError` if the squares are not free or not in one line without a gap.
    """
    new = dict(laid)
    if not new:
        raise TableError("no tile is laid: put at least one on the board")
    taken = [square for square, _tile in laid if square in grid or not board.holds(square)]
    if taken or len(new) < len(laid):
        raise TableError(
            f"{taken[0] if taken else 'a square'} is taken: expected a free square for each tile"
        )
    squares = sorted(new)
    rows, columns = {square.row for square in squares}, {square.column for square in squares}
    if len(rows) > 1 and len(columns) > 1:
        raise TableError("the tiles are not in one row or column")
    sideways = grid.keys() & {squares[0].next(True, -1), squares[0].next(True)}
    above = grid.keys() & {squares[0].next(False, -1), squares[0].next(False)}
    across = len(rows) == 1 if len(squares) > 1 else bool(sideways) or not above
    start = squares[0]
    while start.next(across, -1) in grid:
        start = start.next(across, -1)
    tiles, square = "", start
    while square <= squares[-1] or square in grid:
        if square not in new and square not in grid:
            raise TableError(f"{square} is empty: expected no gap between the tiles")
        tiles += new.get(square, THROUGH)
        square = square.next(across)
    return place_text(start, across), tiles


_PLAY = re.compile(r"([0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2})\s+(\S+)")
_WORDS = {"pass": "-", "q": "quit", "exit": "quit", "?": "help"}
_LONGEST = 60  # characters of a place, tiles or a name
COMMANDS = ("challenge", "accept", "undo", "hint", "end", "help", "quit")


@dataclass(frozen=True)
class Move:
    """A move or a command.

    Attributes:
        kind: play, exchange, pass or one of `COMMANDS`.
        place: The place of a play.
        tiles: The tiles played or exchanged.
    """

    kind: str
    place: str = ""
    tiles: str = ""


def parse_move(text: str) -> Move:
    """Return the move of a line of input. Raises `TableError`, which lists the possible input."""
    line = _WORDS.get(text.strip().lower(), text.strip())
    if line.lower() in COMMANDS:
        return Move(line.lower())
    if line == "-":
        return Move("pass")
    exchanged = re.fullmatch(r"(?:-|exchange\s+)\s*(\S+)", line, re.IGNORECASE)
    if exchanged:
        return Move("exchange", tiles=exchanged[1].upper())
    played = _PLAY.fullmatch(line)
    if played:
        return Move("play", played[1].upper(), played[2])
    raise TableError(
        f"{quote(line)}: expected a play such as '8H FACED', -ABC, -, or one of {', '.join(COMMANDS)}"
    )


def move_text(event: Event, word: str = "", hides_tiles: bool = False) -> str:
    """Return what a player does in an event, in words.

    Args:
        event: The event.
        word: The main word of a play, for which its tiles may have dots.
        hides_tiles: Whether to leave out the tiles that others must not see.
    """
    given = counted(len(event.tiles), "tile") if hides_tiles else short(event.tiles)
    return {
        Kind.PLAY: f"{short(event.place)} {short(word or event.tiles)}",
        Kind.EXCHANGE: f"exchanges {given}",
        Kind.PASS: "passes",
        Kind.WITHDRAWN: "takes the play back",
        Kind.CHALLENGE: "challenges without success"
        if event.score < 0
        else "is challenged without success",
        Kind.TIME: "loses time",
        Kind.RACK: f"counts {short(event.tiles)}",
    }[event.kind]


def short(text: str) -> str:
    """Return the beginning of a text of a file as a terminal can show it."""
    return printable(text[:_LONGEST])


SEED, BOT, RULES = "bag-seed", "bot", "rules"
_LONGEST_SEED = 1_000  # digits


def game_text(game: TableGame) -> str:
    """Return the text of a GCG file of a game."""
    return write_gcg(replace(new_file(game.setup), events=tuple(game.events)))


def new_file(setup: Setup, bot: str | None = None) -> GameFile:
    """Return the file of a game before its first event. `bot`: the nick of the player that is a bot."""
    pragmata = [
        ("lexicon", setup.lexicon),
        ("tile-distribution", setup.tiles.name),
        (SEED, str(setup.seed)),
    ]
    pragmata += [(RULES, setup.rule_set.name)]
    pragmata += [(BOT, bot)] if bot is not None else []
    return GameFile(setup.players, tuple(pragmata))


def replayed(path: Path | str, content: bytes) -> tuple[GameFile, TableGame]:
    """Return the game in the bytes of a file, replayed event by event. Raises `TableError`, which names `path`."""
    file = read_gcg(content)
    if file.problems:
        problem = file.problems[0]
        raise TableError(f"{path}:{problem.line}: {problem.message}")
    game = TableGame(_setup(path, file))
    for event in file.events:
        _retake(path, game, event)
    return file, game


def without_last(file: GameFile) -> GameFile:
    """Return a game without its last event and the events after it that count the racks. Raises `TableError` if it has none."""
    events = list(file.events)
    while events and events[-1].kind is Kind.RACK:
        events.pop()
    if not events:
        raise TableError("there is nothing to undo")
    return replace(file, events=tuple(events[:-1]))


class Store:
    """The file of one game. Raises `TableError` if the file cannot be read or written, or was changed by others."""

    def __init__(self, path: Path, content: bytes | None, game: GameFile) -> None:
        self.path = path
        self._content = content  # what this process last read or wrote
        self._file = game

    @classmethod
    def create(cls, path: Path, setup: Setup, bot: str | None = None) -> "Store":
        """Create a file; an existing file is never overwritten. `bot`: the nick of the player that is a bot."""
        game = new_file(setup, bot)
        store = cls(path, None, game)
        store._replace(game)
        return store

    @classmethod
    def open(cls, path: Path) -> tuple["Store", TableGame]:
        """Return the file at `path` and its game, replayed event by event."""
        try:
            content = read_file(path, LARGEST_TEXT)
        except OSError as error:
            raise TableError(f"{path}: cannot be read ({error.strerror})") from error
        file, game = replayed(path, content)
        return cls(path, content, file), game

    @property
    def bot(self) -> str | None:
        """The nick of the player that is a bot; None if all players are people."""
        return self._file.pragma(BOT) or None

    def append(self, event: Event) -> None:
        """Append `event` to the file; it is on disk when this returns."""
        self._replace(replace(self._file, events=(*self._file.events, event)))

    def undo(self) -> TableGame:
        """Remove the last event, and the events after it that count the racks; return the game before it."""
        self._replace(without_last(self._file))
        return replayed(self.path, write_gcg(self._file).encode())[1]

    def _replace(self, file: GameFile) -> None:
        text = write_gcg(file)
        try:
            with unchanged(self.path, self._content):
                replace_file(self.path, text)
        except FileExistsError as error:
            remedy = f"go on with it by '--resume {self.path}'"
            other = ", or name another file" if self._content is None else ""
            raise TableError(f"{self.path}: {error.strerror}: {remedy}{other}") from error
        except OSError as error:
            raise TableError(f"{self.path}: cannot be written ({error.strerror})") from error
        self._content = text.encode()
        self._file = file


def _setup(path: Path | str, file: GameFile) -> Setup:
    seed = file.pragma(SEED)
    if not seed.isascii() or not seed.isdecimal() or len(seed) > _LONGEST_SEED:
        raise TableError(
            f"{path}: #{SEED} {quote(seed)}: expected the seed of the bag, as 'rowdraw scrabble play' writes it"
        )
    try:
        tiles = table_tiles((file.pragma("tile-distribution") or "english").lower())
        rules = table_rules(file.pragma(RULES) or CASUAL)  # files of version 1 name no rules
    except TableError as error:
        raise TableError(f"{path}: {error}") from error
    if not 2 <= len(file.players) <= 4 or len({player.nick for player in file.players}) < len(
        file.players
    ):
        raise TableError(f"{path}: {len(file.players)} players: expected 2 to 4 of different names")
    if not all(is_printable(player.nick) and is_printable(player.name) for player in file.players):
        raise TableError(f"{path}: expected players whose names can be shown")
    return Setup(file.players, tiles, file.pragma("lexicon"), int(seed), rules)


def _retake(path: Path | str, game: TableGame, event: Event) -> None:
    """Carry out an event of a file. Raises `TableError` if rowdraw would not have written the same event."""
    try:
        made = _made_again(game, event)
    except TableError as error:
        raise TableError(f"{path}:{event.line}: {error}") from error
    expected = write_event(made).strip()
    plain = replace(event, note="", comment="")
    if made != plain:
        raise TableError(
            f"{path}:{event.line}: this is not the game of seed {game.setup.seed}: expected {quote(expected)}"
        )
    game.take(made)


def _made_again(game: TableGame, event: Event) -> Event:
    if event.kind is Kind.PLAY:
        return game.play(event.place, event.tiles)
    if event.kind is Kind.EXCHANGE:
        return game.exchange(event.tiles)
    if event.kind is Kind.PASS:
        # a failed challenge of the last play of a game can cost the turn
        is_lost = game.gone_out is not None and game.rules.costs_turn
        return game.challenge(lambda _word: True)[0] if is_lost else game.pass_turn()
    if event.kind in (Kind.WITHDRAWN, Kind.CHALLENGE):
        # the ruling in the file counts, even if the word list has changed since
        return game.challenge(lambda _word: event.kind is Kind.CHALLENGE)[0]
    if event.kind is Kind.RACK:
        made = next((made for made in game.ending() if made.player == event.player), None)
        if made is not None:
            return made
    raise TableError(
        f"{event.kind.value} of {quote(event.player)}: expected a move that is possible here"
    )
