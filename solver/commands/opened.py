"""Games that a command goes on with: `FILE`, or `FILE:K` for the first K turns."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import SolutionError

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.model.puzzle import Puzzle
    from solver.model.solution import Turn


@dataclass(frozen=True)
class OpenedGame:
    """A file with a game.

    count: how many of its turns are taken; None for all.
    content: what the file holds.
    """

    file: str
    count: int | None
    content: bytes

    @classmethod
    def of(cls, named: str) -> "OpenedGame":
        """Read the file of `FILE` or `FILE:K`, `-` for standard input. Raises `SolutionError` if it cannot be read."""
        from verify.reading import LARGEST_TEXT, read_file, read_input

        file, colon, digits = named.rpartition(":")
        try:
            if not (colon and digits.isascii() and digits.isdigit() and len(digits) < 6) or Path(named).exists():
                file, digits = named, ""
            content = read_input(LARGEST_TEXT) if file == "-" else read_file(Path(file), LARGEST_TEXT)
        except OSError as error:
            raise SolutionError(f"{file}: the game cannot be read ({error.strerror})") from error
        return cls(file, int(digits) if digits else None, content)

    def puzzle(self, chosen: "Puzzle") -> "Puzzle":
        """The puzzle that the file says it answers, or `chosen` if it says nothing.

        Raises `SolutionError` if it names a puzzle that is not bundled, and not `chosen`.
        """
        from solver.model.puzzle import CHALLENGE, bundled_puzzles, load_puzzle
        from verify.parse import parse

        text = parse(self.content)
        if text.puzzle is None and text.row is None:
            return chosen
        name = text.puzzle or CHALLENGE
        if name in bundled_puzzles():
            found = load_puzzle(name, chosen.own_words)
            return found if text.row is None else found.with_row(text.row)
        if name == chosen.address[0]:
            return chosen
        raise SolutionError(f"{self.file}: it says that it answers the puzzle {name!r:.60}: expected that file as PUZZLE")

    def turns(self, problem: "Problem") -> "tuple[Turn, ...]":
        """The turns. Raises `SolutionError` with the first fault that the referee finds in them."""
        from solver.solving.referee import read_opening

        try:
            return read_opening(problem, self.content, self.count)
        except ValueError as error:
            raise SolutionError(f"{self.file}: {error}") from error
