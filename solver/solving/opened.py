"""Games that a command goes on with: `FILE`, or `FILE:K` for the first K turns; `FILE#N` is one of several answers."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import SolutionError

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.model.puzzle import Puzzle
    from solver.model.solution import Turn


_TURNS = re.compile(r"(.+):([0-9]{1,5})", re.DOTALL)
_COMMENT = re.compile(rb"^[ \t]*(#[^\r\n]*)", re.MULTILINE)


@dataclass(frozen=True)
class OpenedGame:
    """A file with a game.

    number: which of its answers is meant, from 1; None where it should hold one.
    count: how many of its turns are taken; None for all.
    content: what the file holds.
    """

    file: str
    number: int | None
    count: int | None
    content: bytes

    @classmethod
    def of(cls, named: str) -> "OpenedGame":
        """Read the file of `FILE`, `FILE:K`, `FILE#N` or `FILE#N:K`, `-` for standard input.

        A file that is called so comes first. Raises `SolutionError` if it cannot be read.
        """
        from verify.judging import named_answer
        from verify.reading import LARGEST_TEXT, read_file, read_input

        if not named:
            raise SolutionError("the name of the game's file is empty: expected FILE, or FILE:K for its first K turns")
        file, count, number = named, None, 0
        try:
            turns = _TURNS.fullmatch(named)
            if turns is not None and not Path(named).exists():
                file, count = turns[1], int(turns[2])
            file, number = named_answer(file)
            content = read_input(LARGEST_TEXT) if file == "-" else read_file(Path(file), LARGEST_TEXT)
        except OSError as error:
            raise SolutionError(f"{file}: the game cannot be read ({error.strerror}){_hint(file)}") from error
        return cls(f"{file}#{number}" if number else file, number or None, count, content)

    def puzzle(self, chosen: "Puzzle", option: str = "PUZZLE") -> "Puzzle":
        """Return the puzzle that the file says it answers, or `chosen` if it says nothing.

        Args:
            chosen: the puzzle that the user names.
            option: how the user names one, for the message.

        Raises:
            SolutionError: the file names a puzzle that is neither bundled nor `chosen`.
        """
        from solver.model.puzzle import CHALLENGE, bundled_puzzles, load_puzzle
        from verify.parse import comment_of, parse, parse_list

        texts = None if self.number is None else parse_list(self.content)
        if self.number is not None and texts is None:
            comments = {" ".join(line.decode("utf-8", "replace").split()) for line in _COMMENT.findall(self.content)}
            kinds = [kind for kind in map(comment_of, comments) if kind in ("puzzle", "row")]
            if len(set(kinds)) < len(kinds):
                raise SolutionError(f"{self.file}: its answers are to several puzzles: expected one puzzle")
        text = texts[self.number - 1] if texts and self.number and self.number <= len(texts) else parse(self.content)
        if text.puzzle is None and text.row is None:
            return chosen
        name = text.puzzle or CHALLENGE
        if name in bundled_puzzles():
            found = load_puzzle(name, chosen.own_words)
        elif name == chosen.address[0]:
            found = chosen
        else:
            raise SolutionError(f"{self.file}: it says that it answers the puzzle {name!r:.60}: expected that file as {option}")
        return found if text.row is None else found.with_row(text.row)

    def turns(self, problem: "Problem") -> "tuple[Turn, ...]":
        """The turns. Raises `SolutionError` with the first fault that the referee finds in them."""
        from solver.solving.referee import read_opening

        try:
            return read_opening(problem, self.content, self.count, self.number)
        except ValueError as error:
            raise SolutionError(f"{self.file}: {error}") from error


def _hint(file: str) -> str:
    """What was expected behind the name of a file that is there."""
    before, colon, behind = file.rpartition(":")
    try:
        is_there = before == "-" or Path(before).exists()
    except OSError:  # a name that no file can have
        is_there = False
    if colon and is_there:
        return f": expected a number of turns behind {before}:, not {behind!r:.40}"
    return ""
