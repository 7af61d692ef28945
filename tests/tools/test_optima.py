"""Random rows are solved once, and searched by what has not searched them yet."""

import json
from pathlib import Path

from optima import SEARCHES, find_truths
from solver.bound.sweeps.exact import ExactParameters
from solver.model.puzzle import load_puzzle
from solver.search.run import Run


def test_a_row_of_the_journal_is_only_searched_by_what_has_not_searched_it(tmp_path: Path) -> None:
    limits: list[float | None] = []

    def new_run(limit: float | None) -> Run:
        limits.append(limit)
        return Run(seconds=60) if limit == 60.0 else Run(rack_budget=100)

    def truths() -> list[int]:
        puzzle = load_puzzle("challenge")
        found = find_truths(puzzle, 8, 2, ExactParameters(), tmp_path, new_run, limit=60.0)
        return [truth.bound for truth in found]

    solved = truths()
    assert limits.count(60.0) == 2
    assert len(limits) == 2 * (len(SEARCHES) + 1)

    path = tmp_path / "optima.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    del lines[1]["scores"]["widening for 20 s"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    limits.clear()
    assert truths() == solved
    assert limits == [20.0]
