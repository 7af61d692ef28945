"""What is handed out has passed the referee, in every form in which it is written."""

from pathlib import Path

import pytest

import solver.solving.result
from solver.errors import RefereeDisagreementError
from solver.model.puzzle import Lexicon
from solver.model.solution import Solution, Turn
from solver.search.run import Run
from solver.solving.result import confirm
from solver.solving.solve import search
from solver.solving.strategies import make_strategy
from tests.conftest import RunCommand
from tests.puzzles import problem_of
from tests.reference import VALUES
from verify import Fault, Faults, Rules, Verdict


def test_a_score_that_the_referee_does_not_see_is_an_internal_error(small_lexicon: Lexicon) -> None:
    problem = problem_of(small_lexicon.words, "teas", 4, VALUES)
    with pytest.raises(
        RefereeDisagreementError,
        match=r"claims 99 points for\n# row teas\n(# .*\n)+0 tea tea\nthe referee says\n-: valid",
    ) as caught:
        confirm(problem.rules, Solution((Turn(0, "tea", "tea", 99),)))
    assert caught.value.fault == "it claims 99 points: expected 6"


def test_a_rejected_solution_is_told_with_both_views(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    def disagrees(content: str, rules: Rules, strict: bool) -> Verdict:
        return Verdict(
            "-",
            Faults.of([Fault(1, "test-code", f"{len(content)} characters, strict: {strict}")]),
            rules,
            (),
        )

    monkeypatch.setattr(solver.solving.result, "judge", disagrees)
    file = tmp_path / "answer.txt"
    command = ("solve", "--row", "teas", "--strategy", "greedy", "-o", file)
    views = run(*command, code=3).err
    assert list(tmp_path.iterdir()) == []
    assert "internal error" in views
    assert "the solver claims" in views
    assert "\n# row teas\n0 " in views
    assert "test-code" in views


def test_a_solver_that_misreads_a_value_is_refused_by_the_rules_that_the_referee_read(
    small_lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(small_lexicon.words, "teasetab", 4, VALUES)
    misread = problem.puzzle.value_table + 1
    monkeypatch.setitem(vars(problem.puzzle), "value_table", misread)
    with pytest.raises(RefereeDisagreementError, match="the solver claims"):
        search(problem, make_strategy("greedy"), Run())
