"""The rest of a game as an integer programme: the play of each turn, and the number of tiles drawn from each end.

A game is legal exactly if two conditions hold after every draw. The tiles drawn so far, as a multiset, contain all tiles played
up to and including that turn's play. The draw fills the rack: drawn = min(row, played before + rack). So the programme needs no
variables for racks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from ortools.sat.python import cp_model

from solver.index.problem import Problem
from solver.refine.pool import Candidate
from solver.search.hand import Hand


@dataclass(frozen=True)
class Slot:
    """A turn to be chosen, which makes at most one of its candidate plays.

    `left` and `right` are the numbers of tiles drawn from each end after its draw, in the solution that is refined. `hint` is
    the index of the play that this solution makes; None if it makes none of them.
    """

    candidates: tuple[Candidate, ...]
    left: int
    right: int
    hint: int | None


@dataclass(frozen=True)
class Chosen:
    """The choice for a slot: the tiles drawn from the left after its draw, and its play, None without one."""

    left: int
    candidate: Candidate | None


@dataclass(frozen=True)
class Rest:
    """The turns after the slots, which keep their draws and their plays.

    Attributes:
        spare: The number of each tile that may be used up before them; int64, shape (N_CODES,).
        played: The number of tiles that must be played before them.
        left: The number of tiles drawn from the left after their first draw; `right` that from the right.
    """

    spare: npt.NDArray[np.int64]
    played: int
    left: int
    right: int


def new_solver(seed: int, effort: float, workers: int) -> cp_model.CpSolver:
    """Return a solver that stops after `effort` of CP-SAT's deterministic time, whose unit is about a second.

    With one worker its answer depends on the model and the seed alone.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.max_deterministic_time = effort
    # otherwise CP-SAT would handle the first Ctrl-C itself, and the second one would kill the process
    solver.parameters.catch_sigint_signal = False
    return solver


def solve_window(
    problem: Problem,
    hand: Hand,
    slots: Sequence[Slot],
    rest: Rest | None,
    floor: int,
    reach: int,
    solver: cp_model.CpSolver,
) -> tuple[list[Chosen] | None, float]:
    """Find the best choices for consecutive turns, which follow `hand` and precede `rest`; a `rest` of None ends the game.

    The scores of the choices must exceed `floor` in all, and their draws may differ from those in `slots` by at most `reach`
    tiles. Return the choices, None if CP-SAT found none, and the effort spent.
    """
    builder = _Builder(problem, hand, reach)
    for slot in slots:
        builder.add(slot)
    if rest is not None:
        builder.leave(rest)
    builder.model.add(builder.total >= floor + 1)
    builder.model.maximize(builder.total)
    status = solver.solve(builder.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, solver.response_proto.deterministic_time
    choices = [
        Chosen(
            solver.value(left),
            next((candidate for candidate, chosen in plays if solver.boolean_value(chosen)), None),
        )
        for left, plays in builder.slots
    ]
    return choices, solver.response_proto.deterministic_time


class _Builder:
    """Builds the integer programme slot by slot."""

    def __init__(self, problem: Problem, hand: Hand, reach: int) -> None:
        self.model = cp_model.CpModel()
        self.slots: list[tuple[cp_model.IntVar, list[tuple[Candidate, cp_model.IntVar]]]] = []
        self.total: cp_model.LinearExprT = 0
        self._reach = reach
        self._rack = problem.puzzle.rack_size
        self._tiles = len(problem.puzzle.row)
        self._from_left, self._from_right = problem.puzzle.counts_from_left, problem.puzzle.counts_from_right
        self._used: list[cp_model.LinearExprT] = (hand.gone(problem) - hand.leave).tolist()
        self._codes = sorted(set(problem.puzzle.row_codes.tolist()))
        self._played: cp_model.LinearExprT = hand.played
        self._left: cp_model.LinearExprT = hand.left
        self._right: cp_model.LinearExprT = hand.right

    def add(self, slot: Slot) -> None:
        """Add a turn after those added so far."""
        model, number = self.model, len(self.slots)
        plays = [(play, model.new_bool_var(f"play {number} {i}")) for i, play in enumerate(slot.candidates)]
        chosen = [variable for _play, variable in plays]
        model.add_at_most_one(chosen)
        for i, variable in enumerate(chosen):
            model.add_hint(variable, int(i == slot.hint))  # older versions of OR-Tools accept no bool
        left, from_left = self._end(f"left {number}", slot.left, self._from_left)
        right, from_right = self._end(f"right {number}", slot.right, self._from_right)
        drawn = model.new_int_var(0, self._tiles, f"drawn {number}")
        model.add_min_equality(drawn, [self._tiles, self._played + self._rack])
        model.add(left + right == drawn)
        model.add(left >= self._left)
        model.add(right >= self._right)
        for code in self._codes:
            needs = [(play.tiles.count(code), variable) for play, variable in plays if code in play.tiles]
            used = model.new_int_var(0, self._tiles, f"used {number} {code}")
            model.add(used == self._used[code] + sum(count * variable for count, variable in needs))
            model.add(used <= from_left[code] + from_right[code])
            self._used[code] = used
        self._played = self._played + sum(len(play.tiles) * variable for play, variable in plays)
        self._left, self._right = left, right
        self.total = self.total + sum(play.score * variable for play, variable in plays)
        self.slots.append((left, plays))

    def leave(self, rest: Rest) -> None:
        """Add the constraints of the turns of `rest`, which follow the slots."""
        self.model.add(self._played == rest.played)
        self.model.add(self._left <= rest.left)
        self.model.add(self._right <= rest.right)
        for code in self._codes:
            self.model.add(self._used[code] <= int(rest.spare[code]))

    def _end(
        self, name: str, around: int, totals: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"
    ) -> tuple[cp_model.IntVar, dict[int, cp_model.LinearExprT]]:
        """Return a variable for the number of tiles drawn from one end, near `around`, and the number of each tile by code."""
        low, high = max(0, around - self._reach), min(self._tiles, around + self._reach)
        gone = self.model.new_int_var(low, high, name)
        exactly = [self.model.new_bool_var(f"{name} is {i}") for i in range(low, high + 1)]
        self.model.add_exactly_one(exactly)
        self.model.add(gone == sum(i * variable for i, variable in enumerate(exactly, start=low)))
        for i, variable in enumerate(exactly, start=low):
            self.model.add_hint(variable, int(i == around))
        return gone, {
            code: sum(int(totals[i, code]) * variable for i, variable in enumerate(exactly, start=low)) for code in self._codes
        }
