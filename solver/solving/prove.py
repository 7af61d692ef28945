"""Proofs: exact search without a limit, which resumes after a kill, and its certificate."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from solver.bound.certificate import certificate
from solver.bound.sweeps.campaign import Workspace
from solver.bound.sweeps.exact import Exact
from solver.bound.sweeps.folder import CERTIFICATE, SWEEP, Folder
from solver.errors import RowdrawError
from solver.files import check_own_folder, locked, replace_file
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.outputs import best_answer
from solver.search.run import Run, Strategy
from solver.solving.opened import OpenedGame
from solver.solving.order import Found, Order, Reports
from solver.solving.result import Result
from verify.files import LARGEST_TEXT, read_file
from verify.stated import comments_of

ANSWER = "answer.txt"
Search = Callable[[Strategy, Reports, Solution | None], Result]


def prove(problem: Problem, order: Order, reports: Reports, search: Search) -> Result:
    """Search for the best answer and a proof that no game scores more.

    `search` returns the best answer of a strategy.

    Returns:
        The best answer so far, with its bound and the certificate of the bound. The answer is
        proven optimal if the bound is its score.

    Raises:
        StrategyError: The puzzle is a variant, its row is too long, or its rack is too large.
        RowdrawError: The folder holds files of another puzzle, damaged ones, or only other things.
            Or it cannot be read or written, or another process uses it.
    """
    try:
        with _workspace(problem, order) as workspace:
            known = None
            if order.keep is not None:
                path = order.keep / ANSWER
                known = _answer_in(problem, path)
                reports = replace(reports, found=_keeping(problem, path, reports.found))
            result = search(Exact(workspace=workspace), reports, known)
            if workspace.bound is None:
                return result
            return replace(result, certificate=certificate(problem, workspace.bound))
    except OSError as error:
        raise RowdrawError(f"{error.filename or order.keep}: {error.strerror or error}") from error


@contextmanager
def _workspace(problem: Problem, order: Order) -> Iterator[Workspace]:
    """Yield the workspace of a proof. A folder is locked until the proof ends."""
    if order.keep is None:
        yield Workspace(problem)
        return
    if not (order.keep / CERTIFICATE).exists() and not (order.keep / SWEEP).exists():
        check_own_folder(order.keep, ANSWER)
    order.keep.mkdir(parents=True, exist_ok=True)
    with locked(order.keep, seconds=0):
        yield Folder(problem, order.keep, order.executor)


def _answer_in(problem: Problem, path: Path) -> Solution | None:
    """Return the answer in a file; None if there is none.

    Raises `RowdrawError` if it is not valid, or if the file holds anything else.
    """
    if not path.exists():
        return None
    content = read_file(path, LARGEST_TEXT, as_input=False)
    turns = OpenedGame(str(path), content).turns(problem)
    if best_answer(content, problem.rules, is_single=True) is None:
        raise RowdrawError(f"{path}: it holds more than an answer: expected another folder")
    return Solution(turns)


def _keeping(problem: Problem, path: Path, found: Found | None) -> Found:
    """Return a function that keeps each better answer in a file and passes it on to `found`."""

    def keep(run: Run, solution: Solution) -> None:
        if solution.turns:
            replace_file(path, comments_of(problem.rules) + solution.text())
        if found is not None:
            found(run, solution)

    return keep
