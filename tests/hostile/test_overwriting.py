"""What stands in the way of an output: inputs, better answers, files that hold something else."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from solver.errors import TargetError
from solver.files import Output
from tests.process import MAIN, rowdraw
from verify.files import LARGEST_TEXT, read_file, remembering_inputs

ROW = "teasetsaloud?"
PUZZLE = f'row = "{ROW}"\nrack = 5\n'
GREEDY = ("--strategy", "greedy")
GAME = "6 s?l?mnized solemnized\n9 outmove outmove\n"
ROOT = Path(__file__).resolve().parents[2]
BEST = ROOT / "results" / "challenge" / "1042.txt"
EXAMPLES = ROOT / "examples"


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
    output = Output(file, force=True)
    output.write("b")
    with remembering_inputs():
        read_file(file, LARGEST_TEXT, as_input=False)
        output.check()
        read_file(file, LARGEST_TEXT)
        with pytest.raises(TargetError, match=r"no input is written over: expected another name$"):
            output.check()
        with pytest.raises(OSError, match="no input is written over"):
            output.write("c")
    assert file.read_text() == "b"
