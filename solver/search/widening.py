"""Widening: beams of growing width until the run is over."""

from dataclasses import dataclass
from typing import ClassVar

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.beam import FISHING, BeamParameters, BeamRun, check_width
from solver.search.beam_prices import BLANK_PRICE, LETTER_PRICE
from solver.search.greedy import Greedy
from solver.search.run import Run
from verify.threads import ThreadPool


@dataclass(frozen=True)
class WideningParameters:
    """The parameters of widening; for `price`, `blank`, `typical` and `fishing` see `BeamParameters`.

    Attributes:
        first: The width of the narrowest beam.
        last: The width of the widest beam.
        factor: The ratio of the widths of successive beams. The last beam that fits the limits may be wider, up to factor
            squared.
        spread: The factor by which one of two beams of each width has cheaper tiles and the other dearer ones; 1 for one beam.
    """

    first: int = 300
    last: int = 1_000_000
    factor: float = 4.0
    price: float = LETTER_PRICE
    blank: float = BLANK_PRICE
    typical: float = 1.0
    fishing: float = FISHING
    spread: float = 1.15

    def __post_init__(self) -> None:
        check_width("first", self.first)
        check_width("last", self.last)
        if self.first > self.last:
            raise StrategyError(f"first = {self.first} is more than last = {self.last}")
        if not 1.1 <= self.factor <= 100:
            raise StrategyError(f"factor = {self.factor}: expected 1.1 to 100")
        if not 1 <= self.spread <= 10:
            raise StrategyError(f"spread = {self.spread}: expected 1 to 10")
        # check the given prices first, so that an error names them and not a multiple of them
        BeamParameters(self.last, self.price, self.blank, self.typical, self.fishing)
        try:
            self.beams(self.last)
        except StrategyError as error:
            raise StrategyError(f"spread = {self.spread} asks for a beam with {error}") from error

    def beams(self, width: int) -> list[BeamParameters]:
        """Return the parameters of the beams of that width. Raises `StrategyError` if a price is out of range."""
        return [
            BeamParameters(width, times * self.price, times * self.blank, self.typical, self.fishing)
            for times in dict.fromkeys((1 / self.spread, self.spread))
        ]


@dataclass(frozen=True)
class Widening:
    """Greedy search for a first answer, then wider and wider beams."""

    Parameters = WideningParameters
    parameters: WideningParameters = WideningParameters()
    name: str = "widening"
    goes_on: ClassVar[bool] = True

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best game of wider and wider beams."""
        chosen = self.parameters
        Greedy().search(problem, run)
        with ThreadPool(run.threads) as pool:
            # no prices find the best game of every row, and beams with different prices find different games
            beams = [BeamRun(problem, run, parameters, pool) for parameters in chosen.beams(chosen.last)]
            width = chosen.first
            while not run.is_over:
                before = run.share_used
                if not all(beam.search(width, run.opening) for beam in beams) or width == chosen.last:
                    break
                width = min(chosen.last, self._next_width(width, before, run.share_used))

    def _next_width(self, width: int, before: float | None, after: float | None) -> int:
        """Return the next width: the widest that fits the limits, unless it is too far from the width of the last beam."""
        planned = max(width + 1, int(width * self.parameters.factor))
        if before is None or after is None or after <= before:
            return planned
        # a beam's work grows at most in proportion to its width, and a beam that would take too long grows narrower on its way
        fitting = 0.9 * width * (1 - after) / (after - before)
        return int(fitting) if width < fitting <= planned * self.parameters.factor else planned
