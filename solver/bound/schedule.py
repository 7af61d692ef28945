"""The schedule of a bound: an ascent without prices of leaves, one with them, and sweeps.

Each starts with the prices of the one before it.
"""

import math
from dataclasses import dataclass, replace

from solver.bound.ascent import Bound, IsEnough, Keep, ascend
from solver.bound.prices import first_prices
from solver.bound.relaxation import Relaxation
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.search.run import Run
from verify.bound.certificate import LONGEST_ROW
from verify.threads import ThreadPool

# how finely prices of leaves distinguish left draws and sizes of leaves
SIDES = 3
HOLDS = 3
_LEAST = 0.01  # the last stage ends when a round is predicted to gain fewer points


@dataclass(frozen=True)
class _Stage:
    """An ascent of the schedule, and how long it works.

    Attributes:
        prices_leaves: Whether leaves have prices.
        share: The share of the remaining time for it, unless it comes last: of a user's time limit.
        rounds: For each tile of the row, the rounds of an ascent of effort 1.
        gain: Unless it comes last, it ends when a round is predicted to gain fewer points.
    """

    prices_leaves: bool
    share: float
    rounds: float
    gain: float


_STAGES = (
    _Stage(prices_leaves=False, share=0.3, rounds=0.1, gain=0.5),
    _Stage(prices_leaves=True, share=0.4, rounds=0.25, gain=0.05),
)


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
        effort: the most rounds of each ascent, as a multiple of those of `_STAGES`.

    Returns:
        The lowest bound.

    Raises:
        StrategyError: The row is too long, or the puzzle is a variant.
    """
    problem.require_ordinary("a bound")
    stages = list(_STAGES)
    is_long = len(problem.puzzle.row) > LONGEST_ROW
    if is_long:
        stages = stages[:1]
    prices = first_prices(problem)
    earlier: tuple[FocusPrices, ...] = ()
    if start is not None:
        stages = stages[-1:]
        prices = start.prices
        earlier = start.foci
    sweeping = states > 0 and not is_long and problem.is_sweepable
    lower: list[Bound] = []

    def keep_if_lower(bound: Bound) -> None:
        if not lower or bound.is_lower_than(lower[-1]):
            lower.append(bound)
            keep(bound)

    with ThreadPool(run.threads) as pool:
        for stage in stages:
            relaxed = Relaxation(problem, pool, stage.prices_leaves)
            seconds = stage.share * run.seconds_left
            rounds = effort * stage.rounds * len(problem.puzzle.row)
            gain = stage.gain
            if stage is stages[-1] and not sweeping:
                seconds = math.inf
                gain = _LEAST
            if stage.prices_leaves:
                prices = prices.with_cells(SIDES, HOLDS)
            with run.slice(seconds):
                reached = ascend(problem, relaxed, prices, run, keep_if_lower, gain, stop, rounds)
            prices = reached.prices
            if run.is_over or stop(reached):
                break
    if sweeping and not stop(lower[-1]) and not run.is_over:
        # a certificate has one number of sides and of holds for all foci
        foci = tuple(
            replace(focus, prices=focus.prices.with_cells(SIDES, HOLDS)) for focus in earlier
        )
        # prices of leaves may only have equalled the bound without them, but the sweeps need them
        for bound in sweeps(problem, run, replace(reached, foci=foci), states):
            keep_if_lower(bound)
    return lower[-1]
