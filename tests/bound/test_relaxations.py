"""Upper bounds: whatever the prices, no relaxation falls below the optimum."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound, ascend
from solver.bound.prices import KnotPrices, Prices, first_prices
from solver.bound.relaxation import Relaxation
from solver.bound.schedule import tighten_upper_bound
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import N_CODES, POINT
from solver.search.run import Run
from tests.bound.games import Small, small, smalls


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as made:
        yield made


def bound_by(game: Small, pool: ThreadPoolExecutor, prices: Prices) -> int:
    bound = Relaxation(game.problem, pool, uses_leave=True).evaluate(prices)
    assert bound is not None
    return bound


@given(game=smalls)
@settings(max_examples=25)
def test_the_best_path_accounts_for_the_whole_bound(pool: ThreadPoolExecutor, game: Small) -> None:
    relaxation = Relaxation(game.problem, pool, uses_leave=True)
    bound = relaxation.evaluate(game.prices)
    total = game.prices.tile.sum()
    moments = len(game.prices.leave)
    leave = game.prices.leave.reshape(moments, -1, N_CODES)
    for arc in relaxation.arcs_from(relaxation.root, set()):
        total += arc.score - game.prices.tile[list(arc.tiles)].sum()
        total += sum(count * leave[moment, place, code] for moment, place, code, count in arc.kept)
        total -= sum(count * leave[moment, place, code] for moment, place, code, count in arc.held)
    assert total == bound


def test_an_ascent_lowers_the_bound_to_near_the_optimum(pool: ThreadPoolExecutor) -> None:
    for seed, row in enumerate(["zestoatseat", "?oatseatto?z", "ttt", "q"]):
        game = small(row, 5, seed)
        start = first_prices(game.problem)
        kept: list[Bound] = []
        relaxation = Relaxation(game.problem, pool, uses_leave=True)
        last = ascend(game.problem, relaxation, start, Run(), kept.append).thousandths
        values = [bound.thousandths for bound in kept]
        assert last >= game.best * POINT
        assert values == sorted(values, reverse=True)
        assert last == values[-1]
        assert last < (game.best + 1) * POINT


class Flattering(Relaxation):
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
    ascend(
        game.problem,
        Relaxation(game.problem, pool, uses_leave=True),
        game.prices,
        Run(),
        kept.append,
    )
    # of the first round, so that a killed command leaves a bound
    assert np.array_equal(kept[0].prices.tile, game.prices.tile)
    for bound in kept:
        assert bound_by(game, pool, bound.prices) == bound.thousandths


def test_every_bound_on_the_way_is_kept_and_each_is_lower() -> None:
    problem = small("zestoatseat?", 5, 1).problem
    kept: list[Bound] = []
    assert tighten_upper_bound(problem, Run(threads=2), keep=kept.append) == kept[-1]
    values = [bound.thousandths for bound in kept]
    assert values == sorted(values, reverse=True)
    assert kept[-1].prices.leave.any()
    enough = tighten_upper_bound(problem, Run(), stop=lambda better: better.points < 1000)
    assert not enough.prices.leave.any()


def test_finer_cells_keep_the_prices_and_the_bound(pool: ThreadPoolExecutor) -> None:
    game = small("zestoatseat?", 5, 2)
    sides, holds = game.prices.leave.shape[1:3]
    finer = game.prices.with_cells(2 * sides, 2 * holds)
    assert bound_by(game, pool, finer) == bound_by(game, pool, game.prices)


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


def test_a_row_too_long_for_a_certificate_gets_no_prices_of_leaves() -> None:
    long = Problem(load_puzzle("challenge").with_row("tea" * 67, "long"))
    assert not tighten_upper_bound(long, Run(seconds=1), states=10).prices.leave.any()
