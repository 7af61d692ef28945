"""A proximal bundle method that finds better and better prices.

Each round evaluates the relaxation at the prices that the master problem proposes. It adds to the master problem the best paths
from the states that the last solutions pass. The master problem then proposes better prices near the stability centre, the best
prices so far. The step limits the distance: it grows while the master problem predicts well, and shrinks otherwise. Plain
subgradient steps stop far from the lowest bound, and a linear programme in a box around the best prices needed three times as
many rounds.

If that is quicker, most rounds use partial pricing: they try only words that have been best somewhere before. Their values may
be too low. So after every few improvements a check evaluates the centre with all words. Only such an evaluation gives a bound.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.bound.master import Master
from solver.bound.relaxations.prices import KnotPrices, Prices
from solver.bound.relaxations.relaxation import Relaxation, State
from solver.bound.sweeps.outlooks import FocusPrices
from solver.index.problem import Problem
from solver.model.tiles import POINT
from solver.search.run import Run

_LEAST_STEP, _MOST_STEP = 0.01, 100.0
_GROW, _SHRINK, _RETREAT = 3.0, 0.5, 0.1
_PATIENCE = 12  # the ascent ends after this many rounds in a row that gain too little
_MEMORY = 8  # number of last rounds whose best games supply states for new paths
_GOOD = 0.5  # the step grows if a round achieves this share of the predicted gain
_EVERY = 4  # a check follows after this many improvements


@dataclass(frozen=True)
class Bound:
    """A bound and the prices that prove it.

    Attributes:
        relaxation: the name of the relaxation.
        prices: the prices.
        thousandths: the bound that the prices alone prove, in thousandths of a point; the claim, if it was read from a
            certificate.
        width: how many left draws a node of r1 covers.
        claim: the score that a sweep proved no game to exceed, in points; None without a sweep.
        foci: further prices that gave completion bounds in that sweep.
    """

    relaxation: str
    prices: Prices
    thousandths: int
    width: int = 1
    claim: int | None = None
    foci: tuple[FocusPrices, ...] = ()

    @property
    def points(self) -> int:
        """The highest score that the bound allows."""
        of_prices = self.thousandths // POINT
        return of_prices if self.claim is None else min(self.claim, of_prices)

    @property
    def method(self) -> str:
        """The relaxation, and what was used of it, in words."""
        if self.relaxation != "r3":
            return self.relaxation
        if self.claim is not None:
            return "r3 and a sweep"
        return "r3" if self.prices.leave.any() else "r3 without prices of leaves"


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
    while ascent.evaluate(keep) and ascent.plan(stop):
        ascent.propose()
    assert ascent.best is not None
    return ascent.best


class _Ascent:
    """The state of an ascent: the master problem, the centre, and what the next round evaluates.

    A check evaluates the centre with all words. Any other round evaluates a trial, the prices that the master problem proposes.
    A relaxation that is no quicker with fewer words needs no checks.
    """

    def __init__(
        self,
        problem: Problem,
        relaxation: Relaxation,
        prices: Prices,
        run: Run,
        gain: float,
        most_rounds: int,
    ) -> None:
        self._relaxation, self._run, self._gain = relaxation, run, gain
        self._most_rounds = most_rounds
        self._knots = KnotPrices(problem, prices, relaxation.first_moment)
        self._trial = self._centre = self._knots.trial_of(prices)
        self._master = Master(self._knots, self._trial)
        self._step_size = _StepSize(relaxation.first_step, gain)
        self._reached: Bound | None = (
            None  # the centre, with its value, which may be too low until it is proven
        )
        self._best_trial = self._centre  # the prices of `best`
        self._predicted = 0.0  # the value of the trial, as the master problem predicts it
        self._passed: list[State] = []
        self._recent: list[list[State]] = []
        self._moves = 0  # how often the centre has moved since the last evaluation with all words
        self._is_full = True  # whether the next round tries all words
        self._full_seconds = 0.0  # how long the last evaluation with all words took
        self._began = run.elapsed  # when the last round began
        self.best: Bound | None = None
        self._rounds = 0

    @property
    def _is_check(self) -> bool:
        """Whether the next round is a check."""
        return self._relaxation.spares and self._is_full

    def evaluate(self, keep: Callable[[Bound], None]) -> bool:
        """Evaluate the prices of this round; return False if the run was over first."""
        run, relaxation, is_check = self._run, self._relaxation, self._is_check
        tried = self._centre if is_check else self._trial
        started = run.elapsed
        prices = self._knots.prices_of(tried)
        stop = (lambda: run.is_over) if self.best else (lambda: False)
        thousandths = relaxation.evaluate(prices, stop, full=self._is_full)
        if thousandths is None:
            return False
        self._rounds += 1
        reached = Bound(relaxation.name, prices, thousandths, relaxation.width)
        value, centre_value = thousandths / POINT, _value(self._reached)
        if not is_check and self._reached is not None:
            self._step_size.adapt(centre_value, self._predicted, value)
        elif value > centre_value + self._gain:
            self._step_size.resume()  # it had stalled only because earlier rounds left out turns
        if is_check or value < centre_value:
            self._reached, self._centre = reached, tried
            self._moves += 1
        if self._is_full:
            self._moves, self._full_seconds = 0, run.elapsed - started
            if self.best is None or thousandths < self.best.thousandths:
                self.best, self._best_trial, self._step_size.retreats = reached, tried, 0
                keep(self.best)
            elif is_check and thousandths > self.best.thousandths:
                # known words overlook turns: far from the best prices they may find lower and lower values of worse ones
                self._reached, self._centre = self.best, self._best_trial
                self._step_size.retreat()
        shown = _value(self.best or reached)
        run.report(
            relaxation.name, self._rounds, 0, f"bound {shown:.2f}, step {self._step_size.step:.2f}"
        )
        return True

    def plan(self, stop: Callable[[Bound], bool]) -> bool:
        """Plan the next round: decide whether it tries all words. Return False if the ascent is over."""
        assert self._reached is not None
        run, moved = self._run, self._moves > 0
        # no more is gained, so that only a proof is left to do
        is_last = (
            self._step_size.finished or self._rounds >= self._most_rounds or stop(self._reached)
        )
        if self._relaxation.spares:
            # after another round like the last one there may be no time for a proof
            reserve = 1.5 * self._full_seconds + run.elapsed - self._began
            is_late = run.seconds_left < reserve
            self._is_full = (moved and (is_last or is_late)) or self._moves >= _EVERY
        return not run.is_over and (moved or not is_last)

    def propose(self) -> None:
        """Add the best paths from the states of recent rounds to the master problem; solve it before a round with a trial."""
        self._began = self._run.elapsed
        self._recent = [*self._recent[1 - _MEMORY :], self._passed]
        goal = self._relaxation.goal()
        paths: set[State] = set()
        for state in [
            *goal.states,
            *dict.fromkeys(state for states in self._recent for state in states),
        ]:
            self._master.learn(self._relaxation.arcs_from(state, paths))
        if not self._is_check:
            below = _value(self._reached)
            self._predicted, self._trial, self._passed = self._master.solve(
                goal, self._centre, self._step_size.step, below
            )


def _value(bound: Bound | None) -> float:
    """Return the value of the prices of a bound, in points."""
    return np.inf if bound is None else bound.thousandths / POINT


class _StepSize:
    """The step of an ascent, and whether the ascent has finished: rounds gain too little.

    `first` is the step of the first round, `gain` the fewest points that a round must gain, and be predicted to gain.
    """

    def __init__(self, first: float, gain: float) -> None:
        self._first, self._gain = first, gain
        self.step, self.finished, self._stalled = first, False, 0
        self.retreats = 0  # since the last proof of a lower bound

    def adapt(self, before: float, predicted: float, value: float) -> None:
        """Change the step after a round that reached `value` and was predicted to fall from `before` to `predicted`."""
        predicted_gain = before - predicted
        if value <= before - _GOOD * predicted_gain:
            self.step = min(_MOST_STEP, self.step * _GROW)
        elif value > before:
            self.step = max(_LEAST_STEP, self.step * _SHRINK)
        if predicted_gain < self._gain:
            self.finished = self.step >= self._first
            self.step *= 1.0 if self.finished else 2 * _GROW
        self._stalled = 0 if value <= before - self._gain else self._stalled + 1
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
