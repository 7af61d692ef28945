"""Completion bounds: the most that a game through a state can score, so that a search can drop states without a loss."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from solver.bound.prices import Prices
from solver.bound.r3 import LeaveRelaxation
from solver.index.problem import Problem
from solver.kernels.states import Racks, States, lefts_of
from solver.model.units import POINT, SCALE


class Completion:
    """The most that games through the states of a beam can score, by relaxation r3: a `solver.search.pruning.Pruning`.

    known: in points. States that cannot lead to more are of no use. If states are dropped for lack of room, `known` rises to
        the most that they may lead to. So in the end no game scores more than `known`.
    """

    def __init__(self, problem: Problem, prices: Prices, pool: ThreadPoolExecutor) -> None:
        self.known = 0
        self._puzzle = problem.puzzle
        self._relaxation = LeaveRelaxation(problem, pool, uses_leave=True)
        self._relaxation.evaluate(prices)

    @property
    def least_useful(self) -> int:
        """The least bound that is of use, in thousandths of a point: one point above `known`, because scores are whole."""
        return (self.known + 1) * POINT

    def raise_known(self, score: int) -> None:
        """Take note that there is a game of `score` points."""
        self.known = max(self.known, score)

    def note_dropped(self, bound: int) -> None:
        """Take note that a state was dropped whose completion bound is `bound` thousandths of a point."""
        self.known = max(self.known, bound // POINT)

    def rate(self, played: int, states: States) -> None:
        """Set the priority of each state to its completion bound, in thousandths of a point."""
        states.priority[:] = states.score.astype(np.int64) * POINT + self._relaxation.rest(played, states.key)

    def prices(self, played: int) -> npt.NDArray[np.int64]:
        """By how much each tile played lowers the bound, for the expander: in sixteenths of a point, by left draws and code."""
        return self._relaxation.least_worths(self._puzzle.drawn(played)) * SCALE // POINT

    def priorities(self, played: int, racks: Racks) -> npt.NDArray[np.int64]:
        """The bound of each rack less what `least` subtracts for the rest, for the expander: in sixteenths of a point."""
        values = self._values(played)
        brings = (values - values.max(axis=0)).max(axis=1)[lefts_of(racks.key)]
        worths = self._relaxation.most_worths(self._puzzle.drawn(played), racks.key)
        bounds = racks.score.astype(np.int64) * POINT + worths + brings
        scaled: npt.NDArray[np.int64] = -(-bounds * SCALE // POINT)
        return scaled

    def least(self, played: int, length: int, bound: int) -> int:
        """`bound` less the most that the rest of the game brings for any left draws, in sixteenths of a point."""
        values = self._values(played)
        held = self._puzzle.drawn(played) - played - length
        return -(-(bound - int(values[:, held].max())) * SCALE // POINT) if held >= 0 else 0

    def _values(self, played: int) -> npt.NDArray[np.int64]:
        """What the game after the next play brings, in thousandths of a point, by left draws and tiles held."""
        drawn = self._puzzle.drawn(played)
        nodes = drawn + 1 if drawn < len(self._puzzle.row) else 1
        return self._relaxation.values[drawn, :nodes, : drawn - played]
