"""The loop of a game at the keyboard: it shows row and rack, reads what is typed, and keeps the game in a file."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from solver.errors import TableError
from solver.files import replace_file
from solver.model.racks import leave_of
from solver.play.keyboard import typed_line
from solver.play.table import Table
from verify.text import counted, printable

HELP = """\
draw N        take N tiles of the next draw from the left, the others from the right
solemnize     play a word; blanks stand for what the rack lacks
s?l?mnize solemnize   the same with the blanks where you want them; 6 solemnize draws first
hint          a good turn; best: the best plays of the rack, with their leaves
why WORD      why it cannot be played, or what it scores
undo, redo    take a turn back, play it again
6 undo        play such a word itself: draw first
save FILE     keep the game there, too
quit          end; the game is kept, and --resume goes on with it"""
_TURN = re.compile(r"(?:(\d{1,2})\s+)?([a-z?]+)(?:\s+([a-z]+))?")
_WITH_MORE = {"draw": "a number of tiles", "why": "a word", "save": "the name of a file"}  # what stands behind a command
_WIDE = 50  # tiles of a line of the row


class Session:
    """A game at one keyboard, kept in a file after every turn.

    resume: the command that goes on with the game.
    """

    def __init__(self, table: Table, path: Path, resume: str) -> None:
        self._table = table
        self._path = path
        self._resume = resume
        self._is_saved = True
        self._message = "'help' lists what can be typed"

    def run(self) -> None:
        """Play until somebody quits, or the input ends."""
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
        """Where the game is to be found afterwards."""
        if not self._is_saved:
            return click.style(f"NOT kept: {self._path} cannot be written", fg="red")
        return printable(f"kept in {self._path}; to go on: {self._resume}")

    def save(self, path: Path | None = None) -> None:
        """Write the game down. Raises `TableError` where that is not possible."""
        try:
            replace_file(path or self._path, self._table.text())
        except OSError as error:
            self._is_saved = self._is_saved and path is not None
            raise TableError(f"{path or self._path}: cannot be written ({error.strerror})") from error
        self._is_saved = self._is_saved or path is None

    def _do(self, words: str) -> str:
        """Carry out what was typed; returns a message about it."""
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
        # every command is a word, too: `6 best` plays it
        if command in _WITH_MORE and not rest:
            raise TableError(
                f"{command}: expected {_WITH_MORE[command]} behind it; '{self._table.left} {command}' plays the word"
            )
        if command in commands and bool(rest) == (command in _WITH_MORE):
            return commands[command](rest)
        return self._play(words.lower())

    def _play(self, words: str) -> str:
        found = _TURN.fullmatch(words)
        if found is None:
            raise TableError(f"{words[:40]!r}: expected a word, or a command that 'help' lists")
        left, tiles, word = found.groups()
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
        plays = self._table.best()
        rack = self._table.rack
        lines = []
        for play in plays:
            leave = leave_of(rack, play.tiles)
            lines.append(f"{play.score:4}  {play.tiles:12} {play.word:12} keeps {leave or 'nothing'}")
        return "\n".join(lines) or "no word can be played after this draw"

    def _step(self, step: Callable[[], None]) -> str:
        step()
        self.save()
        return ""

    def _save(self, rest: str) -> str:
        path = Path(rest.strip())
        if path.exists():
            raise TableError(f"{path}: is there already: choose another name")
        self.save(path)
        return f"kept in {path}"

    def _standing(self) -> str:
        return f"{counted(self._table.score, 'point')} in {counted(len(self._table.turns), 'turn')}"

    def _show(self) -> None:
        table = self._table
        puzzle, hand = table.problem.puzzle, table.hand
        wants = hand.wants(table.problem)
        click.echo("\n" + row_text(puzzle.row, hand.left, hand.right, table.left, wants - table.left))
        values = puzzle.values
        rack = "  ".join(click.style(f"{tile.upper()}{values.get(tile, 0)}", bold=True) for tile in table.rack)
        draw = f"draw {table.left} from the left, {wants - table.left} from the right (in capital letters)"
        click.echo(f"{draw}; rack:  {rack or 'empty'}")
        click.echo(self._standing() + ("; no word can be played any more" if table.is_over() else ""))
        if self._message:
            click.echo(self._message)


def row_text(row: str, left: int, right: int, from_left: int, from_right: int) -> str:
    """The row: dots for what is gone, the next draw in capital letters; in lines of fifty tiles.

    left, right: tiles gone from each end; from_left, from_right: tiles of the next draw.
    """
    end = len(row) - right
    shown = []
    for place, tile in enumerate(row):
        if not left <= place < end:
            shown.append(".")
        elif place < left + from_left or place >= end - from_right:
            shown.append(click.style(tile.upper(), bold=True, reverse=True))
        else:
            shown.append(tile)
    return "\n".join("".join(shown[begin : begin + _WIDE]) for begin in range(0, len(shown), _WIDE))
