"""Figures of strategies over the same puzzles; failed runs count, missing ones do not."""

import numpy as np
import pytest

from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import comparable, known_scores, pairs, summaries, time_to
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
    assert a.mean == a.median == (1021 + 900) / 2
    assert a.deviation == pytest.approx(float(np.std([1021, 900], ddof=1)))
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
    assert a.reached["best"] == (1 / 3, 1.5)
    assert [pair.difference for pair in pairs(runs)] == [pytest.approx((10 - 900 - 900) / 3)]
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
    assert comparable(begun, baseline="c") == asked
    nearly = [*whole, *(outcome("c", puzzle, 0, 600) for puzzle in puzzles[:-1])]
    assert {run.label for run in comparable(nearly)} == {"a", "b", "c"}
    apart = [outcome("a", "p", 0, 500), outcome("b", "q", 0, 500)]
    assert comparable(apart) == apart[:1]
    assert comparable([]) == []


def test_time_to_target_is_that_of_the_first_point_that_reaches_it() -> None:
    a, b, c = summaries(RECORDS, known_scores(RECORDS, {}))
    assert time_to(RECORDS[0], 1037) == 0.5
    assert time_to(RECORDS[0], 1042) == 1.5
    assert time_to(RECORDS[0], 1043) is None
    assert time_to(RECORDS[-1], 0) is None
    assert a.reached == {"99 %": (2 / 3, 0.5), "best": (2 / 3, 1.5)}
    assert b.reached == {"99 %": (1 / 3, 0.5), "best": (1 / 3, 1.5)}
    assert c.reached["99 %"] == (0.0, None)


def test_pairs_compare_means_over_common_puzzles() -> None:
    found = {(pair.first, pair.second): pair for pair in pairs(RECORDS)}
    pair = found["a", "b"]
    assert (pair.puzzles, pair.difference) == (2, pytest.approx((1021 - 955) / 2))
    assert (pair.p, pair.low, pair.high) == (1.0, None, None)
    assert len(found) == 3


def test_with_a_baseline_every_other_strategy_is_compared_with_it_alone() -> None:
    puzzles = [f"p{i}" for i in range(7)]
    runs = [
        outcome(label, p, 0, 900 + 10 * place)
        for p in puzzles
        for place, label in enumerate("abcd")
    ]
    each = {(pair.first, pair.second): pair for pair in pairs(runs)}
    against = pairs(runs, "b")
    assert [(pair.first, pair.second, pair.difference) for pair in against] == [
        ("a", "b", -10),
        ("c", "b", 10),
        ("d", "b", 20),
    ]
    # fewer tests are made, so that fewer puzzles do
    assert all(pair.p_holm == pytest.approx(3 / 64) for pair in against)
    assert each["b", "c"].p_holm == pytest.approx(6 / 64)
    assert [(pair.low, pair.high) for pair in against] == [(-10, -10), (10, 10), (20, 20)]
    assert each["b", "c"].low is None
