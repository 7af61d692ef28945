"""When a training of prices ends: its further rounds must rule out states worth more than they cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bound.sweeps.training import pays_off
from solver.model.tiles import POINT

LEAST = 100 * POINT
bounds = st.lists(st.integers(80 * POINT, 130 * POINT), min_size=1, max_size=40).map(np.array)
costs = st.floats(0.001, 1.5)


# at seven tenths of the last fall, bounds that fell by 2 points fall by 1.4, 2.38 and 3.07 points in one, two and three checks
@pytest.mark.parametrize(("cost", "expected"), [(0.33, True), (0.34, False)])
def test_a_training_looks_ahead_to_the_check_after_which_states_are_ruled_out(cost: float, expected: bool) -> None:
    now = np.full(10, LEAST + 3 * POINT)
    assert pays_off(now + 2 * POINT, now, LEAST, cost) is expected


@given(bounds, st.integers(0, 5 * POINT), costs)
def test_a_training_whose_bounds_no_longer_fall_ends(now: np.ndarray, rise: int, cost: float) -> None:
    assert not pays_off(now - rise, now, LEAST, cost)


@given(bounds, st.integers(0, 20 * POINT), costs, costs)
def test_what_does_not_pay_does_not_pay_at_a_higher_cost(now: np.ndarray, fall: int, one: float, other: float) -> None:
    low, high = sorted([one, other])
    assert pays_off(now + fall, now, LEAST, low) or not pays_off(now + fall, now, LEAST, high)


@given(bounds, st.integers(0, 20 * POINT))
def test_a_training_without_states_above_the_claim_ends(now: np.ndarray, fall: int) -> None:
    now = np.minimum(now, LEAST - 1)
    assert not pays_off(now + fall, now, LEAST, 0.001)
