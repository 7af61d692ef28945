"""What stands in the way of an output: inputs, better answers, files that hold something else."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from solver.errors import TargetError
from solver.files import FileKind, check_output, write_out
from tests.process import MAIN, rowdraw
from verify.reading import LARGEST_TEXT, read_file, remembering_inputs

ROW = "teasetsaloud?"
PUZZLE = f'row = "{ROW}"\nrack = 5\n'
GREEDY = ("--strategy", "greedy")
GAME = "6 s?l?mnized solemnized\n9 outmove outmove\n"
ROOT = Path(__file__).resolve().parents[2]
BEST = ROOT / "results" / "challenge" / "1042.txt"
EXAMPLES = ROOT / "examples"
ANYTHING = FileKind("anything", lambda _content: True)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with an input of every kind."""
    (tmp_path / "own.toml").write_text(PUZZLE)
    (tmp_path / "words.txt").write_text("tea\neat\nset\nloud\n")
    (tmp_path / "game.txt").write_text(GAME)
    (tmp_path / "mine.py").write_text((EXAMPLES / "own_strategy.py").read_text().replace("Thrifty", "Mine"))
    os.link(tmp_path / "game.txt", tmp_path / "link.txt")
    (tmp_path / "symbolic.txt").symlink_to("game.txt")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (("solve", "own.toml", *GREEDY, "--format", "text", "-o", "own.toml"), "own.toml"),
        (("solve", "own.toml", *GREEDY, "--format", "text", "-o", "own.toml", "--force"), "own.toml"),
        (("solve", "own.toml", *GREEDY, "--words", "words.txt", "-o", "words.txt", "--force"), "words.txt"),
        (("solve", "--after", "game.txt:1", "--width", "5", "-o", "game.txt", "--force"), "game.txt"),
        (("solve", "--after", "game.txt:1", "--width", "5", "-o", "./link.txt", "--force"), "game.txt"),
        (("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "own.toml"), "own.toml"),
        (("analyse", "game.txt", "-o", "game.txt"), "game.txt"),
        (("show", "game.txt", "-o", "game.txt"), "game.txt"),
        (("show", "game.txt", "-o", "symbolic.txt"), "game.txt"),
        (("show", "game.txt", "--svg", "game.txt"), "game.txt"),
        (("show", "game.txt", "--puzzle", "own.toml", "--html", "own.toml"), "own.toml"),
        (("verify", "game.txt", "--rank", "--html", "game.txt"), "game.txt"),
        (("verify", "game.txt", "--rank", "--words", "words.txt", "--html", "words.txt"), "words.txt"),
        (("solve", "--strategy", "mine.py:Mine", "--format", "text", "-o", "mine.py", "--force"), "mine.py"),
        (("solve", "--strategy", "command:cat game.txt", "-o", "game.txt", "--force"), "game.txt"),
        (("play", "own.toml", "--save", "own.toml"), "own.toml"),
    ],
)
def test_no_input_is_written_over(command: tuple[str, ...], kept: str, desk: Path) -> None:
    before = (desk / kept).read_bytes()
    done = rowdraw(*command, cwd=desk)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (desk / kept).read_bytes() == before
    assert not list(desk.glob("*.so-far"))


def test_a_certificate_that_a_bound_begins_with_is_not_written_over(desk: Path) -> None:
    command = ("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "b.json")
    assert rowdraw(*command, cwd=desk).returncode == 0
    assert rowdraw(*command, cwd=desk).returncode == 0, "without --start it is the command's own file"
    assert "no input is written over" in rowdraw(*command, "--start", "b.json", cwd=desk).stderr


@pytest.mark.parametrize(
    "command",
    [
        ("solve", *GREEDY, "-o", "notes.txt"),
        ("solve", *GREEDY, "-o", "notes.json"),
        ("solve", *GREEDY, "-o", "notes.svg"),
        ("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "notes.txt"),
        ("show", "game.txt", "--html", "notes.txt"),
        ("show", "game.txt", "--svg", "notes.txt"),
        ("show", "game.txt", "-o", "best.txt"),
        ("verify", "game.txt", "--rank", "--html", "notes.txt"),
    ],
)
def test_a_file_that_holds_something_else_stays(command: tuple[str, ...], desk: Path) -> None:
    for name in ("notes.txt", "notes.json", "notes.svg"):
        (desk / name).write_text("3 eggs, milk\nflour\n")
    (desk / "best.txt").write_bytes(BEST.read_bytes())
    before = (desk / command[-1]).read_bytes()
    done = rowdraw(*command, cwd=desk)
    assert done.returncode == 2
    assert "it holds something else than a" in done.stderr
    assert (desk / command[-1]).read_bytes() == before


def test_force_replaces_what_is_no_answer_and_empty_files_need_none(desk: Path) -> None:
    (desk / "notes.txt").write_text("3 eggs, milk\n")
    (desk / "empty.txt").touch()
    assert rowdraw("solve", *GREEDY, "-o", "notes.txt", "--force", cwd=desk).returncode == 0
    assert rowdraw("solve", *GREEDY, "-o", "empty.txt", cwd=desk).returncode == 0
    assert (desk / "notes.txt").read_text() == (desk / "empty.txt").read_text()


@pytest.mark.parametrize("name", ["best.txt", "best.json", "best.md", "best.csv"])
def test_a_better_answer_of_the_same_puzzle_stays_unless_forced(name: str, tmp_path: Path) -> None:
    shown = rowdraw("show", str(BEST), "-o", name, *(("--format", "json") if name.endswith("json") else ()), cwd=tmp_path)
    assert shown.returncode == 0
    if name.endswith((".txt", ".json")):
        turns = [dict(zip(("left", "play", "word"), line.split(), strict=True)) for line in BEST.read_text().splitlines()]
        (tmp_path / name).write_text(json.dumps({"turns": turns}) if name.endswith("json") else BEST.read_text())
    before = (tmp_path / name).read_text()
    done = rowdraw("solve", *GREEDY, "-o", name, cwd=tmp_path)
    assert done.returncode == 0
    assert f"{name}: it stays as it is, with a better answer of 1042 points" in done.stderr
    assert "savagely" in done.stdout, "the new answer is not lost"
    assert (tmp_path / name).read_text() == before
    assert rowdraw("solve", *GREEDY, "-o", name, "--force", cwd=tmp_path).returncode == 0
    assert "savagely" in (tmp_path / name).read_text()


def test_a_better_answer_in_the_json_next_to_a_new_answer_stays(tmp_path: Path) -> None:
    assert rowdraw("solve", "--width", "300", "-o", "best.json", cwd=tmp_path).returncode == 0
    done = rowdraw("solve", *GREEDY, "-o", "best.txt", cwd=tmp_path)
    assert "best.json: it stays as it is, with a better answer of 1042 points" in done.stderr
    assert json.loads((tmp_path / "best.json").read_text())["score"] == 1042
    assert "savagely" in (tmp_path / "best.txt").read_text()


def test_a_killed_search_leaves_its_best_answer_and_a_worse_one_does_not_replace_it(tmp_path: Path) -> None:
    so_far = tmp_path / "a.txt.so-far"
    process = subprocess.Popen([*MAIN, "solve", "--time", "600", "-o", "a.txt"], cwd=tmp_path, stderr=subprocess.PIPE)
    try:
        ended = time.monotonic() + 300
        while not (so_far.exists() and "savagely" not in so_far.read_text()) and time.monotonic() < ended:
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert not (tmp_path / "a.txt").exists()
    kept = so_far.read_text()
    assert rowdraw("verify", str(so_far)).returncode == 0
    worse = rowdraw("solve", *GREEDY, "-o", "a.txt", cwd=tmp_path)
    assert "from a search that was killed" in worse.stderr
    assert so_far.read_text() == kept
    assert rowdraw("solve", "--width", "300", "-o", "a.txt", cwd=tmp_path).returncode == 0
    assert not so_far.exists(), "an answer at least as good is written"


def test_a_name_that_stands_for_no_form_is_refused(desk: Path) -> None:
    for command in (("show", "game.txt"), ("solve",), ("analyse", "game.txt")):
        done = rowdraw(*command, "-o", "g.pdf", cwd=desk)
        assert done.returncode == 2
        assert "-o g.pdf: expected a name that ends in .txt" in done.stderr
    assert rowdraw("show", "game.txt", "--format", "text", "-o", "g.pdf", cwd=desk).returncode == 0


def test_every_better_answer_is_printed_as_it_is_found() -> None:
    done = rowdraw("solve", "--all", "--width", "300")
    blocks = done.stdout.strip().split("\n\n")
    scores = [int(block.split()[3]) for block in blocks]
    assert len(scores) > 1
    assert scores == sorted(set(scores))
    verdicts = rowdraw("verify", "-", stdin=done.stdout).stdout.splitlines()
    assert [f"valid, {score} points" in verdict for score, verdict in zip(scores, verdicts, strict=True)] == [True] * len(
        scores
    )
    for wrong in (["--json"], ["--top", "2"]):
        assert "expected no --top and no other form" in rowdraw("solve", "--all", *wrong).stderr


def test_files_are_inputs_only_where_they_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("a")
    read_file(file, LARGEST_TEXT)
    write_out(file, "b")
    with remembering_inputs():
        read_file(file, LARGEST_TEXT, as_input=False)
        check_output(file, ANYTHING)
        read_file(file, LARGEST_TEXT)
        with pytest.raises(TargetError, match="no input is written over"):
            check_output(file, ANYTHING, force=True)
        with pytest.raises(OSError, match="no input is written over"):
            write_out(file, "c")
    assert file.read_text() == "b"
