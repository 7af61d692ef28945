"""Exact search: dynamic programming over all states that may still lead to a better solution.

A state is dropped where its score and the most that the rest of the game can bring, by relaxation r3, do not exceed the best
known score. Where nothing is left that solution is optimal.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.bound.ascent import Bound
from solver.bound.held import LONGEST, HeldRelaxation
from solver.bound.prices import Prices
from solver.bound.stages import lower_bound
from solver.bound.words import POINT
from solver.errors import StrategyError
from solver.problem import Problem
from solver.search.beam import Beam, BeamParameters, BeamRun
from solver.search.expander import SCALE
from solver.search.layers import StateArrays
from solver.search.strategy import Run
from solver.tiles import N_CODES

_STEP = 125  # thousandths of a point: prices that are whole in sixteenths, too
_UNIT = POINT // _STEP  # eighths of a point


@dataclass(frozen=True)
class ExactParameters:
    """states: that a layer may hold; width: of the beam whose answer is to be beaten; ascent: seconds for the bound."""

    states: int = 8_000_000
    width: int = 2_000
    ascent: float = 8.0

    def __post_init__(self) -> None:
        for width in (self.states, self.width):
            BeamParameters(width)
        if not 0 <= self.ascent <= 1e6:
            raise StrategyError(f"ascent = {self.ascent}: expected 0 to 1,000,000 seconds")


@dataclass(frozen=True)
class Exact:
    """A beam first, then a bound, then everything between them."""

    Parameters = ExactParameters
    parameters: ExactParameters = ExactParameters()
    name: str = "exact"

    def search(self, problem: Problem, run: Run) -> None:
        """Raises `StrategyError` for rows too long for relaxation r3, and racks too large for the index."""
        if len(problem.puzzle.row) > LONGEST or not problem.has_closed_index:
            raise StrategyError(
                f"exact search takes rows of up to {LONGEST} tiles and racks of up to 10: this one has "
                f"{len(problem.puzzle.row)} and {problem.puzzle.rack_size}"
            )
        Beam(BeamParameters(self.parameters.width)).search(problem, run)
        found = self._bound(problem, run)
        run.bound = max(run.incumbent.score, math.floor(found.value))
        if run.is_over or run.bound == run.incumbent.score:
            return
        with ThreadPoolExecutor(run.threads) as pool:
            limits = Completion(problem, found.prices, run, pool)
            beams = BeamRun(problem, run, BeamParameters(self.parameters.states), pool, limits.prices, limits)
            if beams.search(self.parameters.states) and not beams.overflowed:
                run.bound = run.incumbent.score

    def _bound(self, problem: Problem, run: Run) -> Bound:
        """The bound that completions are taken from, found in a part of the run's time."""
        limit = run.seconds
        run.seconds = run.elapsed + self.parameters.ascent
        if limit is not None:
            run.seconds = min(run.seconds, run.elapsed + max(0.0, limit - run.elapsed) / 3)
        target = run.incumbent.score + 1
        found = lower_bound(problem, "r3", run, stop=lambda bound: bound.value < target)
        run.seconds = limit
        return found


class Completion:
    """What the states of a layer can still come to, and what a child must have to be worth keeping.

    prices: by code, in sixteenths of a point, for the expander: those for which `least` holds.
    """

    def __init__(self, problem: Problem, prices: Prices, run: Run, pool: ThreadPoolExecutor) -> None:
        self._run = run
        puzzle = problem.puzzle
        self._tiles, self._rack = len(puzzle.row), puzzle.rack_size
        row = puzzle.row_codes
        # the expander knows one price a letter, and none for holding it: a bound of its own, less sharp, for a first cut
        total = prices.tile + prices.leave.mean(axis=(0, 1, 2))[row]
        mean = np.zeros(N_CODES)
        np.add.at(mean, row, total / np.maximum(1, np.bincount(row, minlength=N_CODES))[row])
        steps = np.rint(mean / _STEP).astype(np.int64)
        self.prices: npt.NDArray[np.int64] = steps * (SCALE // _UNIT)
        self._coarse = HeldRelaxation(problem, pool, uses_leave=False)
        self._coarse.evaluate(Prices(steps[row] * _STEP, np.zeros_like(prices.leave)))
        self._total = int((steps[row] * _STEP).sum())
        self._fine = HeldRelaxation(problem, pool, uses_leave=True)
        self._fine.evaluate(prices)

    def least(self, played: int, length: int) -> int:
        """The least priority of a child that may lead to a better solution, see `Limits`."""
        drawn = min(self._tiles, played + self._rack)
        held = drawn - played - length
        rest = int(self._coarse.values[drawn, : drawn + 1, held].max()) if held >= 0 else 0
        # priority = score - prices of the tiles played, in sixteenths; wanted: score + rest >= best + 1
        wanted = (self._run.incumbent.score + 1) * POINT - self._total - rest
        return -(-wanted * SCALE // POINT)

    def useful(self, played: int, states: StateArrays) -> npt.NDArray[np.bool_]:
        """Which states may lead to a better solution than the run's best."""
        key, _priority, score, _parent, _move = states
        reached = score.astype(np.int64) * POINT + self._fine.rest(played, key)
        kept: npt.NDArray[np.bool_] = reached >= (self._run.incumbent.score + 1) * POINT
        return kept
