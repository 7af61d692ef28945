"""A game in progress: board, bag, racks and totals, all determined by the seed and the events.

Every move is an event of a GCG file. A method such as `play` returns the event of a move, or raises
an error if the move is not allowed. `take` carries out an event. To undo a move or to resume a
game, the events are replayed from the start. Every event is written to the file before the next
move.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from solver.errors import TableError
from solver.files import keep_game
from verify.files import LARGEST_TEXT, read_file
from verify.scrabble.board import Square
from verify.scrabble.game import GameState
from verify.scrabble.game_referee import GameReferee
from verify.scrabble.gcg import (
    OWN_ID,
    TURNS,
    Event,
    GameFile,
    Kind,
    Player,
    read_gcg,
    write_event,
    write_gcg,
)
from verify.scrabble.play import THROUGH, Grid, Placed, place_text
from verify.scrabble.rule_sets import CASUAL, rule_set_of, rule_sets
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names, written
from verify.strictness import Strictness
from verify.text import counted, is_printable, printable, quote

_LONGEST_NAME = 20  # characters


def in_order(tiles: TileSet, some: Iterable[str]) -> list[str]:
    """Return tiles in the order of their set, blanks last."""
    return sorted(some, key=[*tiles.values, BLANK].index)


def table_tiles(name: str) -> TileSet:
    """Return a bundled set, which the file of a game names. Raises `TableError` for any other."""
    if name not in tile_set_names():
        expected = f"expected one of {', '.join(tile_set_names())}"
        raise TableError(f"tile set {quote(name)}: no bundled set has this name: {expected}")
    return tile_set(name)


def players_of(names: Sequence[str]) -> tuple[Player, ...]:
    """Return the players of these names; their nicks have no spaces, colons and semicolons.

    Raises `TableError`.
    """
    shown = [" ".join(name.split()) for name in names]
    for name, plain in zip(names, shown, strict=True):
        if not 1 <= len(plain) <= _LONGEST_NAME or not is_printable(plain):
            raise TableError(
                f"name {quote(name)}: expected 1 to {_LONGEST_NAME} characters that can be shown"
            )
    nicks = [re.sub(r"[\s:;#>]+", "_", plain) for plain in shown]
    if len({nick.casefold() for nick in nicks}) < len(nicks):
        expected = "expected different names, whatever their capitals"
        raise TableError(f"names {', '.join(map(quote, shown))}: {expected}")
    return tuple(map(Player, nicks, shown))


SEED, BOT, RULES = "bag-seed", "bot", "rules"
_LONGEST_SEED = 1_000  # digits


def new_file(
    players: Sequence[Player],
    tiles: TileSet,
    lexicon: str,
    seed: int,
    rules: str | None = None,
    bot: str = "",
) -> GameFile:
    """Return the file of a new game.

    Args:
        players: The players, in the order of their turns.
        tiles: A bundled tile set.
        lexicon: The name of the word list.
        seed: The seed of the order of the bag.
        rules: A rule set or a file of one, which the game does not name; None for that of the tile
            set.
        bot: The nick of the bot; empty if all players are people.
    """
    rule_set = rule_set_of(rules or tiles.rules or CASUAL)
    own = {SEED: str(seed), RULES: "", BOT: bot}
    if rule_set in rule_sets().values():
        own[RULES] = rule_set.name  # a file is the user's: no game names one
    fields = ";".join(f"{name}={value}" for name, value in own.items() if value)
    pragmata = [
        ("lexicon", lexicon),
        ("tile-distribution", tiles.name),
        ("id", f"{OWN_ID} {fields}"),
    ]
    if tiles.board == "super":
        pragmata.append(("board-layout", "SuperCrosswordGame"))
    return GameFile(tuple(players), tuple(pragmata))


class TableGame(GameState):
    """The state after the events of `file`.

    Args:
        file: The file; it is replayed by `take`.
        rules: A rule set, or a file of one, in place of that which the file names.

    Attributes:
        file: The file with the events so far.
        names: The name of each player; the nick where the player has no name.
        rules_option: The argument `rules`.
        lexicon: The name of the word list.
        seed: The seed of the order of the bag.
        bot: The nick of the player that is a bot; None if all players are people.
        main_words: The main word of each event, with small letters for blanks; empty for other
            events than plays.
        racks: The sorted tiles of each player, as they are written.
        bag: The tiles in the bag; the last one is drawn next.
        settled: The players whose rack at the end has been counted.

    Raises:
        TableError: The file does not say enough for a table.
    """

    def __init__(self, file: GameFile, rules: str | None = None) -> None:
        seed = file.pragma(SEED)
        if not seed.isascii() or not seed.isdecimal() or len(seed) > _LONGEST_SEED:
            expected = f"expected a game that rowdraw saved, with a line '#id {OWN_ID} {SEED}=N'"
            raise TableError(f"{SEED} {quote(seed)}: {expected}")
        tiles = table_tiles((file.pragma("tile-distribution") or "english").lower())
        named = file.pragma(RULES) or CASUAL  # as in files of version 1, and with a rule file
        if not rules and named not in rule_sets():
            known = ", ".join(rule_sets())
            raise TableError(f"rules {quote(named)}: expected one of {known}, or --rules FILE")
        self.names = {player.nick: player.name or player.nick for player in file.players}
        if not 2 <= len(self.names) == len(file.players) <= 4:
            number = counted(len(file.players), "player")
            raise TableError(f"{number}: expected 2 to 4 of different names")
        if not all(map(is_printable, [*self.names, *self.names.values()])):
            raise TableError("expected players whose names can be shown")
        super().__init__(tiles, rule_set_of(rules or named), [*self.names])
        self.file = replace(file, events=())
        self.rules_option = rules
        self.lexicon = file.pragma("lexicon")
        self.seed = int(seed)
        self.bot = file.pragma(BOT) or None
        self.main_words: list[str] = []
        self.settled: set[str] = set()
        self._drawn: list[str] = []  # after the last play
        self.bag = _shuffled(sorted(self.tiles.bag().elements()), f"{self.seed}")
        self.racks = dict.fromkeys(self.nicks, "")
        for nick in self.nicks:
            self._draw(nick, Counter())

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far."""
        return self.file.events

    def with_event(self, event: Event) -> GameFile:
        """Return the file with one more event."""
        return replace(self.file, events=(*self.events, event))

    def undone(self) -> "TableGame":
        """Return the game before the last event, and the counts of racks and the bot's after it.

        Raises `TableError` if there is nothing to undo.
        """
        events = list(self.events)
        while events and events[-1].kind is Kind.RACK:
            events.pop()
        if not events:
            raise TableError("there is nothing to undo")
        game = TableGame(self.file, self.rules_option)
        for event in events[:-1]:
            game.take(event)
        if game.on_turn == game.bot:
            return game.undone()
        return game

    @property
    def name(self) -> str:
        """The name of the player on turn."""
        return self.names[self.on_turn]

    @property
    def rack(self) -> str:
        """The tiles of the player on turn."""
        return self.racks[self.on_turn]

    @property
    def is_over(self) -> bool:
        """Whether no player can move: a rack is empty or counted, or the rules end the game."""
        return bool(self.settled) or self.out != "" or self.must_end

    @property
    def can_end(self) -> bool:
        """Whether the player on turn may end the game, which is not over yet."""
        return self.may_end and not self.is_over

    @property
    def finished(self) -> bool:
        """Whether the game is over and all racks at the end have been counted."""
        return bool(self.settled) and not self.ending()

    @property
    def phase(self) -> str:
        """What the player on turn does.

        `move`, `accept` or challenge the last play, `count` the racks; `over` after that.
        """
        if self.finished:
            return "over"
        if not self.is_over:
            return "move"
        if self.last_play is None or self.settled:
            return "count"
        return "accept"

    def play(self, place: str, tiles: str) -> Event:
        """Return the event of laying `tiles` at `place`.

        A small letter is a blank, `.` a tile that is already on the board.
        """
        return self._judged(Kind.PLAY, place, tiles)

    def exchange(self, tiles: str) -> Event:
        """Return the event of exchanging `tiles` for the same number from the bag."""
        return self._judged(Kind.EXCHANGE, "", tiles)

    def pass_turn(self) -> Event:
        """Return the event of passing."""
        return self._judged(Kind.PASS)

    def _judged(self, kind: Kind, place: str = "", tiles: str = "") -> Event:
        """Return the event of a turn. Raises `TableError` with what the referee finds wrong."""
        self._check_may_move()
        capitals = self.tiles.spelling.upper(tiles)
        if kind is Kind.EXCHANGE:
            tiles = capitals
            if tiles.isdecimal():  # the referee allows it in a record, where racks may be unknown
                raise TableError(f"-{short(tiles)}: expected the tiles that go, not their number")
        event = self._event(kind, self.on_turn, place=place.upper(), tiles=tiles)
        referee = GameReferee(self, None, Strictness(racks=True))
        placed, score = referee.judge(event)
        if referee.faults:
            hint = "" if tiles == capitals else "; a small letter is a blank"
            # tiles that are not off the board are not on the rack either, which says enough
            faults = [fault.message for fault in referee.faults if fault.code != "not-in-bag"]
            raise TableError("; ".join(faults) + hint)
        assert score is not None
        if placed is not None:  # other programs read a play from its first tile on alone
            place, tiles = play_of(self.grid, placed.new)
            event = replace(event, place=place, tiles=tiles)
        return replace(event, score=score, total=event.total + score)

    def challenge(self, is_word: Callable[[str], bool]) -> tuple[Event, str]:
        """Return the event of challenging the last play, and a sentence about its result.

        A play with an invalid word is withdrawn. Otherwise its player gains points, or the
        challenger loses the turn.
        """
        played = self.last_play
        if played is None:
            raise TableError(
                "there is no play to challenge: "
                "expected the turn before to be a play not challenged yet"
            )
        nick = played.event.player
        words = played.placed.texts
        wrong = [word for word in words if not is_word(word)]
        if wrong:
            withdrawn = self._event(Kind.WITHDRAWN, nick, -played.event.score)
            result = f"not valid; {self.names[nick]} takes the play back"
            return replace(withdrawn, rack=played.event.rack), f"{', '.join(wrong)}: {result}"
        if self.rules.costs_turn:
            lost = self._event(Kind.PASS, self.on_turn)
            return lost, f"the play is good: {self.name} loses the turn"
        points = min(self.rules.bonus)
        if self.rules.per_word:
            points *= len(words)
        sentence = f"the play is good: {points:+d} for {self.names[nick]}"
        return self._event(Kind.CHALLENGE, nick, points), sentence

    def moves(
        self,
        kind: str,
        place: str = "",
        tiles: str = "",
        is_word: Callable[[str], bool] = lambda _word: True,
    ) -> Iterator[tuple[Event, str]]:
        """Yield the events of a move, and a sentence about each that says more than its event.

        The caller takes each event before it asks for the next. Raises `TableError`.

        Args:
            kind: play, exchange, pass or challenge; any other ends the game.
            place: The place of a play.
            tiles: The tiles of a play or an exchange.
            is_word: Returns whether a word is valid, for a challenge.
        """
        match kind:
            case "play" | "exchange" | "pass":
                yield self._judged(Kind(kind), place, tiles), ""
            case "challenge":
                yield self.challenge(is_word)
            case _ if self.phase in ("accept", "count") or self.can_end:
                for event in self.ending():
                    yield event, ""
            case _:
                self._check_may_move()
                raise TableError(f"the game goes on: it can end after {self.rules.ends}")

    def ending(self) -> list[Event]:
        """Return the events that still have to count the racks, if the game is or may be over.

        Every player loses the value of the tiles held. If the rules give it to the player who went
        out, it counts twice for that player instead with two players, and once with more.
        """
        if not (self.is_over or self.may_end):
            return []
        counts = [self._count(nick, rack, -1) for nick, rack in self.racks.items() if rack]
        if self.out and self.rules.gain:
            others = "".join(self.racks.values())
            if len(self.nicks) == 2:
                counts = [self._count(self.out, others, 2)]
            else:
                counts.append(self._count(self.out, others, 1))
        return [event for event in counts if event.player not in self.settled]

    def _count(self, nick: str, tiles: str, times: int) -> Event:
        score = times * self.tiles.rack_value(self.tiles.split(tiles))
        return self._event(Kind.RACK, nick, score, tiles=tiles)

    def take(self, event: Event, placed: Placed | None = None) -> list[Square]:
        """Carry out `event`, which a method of this game has returned."""
        nick = event.player
        main_word = ""
        if event.kind is Kind.PLAY:
            placed = self.place(event)
            main_word = "".join(tile for _square, tile in placed.words[0])
            self._drawn = self._draw(nick, self.used(placed))
        elif event.kind is Kind.EXCHANGE:
            given = self.tiles.split(event.tiles)
            self._draw(nick, Counter(given))
            together = sorted([*self.bag, *given])
            self.bag = _shuffled(together, f"{self.seed}:{len(self.events)}")
        elif event.kind is Kind.WITHDRAWN:
            self.racks[nick] = event.rack
            self.bag += reversed(self._drawn)
        lifted = super().take(event, placed)
        if event.kind is Kind.RACK:
            self.settled.add(nick)
        self.file = self.with_event(event)
        self.main_words.append(main_word)
        return lifted

    def _event(
        self, kind: Kind, nick: str, score: int = 0, place: str = "", tiles: str = ""
    ) -> Event:
        return Event(
            kind=kind,
            player=nick,
            rack=self.racks[nick],
            place=place,
            tiles=tiles,
            score=score,
            total=self.totals[nick] + score,
        )

    def _check_may_move(self) -> None:
        if self.phase == "accept":
            raise TableError("the game ends with this play: expected 'challenge' or 'accept'")
        if self.phase != "move":
            raise TableError("no move is left: expected 'undo' or 'quit'")

    def _draw(self, nick: str, used: Counter[str]) -> list[str]:
        """Replace the tiles used on a rack from the bag; return those drawn, in order."""
        left = list((Counter(self.tiles.split(self.racks[nick])) - used).elements())
        count = min(self.tiles.rack_size - len(left), len(self.bag))
        drawn = [self.bag.pop() for _ in range(count)]
        self.racks[nick] = written(in_order(self.tiles, left + drawn))
        return drawn


def _shuffled(tiles: list[str], seed: str) -> list[str]:
    """Return `tiles` in an order that depends on `seed` alone, not on the version of Python."""
    rng = Random(seed)
    return sorted(tiles, key=lambda _tile: rng.random())


def play_of(grid: Grid, laid: Mapping[Square, str]) -> tuple[str, str]:
    """Return (place, tiles) of the play that puts tiles on these squares.

    The tiles have `.` for each tile passed through. Raises `TableError` if the squares are not free
    or not in one line without a gap.
    """
    if not laid:
        raise TableError("no tile is laid: put at least one on the board")
    start = min(laid)
    end = max(laid)
    across = start.row == end.row
    if start == end:
        across = _has_neighbour(grid, start, True) or not _has_neighbour(grid, start, False)
    while start.next(across, -1) in grid:
        start = start.next(across, -1)
    tiles = []
    square = start
    while square <= end or square in grid:
        if square in grid:
            tiles.append(THROUGH)
        elif square in laid:
            tiles.append(laid[square])
        else:
            expected = "expected tiles without a gap, in one row or column"
            raise TableError(f"{square} is empty: {expected}")
        square = square.next(across)
    if len(tiles) - tiles.count(THROUGH) < len(laid):
        raise TableError("expected tiles on free squares in one row or column")
    return place_text(start, across), written(tiles)


def _has_neighbour(grid: Grid, square: Square, across: bool) -> bool:
    return square.next(across, -1) in grid or square.next(across) in grid


_WRITTEN_TILE = re.compile(r"\[[^\]]*\]|.")
_LONGEST = 60  # characters of a place, tiles or a name
_WORDS = ("pass", "challenge", "accept", "end")


def parse_move(text: str) -> tuple[str, str, str]:
    """Return the kind, the place and the tiles of a move: in GCG's notation, or one of `_WORDS`.

    `TableGame.moves` takes them. Raises `TableError`, which lists the possible input.
    """
    line = text.strip()
    if line.lower() in _WORDS:
        return line.lower(), "", ""
    for event in read_gcg(f">player: {line}".encode("utf-8", "replace")).events:
        if event.kind in TURNS:
            return event.kind.value, event.place, event.tiles
    expected = f"a play such as '8H FACED', -ABC, -, {', '.join(_WORDS)}"
    raise TableError(f"{quote(line)}: expected {expected}, undo, hint, help or quit")


def move_text(event: Event, word: str = "", hides_tiles: bool = False) -> str:
    """Return what a player does in an event, in words.

    Args:
        event: The event.
        word: The main word of a play, for which its tiles may have dots.
        hides_tiles: Whether to leave out the tiles that others must not see.
    """
    given = short(event.tiles)
    if hides_tiles:
        given = counted(len(_WRITTEN_TILE.findall(event.tiles)), "tile")
    return {
        Kind.PLAY: f"{short(event.place)} {short(word or event.tiles)}",
        Kind.EXCHANGE: f"exchanges {given}",
        Kind.PASS: "passes",
        Kind.WITHDRAWN: "takes the play back",
        Kind.CHALLENGE: "is challenged without success",
        Kind.TIME: "loses time",
        Kind.RACK: f"counts {short(event.tiles)}",
    }[event.kind]


def short(text: str) -> str:
    """Return the beginning of a text of a file as a terminal can show it."""
    return printable(text[:_LONGEST])


def replayed(path: Path | str, content: bytes, rules: str | None = None) -> TableGame:
    """Return the game in the bytes of a file, replayed event by event.

    `rules` is a rule set or a file of one; None for those that the file names. Raises `TableError`,
    which names `path`.
    """
    file = read_gcg(content)
    for problem in file.problems:
        raise TableError(f"{path}:{problem.line}: {problem.message}")
    where = f"{path}"
    try:
        game = TableGame(file, rules)
        for event in file.events:
            where = f"{path}:{event.line}"
            _retake(game, event)
    except TableError as error:
        raise TableError(f"{where}: {error}") from error
    return game


class GameStore:
    """The file in which a game is kept; `content` is what it holds, None for a new one."""

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path = path
        self._content = content

    @classmethod
    def open(cls, path: Path, rules: str | None = None) -> tuple["GameStore", TableGame]:
        """Return the file at `path` and its game, see `replayed`. Raises `TableError`."""
        try:
            content = read_file(path, LARGEST_TEXT)
        except OSError as error:
            raise TableError(f"{path}: cannot be read ({error.strerror})") from error
        return cls(path, content), replayed(path, content, rules)

    def write(self, file: GameFile) -> None:
        """Write a game; it is on disk when this returns.

        Raises `TableError` if that fails, or if the file has content that this process did not read
        or write.
        """
        self._content = keep_game(self.path, write_gcg(file), self._content)


def _retake(game: TableGame, event: Event) -> None:
    """Carry out an event of a file. Raises `TableError` unless rowdraw would have written it."""
    kind = event.kind.value
    # a failed challenge of the last play of a game can cost the turn
    if event.kind is Kind.WITHDRAWN or (event.kind is Kind.PASS and game.phase == "accept"):
        kind = "challenge"

    def is_word(_word: str) -> bool:
        # the ruling in the file counts, even if the word list has changed since
        return event.kind is not Kind.WITHDRAWN

    made = [move for move, _said in game.moves(kind, event.place, event.tiles, is_word)]
    own = replace(event, note="", comment="")
    # version 2.0 kept the place and the tiles of a play as they were typed
    if not any(replace(own, place=move.place, tiles=move.tiles) == move for move in made):
        expected = " or ".join(quote(write_event(move).strip()) for move in made)
        raise TableError(f"this is not the game of seed {game.seed}: expected {expected}")
    game.take(event)
