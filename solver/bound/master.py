"""The master programme: the lowest bound that the turns seen so far allow, and its prices.

Its variables are the prices and the value F(s) of every state seen. Each turn seen, from s to t,
adds a constraint

    F(s) - F(t)  >=  score - sum of its tiles' prices
                     + worth of the leave after it - worth of the leave before it.

The programme minimises a goal: for the bound of a whole row the sum of all tile prices + F(root).
Turns combine: a few hundred paths give millions of games. A quadratic term keeps the prices near
the best known ones. OR-Tools' PDLP solves it, with a warm start at the last solution.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solver.bound.arcs import Arc, Goal, State
from solver.bound.prices import KnotPrices
from solver.compiled import F64
from solver.model.tiles import POINT

if TYPE_CHECKING:
    from ortools.linear_solver.linear_solver_pb2 import MPConstraintProto
    from ortools.pdlp import solvers_pb2
    from ortools.pdlp.python import pdlp

_MOST_ROWS = 20_000
_RECENT = 10  # the programme drops a turn that no best game has used for this many rounds
# a turn counts as used if its dual value, its share of the best games, exceeds this
_FLOW = 1e-3
_ITERATIONS = 600  # limit for one solution; the next round needs no exact one
_TRIES = 4  # the most solutions of a round, each the start of the next one


@dataclass
class _Row:
    """The constraint of a turn: the weighted sum of some variables is at least a constant.

    Attributes:
        constraint: the numbers of the variables, the weight of each, and the constant, in points.
        used: the last round in which a best game used the turn, or in which it was learnt.
    """

    constraint: "MPConstraintProto"
    used: int


class Master:
    """A quadratic programme that grows by the turns that it learns.

    Its first variables are the prices of a trial of `knots`.
    """

    def __init__(self, knots: KnotPrices) -> None:
        self._knots = knots
        self._states: dict[State, int] = {}
        self._rows: dict[Arc, _Row] = {}
        self._round = 0
        # the last solution: the variables, and the share of each turn in the best games
        self._variables = np.zeros(0)
        self._flow = np.zeros(0)

    def learn(self, arcs: Iterable[Arc]) -> None:
        """Add turns to the programme."""
        for arc in arcs:
            if arc not in self._rows:
                self._rows[arc] = self._row(arc)

    def solve(
        self, goal: Goal, trial: F64, step: float, below: float
    ) -> tuple[float, F64, list[State]]:
        """Find the prices that minimise the goal plus their distance from those of `trial`.

        The distance is the sum of squared differences / (2 `step`). `below` is the value at
        `trial`: a solution whose bound is not less is too inexact, and the start of another one.

        Returns:
            The bound at these prices, in points, if no better turns exist than those known; the
            prices; and the states that the best games pass through.
        """
        self._round += 1
        weights = self._goal_weights(goal)
        if not self._rows:  # no word can be played
            return goal.constant, np.zeros(self._knots.size), []
        programme = self._programme(weights, trial, step)
        bound = self._improve(programme, weights, goal.constant, below)
        passed: dict[State, None] = dict.fromkeys(goal.states)
        for (arc, row), share in zip(self._rows.items(), self._flow.tolist(), strict=True):
            if share > _FLOW:
                row.used = self._round
                passed |= {arc.source: None, arc.target: None}
        if len(self._rows) > _MOST_ROWS:
            self._forget()
        return bound, self._variables[: self._knots.size], list(passed)

    def _goal_weights(self, goal: Goal) -> F64:
        """Return the weight of each variable in the goal: prices first, then values of states."""
        places = [self._state(state) for state in goal.states]
        prices = self._knots.size
        weights = np.zeros(prices + len(self._states))
        of_leaves = np.tensordot(self._knots.weights.T, goal.leave[..., self._knots.codes], axes=1)
        weights[:prices] = np.concatenate([goal.tile, of_leaves.ravel()])
        weights[places] = list(goal.states.values())
        return weights

    def _programme(self, weights: F64, centre: F64, step: float) -> "pdlp.QuadraticProgram":
        """Return the programme of a round.

        It has the goal, the distance of the prices from `centre`, and a row for each turn.
        """
        # imported only here, because a library that offers bounds must not wait for them where it
        # only searches
        from ortools.linear_solver.linear_solver_pb2 import MPModelProto, MPVariableProto
        from ortools.pdlp.python import pdlp

        from_zero_on = MPVariableProto(lower_bound=0.0)
        programme = pdlp.qp_from_mpmodel_proto(
            MPModelProto(
                variable=[from_zero_on] * len(weights),
                constraint=[row.constraint for row in self._rows.values()],
            ),
            relax_integer_variables=False,
        )
        objective = weights.copy()
        # PDLP warns about coefficients that are nearly 0
        objective[: len(centre)] -= np.where(centre > 1e-6, centre, 0.0) / step
        programme.objective_vector = objective
        square = np.zeros(len(weights))
        square[: len(centre)] = 1 / step
        programme.set_objective_matrix_diagonal(square)
        return programme

    def _improve(
        self, programme: "pdlp.QuadraticProgram", weights: F64, constant: float, below: float
    ) -> float:
        """Solve a programme from the last solution on, and return the bound."""
        from ortools.pdlp.python import pdlp

        start = pdlp.PrimalAndDualSolution()
        start.primal_solution = np.pad(self._variables, (0, len(weights) - len(self._variables)))
        start.dual_solution = np.pad(self._flow, (0, len(self._rows) - len(self._flow)))
        for _try in range(_TRIES):
            result = pdlp.primal_dual_hybrid_gradient(programme, _settings(), start)
            start.primal_solution = result.primal_solution
            start.dual_solution = result.dual_solution
            bound = constant + float(weights @ result.primal_solution)
            if bound < below:
                break
        self._variables = result.primal_solution
        self._flow = result.dual_solution
        return bound

    def _row(self, arc: Arc) -> _Row:
        from ortools.linear_solver.linear_solver_pb2 import MPConstraintProto

        weight = defaultdict[int, float](float)
        weight[self._state(arc.source)] = 1.0
        weight[self._state(arc.target)] = -1.0
        weight |= dict.fromkeys(arc.tiles, 1.0)
        for entries, sign in ((arc.held, 1.0), (arc.kept, -1.0)):
            for moment, cell, code, count in entries:
                for knot in np.flatnonzero(self._knots.weights[moment]).tolist():
                    share = float(self._knots.weights[moment, knot])
                    weight[self._knots.place_of(knot, cell, code)] += sign * count * share
        constraint = MPConstraintProto(
            var_index=list(weight),
            coefficient=list(weight.values()),
            lower_bound=arc.score / POINT,
        )
        return _Row(constraint, self._round)

    def _state(self, state: State) -> int:
        """Return the number of the variable of a state."""
        return self._states.setdefault(state, self._knots.size + len(self._states))

    def _forget(self) -> None:
        """Drop the turns that no best game has used in the last `_RECENT` rounds."""
        oldest = self._round - _RECENT
        self._flow = self._flow[[row.used > oldest for row in self._rows.values()]]
        self._rows = {arc: row for arc, row in self._rows.items() if row.used > oldest}


def _settings() -> "solvers_pb2.PrimalDualHybridGradientParams":
    from ortools.pdlp import solvers_pb2

    settings = solvers_pb2.PrimalDualHybridGradientParams()
    criteria = settings.termination_criteria
    criteria.simple_optimality_criteria.eps_optimal_relative = 1e-4
    criteria.simple_optimality_criteria.eps_optimal_absolute = 1e-3
    criteria.iteration_limit = _ITERATIONS
    settings.num_threads = 1
    return settings
