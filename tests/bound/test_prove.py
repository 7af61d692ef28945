"""`solve --prove`: it resumes where it was killed, and says what a user did wrong."""

import errno
from concurrent.futures import Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed
import pytest

import solver
from optima import random_row
from solver.files import locked
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.search.run import Ending
from solver.solving.order import Order, Reports
from solver.solving.solve import carry_out
from tests.conftest import RunCommand
from tests.process import rowdraw
from verify import judge

ROW = "tea?seatbaesttajetoe"


def test_a_proof_with_a_time_limit_says_what_is_still_possible_and_goes_on(tmp_path: Path) -> None:
    row = random_row(load_puzzle("challenge"), 40, 40)
    begun = rowdraw(
        *f"solve --row {row} --time 1 --prove --keep".split(), tmp_path / "keep", code=2
    )
    assert ", at most " in begun.stderr
    assert f"not proven optimal; the same command goes on from {tmp_path / 'keep'}" in begun.stderr
    rowdraw("verify", stdin=begun.stdout, code=0)
    rowdraw("verify", tmp_path / "keep" / "certificate.txt", code=0)


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (
            "solver.solving.prove.replace_file",
            OSError(errno.ENOSPC, "No space left on device", "proof"),
        ),
        ("solver.bound.sweeps.campaign.Workspace.keep_bound", MemoryError("all of it")),
    ],
)
def test_a_proof_that_a_fault_ends_fails_with_its_answer(
    method: str,
    error: Exception,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: RunCommand,
) -> None:
    def fail(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(method, fail)
    printed = run("solve", "--row", ROW, "--prove", "--keep", tmp_path, code=2)
    assert "not proven optimal" in printed.err
    assert judge(printed.out).valid


def test_a_bound_of_the_record_book_does_not_complete_a_proof(run: RunCommand) -> None:
    assert "not proven optimal" in run("solve", "--prove", "--time", "0", "--quiet", code=2).err


class Lost(Executor):
    """A cluster whose workers die of every task, and the answer that is on file before."""

    def __init__(self, answer: Path) -> None:
        self.answer = answer

    def submit(self, *_arguments: Any, **_options: Any) -> Future[Any]:  # type: ignore[override]
        assert judge(self.answer.read_bytes()).valid, "a kill would lose the answer"
        job: Future[Any] = Future()
        job.set_exception(
            distributed.KilledWorker("task", SimpleNamespace(address="tcp://nowhere"), 3)
        )
        return job


def test_a_proof_whose_workers_are_lost_has_kept_its_answer_and_fails_with_it(
    tmp_path: Path,
) -> None:
    puzzle = load_puzzle("challenge")
    problem = Problem(puzzle.with_row(random_row(puzzle, 40, 40)))
    told: list[str] = []
    order = Order(
        seconds=60, threads=1, prove=True, keep=tmp_path, executor=Lost(tmp_path / "answer.txt")
    )
    (result,) = carry_out(problem, order, Ending(), Reports(say=told.append))
    assert result.turns
    assert result.bound != result.score
    assert any("workers of the cluster were lost" in message for message in told), told


def test_a_second_process_in_the_folder_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path):
        done = rowdraw("solve", "--row", ROW, "--prove", "--keep", tmp_path)
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr


def test_an_answer_of_another_puzzle_in_the_folder_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text("1 zzz zzz\n")
    done = rowdraw("solve", "--row", ROW, "--prove", "--keep", tmp_path, code=2)
    assert "answer.txt: line 1:" in done.stderr
    assert (tmp_path / "answer.txt").read_text() == "1 zzz zzz\n"


def test_a_folder_that_holds_other_things_alone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = rowdraw("solve", "--row", ROW, "--prove", "--keep", tmp_path, code=2)
    assert "it holds 'notes.txt', but no answer.txt: expected a new or empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_bad_usage_is_refused(tmp_path: Path) -> None:
    for arguments, message in (
        ("--keep f", "--keep needs --prove"),
        ("--scheduler local", "--scheduler needs --prove"),
        ("--prove --strategy beam", "expected no --strategy"),
        ("--prove --top 3", "expected no --top"),
        (
            "--prove --scheduler local",
            "--scheduler needs --keep: the workers share the states in that folder",
        ),
        ("--prove --scheduler x --keep f", "scheduler x: cannot be reached"),
        ("--prove --keep /dev/null/f", "/dev/null"),
    ):
        done = rowdraw("solve", "--row", ROW, *arguments.split(), cwd=tmp_path, code=2)
        assert message in done.stderr


def test_the_library_proves_an_answer_with_a_certificate(tmp_path: Path) -> None:
    puzzle = load_puzzle("challenge").with_row(ROW)
    result = solver.solve(puzzle, prove=True)
    assert result.bound == result.score
    (tmp_path / "proof.txt").write_text(result.certificate or "")
    rowdraw("verify", tmp_path / "proof.txt", code=0)
    with pytest.raises(solver.RowdrawError, match="/dev/null/x"):
        solver.solve(puzzle, prove=True, keep="/dev/null/x")
    for arguments in (
        {"keep": tmp_path},
        {"prove": True, "strategy": "beam"},
        {"prove": True, "top": 2},
    ):
        with pytest.raises(solver.RowdrawError, match=r"expected|needs"):
            solver.solve(puzzle, **arguments)  # type: ignore[call-overload]
