"""Each tool does what the README of its folder shows."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.process import python

TOOLS = Path(__file__).resolve().parents[2] / "tools"
_README = (TOOLS / "README.md").read_text(encoding="utf-8")
SHORT, LONG = (
    [line for line in block.split("```")[0].splitlines() if line]
    for block in _README.split("```sh\n")[1:]
)


def run(line: str, folder: Path) -> str:
    """What a command of the README prints in a folder next to those of the clone that it names."""
    program, *arguments = shlex.split(line)
    assert program == "python"
    for name in ("tools", "results", "examples"):
        (folder / name).symlink_to(TOOLS.parent / name)
    done = python(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_the_readme_runs_every_tool() -> None:
    tools = {
        path.name for path in TOOLS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
    }
    assert {line.split()[1].removeprefix("tools/") for line in [*SHORT, *LONG]} == tools
    assert all(f"| `{name}` |" in _README for name in tools)


@pytest.mark.parametrize("line", SHORT)
def test_a_tool_runs_as_the_readme_shows(line: str, tmp_path: Path) -> None:
    printed = run(line, tmp_path)
    assert printed
    if "optima.py" in line:
        assert printed == (tmp_path / "optima" / "table.md").read_text()
        assert "1 of 1 random rows of 10 tiles were solved exactly" in printed
    if "learn.py" in line:
        parts = [
            (tmp_path / "learnt" / name).read_text()
            for name in ("table.md", "letter-positions.toml")
        ]
        assert printed == "\n".join(parts)
    if "games.py" in line:
        assert printed.startswith("games   2, 0 with faults\n")
        assert "#player1 points points\n" in (tmp_path / "games" / "game-00001.gcg").read_text()


def test_a_slow_tool_knows_the_options_that_the_readme_shows(tmp_path: Path) -> None:
    for number, line in enumerate(LONG):
        (tmp_path / str(number)).mkdir()
        words = line.split()
        printed = run(f"{words[0]} {words[1]} --help", tmp_path / str(number))
        assert all(word in printed for word in words[2:] if word.startswith("-"))


def test_bad_input_to_a_tool_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    options = ("--rows", "1", "--tiles", "2", "-o", "file/under")
    done = python(TOOLS / "optima.py", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr
        == "rowdraw: file/under: cannot be made (Not a directory): expected another folder\n"
    )


def test_checks_of_a_folder_without_the_certificate_are_refused_and_others_do_not_count(
    tmp_path: Path,
) -> None:
    tool = (TOOLS / "checks.py", "verify", "--results")
    done = python(*tool, "nowhere", cwd=tmp_path)
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    fields = ("puzzle", "checker", "certificate", "version", "verdict", "date")
    other = {**dict.fromkeys(fields, ""), "checker": "verify", "verdict": "does not hold"}
    journal = tmp_path / "checks.jsonl"
    journal.write_text(json.dumps({**other, "puzzle": "other", "seconds": 1}) + "\n")
    done = python(*tool, ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0 of 0 certificates hold\n")
    journal.write_text(json.dumps({**other, "puzzle": ["x"], "seconds": 1}) + "\n")
    done = python(*tool, ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "checks.jsonl:1: " in done.stderr


def test_games_that_are_stopped_by_a_signal_are_counted(tmp_path: Path) -> None:
    command = [sys.executable, TOOLS / "games.py", "--games", "10000", "--save", "games"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    while not (tmp_path / "games" / "game-00001.gcg").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out.startswith("games   ")
