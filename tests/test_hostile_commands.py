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


def test_an_answer_to_a_row_of_ones_own_verifies_by_itself(tmp_path: Path) -> None:
    for form in ([], ["--json"]):
        assert rowdraw("solve", "--row", "tea?sets", *FAST, *form, "-o", "a", cwd=tmp_path).returncode == 0
        judged = rowdraw("verify", "a", cwd=tmp_path)
        assert judged.returncode == 0, judged.stdout + judged.stderr


def test_an_answer_to_a_puzzle_of_ones_own_verifies_with_it(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("tea\neat\nteat\n")
    (tmp_path / "p.toml").write_text('name = "challenge"\nrow = "tetata"\nrack = 4\nwords = "own"\nvalues = { t = 5 }\n')
    words = ("--words", "words.txt")
    assert rowdraw("solve", "p.toml", *words, *FAST, "-o", "a.txt", cwd=tmp_path).returncode == 0
    assert rowdraw("verify", "a.txt", "--puzzle", "p.toml", *words, cwd=tmp_path).returncode == 0
    shuffled = rowdraw("puzzle", "shuffle", "--seed", "3", "--of", "p.toml", cwd=tmp_path).stdout
    (tmp_path / "q.toml").write_text(shuffled)
    assert "t = 5" in shuffled
    assert rowdraw("solve", "q.toml", *words, *FAST, "-o", "b.txt", cwd=tmp_path).returncode == 0
    assert rowdraw("verify", "b.txt", "--puzzle", "q.toml", *words, cwd=tmp_path).returncode == 0


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "-o", ""], "empty"),
        (["solve", "--time", "nan"], "expected a number"),
        (["solve", "--time", "inf"], "expected a number"),
        (["solve", "a" * 5000], "no such puzzle"),
        (["solve", "--row", "\u212aa"], "is not a tile"),
        (["can", "ka", "\u212aa"], "expected letters"),
        (["best", "\u212aa"], "is not a tile"),
    ],
)
def test_odd_arguments_are_refused_before_anything_runs(arguments: list[str], message: str) -> None:
    done = rowdraw(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("text", ["rack = " + "9" * 5000, "x = " + "[" * 5000, "row = 0x" + "f" * 5000])
def test_monstrous_puzzle_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.toml").write_text(f'{text}\nname = "x"\n' if "row" in text else f'row = "ab"\n{text}\n')
    for command in (["solve", "p.toml"], ["verify", "--puzzle", "p.toml"]):
        done = rowdraw(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert "p.toml" in done.stderr


def test_a_row_without_a_play_says_so() -> None:
    done = rowdraw("solve", "--row", "qqq", *FAST)
    assert (done.returncode, done.stdout) == (0, "")
    assert "no word can be played" in done.stderr


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
    cache = {"ROWDRAW_CACHE": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    shutil.copytree(compiled, tmp_path / "kernels" / compiled.name)
    (mark,) = tmp_path.rglob("complete")
    mark.write_bytes(b"\xff\xfe")
    assert rowdraw(*GREEDY, **cache).returncode == 0
    assert mark.read_bytes().isdigit()
    mark.unlink()
    mark.mkdir()
    assert rowdraw(*GREEDY, **cache).returncode == 0


def test_a_full_disk_behind_standard_output_is_reported() -> None:
    command = " ".join(f"'{part}'" for part in [*MAIN, "best", "abc"])
    for redirect, message in ((">/dev/full", "cannot write"), (">&-", "standard output is closed")):
        done = subprocess.run(["/bin/sh", "-c", f"{command} {redirect}"], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert message in done.stderr


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
    command = [*MAIN, "hunt", "--time", "0.5", "--results", name]
    hunted = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False)
    assert hunted.returncode == 0, hunted.stderr
    assert b"caf\xe9/challenge/" in hunted.stdout
    assert list(tmp_path.rglob("*.part")) == []


def test_text_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        replace_file(tmp_path / "a", "\udce9")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = rowdraw("lab", "optima", "--rows", "1", "--tiles", "2", "-o", "file/under", cwd=tmp_path)
    assert done.returncode == 2
    assert "file/under" in done.stderr


def test_kernels_are_compiled_in_the_first_run_and_in_no_other(tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    assert "compiling kernels" in rowdraw(*GREEDY, **cache).stderr
    kept = sorted(path.name for path in tmp_path.rglob("*.nbc"))
    for command in (["solve", "--width", "100"], ["solve", "--time", "1"], ["best", "abc"]):
        assert "compiling" not in rowdraw(*command, **cache).stderr
    assert sorted(path.name for path in tmp_path.rglob("*.nbc")) == kept
