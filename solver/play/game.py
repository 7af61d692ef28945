"""The row-draw game at the keyboard: shows the position, reads turns, judges and saves them."""

import re
import shlex
from contextlib import suppress
from pathlib import Path

import click

from solver.errors import RackError, RowdrawError, TableError
from solver.files import keep_game
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import laid_tiles
from solver.play.keyboard import QUIT, typed_line
from solver.search.greedy import Hand, after_all, can_play
from solver.search.run import CTRL_C, ending_on
from solver.solving.order import Order
from solver.solving.result import replayed
from solver.solving.solve import carry_out
from verify import judge
from verify.stated import comments_of
from verify.text import counted, printable

_HINT_SECONDS = 2.0
HELP = """\
6                         draw 6 tiles from the left, the others from the right
solemnized                play a word; blanks stand for what the rack lacks
6 solemnized              both, also for a word that is a command
6 s?l?mnized solemnized   the same with the blanks at places of your choice
hint                      a good turn
undo                      take a turn back
save FILE                 go on in another file
quit                      end; the game is in its file, and --resume goes on with it"""
_TURN = re.compile(r"(?:(\d{1,2})\s+)?([a-z?]+)(?:\s+([a-z]+))?")
_WIDTH = 50  # tiles of a line of the row


class Session:
    """A game at one keyboard, saved in a file after every turn.

    Args:
        problem: The puzzle.
        turns: The turns so far.
        path: The file of the game.
        content: What the file holds; None for a new file.

    Attributes:
        unsaved: Why the game as it is now is not in its file; empty if it is.
    """

    def __init__(
        self, problem: Problem, turns: tuple[Turn, ...], path: Path, content: bytes | None
    ) -> None:
        self._problem = problem
        self._path = path
        # what this process last read from each file of the game, or wrote to it
        self._contents = {} if content is None else {path: content}
        self.unsaved = ""
        self._take(turns)

    def _take(self, turns: tuple[Turn, ...]) -> None:
        """Set the position after these turns, with the default draw."""
        self._turns = turns
        self._hand = after_all(self._problem, turns)
        self._left = self._hand.draw_size(self._problem) // 2

    def run(self) -> None:
        """Play until the player quits or the input ends."""
        message = "'help' lists what can be typed"
        with suppress(EOFError):
            while True:
                self._show(message)
                typed = typed_line("> ").strip()
                if typed.lower() in QUIT:
                    break
                try:
                    message = self._carry_out(typed)
                except RowdrawError as error:
                    message = click.style(printable(str(error)), fg="red")
        if self.unsaved:
            with suppress(TableError):
                self.save()
        click.echo(f"{self._standing()}; {self.saved}")

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        if self.unsaved:
            return click.style(printable(f"NOT saved: {self.unsaved}"), fg="red")
        command = ["rowdraw", "play", "--resume", str(self._path)]
        rules = self._problem.rules
        if rules.has_own_words:
            # the file states all other rules
            command[2:2] = ["--words", str(rules.word_list.file)]
        return printable(f"saved in {self._path}; to go on: {shlex.join(command)}")

    def text(self) -> str:
        """Return the game as an answer."""
        return comments_of(self._problem.rules) + Solution(self._turns).text()

    def save(self) -> None:
        """Save the game in its file. Raises `TableError` if that is not possible."""
        try:
            self._write(self._path)
        except TableError as error:
            self.unsaved = str(error)
            raise

    def _write(self, path: Path) -> None:
        """Write the game to a file, in which it then goes on; see `keep_game`."""
        self._contents[path] = keep_game(path, self.text(), self._contents.get(path))
        self._path = path
        self.unsaved = ""

    def _carry_out(self, typed: str) -> str:
        """Carry out a command or play a word; return a message. Raises `RowdrawError`."""
        match typed.lower().split():
            case []:
                return ""
            case ["help"] | ["?"]:
                return HELP
            case ["hint"]:
                return self._hint()
            case ["undo"]:
                self._undo()
                return ""
            case ["save"]:
                self.save()
                return f"saved in {self._path}"
            case ["save", _, *_]:
                self._write(Path(typed.split(maxsplit=1)[1]))
                return f"saved in {self._path}"
            case [number] if number.isdecimal():
                self._draw(number)
                return ""
        return self._play(typed.lower())

    def _undo(self) -> None:
        if not self._turns:
            raise TableError("there is no turn to take back")
        self._take(self._turns[:-1])
        self.save()

    def _draw(self, number: str) -> None:
        size = self._hand.draw_size(self._problem)
        if len(number) > 2 or int(number) > size:
            raise TableError(
                f"draw {number:.20}: expected 0 to {size}, the number of tiles that the rack takes"
            )
        self._left = int(number)

    def _play(self, typed: str) -> str:
        parts = _TURN.fullmatch(typed)
        if parts is None:
            raise TableError(f"{typed[:40]!r}: expected a word, or a command that 'help' lists")
        number, tiles, word = parts.groups()
        left = self._left
        if number is not None:
            left = int(number)
        if word is None:
            word = tiles
            tiles = self._laid(left, word)
        lines = "".join(f"{turn}\n" for turn in (*self._turns, f"{left} {tiles} {word}"))
        verdict = judge(lines, self._problem.rules, strict=True)
        if not verdict.valid:
            raise TableError("; ".join(fault.message for fault in verdict.violations))
        self._take(replayed(verdict).turns)
        self.save()
        return f"{word}: {counted(self._turns[-1].score, 'point')}, {verdict.score} in all"

    def _laid(self, left: int, word: str) -> str:
        """Return the tiles that a rack lays for a word; if it cannot, the referee says why."""
        if left > self._hand.draw_size(self._problem):
            return word
        try:
            return laid_tiles(self._hand.drawn(self._problem, left).leave, word)
        except RackError:
            return word

    def _hint(self) -> str:
        click.echo("looking ahead ...")
        order = Order(seconds=_HINT_SECONDS, after=self._turns)
        with ending_on(CTRL_C) as ending:
            game = carry_out(self._problem, order, ending)[0].solution
        if game.turns == self._turns:
            return "no word can be played any more"
        turn = game.turns[len(self._turns)]
        going_on = f"a game that continues with it scores {game.score}"
        return f"{turn} scores {turn.score}; {going_on}"

    def _standing(self) -> str:
        score = Solution(self._turns).score
        return f"{counted(score, 'point')} in {counted(len(self._turns), 'turn')}"

    def _show(self, message: str) -> None:
        puzzle = self._problem.puzzle
        right = self._hand.draw_size(self._problem) - self._left
        click.echo(f"\n{_row_text(puzzle.row, self._hand, self._left, right)}")
        rack = self._hand.drawn(self._problem, self._left).tiles
        tiles = [
            click.style(f"{tile.upper()}{puzzle.values.get(tile, 0)}", bold=True) for tile in rack
        ]
        draw = f"draw {self._left} from the left, {right} from the right (in capital letters)"
        click.echo(f"{draw}; rack:  {'  '.join(tiles) or 'empty'}")
        standing = self._standing()
        if not can_play(self._problem, self._hand):
            standing += "; no word can be played any more"
        click.echo(standing)
        if message:
            click.echo(message)


def _row_text(row: str, hand: Hand, left: int, right: int) -> str:
    """Return the row in lines: dots for the tiles gone, capital letters for the next draw."""
    start = hand.left
    end = len(row) - hand.right
    text = ""
    for place, tile in enumerate(row):
        if place > 0 and place % _WIDTH == 0:
            text += "\n"
        if not start <= place < end:
            text += "."
        elif start + left <= place < end - right:
            text += tile
        else:
            text += click.style(tile.upper(), bold=True, reverse=True)
    return text
