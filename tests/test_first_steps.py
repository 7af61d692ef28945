"""What helps a newcomer: lines next to a live bar, Scrabble games to look at."""

import io
import sys
from pathlib import Path

import pytest
from tqdm import tqdm

from solver.commands.running import Bar
from solver.search.run import Progress, Run
from tests.process import rowdraw


def test_a_line_next_to_a_live_bar_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    with Bar() as bar:
        bar(Run(title="shuffled-07, round 3"), Progress("beam 300", 5, 100))
        before = len(screen.getvalue())
        bar.say("a new record")
        # the bar is wiped before the line is printed
        assert screen.getvalue()[before:].startswith("\r")
    assert "shuffled-07, round 3: beam 300" in screen.getvalue()
    assert "rowdraw: a new record\n" in screen.getvalue()
    assert not tqdm._instances


def test_a_scrabble_game_is_shown_with_its_board_and_its_faults(root: Path, tmp_path: Path) -> None:
    text = (root / "examples/game.gcg").read_text()
    (tmp_path / "bad.gcg").write_text(text.replace("+28 28", "+29 29"))
    bad = rowdraw("show", tmp_path / "bad.gcg", "-o", tmp_path / "out.txt", code=1)
    assert not bad.stdout
    shown = (tmp_path / "out.txt").read_text()
    assert "ann  EEGIMSU   8H GEMS   +14    14" in shown
    assert "line 8: wrong-score" in shown
    assert "  8 = . . ' . . . G E M S ' . . =  8" in shown
