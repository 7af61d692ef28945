"""What a search finds, better and better: printed at once, and kept next to the output until the answer is written."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from solver.commands.running import say

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.model.solution import Solution
    from solver.search.run import Run
    from solver.solving.result import Result


class Finds:
    """Takes the incumbents of a search: see `solver.search.run.Run.found`. Only what the referee confirms is passed on.

    printed: How many answers were printed.
    """

    def __init__(self, problem: "Problem", output: Path | None, *, prints: bool) -> None:
        """Begin.

        Args:
            problem: What is searched.
            output: Where the answer will be written; the best so far is kept in `FILE.so-far`. None for standard output.
            prints: Whether each better answer is printed at once.
        """
        from solver.solving.keeping import best_in

        self.printed = 0
        self._problem = problem
        self._prints = prints
        self._score = -1
        self._unprinted: OSError | None = None
        self._path = None if output is None or (output.exists() and not output.is_file()) else _so_far(output)
        self._kept = None if self._path is None else best_in(self._path, problem.rules)
        if self._path is not None and self._kept is None and _holds_something(self._path):
            say(f"{self._path} holds no answer to this puzzle and stays as it is; the best answer so far is not kept")
            self._path = None
        if self._kept is not None:
            say(f"{self._path} holds an answer of {self._kept} points, from a search that was killed")

    def __call__(self, run: "Run", solution: "Solution") -> None:
        """Take an incumbent. What cannot be printed ends the run."""
        from solver.solving.confirm import is_confirmed

        if not solution.turns or solution.score <= self._score or not is_confirmed(self._problem, solution):
            return
        self._score = solution.score
        text = self._problem.statement.comments() + solution.text()
        if self._prints:
            self.printed += 1
            try:
                sys.stdout.write(f"# answer {self.printed}: {solution.score} points\n{text}\n")
                sys.stdout.flush()
            except OSError as error:
                self._unprinted = error
                run.interrupt()
        self._keep(text)

    def _keep(self, text: str) -> None:
        from solver.files import write_out

        if self._path is None or (self._kept is not None and self._score <= self._kept):
            return
        try:
            write_out(self._path, text)
            self._kept = self._score
        except OSError as error:
            say(f"{self._path}: the best answer so far cannot be written there ({error.strerror}); going on")
            self._path = None

    def finish(self, result: "Result") -> None:
        """Remove what was kept, once an answer at least as good is written. Raises what printing raised."""
        if self._unprinted is not None:
            raise self._unprinted
        if self._path is None or self._kept is None:
            return
        if self._kept <= result.score:
            try:
                self._path.unlink(missing_ok=True)
            except OSError as error:
                say(f"{self._path}: cannot be removed, since nothing there can be written ({error.strerror})")
        else:
            say(f"{self._path} stays: its {self._kept} points are more")


def _holds_something(path: Path) -> bool:
    try:
        return path.stat().st_size > 0 or not path.is_file()
    except OSError:  # mostly because it does not exist
        return False


def _so_far(output: Path) -> Path:
    return output.with_name(f"{output.name}.so-far")
