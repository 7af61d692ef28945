"""The schedule of a bound: each relaxation starts with the prices of the coarser one before it, and sweeps come last."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solver.bound.ascent import RELAXATIONS, Bound, ascend, make_relaxation
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.relaxations.r3 import LONGEST
from solver.bound.sweeps.campaign import sweeps
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.run import Run
from verify.threads import ThreadPool

SIDES, HOLDS = 3, 3  # how finely r3's prices of leaves distinguish left draws and sizes of leaves
_SHARE = {"r1": 0.1, "r2": 0.25, "r3": 0.4}  # share of the remaining time for a stage that is not the last
_LONGEST = {"r1": 20.0, "r2": 120.0, "r3": np.inf}  # its time limit in seconds
_GAIN = {"r1": 0.5, "r2": 0.5, "r3": 0.05}  # it ends when a round is predicted to gain fewer points
_LEAST = 0.01  # the same for the last stage


def tighten_upper_bound(
    problem: Problem,
    relaxation: str,
    run: Run,
    start: Bound | None = None,
    keep: Callable[[Bound], None] = lambda _bound: None,
    stop: Callable[[Bound], bool] = lambda _bound: False,
    states: int = 0,
) -> Bound:
    """Lower the bound of `relaxation` until `run` is over or the gain is too small, and return the lowest bound.

    Args:
        problem: the puzzle and its words.
        relaxation: one of `RELAXATIONS`.
        run: its limits end the search.
        start: an earlier bound, whose prices and foci are a warm start; without it the coarser relaxations run first.
        keep: called with every better bound, whichever relaxation proves it.
        stop: returns whether a bound is good enough.
        states: how many states a layer of the sweeps after r3 may hold; 0 for no sweeps.

    Raises:
        StrategyError: The relaxation is unknown, the row is too long for it, or the puzzle is a variant.
    """
    problem.require_ordinary("a bound")
    if relaxation not in RELAXATIONS:
        raise StrategyError(f"relaxation {relaxation!r}: expected {', '.join(RELAXATIONS)}")
    stages = (relaxation,) if start else RELAXATIONS[: RELAXATIONS.index(relaxation) + 1]
    prices = first_prices(problem) if start is None else start.prices
    sweeping = states > 0 and relaxation == "r3" and problem.has_closed_index
    best: Bound | None = None

    def keep_if_lower(bound: Bound) -> None:
        nonlocal best
        if best is None or bound.thousandths <= best.thousandths:
            best = bound
            keep(bound)

    with ThreadPool(run.threads) as pool:
        final = make_relaxation(relaxation, problem, pool)  # comes first: it raises the error for rows that are too long
        for stage in stages:
            last = stage == stages[-1] and not sweeping
            if stage == "r3":
                prices = with_cells(prices, SIDES, HOLDS)
            made = final if stage == relaxation else make_relaxation(stage, problem, pool)
            with run.slice(None if last else _seconds(run, stage)):
                reached = ascend(problem, made, prices, run, keep_if_lower, _LEAST if last else _GAIN[stage], stop)
            prices = reached.prices
            if run.is_over or stop(reached):
                break
    assert best is not None
    if sweeping and not stop(best) and not run.is_over:
        for bound in sweeps(problem, run, replace(best, foci=() if start is None else start.foci), states):
            keep_if_lower(bound)
    return replace(best, rounds=reached.rounds)


def _seconds(run: Run, stage: str) -> float | None:
    """Return the time limit in seconds of a stage that is not the last; None for no limit."""
    left = np.inf if run.deadline is None else run.deadline - run.elapsed
    seconds = min(_LONGEST[stage], _SHARE[stage] * left)
    return seconds if seconds < np.inf else None


def suited_relaxation(problem: Problem) -> str:
    """Return the relaxation with the lowest bound among those that take about a minute."""
    return "r2" if len(problem.puzzle.row) <= LONGEST else "r1"


def with_cells(prices: Prices, sides: int, holds: int) -> Prices:
    """Return the same prices with at least `sides` sides and `holds` holds, multiples of their former numbers."""
    _moments, had_sides, had_holds, _codes = prices.leave.shape
    side = np.repeat(np.arange(had_sides), -(-sides // had_sides))
    hold = np.repeat(np.arange(had_holds), -(-holds // had_holds))
    return Prices(prices.tile, np.ascontiguousarray(prices.leave[:, side][:, :, hold]), prices.knots)
