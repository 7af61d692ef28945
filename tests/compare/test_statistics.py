"""Statistics against scipy and worked examples."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, wilcoxon

from solver.lab.compare.statistics import (
    bootstrap_interval,
    holm,
    known_scores,
    pairs,
    signed_rank_p,
    summaries,
    time_to,
)
from solver.lab.known import BOOK, RUNS, Known


def outcome(label: str, puzzle: str, seed: int, score: int, **more: Any) -> dict[str, Any]:
    return {
        "key": f"{label} {puzzle} {seed}",
        "label": label,
        "puzzle_name": puzzle,
        "seed": seed,
        "score": score,
        "seconds": 2.0,
        "racks": 1000,
        "trace": [[0.5, 10, score - 5], [1.5, 900, score]],
        **more,
    }


RECORDS = [
    outcome("a", "challenge", 0, 1042),
    outcome("a", "challenge", 1, 1000),
    outcome("a", "other", 0, 900),
    outcome("b", "challenge", 0, 960),
    outcome("b", "challenge", 1, 950),
    outcome("b", "other", 0, 900),
    outcome("c", "challenge", 0, 930),
    outcome("c", "other", 0, 880),
    {"key": "x", "label": "c", "puzzle_name": "other", "seed": 1, "error": "exit 1"},
]


def test_a_summary_has_the_figures_of_its_runs() -> None:
    before = {"challenge": Known(1010, 1200.5, BOOK, BOOK), "other": Known(910, best_from="results"), "third": Known(5)}
    known = known_scores(RECORDS, before)
    assert known == {"challenge": Known(1042, 1200.5, RUNS, BOOK), "other": Known(910, best_from="results")}
    a, b, c = summaries(RECORDS, known)
    assert (a.label, a.runs, a.failed, a.best, a.median) == ("a", 3, 0, 1042, 1000)
    assert a.mean == pytest.approx((1042 + 1000 + 900) / 3)
    assert a.deviation == pytest.approx(float(np.std([1042, 1000, 900], ddof=1)))
    # puzzles count once: the mean of 21 on the challenge and 10 on the other
    assert a.gap_to_best == pytest.approx((21 + 10) / 2)
    assert a.gap_to_bound == pytest.approx(1200.5 - 1021)
    assert (a.wins, a.ties, a.rank) == (1, 1, 1.25)
    assert (b.wins, b.ties, b.rank) == (0, 1, 1.75)
    assert (c.wins, c.ties, c.rank, c.failed) == (0, 0, 3.0, 1)
    assert a.racks_per_second == pytest.approx(500)


def test_time_to_target_is_that_of_the_first_point_that_reaches_it() -> None:
    a, b, c = summaries(RECORDS, known_scores(RECORDS, {}))
    assert time_to(RECORDS[0], 1037) == 0.5
    assert time_to(RECORDS[0], 1042) == 1.5
    assert time_to(RECORDS[0], 1043) is None
    assert a.reached[1042] == (0.5, 1.5)
    assert a.reached[961] == (1.0, 0.5)
    assert b.reached[946] == (1.0, 1.0)
    assert c.reached[946] == (0.0, None)


def test_pairs_compare_means_over_common_puzzles() -> None:
    found = {(pair.first, pair.second): pair for pair in pairs(RECORDS)}
    pair = found["a", "b"]
    assert (pair.puzzles, pair.difference) == (2, pytest.approx((1021 - 955) / 2))
    assert pair.low == pytest.approx(0)
    assert pair.high == pytest.approx(66)
    assert len(found) == 3


@settings(max_examples=20)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=12))
def test_signed_rank_p_is_that_of_scipy(differences: list[int]) -> None:
    p = signed_rank_p(differences)
    if any(differences):
        assert p == pytest.approx(float(wilcoxon(differences).pvalue))
    else:
        assert p == 1.0


def test_a_published_signed_rank_example() -> None:
    # Darwin's maize heights, as in Fisher (1935): W = 24, two-sided p = 0.04126 (exact)
    darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert signed_rank_p(darwin) == pytest.approx(0.04126, abs=5e-5)
    assert signed_rank_p([3]) is None


def test_holm_on_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([None, 0.9, 0.8]) == [None, 1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_monotone_and_at_least_as_strict_as_false_discovery_control(p_values: list[float]) -> None:
    corrected = [p for p in holm(p_values) if p is not None]
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()
    assert all(0 <= raw <= p <= 1 for raw, p in zip(p_values, corrected, strict=True))
    assert (np.array(corrected) >= false_discovery_control(p_values) - 1e-12).all()


def test_bootstrap_interval_covers_the_mean_and_is_repeatable() -> None:
    rng = np.random.default_rng(1)
    sample = rng.normal(5, 2, 200).tolist()
    low, high = bootstrap_interval(sample)
    assert low is not None
    assert high is not None
    margin = 1.96 * np.std(sample, ddof=1) / math.sqrt(200)
    assert low == pytest.approx(np.mean(sample) - margin, abs=0.06)
    assert high == pytest.approx(np.mean(sample) + margin, abs=0.06)
    assert bootstrap_interval(sample) == (low, high)
    assert bootstrap_interval([3.0]) == (None, None)
    assert bootstrap_interval([3.0, 3.0]) == (3.0, 3.0)
