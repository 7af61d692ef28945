"""When a sweep makes prices anew, and for which states."""

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
from solver.threads import ThreadPool

_SAMPLE = 700  # states that prices are made for
_MANY = 100_000  # states of which a part is looked at


@dataclass
class Trainer:
    """Makes prices for a sweep's states where they are many.

    least: how many states a layer must hold.
    apart: a layer has prices of its own only so many tiles after the last one that has.
    groups: sets of prices a layer, by left draws.
    rounds, seconds: after which an ascent ends.
    trained: by layer how many states there were that prices were made for.
    """

    problem: Problem
    least: int = 150_000
    apart: int = 4
    groups: int = 4
    rounds: int = 40
    seconds: float = 60.0
    trained: dict[int, float] = field(default_factory=dict)

    def train(self, run: Run, outlooks: Outlooks, played: int, count: int, chunks: Callable[[], list[Packed]]) -> bool:
        """Add prices for the states of a layer to `outlooks` where that may pay; says whether it did.

        count: how many states the layer holds; `chunks` gives them, in order.
        """
        near = [some for layer, some in self.trained.items() if played - self.apart < layer <= played]
        # before the first draw there is one state, and the whole row's prices are made for it
        if played == 0 or count < max([self.least, *(2 * made_for for made_for in near)]) or run.is_over:
            return False
        self.trained[played] = count
        rng = np.random.default_rng(played)
        share = 1 if count < _MANY else 4
        states = np.concatenate([sampled(chunk, share) for chunk in chunks()])
        lefts = unpack_lefts(states)
        outlooks.of_layer(played)
        jobs = []
        for window in self._windows(played, lefts):
            chosen = rng.permutation(np.flatnonzero((lefts >= window.low) & (lefts <= window.high)))[:_SAMPLE]
            if len(chosen):
                jobs.append((window, np.sort(states[chosen]), outlooks.prices_for(played, window)))
        with ThreadPool(run.threads) as pool:
            foci = list(pool.map(lambda job: self._focus(run, played, *job), jobs))
        outlooks.add([focus for focus in foci if focus])
        return True

    def _windows(self, played: int, lefts: npt.NDArray[np.int64]) -> list[Window]:
        """Windows with about as many states each, without gaps."""
        ends = np.quantile(lefts, np.linspace(0, 1, self.groups + 1)).round().astype(np.int64).tolist()
        puzzle = self.problem.puzzle
        first, low, windows = min(max(played, puzzle.rack_size), len(puzzle.row)), ends[0], []
        for end in ends[1:]:
            if end >= low:
                windows.append(Window(first, low, end))
                low = end + 1
        return windows

    def _focus(self, run: Run, played: int, window: Window, sample: Packed, start: Prices) -> Focus | None:
        """Prices for some states, made on one thread: another has other states' prices to make. None where the run is over."""
        if run.is_over:
            return None
        # a run of its own: several ascents go on at once
        own = Run(seconds=self.seconds if run.deadline is None else min(self.seconds, (run.deadline - run.elapsed) / 4))
        kept: deque[Focus] = deque(maxlen=1)
        with ThreadPool(1) as pool:
            relaxation = FocusRelaxation(self.problem, pool, played, window, sample)
            ascend(
                self.problem,
                relaxation,
                start,
                own,
                keep=lambda _bound: kept.append(relaxation.focus()),
                stop=partial(_is_enough, run, self.rounds),
            )
        return kept[-1]


def _is_enough(run: Run, rounds: int, bound: Bound) -> bool:
    return run.is_over or bound.rounds >= rounds
