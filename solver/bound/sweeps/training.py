"""Training: when a sweep trains new prices, and for which states."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.bound.ascent import Bound, ascend
from solver.bound.kernels.leave_prices import Window
from solver.bound.kernels.packed_states import Packed, sampled, unpack_lefts
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.focus import FocusRelaxation
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.index.problem import Problem
from solver.search.run import Run
from verify.threads import ThreadPool

_SAMPLE = 700  # states in the sample that prices are trained for
_MANY = 100_000  # a layer of this many states or more is sampled from a quarter of them


@dataclass
class Trainer:
    """Trains prices for layers with many states.

    Attributes:
        problem: the puzzle and its words.
        least: the fewest states of a layer that is worth training.
        apart: less than this number of layers after a trained one, a layer is trained only if it has twice its states or more.
        groups: the most sets of prices for a layer, each for a window of left draws.
        rounds: the most rounds of an ascent.
        seconds: the time limit of an ascent.
        trained: for each trained layer, its number of states at that time; infinite if not known.
        known: the indices of words that were best at some state in earlier trainings, ascending.
    """

    problem: Problem
    least: int = 150_000
    apart: int = 4
    groups: int = 4
    rounds: int = 40
    seconds: float = 60.0
    trained: dict[int, float] = field(default_factory=dict)
    known: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def train(self, run: Run, outlooks: Outlooks, played: int, count: int, chunks: Callable[[], list[Packed]]) -> bool:
        """Train prices for the `count` states of layer `played`, and add them to `outlooks`, if that may pay off.

        `chunks` returns these states, in order. Return whether it trained prices.
        """
        near = [states for layer, states in self.trained.items() if played - self.apart < layer <= played]
        # layer 0 has one state, which the whole row's prices suit
        if played == 0 or count < max([self.least, *(2 * states for states in near)]) or run.is_over:
            return False
        self.trained[played] = count
        rng = np.random.default_rng(played)
        share = 1 if count < _MANY else 4
        states = np.concatenate([sampled(chunk, share) for chunk in chunks()])
        lefts = unpack_lefts(states)
        jobs = []
        for window in self._windows(played, lefts):
            chosen = rng.permutation(np.flatnonzero((lefts >= window.low) & (lefts <= window.high)))[:_SAMPLE]
            if len(chosen):
                jobs.append((window, np.sort(states[chosen]), outlooks.prices_for(played, window)))
        with ThreadPool(run.threads) as pool:
            trained = [pair for pair in pool.map(lambda job: self._focus(run, played, *job), jobs) if pair is not None]
        outlooks.add([focus for focus, _known in trained])
        # only now, so that it does not matter which thread was faster
        self.known = np.unique(np.concatenate([self.known, *(known for _focus, known in trained)]))
        return True

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
        self, run: Run, played: int, window: Window, sample: Packed, start: Prices
    ) -> tuple[Focus, npt.NDArray[np.int64]] | None:
        """Train prices for some states on one thread, as other threads train others; None if the run is over.

        The array holds the words that were best at some state.
        """
        if run.is_over:
            return None
        # each ascent has its own run, because several of them run at the same time
        limits = Run(seconds=self.seconds if run.deadline is None else min(self.seconds, (run.deadline - run.elapsed) / 4))
        best: deque[Focus] = deque(maxlen=1)
        relaxation = FocusRelaxation(self.problem, played, window, sample, self.known)
        ascend(
            self.problem,
            relaxation,
            start,
            limits,
            keep=lambda _bound: best.append(relaxation.focus()),
            stop=partial(_is_enough, run, self.rounds),
        )
        return best[-1], relaxation.known


def _is_enough(run: Run, rounds: int, bound: Bound) -> bool:
    return run.is_over or bound.rounds >= rounds
