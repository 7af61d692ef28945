"""Compiled kernels, records, journals and parts of files: what is damaged is never used, what is better is never lost."""

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.relaxations.prices import first_prices
from solver.errors import JournalError
from solver.files import Output, replace_file
from solver.index.problem import Problem
from solver.lab.compare.collect import collect
from solver.lab.compare.finding import find
from solver.lab.compare.runs import Journal
from solver.lab.records import keep_bound, least_bound
from solver.model.tiles import POINT
from solver.report.comparison import comparison_page
from solver.report.pages import write_report
from tests.compare.runs import fields_of, run_of
from tests.process import rowdraw

ROOT = Path(__file__).resolve().parents[2]
BEST = "abc\t14\tcab\tcab\n"


DOUBLE = """
import sys
from pathlib import Path
from verify.compiled import compiler

def double(number):
    return 2 * number

doubled = compiler(Path(sys.argv[1]))(double)
print(*[doubled(eval(number)) for number in sys.argv[2:]])
"""


def test_processes_that_compile_for_types_in_another_order_keep_the_same_files(tmp_path: Path) -> None:
    """Two processes may fill one folder at a time, in any order."""
    program = tmp_path / "double.py"
    program.write_text(DOUBLE)

    def doubled(folder: Path, *numbers: str) -> str:
        command = [sys.executable, str(program), str(folder), *numbers]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    one, other = tmp_path / "one", tmp_path / "other"
    assert doubled(one, "1", "1.5") == "2 3.0\n"
    assert doubled(other, "1.5", "1") == "3.0 2\n"
    for path in other.rglob("*.nbc"):
        (one / path.relative_to(other)).write_bytes(path.read_bytes())
    assert doubled(one, "1", "1.5") == "2 3.0\n"


@pytest.mark.parametrize("kept", [0, 0.5])
def test_a_kernel_whose_file_is_cut_off_is_compiled_again(kept: float, tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path)}
    assert rowdraw("best", "abc", **cache).stdout == BEST
    files = sorted((tmp_path / "kernels").rglob("*.best_plays-*.nbc"))
    assert files
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content[: int(kept * len(content))])
        done = rowdraw("best", "abc", **cache)
        assert (done.returncode, done.stdout) == (0, BEST), done.stderr
    quiet = rowdraw("best", "abc", **cache)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, BEST, "")


@pytest.mark.parametrize("place", ["kernels", "cache/kernels"])
def test_kernels_that_cannot_be_kept_are_used_all_the_same(place: str, tmp_path: Path) -> None:
    (tmp_path / place.partition("/")[0]).write_text("in the way")
    done = rowdraw("best", "abc", ROWDRAW_CACHE=str((tmp_path / place).parent))
    assert (done.returncode, done.stdout) == (0, BEST)
    assert "cannot be written" in done.stderr


def test_a_worse_bound_never_replaces_a_better_one(challenge: Problem, tmp_path: Path) -> None:
    """Several writers, whose bounds come in any order; what is on file only ever falls."""
    seen: list[int] = []
    prices = first_prices(challenge)
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
            keep_bound(tmp_path, challenge, bound, certificate(challenge, Bound("r1", prices, bound * POINT)))

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
    assert f"claim {least_bound(tmp_path / 'challenge')}\n" in (tmp_path / "challenge" / "certificate.txt").read_text()


def test_parts_that_killed_processes_left_are_cleared_up(tmp_path: Path) -> None:
    import fcntl

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
        (folder / "journal.jsonl").write_text(
            json.dumps({**fields_of(outcome), field: value}).replace("Infinity", "1e400") + "\n"
        )
        refusal = refused(folder)
        refusals += refusal is not None
        if refusal is not None:
            # half of a surrogate pair is no JSON
            is_unreadable = value == "\ud800" and "is not a run of a comparison" in refusal
            assert is_unreadable or f"{field} = " in refusal
            assert len(refusal) < 400
        else:
            comparison = collect(folder)
            write_report(Output(tmp_path / "r.html", force=True), comparison_page(comparison, "journal"))
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
    failed = {**fields_of(outcome), "key": "other", "label": "other", "error": "\x1b[31m \ud800 <script>\nline"}
    (tmp_path / "journal.jsonl").write_text(f"{json.dumps(fields_of(outcome))}\n{json.dumps(failed)}\n")
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


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for write in (lambda: replace_file(tmp_path / "a", "text"), lambda: Journal(tmp_path).append(run_of())):
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
        (tmp_path / "journal.jsonl").write_text(json.dumps({**fields_of(outcome), **fields}) + "\n")
        done = rowdraw("report", str(tmp_path), "-o", str(tmp_path / "r.html"))
        assert done.returncode == 0, done.stderr
