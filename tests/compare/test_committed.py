"""Committed comparisons: the referee confirms every score, and their tables are those printed."""

import json
import shutil
from pathlib import Path

import pytest

from solver.lab.compare.runs import NAME, Journal
from tests.conftest import RunCommand


def test_every_committed_run_has_the_score_that_the_referee_gives(root: Path) -> None:
    folders = [path.parent for path in (root / "results").glob("*/journal.jsonl")]
    assert len(folders) == 10
    for folder in folders:
        outcomes = Journal(folder).outcomes(recount=True).values()
        assert outcomes
        assert not any(outcome.failed for outcome in outcomes), folder


@pytest.mark.parametrize("folder", ["compare", "proven"])
def test_committed_tables_are_what_the_command_prints(
    folder: str, root: Path, tmp_path: Path, run: RunCommand
) -> None:
    committed = root / "results" / folder
    shutil.copy(committed / NAME, tmp_path / NAME)
    run("compare", "--collect", "-o", tmp_path)
    for name in ("tables.md", "summary.csv", "puzzles.csv", "pairs.csv"):
        assert (tmp_path / name).read_text() == (committed / name).read_text(), name
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in committed.iterdir()}
    means, known = (
        json.loads((where / "figures.json").read_text())["means"] for where in (tmp_path, committed)
    )
    assert means == known
    for plot in tmp_path.glob("*.svg"):
        assert plot.read_text().startswith("<svg "), plot
