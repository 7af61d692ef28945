"""The commands that bound and prove, as a user runs them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solver
from solver.bound import schedule
from solver.bound.ascent import Bound
from solver.bound.certificate import bound_of, certificate
from solver.bound.kernels.completion_bounds import Window
from solver.bound.prices import Prices, first_prices
from solver.bound.relaxation import Relaxation
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.search.run import Run
from tests.process import MAIN, rowdraw
from verify.streams import NO_READER

ROW = "tea?seatbaesttajetoe"
SHORT = ROW[:12]


def bound(
    row: str, options: str, file: Path | str, *more: str | Path, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Bound a row, with a certificate in a file."""
    return rowdraw("bound", "--row", row, *options.split(), *more, "-o", file, code=code)


QUICK = "--time 0"


def test_a_sweep_ends_at_the_optimum_of_a_short_row_and_its_certificate_is_confirmed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "bound.txt"
    row = ROW[:14]
    done = bound(row, "--time 60 --json", file)
    answer = solved(row, "exact")
    fields = json.loads(done.stdout)
    assert set(fields) == {"name", "puzzle", "row", "rules", "method", "bound", "seconds"}
    assert fields["bound"] == claim_in(file) == answer["score"] == answer["bound"]
    assert answer["gap"] == 0
    verdict = rowdraw("verify", file, code=0)
    assert f"scores more than {fields['bound']}" in verdict.stdout
    alone = [sys.executable, "-m", "verify", file]
    assert subprocess.check_output(alone, text=True) == verdict.stdout
    start = ("--start", file)
    without = bound(row, "--time 1 --states 0 --json", tmp_path / "new", *start)
    assert answer["score"] <= json.loads(without.stdout)["bound"] <= answer["score"] + 30


def claim_in(file: Path) -> int:
    return int(file.read_text().splitlines()[5].removeprefix("claim "))


def solved(row: str, strategy: str) -> dict[str, Any]:
    """The fields that `solve` prints."""
    fields: dict[str, Any] = json.loads(
        rowdraw("solve", "--row", row, "--strategy", strategy, "--json").stdout
    )
    return fields


def test_a_bound_goes_on_from_a_certificate_and_never_gets_worse(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    first = bound(SHORT, "--time 1", file)
    begun = claim_in(file)
    assert f"no game on a row of your own scores more than {begun} (r" in first.stdout
    start = ("--start", file)
    again = bound(SHORT, "--time 2 --json", tmp_path / "new", *start)
    assert json.loads(again.stdout)["bound"] <= begun


def test_a_bound_names_what_there_was_time_for() -> None:
    done = rowdraw("bound", "--time", "0")
    expected = r"no game on challenge scores more than [0-9]+ \(r3 without prices of leaves, "
    assert re.match(expected, done.stdout), done.stdout


def test_the_certificate_claims_the_bound_that_is_printed(tmp_path: Path) -> None:
    # the first ascent proves the bound, and no other lowers it
    file = tmp_path / "bound.txt"
    done = bound("quizzes", "--time 1 --states 0 --json", file)
    assert json.loads(done.stdout)["bound"] == claim_in(file)
    rowdraw("verify", file, code=0)


def test_a_certificate_of_an_earlier_command_with_the_same_bound_stays(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    bound("quizzes", QUICK, file)
    before = file.read_bytes()
    bound("quizzes", QUICK, file)
    assert file.read_bytes() == before


def test_a_certificate_goes_to_standard_output_alone(tmp_path: Path) -> None:
    command = ["bound", "--row", SHORT, *QUICK.split(), "-o", "-"]
    done = rowdraw(*command, cwd=tmp_path)
    assert "no game on a row of your own scores more than" in done.stderr
    assert not list(tmp_path.iterdir())
    rowdraw("verify", stdin=done.stdout, code=0)
    # a reader that has seen enough
    process = subprocess.Popen([*MAIN, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == NO_READER


def test_a_pipe_and_a_device_get_the_last_certificate_and_stay_what_they_are(
    full_device: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text)
        done = bound(SHORT, "--time 1 --json", pipe)
        claim = read.result().splitlines()[5]
    assert claim == f"claim {json.loads(done.stdout)['bound']}"
    assert pipe.is_fifo()
    device = tmp_path / "device"
    device.symlink_to(full_device)  # a link, so that a fault replaces the link alone
    full = bound(SHORT, "--time 1", device, code=2)
    assert "scores more than" in full.stderr
    reason = "cannot be written (No space left on device); the certificate is on stdout"
    assert f"device: {reason}" in full.stderr
    rowdraw("verify", stdin=full.stdout, code=0)
    assert device.is_symlink()
    assert {*tmp_path.iterdir()} == {pipe, device}


def test_a_bound_is_told_even_where_the_record_book_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    book = ("--results", tmp_path / "file" / "book")
    done = bound(ROW, QUICK, tmp_path / "bound.txt", *book, code=2)
    assert "scores more than" in done.stdout
    assert "cannot be written" in done.stderr


def test_a_certificate_of_another_row_is_not_taken_for_one_of_the_challenge(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    bound("tea", QUICK, file)
    judged = rowdraw("verify", file)
    assert "no game on the row tea" in judged.stdout
    assert "challenge scores" not in judged.stdout


def test_bad_input_to_bound_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for arguments, expected in (
        ("nosuch", "no such puzzle"),
        ("--relaxation r1", "--relaxation"),
        ("--time nan", "number of seconds"),
        ("-o none/bound.txt", "does not exist"),
        ("--start other.json", "other.json:1: '{}': expected 'rowdraw certificate 2'"),
        ("--start none.json", "cannot be read"),
        (f"--row {'tea' * 200}", "at most 500"),
        ("--states -1", "--states"),
    ):
        refused = rowdraw("bound", *arguments.split(), cwd=tmp_path, code=2)
        assert not refused.stdout
        assert expected in refused.stderr


def test_a_row_too_long_for_a_certificate_gets_its_bound_as_a_figure(tmp_path: Path) -> None:
    row = "tea" * 67
    command = ("bound", "--row", row, *QUICK.split())
    done = rowdraw(*command, "--json", code=0)
    fields = json.loads(done.stdout)
    assert fields["bound"] > 0
    for more in (("-o", "bound.txt"), ("--results", "book")):
        refused = rowdraw(*command, *more, cwd=tmp_path, code=2)
        assert not refused.stdout
        assert "a row of 201 tiles: expected at most 200 for a certificate" in refused.stderr
    assert not list(tmp_path.iterdir())
    assert solver.upper_bound(load_puzzle("challenge").with_row(row), seconds=0).certificate is None


def test_solve_says_how_far_from_perfect_it_can_be(tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    done = rowdraw("solve", "--row", SHORT, "--strategy", "exact", "-o", file)
    assert ", optimal" in done.stderr
    assert json.loads(file.with_suffix(".json").read_text())["bound"] is not None
    rowdraw("verify", file, code=0)
    without = solved(SHORT, "beam:width=50")
    assert (without["bound"], without["gap"]) == (None, None)


def test_ctrl_c_ends_an_ascent_with_the_best_bound(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    process = subprocess.Popen(
        [*MAIN, "bound", "-o", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "no game on challenge scores more than" in out
    assert "Traceback" not in err


def test_foci_of_an_earlier_certificate_get_the_cells_of_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate states sides and holds once: fewer cells would be read as other prices."""

    def unchanged(
        _problem: Problem, _relaxed: Relaxation, prices: Prices, _run: Run, keep: Any, *_limits: Any
    ) -> Bound:
        kept = Bound(prices, 10**9)
        keep(kept)
        return kept

    monkeypatch.setattr(schedule, "ascend", unchanged)
    problem = Problem(load_puzzle("challenge").with_row(SHORT))
    file = tmp_path / "new.txt"
    free = first_prices(problem).with_cells(2, 2)
    prices = replace(free, leave=free.leave + 100 * np.arange(2)[:, None, None])
    start = Bound(prices, 10**9, foci=(FocusPrices(4, Window(10, 0, 4), prices),))
    better = schedule.tighten_upper_bound(problem, Run(), start, states=1000)
    file.write_text(certificate(problem, better))
    (kept,) = bound_of(problem, file).foci
    assert kept.prices.equal(prices.with_cells(schedule.SIDES, schedule.HOLDS))
