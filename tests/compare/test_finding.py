"""What a comparison says in words, and how many puzzles it says that it needs."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, wilcoxon

from solver.lab.compare.collect import Comparison, collect
from solver.lab.compare.finding import Finding, find, leading
from solver.lab.compare.statistics import (
    POWER,
    SIGNIFICANCE,
    known_scores,
    least_p,
    least_puzzles,
    pairs,
    puzzles_needed,
    summaries,
)
from solver.lab.compare.tables import json_text, pair_table, summary_table

JITTER = (0, 3, -2, 1, 4, -1, 2, -3, 0, 1, -4, 2)


def comparison(scores: Mapping[str, Sequence[int | None]], **more: Any) -> Comparison:
    """Of one run a strategy and puzzle; None is a run that failed."""
    outcomes = [
        {
            "key": f"{label} {i}",
            "label": label,
            "budget": "5s",
            "puzzle_name": f"p{i}",
            "seed": 0,
            **more,
            **(
                {"error": "exit 1"} if score is None else {"score": score, "seconds": 2.0, "racks": 9, "trace": [[1, 2, score]]}
            ),
        }
        for label, own in scores.items()
        for i, score in enumerate(own)
    ]
    known = known_scores(outcomes, {})
    return Comparison(tuple(outcomes), known, tuple(summaries(outcomes, known)), tuple(pairs(outcomes)))


def by(points: int, n: int = 11) -> list[int]:
    """Scores of a strategy that is so many points better, more or less."""
    return [1000 + 7 * i + points + (JITTER[i % 12] if points else 0) for i in range(n)]


def test_a_strategy_that_is_better_beyond_doubt_is_said_to_be_best_with_its_interval() -> None:
    found = comparison({"a": by(0), "b": by(12)})
    (pair,) = found.pairs
    assert pair.low is not None
    assert pair.high is not None
    answer = find(found).answer
    assert answer == (
        f"b is best on these 11 puzzles: {-pair.difference:.1f} points more than a on average "
        f"(95 % interval {-pair.high:.1f} to {-pair.low:.1f})."
    )
    assert find(found).notes == ()
    assert find(comparison({"c": by(-40), "a": by(0), "b": by(12)})).answer.startswith(
        "b is best on these 11 puzzles: 12.1 points more than a, the next, on average (95 % interval "
    )


def test_strategies_that_are_too_close_are_named_together_with_what_would_tell_them_apart() -> None:
    scores = {"a": by(0), "b": [score + JITTER[i] for i, score in enumerate(by(0))], "c": by(-40), "d": by(-60)}
    found = find(comparison(scores))
    assert found.answer.startswith("No difference can be told between b and a on these 11 puzzles; b has ")
    assert " points more than c, the best of the other 2, on average (95 % interval " in found.answer
    (note,) = found.notes
    assert note.startswith("To tell b from a by the observed 0.1 points (standard deviation 2.")
    assert " puzzles would be needed." in note


def test_equal_strategies_have_the_same_mean_and_no_number_that_helps() -> None:
    found = find(comparison({"a": by(0), "b": by(0)}))
    assert found == Finding(
        "No difference can be told between a and b on these 11 puzzles; a has the same mean as b (95 % interval 0.0 to 0.0)."
    )


def test_many_that_cannot_be_told_apart_are_counted() -> None:
    names = "abcdefg"
    found = find(comparison({name: by(0)[i:] + by(0)[:i] for i, name in enumerate(names)}))
    assert found.answer.startswith("No difference can be told between a, b, c and 4 others on these 11 puzzles; ")


@pytest.mark.parametrize(("puzzles", "told"), [(5, False), (6, True)])
def test_so_few_puzzles_that_nothing_can_be_told_are_said_to_be_too_few(puzzles: int, told: bool) -> None:
    found = find(comparison({"a": by(0, puzzles), "b": by(50, puzzles)}))
    assert found.answer.startswith("b is best" if told else "No difference can be told")
    assert any("too few for this test" in note and "6 puzzles are the least" in note for note in found.notes) is not told


def test_one_puzzle_is_too_few_and_has_no_interval() -> None:
    found = find(comparison({"a": [900], "b": [1000]}))
    assert (
        found.answer == "No difference can be told between b and a on this puzzle; b has 100.0 points more than a on average."
    )
    (note,) = found.notes
    assert note.startswith("1 puzzle is too few for this test: a strategy that wins on each of them gets a p-value of 1,")


def test_one_strategy_or_none_or_no_common_puzzle_is_said_plainly() -> None:
    assert find(comparison({"a": [900, 902]})).answer == (
        "a scores 901.0 points on average on these 2 puzzles, 0.0 below the best known; there is no other strategy to compare "
        "it with."
    )
    assert find(comparison({"a": [None], "b": [None]})).answer == "Every run failed, all 2: there is nothing to compare."
    apart = comparison({"a": [900, None], "b": [None, 901]})
    assert find(apart).answer == "No puzzle was solved by all strategies: there is nothing to compare."
    assert find(apart).notes == ("2 of 4 runs failed; the figures are those of the others.",)
    assert leading(comparison({"a": [None]})) is None
    assert pair_table(apart.pairs).cells == [["a", "b", "0", "-", "-", "-", "-", "-", "-"]]
    figures = json.loads(json_text(apart.summaries, apart.pairs, apart.known), parse_constant=pytest.fail)
    assert figures["pairs"][0]["difference"] is None
    assert figures["strategies"][0]["rank"] is None


def test_the_number_needed_is_that_of_the_formula() -> None:
    # 80 %, two-sided 5 %, a difference of half a standard deviation: 31.4 for the t-test's normal approximation
    assert puzzles_needed(1.0, 2.0, 1) == math.ceil((norm.ppf(0.975) + norm.ppf(0.8)) ** 2 * 4 * math.pi / 3) == 33
    assert puzzles_needed(-1.0, 2.0, 1) == 33
    assert puzzles_needed(1.0, 2.0, 10) == math.ceil((norm.ppf(0.9975) + norm.ppf(0.8)) ** 2 * 4 * math.pi / 3)
    assert puzzles_needed(5.0, 0.0, 1) == least_puzzles(1) == 6
    assert puzzles_needed(0.0, 2.0, 1) is None
    assert puzzles_needed(1.0, None, 1) is None
    assert puzzles_needed(1e-9, 2.0, 1) == 10**6


@given(st.integers(2, 12))
def test_no_test_gives_less_than_the_least_p_and_a_clean_sweep_gives_it(puzzles: int) -> None:
    assert float(wilcoxon(range(1, puzzles + 1)).pvalue) == pytest.approx(least_p(puzzles))
    assert least_p(least_puzzles(puzzles)) * puzzles < SIGNIFICANCE <= least_p(least_puzzles(puzzles) - 1) * puzzles


def test_with_the_number_needed_a_difference_is_told_about_as_often_as_promised() -> None:
    rng = np.random.default_rng(7)
    needed = puzzles_needed(1.0, 2.0, 1)
    assert needed is not None
    told = np.mean([wilcoxon(rng.normal(1.0, 2.0, needed)).pvalue < SIGNIFICANCE for _ in range(400)])
    assert POWER - 0.07 < told < POWER + 0.07


def test_processor_time_is_a_column_where_runs_tell_it() -> None:
    without, told = comparison({"a": [900, 901]}), comparison({"a": [900, 901]}, cpu_seconds=3.5)
    assert "CPU s/run" not in summary_table(without.summaries).head
    table = summary_table(told.summaries)
    assert table.cells[0][table.head.index("CPU s/run")] == "3.5"
    assert len(table.cells[0]) == len(table.head) == len(summary_table(without.summaries).head) + 1


def test_budgets_are_told_where_they_differ() -> None:
    same = comparison({"a": [900, 901], "b": [800, 801]})
    assert "Budgets" not in find(same).answer
    outcomes = tuple(dict(outcome, budget="10s") if outcome["label"] == "b" else outcome for outcome in same.outcomes)
    assert find(replace(same, outcomes=outcomes)).answer.endswith(
        f"Budgets differ: a {same.outcomes[0]['budget']} a run; b 10s a run."
    )


def test_the_committed_comparison_says_what_its_figures_say(root: Path) -> None:
    found = collect(root / "results" / "compare")
    answer = find(found).answer
    assert (root / "results/compare/tables.md").read_text().startswith(f"{answer}\n\n| strategy |")
    pair = next(pair for pair in found.pairs if (pair.first, pair.second) == ("greedy", "widening"))
    assert f"{-pair.difference:.1f} points more than greedy" in answer
