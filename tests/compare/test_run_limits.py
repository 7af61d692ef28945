"""The limits of runs: a class that counts no racks is stopped, late answers are only noted."""

from pathlib import Path

import pytest

from solver.checking import Budget
from solver.lab.compare import apart
from solver.lab.compare.execute import run_isolated
from solver.lab.compare.plan import plan
from solver.model.solution import Solution, Turn
from solver.search.run import GRACE, GRACE_RACKS, Run
from tests.process import rowdraw

pytestmark = pytest.mark.usefixtures("posix")

LATE = """import time
from dataclasses import dataclass

from solver.model.solution import Solution, Turn
from solver.search.greedy import Greedy


@dataclass(frozen=True)
class Nothing:
    pass


@dataclass(frozen=True)
class Late:
    Parameters = Nothing
    parameters: Nothing = Nothing()
    name: str = "late"

    def search(self, problem, run):
        while not run.is_over:
            time.sleep(0.01)
        time.sleep(0.2)
        Greedy().search(problem, run)


@dataclass(frozen=True)
class Endless(Late):
    name: str = "endless"

    def search(self, problem, run):
        while not run.is_over:
            run.offer(Solution((Turn(6, "lie", "lie", 6),)))
"""

COUNTING = """
@dataclass(frozen=True)
class Counting(Late):
    def search(self, problem, run):
        run.offer(Solution((Turn(6, "lie", "lie", 6),)))
        while not run.is_over:
            run.racks += 1
            time.sleep(0.01)
"""


def solution(score: int) -> Solution:
    return Solution((Turn(0, "a", "a", score),))


def test_a_run_with_a_grace_only_notes_what_comes_later_and_one_without_takes_it() -> None:
    run = Run(seconds=1.0, grace=GRACE)
    assert run.offer_found(solution(5), 0.5)
    assert run.offer_found(solution(7), 1.0 + GRACE)
    for score in (6, 9, 8):
        assert not run.offer_found(solution(score), 1.1)
    assert run.incumbent.score == 7
    assert [point.score for point in run.trace] == [5, 7]
    assert [point.score for point in run.late] == [9]
    for whole in (Run(seconds=1.0), Run(grace=GRACE)):
        assert whole.offer_found(solution(9), 2.0)
        assert (whole.incumbent.score, whole.late) == (9, [])


def test_an_answer_long_after_a_limit_in_racks_does_not_count_in_a_comparison() -> None:
    run = Run(rack_budget=100, grace=GRACE)
    run.racks = 100 + GRACE_RACKS
    assert run.offer(solution(5))
    run.racks += 1
    assert not run.offer(solution(9))
    assert [point.score for point in run.late] == [9]


def test_an_answer_after_the_limit_counts_for_solve(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LATE)
    solved = rowdraw("solve", "--time", "0.1", "--strategy", "mine.py:Late", cwd=tmp_path)
    assert "928 points" in solved.stderr


def test_a_class_that_counts_no_racks_is_stopped_with_a_message_and_its_answers_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(LATE)
    monkeypatch.chdir(tmp_path)
    assert apart._UNCOUNTED >= 60
    monkeypatch.setattr(apart, "_UNCOUNTED", 1.5)
    (task,) = plan(["challenge"], ["mine.py:Endless"], 1, Budget(racks=1000))
    outcome = run_isolated(task)
    assert (outcome.score, outcome.complete) == (6, False)
    assert outcome.notes["fault"] == (
        "strategy mine.py:Endless has counted no rack for 1.5 s under a budget of 1,000 racks, "
        "after 0: expected it to add each rack that it looks at to run.racks, "
        "or a budget such as 10s"
    )


def test_a_class_that_counts_racks_is_not_stopped_while_it_finds_nothing_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(LATE + COUNTING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(apart, "_UNCOUNTED", 2.5)
    (task,) = plan(["challenge"], ["mine.py:Counting"], 1, Budget(racks=400))
    outcome = run_isolated(task)
    assert (outcome.score, outcome.racks, outcome.notes) == (6, 400, {})
    assert outcome.seconds > 3


def test_what_collect_cannot_show_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(
        (root / "results" / "beams" / "journal.jsonl").read_bytes()
    )
    for options, message in (
        (
            ["--puzzles", "chalenge"],
            "puzzle 'chalenge': not found here, did you mean 'challenge'",
        ),
        (
            ["--strategies", "magic"],
            "strategy 'magic': not found here: 'greedy', 'beam:width=200'",
        ),
        (
            ["--time", "1s", "--jobs", "2"],
            "--collect runs nothing, so it does not take --time, --jobs",
        ),
    ):
        done = rowdraw("compare", "--collect", *options, "-o", ".", cwd=tmp_path, code=2)
        assert message in " ".join(done.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["journal.jsonl"]
