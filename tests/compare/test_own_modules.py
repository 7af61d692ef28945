"""A folder in which somebody keeps modules called like ours: our processes find ours all the
same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver.lab.compare.runs import Journal
from solver.lab.python import python_command
from tests.process import python

COMPARE = "compare --puzzles challenge --strategies greedy --seeds 1 --time 2000racks -o cmp"
INSTALLED = ("-P", "-c", "from solver.commands.cli import main; main()")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With modules called like ours, and like those of Python and of libraries that we use."""
    for name in ("solver", "verify", "json", "statistics", "numpy", "multiprocessing"):
        (tmp_path / f"{name}.py").write_text(
            f"raise RuntimeError('somebody imported the {name}.py of this folder')\n"
        )
    (tmp_path / "words.txt").write_text("tea\n")
    return tmp_path


def test_a_command_and_its_runs_find_our_modules_on_the_python_path(
    folder: Path, root: Path
) -> None:
    # without an installation the clone is on the path: a process that knows no other place (-S)
    # shows that it is found there
    libraries = [place for place in sys.path if place.endswith("-packages")]
    places = os.pathsep.join([str(root), *libraries])
    done = python("-S", *INSTALLED, *COMPARE.split(), cwd=folder, code=0, PYTHONPATH=places)
    assert "rowdraw: 1 run, 0 done already\n" in done.stderr
    assert [outcome.score for outcome in Journal(folder / "cmp").outcomes().values()] == [946]


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_workers_of_a_cluster_that_is_started_here_find_our_modules(
    folder: Path, root: Path
) -> None:
    for name in ("json", "multiprocessing", "statistics", "numpy"):
        (
            folder / f"{name}.py"
        ).unlink()  # Python itself looks for them here when it starts a worker
    command = (*INSTALLED, *COMPARE.split(), "--scheduler", "local")
    python(*command, cwd=folder, code=0, PYTHONPATH=str(root))
    assert [outcome.score for outcome in Journal(folder / "cmp").outcomes().values()] == [946]


def test_the_referee_finds_its_modules_next_to_a_solver_of_ones_own_and_with_safe_paths(
    folder: Path, root: Path
) -> None:
    command = ("-m", "verify", root / "examples" / "answer.txt")
    python("-P", *command, cwd=folder, code=0, PYTHONPATH=str(root))
    for path in folder.glob("*.py"):
        if path.stem not in ("solver", "numpy"):
            path.unlink()
    python(*command, cwd=folder, code=0, PYTHONPATH=str(root))


def test_a_process_looks_where_this_one_looks_but_for_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", "relative", *sys.path, str(folder / "extra")])
    command = python_command("import solver; print(sys.path, solver.__file__)", "more")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert str(folder / "extra") in done.stdout
    assert "''" not in done.stdout
    assert "relative" not in done.stdout
    assert str(folder / "solver.py") not in done.stdout
