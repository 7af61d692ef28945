"""The parameters of a refinement, in a module without OR-Tools, which takes long to import."""

from dataclasses import dataclass

from solver.checking import MOST_THREADS, check_number
from solver.errors import StrategyError


@dataclass(frozen=True)
class RefineParameters:
    """The parameters of a refinement. Raises `StrategyError` for values out of range.

    Attributes:
        effort: The limit of effort in all, in CP-SAT's deterministic time; its unit is about a
            second.
        plays: The number of plays that a freed turn may choose from.
        workers: The threads of CP-SAT. More than one are faster, but answers differ from run to
            run.
    """

    effort: float = 60.0
    plays: int = 150
    workers: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.effort <= 1e6:
            raise StrategyError(f"effort = {self.effort}: expected more than 0, at most 1,000,000")
        check_number("plays", self.plays, 1, 100_000, StrategyError)
        check_number("workers", self.workers, 1, MOST_THREADS, StrategyError)
