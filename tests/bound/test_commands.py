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

from solver.bound import schedule
from solver.bound.ascent import Bound
from solver.bound.certificate import bound_of, certificate
from solver.bound.kernels.completion_bounds import Window
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.relaxations.relaxation import Relaxation
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.search.run import Run
from tests.bound.games import ended
from tests.process import MAIN, rowdraw
from verify.streams import NO_READER

ROW = "tea?seatbaesttajetoe"
OLD = Path(__file__).resolve().parents[2] / "examples/certificates/version-1.json"
SHORT = ROW[:12]


def test_a_bound_is_printed_kept_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    options = ("--relaxation", "r3", "--time", "2", "--states", "0")
    done = rowdraw("bound", "--row", SHORT, *options, "--json", "-o", str(file))
    assert done.returncode == 0, done.stderr
    fields = json.loads(done.stdout)
    assert set(fields) == {"name", "puzzle", "row", "rules", "relaxation", "bound", "seconds"}
    solved = json.loads(
        rowdraw("solve", "--row", SHORT, "--strategy", "beam:width=2000", "--json").stdout
    )
    assert solved["score"] <= fields["bound"] <= solved["score"] + 30
    for command in (rowdraw("verify", str(file)), verify_alone(file)):
        assert command.returncode == 0, command.stdout
        assert f"scores more than {fields['bound']}" in command.stdout


def test_a_sweep_ends_at_the_optimum_of_a_short_row_and_its_certificate_is_confirmed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "bound.txt"
    row = ROW[:14]
    done = rowdraw(
        "bound", "--row", row, "--relaxation", "r3", "--time", "60", "-o", str(file), "--json"
    )
    solved = json.loads(rowdraw("solve", "--row", row, "--strategy", "exact", "--json").stdout)
    assert json.loads(done.stdout)["bound"] == solved["score"] == solved["bound"]
    assert rowdraw("verify", str(file)).returncode == 0
    without = rowdraw(
        "bound",
        "--row",
        row,
        "--relaxation",
        "r3",
        "--start",
        str(file),
        "--time",
        "1",
        "--states",
        "0",
        "--json",
    )
    assert json.loads(without.stdout)["bound"] >= solved["score"]


def claim_in(file: Path) -> int:
    return int(file.read_text().splitlines()[5].removeprefix("claim "))


def verify_alone(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "verify", str(file)], capture_output=True, text=True, check=False
    )


def test_a_bound_goes_on_from_a_certificate_and_never_gets_worse(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    first = rowdraw("bound", "--row", SHORT, "--relaxation", "r3", "--time", "1", "-o", str(file))
    begun = claim_in(file)
    assert f"no game on a row of your own scores more than {begun} (r" in first.stdout
    again = rowdraw(
        "bound", "--row", SHORT, "--relaxation", "r3", "--time", "2", "--start", str(file), "--json"
    )
    assert json.loads(again.stdout)["bound"] <= begun


def test_a_bound_names_the_relaxation_that_there_was_time_for() -> None:
    done = rowdraw("bound", "--relaxation", "r3", "--time", "0")
    assert re.search(
        r"no game on challenge scores more than [0-9]+ \(r1, [0-9.]+ s\)", done.stdout
    ), done.stdout


def test_of_equal_bounds_the_printed_relaxation_is_that_of_the_certificate(tmp_path: Path) -> None:
    # a row with a bound that r1 proves and no other relaxation lowers, and one that sweeps lower
    for row, states in (("quizzes", "0"), ("tea?setsoat", "1000")):
        file = tmp_path / f"{len(row)}.txt"
        command = (
            "bound",
            "--row",
            row,
            "--relaxation",
            "r3",
            "--time",
            "1",
            "--states",
            states,
            "-o",
            str(file),
        )
        printed = json.loads(rowdraw(*command, "--json").stdout)
        assert f"relaxation {printed['relaxation']} " in file.read_text()
        assert printed["bound"] == claim_in(file)
        assert rowdraw("verify", str(file)).returncode == 0


def test_a_certificate_of_an_earlier_command_with_the_same_bound_stays(tmp_path: Path) -> None:
    command = (
        "bound",
        "--row",
        "quizzes",
        "--relaxation",
        "r1",
        "--time",
        "0",
        "-o",
        str(tmp_path / "bound.txt"),
    )
    assert rowdraw(*command).returncode == 0
    before = (tmp_path / "bound.txt").read_bytes()
    assert rowdraw(*command).returncode == 0
    assert (tmp_path / "bound.txt").read_bytes() == before


def test_a_certificate_goes_to_standard_output_alone(tmp_path: Path) -> None:
    done = rowdraw(
        "bound", "--row", SHORT, "--relaxation", "r1", "--time", "0", "-o", "-", cwd=tmp_path
    )
    (tmp_path / "bound.txt").write_text(done.stdout)
    assert "no game on a row of your own scores more than" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"bound.txt"}
    assert rowdraw("verify", "bound.txt", cwd=tmp_path).returncode == 0
    # a reader that has seen enough
    command = [*MAIN, "bound", "--row", SHORT, "--relaxation", "r1", "--time", "0", "-o", "-"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == NO_READER


def test_a_pipe_and_a_device_get_the_last_certificate_and_stay_what_they_are(
    full_device: Path, tmp_path: Path
) -> None:
    command = ("bound", "--row", SHORT, "--relaxation", "r1", "--time", "1", "-o")
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit((tmp_path / "pipe").read_text)
        done = rowdraw(*command, str(tmp_path / "pipe"), "--json")
        claim = read.result().splitlines()[5]
    assert claim == f"claim {json.loads(done.stdout)['bound']}"
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "device").symlink_to(full_device)  # a link, so that a fault replaces the link alone
    full = rowdraw(*command, str(tmp_path / "device"))
    assert full.returncode == 2
    assert "scores more than" in full.stderr
    assert (
        "device: cannot be written (No space left on device); the certificate is on stdout"
        in full.stderr
    )
    (tmp_path / "printed").write_text(full.stdout)
    assert rowdraw("verify", str(tmp_path / "printed")).returncode == 0
    assert (tmp_path / "device").is_symlink()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "device", "printed"}


def test_a_bound_is_told_even_where_the_record_book_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = rowdraw(
        "bound",
        "--row",
        ROW,
        "--relaxation",
        "r1",
        "--time",
        "0",
        "--results",
        str(tmp_path / "file" / "book"),
    )
    assert done.returncode == 2
    assert "scores more than" in done.stdout
    assert "cannot be written" in done.stderr


def test_a_certificate_of_another_row_is_not_taken_for_one_of_the_challenge(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    rowdraw("bound", "--row", "tea", "--relaxation", "r1", "--time", "0", "-o", str(file))
    judged = rowdraw("verify", str(file))
    assert "no game on the row tea" in judged.stdout
    assert "challenge scores" not in judged.stdout


def test_prices_that_cannot_be_begun_with_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "bound.txt"
    rowdraw("bound", "--row", ROW, "--relaxation", "r1", "--time", "0", "-o", str(file))
    file.write_text(ended(file.read_text().rpartition("end ")[0].replace("tiles ", "tiles 1 ")))
    refused = rowdraw(
        "bound", "--row", ROW, "--relaxation", "r3", "--time", "1", "--start", str(file)
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{file}:8: " in refused.stderr
    assert "expected" in refused.stderr


def test_bad_input_to_bound_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for arguments, expected in (
        (["nosuch"], "no such puzzle"),
        (["--relaxation", "r7"], "r7"),
        (["--time", "nan"], "number of seconds"),
        (["-o", str(tmp_path / "none/bound.txt")], "does not exist"),
        (
            ["--start", str(tmp_path / "other.json")],
            "other.json:1: '{}': expected 'rowdraw certificate 2'",
        ),
        (["--start", str(tmp_path / "none.json")], "cannot be read"),
        (["--row", "tea" * 100, "--relaxation", "r3"], "at most 200, or r1"),
        (["--start", str(OLD)], f"python tools/certificates.py {OLD} -o NEW.txt"),
        (["--states", "-1"], "--states"),
    ):
        refused = rowdraw("bound", *arguments)
        assert refused.returncode == 2, arguments
        assert expected in refused.stderr
        assert refused.stdout == ""


def test_solve_says_how_far_from_perfect_it_can_be(tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    solved = rowdraw("solve", "--row", SHORT, "--strategy", "exact", "-o", str(file))
    assert ", optimal" in solved.stderr
    assert json.loads(file.with_suffix(".json").read_text())["bound"] is not None
    assert rowdraw("verify", str(file)).returncode == 0
    fields = json.loads(rowdraw("solve", "--row", SHORT, "--strategy", "exact", "--json").stdout)
    assert fields["gap"] == pytest.approx(fields["bound"] - fields["score"], abs=0.001)
    without = json.loads(
        rowdraw("solve", "--row", SHORT, "--strategy", "beam:width=50", "--json").stdout
    )
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
        keep(bound := Bound("r3", prices, 10**9))
        return bound

    monkeypatch.setattr(schedule, "ascend", unchanged)
    problem = Problem(load_puzzle("challenge").with_row(SHORT))
    file = tmp_path / "new.txt"
    free = first_prices(problem).with_cells(2, 2)
    prices = replace(free, leave=free.leave + 100 * np.arange(2)[:, None, None])
    start = Bound("r3", prices, 10**9, foci=(FocusPrices(4, Window(10, 0, 4), prices),))
    file.write_text(
        certificate(problem, schedule.tighten_upper_bound(problem, "r3", Run(), start, states=1000))
    )
    (kept,) = bound_of(problem, file).foci
    assert kept.prices.equal(prices.with_cells(schedule.SIDES, schedule.HOLDS))
