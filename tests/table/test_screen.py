"""The table at a terminal: driven through a pseudo-terminal, as people would."""

import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from solver.scrabble.game import TableGame
from tests.process import MAIN, rowdraw
from tests.random_games import begun as begun_file
from verify.scrabble.gcg import read_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.tiles import tile_set

pytestmark = pytest.mark.usefixtures("terminal")

KEY = "press a key"


class Terminal:
    """`rowdraw play` behind a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = os.openpty()
        self.process = subprocess.Popen(
            [*MAIN, "scrabble", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._rest = ""

    def until(self, text: str) -> str:
        """Everything shown from the last such text until `text` appears; fails after a while."""
        shown, end = self._rest, time.monotonic() + 60
        while text not in shown:
            assert time.monotonic() < end, f"{text!r} did not appear in {shown!r}"
            if select.select([self.master], [], [], 0.5)[0]:
                try:
                    shown += os.read(self.master, 1 << 16).decode("utf-8", "replace")
                except OSError as error:
                    raise AssertionError(f"{text!r} did not appear in {shown!r}") from error
        before, _, self._rest = shown.partition(text)
        return before + text

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def scene(self, *lines: tuple[str, str]) -> None:
        """Type each line, or press a key for an empty one; wait for the text that follows it."""
        for typed, expected in lines:
            if typed:
                self.type(f"{typed}\n")
            else:
                self.press_key()
            self.until(expected)

    def press_key(self) -> None:
        """Press a key once the program reads keys rather than lines."""
        import termios

        end = time.monotonic() + 60
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            assert time.monotonic() < end
            time.sleep(0.01)
        self.type("x")

    def interrupt(self) -> None:
        """Send what Ctrl-C sends, again if it came between the prompt and the wait for a line."""
        for _ in range(20):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.master], [], [], 3)[0]:
                break
        self.until("--resume")

    def close(self) -> int:
        code = self.process.wait(60)
        os.close(self.master)
        return code


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    return tmp_path / "game.gcg"


def begun(file: Path, *options: str, seed: int = 5) -> Terminal:
    return Terminal("--names", "ann,bob", "--seed", str(seed), "--save", str(file), *options)


def visible(screen: str) -> str:
    return re.sub(r"\033\[[0-9;]*m", "", screen.rsplit("\033[3J", 1)[-1])


def test_a_rack_is_shown_to_its_player_alone_after_a_key_press(game_file: Path) -> None:
    rack = TableGame(begun_file(5)).rack
    terminal = begun(game_file)
    before = visible(terminal.until(KEY))
    assert "'s rack" not in before
    terminal.press_key()
    anns = terminal.until("ann> ")
    shown = visible(anns)
    values = tile_set("english").values
    assert all(f"{tile}{values[tile]}" in shown for tile in rack)
    assert "\033[4" in anns  # premium squares in colour
    terminal.type("8H BRANKS\n")
    between = visible(terminal.until(KEY))
    assert "34" in between
    assert "'s rack" not in between
    terminal.press_key()
    shown = visible(terminal.until("bob> "))
    assert "bob's rack" in shown
    assert "B R A N K S" in shown
    terminal.type("quit\n")
    terminal.until("--resume")
    assert terminal.close() == 0


def test_hints_challenges_undo_and_ctrl_c_leave_a_valid_game(game_file: Path) -> None:
    terminal = begun(game_file)
    terminal.until(KEY)
    terminal.scene(("", "ann> "), ("8H BRANKS", KEY), ("", "bob> "))
    terminal.type("hint\n")
    hint = re.search(r"([0-9A-O]+ \S+) \(\w+\) scores \d+", terminal.until("bob> "))
    assert hint is not None
    terminal.scene((hint[1], KEY), ("", "ann> "), ("challenge", "+5 for bob"))
    terminal.until("ann> ")
    terminal.scene(("undo", "taken back"))
    terminal.until("ann> ")
    terminal.scene(("undo", "bob, " + KEY), ("", "bob> "))
    terminal.interrupt()
    assert terminal.close() == 130
    verdict = judge_game(game_file.read_bytes())
    assert (verdict.valid, verdict.events) == (True, 1), verdict.as_text()


def test_a_blank_is_named_when_it_is_played(game_file: Path) -> None:
    games = (TableGame(begun_file(seed)) for seed in range(100))
    game = next(game for game in games if "?" in game.rack)
    letter = game.rack.replace("?", "")[0]
    terminal = begun(game_file, "--words", "none", seed=game.seed)
    terminal.until(KEY)
    terminal.scene(
        ("", "ann> "), (f"8H {letter}?", "which letter"), ("4", "which letter"), ("e", KEY)
    )
    assert read_gcg(game_file.read_bytes()).events[0].tiles == f"{letter}e"
    terminal.scene(("", "bob> "), ("challenge", "y or n"), ("n", "takes the play back"))
    terminal.until("bob> ")
    terminal.scene(("quit", "--resume"))
    assert terminal.close() == 0


def test_keys_typed_while_the_words_are_loaded_for_a_hint_are_kept(
    tmp_path: Path, game_file: Path
) -> None:
    words = tmp_path / "own.txt"
    words.write_text("branks\nbran\n")
    terminal = begun(game_file, "--words", str(words))
    terminal.until(KEY)
    terminal.scene(("", "ann> "))
    terminal.type("hint\nhelp\n8H BRA")
    for text in ("(BRANKS) scores 34", "the highest-scoring play", "ann> "):
        terminal.until(text)
    terminal.scene(("NKS", KEY))
    assert read_gcg(game_file.read_bytes()).events[0].tiles == "BRANKS"
    terminal.scene(("", "bob> "), ("quit", "--resume"))
    assert terminal.close() == 0


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
            ["--players", "3", "--rules", "icelandic"],
            # an exchange is no pass
            "end\n-\n-\n-\n-\n-\n-Y\n-\n-\n-\n-\n-\n-\n",
            "the last tile or 2 passes of every player",
        ),
    ],
)
def test_a_game_is_played_through_a_pipe_to_its_end(
    options: list[str], typed: str, refused: str, game_file: Path
) -> None:
    command = ("scrabble", "play", "--seed", "5", "--save", str(game_file))
    done = rowdraw(*command, *options, stdin=typed, code=0)
    assert f"the game goes on: it can end after {refused}" in done.stdout
    assert ("a play or end> " in done.stdout) == (not options)
    assert "the game is over" in done.stdout
    verdict = judge_game(game_file.read_bytes())
    assert (verdict.valid, verdict.finished, verdict.events) == (True, True, 15), verdict.as_text()
    again = rowdraw("scrabble", "--resume", game_file, stdin="undo\n-AB\nquit\n", code=0)
    assert "taken back" in again.stdout


def test_a_move_that_cannot_be_made_says_why_and_changes_nothing(game_file: Path) -> None:
    typed = "8H\n8H ZZZZ\nundo\nhelp\n"
    out = rowdraw("scrabble", "--seed", "5", "--save", game_file, stdin=typed).stdout
    for what in ("expected a play such as", "more than the rack", "nothing to undo", "highest"):
        assert what in out
        out = out.partition(what)[2]  # the next one comes after it
    assert not read_gcg(game_file.read_bytes()).events
