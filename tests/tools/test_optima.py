"""Rows solved exactly: the table of the figures, and the journal that several processes may write."""

import json
from pathlib import Path

import pytest

from optima import STRATEGIES, Truth, find_truths, read_truths, table
from solver.bound.sweeps.exact import ExactParameters
from solver.errors import JournalError
from solver.model.puzzle import load_puzzle
from solver.search.run import Run


def test_the_table_counts_hits_and_gaps_of_proven_rows_only() -> None:
    scores = dict.fromkeys(STRATEGIES, 10)
    truths = [
        Truth("ab", 10, 10, 10, 1.0, 5, scores),
        Truth("ba", 14, 14, 14, 3.0, 5, scores),
        Truth("aa", None, 9, 99, 9.0, 5, scores),
    ]
    text = table(truths)
    assert "2 of 3 random rows of 2 tiles were solved exactly, in 3 s each at the median and 9 s at most" in text
    assert "| `beam` | 1 of 2 | 4.0 | 4 |" in text
    assert text.endswith("| --- | ---: | ---: | ---: | ---: |\n| `aa` | 10 | 99 | 9 | 5 |\n")
    assert "not proven" not in table(truths[:2])


def test_rows_on_file_are_not_solved_again(tmp_path: Path) -> None:
    def truths(rows: int, again: bool = False) -> list[Truth]:
        puzzle, exact = load_puzzle("challenge"), ExactParameters(ascent=0.5)
        return list(find_truths(puzzle, 8, rows, exact, tmp_path, lambda _limited: Run(), again))

    (first,) = truths(1)
    assert first.optimum == first.score == first.bound
    changed = {**vars(first), "seconds": 1234.5, "scores": dict.fromkeys(STRATEGIES, 1)}
    (tmp_path / "optima.jsonl").write_text(json.dumps(changed) + "\n")
    assert vars(truths(2)[0]) == changed
    assert vars(truths(1, again=True)[0]) == {**changed, "scores": first.scores}
    (tmp_path / "optima.jsonl").write_text(json.dumps({**changed, "optimum": None, "score": 1, "bound": 1}) + "\n")
    with pytest.raises(JournalError, match=f"{first.optimum} points were found: expected 1 at most"):
        truths(1, again=True)


def test_a_journal_of_optima_that_somebody_has_changed_is_refused(tmp_path: Path) -> None:
    truth = {"row": "tea", "optimum": None, "score": 5, "bound": 6, "seconds": 1.0, "racks": 1}
    for fields in ({"seconds": float("nan")}, {"racks": -5}, {"score": 10**400}, {"row": "\x1b[31m"}, {"x" * 100_000: 1}):
        changed = {**truth, "scores": dict.fromkeys(STRATEGIES, 5), **fields}
        (tmp_path / "optima.jsonl").write_text(json.dumps(changed) + "\n")
        with pytest.raises(JournalError) as refused:
            read_truths(tmp_path)
        assert len(str(refused.value)) < 400
