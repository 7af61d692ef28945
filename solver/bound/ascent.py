"""Better and better prices: a proximal bundle method.

Each round evaluates the relaxation at the prices that the master programme proposes. It adds the best paths from the states
that the programme's best games pass, and asks for better prices near the best ones so far. The step says how near: it grows
while the programme predicts well, and shrinks if it does not. Plain subgradient steps stop far from the lowest bound, and a
linear programme in a box around the best prices took three times the rounds.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.bound.arcs import Arc, State
from solver.bound.master import Goal, Master
from solver.bound.outlooks import Focus
from solver.bound.prices import Prices
from solver.bound.r1 import FreeRelaxation
from solver.bound.r3 import LeaveRelaxation
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run

RELAXATIONS = ("r1", "r2", "r3")
_LEAST_STEP, _MOST_STEP = 0.01, 100.0
_GROW, _SHRINK = 3.0, 0.5
_PATIENCE = 12  # rounds in a row that gain too little, after which the ascent ends
_MEMORY = 8  # last rounds whose best games' states are asked for their best turns
_GOOD = 0.5  # share of the predicted gain that lets the step grow
_KNOT_STEP = 10  # moments between two knots of leave prices


class Relaxation(Protocol):
    """What an ascent asks of a relaxation."""

    name: str
    uses_leave: bool
    first_moment: int  # the first one at which leaves have prices
    parameters: dict[str, int]
    first_step: float

    def evaluate(self, prices: Prices, stop: Callable[[], bool]) -> int | None:
        """The bound at `prices`, in thousandths of a point; None if `stop` ended the evaluation early."""

    def goal(self) -> Goal:
        """What the bound is made of, at the prices evaluated last."""

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """The turns of the best path from `state`; it ends at the first state that is in `passed`."""


@dataclass(frozen=True)
class Bound:
    """A bound and the prices that prove it.

    parameters: those of the relaxation, such as the width of r1.
    rounds: how many times the relaxation was evaluated.
    of_prices: if a sweep proved this bound, the higher one that the prices alone prove, in thousandths of a point.
    foci: further prices by which that sweep judged states.
    """

    relaxation: str
    parameters: dict[str, int]
    thousandths: int
    prices: Prices
    rounds: int
    of_prices: int | None = None
    foci: tuple[Focus, ...] = ()

    @property
    def value(self) -> float:
        """The bound in points."""
        return self.thousandths / POINT


def make_relaxation(name: str, problem: Problem, pool: ThreadPoolExecutor) -> Relaxation:
    """The relaxation called `name`, one of `RELAXATIONS`. Raises `StrategyError` for rows that are too long."""
    return FreeRelaxation(problem, pool) if name == "r1" else LeaveRelaxation(problem, pool, uses_leave=name == "r3")


def ascend(
    problem: Problem,
    relaxation: Relaxation,
    prices: Prices,
    run: Run,
    keep: Callable[[Bound], None] = lambda _bound: None,
    gain: float = 0.01,
    stop: Callable[[Bound], bool] = lambda _bound: False,
) -> Bound:
    """The best bound found from `prices` on, until the run is over or nothing is gained any more.

    keep: called with every better bound.
    gain: the ascent ends when a round promises to gain fewer points than this.
    stop: whether a bound is good enough to end the ascent.
    """
    puzzle = problem.puzzle
    moments, sides, holds, _all_codes = prices.leave.shape
    codes = sorted(set(puzzle.row_codes.tolist())) if relaxation.uses_leave else []
    knots = _knots(moments, relaxation.first_moment) if relaxation.uses_leave else ()
    weights = _weights(moments, knots)
    master = Master(len(puzzle.row), codes, weights, sides * holds)
    tile = prices.tile / POINT
    leave = _at_knots(prices.leave[..., codes] / POINT, weights)
    step, best, foretold = relaxation.first_step, None, 0.0
    passed: list[State] = []
    recent: list[list[State]] = []
    rounds = stalled = 0
    centre = trial = (tile, leave)
    while True:
        at = _spread(trial, prices, codes, knots)
        thousandths = relaxation.evaluate(at, (lambda: run.is_over) if rounds else (lambda: False))
        if thousandths is None:
            break
        value = thousandths / POINT
        rounds += 1
        if best is not None:
            hoped = best.value - foretold
            if value <= best.value - _GOOD * hoped:
                step = min(_MOST_STEP, step * _GROW)
            elif value > best.value:
                step = max(_LEAST_STEP, step * _SHRINK)
            if hoped < gain:
                if step >= relaxation.first_step:
                    break
                step *= 2 * _GROW
            stalled = 0 if value <= best.value - gain else stalled + 1
            if stalled == _PATIENCE:
                break
        if best is None or value < best.value:
            best, centre = Bound(relaxation.name, relaxation.parameters, thousandths, at, rounds), trial
            keep(best)
        run.report(relaxation.name, rounds, 0, f"bound {best.value:.2f}, step {step:.2f}")
        if run.is_over or stop(best):
            break
        paths: set[State] = set()
        recent = [*recent[1 - _MEMORY :], passed]
        goal = relaxation.goal()
        for state in [*goal.states, *dict.fromkeys(state for states in recent for state in states)]:
            master.learn(relaxation.arcs_from(state, paths))
        if codes:
            of_knots = np.tensordot(weights.T, goal.leave[..., codes], axes=1).reshape(weights.shape[1], sides * holds, -1)
            goal = replace(goal, leave=of_knots)
        else:
            goal = replace(goal, leave=np.zeros((0, sides * holds, 0)))
        proposal = master.solve(goal, *centre, step)
        foretold, passed = proposal.bound, proposal.passed
        trial = proposal.tile, proposal.leave
    assert best is not None
    return replace(best, rounds=rounds)


def _knots(moments: int, first: int) -> tuple[int, ...]:
    """Moments between which prices of leaves are linear."""
    first, last = min(first, moments - 1), moments - 1
    places = np.linspace(first, last, max(2, round((last - first) / _KNOT_STEP) + 1))
    return tuple(dict.fromkeys(places.round().astype(np.int64).tolist()))


def _weights(moments: int, knots: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The weight of each knot at each moment: float64, shape (moments, knots)."""
    if not knots:
        return np.zeros((moments, 0))
    times = np.clip(np.arange(moments), knots[0], knots[-1]).astype(np.float64)
    return np.array([np.interp(times, knots, unit) for unit in np.eye(len(knots))]).T


def _at_knots(leave: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The prices at the knots that fit `leave` best, by least squares: float64, shape (knots, sides * holds, codes)."""
    moments, sides, holds, codes = leave.shape
    knots = weights.shape[1]
    if knots == 0:
        return np.zeros((0, sides * holds, codes))
    found = np.linalg.lstsq(weights, leave.reshape(moments, -1), rcond=None)[0]
    return np.maximum(0.0, found.astype(np.float64)).reshape(knots, sides * holds, codes)


def _spread(
    trial: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]], prices: Prices, codes: list[int], knots: tuple[int, ...]
) -> Prices:
    """The prices of a trial, in the shape of `prices`."""
    tile, at_knots = trial
    moments, sides, holds, all_codes = prices.leave.shape
    if not codes:
        return Prices.rounded(tile, np.zeros(prices.leave.shape))
    leave = np.zeros((len(knots), sides, holds, all_codes))
    leave[..., codes] = at_knots.reshape(len(knots), sides, holds, len(codes))
    return Prices.between(tile, leave, knots, moments)
