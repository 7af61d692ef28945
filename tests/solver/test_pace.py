"""Beams that end before the run's limits do."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.index.problem import Problem
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Pace, Run


def expanded(budget: int | None, width: int, layers: int, cost: int) -> Run:
    """A beam of nothing but a pace: every state costs `cost` racks."""
    run = Run(rack_budget=budget)
    pace = Pace(run, layers)
    for layer in range(layers):
        states = pace.allowed(width, layer)
        run.racks += cost * states
        pace.note(states)
    return run


@given(
    width=st.integers(50, 5000),
    layers=st.integers(20, 200),
    cost=st.integers(1, 9),
    share=st.floats(0.4, 3.0),
)
def test_a_beam_ends_within_its_budget_and_uses_it(
    width: int, layers: int, cost: int, share: float
) -> None:
    whole = width * layers * cost
    run = expanded(int(share * whole) + layers * cost, width, layers, cost)
    assert not run.is_over
    # all but what is held in reserve, and what whole states leave over
    assert run.racks == whole or run.racks > 0.7 * share * whole - 2 * layers * cost


def test_without_limits_a_beam_keeps_its_width() -> None:
    assert expanded(None, 300, 50, 4).racks == 300 * 50 * 4


def test_a_wide_beam_with_a_small_budget_is_not_cut_short(challenge: Problem) -> None:
    found = []
    for threads in (1, 2):
        run = Run(rack_budget=100_000, threads=threads)
        with ThreadPoolExecutor(threads) as pool:
            beams = BeamRun(challenge, run, BeamParameters(2_000, fishing=0), pool)
            assert beams.search(2_000)
        assert 60_000 < run.racks < 100_000
        found.append((run.incumbent, run.racks))
    assert found[0] == found[1]
    assert found[0][0].score > 980


def test_of_games_that_have_ended_the_best_is_kept_however_narrow_a_beam_becomes(
    challenge: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    # without short words games end in many layers, with up to six tiles that are not played
    words = tuple(word for word in challenge.lexicon.words if len(word) == 7)
    problem = Problem(challenge.rules.with_words(words))
    tiles = len(problem.puzzle.row)

    def best(width: int) -> int:
        run = Run(rack_budget=1_000_000)
        with ThreadPoolExecutor(1) as pool:
            assert BeamRun(problem, run, BeamParameters(width, fishing=0), pool).search(width)
        return run.incumbent.score

    widths = [20, 40, 60, 80]
    whole = [best(width) for width in widths]
    monkeypatch.setattr(
        Pace, "allowed", lambda _pace, width, layer: width if layer <= tiles - 7 else 1
    )
    assert [best(width) for width in widths] == whole
