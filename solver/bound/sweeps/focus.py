"""Focused prices: prices of r3, trained to lower the completion bounds of some states of a sweep.

The best prices for a whole row are not the best for the rest of the game from one state. A sweep holds millions of states, too
many to train prices for each. But one set of prices for all states of a layer with similar left draws lowers their bounds
nearly as far. Its goal is the mean bound of a sample of these states. The mean is a convex function of the prices, as is the
bound of the whole row. So the same ascent finds its minimum.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, Window, leave_cell
from solver.bound.kernels.packed_states import Packed, unpack_lefts, unpack_ranks, unpack_scores
from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, State, WordTable
from solver.bound.relaxations.prices import Effort, Prices
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.index.kernels.ranks import unrank_counts
from solver.index.problem import Problem
from solver.model.tiles import N_CODES


class FocusRelaxation:
    """R3 for games from a sample of packed states of a layer; its bound is the mean of their bounds.

    The states have `played` tiles played. `window` has the nodes that games from them can reach. `known` holds the indices of
    words that are likely to be best, int64, ascending. `table` holds the words of the problem.

    Attributes:
        effort: the effort of the last evaluation.
        of_sample: the bounds of the sample then, in thousandths of a point: int64, shape (states,).
    """

    name = "focus"
    uses_leave = True
    first_step = 2.0
    spares = True
    first_effort = Effort.REFRESH  # the last evaluation is the only one that has to be a bound

    def __init__(
        self,
        problem: Problem,
        played: int,
        window: Window,
        sample: Packed,
        known: npt.NDArray[np.int64],
        table: WordTable | None = None,
    ) -> None:
        self._problem = problem
        self._row = problem.puzzle.row_codes
        self._relaxation = LeaveRelaxation(problem, None, uses_leave=True, window=window, table=table)
        self._relaxation.known = known
        self.first_moment = self._relaxation.first_moment
        self._played = played
        self._sample = sample
        self._counts = np.zeros((len(sample), N_CODES), dtype=np.int8)
        for i, rank in enumerate(unpack_ranks(sample)):
            unrank_counts(rank, self._counts[i])
        held = self._counts.sum(axis=1).astype(np.int64)
        self._constant = float(unpack_scores(sample).mean())
        nodes = np.column_stack([played + held, unpack_lefts(sample), held])
        distinct, which = np.unique(nodes, axis=0, return_inverse=True)
        states: list[State] = [(drawn, left, held) for drawn, left, held in distinct.tolist()]
        self._at = {state: np.flatnonzero(which == i) for i, state in enumerate(states)}
        self._weights = {state: len(its) / len(sample) for state, its in self._at.items()}
        self._relaxation.starts = states
        self._prices: Prices
        self.parameters: dict[str, int] = {}
        self.effort = Effort.FULL
        self.of_sample = np.zeros(0, dtype=np.int64)

    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, effort: Effort = Effort.FULL) -> int | None:
        """Return the mean bound at `prices`, in thousandths of a point; None if `stop` ended the evaluation early.

        For the arguments see `LeaveRelaxation.evaluate`.
        """
        if self._relaxation.evaluate(prices, stop, effort) is None:
            return None
        self._prices, self.effort = prices, effort
        self.of_sample = self.bounds()
        return round(float(self.of_sample.mean()))

    def bounds(self) -> npt.NDArray[np.int64]:
        """Return the bounds of the sample at the prices evaluated last, in thousandths of a point."""
        return Outlooks(self._problem, [self.focus()]).bounds(self._sample, self._played)

    def focus(self) -> Focus:
        """Return the prices evaluated last with a copy of their values, which later evaluations do not change."""
        return Focus(self._played, self._relaxation.window, self._prices, self._relaxation.values.copy())

    @property
    def known(self) -> npt.NDArray[np.int64]:
        """The words that have been best at some state, ascending."""
        return self._relaxation.known

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """As `LeaveRelaxation.arcs_from`."""
        return self._relaxation.arcs_from(state, passed)

    def goal(self) -> Goal:
        """Return the goal whose value is the mean bound of the sample.

        The bound of a state holds the prices of the tiles not played yet: of those not drawn, and of the cheapest tiles drawn
        that its leave may hold.
        """
        prices, window, tiles = self._prices, self._relaxation.window, len(self._row)
        leaves = LeavePrices(prices.leave, tiles, self._problem.puzzle.rack_size, window)
        of_tile, of_leave = np.zeros(tiles), np.zeros(prices.leave.shape)
        share = 1 / len(self._sample)
        for (drawn, left, held), its in self._at.items():
            counts = self._counts[its]
            of_leave[leave_cell(leaves, drawn, left, held)] += share * counts.sum(axis=0)
            end = tiles - drawn + left if drawn < tiles else left
            of_tile[left:end] += share * len(its)
            gone = np.concatenate([np.arange(left), np.arange(end, tiles)])
            by_price = gone[np.argsort(prices.tile[gone], kind="stable")]
            codes = self._row[by_price]
            for code in np.flatnonzero(counts.any(axis=0)).tolist():
                cheapest = by_price[codes == code][: counts[:, code].max()]
                # the n-th cheapest tile is one of those held if a leave has at least n tiles of this code
                of_tile[cheapest] += share * (counts[:, code] > np.arange(len(cheapest))[:, None]).sum(axis=1)
        return Goal(of_tile, of_leave, self._weights, self._constant)
