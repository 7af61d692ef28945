"""The run of a search: its limits, its clock and counters, and the best solution so far."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from solver.errors import RowdrawError
from solver.limits import MOST_THREADS
from solver.model.solution import Solution, Turn

MOST_SEED = 2**63 - 1


def processors() -> int:
    """How many processors this process may use: the threads of a run, unless somebody says otherwise."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise `RowdrawError` unless `seconds` is a time limit, where None is no limit. `name` is what the message calls it."""
    if seconds is not None and not seconds >= 0:  # which NaN is not, either
        raise RowdrawError(f"{name} = {seconds}: expected a time limit of 0 seconds or more, or None for no limit")


def check_number(name: str, number: int, least: int, most: int) -> None:
    """Raise `RowdrawError` unless `number`, which the message calls `name`, is in these limits."""
    if not least <= number <= most:
        raise RowdrawError(f"{name} = {number}: expected {least} to {most:,}")


@dataclass(frozen=True)
class TracePoint:
    """When a better solution was found: seconds since the start, racks expanded by then, its score."""

    seconds: float
    racks: int
    score: int


@dataclass(frozen=True)
class Progress:
    """How far a search has come: `done` of `total` steps of what `label` names, and a note.

    total: 0 where nobody knows of how many.
    """

    label: str
    done: int
    total: int
    note: str = ""


@dataclass
class Run:
    """One run of a strategy: its limits, its clock and counters, the incumbent, and where it is known a bound in points.

    The run, not the strategy, knows when to stop. Its limits, `seconds` and `rack_budget`, stay as they are; a part of it may
    be over sooner, see `slice`. `interrupt` may be called from a signal handler or another thread.

    opening: turns that every solution begins with, for strategies that can go on with a game, see `solver.search.strategy`.
    title: what the run is of, for those who watch several.
    say: told at once what a user should know of the search.
    found: Called with the run and each incumbent, as soon as it is found.
    notes: what a strategy tells of the run for those who keep it, as JSON has it.
    outside_cpu: seconds of processor time that a program took which searched in place of this process; None where none did.
    """

    seed: int = 0
    threads: int = 1
    seconds: float | None = None
    rack_budget: int | None = None
    opening: tuple[Turn, ...] = ()
    title: str = ""
    watch: Callable[["Run", Progress], None] | None = None
    say: Callable[[str], None] | None = None
    found: Callable[["Run", Solution], None] | None = None
    racks: int = 0
    bound: float | None = None
    incumbent: Solution = field(default_factory=lambda: Solution(()))
    trace: list[TracePoint] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    notes: dict[str, Any] = field(default_factory=dict)
    outside_cpu: float | None = None
    _interrupted: threading.Event = field(default_factory=threading.Event)
    _deadlines: list[float] = field(default_factory=list)  # of the slices under way, in seconds since the start

    def __post_init__(self) -> None:
        check_seconds("seconds", self.seconds)
        check_number("threads", self.threads, 1, MOST_THREADS)

    @property
    def deadline(self) -> float | None:
        """Seconds since the start after which the run, or the slice under way, is over; None without a limit."""
        return min(self._deadlines if self.seconds is None else [self.seconds, *self._deadlines], default=None)

    @contextmanager
    def slice(self, seconds: float | None) -> Iterator[None]:
        """Let the run be over after so many seconds more, None for any number, while the context lasts.

        Slices may stand inside one another; the one that is over first counts.
        """
        if seconds is None:
            yield
            return
        self._deadlines.append(self.elapsed + seconds)
        try:
            yield
        finally:
            self._deadlines.pop()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def interrupted(self) -> bool:
        """Whether somebody asked it to end."""
        return self._interrupted.is_set()

    def interrupt(self) -> None:
        """Ask the strategy to end with what it has."""
        self._interrupted.set()

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached or the run was interrupted."""
        return self.is_over_after(self.racks)

    def is_over_after(self, racks: int) -> bool:
        """Whether the run is over, or will be once so many racks have been expanded in all."""
        deadline = self.deadline
        return (
            self.interrupted
            or (deadline is not None and self.elapsed >= deadline)
            or (self.rack_budget is not None and racks >= self.rack_budget)
        )

    @property
    def share_used(self) -> float | None:
        """The part of the time or rack limit that is used up, the larger one; None where there is no limit."""
        shares = []
        if (deadline := self.deadline) is not None:
            shares.append(self.elapsed / deadline if deadline > 0 else 1.0)
        if self.rack_budget is not None:
            shares.append(self.racks / self.rack_budget if self.rack_budget > 0 else 1.0)
        return max(shares, default=None)

    def offer(self, solution: Solution, seconds: float | None = None) -> bool:
        """Make `solution` the incumbent if it is better; says whether it is.

        seconds: since the start, when it was there; None for now.
        """
        if self.trace and solution.score <= self.incumbent.score:
            return False
        self.incumbent = solution
        self.trace.append(TracePoint(self.elapsed if seconds is None else seconds, self.racks, solution.score))
        if self.found is not None:
            self.found(self, solution)
        return True

    def report(self, label: str, done: int, total: int, note: str = "") -> None:
        """Tell whoever watches how far the search has come."""
        if self.watch is not None:
            self.watch(self, Progress(label, done, total, note))

    def tell(self, message: str) -> None:
        """Tell the user something at once, where anybody listens."""
        if self.say is not None:
            self.say(message)
