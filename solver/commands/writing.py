"""The output of answers: as a search finds them, then to standard output or to files, so that none is lost."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solver.commands.forms import JSON, TEXT, games_as
from solver.commands.running import complain, say
from solver.errors import RefereeDisagreementError, RowdrawError

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.model.solution import Solution
    from solver.search.run import Run
    from solver.solving.result import Result

_MOST_NAMES = 99  # names that are tried for the best answer so far
_DISAGREEMENT = 3  # the exit code


class Finds:
    """Receives the incumbents of a search, see `solver.search.run.Run.found`, and passes on those that the referee confirms.

    Attributes:
        printed: The number of answers printed.
    """

    def __init__(self, problem: "Problem", output: Path | None, *, prints: bool) -> None:
        """Choose the file of the best answer so far, and find out what it holds.

        Args:
            problem: The problem that is searched.
            output: The file of the final answer, None for standard output. `FILE.so-far` keeps the best answer until then, or
                `FILE.so-far-2` and so on if something else has that name.
            prints: Whether to print each better answer at once.
        """
        self.printed = 0
        self._problem = problem
        self._prints = prints
        self._score = -1
        self._unprinted: OSError | None = None
        self._path: Path | None = None
        self._kept: int | None = None
        if output is None or (output.exists() and not output.is_file()):
            return
        first = output.with_name(f"{output.name}.so-far")
        names = (first, *(first.with_name(f"{first.name}-{number}") for number in range(2, _MOST_NAMES + 1)))
        self._path = next(filter(self._is_ours, names), None)
        if self._kept is not None:
            say(f"{self._path} holds an answer of {self._kept} points, from a search that was killed")
        elif self._path != first:
            kept = "not kept" if self._path is None else f"in {self._path}"
            say(f"{first} holds no answer to this puzzle and stays as it is; the best answer so far is {kept}")

    def _is_ours(self, path: Path) -> bool:
        """Return whether the best answer so far may be at a path; if it holds an answer already, note its score."""
        from solver.solving.replaceable import best_in
        from verify.reading import is_input

        # unlike the methods of a path, these functions are false for a name that is too long
        is_file, exists = os.path.isfile(path), os.path.exists(path)
        if is_input(path):
            return False
        if is_file:
            self._kept = best_in(path, self._problem.rules)
        return not exists or self._kept is not None or (is_file and os.path.getsize(path) == 0)

    def __call__(self, run: "Run", solution: "Solution") -> None:
        """Print and keep an incumbent. If it cannot be printed, the run ends."""
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
        """Remove the file of the best answer so far if `result` is as good. Raises the error of an unprinted answer."""
        if self._unprinted is not None:
            raise self._unprinted
        if self._path is None or self._kept is None:
            return
        if self._kept > result.score:
            say(f"{self._path} stays: it has a better answer, of {self._kept} points")
            return
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            say(f"{self._path}: cannot be removed ({error.strerror})")


def hand_out(results: "Sequence[Result]", output: Path | None, form: str, *, force: bool = False) -> None:
    """Write answers to a file, or print them if the file cannot be written.

    Args:
        results: The answers, best first. A single answer as text comes with the JSON that says how it was found.
        output: The file; None for standard output.
        form: One of `solver.commands.forms.FORMS`.
        force: Whether to replace a better answer in the file.
    """
    from solver.files import locked, write_out
    from solver.solving.replaceable import check_better
    from solver.solving.result import answers_json, answers_text

    text = {TEXT: answers_text, JSON: answers_json}[form](results) if form in (TEXT, JSON) else _shown(results, form)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        with locked(output):
            if form == TEXT and len(results) == 1:
                results[0].save(output, force=force)
            else:
                if not force and results[0].rules is not None:
                    check_better(output, results[0].score, results[0].rules)
                write_out(output, text)
    except FileExistsError as error:
        if error.filename == str(output):
            sys.stdout.write(text)
            complain(f"{output}: {error.strerror}; the new answer is on stdout, and --force replaces the old one")
        else:
            complain(f"{error.filename}: {error.strerror}: how the answer was found is not written there")
    except OSError as error:
        sys.stdout.write(text)
        raise RowdrawError(f"{error.filename}: cannot be written ({error.strerror}); the answer is on stdout") from error


def _shown(results: "Sequence[Result]", form: str) -> str:
    from dataclasses import replace

    from solver.show.steps import make_game

    games = []
    for result in results:
        assert result.verdict is not None
        assert result.rules is not None
        games.append(make_game(replace(result.verdict, file=result.name), result.rules, result.statement))
    return games_as(form, games)


def save_rejected(error: RefereeDisagreementError, output: Path | None) -> int:
    """Save a solution that the referee rejects, and next to it the views of solver and referee; return the exit code."""
    from solver.files import write_out

    path = output or Path("rowdraw-solution.txt")
    if path.exists():
        # an existing file is worth more than a rejected solution
        path = path.with_name(f"{path.stem}-rejected{path.suffix}")
    write_out(path, error.answer)
    mark = path.with_name(f"{path.name}.rejected")
    write_out(mark, str(error))
    complain(f"internal error: {error}saved as {path}, with these two views in {mark}")
    return _DISAGREEMENT
