"""The commands as a user runs them: real processes, exit codes, what goes to which stream."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solver.model.puzzle import load_puzzle
from tests.process import MAIN, python, rowdraw, shell

FAST = ["--strategy", "beam:width=50"]
WIDE = ["--strategy", "beam:width=3000"]
ROW = load_puzzle("challenge").row[:40]
GREEDY = ["solve", "--strategy", "greedy"]

GAME = Path(__file__).resolve().parents[1] / "examples" / "game.gcg"


def test_a_result_that_cannot_be_written_is_not_lost(tmp_path: Path) -> None:
    full = {"number": 1, "error": "ENOSPC", "folder": str(tmp_path / "out")}
    (tmp_path / "out").mkdir()
    done = rowdraw(
        *GREEDY,
        "-o",
        "out/x.txt",
        cwd=tmp_path,
        fault={"change": {**full, "told": str(tmp_path / "told")}},
        code=2,
    )
    assert "cannot be written (No space left on device); the answer is on stdout" in done.stderr
    assert not list((tmp_path / "out").iterdir())
    rowdraw("verify", "-", stdin=done.stdout, code=0)


def test_a_time_limit_ends_with_an_answer() -> None:
    done = rowdraw("solve", "--time", "0.5", code=0)
    rowdraw("verify", stdin=done.stdout, code=0)


@pytest.mark.usefixtures("posix")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_or_a_terminal_that_goes_away_ends_with_the_best_answer_so_far(name: str) -> None:
    done = rowdraw(
        "solve",
        "--time",
        "600",
        seconds=60,
        fault={"signal": {"number": signal.Signals[name]}},
        code=130,
    )
    rowdraw("verify", stdin=done.stdout, code=0)


@pytest.mark.usefixtures("terminal")
def test_a_terminal_sees_layer_rate_and_best_score_on_stderr() -> None:
    import termios

    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 120))
    process = subprocess.Popen(
        [*MAIN, "solve", "--row", ROW, *WIDE], stdout=subprocess.PIPE, stderr=slave, text=True
    )
    os.close(slave)
    seen = b""
    # it is read meanwhile: a terminal that nobody reads takes no more than 4 KB
    while not seen.endswith(b"referee\r\n"):
        seen += os.read(master, 65536)
    out, _nothing = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert b"beam 3,000, best" in seen
    assert b"racks/s" in seen
    assert out.count("\n") == len(out.splitlines())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("solve nope", "no such puzzle"),
        ("solve --strategy ''", "unknown strategy ''"),
        ("solve --strategy beam:width=0", "width = 0"),
        ("solve --time -1", "-1"),
        ("solve --threads 0", "0"),
        ("solve --bogus", "--bogus"),
        ("solve --top none", "Invalid value for '--top': "),
        ("solve --top 0", "Invalid value for '--top': "),
        ("solve --top 1001", "Invalid value for '--top': "),
        ("solve --strategy greedy --top 2", "expected strategy beam"),
        ("best", "RACK"),
        ('can abc "it\'s"', "it's"),
        ("verify none.txt", "cannot be read"),
        ("verify --puzzle none.toml", "no such puzzle"),
        ("show none.txt", "cannot be read"),
        ("puzzle shuffle --seed x", "x"),
        ("frobnicate", "frobnicate"),
        ("solve --time nan", "expected seconds or racks"),
        ("solve " + "a" * 5000, "no such puzzle"),
        ("solve --row \u212aa", "is not a tile"),
        ("can ka \u212aa", "expected letters"),
        ("solve challange", "no such puzzle, did you mean 'challenge'?"),
        ("solve tea?setsoat", "; for a row of these tiles: --row tea?setsoat"),
        ("bound shufled-03", "no such puzzle, did you mean 'shuffled-03'?"),
        ("verify --puzzle chalenge -", "no such puzzle, did you mean 'challenge'?"),
        ("slove", "'solve'"),
        (f"show {GAME} --against {GAME}", "a Scrabble game: expected answers to the row game"),
        (f"show best:challenge --against {GAME}", "holds no answer to the row game"),
        ("scrabble play --against bot --names ann,BOT", "different names"),
        ("scrabble play --against bot --words none", "needs a list of words"),
        (
            "scrabble play --against bot --tiles spanish",
            "needs a list of words: words are not judged",
        ),
        ("scrabble play --resume nowhere.gcg", "cannot be read"),
        ("scrabble play --resume nowhere.gcg --seed 2", "--words"),
        ("scrabble play --names ann,", "name '': expected 1 to 20 characters"),
        ("scrabble play --names ann,ann", "different names"),
        ("scrabble play --names Ann,ann", "different names, whatever their capitals"),
        ("scrabble play --names ann,bob,cy,di,eve", "5 players: expected 2 to 4"),
        ("scrabble play --words nowhere.txt", "nowhere.txt"),
        ("scrabble play --save nowhere/game.gcg", "cannot be written"),
        ("solve /dev/zero", "/dev/zero"),
        ("solve --words /dev/zero", "/dev/zero"),
        ("compare --puzzles /dev/zero -o cmp", "/dev/zero"),
        ("compare --collect", "expected -o FOLDER"),
        ("compare -o x --time soon", "expected seconds or racks"),
        ("compare -o x --strategies magic", "unknown strategy"),
        ("compare -o x --puzzles nope", "no such puzzle"),
        ("compare -o x --collect", "its journal holds no run"),
        ("compare --merge none -o x", "none"),
        ("compare --merge . -o x", "journal.jsonl: expected the folder of a comparison"),
        ("compare --collect -o none --html x.html", "none"),
        ("compare --collect -o . --html x.html", "its journal holds no run"),
        ("verify a.txt --keep folder", "unrecognized arguments: --keep"),
        ("solve --rack 99", "--rack: rack = 99: expected a whole number from 2 to 15"),
        ("solve --values e=", "expected a tile and its value, such as q=15"),
        ("solve --values ee=3", "'ee' is not a tile"),
        ("solve --values e=9999", "expected a whole number from 0 to 1,000"),
        ("solve --values latin", "no such tile set"),
        ("solve --values q15", "expected a tile and its value, such as q=15, or a tile set"),
        ("solve --row te1", "--row: row"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_says_why_and_leaves_no_file(
    command: str, message: str, tmp_path: Path
) -> None:
    done = rowdraw(*shlex.split(command), cwd=tmp_path, seconds=120, code=2)
    assert not done.stdout
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_best_prints_a_line_a_play() -> None:
    done = rowdraw("best", "iogsvooely", "zzz", "--top", "2")
    assert (
        done.stdout
        == "iogsvooely\t44\toology\toology\niogsvooely\t41\toologies\toologies\nzzz\t0\t-\t-\n"
    )


def test_best_reads_standard_input_and_loses_nothing_to_a_bad_line() -> None:
    done = rowdraw("best", "-", stdin="VEPREDEQUI\n\nno rack\r\nseevurtfci\r\n")
    assert done.stdout == "vepredequi\t78\treequip\treequip\nseevurtfci\t52\tservice\tservice\n"
    assert "line 3: ' ' at place 3" in done.stderr
    assert done.returncode == 2
    listed = json.loads(rowdraw("best", "-", "--json", stdin="vepredequi\n").stdout)
    assert listed == [{"rack": "vepredequi", "score": 78, "play": "reequip", "word": "reequip"}]


def test_can_prints_the_play_or_what_is_missing() -> None:
    assert rowdraw("can", "orrpgma", "program").stdout == "program\n"
    rowdraw("can", "a??????", "program", code=0)
    missing = rowdraw("can", "orppgma", "program", code=1)
    assert "needs r" in missing.stdout


def test_verify_judges_many_files_and_exits_with_the_worst(tmp_path: Path) -> None:
    (tmp_path / "good").write_text("6 s?l?mnized solemnized\n")
    (tmp_path / "bad").write_text("-6 s?l?mnized solemnized\n")
    both = rowdraw("verify", "good", "bad", cwd=tmp_path, code=1)
    assert both.stdout.splitlines()[-1].startswith("bad:1: bad-left-count: left draws '-6'")
    three = rowdraw("verify", "good", "gone", "bad", "--json", cwd=tmp_path, code=2)
    assert [verdict["valid"] for verdict in json.loads(three.stdout)] == [True, False]
    python("-m", "verify", tmp_path / "good", code=0)


def test_show_tells_the_game_turn_by_turn(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("6 s?l?mnized solemnized\n7 outmove outmovex\n")
    shown = rowdraw("show", file, code=1)
    lines = shown.stdout.splitlines()
    assert "   1  row   sd?zei[oao?mluve" in shown.stdout
    assert "      draw  6 left, 4 right" in lines
    assert any(line.startswith("      play  s?l?mnized  solemnized  +") for line in lines)
    assert any("line 2: play-word-mismatch" in line for line in lines)
    assert "\x1b[" not in shown.stdout


def test_puzzle_shuffle_prints_the_bundled_file(root: Path) -> None:
    assert (
        rowdraw("puzzle", "shuffle", "--seed", "7").stdout
        == (root / "data/puzzles/shuffled-07.toml").read_text()
    )
    assert "challenge" in rowdraw("puzzle", "list").stdout.splitlines()


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = shell("yes vepredequi | head -n 50000 | rowdraw best - | head -n 1")
    assert done.stdout == "vepredequi\t78\treequip\treequip\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    "command",
    [
        "python -m verify answer.txt",
        "python -m verify --json answer.txt",
        "python -m verify --help",
        "verify answer.txt",
        "puzzle list",
        "scrabble play --help",
        "best tea",
        "solve --strategy greedy --all",
    ],
)
def test_a_pipe_without_a_reader_ends_a_command_in_silence_as_if_by_its_signal(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "answer.txt").write_text("6 s?l?mnized solemnized\n")
    words = (
        [sys.executable, *command.split()[1:]]
        if command.startswith("python")
        else [*MAIN, *command.split()]
    )
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        words, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")
