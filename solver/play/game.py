"""The row-draw game at the keyboard: its position and plays, and the loop that reads and saves."""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

import click

from solver.errors import TableError
from solver.files import keep_game, unchanged
from solver.index.problem import Play, Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import BLANK, laid_tiles, leave_of
from solver.play.keyboard import typed_line
from solver.search.greedy import Hand, after_all, can_play
from solver.search.run import CTRL_C, Ending, ending_on
from solver.solving.order import Order
from solver.solving.solve import carry_out
from verify import judge
from verify.core import score
from verify.stated import comments_of
from verify.text import counted, nearest, printable, quote

_LOOK_AHEAD = 500  # of the beam that looks for a hint
_SHOWN = 10  # best plays


class Table:
    """A game of one player.

    Attributes:
        left: The number of tiles of the next draw that come from the left.
    """

    def __init__(self, problem: Problem, turns: tuple[Turn, ...] = ()) -> None:
        self.problem = problem
        self._undone: list[Turn] = []
        self._take(turns)

    @property
    def score(self) -> int:
        """The score of the turns so far, in points."""
        return Solution(self.turns).score

    def text(self) -> str:
        """Return the game as an answer."""
        return comments_of(self.problem.rules) + Solution(self.turns).text()

    @property
    def drawn(self) -> Hand:
        """The hand after the draw."""
        return self.hand.drawn(self.problem, self.left)

    @property
    def rack(self) -> str:
        """The rack after the draw, in the order of the alphabet."""
        return self.drawn.tiles

    def draw(self, left: int) -> None:
        """Choose the draw. Raises `TableError`."""
        size = self.hand.draw_size(self.problem)
        if not 0 <= left <= size:
            expected = f"expected 0 to {size}, the number of tiles that the rack takes"
            raise TableError(f"draw {left}: {expected}")
        self.left = left

    def play(self, word: str, tiles: str | None = None) -> Turn:
        """Play a word with `tiles`, or else with blanks for the letters that the rack lacks.

        Raises `TableError`.
        """
        if tiles is None:
            if word in self.problem.rules.words and self._missing(word, self.rack):
                raise TableError(self.why(word))
            tiles = self._laid(word)
        lines = [*self.turns, f"{self.left} {tiles} {word}"]
        verdict = judge("\n".join(map(str, lines)), self.problem.rules, strict=True)
        if not verdict.valid:
            raise TableError("; ".join(fault.message for fault in verdict.violations))
        turn = Turn(self.left, tiles, word, verdict.turns[-1].score)
        self._take((*self.turns, turn))
        self._undone.clear()
        return turn

    def undo(self) -> None:
        """Take the last turn back. Raises `TableError`."""
        if not self.turns:
            raise TableError("there is no turn to take back")
        self._undone.append(self.turns[-1])
        self._take(self.turns[:-1])

    def redo(self) -> None:
        """Play again what was taken back. Raises `TableError`."""
        if not self._undone:
            raise TableError("there is nothing to play again")
        self._take((*self.turns, self._undone.pop()))

    def best(self) -> list[Play]:
        """Return the best plays of the rack after the draw."""
        return self.problem.finder.best([self.drawn.leave], top=_SHOWN)[0]

    def hint(self, ending: Ending) -> Solution | None:
        """Return a good game that goes on from here, by a quick search; None if no word fits."""
        if not can_play(self.problem, self.hand):
            return None
        strategy = f"beam:width={_LOOK_AHEAD}"
        if not self.problem.has_closed_index:
            strategy = "greedy"
        order = Order(strategy, after=self.turns)
        return carry_out(self.problem, order, ending)[0].solution

    def why(self, word: str) -> str:
        """Return a sentence: the score of a word, or the reason why it cannot be played now."""
        rules = self.problem.rules
        if word not in rules.words:
            alike = (
                other
                for other in rules.words
                if other[:1] == word[:1] and abs(len(other) - len(word)) < 2
            )
            where = rules.where_listed(word) or nearest(word, alike)
            return f"{quote(word)} is not in the word list{where}"
        missing = " ".join(self._missing(word, self.rack))
        if not missing:
            return f"'{word}' can be played for {score(rules, self._laid(word))}"
        draws = [
            str(left)
            for left in range(self.hand.draw_size(self.problem) + 1)
            if not self._missing(word, self.hand.drawn(self.problem, left).tiles)
        ]
        remedy = "no draw gives them now"
        if draws:
            remedy = f"draw {' or '.join(draws)} from the left for it"
        blanks = self.rack.count(BLANK)
        held = counted(blanks, "blank") if blanks else "no blanks"
        what = f"'{word}' needs {missing} besides the letters of the rack"
        return f"{what}, and the rack has {held}; {remedy}"

    def _missing(self, word: str, rack: str) -> list[str]:
        """Return the letters of a word that a rack lacks; none if it has a blank for each."""
        missing = sorted((Counter(word) - Counter(rack)).elements())
        if len(missing) <= rack.count(BLANK):
            return []
        return missing

    def _laid(self, word: str) -> str:
        if not word.isascii() or not word.isalpha() or self._missing(word, self.rack):
            return word  # the referee names its fault
        return laid_tiles(self.drawn.leave, word)

    def _take(self, turns: tuple[Turn, ...]) -> None:
        self.turns = turns
        self.hand = after_all(self.problem, turns)
        self.left = self.hand.draw_size(self.problem) // 2


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
# of the commands that have one
_ARGUMENTS = {"draw": "a number of tiles", "why": "a word", "save": "the name of a file"}
_WIDTH = 50  # tiles of a line of the row


class Session:
    """A game at one keyboard, saved in a file after every turn.

    Args:
        table: The game.
        path: Its file.
        content: What the file holds; None for a new file.
        resume: The command that resumes the game.

    Attributes:
        unsaved: Why the game as it is now is not in its file; empty if it is.
    """

    def __init__(self, table: Table, path: Path, content: bytes | None, resume: str) -> None:
        self._table = table
        self._path = path
        # what this process last read from each file of the game, or wrote to it
        self._contents = {} if content is None else {path: content}
        self._resume = resume
        self._holds_turns = bool(content)
        self.unsaved = ""
        self._message = "'help' lists what can be typed"

    def run(self) -> None:
        """Play until the player quits or the input ends."""
        try:
            with suppress(EOFError):
                self._play_turns()
        finally:
            self._save_again()
        click.echo(f"{self._standing()}; {self.saved}")

    def _play_turns(self) -> None:
        """Play until the player quits. Raises `EOFError` at the end of the input."""
        while True:
            self._show()
            words = typed_line("> ").strip()
            self._message = ""
            if words.lower() in ("quit", "q", "exit"):
                return
            if words:
                try:
                    self._message = self._do(words)
                except TableError as error:
                    self._message = click.style(printable(str(error)), fg="red")

    @property
    def saved(self) -> str:
        """The path of the saved game, and the command that resumes it."""
        if self.unsaved:
            return click.style(printable(f"NOT saved: {self.unsaved}"), fg="red")
        return printable(f"saved in {self._path}; to go on: {self._resume}")

    def save(self) -> None:
        """Save the game in its file. Raises `TableError` if that is not possible."""
        try:
            self._write(self._path)
        except TableError as error:
            self.unsaved = str(error)
            raise
        self.unsaved = ""
        self._holds_turns = self._holds_turns or bool(self._table.turns)

    def _save_again(self) -> None:
        """Save the game if that failed before.

        If it fails again, leave no new file without a turn.
        """
        if self.unsaved:
            with suppress(TableError):
                self.save()
        if self.unsaved and not self._holds_turns:
            with suppress(OSError), unchanged(self._path, self._contents.get(self._path)):
                self._path.unlink(missing_ok=True)

    def _do(self, words: str) -> str:
        """Carry out a command or play a word; return a message about it."""
        command, _space, rest = words.partition(" ")
        command = command.lower()
        if command in _ARGUMENTS and not rest:
            needed = f"expected {_ARGUMENTS[command]} after it"
            raise TableError(f"{command}: {needed}; '{self._table.left} {command}' plays the word")
        # every command is also a word: `6 best` plays it
        if bool(rest) != (command in _ARGUMENTS):
            return self._play(words.lower())
        match command:
            case "help" | "?":
                return HELP
            case "draw":
                return self._draw(rest)
            case "hint":
                return self._hint()
            case "best":
                return self._best()
            case "why":
                return self._table.why(rest.strip().lower())
            case "save":
                return self._save(rest)
            case "undo":
                self._table.undo()
            case "redo":
                self._table.redo()
            case _:
                return self._play(words.lower())
        self.save()
        return ""

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
        with ending_on(CTRL_C) as ending:
            game = self._table.hint(ending)
        if game is None:
            return "no word can be played any more"
        turn = game.turns[len(self._table.turns)]
        going_on = f"a game that continues with it scores {game.score}"
        return f"{turn} scores {turn.score}; {going_on}"

    def _best(self) -> str:
        lines = []
        for play in self._table.best():
            kept = leave_of(self._table.rack, play.tiles) or "nothing"
            lines.append(f"{play.score:4}  {play.tiles:12} {play.word:12} keeps {kept}")
        return "\n".join(lines) or "no word can be played after this draw"

    def _save(self, rest: str) -> str:
        path = Path(rest.strip())
        self._write(path)
        return f"saved in {path}"

    def _write(self, path: Path) -> None:
        """Write the game to a file. Raises `TableError`."""
        self._contents[path] = keep_game(path, self._table.text(), self._contents.get(path))

    def _standing(self) -> str:
        return f"{counted(self._table.score, 'point')} in {counted(len(self._table.turns), 'turn')}"

    def _show(self) -> None:
        table = self._table
        values = table.problem.puzzle.values
        right = table.hand.draw_size(table.problem) - table.left
        click.echo(f"\n{_row_text(table.problem.puzzle.row, table.hand, table.left, right)}")
        tiles = [f"{tile.upper()}{values.get(tile, 0)}" for tile in table.rack]
        rack = "  ".join(click.style(tile, bold=True) for tile in tiles) or "empty"
        draw = f"draw {table.left} from the left, {right} from the right (in capital letters)"
        click.echo(f"{draw}; rack:  {rack}")
        standing = self._standing()
        if not can_play(table.problem, table.hand):
            standing += "; no word can be played any more"
        click.echo(standing)
        if self._message:
            click.echo(self._message)


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
