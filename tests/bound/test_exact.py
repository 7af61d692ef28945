"""Exact search: what it proves, and what it says when it cannot."""

from dataclasses import replace
from itertools import combinations
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from optima import random_row
from solver.bound.ascent import Bound
from solver.bound.prices import Prices, first_prices
from solver.bound.sweeps import campaign
from solver.bound.sweeps.campaign import Need, sweeps
from solver.bound.sweeps.exact import Exact, ExactParameters
from solver.bound.sweeps.sweep import Sweep, Tally
from solver.bound.sweeps.training import Trainer
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import N_CODES
from solver.search.beam import Beam
from solver.search.run import Run
from solver.solving.result import confirm
from solver.solving.strategies import make_strategy
from tests.bound.games import Small, small, smalls
from tests.puzzles import problem_of


@given(game=smalls)
# the prices of the first ascent prove the best score, before the first sweep
@example(game=small("?o?t", 2, 0))
@settings(max_examples=15)
def test_exact_is_brute_force(game: Small) -> None:
    run = Run()
    # a beam of one state leaves something to find
    Exact(ExactParameters(width=1, ascent=0)).search(game.problem, run)
    assert (run.incumbent.score, run.bound) == (game.best, game.best)


def short(tiles: int) -> Problem:
    puzzle = load_puzzle("challenge")
    return Problem(puzzle.with_row(random_row(puzzle, tiles, 1), "short"))


def test_a_short_row_of_the_challenge_is_solved_whether_a_bound_is_looked_for_or_not() -> None:
    problem = short(16)
    wide = Run()
    make_strategy("beam:width=30000").search(problem, wide)
    for ascent in (0.0, 1.0):
        run = Run(threads=2)
        make_strategy(f"exact:ascent={ascent},width=50").search(problem, run)
        assert run.bound == run.incumbent.score == wide.incumbent.score
        assert confirm(problem.rules, run.incumbent).valid


@pytest.mark.parametrize("beams", [0.0, 1.0])
def test_wider_beams_follow_a_sweep_that_leaves_a_gap_unless_they_get_no_share(
    beams: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: list[int] = []
    search = Beam.search

    def noted(beam: Beam, problem: Problem, run: Run) -> None:
        widths.append(beam.parameters.width)
        search(beam, problem, run)

    monkeypatch.setattr(Beam, "search", noted)
    run = Run()
    Exact(ExactParameters(states=200, width=1, beams=beams, ascent=0)).search(short(22), run)
    assert run.bound is not None
    assert run.bound > run.incumbent.score
    if beams:
        first, cheaper, dearer = widths
        assert first < cheaper == dearer
    else:
        assert widths == [1]


@pytest.mark.parametrize(
    ("times", "seconds", "second"),
    [(19.0, 1.0, 10**9), (21.0, 1.0, 80), (19.0, 5000.0, 80)],
    ids=["near", "far", "near, but no time"],
)
def test_the_sweep_that_closes_the_gap_comes_next_if_it_is_near(
    times: float, seconds: float, second: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int | None] = []
    play = Sweep.play

    def noted(sweep: Sweep, tally: Tally, most: int | None, *more: Any) -> bool:
        limits.append(most)
        return play(sweep, tally, most, *more)

    def expected(last: Need, _claim: int) -> Need:
        return replace(last, racks=round(times * last.racks), seconds=seconds)

    monkeypatch.setattr(Sweep, "play", noted)
    monkeypatch.setattr(campaign, "_FIRST", 20)
    monkeypatch.setattr(campaign, "forecast", expected)
    problem = short(16)
    run = Run(seconds=1000.0)
    # bounds without prices
    prices = first_prices(problem).with_cells(3, 3)
    start = Bound(prices, 10**9)
    *_higher, last = sweeps(problem, run, start, 10**9, Trainer(problem, fewest=10**9))
    assert limits[:2] == [20, second]
    assert last.points == run.incumbent.score


def test_racks_without_a_time_limit_do_not_depend_on_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All effort is counted in work, however slow the machine is and whatever else it does."""
    racks = set()
    for speed in (1, 1000):
        elapsed = property(lambda run, speed=speed: speed * (perf_counter() - run.started))
        monkeypatch.setattr(Run, "elapsed", elapsed)
        run = Run(threads=2)
        Exact(ExactParameters(width=2)).search(short(26), run)
        assert run.bound == run.incumbent.score
        racks.add(run.racks)
    assert len(racks) == 1


def test_a_share_of_beams_above_one_is_refused() -> None:
    with pytest.raises(StrategyError, match="beams = 2: expected 0 to 1"):
        make_strategy("exact:beams=2")


def test_a_search_that_ran_out_of_racks_says_what_is_still_possible() -> None:
    run = Run(rack_budget=2000)
    Exact(ExactParameters(width=20, ascent=0)).search(short(22), run)
    assert run.bound is not None
    assert run.bound > run.incumbent.score > 0


def test_states_that_are_dropped_with_just_the_bound_of_the_floor_are_not_forgotten() -> None:
    words = ["aa", "ab", "abaa", "ac", "bac", "bbb", "c", "cbabb"]
    problem = problem_of(words, "aac?cac", 3, {"a": 1, "b": 2, "c": 1})
    for states in (1, 1000):
        run = Run(seed=0)
        Exact(ExactParameters(states=states, width=1, ascent=0)).search(problem, run)
        assert (run.bound or 0) >= 11
    assert run.incumbent.score == 11


@pytest.mark.parametrize("first", ["cdef", "lmno"])
def test_a_sweep_that_was_cut_short_in_its_last_layer_proves_nothing(first: str) -> None:
    """Any five letters with an a are a word; one more word has all letters but a and `first`."""
    letters = "abcdefghijklmno"
    others = "bcdefghijklmno"
    words = ["a" + "".join(four) for four in combinations(others, 4)] + [
        "".join(sorted(set(others) - set(first)))
    ]
    values = {letter: 1 + place % 9 for place, letter in enumerate(others)}
    problem = problem_of(words, letters, 10, values)
    prices = Prices(np.zeros(15, np.int64), np.zeros((26, 1, 1, N_CODES), np.int64))
    start = Bound(prices, 10**9)
    *_higher, optimum = sweeps(problem, Run(), start, 20_000)
    # the budget of 12 ends in the last layer that has plays, after its first racks
    for racks in (1, 6, 12):
        for bound in sweeps(problem, Run(rack_budget=racks), start, 20_000):
            assert bound.points >= optimum.points


def test_rows_and_racks_that_are_too_large_are_refused() -> None:
    puzzle = load_puzzle("challenge")
    with pytest.raises(StrategyError, match="up to 200 tiles"):
        Exact().search(Problem(puzzle.with_row(puzzle.row * 3, "long")), Run())
