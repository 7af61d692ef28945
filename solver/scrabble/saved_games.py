"""Keeps a game in a GCG file: every event is written before the next move, so that the game can always be resumed."""

import os
from dataclasses import replace
from pathlib import Path

from solver.errors import TableError
from solver.files import replace_file
from solver.scrabble.game import END_RULES, Setup, TableGame, table_tiles
from verify.reading import LARGEST_TEXT, read_file
from verify.scrabble.gcg import Event, GameFile, Kind, read_gcg, write_event, write_gcg
from verify.text import is_printable, quote

SEED, BOT, END = "bag-seed", "bot", "end-rule"
_USUAL_END = "gain"  # of files that name no rule, such as those of version 1.0
_LONGEST_SEED = 1_000  # digits


def game_text(game: TableGame) -> str:
    """Return the text of a GCG file of a game at the table."""
    return write_gcg(replace(new_file(game.setup), events=tuple(game.events)))


def new_file(setup: Setup, bot: str | None = None) -> GameFile:
    """Return the file of a game before its first event. `bot`: the nick of the player that is a bot."""
    pragmata = [("lexicon", setup.lexicon), ("tile-distribution", setup.tiles.name), (SEED, str(setup.seed))]
    pragmata += [(END, setup.end_name)] if setup.end_name != _USUAL_END else []
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

    def __init__(self, path: Path, game: GameFile, written: bytes) -> None:
        self.path = path
        self._file = game
        self._written = written

    @classmethod
    def create(cls, path: Path, setup: Setup, bot: str | None = None) -> "Store":
        """Create a file; an existing file is never overwritten. `bot`: the nick of the player that is a bot."""
        store = cls(path, new_file(setup, bot), b"")
        try:
            with path.open("xb") as file:
                file.write(store._text())
        except FileExistsError as error:
            raise TableError(f"{path} exists: go on with it by '--resume {path}', or name another file") from error
        except OSError as error:
            raise TableError(f"{path}: cannot be written ({error.strerror})") from error
        store._written = store._text()
        return store

    @property
    def bot(self) -> str | None:
        """The nick of the player that is a bot; None if all players are people."""
        return self._file.pragma(BOT)

    @classmethod
    def open(cls, path: Path) -> tuple["Store", TableGame]:
        """Return the file at `path` and its game, replayed event by event."""
        try:
            content = read_file(path, LARGEST_TEXT)
        except OSError as error:
            raise TableError(f"{path}: cannot be read ({error.strerror})") from error
        # a line without a newline was cut short by a crash: its move was not completed
        whole = content[: content.rfind(b"\n") + 1]
        file, game = replayed(path, whole)
        store = cls(path, file, content)
        if whole != content:
            store._replace(file)
        return store, game

    def append(self, event: Event) -> None:
        """Append `event` to the file; it is on disk when this returns."""
        self._check_unchanged()
        grown = replace(self._file, events=(*self._file.events, event))
        line = write_event(event).encode()
        try:
            with self.path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise TableError(f"{self.path}: cannot be written ({error.strerror})") from error
        self._file, self._written = grown, self._written + line

    def undo(self) -> TableGame:
        """Remove the last event, and the events after it that count the racks; return the game before it."""
        before = without_last(self._file)
        self._check_unchanged()
        self._replace(before)
        game = TableGame(_setup(self.path, self._file))
        for event in self._file.events:
            game.take(event)
        return game

    def _text(self) -> bytes:
        return write_gcg(self._file).encode()

    def _replace(self, file: GameFile) -> None:
        self._file = file
        try:
            replace_file(self.path, self._text().decode())
        except OSError as error:
            raise TableError(f"{self.path}: cannot be written ({error.strerror})") from error
        self._written = self._text()

    def _check_unchanged(self) -> None:
        try:
            content = read_file(self.path, LARGEST_TEXT)
        except OSError as error:
            raise TableError(f"{self.path}: cannot be read ({error.strerror})") from error
        if content != self._written:
            raise TableError(f"{self.path}: somebody else has changed the file; go on with it by '--resume {self.path}'")


def _setup(path: Path | str, file: GameFile) -> Setup:
    seed = file.pragma(SEED)
    if seed is None or not seed.isascii() or not seed.isdecimal() or len(seed) > _LONGEST_SEED:
        raise TableError(f"{path}: #{SEED} {quote(seed or '')}: expected the seed of the bag, as 'rowdraw scrabble' writes it")
    try:
        tiles = table_tiles((file.pragma("tile-distribution") or "english").lower())
    except TableError as error:
        raise TableError(f"{path}: {error}") from error
    if not 2 <= len(file.players) <= 4 or len({player.nick for player in file.players}) < len(file.players):
        raise TableError(f"{path}: {len(file.players)} players: expected 2 to 4 of different names")
    if not all(is_printable(player.nick) and is_printable(player.name) for player in file.players):
        raise TableError(f"{path}: expected players whose names can be shown")
    end = file.pragma(END) or _USUAL_END
    if end not in END_RULES:
        raise TableError(f"{path}: #{END} {quote(end)}: expected one of {', '.join(END_RULES)}")
    return Setup(file.players, tiles, file.pragma("lexicon") or "", int(seed), end)


def _retake(path: Path | str, game: TableGame, event: Event) -> None:
    """Carry out an event of a file. Raises `TableError` if the table would not have written the same event."""
    try:
        made = _made_again(game, event)
    except TableError as error:
        raise TableError(f"{path}:{event.line}: {error}") from error
    expected = write_event(made).strip()
    plain = replace(event, note="", comment="")
    if made != plain:
        raise TableError(f"{path}:{event.line}: this is not the game of seed {game.setup.seed}: expected {quote(expected)}")
    game.take(made)


def _made_again(game: TableGame, event: Event) -> Event:
    if event.kind is Kind.PLAY:
        return game.play(event.place, event.tiles)
    if event.kind is Kind.EXCHANGE:
        return game.exchange(event.tiles)
    if event.kind is Kind.PASS:
        return game.pass_turn()
    if event.kind in (Kind.WITHDRAWN, Kind.CHALLENGE):
        # the ruling in the file counts, even if the word list has changed since
        return game.challenge(lambda _word: event.kind is Kind.CHALLENGE)[0]
    if event.kind is Kind.RACK:
        made = next((made for made in game.ending() if made.player == event.player), None)
        if made is not None:
            return made
    raise TableError(f"{event.kind.value} of {quote(event.player)}: expected a move that the table allows here")
