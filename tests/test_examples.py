"""Every example runs as its reader would run it."""

from pathlib import Path

import pytest

from tests.process import python
from verify import judge

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))
ARGUMENTS = {"solve_and_verify.py": [".", "2"]}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_and_prints_points(path: Path, tmp_path: Path) -> None:
    done = python(path, *ARGUMENTS.get(path.name, []), cwd=tmp_path, code=0)
    assert "points" in done.stdout
    for answer in tmp_path.glob("answer.*"):
        assert judge(answer.read_bytes()).valid
