"""The loop of a game at the keyboard: it shows row and rack, reads commands, and saves the game after every turn."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from solver.errors import TableError
from solver.files import replace_file
from solver.model.racks import leave_of
from solver.play.keyboard import typed_line
from solver.play.row_table import Table
from verify.text import counted, printable

HELP = """\
draw N        take N tiles of the next draw from the left, the others from the right
solemnize     play a word; blanks stand for what the rack lacks
s?l?mnize solemnize   the same with the blanks at places of your choice; 6 solemnize draws first
hint          a good turn; best: the best plays of the rack, with their leaves
why WORD      why it cannot be played, or what it scores
undo, redo    take a turn back, play it again
6 undo        play a word that is a command, after a draw
save FILE     save the game there, too
quit          end; the game is saved, and --resume goes on with it"""
_TURN = re.compile(r"(?:(\d{1,2})\s+)?([a-z?]+)(?:\s+([a-z]+))?")
_ARGUMENTS = {"draw": "a number of tiles", "why": "a word", "save": "the name of a file"}  # of commands that have one
_WIDTH = 50  # tiles of a line of the row


class Session:
    """A game at one keyboard, saved in a file after every turn.

    Args:
        table: The game.
        path: The file.
        resume: The command that resumes the game.
    """

    def __init__(self, table: Table, path: Path, resume: str) -> None:
        self._table = table
        self._path = path
        self._resume = resume
        self._is_saved = True
        self._message = "'help' lists what can be typed"

    def run(self) -> None:
        """Play until the player quits or the input ends."""
        with suppress(EOFError):
            while True:
                self._show()
                words = typed_line("> ").strip()
                if words.lower() in ("quit", "q", "exit"):
                    break
                self._message = ""
                try:
                    self._message = self._do(words) if words else ""
                except TableError as error:
                    self._message = click.style(printable(str(error)), fg="red")
        click.echo(f"{self._standing()}; {self.saved}")

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        if not self._is_saved:
            return click.style(f"NOT saved: {self._path} cannot be written", fg="red")
        return printable(f"saved in {self._path}; to go on: {self._resume}")

    def save(self, path: Path | None = None) -> None:
        """Save the game in its file, or in another one. Raises `TableError` if the file cannot be written."""
        try:
            replace_file(path or self._path, self._table.text())
        except OSError as error:
            self._is_saved = self._is_saved and path is not None
            raise TableError(f"{path or self._path}: cannot be written ({error.strerror})") from error
        self._is_saved = self._is_saved or path is None

    def _do(self, words: str) -> str:
        """Carry out a command or play a word; return a message about it."""
        command, _space, rest = words.partition(" ")
        command = command.lower()
        commands: dict[str, Callable[[str], str]] = {
            "help": lambda _rest: HELP,
            "?": lambda _rest: HELP,
            "draw": self._draw,
            "hint": lambda _rest: self._hint(),
            "best": lambda _rest: self._best(),
            "undo": lambda _rest: self._step(self._table.undo),
            "redo": lambda _rest: self._step(self._table.redo),
            "why": lambda rest: self._table.why(rest.strip().lower()),
            "save": self._save,
        }
        # every command is also a word: `6 best` plays it
        if command in _ARGUMENTS and not rest:
            needed = _ARGUMENTS[command]
            raise TableError(f"{command}: expected {needed} after it; '{self._table.left} {command}' plays the word")
        if command in commands and bool(rest) == (command in _ARGUMENTS):
            return commands[command](rest)
        return self._play(words.lower())

    def _play(self, words: str) -> str:
        parts = _TURN.fullmatch(words)
        if parts is None:
            raise TableError(f"{words[:40]!r}: expected a word, or a command that 'help' lists")
        left, tiles, word = parts.groups()
        before = self._table.left
        try:
            if left is not None:
                self._table.draw(int(left))
            turn = self._table.play(word or tiles, tiles if word else None)
        except TableError:
            self._table.left = before
            raise
        self.save()
        return f"{turn.word}: {counted(turn.score, 'point')}, {self._table.score} in all"

    def _draw(self, rest: str) -> str:
        if not rest.strip().isdecimal() or len(rest) > 3:
            raise TableError(f"draw {rest[:20]}: expected how many tiles come from the left")
        self._table.draw(int(rest))
        return ""

    def _hint(self) -> str:
        click.echo("looking ahead ...")
        hint = self._table.hint()
        if hint is None:
            return "no word can be played any more"
        turn = hint.turn
        return f"{turn.left} {turn.play} {turn.word} scores {turn.score}; a game that goes on with it comes to {hint.score}"

    def _best(self) -> str:
        lines = [
            f"{play.score:4}  {play.tiles:12} {play.word:12} keeps {leave_of(self._table.rack, play.tiles) or 'nothing'}"
            for play in self._table.best()
        ]
        return "\n".join(lines) or "no word can be played after this draw"

    def _step(self, step: Callable[[], None]) -> str:
        step()
        self.save()
        return ""

    def _save(self, rest: str) -> str:
        path = Path(rest.strip())
        if path.exists():
            raise TableError(f"{path}: exists already: choose another name")
        self.save(path)
        return f"saved in {path}"

    def _standing(self) -> str:
        return f"{counted(self._table.score, 'point')} in {counted(len(self._table.turns), 'turn')}"

    def _show(self) -> None:
        table = self._table
        puzzle, hand = table.problem.puzzle, table.hand
        right = hand.wants(table.problem) - table.left
        click.echo("\n" + _row_text(puzzle.row, (hand.left, hand.right), (table.left, right)))
        rack = "  ".join(click.style(f"{tile.upper()}{puzzle.values.get(tile, 0)}", bold=True) for tile in table.rack)
        draw = f"draw {table.left} from the left, {right} from the right (in capital letters)"
        click.echo(f"{draw}; rack:  {rack or 'empty'}")
        click.echo(self._standing() + ("; no word can be played any more" if table.is_over() else ""))
        if self._message:
            click.echo(self._message)


def _row_text(row: str, gone: tuple[int, int], draw: tuple[int, int]) -> str:
    """Return the row in lines: dots for the tiles gone from each end, capital letters for the next draw from each end."""
    start, end = gone[0], len(row) - gone[1]
    shown = []
    for place, tile in enumerate(row):
        if not start <= place < end:
            shown.append(".")
        elif place < start + draw[0] or place >= end - draw[1]:
            shown.append(click.style(tile.upper(), bold=True, reverse=True))
        else:
            shown.append(tile)
    return "\n".join("".join(shown[begin : begin + _WIDTH]) for begin in range(0, len(shown), _WIDTH))
