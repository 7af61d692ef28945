"""The commands that bound and prove, as a user runs them."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.process import MAIN, rowdraw

ROW = "tea?seatbaesttajetoe"
SHORT = ROW[:12]


def test_a_bound_is_printed_kept_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    options = ("--relaxation", "r3", "--time", "4", "--states", "0")
    done = rowdraw("bound", "--row", SHORT, *options, "--json", "-o", str(file))
    assert done.returncode == 0, done.stderr
    fields = json.loads(done.stdout)
    assert set(fields) == {"puzzle", "relaxation", "bound", "seconds"}
    solved = json.loads(rowdraw("solve", "--row", SHORT, "--width", "2000", "--json").stdout)
    assert solved["score"] <= fields["bound"] <= solved["score"] + 30
    for command in (rowdraw("verify", str(file)), verify_alone(file)):
        assert command.returncode == 0, command.stdout
        assert f"scores more than {fields['bound']:.3f}" in command.stdout


def test_a_sweep_ends_at_the_optimum_of_a_short_row_and_its_certificate_is_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    row = ROW[:14]
    done = rowdraw("bound", "--row", row, "--relaxation", "r3", "--time", "60", "-o", str(file), "--json")
    solved = json.loads(rowdraw("solve", "--row", row, "--strategy", "exact", "--json").stdout)
    assert json.loads(done.stdout)["bound"] == solved["score"] == solved["bound"]
    assert float(json.loads(file.read_text())["bound_of_prices"]) > solved["score"]
    assert rowdraw("verify", str(file)).returncode == 0
    without = rowdraw(
        "bound", "--row", row, "--relaxation", "r3", "--start", str(file), "--time", "1", "--states", "0", "--json"
    )
    assert json.loads(without.stdout)["bound"] > solved["score"]


def verify_alone(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "verify", str(file)], capture_output=True, text=True, check=False)


def test_a_bound_goes_on_from_a_certificate_and_never_gets_worse(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    first = rowdraw("bound", "--row", SHORT, "--relaxation", "r2", "--time", "1", "-o", str(file))
    assert "no game on a row of your own scores more than" in first.stdout
    begun = float(json.loads(file.read_text())["bound"])
    again = rowdraw("bound", "--row", SHORT, "--relaxation", "r2", "--time", "2", "--start", str(file), "--json")
    assert json.loads(again.stdout)["bound"] <= begun


def test_a_lower_bound_on_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    rowdraw("bound", "--row", SHORT, "--relaxation", "r2", "--time", "2", "-o", str(file))
    low = file.read_text()
    again = rowdraw("bound", "--row", SHORT, "--relaxation", "r1", "--time", "0", "-o", str(file))
    assert again.returncode == 0
    assert "stays as it is" in again.stderr
    assert file.read_text() == low


@pytest.mark.parametrize("states", ["0", "1000"])
def test_of_equal_bounds_the_printed_relaxation_is_that_of_the_certificate(states: str, tmp_path: Path) -> None:
    # a row with a bound that r1 proves and no other relaxation lowers, and one that the sweeps lower
    for row in ("quizzes", "tea?setsoat"):
        file = tmp_path / f"{len(row)}.json"
        command = ("bound", "--row", row, "--relaxation", "r3", "--time", "2", "--states", states, "-o", str(file))
        printed = json.loads(rowdraw(*command, "--json").stdout)
        kept = json.loads(file.read_text())
        assert (printed["relaxation"], printed["bound"]) == (kept["relaxation"], float(kept["bound"]))
        assert rowdraw("verify", str(file)).returncode == 0


def test_a_certificate_of_an_earlier_command_with_the_same_bound_stays_which_a_message_says(tmp_path: Path) -> None:
    command = ("bound", "--row", "quizzes", "--relaxation", "r1", "--time", "0", "-o", str(tmp_path / "bound.json"))
    assert "stays as it is" not in rowdraw(*command).stderr
    proven = json.loads((tmp_path / "bound.json").read_text())["bound"]
    assert f"bound.json stays as it is: it proves {proven}" in rowdraw(*command).stderr


def test_a_pipe_and_a_device_get_the_last_certificate_and_stay_what_they_are(tmp_path: Path) -> None:
    command = ("bound", "--row", SHORT, "--relaxation", "r2", "--time", "1", "-o")
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit((tmp_path / "pipe").read_text)
        done = rowdraw(*command, str(tmp_path / "pipe"), "--json")
        fields = json.loads(read.result())
    assert float(fields["bound"]) == json.loads(done.stdout)["bound"]
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "device").symlink_to("/dev/full")  # a link, so that a fault replaces the link alone
    full = rowdraw(*command, str(tmp_path / "device"))
    assert full.returncode == 2
    assert "scores more than" in full.stdout
    assert "device: cannot be written (No space left on device)" in full.stderr
    assert (tmp_path / "device").is_symlink()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "device"}


def test_a_certificate_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("bound.json")
    rowdraw("bound", "--row", "tea", "--relaxation", "r1", "--time", "0", "-o", str(tmp_path / "link.json"))
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "bound.json").read_text())["relaxation"] == "r1"


def test_a_bound_is_told_even_where_the_record_book_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = rowdraw("bound", "--row", ROW, "--relaxation", "r1", "--time", "0", "--results", str(tmp_path / "file" / "book"))
    assert done.returncode == 2
    assert "scores more than" in done.stdout
    assert "cannot be written" in done.stderr


def test_a_certificate_of_another_row_is_not_taken_for_one_of_the_challenge(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    rowdraw("bound", "--row", "tea", "--relaxation", "r1", "--time", "0", "-o", str(file))
    judged = rowdraw("verify", str(file))
    assert "no game on the row tea, with the rules of challenge scores more than" in judged.stdout
    assert json.loads(rowdraw("verify", "--json", str(file)).stdout)[0]["puzzle"] == "the row tea, with the rules of challenge"


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields["prices"].update(tiles=["9000000000000000.000"] * len(ROW)),
        lambda fields: fields["prices"].update(tiles="1" * len(ROW)),
        lambda fields: fields["prices"].update(tiles=["nan"] * len(ROW)),
        lambda fields: fields["parameters"].update(sides=10**12),
    ],
)
def test_prices_that_cannot_be_begun_with_are_refused(change: Callable[[Any], None], tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    rowdraw("bound", "--row", ROW, "--relaxation", "r1", "--time", "0", "-o", str(file))
    fields = json.loads(file.read_text())
    change(fields)
    del fields["digest"]
    digest = hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    file.write_text(json.dumps(fields | {"digest": digest}))
    refused = rowdraw("bound", "--row", ROW, "--relaxation", "r3", "--time", "1", "--start", str(file))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{file}: no certificate that prices can be taken from" in refused.stderr


def test_bad_input_to_bound_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for arguments, expected in (
        (["nosuch"], "no such puzzle"),
        (["--relaxation", "r7"], "r7"),
        (["--time", "nan"], "number of seconds"),
        (["-o", str(tmp_path / "none/bound.json")], "does not exist"),
        (["--start", str(tmp_path / "other.json")], "no certificate"),
        (["--start", str(tmp_path / "none.json")], "cannot be read"),
        (["--row", "tea" * 100, "--relaxation", "r3"], "at most 200, or r1"),
        (["--states", "-1"], "--states"),
    ):
        refused = rowdraw("bound", *arguments)
        assert refused.returncode == 2, arguments
        assert expected in refused.stderr
        assert refused.stdout == ""


def test_hostile_certificates_are_refused_in_a_line_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    rowdraw("bound", "--row", ROW, "--relaxation", "r1", "--time", "0", "-o", str(file))
    whole = file.read_text()
    for text, code in ((whole[:500], 2), (whole.replace(ROW, ROW[::-1]), 1), (whole.replace('"r1"', '"r9"'), 2)):
        file.write_text(text)
        judged = rowdraw("verify", str(file))
        assert judged.returncode == code, text[:80]
        assert str(file) in judged.stdout + judged.stderr


def test_solve_says_how_far_from_perfect_it_can_be(tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    solved = rowdraw("solve", "--row", SHORT, "--width", "50", "--bound", "2", "-o", str(file))
    assert "at most " in solved.stderr or ", optimal" in solved.stderr
    assert json.loads(file.with_suffix(".json").read_text())["bound"] is not None
    assert rowdraw("verify", str(file)).returncode == 0
    fields = json.loads(rowdraw("solve", "--row", SHORT, "--width", "50", "--bound", "2", "--json").stdout)
    assert fields["gap"] == pytest.approx(fields["bound"] - fields["score"], abs=0.001)
    without = json.loads(rowdraw("solve", "--row", SHORT, "--width", "50", "--json").stdout)
    assert (without["bound"], without["gap"]) == (None, None)


def test_exact_search_says_optimal() -> None:
    solved = rowdraw("solve", "--row", ROW, "--strategy", "exact:ascent=1")
    assert ", optimal," in solved.stderr
    assert rowdraw("solve", "--strategy", "exact:states=0").returncode == 2


def test_ctrl_c_ends_an_ascent_with_the_best_bound(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    process = subprocess.Popen([*MAIN, "bound", "-o", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "no game on challenge scores more than" in out
    assert "Traceback" not in err


def test_optima_search_again_and_keep_what_is_proven(tmp_path: Path) -> None:
    arguments = ("lab", "optima", "--tiles", "8", "--ascent", "0.5", "--rows", "1", "-o", str(tmp_path))
    first = rowdraw(*arguments)
    journal = tmp_path / "optima.jsonl"
    fields = json.loads(journal.read_text())
    other = fields | {"seconds": 1234.5, "scores": dict.fromkeys(fields["scores"], 1)}
    journal.write_text(json.dumps(other) + "\n")
    again = rowdraw(*arguments, "--again")
    assert json.loads(journal.read_text()) == other | {"scores": fields["scores"]}
    assert again.stdout.splitlines()[2:] == first.stdout.splitlines()[2:]
    journal.write_text(json.dumps(other | {"optimum": None, "score": 1, "bound": 1}) + "\n")
    assert f"{fields['optimum']} points were found: expected 1 at most" in rowdraw(*arguments, "--again").stderr


def test_optima_go_on_where_they_were_left(tmp_path: Path) -> None:
    arguments = ("lab", "optima", "--tiles", "8", "--ascent", "0.5", "-o", str(tmp_path))
    first = rowdraw(*arguments, "--rows", "1")
    assert "1 of 1 random rows of 8 tiles were solved exactly" in first.stdout, first.stderr
    second = rowdraw(*arguments, "--rows", "2")
    assert "2 of 2 random rows" in second.stdout
    assert (tmp_path / "table.md").read_text() == second.stdout
    third = rowdraw(*arguments, "--rows", "2")
    assert third.stdout == second.stdout
    fields = json.loads((tmp_path / "optima.jsonl").read_text().splitlines()[0])
    wrong = ({"scores": {}}, {"scores": []}, {"row": ["a"]}, {"optimum": 1}, {"bound": "8"}, {"seconds": None})
    for lines in (*(json.dumps(fields | change) for change in wrong), "nonsense", "", "[" * 100_000, '{"row": "cut sh'):
        damaged = f"{json.dumps(fields)}\n{lines}\n"
        (tmp_path / "optima.jsonl").write_text(damaged)
        # what cannot be read may be somebody's work: it is not written over
        assert "optima.jsonl:2" in rowdraw(*arguments, "--rows", "2").stderr, lines
        assert (tmp_path / "optima.jsonl").read_text() == damaged
    (tmp_path / "optima.jsonl").write_bytes(b"\xff\n")
    assert "not text" in rowdraw(*arguments, "--rows", "2").stderr


def test_a_row_without_a_word_has_an_optimum_of_nothing(tmp_path: Path) -> None:
    done = rowdraw("lab", "optima", "--tiles", "2", "--rows", "3", "-o", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "3 of 3 random rows of 2 tiles were solved exactly" in done.stdout
    assert '"optimum": 0' in (tmp_path / "optima.jsonl").read_text()
