"""Training: when a sweep trains new prices, and for which states."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver.bound.ascent import Bound, ascend
from solver.bound.kernels.leave_prices import Window
from solver.bound.kernels.packed_states import Packed, sampled, unpack_lefts
from solver.bound.relaxations.arcs import WordTable
from solver.bound.relaxations.prices import Effort, Prices
from solver.bound.sweeps.focus import FocusRelaxation
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.index.problem import Problem
from solver.search.run import Run
from verify.threads import ThreadPool

_FEWEST = 10_000  # the fewest states of a layer that may be worth training
# Microseconds of processor time, estimated from rows of 60 and 80 tiles; only their ratios matter.
_SAVED = 50.0  # what ruling out a state saves, with the states that it leads to
_COST = 150.0  # of a training until its first check and of its last evaluation, for each state of the relaxed game
_CHECK = 70.0  # of the rounds from one check to the next, for each state of the relaxed game
_SHARE = 0.65  # the share of a layer's states that a training rules out
_DECAY = 0.7  # the rounds from one check to the next lower the bounds by this share of what the rounds before them did
_AHEAD = 8  # the most checks that a decision looks ahead
_SAMPLE = 700  # states in the sample that prices are trained for
_MANY = 100_000  # a layer of this many states or more is sampled from a quarter of them


@dataclass
class Trainer:
    """Trains prices for layers with many states.

    Attributes:
        problem: the puzzle and its words.
        least: the fewest states of a layer that is worth training; None to compare what training costs with what it saves.
        apart: less than this number of layers after a trained one, a layer is trained only if it has twice its states or more.
        groups: the most sets of prices for a layer, each for a window of left draws.
        rounds: the most rounds of an ascent.
        seconds: the time limit of an ascent.
        trained: for each trained layer, its number of states at that time; infinite if not known.
        known: the indices of words that were best at some state in earlier trainings, ascending.
    """

    problem: Problem
    least: int | None = None
    apart: int = 4
    groups: int = 4
    rounds: int = 40
    seconds: float = 60.0
    trained: dict[int, float] = field(default_factory=dict)
    known: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def train(
        self, run: Run, outlooks: Outlooks, played: int, count: int, least_bound: int, chunks: Callable[[], list[Packed]]
    ) -> bool:
        """Train prices for the `count` states of layer `played`, and add them to `outlooks`, if that may pay off.

        `least_bound` is the lowest useful one, in thousandths of a point. `chunks` returns the states, in order. Return whether
        it trained prices.
        """
        near = [states for layer, states in self.trained.items() if played - self.apart < layer <= played]
        # layer 0 has one state, which the whole row's prices suit
        if played == 0 or count < max([self.least or _FEWEST, *(2 * states for states in near)]) or run.is_over:
            return False
        rng = np.random.default_rng(played)
        share = 1 if count < _MANY else 4
        states = np.concatenate([sampled(chunk, share) for chunk in chunks()])
        lefts = unpack_lefts(states)
        windows = self._windows(played, lefts)
        if self.least is None and count * _SAVED * _SHARE < sum(self._relaxed(window) for window in windows) * _COST:
            return False
        self.trained[played] = count
        jobs = []
        for window in windows:
            inside = np.flatnonzero((lefts >= window.low) & (lefts <= window.high))
            chosen = rng.permutation(inside)[:_SAMPLE]
            if len(chosen):
                worth = count * len(inside) / len(states)
                jobs.append((window, np.sort(states[chosen]), outlooks.prices_for(played, window), worth))
        with ThreadPool(run.threads) as pool:
            trained = [
                pair for pair in pool.map(lambda job: self._focus(run, played, least_bound, *job), jobs) if pair is not None
            ]
        outlooks.add([focus for focus, _known in trained])
        # only now, so that it does not matter which thread was faster
        self.known = np.unique(np.concatenate([self.known, *(known for _focus, known in trained)]))
        return True

    @cached_property
    def _table(self) -> WordTable:
        return WordTable.of(self.problem)

    def _relaxed(self, window: Window) -> int:
        """Return about how many states the relaxed game of a window has."""
        tiles = len(self.problem.puzzle.row) - window.first
        return self.problem.puzzle.rack_size * tiles * (window.high - window.low + 1 + tiles // 2)

    def _windows(self, played: int, lefts: npt.NDArray[np.int64]) -> list[Window]:
        """Return adjacent windows with similar numbers of states."""
        quantiles = np.quantile(lefts, np.linspace(0, 1, self.groups + 1)).round().astype(np.int64).tolist()
        puzzle = self.problem.puzzle
        first, low, windows = min(max(played, puzzle.rack_size), len(puzzle.row)), quantiles[0], []
        for high in quantiles[1:]:
            if high >= low:
                windows.append(Window(first, low, high))
                low = high + 1
        return windows

    def _focus(
        self, run: Run, played: int, least_bound: int, window: Window, sample: Packed, start: Prices, count: float
    ) -> tuple[Focus, npt.NDArray[np.int64]] | None:
        """Train prices for some states on one thread, as other threads train others; None if the run is over.

        The sample stands for `count` states. The array holds the words that were best at some state.
        """
        if run.is_over:
            return None
        # each ascent has its own run, because several of them run at the same time
        left = math.inf if run.deadline is None else max(0.0, run.deadline - run.elapsed)
        limits = Run(seconds=min(self.seconds, left / 4))
        best: deque[Focus] = deque(maxlen=1)
        relaxation = FocusRelaxation(self.problem, played, window, sample, self.known, self._table)
        checked: deque[npt.NDArray[np.int64]] = deque(maxlen=2)

        def is_enough(_bound: Bound) -> bool:
            if relaxation.effort == Effort.REFRESH:
                checked.append(relaxation.of_sample)
            if run.is_over:
                return True
            if self.least is not None or len(checked) < 2:
                return False
            before, now = checked
            return not pays_off(before, now, least_bound, _CHECK * self._relaxed(window) / (count * _SAVED))

        ascend(
            self.problem,
            relaxation,
            start,
            limits,
            keep=lambda _bound: best.append(relaxation.focus()),
            stop=is_enough,
            rounds=self.rounds,
        )
        return best[-1], relaxation.known


def pays_off(before: npt.NDArray[np.int64], now: npt.NDArray[np.int64], least_bound: int, cost: float) -> bool:
    """Return whether a training is worth its further rounds.

    Bounds are expected to fall from check to check by a fixed share of the last fall.

    Args:
        before: the bounds of a sample at the last check but one, in thousandths of a point: int64, shape (states,).
        now: those at the last check.
        least_bound: lower bounds rule out a state.
        cost: what the rounds until the next check cost, as the share of the states whose ruling out saves as much.
    """
    fall = float((before - now).mean())
    falls = fall * np.cumsum(_DECAY ** np.arange(1, _AHEAD + 1))
    kept = np.array([(now - further >= least_bound).mean() for further in [0.0, *falls]])
    return bool((kept[0] - kept[1:] > cost * np.arange(1, _AHEAD + 1)).any())
