"""The loop of a table: shows the game, reads the input of the player on turn, and carries it out."""

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from solver.errors import TableError
from solver.play.keyboard import typed_line
from solver.scrabble.bot import Bot
from solver.scrabble.game import TableGame
from solver.scrabble.loading import BotLoader
from solver.scrabble.moves import Move, parse_move
from solver.scrabble.saved_games import Store
from solver.scrabble.screen import HELP, rack_text, result_text, table_text
from verify.datafiles import bundled_words
from verify.scrabble.gcg import Event, Kind
from verify.scrabble.lexicons import ICELANDIC, NONE, GameWords
from verify.text import printable

_CLEAR = "\033[H\033[2J\033[3J"  # also clears the lines scrolled away, which show racks


class Session:
    """A game at one keyboard. One of the players may be a bot, see `Store.bot`.

    Args:
        store: The file of the game.
        game: The game.
        lexicon: The name of the word list.
        words: Judges challenges; without a list the players are asked.
    """

    def __init__(self, store: Store, game: TableGame, lexicon: str, words: GameWords) -> None:
        self._store = store
        self._game = game
        self._lexicon = lexicon
        self._words = words
        self._loader = None if words.is_word is None else BotLoader(game.setup, lexicon, words.is_word)
        self._message = f"{words.remark}; saved in {store.path}; 'help' lists what can be typed"
        self._seen: str | None = None  # whose rack is on the screen
        self._interactive = sys.stdin.isatty()

    def run(self) -> None:
        """Play until a player quits or the input ends. Raises `TableError` if the game cannot be saved."""
        if self._interactive and self._loader is not None:
            self._loader.start()  # by the first hint or move of the bot it may be ready
        self._settle()
        with suppress(EOFError):  # the input may end in the middle of a question; all plays before it are saved
            self._play()
        click.echo(result_text(self._game) if self._game.finished else "", nl=False)
        click.echo(self.saved)

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        # a saved game names a list, but only the user decides which files are opened
        is_file = self._lexicon.lower() not in (NONE, ICELANDIC, "") and bundled_words(self._lexicon.lower()) is None
        words = ["--words", self._lexicon] if self._words.is_word is not None and is_file else []
        command = shlex.join(["rowdraw", "scrabble", *words, "--resume", str(self._store.path)])
        return printable(f"saved in {self._store.path}; to go on: {command}")

    def _play(self) -> None:
        """Play until a player quits. Raises `EOFError` if the input ends."""
        while True:
            if not self._game.finished and self._game.on_turn == self._store.bot:
                self._move_of_bot()
                continue
            self._show()
            line = typed_line(self._prompt())
            try:
                move = parse_move(line) if line.strip() else None
                if move is not None and move.kind == "quit":
                    break
                self._message = self._do(move) if move is not None else ""
            except TableError as error:
                self._message = printable(str(error))
            self._settle()

    def _do(self, move: Move) -> str:
        """Carry out `move`; return a message about its result."""
        game = self._game
        if move.kind == "play":
            return self._happen(game.play(move.place, self._named(move)))
        if move.kind == "exchange":
            return self._happen(game.exchange(move.tiles))
        if move.kind == "pass":
            return self._happen(game.pass_turn())
        actions: dict[str, Callable[[], str]] = {
            "challenge": self._challenge,
            "accept": self._accept,
            "end": self._decide_to_end,
            "undo": self._undo,
            "hint": self._hint,
            "help": lambda: HELP,
        }
        return actions[move.kind]()

    def _happen(self, event: Event) -> str:
        self._store.append(event)
        self._game.take(event)
        return f"{event.player}: {event.score:+d}, {event.total} in all"

    def _named(self, move: Move) -> str:
        """Return the tiles of a play, after asking for the letter of each `?`."""
        tiles = ""
        for number, tile in enumerate(move.tiles, start=1):
            while tile == "?":
                answer = typed_line(f"tile {number} of {move.tiles} is a blank: which letter? ").strip()
                if len(answer) == 1 and answer.upper() in self._game.setup.tiles.values:
                    tile = answer.lower()
            tiles += tile
        return tiles

    def _challenge(self) -> str:
        event, wrong = self._game.challenge(self._words.is_word or _ask)
        self._happen(event)
        if wrong:
            return f"{', '.join(wrong)}: not valid; {event.player} takes the play back"
        return f"the play is good: {event.score:+d} for {event.player}"

    def _accept(self) -> str:
        if self._game.gone_out is None or self._game.settled:
            raise TableError("'accept' ends a game: expected a player to have played the last tile")
        return self._end()

    def _decide_to_end(self) -> str:
        if not self._game.may_end:
            enough = self._game.setup.end_rules.scoreless
            when = f"after {enough} turns in a row without a point" if enough else "never: all pass twice in a row instead"
            raise TableError(f"'end' ends a game that could go on: possible {when}")
        return self._end()

    def _settle(self) -> None:
        """End the game if no player has a decision left."""
        game = self._game
        if game.is_over and game.ending() and (game.settled or game.gone_out is None):
            self._message = f"{self._message}; {self._end()}".removeprefix("; ")

    def _end(self) -> str:
        for event in self._game.ending():
            self._happen(event)
        return f"the game is over; {result_text(self._game).strip()}"

    def _undo(self) -> str:
        self._game = self._store.undo()
        while self._game.events and self._game.on_turn == self._store.bot:
            self._game = self._store.undo()
        return "taken back"

    def _hint(self) -> str:
        if self._game.finished or self._game.gone_out is not None:
            raise TableError("the game is over: a hint needs a player who can still move")
        hint = next(self._bot().plays(self._game), None)
        return f"{hint.place} {hint.tiles} ({hint.word}) scores {hint.score}" if hint else "no word fits: exchange or pass"

    def _bot(self) -> Bot:
        """Return the bot that plays and gives hints. Raises `TableError` without a word list."""
        if self._loader is None:
            raise TableError(f"the bot cannot look for plays: {self._words.remark}")
        shown: list[str] = []

        def show(stage: str) -> None:
            if self._interactive and stage not in shown[-1:]:
                click.echo(f"\r\033[K{stage} ...", nl=False)
            elif not shown:
                click.echo(f"{stage} ...")
            shown.append(stage)

        bot = self._loader.bot(show)
        if self._interactive and shown:
            click.echo("\r\033[K", nl=False)
        return bot

    def _move_of_bot(self) -> None:
        """Challenge, accept or move for the bot; say all that happened, so that a play taken back is not passed over."""
        bot, said = self._bot(), [self._message]
        if bot.refutes(self._game):
            said.append(f"{self._game.on_turn} challenges: {self._challenge()}")
        if self._game.gone_out is not None:
            said.append(self._accept())
        else:
            event = bot.move(self._game)
            ends = self._game.may_end and event.kind is Kind.PASS
            said.append(self._end() if ends else self._happen(event))
        self._message = "; ".join(filter(None, said))
        self._settle()

    def _show(self) -> None:
        game = self._game
        if self._interactive and self._store.bot is None and self._seen != game.on_turn and not game.finished:
            click.echo(f"{_CLEAR}{table_text(game)}\n{self._message}\n")
            click.echo(f"{game.on_turn}, press a key when no one else is looking ", nl=False)
            click.getchar()
            self._message = ""
        self._seen = game.on_turn
        click.echo(f"{_CLEAR if self._interactive else ''}{table_text(game)}")
        if not game.finished:
            click.echo(rack_text(game))
        if self._message:
            click.echo(self._message)

    def _prompt(self) -> str:
        if self._game.finished:
            return "undo or quit> "
        if self._game.gone_out is not None:
            return f"{self._game.gone_out} has played the last tile; {self._game.on_turn}, accept or challenge> "
        return f"{self._game.on_turn}{', a play or end' if self._game.may_end else ''}> "


def _ask(word: str) -> bool:
    """Let the players judge a word."""
    while True:
        answer = typed_line(f"no list is at hand: is {word} valid? y or n ").strip().lower()
        if answer in ("y", "n"):
            return answer == "y"
