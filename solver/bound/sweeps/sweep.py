"""Sweeps: dynamic programming over the real game's states, as far as completion bounds do not rule them out.

The relaxed games of r3 forget what a leave holds. A sweep forgets nothing: it plays all games from the start, layer by layer.
It keeps every state whose completion bound exceeds the claim, unless another state dominates it
(`solver.bound.kernels.dominance`). If no state is left at the end, no game scores more than the claim. A layer has a limit on
its number of states. It keeps those with the highest bounds, and the claim rises to the highest bound that was dropped. So
every sweep that runs to its end proves a bound, and the more states it may keep, the lower the bound.

When a layer holds many states, the sweep trains prices for them (`solver.bound.sweeps.focus`), and drops the states that the
new bounds rule out before it expands them. States are sorted numbers (`solver.bound.kernels.packed_states`): equal ones meet
in one partition of their layer, and each partition is a task (`solver.bound.sweeps.tasks`).
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from solver.bound.kernels.leave_prices import WHOLE
from solver.bound.kernels.packed_states import PART_BITS, Packed, packed, unpack_scores
from solver.bound.relaxations.prices import Prices
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.bound.sweeps.crew import Crew, StoppedError, TaskResult, Threads
from solver.bound.sweeps.outlooks import Focus, FocusPrices, Outlooks
from solver.bound.sweeps.retrace import turns_to
from solver.bound.sweeps.store import Memory
from solver.bound.sweeps.tasks import Bench, Part, SettledPart, draw, expand, scored_plays, settle, sift
from solver.bound.sweeps.training import Trainer
from solver.index.kernels.ranks import OFFSET
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.run import Run
from solver.threads import ThreadPool

_PART = 20_000  # children that are too few for more than one part
_FIRST, _GROWTH = 100_000, 4  # states a layer of the first sweep, and how many times more in each next one
_REACH = 2  # times the last gain: states that far below the last bound are thought to be of no use


@dataclass
class Tally:
    """How far a sweep has come.

    claim: points; `best` is the score of the best game met.
    layer: the layer whose turn it is; `ready`: whether its states are made and sifted, in `parts` parts.
    states: how many each layer has kept; `racks`: how many were expanded in all.
    size: the most bytes that the sweep has kept at the end of a layer.
    """

    claim: int
    best: int = 0
    layer: int = 0
    ready: bool = False
    parts: int = 1
    racks: int = 0
    states: dict[int, int] = field(default_factory=dict)
    size: int = 0


class Sweep:
    """All games of a problem that may score more than a claim.

    trainer: may add to the outlooks that the crew works with.
    """

    def __init__(self, run: Run, crew: Crew, trainer: Trainer) -> None:
        self._run, self._crew, self._trainer = run, crew, trainer
        self._bench = crew.bench

    def play(
        self, tally: Tally, most: int | None = None, keep: Callable[[Tally], None] = lambda _tally: None, label: str = "sweep"
    ) -> bool:
        """Play all games that may score more than the tally's claim, from where it stands; false where the run was over first.

        A better game raises the claim, as do states dropped for want of room.

        most: how many states a layer may keep; None for any number.
        keep: called when the states of a layer are ready, and when they have been expanded.
        """
        store, tiles = self._bench.store, len(self._bench.problem.puzzle.row)
        if tally.layer == 0 and not tally.ready:
            store.put("children", 0, 0, 0, np.array([packed(OFFSET[0], 0, 0)], dtype=np.uint64))
        try:
            while tally.layer <= tiles:
                if not tally.ready:
                    self._settle(tally, most)
                    tally.ready = True
                    keep(tally)
                if tally.states[tally.layer] and tally.layer < tiles:
                    self._expand(tally)
                tally.size = max(tally.size, store.size())
                tally.layer, tally.ready = tally.layer + 1, False
                keep(tally)
                for kind in ("children", "racks", "counts"):
                    store.drop(kind, tally.layer - 1)
                count = tally.states[tally.layer - 1]
                self._run.report(label, tally.layer - 1, tiles, f"{count:,} states, {tally.racks:,} racks")
        except StoppedError:
            return False
        return True

    def _settle(self, tally: Tally, most: int | None) -> None:
        """Make the states of the layer, with bounds made anew where that may pay."""
        layer, claim = tally.layer, tally.claim
        tally.parts = min(1 << PART_BITS, 1 << (self._bench.store.count("children", layer) // _PART).bit_length())
        settled = list(self._each(settle, tally))
        self._note_game(np.concatenate([some.best for some in settled]), tally)
        if most is not None:
            tally.claim = max(tally.claim, _claim_for_room(settled, most))
        count = sum(int(some.at_bound.sum()) for some in settled)
        if tally.claim > claim:
            count = sum(self._each(sift, tally))
        if self._trainer.train(
            self._run, self._bench.outlooks, layer, count, partial(self._bench.store.chunks, "states", layer)
        ):
            count = sum(self._each(sift, tally))
        tally.states[layer] = count

    def _note_game(self, states: Packed, tally: Tally) -> None:
        """Raise the claim where the game that ends in the best of these states scores more."""
        if not len(states):
            return
        state = states[np.argmax(unpack_scores(states))]
        score = int(unpack_scores(np.array([state]))[0])
        tally.best, tally.claim = max(tally.best, score), max(tally.claim, score)
        if score > self._run.incumbent.score:
            turns = turns_to(self._bench.problem, partial(self._bench.store.chunks, "states"), tally.layer, state)
            self._run.offer(Solution(turns))

    def _expand(self, tally: Tally) -> None:
        """Make all draws and plays of the layer's states."""
        for _done in self._each(draw, tally):
            pass
        for racks in self._each(expand, tally):
            tally.racks += racks
            self._run.racks += racks

    def _each(self, task: Callable[[Bench, Part], TaskResult], tally: Tally) -> Iterator[TaskResult]:
        parts = [Part(tally.layer, part, tally.parts, tally.claim) for part in range(tally.parts)]
        return self._crew.each(self._run, task, parts)


def _claim_for_room(settled: list[SettledPart], most: int) -> int:
    """The highest score that states dropped for want of room may lead to, 0 where there is room for all."""
    at_bound = np.zeros(max(len(some.at_bound) for some in settled), dtype=np.int64)
    for some in settled:
        at_bound[: len(some.at_bound)] += some.at_bound
    excess = int(at_bound.sum()) - most
    return int(np.searchsorted(np.cumsum(at_bound), excess)) if excess > 0 else 0


def settled_focus(problem: Problem, focus: FocusPrices) -> Focus:
    """A focus with its values, worked out on one thread."""
    with ThreadPool(1) as pool:
        relaxation = LeaveRelaxation(problem, pool, uses_leave=True, window=focus.window)
        relaxation.relax(focus.prices)
    return Focus(focus.played, focus.window, focus.prices, relaxation.values)


def all_foci(problem: Problem, pool: ThreadPoolExecutor, prices: Prices, foci: Sequence[FocusPrices]) -> list[Focus]:
    """The focus of the whole row's prices, and after it the others, each with its values."""
    relaxation = LeaveRelaxation(problem, pool, uses_leave=True)
    relaxation.evaluate(prices)
    return [Focus(0, WHOLE, prices, relaxation.values), *pool.map(partial(settled_focus, problem), foci)]


def sweeps(
    problem: Problem,
    run: Run,
    prices: Prices,
    most: int,
    bound: float,
    trainer: Trainer | None = None,
    foci: Sequence[FocusPrices] = (),
) -> Iterator[tuple[int, Outlooks]]:
    """Lower and lower bounds in points, with what proves them, until the run is over; better games are offered to the run.

    most: how many states a layer may hold; the first sweeps hold fewer.
    bound: the bound known already. If the row is solved, the last bound is the best score.
    trainer: makes prices for states; None: one for rows of any length.
    foci: prices made for states before.
    """
    with ThreadPool(run.threads) as pool:
        outlooks, plays = Outlooks(problem, all_foci(problem, pool, prices, foci)), scored_plays(problem)
        trainer = trainer or Trainer(problem, trained={focus.played: np.inf for focus in foci})
        states, gain = min(_FIRST, most), bound
        while not run.is_over:
            sweep = Sweep(run, Threads(pool, Bench(problem, plays, outlooks, Memory())), trainer)
            tally = Tally(max(run.incumbent.score, int(bound - _REACH * gain)))
            if not sweep.play(tally, states, label=f"sweep {states:,}"):
                return
            if tally.claim < bound:
                gain, bound = bound - tally.claim, tally.claim
                yield tally.claim, outlooks
            if states == most or bound <= run.incumbent.score:
                return
            states = min(most, _GROWTH * states)
