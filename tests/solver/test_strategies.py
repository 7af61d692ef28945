"""Searches against brute force, and what every strategy promises."""

from typing import Any

import pytest

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.model.solution import Solution
from solver.search import beam, layers
from solver.search.kernels.fishing import most_children
from solver.search.kernels.states import Children, Cutoffs, States
from solver.search.layers import Expander
from solver.search.run import Ending, Progress, Run
from solver.solving.order import Order
from solver.solving.solve import carry_out, search
from solver.solving.strategies import make_strategy, strategy_names
from tests.puzzles import problem_of
from tests.reference import VALUES


def test_a_layer_of_large_racks_reports_progress_and_can_be_stopped_in_it(
    small_lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beam, "_TICK", 0.0)  # so that even a short layer reports
    problem = problem_of(small_lexicon.words, "zestbeatabate?tabeats", 12, VALUES)
    reports: list[tuple[str, int]] = []

    def watch(run: Run, progress: Progress) -> None:
        reports.append((progress.label, progress.done))
        if len(reports) > len(set(reports)):
            run.interrupt()

    run = Run(watch=watch)
    result = search(problem, make_strategy("beam:width=100000"), run)
    assert len(reports) > len(set(reports)), "one layer has reported more than once"
    assert not result.complete
    assert result.verdict.valid


def test_a_beam_of_2000_finds_1042_on_the_challenge(challenge: Problem) -> None:
    result = search(challenge, make_strategy("beam:width=2000"), Run(threads=2))
    assert result.solution.score == 1042
    assert result.verdict.score == 1042


def test_the_answer_does_not_depend_on_the_number_of_threads(challenge: Problem) -> None:
    answers = {
        search(challenge, make_strategy("beam:width=150"), Run(seed=5, threads=threads)).solution
        for threads in (1, 3, 7)
    }
    assert len(answers) == 1


def test_full_buffers_lose_no_state_and_no_rack(
    challenge: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer() -> tuple[Run, str]:
        run = Run(seed=5, threads=3)
        return run, search(challenge, make_strategy("beam:width=100"), run).solution.text()

    expected, text = answer()
    calls: list[bool] = []

    class Crowded(Expander):
        def __call__(
            self, first: int, stop: int, racks: States, cutoffs: Cutoffs, out: Children
        ) -> int:
            at = super().__call__(first, stop, racks, cutoffs, out)
            calls.append(at < stop)
            return at

    def crowded_expander(*arguments: Any, **options: Any) -> Expander:
        fields = vars(make_expander(*arguments, **options))
        return Crowded(**fields | {"capacity": most_children(10, True) + 20})

    make_expander = layers.make_expander
    monkeypatch.setattr(beam, "make_expander", crowded_expander)
    run, crowded = answer()
    assert any(calls)
    assert crowded == text
    assert run.racks == expected.racks


def test_seeds_decide_between_equals(challenge: Problem) -> None:
    answers = {
        search(challenge, make_strategy("beam:width=20"), Run(seed=seed)).solution
        for seed in range(8)
    }
    assert len(answers) > 1


@pytest.mark.parametrize("spec", ["beam", "widening", "greedy"])
def test_a_run_without_time_still_offers_a_complete_answer(challenge: Problem, spec: str) -> None:
    result = search(challenge, make_strategy(spec), Run(seconds=0))
    assert result.solution.score > 700
    assert result.verdict.valid


def test_an_interrupted_run_ends_with_its_best_answer(challenge: Problem) -> None:
    seen: list[Progress] = []

    def watch(run: Run, progress: Progress) -> None:
        seen.append(progress)
        if progress.label.startswith("beam") and progress.done > 30:
            run.interrupt()

    run = Run(watch=watch)
    result = search(challenge, make_strategy("widening"), run)
    assert run.interrupted
    assert not result.complete
    assert result.solution.score >= 946
    assert seen[-1].total == 100


def test_widening_picks_a_last_width_that_fits_its_budget(challenge: Problem) -> None:
    labels: list[str] = []
    run = Run(rack_budget=300_000, watch=lambda _run, progress: labels.append(progress.label))
    assert not search(challenge, make_strategy("widening"), run).complete
    widths = sorted(
        {int(label.split()[1].replace(",", "")) for label in labels if label.startswith("beam")}
    )
    # one step to the width that the budget pays for, which is then used up but for its last part
    assert widths[0] == 300
    assert 300 < widths[1] <= 16 * 300
    assert 0.5 * 300_000 < run.racks <= 300_000 + 4096 * run.threads


@pytest.mark.parametrize(("racks", "top"), [(10_000, None), (35_000, None), (10_000, 3)])
def test_a_budget_too_small_for_the_default_beam_gives_the_answer_of_a_narrow_one(
    challenge: Problem, racks: int, top: int | None
) -> None:
    result = carry_out(challenge, Order(racks=racks, threads=1, top=top), Ending())[0]
    greedy = search(challenge, make_strategy("greedy"), Run())
    assert result.score > greedy.score + 50


def test_widths_grow_however_small_they_are_and_however_much_time_there_is(
    small_lexicon: Lexicon,
) -> None:
    problem = problem_of(small_lexicon.words, "teasetab", 4, VALUES)
    for run in (Run(), Run(seconds=1e308), Run(rack_budget=10**400)):
        result = search(problem, make_strategy("widening:first=2,last=9,factor=1.1"), run)
        assert result.complete
        assert result.verdict.valid


def test_a_row_where_nothing_can_be_played_has_an_empty_answer(small_lexicon: Lexicon) -> None:
    problem = problem_of(small_lexicon.words, "zzzz", 3, VALUES)
    for spec in strategy_names():
        result = search(problem, make_strategy(spec), Run())
        assert result.solution == Solution(())
        assert result.verdict.valid


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("magic", "unknown strategy 'magic': expected one of greedy, beam, widening"),
        ("beam:depth=3", "no parameter 'depth': expected width, price, blank"),
        ("beam:width=many", "width = 'many': expected a whole number"),
        ("beam:width=0", "width = 0: expected 1 to 10,000,000"),
        ("beam:price=nan", "price = nan"),
        ("widening:first=10,last=5", "first = 10 is more than last = 5"),
        ("widening:first=0", "first = 0: expected 1 to 10,000,000"),
        ("widening:last=10000001", "last = 10000001: expected 1 to 10,000,000"),
        ("widening:factor=1", "factor = 1: expected 1.1 to 100"),
        ("widening:price=9.5", "a beam with price = 10.925: expected 0 to 10"),
        ("widening:price=10", "spread = 1.15 asks for a beam with price = 11.5"),
        ("greedy:ties=0", "ties = 0"),
        ("beam:width=10,width=20", "width is given twice, as 10 and as 20"),
    ],
)
def test_a_bad_strategy_is_refused_with_what_was_expected(spec: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message.replace("(", "\\(")):
        make_strategy(spec)


def test_longer_rows_are_searched(challenge: Problem) -> None:
    longer = Problem(challenge.rules.with_row(challenge.rules.row * 3, "long"))
    result = search(longer, make_strategy("beam:width=50"), Run(threads=2))
    assert result.verdict.score > 2500
