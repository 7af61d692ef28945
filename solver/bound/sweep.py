"""Sweeps: dynamic programming over the real game's states, as far as relaxation r3 does not rule them out.

The relaxed games of r3 forget what a leave holds. A sweep forgets nothing: it plays all games from the start, layer by layer,
and keeps every state through which, by r3's completion bound, a game may score more than B. Where none is left, no game
scores more than B. A layer keeps at most so many states, those with the highest bounds; B becomes the most that a dropped one
may lead to. So every sweep that runs to its end has a bound, the lower the more states it may keep: each factor of four to five
brings about ten points on rows of 100 tiles.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from solver.bound.completion import Completion
from solver.bound.prices import Prices
from solver.index.problem import Problem
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Run

_FIRST, _GROWTH = 20_000, 3  # states a layer of the first sweep, and how many times more in each next one
_REACH = 2  # times the last gain: states that far below the last bound are thought to be of no use


def sweeps(problem: Problem, run: Run, prices: Prices, most: int, bound: float) -> Iterator[int]:
    """Lower and lower bounds in points, until the run is over; games found on the way are offered to the run.

    most: how many states a layer may hold; the first sweeps hold fewer.
    bound: the bound known already. If the row is solved, the last bound is the best score.
    """
    with ThreadPoolExecutor(run.threads) as pool:
        limits = Completion(problem, prices, pool)
        beams = BeamRun(problem, run, BeamParameters(), pool, limits)
        states, gain = min(_FIRST, most), bound
        while not run.is_over:
            limits.known = max(run.incumbent.score, int(bound - _REACH * gain))
            if not beams.search(states):
                return
            if limits.known < bound:
                gain, bound = bound - limits.known, limits.known
                yield limits.known
            if states == most or bound <= run.incumbent.score:
                return
            states = min(most, _GROWTH * states)
