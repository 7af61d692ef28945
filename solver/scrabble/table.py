"""A game at one keyboard: prints the position after each move, and reads the next one."""

import shlex
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

import click

from solver.errors import TableError
from solver.play.keyboard import QUIT, typed_line
from solver.scrabble.bot import Bot, bot_of
from solver.scrabble.game import GameStore, TableGame, parse_move
from solver.scrabble.screen import last_text, table_text
from verify.scrabble.gcg import Event
from verify.scrabble.lexicons import GameWords, is_named_list
from verify.text import printable

HELP = """\
8H FACED      lay tiles from row 8, column H, across; H8 runs down; \
a small letter is a blank, . a tile that lies there
-ABC          exchange A, B and C; - passes
challenge     the play before yours; accept lets the last play of the game stand
end           end a game that its rules let you end, such as after six turns without a point
undo          take back the last event
hint          the highest-scoring play
quit          stop; the game is saved and --resume goes on with it
= - " '       free squares: triple and double word, triple and double letter; # and ^ quadruple"""


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

    def run(self) -> None:
        """Play until a player quits or the input ends.

        Raises `TableError` if the game cannot be saved.
        """
        known = f"{self._game.rules.name} rules; {self._words.remark}"
        click.echo(f"{known}; saved in {self._store.path}; 'help' lists what can be typed")
        # the input may end in the middle of a question; all plays before it are saved
        with suppress(EOFError):
            self._play()
        click.echo(self.saved)

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        command = ["rowdraw", "scrabble", "play"]
        # a saved game names a list, but only the user decides which files are opened
        if self._words.is_word is not None and not is_named_list(self._lexicon):
            command += ["--words", self._lexicon]
        if self._game.rules_option:
            command += ["--rules", self._game.rules_option]
        command += ["--resume", str(self._store.path)]
        return printable(f"saved in {self._store.path}; to go on: {shlex.join(command)}")

    def _play(self) -> None:
        """Play until a player quits. Raises `EOFError` if the input ends."""
        shown = None  # the file of the game on the screen
        while True:
            game = self._game
            if game.phase == "count":
                self._take(game.moves("end"))
                continue
            if game.phase != "over" and game.on_turn == game.bot:
                self._take(self._bot.turn(game))
                continue
            if shown != game.file:
                click.echo(f"\n{table_text(game)}")
                shown = game.file
            line = typed_line(self._prompt()).strip()
            if line.lower() in QUIT:
                return
            try:
                self._do(line)
            except TableError as error:
                click.echo(printable(str(error)))

    def _prompt(self) -> str:
        game = self._game
        if game.phase == "over":
            return "undo or quit> "
        if game.phase == "accept":
            return f"the game ends with this play; {game.name}, accept or challenge> "
        if game.can_end:
            return f"{game.name}, a play or end> "
        return f"{game.name}> "

    def _do(self, line: str) -> None:
        """Carry out a line of input. Raises `TableError`."""
        match line.lower():
            case "":
                return
            case "help" | "?":
                click.echo(HELP)
            case "hint":
                click.echo(self._hint())
            case "undo":
                game = self._game.undone()
                self._store.write(game.file)
                self._game = game
            case _:
                self._take(self._game.moves(*parse_move(line), self._words.is_word or _ask))

    def _take(self, moves: Iterable[tuple[Event, str]]) -> None:
        """Save and carry out events, and report them."""
        for event, sentence in moves:
            self._store.write(self._game.with_event(event))
            self._game.take(event)
            click.echo(sentence or last_text(self._game))

    def _hint(self) -> str:
        if self._game.phase != "move":
            raise TableError("no move is left: a hint needs a player who can move")
        hint = self._bot.hint(self._game)
        if hint is None:
            return "no word fits: exchange or pass"
        return f"{hint.place} {hint.tiles} ({hint.word}) scores {hint.score}"

    @cached_property
    def _bot(self) -> Bot:
        """The bot that plays and gives hints. Raises `TableError` without a word list."""
        if self._words.is_word is None:
            raise TableError(f"the bot cannot look for plays: {self._words.remark}")
        click.echo("reading the words ...")
        return bot_of(self._game.tiles, self._lexicon)


def _ask(word: str) -> bool:
    """Let the players judge a word."""
    answer = typed_line(f"no word list: is {word} valid? y or n ").strip().lower()
    if answer not in ("y", "n"):
        raise TableError("expected y or n")
    return answer == "y"
