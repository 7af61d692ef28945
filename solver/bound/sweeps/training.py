"""Training: prices of r3 that lower the completion bounds of some states of a sweep.

The best prices for a whole row are not the best for the rest of the game from one state. A sweep
holds millions of states, too many to train prices for each. But one set of prices for all states of
a layer with similar left draws lowers their bounds nearly as far. Its goal is the mean bound of a
sample of these states. The mean is a convex function of the prices, as is the bound of the whole
row. So the same ascent finds its minimum.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from solver.bound.arcs import Goal, State, is_drawn
from solver.bound.ascent import Bound, ascend
from solver.bound.kernels.completion_bounds import Window, leave_cell
from solver.bound.kernels.packed_states import (
    Packed,
    leaves_of,
    sampled,
    unpack_lefts,
    unpack_scores,
)
from solver.bound.kernels.relaxed_play import RelaxedWords
from solver.bound.prices import Prices
from solver.bound.relaxation import Relaxation, Stop, never, relaxed_words
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.compiled import I64
from solver.index.problem import Problem
from solver.search.run import Run
from verify.bound.certificate import MOST_FOCI
from verify.threads import ThreadPool

# the states of a layer when its prices were trained, if not known: more than any layer has
UNKNOWN = 1 << 53
_FEWEST = 10_000  # the fewest states of a layer that may be worth training
# Microseconds of processor time, estimated from rows of 60 and 80 tiles; only their ratios matter.
_SAVED = 10.0  # what ruling out a state saves, with the states that it leads to
# for each state of the relaxed game: of a training until its first check and of its last
# evaluation, and of the rounds from one check to the next
_COST = 150.0
_CHECK = 70.0
_SHARE = 0.65  # the share of a layer's states that a training rules out
# the rounds from one check to the next lower the bounds by this share of what those before did
_DECAY = 0.7
_AHEAD = 8  # the most checks that a decision looks ahead
_SAMPLE = 700  # states in the sample that prices are trained for
_MANY = 100_000  # a layer of this many states or more is sampled from a quarter of them


class FocusRelaxation(Relaxation):
    """R3 for games from a sample of packed states of a layer, with the mean of their bounds.

    The states have `played` tiles played. `window` has the nodes that games from them can reach.
    `known` holds the indices of words that are likely to be best.

    Attributes:
        is_full: whether the last evaluation was with all words.
        of_sample: the bounds of the sample then, in thousandths of a point: int64, shape (states,).
    """

    name = "focus"

    def __init__(
        self,
        problem: Problem,
        played: int,
        window: Window,
        sample: Packed,
        known: I64,
        words: RelaxedWords,
    ) -> None:
        super().__init__(problem, None, uses_leave=True, window=window, words=words)
        self.known = known
        self.first_step = 2.0
        self._problem = problem
        self._played = played
        self._sample = sample
        self._counts = leaves_of(sample)
        held = self._counts.sum(axis=1).astype(np.int64)
        nodes = np.column_stack([played + held, unpack_lefts(sample), held])
        distinct, which = np.unique(nodes, axis=0, return_inverse=True)
        self._at: dict[State, I64] = {
            tuple(state): np.flatnonzero(which == i) for i, state in enumerate(distinct.tolist())
        }
        self.is_full = True
        self.of_sample = np.zeros(0, np.int64)

    def evaluate(self, prices: Prices, stop: Stop = never, *, full: bool = True) -> int | None:
        """Return the mean bound at `prices`, in thousandths of a point; None if `stop` ended it."""
        if super().evaluate(prices, stop, full=full) is None:
            return None
        self.is_full = full
        self.of_sample = Outlooks(self._problem, [self.focus()]).bounds(self._sample, self._played)
        return round(float(self.of_sample.mean()))

    def focus(self) -> Focus:
        """Return the prices evaluated last, with a copy of their values, which later change."""
        return Focus(self._played, self.window, self._prices, self.values.copy())

    def goal(self) -> Goal:
        """Return the goal whose value is the mean bound of the sample.

        The bound of a state holds the prices of the tiles not played yet: of those not drawn, and
        of the cheapest tiles drawn that its leave may hold.
        """
        of_tile = np.zeros(self._tiles)
        of_leave = np.zeros(self._prices.leave.shape)
        share = 1 / len(self._sample)
        for (drawn, left, held), its in self._at.items():
            counts = self._counts[its]
            of_leave[leave_cell(self._leaves, drawn, left, held)] += share * counts.sum(axis=0)
            was_drawn = is_drawn(self._tiles, drawn, left)
            of_tile[~was_drawn] += share * len(its)
            tiles, nth = self._by_price(np.flatnonzero(was_drawn))
            # a tile is one of those held if a leave has more of its code than are cheaper
            holding = counts[:, self._row[tiles]] > nth
            of_tile[tiles] += share * holding.sum(axis=0)
        weights = {state: share * len(its) for state, its in self._at.items()}
        return Goal(of_tile, of_leave, weights, float(unpack_scores(self._sample).mean()))


@dataclass
class Trainer:
    """Trains prices for layers with many states.

    Attributes:
        problem: the puzzle and its words.
        fewest: the fewest states of a layer that is worth training; None to compare what training
            costs with what it saves.
        apart: less than this number of layers after a trained one, a layer is trained only if it
            has twice its states or more.
        groups: the most sets of prices for a layer, each for a window of left draws.
        rounds: the most rounds of an ascent.
        trained: for each trained layer, its number of states at that time, or UNKNOWN.
        known: the indices of words that were best at some state in earlier trainings, ascending.
    """

    problem: Problem
    fewest: int | None = None
    apart: int = 4
    groups: int = 4
    rounds: int = 40
    trained: dict[int, int] = field(default_factory=dict)
    known: I64 = field(default_factory=lambda: np.zeros(0, np.int64))

    def train(
        self,
        run: Run,
        outlooks: Outlooks,
        played: int,
        count: int,
        least_bound: int,
        kept: Callable[[int], list[Packed]],
    ) -> bool:
        """Train prices for the `count` states of layer `played`, if that may pay off.

        The prices are added to `outlooks`. `least_bound` is the lowest useful one, in thousandths
        of a point. `kept` returns the states of a layer, in order. Return whether it trained
        prices.
        """
        fewest = self.fewest or _FEWEST
        for layer, had_states in self.trained.items():
            if played - self.apart < layer <= played:
                fewest = max(fewest, 2 * had_states)
        # layer 0 has one state, which the whole row's prices suit
        has_room = len(outlooks.foci) + self.groups <= MOST_FOCI
        if played == 0 or count < fewest or not has_room or run.is_over:
            return False
        rng = np.random.default_rng(played)
        share = 1 if count < _MANY else 4
        states = np.concatenate([sampled(chunk, share) for chunk in kept(played)])
        lefts = unpack_lefts(states)
        windows = self._windows(played, lefts)
        if self.fewest is None and count * _SAVED * _SHARE < _COST * sum(map(self._size, windows)):
            return False
        self.trained[played] = count
        relaxations = []
        jobs = []
        with ThreadPool(run.threads) as pool:
            for window in windows:
                inside = np.flatnonzero((lefts >= window.low) & (lefts <= window.high))
                if not len(inside):
                    continue
                sample = np.sort(states[rng.permutation(inside)[:_SAMPLE]])
                relaxation = FocusRelaxation(
                    self.problem, played, window, sample, self.known, self._words
                )
                relaxations.append(relaxation)
                start = outlooks.prices_for(played, window)
                its_count = count * len(inside) / len(states)
                jobs.append(
                    pool.submit(self._focus, run, relaxation, start, its_count, least_bound)
                )
        outlooks.add([focus for job in jobs if (focus := job.result()) is not None])
        # only now, so that it does not matter which thread was faster
        known = [relaxation.known for relaxation in relaxations]
        self.known = np.unique(np.concatenate([self.known, *known]))
        return True

    @cached_property
    def _words(self) -> RelaxedWords:
        return relaxed_words(self.problem)

    def _size(self, window: Window) -> int:
        """Return about how many states the relaxed game of a window has."""
        tiles = len(self.problem.puzzle.row) - window.first
        return self.problem.puzzle.rack_size * tiles * (window.high - window.low + 1 + tiles // 2)

    def _windows(self, played: int, lefts: I64) -> list[Window]:
        """Return adjacent windows with similar numbers of states."""
        quantiles = np.quantile(lefts, np.linspace(0, 1, self.groups + 1))
        low, *highs = quantiles.round().astype(np.int64).tolist()
        puzzle = self.problem.puzzle
        first = min(max(played, puzzle.rack_size), len(puzzle.row))
        windows = []
        for high in highs:
            if high >= low:
                windows.append(Window(first, low, high))
                low = high + 1
        return windows

    def _focus(
        self,
        run: Run,
        relaxation: FocusRelaxation,
        start: Prices,
        count: float,
        least_bound: int,
    ) -> Focus | None:
        """Train prices for some states on one thread, as other threads train others.

        The sample of the relaxation represents `count` states. Return None if the run is over.
        """
        if run.is_over:
            return None
        # each ascent has its own run, because several of them run at the same time
        limits = Run()
        cost = _CHECK * self._size(relaxation.window) / (count * _SAVED)
        best: deque[Focus] = deque(maxlen=1)
        checked: deque[I64] = deque(maxlen=2)

        def is_enough(_bound: Bound) -> bool:
            if relaxation.is_full:
                checked.append(relaxation.of_sample)
            if run.is_over:
                return True
            if self.fewest is not None or len(checked) < 2:
                return False
            return not pays_off(checked[0], checked[1], least_bound, cost)

        with limits.slice(run.seconds_left / 4):
            ascend(
                self.problem,
                relaxation,
                start,
                limits,
                keep=lambda _bound: best.append(relaxation.focus()),
                stop=is_enough,
                rounds=self.rounds,
            )
        return best[-1]


def pays_off(before: I64, now: I64, least_bound: int, cost: float) -> bool:
    """Return whether a training is worth its further rounds.

    Bounds are expected to fall from check to check by a fixed share of the last fall.

    Args:
        before: the bounds of a sample at the last check but one, in thousandths of a point: int64,
            shape (states,).
        now: those at the last check.
        least_bound: lower bounds rule out a state.
        cost: what the rounds until the next check cost, as the share of the states whose ruling
            out saves as much.
    """
    checks = np.arange(1, _AHEAD + 1)
    falls = float((before - now).mean()) * np.cumsum(_DECAY**checks)
    kept = (now - falls[:, None] >= least_bound).mean(axis=1)
    return bool(((now >= least_bound).mean() - kept > cost * checks).any())
