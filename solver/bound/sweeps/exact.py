"""Exact search: dynamic programming over all states that may still lead to a better solution.

Relaxation r3 gives each state an upper bound: its score plus the most that the rest of the game can
add. A state is pruned if this bound does not exceed the score of the incumbent. If no state is
left, the incumbent is optimal.
"""

import sys
from dataclasses import dataclass, replace
from typing import ClassVar

from solver.bound.ascent import Bound
from solver.bound.schedule import tighten_upper_bound
from solver.bound.sweeps.campaign import Workspace, check_sweepable, sweeps
from solver.checking import check_number
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.beam import Beam, BeamParameters, WideningParameters, check_width
from solver.search.run import Run

_WIDEST = 320_000  # the widest beam: still wider ones take much memory and seldom gain a point


@dataclass(frozen=True)
class ExactParameters:
    """The limits of exact search.

    Attributes:
        states: the most states of a layer, without a workspace.
        width: the width of the first beam.
        beams: the racks of the beams after a sweep, as a share of those that the next sweep is
            expected to expand.
        ascent: the rounds that improve the prices of the whole row, as a multiple of the usual
            number, one for every three tiles.
    """

    states: int = 8_000_000
    width: int = 2_000
    beams: float = 0.03
    ascent: float = 1.0

    def __post_init__(self) -> None:
        check_width("states", self.states)
        check_width("width", self.width)
        check_number("beams", self.beams, 0, 1, StrategyError)
        check_number("ascent", self.ascent, 0, 1_000_000, StrategyError)


@dataclass(frozen=True)
class Exact:
    """The exact strategy: a beam, then a bound, then sweeps over all states that may score between.

    Most rows need one short sweep. If that is not enough, wider beams search for a better game
    before the next sweep. Each point that they gain prunes many of its states. The longer that
    sweep is, the wider they are.

    Attributes:
        parameters: The limits.
        workspace: Where the states are, for a long proof: a layer may have any number of states,
            and the bounds of an earlier process with the same files count. None for memory, up to
            the limit.
    """

    Parameters = ExactParameters
    parameters: ExactParameters = ExactParameters()
    kernels: ClassVar[str] = "bounds"
    proves: ClassVar[bool] = True
    name: str = "exact"
    workspace: Workspace | None = None

    def search(self, problem: Problem, run: Run) -> None:
        """Search until the best game is proven optimal or the run is over.

        Raises `StrategyError` for a variant, a row too long for a certificate, or a rack too
        large for the index.
        """
        problem.require_ordinary("exact search")
        check_sweepable(problem)
        workspace = self.workspace or Workspace(problem)
        most = self.parameters.states if self.workspace is None else sys.maxsize
        widest = self.parameters.width
        Beam(BeamParameters(widest)).search(problem, run)
        racks_per_width = max(1.0, run.racks / widest)
        bound = self._first_bound(problem, run, workspace)
        run.bound = max(run.incumbent.score, bound.points)
        if run.is_over or run.bound == run.incumbent.score:
            return
        self._tell_gap(run)

        def search_wider(expected: float) -> None:
            nonlocal widest
            # two beams: one with cheaper and one with dearer tiles
            width = min(_WIDEST, int(self.parameters.beams * expected / (2 * racks_per_width)))
            if width >= 2 * widest:
                widest = width
                for beam in WideningParameters(first=1, last=width).beams(width):
                    Beam(beam).search(problem, run)

        for lower in sweeps(problem, run, bound, most, workspace=workspace, prepare=search_wider):
            run.bound = max(run.incumbent.score, lower.points)
            self._tell_gap(run)

    def _tell_gap(self, run: Run) -> None:
        """Report the gap of a long proof, unless it is closed."""
        best = run.incumbent.score
        if self.workspace is not None and run.bound != best:
            run.tell(
                f"best game {best}, no game scores more than {run.bound}, after {run.elapsed:.0f} s"
            )

    def _first_bound(self, problem: Problem, run: Run, workspace: Workspace) -> Bound:
        """Return the bound whose prices the sweeps use, found within a third of a time limit."""
        earlier = workspace.bound
        # sweeps of an earlier process have begun: they go on with its prices
        if earlier is not None and (earlier.foci or workspace.checkpoint() is not None):
            return earlier
        target = run.incumbent.score + 1
        with run.slice(run.seconds_left / 3):
            bound = tighten_upper_bound(
                problem,
                run,
                start=earlier,
                keep=workspace.keep_bound,
                stop=lambda bound: bound.points < target,
                effort=self.parameters.ascent,
            )
        if earlier is None or bound.points < earlier.points:
            return bound
        return replace(bound, claim=earlier.points)
