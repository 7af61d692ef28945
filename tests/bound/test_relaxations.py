"""Upper bounds: whatever the prices, no relaxation falls below the optimum."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound, ascend
from solver.bound.kernels.completion_bounds import Window
from solver.bound.kernels.packed_states import packed
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.relaxations.r3 import LONGEST, LeaveRelaxation
from solver.bound.schedule import RELAXATIONS, make_relaxation, tighten_upper_bound
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.outlooks import FocusPrices, Outlooks, all_foci
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import POINT
from solver.search.beam import BeamParameters, BeamRun
from solver.search.kernels.states import lefts_of_keys, ranks_of_keys
from solver.search.run import Run
from tests.bound.games import Small, small, smalls


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as made:
        yield made


def forever() -> bool:
    return False


@given(game=smalls)
@settings(max_examples=40, deadline=None)
def test_no_relaxation_falls_below_the_optimum_and_each_is_at_least_as_tight_as_the_one_before(
    pool: ThreadPoolExecutor, game: Small
) -> None:
    free_of_charge = Prices(game.prices.tile, np.zeros_like(game.prices.leave))
    r1, r3 = (
        make_relaxation(name, game.problem, pool).evaluate(free_of_charge, forever)
        for name in RELAXATIONS
    )
    priced = make_relaxation("r3", game.problem, pool).evaluate(game.prices, forever)
    assert r1 is not None
    assert r3 is not None
    assert priced is not None
    assert r1 >= r3 >= game.best * POINT
    assert priced >= game.best * POINT


@pytest.mark.parametrize("name", RELAXATIONS)
@given(game=smalls)
@settings(max_examples=15, deadline=None)
def test_the_best_path_accounts_for_the_whole_bound(
    pool: ThreadPoolExecutor, name: str, game: Small
) -> None:
    relaxation = make_relaxation(name, game.problem, pool)
    bound = relaxation.evaluate(game.prices, forever)
    total = int(game.prices.tile.sum())
    holds = game.prices.leave.shape[2]
    for arc in relaxation.arcs_from(relaxation.root, set()):
        total += arc.score - sum(int(game.prices.tile[tile]) for tile in arc.tiles)
        for side, sign in ((arc.kept, 1), (arc.held, -1)):
            for moment, place, code, count in side:
                total += (
                    sign
                    * count
                    * int(game.prices.leave[moment, place // holds, place % holds, code])
                )
    assert total == bound


@pytest.mark.parametrize("name", RELAXATIONS)
def test_an_ascent_lowers_the_bound_to_near_the_optimum(
    pool: ThreadPoolExecutor, name: str
) -> None:
    for seed, row in enumerate(["zestoatseat", "?oatseatto?z", "ttt", "q"]):
        game = small(row, 5, seed)
        start = first_prices(game.problem)
        first = make_relaxation(name, game.problem, pool).evaluate(start, forever)
        values: list[float] = []
        bound = ascend(
            game.problem,
            make_relaxation(name, game.problem, pool),
            start,
            Run(),
            lambda b, values=values: values.append(b.thousandths / POINT),
        )
        assert first is not None
        assert game.best <= bound.thousandths / POINT <= first / POINT
        assert values == sorted(values, reverse=True)
        assert bound.thousandths / POINT == values[-1]
        if name == "r3":
            assert bound.thousandths / POINT < game.best + 1


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
    checks = [i for i, (full, _prices, _value) in enumerate(relaxation.rounds) if full]
    assert bound.thousandths == min(relaxation.rounds[i][2] for i in checks)
    accepted = 0
    returns = 0
    for check in checks:
        _full, prices, value = relaxation.rounds[check]
        if value <= relaxation.rounds[accepted][2]:
            accepted = check
        elif check + 1 < len(relaxation.rounds):
            returns += 1
            home = relaxation.rounds[accepted][1]
            assert far(relaxation.rounds[check + 1][1], home) < far(prices, home)
    assert returns


@given(row=st.text("aeostz?", min_size=12, max_size=20), seed=st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_all_words_were_looked_at_for_every_bound_that_an_ascent_keeps(
    pool: ThreadPoolExecutor, row: str, seed: int
) -> None:
    """An evaluation from nothing gives the same."""
    game = small(row, 5, seed)
    kept: list[Bound] = []
    ascend(game.problem, make_relaxation("r3", game.problem, pool), game.prices, Run(), kept.append)
    assert np.array_equal(
        kept[0].prices.tile, game.prices.tile
    )  # of the first round, so that a killed command leaves a bound
    for bound in kept:
        assert (
            make_relaxation("r3", game.problem, pool).evaluate(bound.prices, forever)
            == bound.thousandths
        )


def test_a_finer_relaxation_begins_where_the_coarser_one_ended() -> None:
    game = small("zestoatseat?", 5, 1)
    relaxations: list[str] = []
    bound = tighten_upper_bound(
        game.problem,
        "r3",
        Run(threads=2),
        keep=lambda better: relaxations.append(better.relaxation),
    )
    assert relaxations == sorted(relaxations)
    assert bound.relaxation == "r3"
    enough = tighten_upper_bound(
        game.problem, "r3", Run(threads=2), stop=lambda better: better.points < 1000
    )
    assert enough.relaxation == "r1"


def test_an_interrupted_ascent_has_a_bound_all_the_same() -> None:
    problem = Problem(load_puzzle("challenge"))
    run = Run(threads=2)
    run.interrupt()
    kept: list[Bound] = []
    bound = tighten_upper_bound(problem, "r3", run, keep=kept.append)
    assert bound.relaxation == "r1"
    assert bound.thousandths / POINT > 1042
    assert kept == [bound]


def test_finer_cells_keep_the_prices_and_the_bound(pool: ThreadPoolExecutor) -> None:
    game = small("zestoatseat?", 5, 2)
    sides, holds = game.prices.leave.shape[1:3]
    finer = game.prices.with_cells(2 * sides, 2 * holds)
    relaxation = make_relaxation("r3", game.problem, pool)
    assert relaxation.evaluate(finer, forever) == relaxation.evaluate(game.prices, forever)


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
    bound = merged.evaluate(first_prices(long), forever)
    assert bound is not None
    assert bound > 3 * 1042 * POINT


@given(game=smalls, seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_no_state_is_said_to_come_to_less_than_it_does_by_any_focus(
    pool: ThreadPoolExecutor, game: Small, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    tiles = len(game.problem.puzzle.row)
    rack = game.problem.puzzle.rack_size
    foci = []
    for _focus in range(3):
        first = int(rng.integers(min(rack, tiles), tiles + 1))
        low, high = np.sort(rng.integers(0, first + 1, 2)).tolist()
        tile = np.maximum(0, game.prices.tile + rng.integers(-2000, 2000, tiles))
        foci.append(
            FocusPrices(
                int(rng.integers(1, first + 1)),
                Window(first, low, high),
                replace(game.prices, tile=tile),
            )
        )
    outlooks = Outlooks(game.problem, all_foci(game.problem, pool, game.prices, foci))
    beam = BeamRun(game.problem, Run(), BeamParameters(100_000), pool)
    beam.search(100_000)
    promise = beam.history.promise()
    for played, states in beam.history._layers.items():
        numbers = [
            packed(rank, left, score)
            for rank, left, score in zip(
                ranks_of_keys(states.key), lefts_of_keys(states.key), states.score, strict=True
            )
        ]
        for least in (None, 0):
            assert (
                outlooks.bounds(np.array(numbers, dtype=np.uint64), played, least)
                >= promise[played] * POINT
            ).all()


@given(game=smalls, states=st.sampled_from([1, 4, 30, 100_000]))
@settings(max_examples=30, deadline=None)
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
