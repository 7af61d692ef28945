"""Exact search: dynamic programming over all states that may still lead to a better solution.

Relaxation r3 gives each state an upper bound: its score plus the most that the rest of the game can add. A state is pruned if
this bound does not exceed the score of the incumbent. If no state is left, the incumbent is optimal.
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

_SHORT = 40  # tiles of the longest row whose ascent has the time limit `ExactParameters.ascent`
_ROUNDS = 12  # rounds of an ascent for states: these sweeps are so short that more rounds cost more time than they save


@dataclass(frozen=True)
class ExactParameters:
    """The limits of exact search.

    Attributes:
        states: the most states of a layer.
        width: the width of the first beam.
        wide: the width of the two beams that search if the first sweep leaves a gap.
        ascent: seconds for the prices of a row of up to 40 tiles; longer rows take more, in proportion to the third power of
            their length.
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
        """Return the two wide beams, one with cheaper and one with dearer tiles than usual."""
        return WideningParameters(first=1, last=self.wide).beams(self.wide)


@dataclass(frozen=True)
class Exact:
    """The exact strategy: a beam, then a bound, then sweeps over all states that may lead to a score between the two.

    Most rows need one short sweep. If that is not enough, wider beams search for a better game before the next sweep. Each
    point that they gain prunes many of its states.
    """

    Parameters = ExactParameters
    parameters: ExactParameters = ExactParameters()
    name: str = "exact"

    def search(self, problem: Problem, run: Run) -> None:
        """Search until the best game is proven optimal or the run is over.

        Raises `StrategyError` for a variant, a row too long for relaxation r3, or a rack too large for the index.
        """
        problem.require_ordinary("exact search")
        if len(problem.puzzle.row) > LONGEST or not problem.has_closed_index:
            raise StrategyError(
                f"exact search takes rows of up to {LONGEST} tiles and racks of up to 10: this one has "
                f"{len(problem.puzzle.row)} and {problem.puzzle.rack_size}"
            )
        Beam(BeamParameters(self.parameters.width)).search(problem, run)
        first_bound = self._bound(problem, run)
        run.bound = max(run.incumbent.score, math.floor(first_bound.value))
        if run.is_over or run.bound == run.incumbent.score:
            return
        trainer = Trainer(problem, rounds=_ROUNDS)
        lower = sweeps(problem, run, first_bound.prices, self.parameters.states, run.bound, trainer)
        for number, (bound, _outlooks) in enumerate(lower):
            run.bound = bound
            if number == 0 and bound > run.incumbent.score:
                for beam in self.parameters.wide_beams():
                    Beam(beam).search(problem, run)

    def _bound(self, problem: Problem, run: Run) -> Bound:
        """Return the bound whose prices the sweeps use, computed within a share of the run's time."""
        share = self.parameters.ascent * max(1.0, len(problem.puzzle.row) / _SHORT) ** 3
        if run.seconds is not None:
            share = min(share, max(0.0, run.seconds - run.elapsed) / 3)
        target = run.incumbent.score + 1
        with run.slice(share):
            return tighten_upper_bound(problem, "r3", run, stop=lambda bound: bound.value < target)
