"""The README's figures are those of the files and commands that they come from."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process import python
from verify import judge


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def block(readme: str, source: str) -> str:
    """The fenced block after the comment that names its source."""
    found = re.search(rf"<!-- {re.escape(source)} -->\n```\n(.*?)```\n", readme, re.DOTALL)
    assert found is not None, source
    return found[1]


def test_the_answer_is_the_record(root: Path, readme: str) -> None:
    record = (root / "results/challenge/1042.txt").read_text()
    assert block(readme, "results/challenge/1042.txt") == "".join(
        line for line in record.splitlines(keepends=True) if not line.startswith("#")
    )
    assert "finds 1042" in readme


def test_the_figures_of_the_proof_are_those_of_its_record(root: Path, readme: str) -> None:
    folder = root / "results/challenge"
    record = json.loads((folder / "sweep-1042.json").read_text())
    proof = record["proof"]
    text = " ".join(readme.split())
    assert f"A search of {record['tally']['racks'] / 1e6:.0f} million racks proves it" in text
    page = " ".join((root / "docs/bound.md").read_text(encoding="utf-8").split())
    assert (
        f"took {proof['seconds'] / 60:.0f} minutes and {proof['racks'] / 1e6:.0f} million racks"
        in page
    )


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_the_verdict_is_what_the_referee_prints_in_a_real_shell(
    shell: str, readme: str, root: Path
) -> None:
    example = block(readme, "rowdraw verify")
    command, _, printed = example.partition("\n")
    written, _, piped = command.removeprefix("$ ").rpartition("| ")
    assert piped == "rowdraw verify"
    line = f"{written}| {shlex.quote(sys.executable)} -m verify"
    done = subprocess.run(
        [shell, "-c", line], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.stdout == printed
    assert done.returncode == 1


def test_the_library_s_lines_run(readme: str, tmp_path: Path) -> None:
    (block_of_python,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    done = python("-c", block_of_python, cwd=tmp_path, code=0)
    score = int(done.stdout.split()[0])
    verdict = judge((tmp_path / "mine-to-post.txt").read_bytes())
    assert (verdict.valid, verdict.score) == (True, score)
