"""A proximal bundle method that finds better and better prices.

Each round evaluates the relaxation at the prices that the master problem proposes. It adds to the
master problem the best paths from the states that the last solutions pass. The master problem then
proposes better prices near the stability centre, the best prices so far. The step limits the
distance: it grows while the master problem predicts well, and shrinks otherwise. Plain subgradient
steps stop far from the lowest bound, and a linear programme in a box around the best prices needed
three times as many rounds.

Most rounds use partial pricing: they try only words that have been best somewhere before. Their
values may be too low. So after every few improvements a check evaluates the centre with all words.
Only such an evaluation gives a bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from solver.bound.arcs import State
from solver.bound.master import Master
from solver.bound.prices import KnotPrices, Prices
from solver.bound.relaxation import Relaxation, never
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.model.tiles import POINT
from solver.search.run import Run

_LEAST_STEP = 0.01
_MOST_STEP = 100.0
_GROWTH = 3.0
_SHRINKAGE = 0.5
_RETREAT = 0.1
_PATIENCE = 12  # the ascent ends after this many rounds in a row that gain too little
_MEMORY = 8  # number of last rounds whose best games supply states for new paths
_GOOD = 0.5  # the step grows if a round achieves this share of the predicted gain
_EVERY = 4  # a check follows after this many improvements


@dataclass(frozen=True)
class Bound:
    """A bound and the prices that prove it.

    Attributes:
        prices: the prices.
        thousandths: the bound that the prices alone prove, in thousandths of a point; the claim,
            if it was read from a certificate.
        claim: the score that a sweep proved no game to exceed, in points; None without a sweep.
        foci: further prices that gave completion bounds in that sweep.
    """

    prices: Prices
    thousandths: int
    claim: int | None = None
    foci: tuple[FocusPrices, ...] = ()

    @property
    def points(self) -> int:
        """The highest score that the bound allows."""
        of_prices = self.thousandths // POINT
        return of_prices if self.claim is None else min(self.claim, of_prices)

    def is_lower_than(self, other: "Bound") -> bool:
        """Return whether this is the lower bound; of equal points the lower fraction counts."""
        return (self.points, self.thousandths) < (other.points, other.thousandths)

    @property
    def method(self) -> str:
        """What proves it, in words."""
        if self.claim is not None:
            return "r3 and a sweep"
        return "r3" if self.prices.leave.any() else "r3 without prices of leaves"


Keep = Callable[[Bound], None]
IsEnough = Callable[[Bound], bool]


def ascend(
    problem: Problem,
    relaxation: Relaxation,
    prices: Prices,
    run: Run,
    keep: Keep = lambda _bound: None,
    gain: float = 0.01,
    stop: IsEnough = lambda _bound: False,
    rounds: float = math.inf,
) -> Bound:
    """Improve `prices` and return the best bound.

    The ascent ends when the run is over or a round is predicted to gain fewer points than `gain`.
    The limits of `run` do not end the first round.

    Args:
        problem: the puzzle and its words.
        relaxation: the relaxation of the bound.
        prices: the prices of the first round.
        run: its limits end the ascent.
        keep: called with every better bound.
        gain: the fewest points that a round must be predicted to gain.
        stop: returns whether a bound is good enough to end the ascent.
        rounds: about how many rounds there may be: the last one proves a bound.
    """
    ascent = _Ascent(problem, relaxation, prices, run, gain, rounds)
    while ascent.evaluate(keep) and ascent.plan(stop):
        ascent.propose()
    assert ascent.best is not None
    return ascent.best


class _Ascent:
    """The state of an ascent: the master problem, the centre, and what the next round evaluates.

    A check evaluates the centre with all words. Any other round evaluates a trial, the prices that
    the master problem proposes.
    """

    def __init__(
        self,
        problem: Problem,
        relaxation: Relaxation,
        prices: Prices,
        run: Run,
        gain: float,
        most_rounds: float,
    ) -> None:
        self._relaxation = relaxation
        self._run = run
        self._gain = gain
        self._most_rounds = most_rounds
        self._knots = KnotPrices(problem, prices, relaxation.first_moment)
        self._trial = self._knots.trial_of(prices)
        self._master = Master(self._knots)
        self._step_size = _StepSize(relaxation.first_step, gain)
        # the centre, and its value, which may be too low until it is proven
        self._centre = self._trial
        self._reached: Bound | None = None
        self.best: Bound | None = None
        self._best_trial = self._trial  # the prices of `best`
        self._predicted = 0.0  # the value of the trial, as the master problem predicts it
        self._passed: list[State] = []
        self._recent: list[list[State]] = []
        self._moves = 0  # how often the centre has moved since the last evaluation with all words
        self._is_check = True  # whether the next round is one
        self._full_seconds = 0.0  # how long the last evaluation with all words took
        self._began = run.elapsed  # when the last round began
        self._rounds = 0

    def evaluate(self, keep: Keep) -> bool:
        """Evaluate the prices of this round; return False if the run was over first."""
        relaxation = self._relaxation
        is_check = self._is_check
        tried = self._centre if is_check else self._trial
        prices = self._knots.prices_of(tried)
        started = self._run.elapsed
        stop = (lambda: self._run.is_over) if self.best else never
        thousandths = relaxation.evaluate(prices, stop, full=is_check)
        if thousandths is None:
            return False
        self._rounds += 1
        reached = Bound(prices, thousandths)
        value = _value(reached)
        centre_value = _value(self._reached)
        if not is_check:
            self._step_size.adapt(centre_value, self._predicted, value)
        elif value > centre_value + self._gain:
            self._step_size.resume()  # it had stalled only because earlier rounds left out turns
        if is_check or value < centre_value:
            self._reached = reached
            self._centre = tried
            self._moves += 1
        if is_check:
            self._full_seconds = self._run.elapsed - started
            self._moves = 0
            if self.best is None or thousandths < self.best.thousandths:
                self.best = reached
                self._best_trial = tried
                self._step_size.retreats = 0
                keep(reached)
            elif thousandths > self.best.thousandths:
                # known words overlook turns: far from the best prices they may find lower and
                # lower values of worse ones
                self._reached = self.best
                self._centre = self._best_trial
                self._step_size.retreat()
        note = f"bound {_value(self.best):.2f}, step {self._step_size.step:.2f}"
        self._run.report(relaxation.name, self._rounds, 0, note)
        return True

    def plan(self, stop: IsEnough) -> bool:
        """Decide whether the next round is a check. Return False if the ascent is over."""
        assert self._reached is not None
        has_moved = self._moves > 0
        # no more is gained, so that only a proof is left to do
        is_last = (
            self._step_size.finished or self._rounds >= self._most_rounds or stop(self._reached)
        )
        # after another round like the last one there may be no time for a proof
        reserve = 1.5 * self._full_seconds + self._run.elapsed - self._began
        is_late = self._run.seconds_left < reserve
        self._is_check = (has_moved and (is_last or is_late)) or self._moves >= _EVERY
        return not self._run.is_over and (has_moved or not is_last)

    def propose(self) -> None:
        """Add the best paths from the states of recent rounds to the master problem.

        Before a round with a trial, solve it.
        """
        self._began = self._run.elapsed
        self._recent = [*self._recent[1 - _MEMORY :], self._passed]
        goal = self._relaxation.goal()
        paths: set[State] = set()
        for state in [*goal.states, *dict.fromkeys(chain.from_iterable(self._recent))]:
            self._master.learn(self._relaxation.arcs_from(state, paths))
        if not self._is_check:
            self._predicted, self._trial, self._passed = self._master.solve(
                goal, self._centre, self._step_size.step, _value(self._reached)
            )


def _value(bound: Bound | None) -> float:
    """Return the value of the prices of a bound, in points."""
    return np.inf if bound is None else bound.thousandths / POINT


class _StepSize:
    """The step of an ascent, and whether the ascent has finished: rounds gain too little.

    `first` is the step of the first round, `gain` the fewest points that a round must gain, and be
    predicted to gain.
    """

    def __init__(self, first: float, gain: float) -> None:
        self._first = first
        self._gain = gain
        self._stalled = 0  # the rounds in a row that gained too little
        self.step = first
        self.finished = False
        self.retreats = 0  # since the last proof of a lower bound

    def adapt(self, before: float, predicted: float, value: float) -> None:
        """Change the step after a round that fell from `before` to `value`.

        The master problem had predicted a fall to `predicted`.
        """
        predicted_gain = before - predicted
        if value <= before - _GOOD * predicted_gain:
            self.step = min(_MOST_STEP, self.step * _GROWTH)
        elif value > before:
            self.step = max(_LEAST_STEP, self.step * _SHRINKAGE)
        if predicted_gain < self._gain:
            self.finished = self.step >= self._first
            if not self.finished:
                self.step *= 2 * _GROWTH
        self._stalled += 1
        if value <= before - self._gain:
            self._stalled = 0
        if self._stalled >= _PATIENCE:
            self.finished = True

    def retreat(self) -> None:
        """Shorten the step, which led to worse prices, and continue."""
        self.step = max(_LEAST_STEP, self.step * _RETREAT)
        self.retreats += 1
        self.resume()
        self.finished = self.retreats >= _PATIENCE

    def resume(self) -> None:
        """Continue an ascent that seemed finished."""
        self.finished = False
        self._stalled = 0
