"""The choices of a beam along a good game: in each layer, the game's state and the states that compete with it.

A priority is a score less the prices of the tiles used up. So a choice keeps the score and these tiles for each state, and the
prices can be changed without another search.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.model.tiles import counts_of, encode
from solver.model.units import SCALE
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Run
from solver.threads import ThreadPool

WIDTH = 4_000  # of the beam
_EVERY = 8  # in the order of priority, each row of a choice stands for so many states of the layer

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """The states of a layer compared with the state of a game.

    leads: by how many points their scores are higher, float32, shape (n,).
    used: how many more of each tile they have played, float32, shape (n, N_CODES). Each row stands for `weight` states.
    """

    leads: npt.NDArray[np.float32]
    used: npt.NDArray[np.float32]
    weight: int

    def ahead(self, prices: Floats) -> npt.NDArray[np.float32]:
        """By how many points their priorities are higher under `prices` (by code, in points): float32, shape (n,)."""
        ahead: npt.NDArray[np.float32] = self.leads - self.used @ prices.astype(np.float32)
        return ahead

    def rank(self, prices: Floats) -> int:
        """The place of the game's state in that layer, from 1."""
        return 1 + self.weight * int((self.ahead(prices) > 0).sum())


def choices_of(problem: Problem, game: Solution, prices: Floats, run: Run) -> list[Choice]:
    """The choices of a beam of `WIDTH` states under `prices` (by code, in points), one for each full layer that `game` passes.

    Only until the row is empty, because prices say nothing of what the tiles of the last rack are worth. Empty if the run was
    over before the beam.
    """
    with ThreadPool(run.threads) as pool:
        # without fishing, which may find a game again although the beam has dropped one of its states
        parameters = BeamParameters(WIDTH, fishing=0)
        beams = BeamRun(problem, run, parameters, pool, prices=np.rint(SCALE * prices).astype(np.int64))
        if not beams.search_piloted(WIDTH):
            return []
    found = []
    last_draw = len(problem.puzzle.row) - problem.puzzle.rack_size
    score, used = 0, np.zeros_like(problem.puzzle.counts_from_left[0])
    for turn in game.turns:
        score += turn.score
        used = used + counts_of(encode(turn.play))
        scores = beams.history.scores(played := int(used.sum()))
        if played < last_draw and len(scores) == WIDTH:
            leads, more = scores[::_EVERY] - score, beams.history.used(played)[::_EVERY] - used
            found.append(Choice(leads.astype(np.float32), more.astype(np.float32), _EVERY))
    return found
