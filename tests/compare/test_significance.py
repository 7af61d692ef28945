"""The test of a difference, its correction and interval, against scipy and published examples."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import false_discovery_control, permutation_test, ttest_1samp

from intervals import CASES, SAMPLES, SIZES, coverage, coverage_table
from solver.lab.compare.statistics import (
    SIGNIFICANCE,
    SignFlips,
    holm,
    interval,
    least_p,
    least_puzzles,
    puzzles_needed,
    t_quantile,
)

# Darwin's maize heights, as in Fisher (1935), in eighths of an inch
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_the_published_example_of_the_test() -> None:
    # of 32,768 choices of signs 1,726 have a sum as far from 0 as the plants' 314:
    # section 21 of The Design of Experiments
    assert SignFlips.of(DARWIN).p == 1726 / 32768
    low, high = SignFlips.of(DARWIN).interval(1) or (math.nan, math.nan)
    assert low < 0 < sum(DARWIN) / 15 < high


@settings(max_examples=20)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=9))
def test_the_p_value_is_that_of_scipy(differences: list[int]) -> None:
    tails = [
        permutation_test(
            (np.array(differences),),
            np.sum,
            permutation_type="samples",
            n_resamples=2**10,
            alternative=alternative,
            vectorized=True,
        ).pvalue
        for alternative in ("greater", "less")
    ]
    assert SignFlips.of(differences).p == pytest.approx(min(1.0, 2 * min(tails)))


@settings(max_examples=60)
@given(
    st.lists(st.integers(-20, 20), min_size=6, max_size=9), st.integers(-40, 40), st.integers(1, 6)
)
def test_the_interval_has_the_differences_that_the_test_does_not_reject(
    differences: list[int], doubled: int, tests: int
) -> None:
    value = doubled / 2
    interval = SignFlips.of(differences).interval(tests)
    rejected = SignFlips.of([own - value for own in differences]).p * tests < SIGNIFICANCE
    assert (interval is not None and not interval[0] <= value <= interval[1]) == rejected
    if interval is not None:
        assert interval[0] - 1e-9 <= np.mean(differences) <= interval[1] + 1e-9


def test_many_puzzles_have_the_p_value_and_the_interval_of_the_t_test_nearly() -> None:
    sample = np.random.default_rng(1).normal(0.5, 2, 60)
    flips, other = SignFlips.of(list(sample)), ttest_1samp(sample, 0)
    assert flips.p == pytest.approx(other.pvalue, abs=0.01)
    ends = other.confidence_interval(0.95)
    assert flips.interval(1) == pytest.approx((ends.low, ends.high), abs=0.06)
    assert np.array_equal(flips.means, SignFlips.of(list(sample)).means)


@given(st.integers(1, 300), st.floats(1e-6, 0.9))
def test_the_quantiles_of_t_are_those_of_scipy(freedom: int, level: float) -> None:
    expected = stdtrit(freedom, 1 - level / 2)
    assert t_quantile(freedom, level) == pytest.approx(expected, rel=1e-8)


def test_holm_on_a_worked_example() -> None:
    corrected, tests = holm([0.01, 0.04, 0.03, 0.005])
    assert corrected == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert tests == [3, 2, 2, 4]
    assert holm([]) == ([], [])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_monotone_and_at_least_as_strict_as_false_discovery_control(
    p_values: list[float],
) -> None:
    corrected, tests = holm(p_values)
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()
    assert all(0 <= raw <= p <= 1 for raw, p in zip(p_values, corrected, strict=True))
    assert (np.array(corrected) >= false_discovery_control(p_values) - 1e-12).all()
    for raw, p, multiplier in zip(p_values, corrected, tests, strict=True):
        assert (raw * multiplier < SIGNIFICANCE) == (p < SIGNIFICANCE)


def test_the_number_needed_is_that_of_tables() -> None:
    # 80 %, two-sided 5 %, a difference of half a standard deviation: tables of the t-test have 34
    assert puzzles_needed(1.0, 2.0, 1) == 34
    assert puzzles_needed(-1.0, 2.0, 1) == 34
    # two-sided 0.5 %
    assert puzzles_needed(1.0, 2.0, 10) == 58
    assert puzzles_needed(5.0, 0.0, 1) == least_puzzles(1) == 6
    assert puzzles_needed(0.0, 2.0, 1) is None
    assert puzzles_needed(1.0, None, 1) is None
    assert puzzles_needed(1e-9, 2.0, 1) == 10**6


@given(st.integers(2, 12))
def test_no_test_gives_less_than_the_least_p_and_a_clean_sweep_gives_it(puzzles: int) -> None:
    assert SignFlips.of(range(1, puzzles + 1)).p == least_p(puzzles)
    assert (
        least_p(least_puzzles(puzzles)) * puzzles
        < SIGNIFICANCE
        <= least_p(least_puzzles(puzzles) - 1) * puzzles
    )


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 4), min_size=1, max_size=11), st.integers(1, 3))
def test_the_interval_of_a_pair_covers_that_of_the_test_and_needs_enough_differences(
    column: list[int], tests: int
) -> None:
    flips = SignFlips.of(column)
    found, own = interval(flips, tests), flips.interval(tests)
    assert (found is None) == (least_p(len(column) - column.count(0)) * tests >= SIGNIFICANCE)
    if found is not None:
        assert own is not None
        assert found[0] <= own[0] <= own[1] <= found[1]


def test_intervals_cover_the_mean_of_symmetric_differences_as_often_as_they_claim() -> None:
    # larger samples take a minute
    given, missed = coverage(CASES[0], SIZES[1])
    assert given == 1
    assert abs(missed - SIGNIFICANCE) < 4 * math.sqrt(SIGNIFICANCE / SAMPLES)


def test_too_few_differences_get_no_interval_in_the_table_of_the_tool() -> None:
    head, _line, *rows = coverage_table(SIZES[:1]).splitlines()
    assert head == "| differences | 5 puzzles |"
    assert [row.split(" | ")[0] for row in rows] == [f"| {case.name}" for case in CASES]
    assert all("no interval" in row for row in rows)
