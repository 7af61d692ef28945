"""What helps a newcomer: names that are nearly right, completion, lines beside a live bar, Scrabble games to look at."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tqdm import tqdm

from solver.commands.running import Bar
from solver.lab.bench import Timing, table_of
from solver.search.run import Progress, Run
from tests.process import MAIN, rowdraw


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["solve", "challange"], "no such puzzle, did you mean 'challenge'?"),
        (["bound", "shufled-03"], "no such puzzle, did you mean 'shuffled-03'?"),
        (["verify", "--puzzle", "chalenge", "-"], "no such puzzle (No such file or directory), did you mean 'challenge'?"),
        (["slove"], "'solve'"),
    ],
)
def test_a_name_that_is_nearly_right_brings_the_right_one(arguments: list[str], told: str) -> None:
    done = rowdraw(*arguments)
    assert done.returncode == 2
    assert told in done.stderr


def test_the_shell_completes_the_names_of_puzzles() -> None:
    asked = {"_ROWDRAW_COMPLETE": "bash_complete", "COMP_WORDS": "rowdraw solve shuffled-1", "COMP_CWORD": "2"}
    done = subprocess.run(MAIN, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert [line for line in done.stdout.splitlines() if line.startswith("plain,")] == [
        f"plain,shuffled-{number}" for number in range(10, 20)
    ]


def test_a_line_beside_a_live_bar_stands_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    with Bar() as bar:
        bar(Run(title="shuffled-07, round 3"), Progress("beam 300", 5, 100))
        before = len(screen.getvalue())
        bar.tell("a new record")
        # the bar is wiped before the line is printed
        assert screen.getvalue()[before:].startswith("\r")
    assert "shuffled-07, round 3: beam 300" in screen.getvalue()
    assert "a new record\n" in capsys.readouterr().out
    assert not tqdm._instances


def test_a_bench_marks_the_figures_that_miss_their_bars() -> None:
    table = table_of([Timing("a", "3 s", "2 s", True), Timing("b", "1 s", "2 s"), Timing("c", "5 racks/s")])
    assert table.splitlines()[2:] == ["| a | 3 s, **missed** | 2 s |", "| b | 1 s | 2 s |", "| c | 5 racks/s |  |"]


def test_a_scrabble_game_is_shown_with_its_board_and_its_faults(root: Path, tmp_path: Path) -> None:
    done = rowdraw("show", str(root / "examples/game.gcg"))
    assert done.returncode == 0
    assert "ann  EEGIMSU   8H GEMS   +14    14" in done.stdout
    assert "  8 = . . ' . . . G E M S ' . . =  8" in done.stdout
    text = (root / "examples/game.gcg").read_text()
    (tmp_path / "bad.gcg").write_text(text.replace("+28 28", "+29 29"))
    bad = rowdraw("show", str(tmp_path / "bad.gcg"), "-o", str(tmp_path / "out.txt"))
    assert (bad.returncode, bad.stdout) == (1, "")
    lines = (tmp_path / "out.txt").read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if "POME" in line)
    assert "score" in lines[place + 1]
    assert rowdraw("show", str(root / "examples/game.gcg"), "--svg", "-").returncode == 2
    assert rowdraw("show", str(tmp_path / "none.gcg")).returncode == 2
