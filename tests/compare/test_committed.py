"""The committed comparison is what the command makes of its journal, and the referee confirms its scores."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from solver.commands.cli import main
from solver.lab.compare.runs import NAME, Journal
from verify import Rules, judge, load_rules

FOLDERS = (
    "compare",
    "held-out-2s",
    "held-out-5s",
    "held-out-20s",
    "ablation-prices",
    "ablation-ladder",
    "ablation-fishing",
    "ablation-positions",
    "refinement",
    "proven",
    "beams",
)


def test_every_committed_journal_is_looked_at(root: Path) -> None:
    assert {path.parent.name for path in (root / "results").glob("*/journal.jsonl")} == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_committed_tables_are_what_the_command_prints(folder: str, root: Path, tmp_path: Path) -> None:
    committed = root / "results" / folder
    shutil.copy(committed / NAME, tmp_path / NAME)
    # in this process, since each new one would load the library of the charts
    with pytest.raises(SystemExit) as ended:
        main(["compare", "--collect", "-o", str(tmp_path)])
    assert not ended.value.code
    for name in ("tables.md", "summary.csv", "times.csv", "puzzles.csv", "pairs.csv"):
        assert (tmp_path / name).read_text() == (committed / name).read_text(), name
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in committed.iterdir()}


def test_every_committed_run_has_the_score_that_the_referee_gives(root: Path) -> None:
    rules = cache(load_rules)
    outcomes = [outcome for folder in FOLDERS for outcome in Journal(root / "results" / folder).outcomes().values()]
    for outcome in outcomes:
        assert not outcome.failed
        puzzle: Rules = rules(outcome.puzzle)
        verdict = judge("\n".join(outcome.solution).encode(), puzzle)
        assert verdict.valid
        assert verdict.score == outcome.score
    assert len(outcomes) == 11 * 6 * 3 + 10 + 10 + 10 + 10 * 8 + 10 * 4 + 10 * 4 + 20 * 2 * 4 + 20 * 2 + 9 * 6 + 21 * 4
