"""Compiled kernels, records, journals and parts of files: what is damaged is never used, what is better is never lost."""

import fcntl
import json
import os
import pickle
import random
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.compiled import _read_checked, _write_checked
from solver.errors import JournalError
from solver.files import fields_on_file, keep_lines, replace_file
from solver.index.problem import Problem
from solver.lab.compare.collect import collect
from solver.lab.compare.finding import find
from solver.lab.compare.journal import Journal
from solver.lab.optima import STRATEGIES, Truth, read_truths
from solver.lab.records import keep_bound, least_bound
from solver.report.comparison import comparison_page
from solver.report.pages import write_report
from tests.process import MAIN, rowdraw

BEST = "abc\t14\tcab\tcab\n"


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :]


def test_damaged_kernels_are_recompiled_in_the_same_run(tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    assert rowdraw("best", "abc", **cache).stdout == BEST
    files = sorted((tmp_path / "kernels").rglob("*best_plays.best_plays-*.nb?"))
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    rng = random.Random(1)
    for path in files:
        content = path.read_bytes()
        path.write_bytes(flipped(content, rng.randrange(16, len(content))))
        done = rowdraw("best", "abc", **cache)
        assert (done.returncode, done.stdout) == (0, BEST), done.stderr
        assert "a kept kernel is damaged: it is compiled again" in done.stderr
    quiet = rowdraw("best", "abc", **cache)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, BEST, "")


@given(code=st.binary(max_size=50), data=st.data())
def test_no_damage_of_a_kept_kernel_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, code: bytes, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("kernel") / "kernel.nbc"
    _write_checked(path, pickle.dumps(code))
    assert _read_checked(path) == code
    whole = path.read_bytes()
    places = st.integers(0, len(whole) - 1)
    damaged = data.draw(places.map(lambda end: whole[:end]) | places.map(lambda place: flipped(whole, place)))
    path.write_bytes(damaged)
    assert _read_checked(path) is None


def test_one_kernels_code_is_not_taken_for_another_ones(compiled: Path, tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    shutil.copytree(compiled, tmp_path / "kernels" / compiled.name)
    kept = set((tmp_path / "kernels").rglob("*best_plays.best_plays-*.nbc"))
    others = sorted(set((tmp_path / "kernels").rglob("*.nbc")) - kept)
    for other in others[::100]:
        for path in kept:
            path.write_bytes(other.read_bytes())
        done = rowdraw("best", "abc", **cache)
        assert (done.returncode, done.stdout) == (0, BEST), (other.name, done.stderr)


@pytest.mark.parametrize("place", ["kernels", "cache/kernels"])
def test_kernels_that_cannot_be_kept_are_used_all_the_same(place: str, tmp_path: Path) -> None:
    (tmp_path / place.partition("/")[0]).write_text("in the way")
    done = rowdraw("best", "abc", ROWDRAW_CACHE=str((tmp_path / place).parent), NUMBA_CACHE_DIR="")
    assert (done.returncode, done.stdout) == (0, BEST)
    assert "cannot be written" in done.stderr


def certificate(bound: float) -> str:
    return json.dumps({"bound": f"{bound:.3f}"})


def test_a_worse_bound_never_replaces_a_better_one(challenge: Problem, tmp_path: Path) -> None:
    """Several writers, whose bounds come in any order; what is on file only ever falls."""
    seen: list[float] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            bound = least_bound(tmp_path / "challenge")
            if bound is not None:
                seen.append(bound)

    def write(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(60):
            bound = rng.randrange(1100, 2000)
            keep_bound(tmp_path, challenge, bound, certificate(bound))

    watcher = threading.Thread(target=watch)
    watcher.start()
    writers = [threading.Thread(target=write, args=(seed,)) for seed in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    watcher.join()
    assert seen == sorted(seen, reverse=True)
    lowest = min(random.Random(seed).randrange(1100, 2000) for seed in range(4))
    assert seen[-1] <= lowest
    assert fields_on_file(tmp_path / "challenge" / "bound.json")["bound"] == f"{least_bound(tmp_path / 'challenge'):.3f}"


def test_parts_that_killed_processes_left_are_cleared_up(tmp_path: Path) -> None:
    old, held, fresh, theirs = (tmp_path / f".{name}.part" for name in ("a.old00000", "a.held0000", "a.fresh000", "download"))
    for part in (old, held, fresh, theirs):
        part.write_text("part")
    for part in (old, held, theirs):
        os.utime(part, (time.time() - 3600,) * 2)
    with held.open("rb") as somebody:
        fcntl.flock(somebody, fcntl.LOCK_EX)
        replace_file(tmp_path / "file", "text")
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            ".a.fresh000.part", ".a.held0000.part", ".download.part", "file"
        ]  # fmt: skip
    replace_file(tmp_path / "file", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.fresh000.part", ".download.part", "file"]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    command = ["compare", "--strategies", "greedy", "--seeds", "1", "--budget", "9s", "-o", "cmp"]
    done = rowdraw(*command, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "cmp"


STRANGE = [
    None,
    True,
    [1],
    [[1]],
    [[1, 2]],
    [["a", 1, 2]],
    {},
    {"a": [1]},
    "x",
    "\x1b",
    "\ud800",
    -1,
    1.5,
    10**400,
    float("inf"),
]
FIELDS = ["trace", "score", "solution", "seconds", "racks", "seed", "label", "puzzle", "puzzle_name", "budget", "threads",
          "strategy", "versions", "machine", "rules", "code", "finished", "puzzle_digest"]  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_a_journal_that_somebody_has_changed_is_refused_or_told(field: str, compared: Path, tmp_path: Path) -> None:
    (outcome,) = Journal(compared).outcomes().values()
    refusals = 0
    for number, value in enumerate([*STRANGE, float("inf")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "journal.jsonl").write_text(json.dumps({**outcome, field: value}).replace("Infinity", "1e400") + "\n")
        refusal = refused(folder)
        refusals += refusal is not None
        if refusal is not None:
            assert f"{field} = " in refusal
            assert len(refusal) < 400
        else:
            comparison = collect(folder)
            write_report(tmp_path / "r.html", comparison_page(comparison, "journal"))
            assert find(comparison).answer
    assert refusals >= 8


def refused(folder: Path) -> str | None:
    """What is said of the journal in `folder`; None where it is taken."""
    try:
        collect(folder)
    except JournalError as error:
        return str(error)
    return None


def test_a_failed_run_may_say_anything(compared: Path, tmp_path: Path) -> None:
    (outcome,) = Journal(compared).outcomes().values()
    failed = {**outcome, "key": "other", "label": "other", "error": "\x1b[31m \ud800 <script>\nline"}
    (tmp_path / "journal.jsonl").write_text(f"{json.dumps(outcome)}\n{json.dumps(failed)}\n")
    done = rowdraw("report", str(tmp_path), "-o", str(tmp_path / "r.html"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert "\\x1b[31m \\ud800 &lt;script&gt;" in page


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cmp").mkdir()
    (tmp_path / "cmp" / "journal.jsonl").touch()  # a folder of a comparison; others are refused before anything runs
    (tmp_path / "cmp" / "summary.csv").mkdir()
    done = rowdraw("compare", "--strategies", "greedy", "--seeds", "1", "--budget", "9s", "-o", "cmp", cwd=tmp_path)
    assert done.returncode == 2
    assert "cmp/summary.csv" in done.stderr
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "table.md").mkdir()
    done = rowdraw("lab", "optima", "--rows", "1", "--tiles", "5", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "out/table.md" in done.stderr


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for write in (lambda: replace_file(tmp_path / "a", "text"), lambda: Journal(tmp_path).append({"key": "a"})):
        with pytest.raises(OSError, match="No space") as refused:
            write()
        assert str(refused.value.filename).startswith(str(tmp_path))


def test_a_comparison_in_which_every_run_failed_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('row = "teasetsandmoretiles"\nrack = 12\n')
    command = ["compare", "--puzzles", "p.toml", "--strategies", "exact", "--seeds", "1", "--budget", "5s", "-o", "cmp"]
    done = rowdraw(*command, cwd=tmp_path)
    assert done.returncode == 1
    assert "Every run failed" in done.stderr
    assert "internal error" not in done.stderr
    reported = rowdraw("report", "cmp", "-o", "r.html", cwd=tmp_path)
    assert reported.returncode == 1
    assert "Every run failed, the only one: there is nothing to compare." in reported.stderr
    page = (tmp_path / "r.html").read_text()
    assert "Every run failed, the only one" in page
    assert "Failed runs" in page
    assert "exact search" in page


def test_a_run_without_points_is_drawn(compared: Path, tmp_path: Path) -> None:
    (outcome,) = Journal(compared).outcomes().values()
    for fields in ({"trace": []}, {"seconds": 0, "racks": 0, "trace": [[1e12, 0, 0]]}):
        (tmp_path / "journal.jsonl").write_text(json.dumps({**outcome, **fields}) + "\n")
        done = rowdraw("report", str(tmp_path), "-o", str(tmp_path / "r.html"))
        assert done.returncode == 0, done.stderr


def test_a_better_bound_that_somebody_else_has_put_there_stays(tmp_path: Path) -> None:
    def bound(*arguments: str) -> float:
        assert rowdraw("bound", "--row", "teasetsaloud?", "-o", "b.json", *arguments, cwd=tmp_path).returncode == 0
        return float(fields_on_file(tmp_path / "b.json")["bound"])

    good = bound("--relaxation", "r3", "--states", "0")
    whole = (tmp_path / "b.json").read_bytes()
    command = [*MAIN, "bound", "--row", "teasetsaloud?", "--relaxation", "r1", "--time", "0", "-o", "b.json"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    assert (tmp_path / "b.json").read_bytes() == whole
    assert good > 0


def test_two_that_write_one_journal_keep_each_others_lines(tmp_path: Path) -> None:
    def entry(row: str, score: int) -> Truth:
        return Truth(row, None, score, score, 1.0, 1, dict.fromkeys(STRATEGIES, score))

    def write(letters: str) -> None:
        for row in letters:
            keep_lines(tmp_path / "optima.jsonl", [entry(row, 5)], read_truths, lambda truth: truth.row)

    writers = [threading.Thread(target=write, args=(letters,)) for letters in ("abcdefgh", "ijklmnop", "qrstuvwx")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert {truth.row for truth in read_truths(tmp_path)} == set("abcdefghijklmnopqrstuvwx")


@pytest.mark.parametrize(
    "fields",
    [{"seconds": float("nan")}, {"seconds": -1}, {"seconds": 10**400}, {"racks": -5}, {"score": 10**400, "bound": 10**400},
     {"row": "\x1b[31m"}, {"row": ""}, {"x" * 100_000: 1}],
)  # fmt: skip
def test_a_journal_of_optima_that_somebody_has_changed_is_refused(fields: dict[str, object], tmp_path: Path) -> None:
    truth = {"row": "tea", "optimum": None, "score": 5, "bound": 6, "seconds": 1.0, "racks": 1,
             "scores": dict.fromkeys(STRATEGIES, 5)}  # fmt: skip
    (tmp_path / "optima.jsonl").write_text(json.dumps({**truth, **fields}) + "\n")
    with pytest.raises(JournalError) as refused:
        read_truths(tmp_path)
    assert len(str(refused.value)) < 400
