"""The schedule of a bound: each relaxation starts with the prices of the coarser one before it, and sweeps come last."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solver.bound.ascent import Bound, ascend
from solver.bound.relaxations.kinds import RELAXATIONS, RelaxationKind
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.relaxations.r3 import LONGEST
from solver.bound.sweeps.campaign import sweeps
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.run import Run
from verify.threads import ThreadPool

SIDES, HOLDS = 3, 3  # how finely prices of leaves distinguish left draws and sizes of leaves
_LEAST = 0.01  # the last stage ends when a round is predicted to gain fewer points


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

    Of equal bounds, that of the coarsest relaxation counts.

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
    names = list(RELAXATIONS)
    chosen = RELAXATIONS[relaxation]
    stages = [chosen] if start else [RELAXATIONS[name] for name in names[: names.index(relaxation) + 1]]
    prices = first_prices(problem) if start is None else start.prices
    sweeping = states > 0 and chosen.prices_leaves and problem.has_closed_index
    best: Bound | None = None

    def keep_if_lower(bound: Bound) -> None:
        nonlocal best
        if best is None or bound.thousandths < best.thousandths:
            best = bound
            keep(bound)

    with ThreadPool(run.threads) as pool:
        final = chosen.make(problem, pool)  # comes first: it raises the error for rows that are too long
        for stage in stages:
            last = stage is chosen and not sweeping
            if stage.prices_leaves:
                prices = with_cells(prices, SIDES, HOLDS)
            made = final if stage is chosen else stage.make(problem, pool)
            with run.slice(None if last else _seconds(run, stage)):
                reached = ascend(problem, made, prices, run, keep_if_lower, _LEAST if last else stage.gain, stop)
            prices = reached.prices
            if run.is_over or stop(reached):
                break
    assert best is not None
    if sweeping and not stop(best) and not run.is_over:
        # r3 may only have equalled the bound of a coarser relaxation, but the sweeps need its prices
        for bound in sweeps(problem, run, replace(reached, foci=() if start is None else start.foci), states):
            keep_if_lower(bound)
    return best


def _seconds(run: Run, stage: RelaxationKind) -> float | None:
    """Return the time limit in seconds of a stage that is not the last; None for no limit."""
    left = np.inf if run.deadline is None else run.deadline - run.elapsed
    seconds = min(stage.longest, stage.share * left)
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
