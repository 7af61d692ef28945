"""The table at a keyboard: what is typed, and what is printed."""

import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.process import MAIN, rowdraw
from verify.scrabble.gcg import read_gcg
from verify.scrabble.judge import judge_game


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    return tmp_path / "game.gcg"


def played(file: Path, typed: str, *options: str) -> str:
    """What a game of ann and bob prints for these lines."""
    begin = ("scrabble", "play", "--names", "ann,bob", "--seed", "5", "--save", str(file))
    return rowdraw(*begin, *options, stdin=typed, code=0).stdout


def test_each_move_is_followed_by_the_position(game_file: Path) -> None:
    out = played(game_file, "8H BRANKS\n-\n")
    first, second, third = out.split("\n\n")[1:]
    assert "ann's rack:  A1  B3" in first
    assert "ann plays BRANKS at 8H, +34, 34 in all" in first
    assert "B R A N K S" in second
    assert "ann 34, bob 0; bag 80 tiles\nbob's rack:  " in second
    assert "bob passes, +0, 0 in all" in second
    assert third.endswith(f"--resume {game_file}\n")
    assert "\x1b" not in out


def test_hints_challenges_and_undo_leave_a_valid_game(game_file: Path) -> None:
    out = played(game_file, "8H BRANKS\nhint\n")
    hint = re.search(r"([0-9A-O]+ \S+) \(\w+\) scores \d+", out)
    assert hint is not None
    out = played(game_file.with_name("b.gcg"), f"8H BRANKS\n{hint[1]}\nchallenge\nundo\nundo\n")
    assert "+5 for bob" in out
    verdict = judge_game(game_file.with_name("b.gcg").read_bytes())
    assert (verdict.valid, verdict.events) == (True, 1), verdict.as_text()


def test_ctrl_c_says_how_the_game_goes_on(game_file: Path) -> None:
    begin = [*MAIN, "scrabble", "play", "--words", "none", "--save", str(game_file)]
    with subprocess.Popen(
        begin, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=0
    ) as process:
        assert process.stdout is not None
        shown = ""
        while "player1> " not in shown:
            shown += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert "--resume" in process.stdout.read()
    assert process.returncode == 130


def test_without_a_list_the_players_judge_words(game_file: Path) -> None:
    out = played(game_file, "8H BRANKS\nchallenge\nperhaps\nchallenge\nn\n", "--words", "none")
    assert "expected y or n" in out
    assert "BRANKS: not valid; ann takes the play back" in out
    assert len(read_gcg(game_file.read_bytes()).events) == 2


@pytest.mark.parametrize(
    ("options", "typed", "refused"),
    [
        (
            [],
            # on an empty board these rules let no one end the game
            "-\n-\n-\n-\n-\n-\nend\n8H BRANKS\n-\n-\n-\n-\n-\n-\nend\n",
            "the last tile or 6 turns without a score and a tile on the board",
        ),
        (
            ["--names", "ann,bob,cy", "--rules", "icelandic"],
            # an exchange is no pass
            "end\n-\n-\n-\n-\n-\n-Y\n-\n-\n-\n-\n-\n-\n",
            "the last tile or 2 passes of every player",
        ),
    ],
)
def test_a_game_is_played_to_its_end(
    options: list[str], typed: str, refused: str, game_file: Path
) -> None:
    out = played(game_file, typed, *options)
    assert f"the game goes on: it can end after {refused}" in out
    assert ("a play or end> " in out) == (not options)
    assert "wins" in out
    verdict = judge_game(game_file.read_bytes())
    assert (verdict.valid, verdict.finished, verdict.events) == (True, True, 15), verdict.as_text()
    rowdraw("scrabble", "play", "--resume", game_file, stdin="undo\n-AB\nquit\n", code=0)
    assert not judge_game(game_file.read_bytes()).finished


def test_a_move_has_one_complaint_about_the_same_tiles(game_file: Path) -> None:
    out = played(game_file, "8H B?\n8H dines\nhelp\nexit\n8H BRANKS\n")
    one = "ann> 'B?' lays a blank without its letter: expected the letter as a small letter\n"
    other = "ann> 'dines' needs '? ? ? ? ?' more than the rack 'ABDKNRS' holds; a small"
    assert one in out
    assert other in out
    assert "= - \" '       free squares" in out
    assert not read_gcg(game_file.read_bytes()).events  # exit has ended the game


def test_a_game_of_one_is_refused() -> None:
    done = rowdraw("scrabble", "play", "--names", "ann", code=2)
    assert "1 player: expected 2 to 4 of different names" in done.stderr


def test_a_move_that_cannot_be_made_says_why_and_changes_nothing(game_file: Path) -> None:
    out = played(game_file, "8H\n8H ZZZZ\n8H B?\nundo\nhelp\n(time)\n")
    for what in (
        "expected a play such as",
        "more than the rack",
        "expected the letter as a small letter",
        "nothing to undo",
        "highest",
        "expected a play such as",
    ):
        assert what in out
        out = out.partition(what)[2]  # the next one comes after it
    assert not read_gcg(game_file.read_bytes()).events
