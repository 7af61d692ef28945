"""What a user orders from a search, with all its rules, and what they want to hear while it runs."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from solver.checking import MOST_ANSWERS, MOST_DISTANCE, MOST_THREADS
from solver.errors import OrderError, StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.refine.parameters import RefineParameters
from solver.search.run import (
    MOST_SEED,
    Progress,
    Run,
    Strategy,
    check_number,
    check_seconds,
    processors,
)
from solver.solving.strategies import make_strategy

Watch = Callable[[Run, Progress], None]
Found = Callable[[Run, Solution], None]

_PROVABLE = (
    40  # tiles of the longest row that exact search solves, with few exceptions, in half a minute
)
_BEAM_OF_LARGE_RACKS = (
    "beam:width=200"  # without the closed index a rack takes at least ten times as long
)
_OF_PROOFS = {"prove", "seconds", "threads", "keep", "executor"}


@dataclass(frozen=True)
class Reports:
    """What hears of a search while it runs.

    Attributes:
        watch: Called many times a second with the run and its progress.
        say: Called with each message for the user.
        found: Called with the run and each better answer, which the referee has not judged yet.
    """

    watch: Watch | None = None
    say: Callable[[str], None] = lambda _message: None
    found: Found | None = None


@dataclass(frozen=True)
class Order:
    """How to solve a puzzle. Raises `RowdrawError` for values out of range, `OrderError` for those that exclude each other.

    Attributes:
        strategy: A strategy or its text, such as "beam:width=1000"; None for one that suits the problem and the time.
        seconds: The time limit of search and refinement; None for no limit.
        seed: Decides which of equally good states a beam keeps.
        threads: How many threads search; None for one per processor.
        refine: How to refine the answer; None for no refinement.
        prove: Whether to search until the answer is proven optimal.
        keep: With `prove`: the folder of answer, certificate and states, so that a killed proof resumes; None for memory.
        executor: With `prove` and `keep`: runs the tasks of sweeps on workers that see the folder; None for threads.
        top: How many answers of one beam to return, or "ties" for all that it kept and that score as much as the best one.
        distance: With `top`: the least number of turns of each answer whose words are missing in each better one.
        after: The first turns of every answer.
    """

    strategy: str | Strategy | None = None
    seconds: float | None = None
    seed: int = 0
    threads: int | None = None
    refine: RefineParameters | None = None
    prove: bool = False
    keep: Path | None = None
    executor: Executor | None = None
    top: int | Literal["ties"] | None = None
    distance: int = 0
    after: tuple[Turn, ...] = ()

    def __post_init__(self) -> None:
        # checked now, so that no answer is lost to a limit that is only used after the search
        check_seconds("seconds", self.seconds)
        check_number("seed", self.seed, 0, MOST_SEED)
        check_number("threads", self.workers, 1, MOST_THREADS)
        check_number("distance", self.distance, 0, MOST_DISTANCE)
        if isinstance(self.top, int):
            check_number("top", self.top, 1, MOST_ANSWERS)
        self._require("distance", "top")
        self._require("keep", "prove")
        self._require("executor", "keep")
        if self.prove:
            others = [
                field.name
                for field in fields(self)
                if field.name not in _OF_PROOFS and self._has(field.name)
            ]
            if others:
                raise OrderError("{} searches in its own way: expected no {}", "prove", others[0])

    def _has(self, name: str) -> bool:
        return bool(getattr(self, name) != getattr(type(self), name))

    def _require(self, name: str, other: str) -> None:
        if self._has(name) and not self._has(other):
            raise OrderError("{} needs {}", name, other)

    @property
    def workers(self) -> int:
        """How many threads search."""
        return processors() if self.threads is None else self.threads

    def chosen(self, problem: Problem) -> Strategy:
        """Return the strategy. Raises `StrategyError` if it cannot do what is ordered."""
        strategy = self.strategy
        if strategy is None:
            needs_beam = self.top is not None or bool(self.after)
            strategy = "beam" if needs_beam else suited_strategy(problem, self.seconds)
        if isinstance(strategy, str):
            strategy = make_strategy(strategy)
        if self.after and not getattr(strategy, "goes_on", False):
            raise StrategyError(
                f"strategy {strategy.name} cannot continue a game: expected beam, widening or greedy"
            )
        if self.after and self.refine is not None:
            raise StrategyError(
                "refinement changes all turns of a game: expected none if a game is continued"
            )
        if self.top is not None and (strategy.name != "beam" or self.refine is not None):
            raise StrategyError(
                "several answers come from one beam: expected strategy beam, without refinement"
            )
        return strategy

    def new_run(self, reports: Reports) -> Run:
        """Start a run with these limits."""
        return Run(
            self.seed,
            self.workers,
            self.seconds,
            opening=self.after,
            watch=reports.watch,
            say=reports.say,
            found=reports.found,
        )


def suited_strategy(problem: Problem, seconds: float | None) -> str:
    """Return the strategy expected to find most. Short rows are solved exactly, except variants."""
    if (
        len(problem.puzzle.row) <= _PROVABLE
        and problem.has_closed_index
        and not problem.puzzle.is_variant
    ):
        return "exact"
    if seconds is not None:
        return "widening"
    return "beam" if problem.has_closed_index else _BEAM_OF_LARGE_RACKS
