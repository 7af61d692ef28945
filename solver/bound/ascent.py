"""Better and better prices: a proximal bundle method.

Each round evaluates the relaxation at the prices that the master programme proposes. It adds the best paths from the states
that the programme's best games pass, and asks for better prices near the best ones so far. The step says how near: it grows
while the programme predicts well, and shrinks if it does not. Plain subgradient steps stop far from the lowest bound, and a
linear programme in a box around the best prices took three times the rounds.

Most rounds look only at words that have been best somewhere before, if that is quicker. Their values may be too low. So every
few rounds, and before the ascent ends, the best prices so far are evaluated again with all words: only that gives a bound.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.bound.master import Goal, Master
from solver.bound.relaxations.arcs import Arc, State
from solver.bound.relaxations.prices import Prices
from solver.bound.relaxations.r1 import FreeRelaxation
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.bound.sweeps.outlooks import Focus
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run

RELAXATIONS = ("r1", "r2", "r3")
_LEAST_STEP, _MOST_STEP = 0.01, 100.0
_GROW, _SHRINK = 3.0, 0.5
_PATIENCE = 12  # rounds in a row that gain too little, after which the ascent ends
_MEMORY = 8  # last rounds whose best games' states are asked for their best turns
_GOOD = 0.5  # share of the predicted gain that lets the step grow
_EVERY = 8  # better prices after which all words are looked at again
_KNOT_STEP = 10  # moments between two knots of leave prices


class Relaxation(Protocol):
    """What an ascent asks of a relaxation."""

    name: str
    uses_leave: bool
    first_moment: int  # the first one at which leaves have prices
    parameters: dict[str, int]
    first_step: float
    spares: bool  # whether it is quicker where not all words are looked at

    def evaluate(self, prices: Prices, stop: Callable[[], bool], sparing: bool = False) -> int | None:
        """The bound at `prices`, in thousandths of a point; None if `stop` ended the evaluation early.

        sparing: look only at words that have been best before, if that is quicker. The value may then be too low for a bound.
        """

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
    pace, best, foretold = _Pace(relaxation.first_step, gain), None, 0.0
    passed: list[State] = []
    recent: list[list[State]] = []
    rounds = moved = 0  # moved: how often the best prices have changed since all words were looked at
    standing, takes = np.inf, 0.0  # the value of the best prices, and seconds for one look at all words
    checks = True  # this round looks at the best prices so far, and at all words
    centre = trial = (tile, leave)
    while True:
        tried, begun = centre if checks else trial, run.elapsed
        at = _spread(tried, prices, codes, knots)
        thousandths = relaxation.evaluate(at, (lambda: run.is_over) if rounds else (lambda: False), not checks)
        if thousandths is None:
            break
        value = thousandths / POINT
        rounds += 1
        if not checks:
            pace.judge(standing, foretold, value)
        elif value > standing + gain:
            pace.go_on()  # words that were not looked at had made it end
        if checks or value < standing:
            standing, centre, moved = value, tried, 0 if checks else moved + 1
        if (checks or not relaxation.spares) and (best is None or thousandths < best.thousandths):
            best, moved = Bound(relaxation.name, relaxation.parameters, thousandths, at, rounds), 0
            keep(best)
        assert best is not None
        takes = run.elapsed - begun if checks else takes
        run.report(relaxation.name, rounds, 0, f"bound {best.value:.2f}, step {pace.step:.2f}")
        ends = pace.ends or stop(replace(best, thousandths=round(standing * POINT), rounds=rounds))
        late = run.deadline is not None and run.deadline - run.elapsed < 1.5 * takes
        checks = moved > 0 and (moved == _EVERY or ends or late)
        if run.is_over or (ends and not checks):
            break
        recent = [*recent[1 - _MEMORY :], passed]
        goal = relaxation.goal()
        paths: set[State] = set()
        for state in [*goal.states, *dict.fromkeys(state for states in recent for state in states)]:
            master.learn(relaxation.arcs_from(state, paths))
        if not checks:
            proposal = master.solve(_goal_at_knots(goal, codes, weights), *centre, pace.step)
            foretold, passed = proposal.bound, proposal.passed
            trial = proposal.tile, proposal.leave
    assert best is not None
    return replace(best, rounds=rounds)


@dataclass
class _Pace:
    """How far from the best prices the next ones are looked for.

    first: the step to begin with.
    gain: the points that a round must promise or bring.
    ends: whether nothing is gained any more.
    """

    first: float
    gain: float
    ends: bool = False

    def __post_init__(self) -> None:
        self.step, self._stalled = self.first, 0

    def judge(self, standing: float, foretold: float, value: float) -> None:
        """Change the step after a round whose value was foretold to fall from `standing` to `foretold`."""
        hoped = standing - foretold
        if value <= standing - _GOOD * hoped:
            self.step = min(_MOST_STEP, self.step * _GROW)
        elif value > standing:
            self.step = max(_LEAST_STEP, self.step * _SHRINK)
        if hoped < self.gain:
            self.ends = self.step >= self.first
            self.step *= 1.0 if self.ends else 2 * _GROW
        self._stalled = 0 if value <= standing - self.gain else self._stalled + 1
        self.ends = self.ends or self._stalled >= _PATIENCE

    def go_on(self) -> None:
        """Do not end yet."""
        self.ends, self._stalled = False, 0


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


def _goal_at_knots(goal: Goal, codes: list[int], weights: npt.NDArray[np.float64]) -> Goal:
    """The goal with leaves counted at the knots, and of the row's tiles alone."""
    _moments, sides, holds, _all_codes = goal.leave.shape
    knots = weights.shape[1]
    if knots == 0:
        return replace(goal, leave=np.zeros((0, sides * holds, 0)))
    of_knots = np.tensordot(weights.T, goal.leave[..., codes], axes=1)
    return replace(goal, leave=of_knots.reshape(knots, sides * holds, -1))


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
