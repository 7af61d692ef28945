"""The parameters of a refinement, in a module without OR-Tools, which takes long to import."""

from dataclasses import dataclass

from solver.checking import MOST_THREADS
from solver.errors import StrategyError


@dataclass(frozen=True)
class RefineParameters:
    """The parameters of a refinement. Raises `StrategyError` for values out of range.

    Attributes:
        effort: The limit of effort in all, in CP-SAT's deterministic time, whose unit is about a second.
        plays: The number of plays that a freed turn may choose from.
        workers: The threads of CP-SAT. More than one are faster, but the answer then differs from run to run.
    """

    effort: float = 60.0
    plays: int = 150
    workers: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.effort <= 1e6:
            raise StrategyError(f"effort = {self.effort}: expected more than 0, at most 1,000,000")
        if not 1 <= self.plays <= 100_000:
            raise StrategyError(f"plays = {self.plays}: expected 1 to 100,000")
        if not 1 <= self.workers <= MOST_THREADS:
            raise StrategyError(f"workers = {self.workers}: expected 1 to {MOST_THREADS}")
