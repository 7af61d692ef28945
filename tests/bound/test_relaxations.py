"""Upper bounds: whatever the prices, no relaxation falls below the optimum."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound, ascend
from solver.bound.relaxations.prices import KnotPrices, Prices, first_prices
from solver.bound.relaxations.r3 import LONGEST, LeaveRelaxation
from solver.bound.schedule import RELAXATIONS, make_relaxation, tighten_upper_bound
from solver.bound.sweeps.campaign import sweeps
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import N_CODES, POINT
from solver.search.run import Run
from tests.bound.games import Small, small, smalls


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as made:
        yield made


def bound_by(name: str, game: Small, pool: ThreadPoolExecutor, prices: Prices) -> int:
    bound = make_relaxation(name, game.problem, pool).evaluate(prices)
    assert bound is not None
    return bound


@given(game=smalls)
@settings(max_examples=25)
def test_no_relaxation_falls_below_the_optimum_and_each_is_at_least_as_tight_as_the_one_before(
    pool: ThreadPoolExecutor, game: Small
) -> None:
    free_of_charge = Prices(game.prices.tile, np.zeros_like(game.prices.leave))
    r1 = bound_by("r1", game, pool, free_of_charge)
    r3 = bound_by("r3", game, pool, free_of_charge)
    assert r1 >= r3 >= game.best * POINT
    assert bound_by("r3", game, pool, game.prices) >= game.best * POINT


@pytest.mark.parametrize("name", RELAXATIONS)
@given(game=smalls)
@settings(max_examples=15)
def test_the_best_path_accounts_for_the_whole_bound(
    pool: ThreadPoolExecutor, name: str, game: Small
) -> None:
    relaxation = make_relaxation(name, game.problem, pool)
    bound = relaxation.evaluate(game.prices)
    total = game.prices.tile.sum()
    moments = len(game.prices.leave)
    leave = game.prices.leave.reshape(moments, -1, N_CODES)
    for arc in relaxation.arcs_from(relaxation.root, set()):
        total += arc.score - game.prices.tile[list(arc.tiles)].sum()
        total += sum(count * leave[moment, place, code] for moment, place, code, count in arc.kept)
        total -= sum(count * leave[moment, place, code] for moment, place, code, count in arc.held)
    assert total == bound


@pytest.mark.parametrize("name", RELAXATIONS)
def test_an_ascent_lowers_the_bound_to_near_the_optimum(
    pool: ThreadPoolExecutor, name: str
) -> None:
    for seed, row in enumerate(["zestoatseat", "?oatseatto?z", "ttt", "q"]):
        game = small(row, 5, seed)
        start = first_prices(game.problem)
        kept: list[Bound] = []
        relaxation = make_relaxation(name, game.problem, pool)
        last = ascend(game.problem, relaxation, start, Run(), kept.append).thousandths
        values = [bound.thousandths for bound in kept]
        assert game.best * POINT <= last <= bound_by(name, game, pool, start)
        assert values == sorted(values, reverse=True)
        assert last == values[-1]
        if name == "r3":
            assert last < (game.best + 1) * POINT


class Flattering(LeaveRelaxation):
    """R3 that, without a check, finds prices far from those of the first round better."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, None, uses_leave=True)
        self.rounds: list[tuple[bool, Prices, int]] = []

    def evaluate(
        self, prices: Prices, stop: Callable[[], bool] = lambda: False, *, full: bool = True
    ) -> int | None:
        value = super().evaluate(prices, stop)
        assert value is not None
        self.rounds.append((full, prices, value))
        return value if full else value - 20 * far(prices, self.rounds[0][1])


def far(prices: Prices, others: Prices) -> int:
    return int(abs(prices.tile - others.tile).sum() + abs(prices.leave - others.leave).sum())


def test_an_ascent_returns_from_prices_that_a_check_finds_worse() -> None:
    game = small("zestoatseat", 5, 3)
    relaxation = Flattering(game.problem)
    bound = ascend(game.problem, relaxation, game.prices, Run(), rounds=60)
    _full, home, least = relaxation.rounds[0]
    returns = 0
    for (full, prices, value), (_next, then, _value) in pairwise(relaxation.rounds):
        if full and value <= least:
            home = prices
            least = value
        elif full:
            returns += 1
            assert far(then, home) < far(prices, home)
    assert bound.thousandths == min(value for full, _, value in relaxation.rounds if full)
    assert returns


@given(row=st.text("aeostz?", min_size=8, max_size=12), seed=st.integers(0, 10_000))
@settings(max_examples=4)
def test_all_words_were_looked_at_for_every_bound_that_an_ascent_keeps(
    pool: ThreadPoolExecutor, row: str, seed: int
) -> None:
    """An evaluation from nothing gives the same."""
    game = small(row, 5, seed)
    kept: list[Bound] = []
    ascend(game.problem, make_relaxation("r3", game.problem, pool), game.prices, Run(), kept.append)
    # of the first round, so that a killed command leaves a bound
    assert np.array_equal(kept[0].prices.tile, game.prices.tile)
    for bound in kept:
        assert bound_by("r3", game, pool, bound.prices) == bound.thousandths


def test_a_finer_relaxation_begins_where_the_coarser_one_ended() -> None:
    problem = small("zestoatseat?", 5, 1).problem
    kept: list[Bound] = []
    assert tighten_upper_bound(problem, "r3", Run(threads=2), keep=kept.append) == kept[-1]
    relaxations = [bound.relaxation for bound in kept]
    assert relaxations == sorted(relaxations)
    assert relaxations[-1] == "r3"
    enough = tighten_upper_bound(problem, "r3", Run(), stop=lambda better: better.points < 1000)
    assert enough.relaxation == "r1"


def test_an_interrupted_ascent_has_a_bound_all_the_same() -> None:
    problem = Problem(load_puzzle("challenge"))
    run = Run(threads=2)
    run.interrupt()
    kept: list[Bound] = []
    bound = tighten_upper_bound(problem, "r3", run, keep=kept.append)
    assert (bound.relaxation, kept) == ("r1", [bound])
    assert bound.thousandths > 1042 * POINT


def test_finer_cells_keep_the_prices_and_the_bound(pool: ThreadPoolExecutor) -> None:
    game = small("zestoatseat?", 5, 2)
    sides, holds = game.prices.leave.shape[1:3]
    finer = game.prices.with_cells(2 * sides, 2 * holds)
    assert bound_by("r3", game, pool, finer) == bound_by("r3", game, pool, game.prices)


def test_each_price_of_a_leave_has_a_place_of_its_own_in_a_trial() -> None:
    game = small("zestoatseat?", 5, 2)
    knots = KnotPrices(game.problem, game.prices.with_cells(2, 3), 0)
    moment = int(knots.weights[:, 1].argmax())
    for code in knots.codes:
        for cell in np.ndindex(2, 3):
            trial = np.zeros(knots.size)
            trial[knots.place_of(1, 3 * cell[0] + cell[1], code)] = 2.0
            leave = knots.prices_of(trial).leave[moment]
            assert leave[*cell, code] == leave.sum() == 2 * POINT


def test_rows_too_long_for_states_with_leaves_are_refused_and_r1_takes_them(
    pool: ThreadPoolExecutor,
) -> None:
    puzzle = load_puzzle("challenge")
    long = Problem(puzzle.with_row(puzzle.row * 3, "long"))
    with pytest.raises(StrategyError, match=f"300 tiles: expected at most {LONGEST}"):
        make_relaxation("r3", long, pool)
    with pytest.raises(StrategyError, match="expected r1 or r3"):
        tighten_upper_bound(long, "r4", Run())
    merged = make_relaxation("r1", long, pool)
    assert merged.width > 1
    assert (merged.evaluate(first_prices(long)) or 0) > 3 * 1042 * POINT


@given(game=smalls, states=st.sampled_from([1, 4, 30, 100_000]))
@settings(max_examples=20)
def test_no_sweep_says_less_than_the_optimum_and_one_with_room_for_all_states_says_it(
    game: Small, states: int
) -> None:
    truth = game.best
    start = Bound("r3", game.prices, (truth + 500) * POINT)
    bounds = [bound.points for bound in sweeps(game.problem, Run(), start, states)]
    assert all(bound >= truth for bound in bounds)
    assert bounds == sorted(set(bounds), reverse=True)
    if states == 100_000:
        # sweeps yield nothing if the prices alone prove as much
        assert min(bounds, default=truth) == truth
