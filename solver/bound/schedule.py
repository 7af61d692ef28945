"""The way to a low bound: a coarse relaxation's prices are where the next finer one begins, and sweeps end it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from solver.bound.ascent import RELAXATIONS, Bound, ascend, make_relaxation
from solver.bound.prices import Prices, first_prices
from solver.bound.r3 import LONGEST
from solver.bound.sweep import sweeps
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run

SIDES, HOLDS = 3, 3  # how finely r3's prices of leaves tell left draws and sizes of leaves apart
_SHARE = {"r1": 0.1, "r2": 0.25, "r3": 0.4}  # of the time that is left, for what is not the last
_LONGEST = {"r1": 20.0, "r2": 120.0, "r3": np.inf}  # seconds for those
_GAIN = {"r1": 0.5, "r2": 0.5, "r3": 0.05}  # points that a round must promise, less ends those
_LEAST = 0.01  # and the last one


def tighten_upper_bound(
    problem: Problem,
    relaxation: str,
    run: Run,
    start: Prices | None = None,
    keep: Callable[[Bound], None] = lambda _bound: None,
    stop: Callable[[Bound], bool] = lambda _bound: False,
    states: int = 0,
) -> Bound:
    """The lowest bound of `relaxation` that is found until `run` is over or nothing is gained any more.

    start: prices to begin with, those of an earlier bound; without them the coarser relaxations go first.
    keep: told of every better bound, whichever relaxation proves it.
    stop: says which is good enough.
    states: that a layer of the sweeps after r3 may hold, 0 for none.

    Raises `StrategyError` where there is no such relaxation, or it does not take such rows.
    """
    if relaxation not in RELAXATIONS:
        raise StrategyError(f"relaxation {relaxation!r}: expected {', '.join(RELAXATIONS)}")
    stages = (relaxation,) if start else RELAXATIONS[: RELAXATIONS.index(relaxation) + 1]
    prices = start or first_prices(problem)
    sweeping = states > 0 and relaxation == "r3" and problem.has_closed_index
    best: Bound | None = None

    def told(bound: Bound) -> None:
        nonlocal best
        if best is None or bound.thousandths <= best.thousandths:
            best = bound
            keep(bound)

    with ThreadPoolExecutor(run.threads) as pool:
        final = make_relaxation(relaxation, problem, pool)  # refuses what it cannot take before anything else is tried
        for stage in stages:
            last = stage == stages[-1] and not sweeping
            if stage == "r3":
                prices = with_cells(prices, SIDES, HOLDS)
            made = final if stage == relaxation else make_relaxation(stage, problem, pool)
            with run.slice(None if last else _seconds(run, stage)):
                found = ascend(problem, made, prices, run, told, _LEAST if last else _GAIN[stage], stop)
            prices = found.prices
            if run.is_over or stop(found):
                break
    assert best is not None
    if sweeping and not stop(best) and not run.is_over:
        for points in sweeps(problem, run, best.prices, states, best.value):
            told(replace(best, thousandths=points * POINT, of_prices=best.of_prices or best.thousandths))
    return replace(best, rounds=found.rounds)


def _seconds(run: Run, stage: str) -> float | None:
    """For a stage that is not the last; None for any number."""
    left = np.inf if run.deadline is None else run.deadline - run.elapsed
    seconds = min(_LONGEST[stage], _SHARE[stage] * left)
    return seconds if seconds < np.inf else None


def suited_relaxation(problem: Problem) -> str:
    """The relaxation for a minute's work."""
    return "r2" if len(problem.puzzle.row) <= LONGEST else "r1"


def with_cells(prices: Prices, sides: int, holds: int) -> Prices:
    """The same prices, told apart by at least so many sides and holds: multiples of what they were."""
    _moments, had_sides, had_holds, _codes = prices.leave.shape
    side = np.repeat(np.arange(had_sides), -(-sides // had_sides))
    hold = np.repeat(np.arange(had_holds), -(-holds // had_holds))
    return Prices(prices.tile, np.ascontiguousarray(prices.leave[:, side][:, :, hold]))
