"""Proofs: exact search without a limit, which resumes after a kill, with the certificate of its bound."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from solver.bound.certificate import certificate
from solver.bound.sweeps.campaign import Workspace
from solver.bound.sweeps.exact import Exact
from solver.bound.sweeps.folder import Folder
from solver.errors import RecordError
from solver.files import locked, write_out
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.run import Run
from solver.solving.confirm import is_confirmed, read_solution
from solver.solving.interruption import Ending
from solver.solving.result import Result
from solver.solving.solve import Found, Settings, Watch, solve_problem
from verify.reading import LARGEST_TEXT, read_file

ANSWER = "answer.txt"


@dataclass(frozen=True)
class Proving:
    """How to prove an answer optimal.

    Attributes:
        seconds: The time limit; None for no limit.
        threads: How many threads search.
        folder: Keeps answer, certificate and states, so that a killed proof resumes; None for memory.
        executor: Runs the sweeps' tasks on workers that see the folder; None for threads of this process.
    """

    seconds: float | None = None
    threads: int = 1
    folder: Path | None = None
    executor: Executor | None = None


def prove(
    problem: Problem,
    proving: Proving,
    ending: Ending,
    watch: Watch | None = None,
    say: Callable[[str], None] = lambda _message: None,
    found: Found | None = None,
) -> Result:
    """Search for the best answer and a proof that no game scores more, as `solve_problem` does.

    Returns:
        The best answer so far, with its bound and the certificate of the bound. The answer is proven optimal if the bound is
        its score.

    Raises:
        StrategyError: The puzzle is a variant, its row is too long, or its rack is too large.
        RecordError: The folder holds files of another puzzle, or damaged ones.
        OSError: A file of the folder cannot be read or written; `BlockingIOError` if another process uses the folder.
    """
    with _workspace(problem, proving) as workspace:
        settings = Settings(Exact(workspace=workspace), proving.seconds, threads=proving.threads)
        if proving.folder is not None:
            path = proving.folder / ANSWER
            settings, found = replace(settings, known=_answer_in(problem, path)), _keeping(problem, path, found)
        result = solve_problem(problem, settings, ending, watch, say, found)
        return replace(result, certificate=None if workspace.bound is None else certificate(problem, workspace.bound))


@contextmanager
def _workspace(problem: Problem, proving: Proving) -> Iterator[Workspace]:
    """Yield the workspace of a proof. A folder is locked until the proof ends."""
    if proving.folder is None:
        yield Workspace(problem)
        return
    proving.folder.mkdir(parents=True, exist_ok=True)
    with locked(proving.folder, seconds=0):
        yield Folder(problem, proving.folder, proving.executor)


def _answer_in(problem: Problem, path: Path) -> Solution | None:
    """Return the answer in a file; None if there is none. Raises `RecordError` if it is not valid."""
    if not path.exists():
        return None
    try:
        return read_solution(problem, read_file(path, LARGEST_TEXT, as_input=False))
    except ValueError as error:
        raise RecordError(f"{path}: {error}: expected an answer to this puzzle") from error


def _keeping(problem: Problem, path: Path, found: Found | None) -> Found:
    """Return a function that keeps each better answer in a file and passes it on to `found`."""

    def keep(run: Run, solution: Solution) -> None:
        if solution.turns and is_confirmed(problem, solution):
            write_out(path, problem.statement.comments() + solution.text())
        if found is not None:
            found(run, solution)

    return keep
