"""The schedule of a bound: relaxations from the coarsest to the finest, and sweeps last.

Each relaxation starts with the prices of the one before it.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from solver.bound.ascent import Bound, IsEnough, Keep, ascend
from solver.bound.relaxations.prices import first_prices
from solver.bound.relaxations.r1 import FreeRelaxation
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.bound.relaxations.relaxation import Relaxation
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.outlooks import FocusPrices
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.run import Run
from verify.threads import ThreadPool

RELAXATIONS = ("r1", "r3")
# how finely prices of leaves distinguish left draws and sizes of leaves
SIDES = 3
HOLDS = 3
_LEAST = 0.01  # the last stage ends when a round is predicted to gain fewer points


@dataclass(frozen=True)
class _Stage:
    """A relaxation of the schedule, and how long an ascent works on its prices.

    Attributes:
        relaxation: Its name.
        prices_leaves: Whether leaves have prices.
        share: The share of the remaining time for it, unless it comes last: of a user's time limit.
        rounds: For each tile of the row, the rounds of an ascent of effort 1.
        gain: Unless it comes last, it ends when a round is predicted to gain fewer points.
    """

    relaxation: str
    prices_leaves: bool
    share: float
    rounds: float
    gain: float


_STAGES = (
    _Stage("r1", prices_leaves=False, share=0.1, rounds=0.05, gain=0.5),
    _Stage("r3", prices_leaves=False, share=0.25, rounds=0.1, gain=0.5),
    _Stage("r3", prices_leaves=True, share=0.4, rounds=0.25, gain=0.05),
)


def make_relaxation(
    name: str, problem: Problem, pool: ThreadPoolExecutor, *, prices_leaves: bool = True
) -> Relaxation:
    """Build the relaxation of that name. Raises `StrategyError` if the row is too long for it."""
    if name == "r1":
        return FreeRelaxation(problem, pool)
    return LeaveRelaxation(problem, pool, uses_leave=prices_leaves)


def tighten_upper_bound(
    problem: Problem,
    relaxation: str,
    run: Run,
    start: Bound | None = None,
    keep: Keep = lambda _bound: None,
    stop: IsEnough = lambda _bound: False,
    states: int = 0,
    effort: float = math.inf,
) -> Bound:
    """Lower the bound of `relaxation` until `run` is over or the gain is too small.

    Of equal bounds, that of the coarsest relaxation counts.

    Args:
        problem: the puzzle and its words.
        relaxation: one of `RELAXATIONS`.
        run: its limits end the search.
        start: an earlier bound, whose prices and foci are a warm start; without it the coarser
            relaxations run first.
        keep: called with every better bound, whichever relaxation proves it.
        stop: returns whether a bound is good enough.
        states: how many states a layer of the sweeps after r3 may hold; 0 for no sweeps.
        effort: the most rounds of each ascent, as a multiple of those of `_STAGES`.

    Returns:
        The lowest bound.

    Raises:
        StrategyError: The relaxation is unknown, the row is too long for it, or the puzzle is a
            variant.
    """
    problem.require_ordinary("a bound")
    if relaxation not in RELAXATIONS:
        raise StrategyError(f"relaxation {relaxation!r}: expected {' or '.join(RELAXATIONS)}")
    # "r1" comes before "r3"
    stages = [stage for stage in _STAGES if stage.relaxation <= relaxation]
    prices = first_prices(problem)
    earlier: tuple[FocusPrices, ...] = ()
    if start is not None:
        stages = stages[-1:]
        prices = start.prices
        earlier = start.foci
    sweeping = states > 0 and relaxation == "r3" and problem.is_sweepable
    lower: list[Bound] = []

    def keep_if_lower(bound: Bound) -> None:
        if not lower or bound.is_lower_than(lower[-1]):
            lower.append(bound)
            keep(bound)

    with ThreadPool(run.threads) as pool:
        # all are made first: an error for a row that is too long costs no time
        made = [
            make_relaxation(stage.relaxation, problem, pool, prices_leaves=stage.prices_leaves)
            for stage in stages
        ]
        for stage, relaxed in zip(stages, made, strict=True):
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
        # r3 may only have equalled the bound of a coarser relaxation, but the sweeps need its
        # prices
        for bound in sweeps(problem, run, replace(reached, foci=foci), states):
            keep_if_lower(bound)
    return lower[-1]
