"""Each tool does what the README of its folder shows."""

import shlex
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
    done = python(*arguments, cwd=folder, code=0)
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
    if "benchmark.py" in line:
        assert printed == (TOOLS.parent / "data/benchmark.csv").read_text()
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
    done = python(TOOLS / "optima.py", *options, cwd=tmp_path, code=2)
    assert (
        done.stderr
        == "rowdraw: file/under: cannot be made (Not a directory): expected another folder\n"
    )
