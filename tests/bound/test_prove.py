"""`solve --prove`: the command and the library go on where they were killed, and say what a user did wrong."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import solver
from solver.files import locked
from solver.lab.optima import random_row
from solver.model.puzzle import load_puzzle
from tests.process import MAIN, rowdraw

ROW = "tea?seatbaesttajetoe"


def test_the_command_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    command = ["solve", "--row", random_row(load_puzzle("challenge"), 30, 40), "--prove", "--threads", "2", "--keep"]
    folder = tmp_path / "killed"
    process = subprocess.Popen([*MAIN, *command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(folder.glob("sweep/layer-00[6-9]/states-*")):
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert json.loads((folder / "sweep" / "sweep.json").read_text())["stage"]["tally"]["states"]
    assert rowdraw("verify", str(folder / "answer.txt")).returncode == 0
    done = rowdraw(*command, str(folder))
    assert done.returncode == 0, done.stderr
    assert "optimal" in done.stderr
    assert done.stdout == (folder / "answer.txt").read_text()
    verdict = rowdraw("verify", str(folder / "certificate.json"))
    assert verdict.returncode == 0, verdict.stdout
    points = re.search(r"([0-9]+) points, optimal", done.stderr)
    assert points is not None
    assert f"more than {points[1]}.000" in verdict.stdout
    # once more: nothing is left to do
    again = rowdraw(*command, str(folder))
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_a_proof_with_a_time_limit_says_what_is_still_possible_and_goes_on(tmp_path: Path) -> None:
    command = ["solve", "--row", random_row(load_puzzle("challenge"), 40, 40), "--prove", "--keep", str(tmp_path / "keep")]
    begun = rowdraw(*command, "--time", "1")
    assert begun.returncode == 0, begun.stderr
    assert ", at most " in begun.stderr
    assert "the same command goes on from there" in begun.stderr
    bound = rowdraw("verify", str(tmp_path / "keep" / "certificate.json"))
    assert bound.returncode == 0, bound.stdout


def test_a_second_process_in_the_folder_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path):
        done = rowdraw("solve", "--row", ROW, "--prove", "--keep", str(tmp_path))
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr


def test_an_answer_of_another_puzzle_in_the_folder_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text("1 zzz zzz\n")
    done = rowdraw("solve", "--row", ROW, "--prove", "--keep", str(tmp_path))
    assert done.returncode == 2
    assert "answer.txt: line 1:" in done.stderr
    assert (tmp_path / "answer.txt").read_text() == "1 zzz zzz\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "f"], "--keep needs --prove"),
        (["--executor", "dask"], "--executor needs --prove"),
        (["--prove", "--strategy", "beam"], "expected no --strategy"),
        (["--prove", "--top", "3"], "expected no --top"),
        (["--prove", "--refine"], "expected no --refine, --bound or --seed"),
        (["--prove", "--scheduler", "x"], "--scheduler needs --executor dask"),
        (["--prove", "--executor", "dask"], "--executor dask needs --keep"),
        (["--prove", "--executor", "dask", "--scheduler", "x", "--keep", "f"], "scheduler x: cannot be reached"),
        (["--prove", "--keep", "/dev/null/f"], "/dev/null"),
    ],
)
def test_bad_usage_is_refused(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = rowdraw("solve", "--row", ROW, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_proves_an_answer_with_a_certificate(tmp_path: Path) -> None:
    puzzle = load_puzzle("challenge").with_row(ROW)
    result = solver.solve(puzzle, prove=True)
    assert result.bound == result.score
    (tmp_path / "proof.json").write_text(result.certificate or "")
    assert rowdraw("verify", str(tmp_path / "proof.json")).returncode == 0
    assert solver.solve(puzzle, prove=True, keep=tmp_path / "keep").score == result.score
    for arguments in (
        {"keep": tmp_path},
        {"prove": True, "strategy": "beam"},
        {"prove": True, "top": 2},
        {"prove": True, "distance": 3},
    ):
        with pytest.raises(solver.RowdrawError, match="expected"):
            solver.solve(puzzle, **arguments)  # type: ignore[call-overload]
