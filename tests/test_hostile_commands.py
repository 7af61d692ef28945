"""What a stranger tried in order to make the commands lose an answer, or end with a traceback."""

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from solver.files import replace_file
from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.strategies import make_strategy
from tests.process import MAIN, rowdraw
from tests.test_commands import FAST, GREEDY


def test_output_goes_through_links_and_into_pipes_and_never_replaces_them(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    assert rowdraw(*GREEDY, "-o", "link", cwd=tmp_path).returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert "solemnized" in (tmp_path / "target").read_text()
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    assert rowdraw(*GREEDY, "-o", "pipe", cwd=tmp_path).returncode == 0
    reader.join()
    assert "solemnized" in read[0]
    assert (tmp_path / "pipe").is_fifo()
    assert "solemnized" in rowdraw(*GREEDY, "-o", "-", cwd=tmp_path).stdout
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("options", [FAST, ["--top", "2"], ["--prove"], ["--json"], ["--all"]])
def test_a_row_without_a_play_has_no_answer_and_no_file_is_written(tmp_path: Path, options: list[str]) -> None:
    done = rowdraw("solve", "--row", "qqq", "-o", "answer.txt", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("a row of your own: no word can be played for points, so there is no answer\n")
    assert list(tmp_path.iterdir()) == []


def test_racks_without_a_play_stand_in_the_json_too() -> None:
    listed = json.loads(rowdraw("best", "zzz", "abc", "--json").stdout)
    assert listed[0] == {"rack": "zzz", "score": 0, "play": None, "word": None}
    assert listed[1]["word"] == "cab"


def test_a_beam_cut_short_offers_the_best_line_that_it_held(challenge: Problem) -> None:
    for budget in range(57_000, 57_900, 150):
        held: list[int] = []
        run = Run(rack_budget=budget)
        offer = run.offer
        run.offer = lambda solution, offer=offer, held=held: held.append(solution.score) or offer(solution)  # type: ignore[method-assign,misc]
        make_strategy("beam:width=200").search(challenge, run)
        assert run.incumbent.score == max(held)


def test_a_damaged_mark_of_compiled_kernels_is_as_good_as_none(compiled: Path, tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path)}
    shutil.copytree(compiled, tmp_path / "kernels" / compiled.name)
    (mark,) = tmp_path.rglob("complete")
    mark.write_bytes(b"\xff\xfe")
    assert rowdraw(*GREEDY, **cache).returncode == 0
    assert mark.read_bytes().isdigit()
    mark.unlink()
    mark.mkdir()
    assert rowdraw(*GREEDY, **cache).returncode == 0


@pytest.mark.usefixtures("full_device")
def test_a_full_disk_behind_standard_output_is_reported() -> None:
    command = " ".join(f"'{part}'" for part in [*MAIN, "best", "abc"])
    for redirect, message in ((">/dev/full", "cannot write"), (">&-", "standard output is closed")):
        done = subprocess.run(["/bin/sh", "-c", f"{command} {redirect}"], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert message in done.stderr


@pytest.mark.usefixtures("full_device")
def test_an_answer_is_printed_although_messages_cannot_be() -> None:
    command = " ".join(f"'{part}'" for part in [*MAIN, *GREEDY])
    for redirect, answers in (("2>&-", 1), ("2>/dev/full", 1), ("2>&- >&-", 0)):
        done = subprocess.run(["/bin/sh", "-c", f"{command} {redirect}"], capture_output=True, text=True, check=False)
        assert done.stdout.count(" riverboat\n") == answers


def test_names_that_are_no_text_are_refused_for_puzzles_and_shown_for_records(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    (tmp_path / f"{name}.toml").write_text('row = "teasets"\n')
    done = rowdraw("solve", f"{name}.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "expected a puzzle whose name is text" in done.stderr
    done = rowdraw("bound", "--row", "tea", "--relaxation", "r1", "--time", "0", "--results", name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / name).glob("row-*/certificate.txt")] == ["certificate.txt"]
    assert list(tmp_path.rglob("*.part")) == []


def test_text_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        replace_file(tmp_path / "a", "\udce9")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
