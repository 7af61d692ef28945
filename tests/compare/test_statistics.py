"""Figures of strategies over the same puzzles; failed runs count, missing ones do not."""

import pytest

from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    Effort,
    comparable,
    gaps_at,
    known_scores,
    pair_names,
    pairs,
    reached_at,
    summaries,
)
from solver.lab.records import BOOK, RUNS, Known
from tests.compare.runs import run_of


def outcome(label: str, puzzle: str, seed: int, score: int) -> Outcome:
    trace = [[0.5, 10, score - 5], [1.5, 900, score]]
    return run_of(
        label=label,
        puzzle_name=puzzle,
        seed=seed,
        score=score,
        budget="2s",
        racks=1000,
        trace=trace,
    )


RECORDS = [
    outcome("a", "challenge", 0, 1042),
    outcome("a", "challenge", 1, 1000),
    outcome("a", "other", 0, 900),
    outcome("b", "challenge", 0, 960),
    outcome("b", "challenge", 1, 950),
    outcome("b", "other", 0, 900),
    outcome("c", "challenge", 0, 930),
    outcome("c", "other", 0, 880),
    run_of(label="c", puzzle_name="other", seed=1, error="exit 1"),
]


def test_a_summary_has_the_figures_of_its_runs() -> None:
    before = {
        "challenge": Known(1010, 1200.5, BOOK, BOOK),
        "other": Known(910, best_from="results"),
        "third": Known(5),
    }
    known = known_scores(RECORDS, before)
    assert known == {
        "challenge": Known(1042, 1200.5, RUNS, BOOK),
        "other": Known(910, best_from="results"),
    }
    a, b, c = summaries(RECORDS, known)
    assert (a.label, a.runs, a.failed, a.best) == ("a", 3, 0, 1042)
    # puzzles count once: 1021 on the challenge and 900 on the other
    assert a.mean == (1021 + 900) / 2
    assert a.gap_to_best == pytest.approx((21 + 10) / 2)
    assert a.percent == pytest.approx((100 * 1021 / 1042 + 100 * 900 / 910) / 2)
    assert a.gap_to_bound is None  # the other puzzle has no bound
    bounded = known | {"other": Known(910, 920, BOOK, BOOK)}
    assert summaries(RECORDS, bounded)[0].gap_to_bound == pytest.approx(
        (1200.5 - 1021 + 920 - 900) / 2
    )
    assert (a.wins, a.ties, a.rank) == (1, 1, 1.25)
    assert (b.wins, b.ties, b.rank) == (0, 1, 1.75)
    assert (c.wins, c.ties, c.rank, c.runs, c.failed) == (0, 0, 3.0, 3, 1)
    assert a.racks_per_second == pytest.approx(500)


def test_a_run_that_failed_counts_as_no_points() -> None:
    runs = [
        outcome("a", "p", 0, 910),
        run_of(label="a", puzzle_name="q", error="exit 1"),
        run_of(label="a", puzzle_name="r", error="exit 1"),
        *(outcome("b", puzzle, 0, 900) for puzzle in "pqr"),
    ]
    a, b = summaries(runs, known_scores(runs, {}))
    assert (a.failed, a.mean, b.mean) == (2, pytest.approx(910 / 3), 900)
    assert (a.wins, b.wins) == (1, 2)
    assert a.efforts["best"] == Effort(1.5, 900)
    assert [pair.difference for pair in pairs(runs, [("a", "b")])] == [
        pytest.approx((10 - 900 - 900) / 3)
    ]
    nothing = [run_of(label="c", puzzle_name=puzzle, error="exit 1") for puzzle in "pqr"]
    *_others, c = summaries([*runs, *nothing], known_scores(runs, {}))
    assert (c.runs, c.failed, c.mean, c.best, c.seconds, c.cpu_seconds, c.racks_per_second) == (
        3,
        3,
        0,
        0,
        None,
        None,
        0,
    )


def test_a_strategy_with_next_to_no_runs_does_not_cost_the_others_their_puzzles() -> None:
    puzzles = "pqrstu"
    whole = [outcome(label, puzzle, 0, 500) for puzzle in puzzles for label in "ab"]
    begun = [*whole, outcome("c", "p", 0, 600)]
    assert comparable(begun) == whole
    # whoever asks for it now gets it, on what there is
    asked = comparable(begun, {"c"})
    assert {(run.label, run.puzzle_name) for run in asked} == {("a", "p"), ("b", "p"), ("c", "p")}
    assert comparable(begun, needed="c") == asked
    nearly = [*whole, *(outcome("c", puzzle, 0, 600) for puzzle in puzzles[:-1])]
    assert {run.label for run in comparable(nearly)} == {"a", "b", "c"}
    apart = [outcome("a", "p", 0, 500), outcome("b", "q", 0, 500)]
    assert comparable(apart) == apart[:1]
    assert comparable([]) == []


def test_the_effort_to_a_target_counts_what_unsuccessful_runs_spent() -> None:
    a, b, c = summaries(RECORDS, known_scores(RECORDS, {}))
    assert reached_at(RECORDS[0], 1037) == (0.5, 10)
    assert reached_at(RECORDS[0], 1042) == (1.5, 900)
    assert reached_at(RECORDS[0], 1043) is None
    assert reached_at(RECORDS[-1], 0) is None
    # one of three runs fails to reach the target, and takes 2 s and 1,000 racks
    assert a.efforts == {"99 %": Effort(1.5, 510), "best": Effort(2.5, 1400)}
    assert b.efforts["99 %"] == Effort(4.5, 2010)
    assert c.efforts["99 %"] == Effort(None, None)


def test_the_gap_of_a_run_is_that_of_its_best_answer_so_far_in_seconds_or_racks() -> None:
    assert gaps_at(RECORDS[0], 1050, [0.1, 0.5, 1.4, 9]) == [1050, 13, 13, 8]
    assert gaps_at(RECORDS[0], 1050, [9, 10, 899, 900], in_racks=True) == [1050, 13, 13, 8]
    assert gaps_at(RECORDS[-1], 1050, [0.1, 9]) == [1050, 1050]


def test_pairs_compare_means_over_common_puzzles_the_better_one_first() -> None:
    names = pair_names(summaries(RECORDS, known_scores(RECORDS, {})))
    assert names == [("a", "b"), ("a", "c"), ("b", "c")]
    pair = pairs(RECORDS, names)[0]
    assert (pair.puzzles, pair.difference) == (2, pytest.approx((1021 - 955) / 2))
    assert (pair.p, pair.low, pair.high) == (1.0, None, None)
    assert pair_names(summaries(RECORDS[::-1], known_scores(RECORDS, {})))[0] == ("a", "b")


def test_with_a_baseline_every_other_strategy_is_compared_with_it_alone() -> None:
    puzzles = [f"p{i}" for i in range(7)]
    runs = [
        outcome(label, p, 0, 900 + 10 * place)
        for p in puzzles
        for place, label in enumerate("abcd")
    ]
    rows = summaries(runs, known_scores(runs, {}))
    each = {(pair.first, pair.second): pair for pair in pairs(runs, pair_names(rows))}
    against = pairs(runs, pair_names(rows, "b"))
    assert [(pair.first, pair.second, pair.difference) for pair in against] == [
        ("a", "b", -10),
        ("c", "b", 10),
        ("d", "b", 20),
    ]
    # fewer tests are made, so that fewer puzzles do
    assert all(pair.p_holm == pytest.approx(3 / 64) for pair in against)
    assert each["c", "b"].p_holm == pytest.approx(6 / 64)
    assert [(pair.low, pair.high) for pair in against] == [(-10, -10), (10, 10), (20, 20)]
    assert each["c", "b"].low is None
