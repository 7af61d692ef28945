"""What a user orders from a search, and what hears of it while it runs."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from solver.checking import MOST_ANSWERS, MOST_THREADS, check_number, check_seconds
from solver.errors import OrderError, StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.run import MOST_SEED, Progress, Run, Strategy, processors
from solver.solving.strategies import (
    can,
    checked_strategy,
    make_strategy,
    names_that,
    suited_strategy,
)

Watch = Callable[[Run, Progress], None]
Found = Callable[[Run, Solution], None]

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
    """How to solve a puzzle. Raises `RowdrawError` or `OrderError` for values that cannot be.

    Attributes:
        strategy: A strategy or its text, such as "beam:width=1000"; None for one that suits the
            problem and the time.
        seconds: The time limit of the search; None for no limit.
        seed: Decides which of equally good states a beam keeps.
        threads: How many threads search; None for one per processor.
        prove: Whether to search until the answer is proven optimal.
        keep: With `prove`: the folder of answer, certificate and states, so that a killed proof
            resumes; None for memory.
        executor: With `prove` and `keep`: runs the tasks of sweeps on workers that see the folder;
            None for threads.
        racks: The most racks to expand; None for no limit.
        grace: Seconds after the time limit in which an answer still counts; None if every answer
            counts, however late.
        top: How many answers of one beam to return, or "ties" for all that it kept and that score
            as much as the best one.
        after: The first turns of every answer.
    """

    strategy: str | Strategy | None = None
    seconds: float | None = None
    seed: int = 0
    threads: int | None = None
    prove: bool = False
    keep: Path | None = None
    executor: Executor | None = None
    top: int | Literal["ties"] | None = None
    after: tuple[Turn, ...] = ()
    racks: int | None = None
    grace: float | None = None

    def __post_init__(self) -> None:
        # checked now, so that no answer is lost to a limit that is only used after the search
        check_seconds("seconds", self.seconds)
        check_number("seed", self.seed, 0, MOST_SEED)
        check_number("threads", self.workers, 1, MOST_THREADS)
        if isinstance(self.top, int):
            check_number("top", self.top, 1, MOST_ANSWERS)
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
            is_plain = self.top is None and not self.after
            is_limited = self.seconds is not None or self.racks is not None
            strategy = suited_strategy(problem, is_limited=is_limited, is_plain=is_plain)
        if isinstance(strategy, str):
            strategy = make_strategy(strategy)
        else:
            checked_strategy(type(strategy), f"strategy {type(strategy).__name__}")
        if self.after and not can(strategy, "goes_on"):
            raise StrategyError(
                f"strategy {strategy.name} cannot continue a game: expected {names_that('goes_on')}"
            )
        if self.top is not None and not can(strategy, "is_beam"):
            beams = names_that("is_beam")
            raise StrategyError(f"several answers come from one beam: expected strategy {beams}")
        return strategy

    def new_run(self, reports: Reports) -> Run:
        """Start a run with these limits."""
        return Run(
            self.seed,
            self.workers,
            self.seconds,
            self.racks,
            self.grace,
            self.after,
            watch=reports.watch,
            say=reports.say,
            found=reports.found,
        )
