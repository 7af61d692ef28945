"""Ctrl-C, the end of the input, parents that are killed: finds are printed, no process stays."""

import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from solver.search.run import ending_on
from tests.process import MAIN, python, rowdraw, runs, shell
from tests.web.serving import until
from verify import judge
from verify.scrabble.gcg import read_gcg

INTERRUPTED = """
import os, signal, threading
from ortools.sat.python.cp_model import CpSolver
from solver.commands.cli import main

solve, calls = CpSolver.solve, 0

def solve_interrupted(*arguments):
    # the second programme: OR-Tools has had the handler of Ctrl-C meanwhile
    global calls
    calls += 1
    if calls == 2:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return solve(*arguments)

CpSolver.solve = solve_interrupted
main(["solve", "--strategy", "greedy", "--refine", "600"])
"""


def test_ctrl_c_while_refining_prints_the_best_answer() -> None:
    done = python("-c", INTERRUPTED)
    assert done.returncode == 130, done.stderr
    assert judge(done.stdout).valid


def test_signals_that_come_together_lose_no_answer(tmp_path: Path) -> None:
    command = [*MAIN, "solve", "--time", "60", "-o", "a.txt"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert until((tmp_path / "a.txt.so-far").exists)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGINT):
        process.send_signal(number)
        time.sleep(0.02)
    _out, err = process.communicate(timeout=60)
    # the last one may come when all is said and Python is clearing up
    assert process.returncode in (130, -signal.SIGINT), err
    assert judge((tmp_path / "a.txt").read_bytes()).valid


@pytest.mark.parametrize("typed", ["8H a?", "8H ZZZ\nchallenge\n8H", "A" * 100_000])
def test_the_end_of_the_input_at_any_question_saves_the_game(typed: str, tmp_path: Path) -> None:
    command = "scrabble --save e.gcg --words none --seed 2"
    done = rowdraw(*command.split(), stdin=typed, cwd=tmp_path)
    assert done.returncode == 0
    assert "saved in e.gcg" in done.stdout
    assert read_gcg((tmp_path / "e.gcg").read_bytes()).players
    assert "kernels" not in done.stderr


def test_a_closed_standard_input_is_told() -> None:
    done = shell("rowdraw scrabble --seed 2 <&-")
    assert done.returncode == 2
    assert "standard input is closed" in done.stderr


def test_runs_of_a_comparison_end_with_it_when_it_is_killed(tmp_path: Path) -> None:
    options = "compare --puzzles challenge --strategies widening --seeds 1 --time 600s -o"
    command = [*MAIN, *options.split(), str(tmp_path / "cmp")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    comparison = psutil.Process(process.pid)
    assert until(lambda: any(map(searching, comparison.children(recursive=True))))
    children = comparison.children(recursive=True)
    process.kill()
    process.wait()
    assert until(lambda: not any(runs(child) for child in children))


def searching(process: psutil.Process) -> bool:
    """Say whether a process has worked for a second."""
    return runs(process) and process.cpu_times().user > 1


def test_a_signal_waits_while_numba_makes_python_objects() -> None:
    """numba passes over the exception of a handler there, or calls a null pointer."""

    def _numba_unpickle() -> str:
        signal.raise_signal(signal.SIGTERM)
        return "made"

    with ending_on([signal.SIGTERM]) as ending:
        assert _numba_unpickle() == "made"
        with pytest.raises(KeyboardInterrupt):
            time.sleep(60)
        assert ending.was_signalled
