"""The way to a low bound: each relaxation begins with the prices of the coarser one before it, and sweeps come last."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.bound.ascent import RELAXATIONS, Bound, ascend, make_relaxation
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.relaxations.r3 import LONGEST
from solver.bound.sweeps.outlooks import FocusPrices
from solver.bound.sweeps.sweep import sweeps
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run
from solver.threads import ThreadPool

SIDES, HOLDS = 3, 3  # how finely r3's prices of leaves tell left draws and sizes of leaves apart
_SHARE = {"r1": 0.1, "r2": 0.25, "r3": 0.4}  # of the time left, for a relaxation that is not the last one
_LONGEST = {"r1": 20.0, "r2": 120.0, "r3": np.inf}  # seconds that it may take at most
_GAIN = {"r1": 0.5, "r2": 0.5, "r3": 0.05}  # it ends when a round promises to gain fewer points
_LEAST = 0.01  # the same for the last relaxation


def tighten_upper_bound(
    problem: Problem,
    relaxation: str,
    run: Run,
    start: Prices | None = None,
    keep: Callable[[Bound], None] = lambda _bound: None,
    stop: Callable[[Bound], bool] = lambda _bound: False,
    states: int = 0,
    foci: Sequence[FocusPrices] = (),
) -> Bound:
    """The lowest bound of `relaxation` that is found until `run` is over or nothing is gained any more.

    start: prices of an earlier bound to begin with; without them the coarser relaxations go first.
    keep: called with every better bound, whichever relaxation proves it.
    stop: whether a bound is good enough.
    states: how many states a layer of the sweeps after r3 may hold; 0 for no sweeps.
    foci: prices made for states of earlier sweeps.

    Raises `StrategyError` if there is no such relaxation, the row is too long for it, or the puzzle is a variant.
    """
    problem.require_ordinary("a bound")
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

    with ThreadPool(run.threads) as pool:
        final = make_relaxation(relaxation, problem, pool)  # made first: it raises the error for rows that are too long
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
        for points, outlooks in sweeps(problem, run, best.prices, states, best.value, foci=foci):
            of_prices = best.thousandths if best.of_prices is None else best.of_prices
            told(replace(best, thousandths=points * POINT, of_prices=of_prices, foci=tuple(outlooks.foci[1:])))
    return replace(best, rounds=found.rounds)


def _seconds(run: Run, stage: str) -> float | None:
    """The time limit of a stage that is not the last; None for no limit."""
    left = np.inf if run.deadline is None else run.deadline - run.elapsed
    seconds = min(_LONGEST[stage], _SHARE[stage] * left)
    return seconds if seconds < np.inf else None


def suited_relaxation(problem: Problem) -> str:
    """The lowest relaxation that takes about a minute."""
    return "r2" if len(problem.puzzle.row) <= LONGEST else "r1"


def with_cells(prices: Prices, sides: int, holds: int) -> Prices:
    """The same prices with at least so many sides and holds, multiples of the numbers that they had."""
    _moments, had_sides, had_holds, _codes = prices.leave.shape
    side = np.repeat(np.arange(had_sides), -(-sides // had_sides))
    hold = np.repeat(np.arange(had_holds), -(-holds // had_holds))
    return Prices(prices.tile, np.ascontiguousarray(prices.leave[:, side][:, :, hold]), prices.knots)
