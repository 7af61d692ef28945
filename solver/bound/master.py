"""The master programme of a bound: the lowest bound that the turns seen so far allow, and the prices that give it.

Its variables are the prices and the value F(s) of every state seen. Each turn seen, from s to t, adds a constraint

    F(s) - F(t)  >=  score - sum of its tiles' prices + worth of the leave after it - worth of the leave before it.

The programme minimises a goal: for the bound of a whole row the sum of all tile prices + F(root).
Turns combine: a few hundred paths give millions of games.
A quadratic term keeps the prices near the best known ones. OR-Tools' PDLP solves it, with a warm start at the last solution.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from solver.bound.relaxations.prices import Floats, KnotPrices, Trial
from solver.bound.relaxations.relaxation import Arc, Goal, State
from solver.model.tiles import POINT

if TYPE_CHECKING:
    from ortools.pdlp import solvers_pb2
    from ortools.pdlp.python import pdlp

_MOST_ROWS = 20_000
_RECENT = 10  # the programme drops a turn that no best game has used for this many rounds
_FLOW = 1e-3  # a turn counts as used if its dual value, its share of the best games, exceeds this
_ITERATIONS = 600  # limit for one solution; the next round needs no exact one
_TRIES = 4  # the most solutions of a round, each the start of the next one


class Master:
    """A quadratic programme that grows by the turns that it learns.

    Its prices are those of `knots`, in the shapes of `trial`.
    """

    def __init__(self, knots: KnotPrices, trial: Trial) -> None:
        tile, leave = trial
        self._codes, self._weights = knots.codes, knots.weights
        self._tiles, self._places = len(tile), leave.shape[1]
        self._prices = len(tile) + leave.size
        self._states: dict[State, int] = {}
        self._arcs: dict[Arc, int] = {}
        self._rows: list[tuple[list[int], list[float], float]] = []
        self._round = 0
        self._last: tuple[Floats, Floats] = np.zeros(0), np.zeros(0)

    def learn(self, arcs: Iterable[Arc]) -> None:
        """Add turns to the programme."""
        for arc in arcs:
            if arc not in self._arcs:
                self._arcs[arc] = self._round
                self._rows.append(self._row(arc))

    def solve(
        self, goal: Goal, trial: Trial, step: float, below: float
    ) -> tuple[float, Trial, list[State]]:
        """Find the prices that minimise the goal + (sum of squared distances from those of `trial`) / (2 `step`).

        `below` is the value at `trial`: a solution whose bound is not less is too inexact, and the start of another one.

        Returns:
            The bound at these prices, in points, if no better turns exist than those known; the prices; and the states that the
            best games pass through.
        """
        self._round += 1
        weights = self._goal_weights(goal)
        if not self._rows:  # no word can be played
            return goal.constant, (np.zeros_like(trial[0]), np.zeros_like(trial[1])), []
        programme = self._programme(
            weights, np.concatenate([prices.ravel() for prices in trial]), step
        )
        bound, solution, flow = self._solution(programme, weights, goal.constant, below)
        self._last = solution, flow
        passed: dict[State, None] = dict.fromkeys(goal.states)
        for arc, used in zip(list(self._arcs), (flow > _FLOW).tolist(), strict=True):
            if used:
                self._arcs[arc] = self._round
                passed[arc.source] = passed[arc.target] = None
        if len(self._rows) > _MOST_ROWS:
            self._forget()
        leave = solution[self._tiles : self._prices].reshape(trial[1].shape)
        return bound, (solution[: self._tiles], leave), list(passed)

    def _goal_weights(self, goal: Goal) -> Floats:
        """Return the weight of each variable in the goal: of the prices, then of the values of states."""
        places = [self._state(state) for state in goal.states]
        weights = np.zeros(self._prices + len(self._states))
        of_leaves = np.tensordot(self._weights.T, goal.leave[..., self._codes], axes=1)
        weights[: self._prices] = np.concatenate([goal.tile, of_leaves.ravel()])
        weights[places] = list(goal.states.values())
        return weights

    def _programme(self, weights: Floats, centre: Floats, step: float) -> "pdlp.QuadraticProgram":
        """Return the programme of a round: the goal, the distance of the prices from `centre`, and a row for each turn."""
        # imported only here, because a library that offers bounds must not wait for them where it only searches
        import scipy.sparse
        from ortools.pdlp.python import pdlp

        prices, variables, rows = self._prices, len(weights), len(self._rows)
        programme = pdlp.QuadraticProgram()
        programme.resize_and_initialize(variables, rows)
        objective, square = weights.copy(), np.zeros(variables)
        # PDLP warns about coefficients that are nearly 0
        objective[:prices] -= np.where(centre > 1e-6, centre, 0.0) / step
        square[:prices] = 1 / step
        programme.objective_vector = objective
        programme.set_objective_matrix_diagonal(square)
        columns, coefficients, least = zip(*self._rows, strict=True)
        starts = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
        flat = (np.concatenate(coefficients), np.concatenate(columns).astype(np.int64), starts)
        programme.constraint_matrix = scipy.sparse.csr_matrix(flat, shape=(rows, variables)).tocsc()
        programme.constraint_lower_bounds = np.array(least)
        programme.constraint_upper_bounds = np.full(rows, np.inf)
        programme.variable_lower_bounds = np.zeros(variables)
        programme.variable_upper_bounds = np.full(variables, np.inf)
        return programme

    def _solution(
        self, programme: "pdlp.QuadraticProgram", weights: Floats, constant: float, below: float
    ) -> tuple[float, Floats, Floats]:
        """Solve a programme from the last solution on, and return the bound, the variables, and the flow through each turn."""
        from ortools.pdlp.python import pdlp

        start = pdlp.PrimalAndDualSolution()
        start.primal_solution = _padded(self._last[0], len(weights))
        start.dual_solution = _padded(self._last[1], len(self._rows))
        for _try in range(_TRIES):
            result = pdlp.primal_dual_hybrid_gradient(programme, _settings(), start)
            start.primal_solution, start.dual_solution = solution, flow = (
                result.primal_solution,
                result.dual_solution,
            )
            bound = constant + float(weights @ solution)
            if bound < below:
                break
        return bound, solution, flow

    def _row(self, arc: Arc) -> tuple[list[int], list[float], float]:
        weight: dict[int, float] = {self._state(arc.source): 1.0}
        weight[self._state(arc.target)] = -1.0
        weight |= dict.fromkeys(arc.tiles, 1.0)
        for entries, sign in ((arc.held, 1.0), (arc.kept, -1.0)):
            for moment, place, code, count in entries:
                for knot in np.flatnonzero(self._weights[moment]).tolist():
                    column = (
                        self._tiles
                        + (knot * self._places + place) * len(self._codes)
                        + self._codes.index(code)
                    )
                    weight[column] = weight.get(column, 0.0) + sign * count * float(
                        self._weights[moment, knot]
                    )
        return list(weight), list(weight.values()), arc.score / POINT

    def _state(self, state: State) -> int:
        place: int = self._states.setdefault(state, self._prices + len(self._states))
        return place

    def _forget(self) -> None:
        """Drop the turns that no best game has used in the last `_RECENT` rounds."""
        recent = [seen > self._round - _RECENT for seen in self._arcs.values()]
        self._last = self._last[0], self._last[1][recent]
        self._rows = [row for row, kept in zip(self._rows, recent, strict=True) if kept]
        self._arcs = {
            arc: seen for (arc, seen), kept in zip(self._arcs.items(), recent, strict=True) if kept
        }


def _padded(values: Floats, size: int) -> Floats:
    return np.concatenate([values, np.zeros(size - len(values))])


def _settings() -> "solvers_pb2.PrimalDualHybridGradientParams":
    from ortools.pdlp import solvers_pb2

    settings = solvers_pb2.PrimalDualHybridGradientParams()
    settings.termination_criteria.simple_optimality_criteria.eps_optimal_relative = 1e-4
    settings.termination_criteria.simple_optimality_criteria.eps_optimal_absolute = 1e-3
    settings.termination_criteria.iteration_limit = _ITERATIONS
    settings.num_threads = 1
    return settings
