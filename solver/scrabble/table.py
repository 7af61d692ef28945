"""The loop of a table: shows the game, reads the input of the player on turn, and carries it out.

The bot loads in the background, so that people can play while it reads its words.
"""

import shlex
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread

import click

from solver.compiled import tell_compiling
from solver.errors import TableError
from solver.play.keyboard import typed_line
from solver.scrabble.bot import Bot, bundled_leaves
from solver.scrabble.game import GameStore, Move, TableGame, parse_move
from solver.scrabble.graph import words_of
from solver.scrabble.screen import HELP, last_text, rack_text, result_text, table_text
from verify.scrabble.gcg import Event
from verify.scrabble.lexicons import GameWords, is_named_list
from verify.scrabble.rule_sets import rule_sets
from verify.scrabble.tiles import TileSet, written
from verify.text import printable

_PAUSE = 0.2  # seconds between two looks at a bot that is loading


class BotLoader:
    """Loads a bot in a thread.

    The first time with a list may take a minute; then the cache has its words.

    Args:
        tiles: The tile set of the game.
        lexicon: The name of the word list.
        is_word: Returns whether a word of a play is valid.

    Attributes:
        stage: What the thread does, until the bot is loaded.
    """

    def __init__(self, tiles: TileSet, lexicon: str, is_word: Callable[[str], bool]) -> None:
        self._tiles = tiles
        self._lexicon = lexicon
        self._is_word = is_word
        self.stage = "reading the words"
        self._future: Future[Bot] | None = None

    def start(self) -> "Future[Bot]":
        """Begin to load, unless it has begun."""
        if self._future is None:
            future: Future[Bot] = Future()
            # a daemon: a player who quits does not wait for words that no one needs any more
            Thread(target=self._load, args=(future,), daemon=True).start()
            self._future = future  # only now: of a thread that has not started nothing comes
        return self._future

    def bot(self, show: Callable[[str], None]) -> Bot:
        """Return the bot; until it is loaded call `show` with what is being done.

        Raises:
            TableError: The word list cannot be read. The next call tries again.
        """
        future = self.start()
        while wait([future], _PAUSE).not_done:
            show(self.stage)
        if future.exception() is not None:
            self._future = None
        return future.result()

    def _load(self, future: "Future[Bot]") -> None:
        try:
            tell_compiling(self._tell)  # as a stage: a message would go into the prompt
            words = words_of(self._lexicon, self._tiles, self._tell)
            self._tell("compiling the search for plays")
            bot = Bot(words, self._tiles, self._is_word, bundled_leaves(self._tiles.name))
            bot.best_plays({}, words.tiles[:1])
            future.set_result(bot)
        except BaseException as failure:  # whoever asks for the bot gets it
            future.set_exception(failure)

    def _tell(self, stage: str) -> None:
        self.stage = stage


_CLEAR_LINE = "\r\033[K"
_CLEAR = "\033[H\033[2J\033[3J"  # also clears the lines scrolled away, which show racks


class TableSession:
    """A game at one keyboard. One of the players may be a bot.

    Args:
        store: The file of the game.
        game: The game.
        lexicon: The name of the word list.
        words: Judges challenges; without a list the players are asked.
    """

    def __init__(self, store: GameStore, game: TableGame, lexicon: str, words: GameWords) -> None:
        self._store = store
        self._game = game
        self._lexicon = lexicon
        self._words = words
        self._loader: BotLoader | None = None
        if words.is_word is not None:
            self._loader = BotLoader(game.tiles, lexicon, words.is_word)
        known = f"{game.rules.name} rules; {words.remark}"
        self._message = f"{known}; saved in {store.path}; 'help' lists what can be typed"
        self._seen: str | None = None  # whose rack is on the screen
        self._interactive = sys.stdin.isatty()

    def run(self) -> None:
        """Play until a player quits or the input ends.

        Raises `TableError` if the game cannot be saved.
        """
        if self._interactive and self._loader is not None:
            self._loader.start()  # by the first hint or move of the bot it may be ready
        self._settle()
        # the input may end in the middle of a question; all plays before it are saved
        with suppress(EOFError):
            self._play()
        if self._game.finished:
            click.echo(result_text(self._game), nl=False)
        click.echo(self.saved)

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        command = ["rowdraw", "scrabble", "play", "--resume", str(self._store.path)]
        # a saved game names a list, but only the user decides which files are opened
        if self._words.is_word is not None and not is_named_list(self._lexicon):
            command[3:3] = ["--words", self._lexicon]
        rules = self._game.rules_option
        if rules and rules not in rule_sets():
            command[3:3] = ["--rules", rules]
        return printable(f"saved in {self._store.path}; to go on: {shlex.join(command)}")

    def _play(self) -> None:
        """Play until a player quits. Raises `EOFError` if the input ends."""
        while True:
            if not self._game.finished and self._game.on_turn == self._game.bot:
                self._move_of_bot()
                continue
            self._show()
            line = typed_line(self._prompt())
            self._message = ""
            if line.strip():
                try:
                    move = parse_move(line)
                    if move.kind == "quit":
                        return
                    self._message = self._do(move)
                except TableError as error:
                    self._message = printable(str(error))
            self._settle()

    def _do(self, move: Move) -> str:
        """Carry out `move`; return a message about its result."""
        match move.kind:
            case "undo":
                return self._undo()
            case "hint":
                return self._hint()
            case "help":
                return HELP
        tiles = self._named(move) if move.kind == "play" else move.tiles
        judge = self._words.is_word or _ask
        return self._happen(self._game.moves(move.kind, move.place, tiles, judge))

    def _happen(self, moves: Iterable[tuple[Event, str]]) -> str:
        """Save and carry out events; return what is said about them."""
        said = []
        for event, sentence in moves:
            self._store.write(self._game.with_event(event))
            self._game.take(event)
            said.append(sentence or last_text(self._game))
        return "; ".join(said)

    def _named(self, move: Move) -> str:
        """Return the tiles of a play, after asking for the letter of each `?`."""
        tiles = self._game.tiles
        named = []
        for number, tile in enumerate(tiles.split(move.tiles), start=1):
            while tile == "?":
                question = f"tile {number} of {move.tiles} is a blank: which letter? "
                answer = tiles.spelling.upper(typed_line(question).strip())
                if answer in tiles.values:
                    tile = tiles.spelling.lower(answer)
            named.append(tile)
        return written(named)

    def _settle(self) -> None:
        """Count the racks of a game in which no player has a decision left, and say who has won."""
        game = self._game
        said = [self._message]
        if game.phase == "count":
            said.append(self._happen(game.moves("end")))
        if game.finished:
            said.append(f"the game is over; {result_text(game).strip()}")
        self._message = "; ".join(filter(None, said))

    def _undo(self) -> str:
        game = self._game.undone()
        while game.events and game.on_turn == game.bot:
            game = game.undone()
        self._store.write(game.file)
        self._game = game
        return "taken back"

    def _hint(self) -> str:
        if self._game.phase != "move":
            raise TableError("no move is left: a hint needs a player who can move")
        hint = self._bot().hint(self._game)
        if hint is None:
            return "no word fits: exchange or pass"
        return f"{hint.place} {hint.tiles} ({hint.word}) scores {hint.score}"

    def _bot(self) -> Bot:
        """Return the bot that plays and gives hints. Raises `TableError` without a word list."""
        if self._loader is None:
            raise TableError(f"the bot cannot look for plays: {self._words.remark}")
        shown = ""

        def show(stage: str) -> None:
            nonlocal shown
            if self._interactive and stage != shown:
                click.echo(f"{_CLEAR_LINE}{stage} ...", nl=False)
            elif not shown:
                click.echo(f"{stage} ...")
            shown = stage

        bot = self._loader.bot(show)
        if self._interactive and shown:
            click.echo(_CLEAR_LINE, nl=False)
        return bot

    def _move_of_bot(self) -> None:
        """Let the bot have its turn, and say all that happens."""
        said = [self._message, self._happen(self._bot().turn(self._game))]
        self._message = "; ".join(filter(None, said))
        self._settle()

    def _show(self) -> None:
        game = self._game
        is_hidden = self._interactive and game.bot is None and self._seen != game.on_turn
        if is_hidden and not game.finished:
            click.echo(f"{_CLEAR}{table_text(game)}\n{self._message}\n")
            click.echo(f"{game.name}, press a key when no one else is looking ", nl=False)
            click.getchar()
            self._message = ""
        self._seen = game.on_turn
        if self._interactive:
            click.echo(_CLEAR, nl=False)
        click.echo(table_text(game))
        if not game.finished:
            click.echo(rack_text(game))
        if self._message:
            click.echo(self._message)

    def _prompt(self) -> str:
        game = self._game
        if game.finished:
            return "undo or quit> "
        if game.phase == "accept":
            return f"the game ends with this play; {game.name}, accept or challenge> "
        if game.can_end:
            return f"{game.name}, a play or end> "
        return f"{game.name}> "


def _ask(word: str) -> bool:
    """Let the players judge a word."""
    while True:
        answer = typed_line(f"no word list: is {word} valid? y or n ").strip().lower()
        if answer in ("y", "n"):
            return answer == "y"
