"""Ctrl-C, the end of the input, parents that are killed: finds are printed, no process stays."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from solver.search.run import ending_on
from tests.process import MAIN, rowdraw, shell
from tests.web.serving import until
from verify import judge
from verify.scrabble.gcg import read_gcg


def test_signals_that_come_together_lose_no_answer(tmp_path: Path) -> None:
    command = [*MAIN, "solve", "--time", "60", "-o", "a.txt"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert until((tmp_path / "a.txt").exists)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGINT):
        process.send_signal(number)
        time.sleep(0.02)
    _out, err = process.communicate(timeout=60)
    # the last one may come when all is said and Python is clearing up
    assert process.returncode in (130, -signal.SIGINT), err
    assert judge((tmp_path / "a.txt").read_bytes()).valid


@pytest.mark.parametrize("typed", ["8H a?", "8H ZZZ\nchallenge\n8H", "A" * 100_000])
def test_the_end_of_the_input_at_any_question_saves_the_game(typed: str, tmp_path: Path) -> None:
    command = "scrabble play --save e.gcg --words none --seed 2"
    done = rowdraw(*command.split(), stdin=typed, cwd=tmp_path, code=0)
    assert "saved in e.gcg" in done.stdout
    assert read_gcg((tmp_path / "e.gcg").read_bytes()).players
    assert "kernels" not in done.stderr


def test_a_closed_standard_input_is_told() -> None:
    done = shell("rowdraw scrabble play --seed 2 <&-")
    assert done.returncode == 2
    assert "standard input is closed" in done.stderr


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
