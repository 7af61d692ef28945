"""What sweeps plan: when a training of prices ends, and what the next sweep needs."""

from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bound.sweeps.campaign import _RANGE, Need, forecast
from solver.bound.sweeps.training import pays_off
from solver.model.tiles import POINT

LEAST = 100 * POINT
bounds = st.lists(st.integers(80 * POINT, 130 * POINT), min_size=1, max_size=40).map(np.array)
costs = st.floats(0.001, 1.5)


# at seven tenths of the last fall, bounds that fell by 2 points fall by 1.4, 2.38 and 3.07 points
# in one, two and three checks
@pytest.mark.parametrize(("cost", "expected"), [(0.33, True), (0.34, False)])
def test_a_training_looks_ahead_to_the_check_after_which_states_are_ruled_out(
    cost: float, expected: bool
) -> None:
    now = np.full(10, LEAST + 3 * POINT)
    assert pays_off(now + 2 * POINT, now, LEAST, cost) is expected


@given(bounds, st.integers(0, 5 * POINT), costs)
def test_a_training_whose_bounds_no_longer_fall_ends(
    now: np.ndarray, rise: int, cost: float
) -> None:
    assert not pays_off(now - rise, now, LEAST, cost)


@given(bounds, st.integers(0, 20 * POINT))
def test_a_training_without_states_above_the_claim_ends(now: np.ndarray, fall: int) -> None:
    now = np.minimum(now, LEAST - 1)
    assert not pays_off(now + fall, now, LEAST, 0.001)


# a sweep of a proof, and the sweep that proved the best score: claims and racks
PROOFS = [
    (1105, 2_219_947, 1052, 53_694_081),
    (1159, 6_156_604, 1047, 109_646_450),
    (1136, 1_293_918, 1037, 173_343_449),
    (1118, 2_437_471, 1050, 76_103_841),
    (1107, 5_606_597, 1043, 157_418_956),
    (1101, 7_816_656, 1053, 122_818_146),
    (1104, 9_147_851, 1051, 119_485_790),
    (723, 1_350_000, 688, 11_880_000),
]


def test_forecasts_are_near_what_the_last_sweeps_of_proofs_needed() -> None:
    off = [
        forecast(Need(claim, racks, 0.0), last).racks / needed
        for claim, racks, last, needed in PROOFS
    ]
    assert 0.5 < median(off) < 2
    low, high = _RANGE
    # the one that is off is the furthest, of a sweep with 200 times the racks
    assert sum(low < 1 / one < high for one in off) >= len(off) - 1


def test_a_forecast_scales_racks_and_seconds_alike() -> None:
    last = Need(1100, 2_000_000, 20.0)
    near = forecast(last, 1090)
    far = forecast(last, 1050)
    assert forecast(last, 1100) == last
    assert last.racks < near.racks < far.racks
    assert far.seconds / last.seconds == pytest.approx(far.racks / last.racks)
    said = "26.9 to 322.2 million racks, 3 min to 40 min"
    assert Need(1050, 53_700_000, 400.0).in_words() == said


def test_a_forecast_of_a_huge_gap_is_a_number() -> None:
    assert forecast(Need(9_999, 100_000, 1.0), 1).racks > 10**20
