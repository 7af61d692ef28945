"""Beams of growing width until the run is over."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from solver.errors import StrategyError
from solver.problem import Problem
from solver.search.beam import FISHING, BeamParameters, BeamRun
from solver.search.greedy import Greedy
from solver.search.prices import BLANK, LETTER
from solver.search.strategy import Run


@dataclass(frozen=True)
class WideningParameters:
    """first, last: the narrowest and the widest beam. factor: each beam is that many times as wide as the one before, the last
    one that fits the limits up to its square. price, blank, typical, fishing: as for `beam`."""

    first: int = 300
    last: int = 1_000_000
    factor: float = 4.0
    price: float = LETTER
    blank: float = BLANK
    typical: float = 1.0
    fishing: float = FISHING

    def __post_init__(self) -> None:
        for width in (self.first, self.last):
            self.beam(width)
        if self.first > self.last:
            raise StrategyError(f"first = {self.first} is more than last = {self.last}")
        if not 1.1 <= self.factor <= 100:
            raise StrategyError(f"factor = {self.factor}: expected 1.1 to 100")

    def beam(self, width: int) -> BeamParameters:
        """Of the beam of that width. Raises `StrategyError`."""
        return BeamParameters(width, self.price, self.blank, self.typical, self.fishing)


@dataclass(frozen=True)
class Widening:
    """Greedy first, so that there is an answer at once, then beams."""

    Parameters = WideningParameters
    parameters: WideningParameters = WideningParameters()
    name: str = "widening"

    def search(self, problem: Problem, run: Run) -> None:
        chosen = self.parameters
        Greedy().search(problem, run)
        with ThreadPoolExecutor(run.threads) as pool:
            beams = BeamRun(problem, run, chosen.beam(chosen.last), pool)
            width = chosen.first
            while not run.is_over:
                before = run.share_used
                if not beams.search(width) or width == chosen.last:
                    break
                width = min(chosen.last, self._next_width(width, before, run.share_used))

    def _next_width(self, width: int, before: float | None, after: float | None) -> int:
        """The next width: the widest that fits the limits, unless that is too far from what the last beam has taught."""
        planned = int(width * self.parameters.factor)
        if before is None or after is None or after <= before:
            return planned
        # a beam's work grows in proportion to its width at most; one that would take too long grows narrower on its way
        fitting = int(0.9 * width * (1 - after) / (after - before))
        return fitting if width < fitting <= planned * self.parameters.factor else planned
