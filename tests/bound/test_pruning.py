"""Which states the checker's sweeps leave out because the prices of some focus rule them out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.bound.test_gainful_plays import rack_number, read_tiles
from verify.bound.numbers import joined, score_of, spell
from verify.bound.pruning import drop_ruled_out
from verify.bound.relaxed_game import POINT
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, KINDS

RACK = 6


@given(leaves=st.dictionaries(st.text("aeostz?", max_size=RACK - 1), st.integers(0, 30)), seed=st.integers(0, 10_000))
def test_states_stay_where_the_bound_of_every_focus_is_high_enough(leaves: dict[str, int], seed: int) -> None:
    rng, foci, least = np.random.default_rng(seed), 3, 30 * POINT
    to_come = np.where(rng.random((foci, RACK)) < 0.3, NONE, rng.integers(0, 20 * POINT, (foci, RACK)))
    worth = rng.integers(0, 10 * POINT, (foci, RACK, KINDS, RACK + 1))
    scores = {"".join(sorted(leave)): score for leave, score in leaves.items()}
    states = joined([np.sort(np.array([rack_number(leave, 7, score) for leave, score in scores.items()], dtype=np.uint64))])

    def bound(focus: int, leave: str, score: int) -> int:
        tiles = {tile: BLANK_KIND + 1 if tile == "?" else 1 + ord(tile) - ord("a") for tile in leave}
        worths = (worth[focus, len(leave), kind, leave.count(tile)] for tile, kind in tiles.items())
        return int(POINT * score + to_come[focus, len(leave)] + sum(worths))

    expected = {leave for leave, score in scores.items() if all(bound(focus, leave, score) >= least for focus in range(foci))}
    spelled = spell(states)
    kept = drop_ruled_out(states, spelled, to_come, worth, least)
    assert {"".join(sorted(read_tiles(state))) for state in states[:kept]} == expected
    assert (spell(states[:kept]) == spelled[:kept]).all()
    assert all(scores["".join(sorted(read_tiles(state)))] == score_of(state) for state in states[:kept])
