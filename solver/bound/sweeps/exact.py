"""Exact search: dynamic programming over all states that may still lead to a better solution.

A state is dropped if its score and the most that the rest of the game can bring, by relaxation r3, do not exceed the best
known score. If no state is left, the best known solution is optimal.
"""

import math
from dataclasses import dataclass

from solver.bound.ascent import Bound
from solver.bound.relaxations.r3 import LONGEST
from solver.bound.schedule import tighten_upper_bound
from solver.bound.sweeps.sweep import sweeps
from solver.bound.sweeps.training import Trainer
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.beam import Beam, BeamParameters, check_width
from solver.search.run import Run
from solver.search.widening import WideningParameters

_SHORT = 40  # tiles
_ROUNDS = 12  # of an ascent for a sweep's states: these sweeps are so short that more rounds take longer than they save


@dataclass(frozen=True)
class ExactParameters:
    """What exact search may use.

    states: how many a layer may hold.
    width: that of the beam that searches first.
    wide: that of the two beams that search where the first sweep leaves a gap.
    ascent: seconds for the prices of a row of up to 40 tiles; a longer one takes more, by the third power of its length.
    """

    states: int = 8_000_000
    width: int = 2_000
    wide: int = 20_000
    ascent: float = 8.0

    def __post_init__(self) -> None:
        check_width("states", self.states)
        check_width("width", self.width)
        check_width("wide", self.wide)
        if not 0 <= self.ascent <= 1e6:
            raise StrategyError(f"ascent = {self.ascent}: expected 0 to 1,000,000 seconds")

    def wide_beams(self) -> list[BeamParameters]:
        """The two beams, with tiles cheaper and dearer than usual."""
        return WideningParameters(first=1, last=self.wide).beams(self.wide)


@dataclass(frozen=True)
class Exact:
    """First a beam, then a bound, then sweeps over all states that may lead to a score between the two.

    Most rows need one short sweep. Where that is not enough, wider beams look for a better game before the next one: each point
    that they find spares it many states.
    """

    Parameters = ExactParameters
    parameters: ExactParameters = ExactParameters()
    name: str = "exact"

    def search(self, problem: Problem, run: Run) -> None:
        """Raises `StrategyError` for variants, rows too long for relaxation r3, and racks too large for the index."""
        problem.require_ordinary("exact search")
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
        trainer = Trainer(problem, rounds=_ROUNDS)
        lower = sweeps(problem, run, found.prices, self.parameters.states, run.bound, trainer)
        for number, (bound, _outlooks) in enumerate(lower):
            run.bound = bound
            if number == 0 and bound > run.incumbent.score:
                for beam in self.parameters.wide_beams():
                    Beam(beam).search(problem, run)

    def _bound(self, problem: Problem, run: Run) -> Bound:
        """The bound whose prices give the completion bounds, found in a part of the run's time."""
        share = self.parameters.ascent * max(1.0, len(problem.puzzle.row) / _SHORT) ** 3
        if run.seconds is not None:
            share = min(share, max(0.0, run.seconds - run.elapsed) / 3)
        target = run.incumbent.score + 1
        with run.slice(share):
            return tighten_upper_bound(problem, "r3", run, stop=lambda bound: bound.value < target)
