"""Where a good game passes a beam: its state there, and the states that it must hold its own against.

Priorities are scores less the prices of the tiles used up, so a choice needs no more than both for each state, and the prices
can be changed without another search.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.model.tiles import counts_of, encode
from solver.model.units import SCALE
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Run

WIDTH = 4_000  # of the beam
_EVERY = 8  # so many states of a layer are one row of a choice, in order of priority

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """The states of a layer against that of a game.

    leads: by how many points their scores are higher, float32, shape (n,).
    used: how many more of each tile they have played, float32, shape (n, N_CODES); each stands for `weight` states.
    """

    leads: npt.NDArray[np.float32]
    used: npt.NDArray[np.float32]
    weight: int

    def ahead(self, prices: Floats) -> npt.NDArray[np.float32]:
        """By how many points the priorities of those states are higher under `prices` (by code, in points)."""
        ahead: npt.NDArray[np.float32] = self.leads - self.used @ prices.astype(np.float32)
        return ahead

    def rank(self, prices: Floats) -> int:
        """The place of the game's state in that layer, from 1."""
        return 1 + self.weight * int((self.ahead(prices) > 0).sum())


def choices_of(problem: Problem, game: Solution, prices: Floats, run: Run) -> list[Choice]:
    """The choices of a beam of `WIDTH` states under `prices`, one for each of its full layers that `game` passes.

    While the row lasts: what is left on the last rack is worth no more than its best plays. Empty where the run was over before
    the beam was through.
    """
    with ThreadPoolExecutor(run.threads) as pool:
        # one play at a time: where two are looked for together a state may come back from far below
        parameters = BeamParameters(WIDTH, fishing=0)
        beams = BeamRun(problem, run, parameters, pool, prices=np.rint(SCALE * prices).astype(np.int64))
        if not (beams.search(WIDTH // 8) and beams.search(WIDTH)):
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
