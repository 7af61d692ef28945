"""A proximal bundle method that finds better and better prices.

Each round evaluates the relaxation at the prices that the master programme proposes. It adds to the programme the best paths
from the states that the programme's best games pass. The programme then proposes better prices near the best ones so far. The
step limits the distance: it grows while the programme predicts well, and shrinks otherwise. Plain subgradient steps stop far
from the lowest bound, and a linear programme in a box around the best prices needed three times as many rounds.

If that is quicker, most rounds look only at states near the best games, and try only words that have been best somewhere
before. Their values may be too low. So every few rounds the best prices are evaluated again with all words, and it is decided
again which states are near. Only an evaluation of all states with all words gives a bound. It takes longest, so it is rarer.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from solver.bound.knots import at_knots, goal_at_knots, knot_weights, knots_between, spread
from solver.bound.master import Goal, Master
from solver.bound.relaxations.arcs import Arc, State
from solver.bound.relaxations.prices import Effort, Prices
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run

_LEAST_STEP, _MOST_STEP = 0.01, 100.0
_GROW, _SHRINK, _RETREAT = 3.0, 0.5, 0.1
_PATIENCE = 12  # the ascent ends after this many rounds in a row that gain too little
_MEMORY = 8  # number of last rounds whose best games supply states for new paths
_GOOD = 0.5  # the step grows if a round achieves this share of the predicted gain
_EVERY = 4  # a check follows after this many improvements
_PROVE = 16  # after this many the check proves a bound


class Relaxation(Protocol):
    """A relaxation whose prices an ascent can improve.

    Attributes:
        name: its name in certificates and progress.
        uses_leave: whether leaves have prices.
        first_moment: the first moment at which leaves have prices.
        parameters: its parameters in certificates.
        first_step: the step of the first round.
        spares: whether it is quicker with less effort.
        first_effort: the effort of the first round.
    """

    name: str
    uses_leave: bool
    first_moment: int
    parameters: dict[str, int]
    first_step: float
    spares: bool
    first_effort: Effort

    def evaluate(self, prices: Prices, stop: Callable[[], bool], effort: Effort = Effort.FULL) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop`, asked from time to time, ended it early.

        Without `Effort.FULL` the result may be too low for a bound.
        """

    def goal(self) -> Goal:
        """Return the goal whose value is the bound, at the prices evaluated last."""

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the turns of the best path from `state` to the first state in `passed`; add its other states to `passed`."""


@dataclass(frozen=True)
class Bound:
    """A bound and the prices that prove it.

    Attributes:
        relaxation: the name of the relaxation.
        parameters: its parameters, such as the width of r1.
        thousandths: the bound in thousandths of a point.
        prices: the prices that prove it.
        of_prices: if a sweep proved this bound, the higher bound that the prices alone prove, in thousandths of a point.
        foci: further prices that gave completion bounds in that sweep.
    """

    relaxation: str
    parameters: dict[str, int]
    thousandths: int
    prices: Prices
    of_prices: int | None = None
    foci: tuple[FocusPrices, ...] = ()

    @property
    def value(self) -> float:
        """The bound in points."""
        return self.thousandths / POINT


def ascend(
    problem: Problem,
    relaxation: Relaxation,
    prices: Prices,
    run: Run,
    keep: Callable[[Bound], None] = lambda _bound: None,
    gain: float = 0.01,
    stop: Callable[[Bound], bool] = lambda _bound: False,
    rounds: int = sys.maxsize,
) -> Bound:
    """Improve `prices` until the run is over or a round is predicted to gain fewer points than `gain`; return the best bound.

    The limits of `run` do not end the first round. `keep` is called with every better bound. `stop` returns whether a bound is
    good enough to end the ascent, which also ends after about `rounds` rounds: the last one proves a bound.
    """
    ascent = _Ascent(problem, relaxation, prices, run, gain, rounds)
    while ascent.evaluate(keep) and not ascent.is_finished(stop):
        ascent.propose()
    assert ascent.best is not None
    return ascent.best


class _Centre(NamedTuple):
    """A centre of the steps: its value, its prices as in `Proposal`, and how often the centre had moved since a proof."""

    reached: Bound
    prices: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    unproven: int


class _Ascent:
    """The state of an ascent: the master programme, the best prices so far, and what the next round evaluates.

    A check evaluates the centre, the best prices so far, with more effort. Any other round evaluates a trial, the prices that
    the master programme proposes. A relaxation that is no quicker with less effort needs no checks.
    """

    def __init__(
        self, problem: Problem, relaxation: Relaxation, prices: Prices, run: Run, gain: float, most_rounds: int
    ) -> None:
        self._relaxation, self._prices, self._run, self._gain = relaxation, prices, run, gain
        self._most_rounds = most_rounds
        moments, sides, holds, _all_codes = prices.leave.shape
        self._codes = sorted(set(problem.puzzle.row_codes.tolist())) if relaxation.uses_leave else []
        self._knots = knots_between(moments, relaxation.first_moment) if relaxation.uses_leave else ()
        self._weights = knot_weights(moments, self._knots)
        self._master = Master(len(problem.puzzle.row), self._codes, self._weights, sides * holds)
        self._pace = _Pace(relaxation.first_step, gain)
        self._centre = self._trial = prices.tile / POINT, at_knots(prices.leave[..., self._codes] / POINT, self._weights)
        self._reached: Bound | None = None  # the centre, with its value, which may be too low until it is proven
        self._checked: _Centre | None = None  # the last centre that a check accepted
        self._proven: _Centre | None = None  # the last one that a check with full effort accepted
        self._predicted = 0.0  # the value of the trial, as the master programme predicts it
        self._passed: list[State] = []
        self._recent: list[list[State]] = []
        self._moves = 0  # how often the centre has changed since the last check
        self._unproven = 1  # the same since the last evaluation with full effort
        self._effort = relaxation.first_effort  # of the next round
        self._full_seconds = 0.0  # how long the last evaluation with full effort took
        self._began = run.elapsed  # when the last round began
        self.best: Bound | None = None
        self._rounds = 0

    @property
    def _checks(self) -> bool:
        """Whether the next round is a check."""
        return self._relaxation.spares and self._effort != Effort.SPARING

    def evaluate(self, keep: Callable[[Bound], None]) -> bool:
        """Evaluate the prices of this round; return False if the run was over first."""
        run, relaxation, effort, checks = self._run, self._relaxation, self._effort, self._checks
        tried, started = self._centre if checks else self._trial, run.elapsed
        at = spread(tried, self._prices, self._codes, self._knots)
        thousandths = relaxation.evaluate(at, (lambda: run.is_over) if self.best else (lambda: False), effort)
        if thousandths is None:
            return False
        self._rounds += 1
        reached = Bound(relaxation.name, relaxation.parameters, thousandths, at)
        centre_value = np.inf if self._reached is None else self._reached.value
        if not checks and self._reached is not None:
            self._pace.judge(centre_value, self._predicted, reached.value)
        elif reached.value > centre_value + self._gain:
            self._pace.resume()  # it had stalled only because earlier rounds left out turns
        if checks or reached.value < centre_value:
            self._reached, self._centre, self._moves = reached, tried, 0 if checks else self._moves + 1
            self._unproven += not checks
        if effort == Effort.FULL:
            self._unproven, self._full_seconds = 0, run.elapsed - started
            if self.best is None or thousandths < self.best.thousandths:
                self.best = reached
                keep(self.best)
        if checks:
            self._accept_or_return(effort)
        run.report(relaxation.name, self._rounds, 0, f"bound {(self.best or reached).value:.2f}, step {self._pace.step:.2f}")
        return True

    def _accept_or_return(self, effort: Effort) -> None:
        """After a check, accept the centre, or return to an earlier one if that has a lower value.

        Rounds with less effort leave out turns: far from the last check they may find lower and lower values of prices that are
        worse and worse.
        """
        assert self._reached is not None
        # a check with full effort finds turns that no other one does, so it compares with the last of its kind
        before = self._proven if effort == Effort.FULL else self._checked
        if before is None or self._reached.value <= before.reached.value:
            self._checked = _Centre(self._reached, self._centre, self._unproven)
            if effort == Effort.FULL:
                self._proven, self._pace.retreats = self._checked, 0
        else:
            self._checked = before
            self._reached, self._centre, self._unproven = before
            self._pace.retreat()

    def is_finished(self, stop: Callable[[Bound], bool]) -> bool:
        """Return whether the ascent is over; otherwise decide how thorough the next round is."""
        run = self._run
        assert self._reached is not None
        finished = self._pace.finished or self._rounds >= self._most_rounds or stop(self._reached)
        if (finished and not self._unproven) or (run.is_over and self.best is not None):
            return True
        if self._relaxation.spares:
            # after another round like the last one there may be no time for a proof
            late = (
                run.deadline is not None and run.deadline - run.elapsed < 1.5 * self._full_seconds + run.elapsed - self._began
            )
            # a killed process loses what is not proven, which matters if the ascent is long
            exposed = self._unproven >= _PROVE and self._most_rounds == sys.maxsize
            needs_proof = self._unproven > 0 and (finished or late or run.is_over or exposed)
            needs_check = self._moves >= _EVERY
            if needs_check and self._rounds + _EVERY >= self._most_rounds:
                # a proof of the same prices would soon follow this check
                needs_proof, self._most_rounds = True, self._rounds
            self._effort = Effort.FULL if needs_proof else Effort.REFRESH if needs_check else Effort.SPARING
        return False

    def propose(self) -> None:
        """Add the best paths from the states of recent rounds to the master programme; solve it before a round with a trial."""
        self._began = self._run.elapsed
        self._recent = [*self._recent[1 - _MEMORY :], self._passed]
        goal = self._relaxation.goal()
        paths: set[State] = set()
        for state in [*goal.states, *dict.fromkeys(state for states in self._recent for state in states)]:
            self._master.learn(self._relaxation.arcs_from(state, paths))
        if not self._checks:
            of_knots = goal_at_knots(goal, self._codes, self._weights)
            assert self._reached is not None
            proposal = self._master.solve(of_knots, *self._centre, self._pace.step, self._reached.value)
            self._predicted, self._passed = proposal.bound, proposal.passed
            self._trial = proposal.tile, proposal.leave


@dataclass
class _Pace:
    """The step of an ascent, and whether the ascent has finished: rounds gain too little.

    `first` is the step of the first round, `gain` the fewest points that a round must gain, and be predicted to gain.
    """

    first: float
    gain: float
    finished: bool = False

    def __post_init__(self) -> None:
        self.step, self._stalled = self.first, 0
        self.retreats = 0  # since the last proof of a lower bound

    def judge(self, before: float, predicted: float, value: float) -> None:
        """Change the step after a round that reached `value` and was predicted to fall from `before` to `predicted`."""
        predicted_gain = before - predicted
        if value <= before - _GOOD * predicted_gain:
            self.step = min(_MOST_STEP, self.step * _GROW)
        elif value > before:
            self.step = max(_LEAST_STEP, self.step * _SHRINK)
        if predicted_gain < self.gain:
            self.finished = self.step >= self.first
            self.step *= 1.0 if self.finished else 2 * _GROW
        self._stalled = 0 if value <= before - self.gain else self._stalled + 1
        self.finished = self.finished or self._stalled >= _PATIENCE

    def retreat(self) -> None:
        """Shorten the step, which led to worse prices, and continue."""
        self.step = max(_LEAST_STEP, self.step * _RETREAT)
        self.retreats += 1
        self.resume()
        self.finished = self.retreats >= _PATIENCE

    def resume(self) -> None:
        """Continue an ascent that seemed finished."""
        self.finished, self._stalled = False, 0
