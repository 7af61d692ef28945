"""Ctrl-C, the end of the input, and parents that are killed: what was found is handed out, and nothing lives on."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from solver.search.run import ending_on
from tests.process import MAIN, rowdraw, runs
from verify import judge, load_rules
from verify.scrabble.gcg import read_gcg

REFINED = """
import os, signal
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.refine.parameters import RefineParameters
from solver.refine.refine import refine
from solver.search.greedy import Greedy
from solver.search.run import Run

run, problem = Run(threads=1), Problem.of(load_puzzle("challenge"))
Greedy().search(problem, run)
signal.signal(signal.SIGINT, lambda *_: print("ours"))
refine(problem, run, RefineParameters(effort=0.05))
os.kill(os.getpid(), signal.SIGINT)
"""


def test_ctrl_c_is_ours_after_a_refinement() -> None:
    done = subprocess.run([sys.executable, "-c", REFINED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ours\n"), done.stderr


@pytest.mark.parametrize("seconds", [6, 9])
def test_ctrl_c_while_refining_hands_out_the_best_answer(seconds: int) -> None:
    command = [*MAIN, "solve", "--width", "50", "--refine", "600"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert judge(out, load_rules()).valid


def test_signals_that_come_together_lose_no_answer() -> None:
    process = subprocess.Popen([*MAIN, "solve", "--time", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(6)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGINT):
        process.send_signal(number)
        time.sleep(0.02)
    out, err = process.communicate(timeout=60)
    # the last one may come when all is said and Python is clearing up
    assert process.returncode in (130, -signal.SIGINT), err
    assert judge(out, load_rules()).valid


@pytest.mark.parametrize("typed", ["8H a?", "8H a?\n", "8H ZZZ\nchallenge\n8H"])
def test_the_end_of_the_input_at_any_question_saves_the_game(typed: str, tmp_path: Path) -> None:
    done = rowdraw("scrabble", "--save", "e.gcg", "--words", "none", "--seed", "2", stdin=typed, cwd=tmp_path)
    assert done.returncode == 0
    assert "saved in e.gcg" in done.stdout
    assert read_gcg((tmp_path / "e.gcg").read_bytes()).players
    assert "kernels" not in done.stderr


def test_the_end_of_the_input_at_a_judgement_saves_the_game(tmp_path: Path) -> None:
    first = rowdraw("scrabble", "--save", "e.gcg", "--words", "none", "--seed", "2", stdin="8H AA\nquit\n", cwd=tmp_path)
    letters = next(line for line in first.stdout.splitlines() if "rack:" in line).split()[2:]
    play = "".join(tile[0] for tile in letters if tile[0].isalpha())[:2]
    (tmp_path / "e.gcg").unlink()
    done = rowdraw(
        "scrabble", "--save", "e.gcg", "--words", "none", "--seed", "2", stdin=f"8H {play}\nchallenge\n", cwd=tmp_path
    )
    assert "is not bundled" in done.stdout or "valid?" in done.stdout
    assert done.returncode == 0
    assert [event.tiles for event in read_gcg((tmp_path / "e.gcg").read_bytes()).events] == [play]


def test_a_closed_standard_input_is_told() -> None:
    command = " ".join(f"'{part}'" for part in [*MAIN, "scrabble", "--seed", "2"])
    done = subprocess.run(["/bin/sh", "-c", f"{command} <&-"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "standard input is closed" in done.stderr


def test_a_line_without_an_end_ends_the_game(tmp_path: Path) -> None:
    done = rowdraw("scrabble", "--save", "e.gcg", "--seed", "2", stdin="A" * 100_000, cwd=tmp_path)
    assert done.returncode == 0
    assert "saved in e.gcg" in done.stdout


def test_runs_of_a_comparison_end_with_it_when_it_is_killed(tmp_path: Path) -> None:
    command = [*MAIN, "compare", "--strategies", "widening", "--seeds", "1", "--budget", "600s", "-o", str(tmp_path / "cmp")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (children := psutil.Process(process.pid).children()):
        assert time.monotonic() < end
        time.sleep(0.1)
    time.sleep(3)
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while any(runs(child) for child in children):
        assert time.monotonic() < end, "a run lives on"
        time.sleep(0.1)


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
