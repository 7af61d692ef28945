"""A machine without a home, room for a cache, quota or memory, or whose clock goes back."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.solve import search
from tests.faults.trial import PUZZLE, WORSE
from tests.process import rowdraw


def test_a_command_works_without_a_home_that_can_be_written_to(tmp_path: Path) -> None:
    # the kernels that are kept lie elsewhere, and the index has no place
    done = rowdraw(
        "best",
        "teas",
        cwd=tmp_path,
        HOME="/proc/nowhere",
        XDG_CACHE_HOME="/proc/nowhere",
        ROWDRAW_CACHE="",
        code=0,
    )
    assert done.stdout == rowdraw("best", "teas").stdout


NO_HOME = """
import pwd

def getpwuid(number):
    raise KeyError(number)

pwd.getpwuid = getpwuid

from solver.compiled import kernel_folder
from verify.compiled import cache_folder

print(kernel_folder(), cache_folder())
"""


def test_a_user_whom_the_system_does_not_know_needs_no_home(tmp_path: Path) -> None:
    # as in a container with a user of its own number
    unset = ("HOME", "XDG_CACHE_HOME", "ROWDRAW_CACHE")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    command = [sys.executable, "-c", NO_HOME]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [place.startswith(f"{os.devnull}/") for place in done.stdout.split()] == [True, True]
    assert not list(tmp_path.iterdir())


def test_a_full_quota_is_reported_and_the_old_certificate_stays(tmp_path: Path) -> None:
    (tmp_path / "row.toml").write_text(PUZZLE)
    rowdraw(*WORSE, cwd=tmp_path, code=0)
    before = (tmp_path / "b.txt").read_bytes()
    better = "bound row.toml --states 500 --time 10 -o b.txt"
    done = rowdraw(*better.split(), cwd=tmp_path, fault={"size": {"size": 300}}, code=2)
    assert "b.txt: cannot be written (File too large); the certificate is on stdout" in done.stderr
    assert done.stderr.count("b.txt: cannot be written (File too large); going on") == 1
    assert "no game on row (row.toml) scores more than" in done.stderr
    # cut off, since standard output is a file too
    assert done.stdout.startswith("rowdraw certificate 2\n")
    assert (tmp_path / "b.txt").read_bytes() == before
    names = sorted(path.name for path in tmp_path.rglob("*"))
    assert names == ["b.txt", "book", "certificate.txt", "row", "row.toml"]
    rowdraw(*better.split(), cwd=tmp_path, code=0)
    after = (tmp_path / "b.txt").read_text()
    old, new = re.findall("claim ([0-9]+)", before.decode() + after)
    assert int(new) < int(old)


def test_too_little_memory_is_reported(tmp_path: Path) -> None:
    done = rowdraw(
        "solve",
        "--strategy",
        "beam:width=3000000",
        cwd=tmp_path,
        seconds=100,
        fault={"memory": {"megabytes": 20}},
        code=2,
    )
    assert "not enough memory" in done.stderr


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("all of it"), "not enough memory (all of it)"),
        (
            FileNotFoundError(2, "No such file or directory", "f.u64"),
            "f.u64: cannot be read or written (No such file or directory)",
        ),
        (
            OSError("the cluster is gone"),
            "a connection or file: cannot be read or written (the cluster is gone)",
        ),
    ],
)
def test_an_answer_from_before_a_fault_of_the_machine_counts(
    error: MemoryError | OSError, message: str, challenge: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_self: Greedy, _problem: Problem, run: Run) -> None:
        if run.seed:
            run.offer(Solution(()))
        raise error

    monkeypatch.setattr(Greedy, "search", failing)
    said: list[str] = []
    run = Run(seed=1, say=said.append)
    search(challenge, Greedy(), run)
    assert run.incumbent is not None
    assert said == [f"{message}; the best answer before that counts"]
    with pytest.raises(type(error)):
        search(challenge, Greedy(), Run())


def test_a_clock_that_goes_back_loses_no_file_and_no_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    for seconds in (-1e9, 0.0):
        monkeypatch.setattr(time, "time", lambda seconds=seconds: real() + seconds)
        replace_file(tmp_path / "kept", f"{seconds}")
        assert (tmp_path / "kept").read_text() == f"{seconds}"
    run = Run(seconds=0.0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert run.is_over
