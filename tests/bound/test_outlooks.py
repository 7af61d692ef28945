"""Outlooks: the groups of numbers of tiles held, in which every focus has the same prices of leaves."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.bound.kernels.completion_bounds import WHOLE
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.model.tiles import N_CODES
from tests.bound.games import small

ROW = "tea?seatbaesttajetoe"


@given(st.lists(st.integers(1, 16), min_size=1, max_size=3), st.integers(2, 10))
def test_a_group_is_not_empty_and_its_numbers_have_one_hold_in_each_focus(holds: list[int], rack: int) -> None:
    tile, values = np.zeros(len(ROW), dtype=np.int64), np.zeros((len(ROW) + 1, len(ROW) + 1, rack + 1), dtype=np.int64)
    leaves = (np.zeros((len(ROW) + rack + 1, 1, number, N_CODES), dtype=np.int64) for number in holds)
    foci = [Focus(0, WHOLE, Prices(tile, leave), values) for leave in leaves]
    groups = Outlooks(small(ROW, rack, 1).problem, foci).groups(0).tolist()
    assert groups[0] == 0
    for held, (group, after) in enumerate(pairwise(groups)):
        assert after in (group, group + 1)
        if after == group and held + 1 < rack:
            assert all(held * number // rack == (held + 1) * number // rack for number in holds)
