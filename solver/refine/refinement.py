"""Refinement as a strategy, so that it can be compared with others: a quick answer and then its refinement."""

from dataclasses import dataclass

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.refine.parameters import RefineParameters
from solver.refine.refine import refine
from solver.search.beam import Beam, BeamParameters, check_width
from solver.search.greedy import Greedy
from solver.search.run import Run


@dataclass(frozen=True)
class RefinedParameters:
    """The parameters of a refined answer.

    Attributes:
        width: The width of the beam whose answer is refined; 0 for a greedy answer.
        effort: See `RefineParameters`.
        plays: See `RefineParameters`.
    """

    width: int = 0
    effort: float = RefineParameters.effort
    plays: int = RefineParameters.plays

    def __post_init__(self) -> None:
        if self.width < 0:
            raise StrategyError(f"width = {self.width}: expected 0 or more")
        if self.width:
            check_width("width", self.width)
        RefineParameters(self.effort, self.plays)


@dataclass(frozen=True)
class Refined:
    """A greedy answer, or that of one beam, improved by OR-Tools and narrow beams."""

    Parameters = RefinedParameters
    parameters: RefinedParameters = RefinedParameters()
    name: str = "refined"

    def search(self, problem: Problem, run: Run) -> None:
        """Offer a quick answer and better ones. Raises `StrategyError` if the rack is too large for the index."""
        chosen = self.parameters
        start = Beam(BeamParameters(chosen.width)) if chosen.width else Greedy()
        start.search(problem, run)
        refine(problem, run, RefineParameters(chosen.effort, chosen.plays))
