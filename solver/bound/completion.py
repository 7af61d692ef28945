"""Completion bounds: how much a game through a state can score at most, for a search that need not look at the rest."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from solver.bound.prices import Prices
from solver.bound.r3 import LeaveRelaxation
from solver.index.problem import Problem
from solver.kernels.states import Racks, States, lefts_of
from solver.model.units import POINT, SCALE


class Completion:
    """What games through the states of a beam can score at most by relaxation r3: `solver.search.pruning.Pruning`.

    known: points; states that cannot lead to more are of no use. Where states are dropped for want of room, it rises to the
    most that they may lead to: in the end no game scores more than `known`.
    """

    def __init__(self, problem: Problem, prices: Prices, pool: ThreadPoolExecutor) -> None:
        self.known = 0
        self._puzzle = problem.puzzle
        self._relaxation = LeaveRelaxation(problem, pool, uses_leave=True)
        self._relaxation.evaluate(prices)

    @property
    def least_useful(self) -> int:
        """In thousandths of a point: scores are whole."""
        return (self.known + 1) * POINT

    def raise_known(self, score: int) -> None:
        """There is a game of `score` points."""
        self.known = max(self.known, score)

    def note_dropped(self, bound: int) -> None:
        """Games that score up to `bound` thousandths of a point are no longer looked for."""
        self.known = max(self.known, bound // POINT)

    def rate(self, played: int, states: States) -> None:
        """Make the priorities bounds, in thousandths of a point."""
        states.priority[:] = states.score.astype(np.int64) * POINT + self._relaxation.rest(played, states.key)

    def prices(self, played: int) -> npt.NDArray[np.int64]:
        """For the expander, by left draws and code, in sixteenths of a point: by how much each tile played lowers the bound."""
        return self._relaxation.least_worths(self._puzzle.drawn(played)) * SCALE // POINT

    def priorities(self, played: int, racks: Racks) -> npt.NDArray[np.int64]:
        """For the expander, in sixteenths of a point: what a rack is worth and its draws bring more than `least` thinks."""
        values = self._values(played)
        brings = (values - values.max(axis=0)).max(axis=1)[lefts_of(racks.key)]
        worths = self._relaxation.most_worths(self._puzzle.drawn(played), racks.key)
        bounds = racks.score.astype(np.int64) * POINT + worths + brings
        scaled: npt.NDArray[np.int64] = -(-bounds * SCALE // POINT)
        return scaled

    def least(self, played: int, length: int, bound: int) -> int:
        """By what the best rest of the game with any left draws brings."""
        values = self._values(played)
        held = self._puzzle.drawn(played) - played - length
        return -(-(bound - int(values[:, held].max())) * SCALE // POINT) if held >= 0 else 0

    def _values(self, played: int) -> npt.NDArray[np.int64]:
        """What is left of the game after the next play brings, by left draws and tiles held."""
        drawn = self._puzzle.drawn(played)
        nodes = drawn + 1 if drawn < len(self._puzzle.row) else 1
        return self._relaxation.values[drawn, :nodes, : drawn - played]
