"""The schedule of a bound: an ascent, and sweeps that start with its prices."""

import math
from dataclasses import replace

from solver.bound.ascent import Bound, IsEnough, Keep, ascend
from solver.bound.prices import first_prices
from solver.bound.relaxation import Relaxation
from solver.bound.sweeps.campaign import sweeps
from solver.index.problem import Problem
from solver.search.run import Run
from verify.bound.certificate import LONGEST_ROW
from verify.threads import ThreadPool

# how finely prices of leaves distinguish left draws and sizes of leaves
SIDES = 3
HOLDS = 3
_SHARE = 0.55  # of a user's time limit, for the ascent before sweeps
_ROUNDS = 0.33  # of an ascent of effort 1, for each tile of the row
# the ascent ends when a round is predicted to gain fewer points; before sweeps, which gain more
_LEAST = 0.01
_LEAST_BEFORE_SWEEPS = 0.05


def tighten_upper_bound(
    problem: Problem,
    run: Run,
    start: Bound | None = None,
    keep: Keep = lambda _bound: None,
    stop: IsEnough = lambda _bound: False,
    states: int = 0,
    effort: float = math.inf,
) -> Bound:
    """Lower the bound of a puzzle until `run` is over or the gain is too small.

    A row that is too long for a certificate gets no prices of leaves and no sweeps.

    Args:
        problem: the puzzle and its words.
        run: its limits end the search.
        start: an earlier bound, whose prices and foci are a warm start.
        keep: called with every better bound.
        stop: returns whether a bound is good enough.
        states: how many states a layer of the sweeps may hold; 0 for no sweeps.
        effort: the most rounds of the ascent, as a multiple of the usual number.

    Returns:
        The lowest bound.

    Raises:
        StrategyError: The row is too long, or the puzzle is a variant.
    """
    problem.require_ordinary("a bound")
    tiles = len(problem.puzzle.row)
    is_long = tiles > LONGEST_ROW
    sweeping = states > 0 and not is_long and problem.is_sweepable
    prices = first_prices(problem) if start is None else start.prices
    if not is_long:
        prices = prices.with_cells(SIDES, HOLDS)
    seconds = math.inf
    gain = _LEAST
    if sweeping:
        seconds = _SHARE * run.seconds_left
        gain = _LEAST_BEFORE_SWEEPS
    rounds = effort * _ROUNDS * tiles
    lower: list[Bound] = []

    def keep_if_lower(bound: Bound) -> None:
        if not lower or bound.is_lower_than(lower[-1]):
            lower.append(bound)
            keep(bound)

    with ThreadPool(run.threads) as pool, run.slice(seconds):
        relaxation = Relaxation(problem, pool, uses_leave=not is_long)
        reached = ascend(problem, relaxation, prices, run, keep_if_lower, gain, stop, rounds)
    if sweeping and not stop(lower[-1]) and not run.is_over:
        # a certificate has one number of sides and of holds for all foci
        foci = tuple(
            replace(focus, prices=focus.prices.with_cells(SIDES, HOLDS))
            for focus in (start.foci if start else ())
        )
        for bound in sweeps(problem, run, replace(reached, foci=foci), states):
            keep_if_lower(bound)
    return lower[-1]
