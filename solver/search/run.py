"""The run of a search: limits, clock, counters, incumbent, and its end by signals."""

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from solver.checking import MOST_THREADS, check_number, check_seconds, checked
from solver.model.solution import Solution, Turn

if TYPE_CHECKING:
    from solver.index.problem import Problem

MOST_SEED = 2**63 - 1
# states of the first beam under a limit: so few that even a busy machine soon has a complete game
FIRST_WIDTH = 25
GRACE = 0.05  # seconds after a time limit in which an answer still counts in a comparison
# racks after a rack limit in which it does: those of a span for each thread, and of turns that
# complete a game
GRACE_RACKS = 5_000
_BLIND = 0.2  # the share of the layers after which the cost of a state can be estimated
_USABLE = 0.95  # the share of the rest of a limit that a beam may use
# the weight of older costs decays by this factor with each layer: costs change along the row
_MEMORY = 0.93
# the rise of costs in the layers ahead, less the share of layers done; tuned on rows that no table
# reports
_RISE = 1.6


def processors() -> int:
    """Return the number of processors of this process, the default number of threads of a run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class TracePoint:
    """The time at which a better solution was found.

    Attributes:
        seconds: Seconds since the start of the run.
        racks: The number of racks expanded by then.
        score: The score of the solution.
    """

    seconds: float
    racks: int
    score: int


@dataclass(frozen=True)
class Progress:
    """The progress of a search.

    Attributes:
        label: The name of the work under way.
        done: The number of steps done.
        total: The number of steps in all; 0 if it is not known.
        note: A remark for the user.
    """

    label: str
    done: int
    total: int
    note: str = ""


@dataclass
class Run:
    """One run of a strategy: its limits, clock and counters, the incumbent, and a bound.

    The run, not the strategy, decides when to stop. Its limits `seconds` and `rack_budget` never
    change, but a part of the run may have a shorter limit, see `slice`. `interrupt` may be called
    from a signal handler or another thread.

    Attributes:
        seed: The seed of all random choices.
        threads: The number of threads that a strategy may use.
        seconds: The time limit; None for no limit.
        rack_budget: The most racks to expand; None for no limit.
        grace: Seconds after the time limit in which an answer still counts, and then for a rack
            limit `GRACE_RACKS`; None if every answer counts, however late.
        opening: Turns that every solution begins with, for strategies that can continue a game, see
            `Strategy`.
        confirm: Judges each solution before it becomes the incumbent, and raises an error for one
            that is not valid; None to believe every solution.
        title: A name for the run, for callers that watch several.
        watch: Called with the run and its progress.
        say: Called at once with each message for the user.
        found: Called at once with the run and each new incumbent.
        racks: The number of racks expanded so far.
        bound: An upper bound on the score, in points; None if not known.
        incumbent: The best solution so far.
        trace: The times at which better solutions were found.
        late: The same for solutions that came too late to count.
        started: The start of the run, by `time.perf_counter`.
        notes: Facts about the run that a strategy records, as JSON values.
        outside_cpu: The processor time, in seconds, of a program that searched instead of this
            process; None without one.
    """

    seed: int = 0
    threads: int = 1
    seconds: float | None = None
    rack_budget: int | None = None
    grace: float | None = None
    opening: tuple[Turn, ...] = ()
    confirm: Callable[[Solution], object] | None = None
    title: str = ""
    watch: Callable[["Run", Progress], None] | None = None
    say: Callable[[str], None] | None = None
    found: Callable[["Run", Solution], None] | None = None
    racks: int = 0
    bound: int | None = None
    incumbent: Solution = field(default_factory=lambda: Solution(()))
    trace: list[TracePoint] = field(default_factory=list)
    late: list[TracePoint] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    notes: dict[str, Any] = field(default_factory=dict)
    outside_cpu: float | None = None
    _interrupted: threading.Event = field(default_factory=threading.Event)
    _deadlines: list[float] = field(
        default_factory=list
    )  # ends of the open slices, in seconds since the start

    def __post_init__(self) -> None:
        check_seconds("seconds", self.seconds)
        check_number("threads", self.threads, 1, MOST_THREADS)

    @property
    def deadline(self) -> float | None:
        """The time, in seconds since the start, at which the run or an open slice is over.

        None without a limit.
        """
        return min(
            self._deadlines if self.seconds is None else [self.seconds, *self._deadlines],
            default=None,
        )

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, at least 0; infinite without one."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - self.elapsed)

    @contextmanager
    def slice(self, seconds: float | None) -> Iterator[None]:
        """Limit the run to `seconds` more while the context lasts.

        None or infinity is no further limit.

        Slices may be nested; the earliest deadline counts.
        """
        if seconds is None or math.isinf(seconds):
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
        """Whether the run was interrupted."""
        return self._interrupted.is_set()

    def interrupt(self) -> None:
        """Ask the strategy to stop and keep the incumbent."""
        self._interrupted.set()

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached or the run was interrupted."""
        return self.is_over_after(self.racks)

    def is_over_after(self, racks: int) -> bool:
        """Return whether the run is over, or would be with `racks` racks expanded in all."""
        deadline = self.deadline
        return (
            self.interrupted
            or (deadline is not None and self.elapsed >= deadline)
            or (self.rack_budget is not None and racks >= self.rack_budget)
        )

    @property
    def share_used(self) -> float | None:
        """The larger share used up of the time limit and the rack limit; None without a limit."""
        shares = []
        if (deadline := self.deadline) is not None:
            shares.append(self.elapsed / deadline if deadline > 0 else 1.0)
        if self.rack_budget is not None:
            shares.append(self.racks / self.rack_budget if self.rack_budget > 0 else 1.0)
        return max(shares, default=None)

    @checked
    def offer(self, solution: Solution) -> bool:
        """Make `solution` the incumbent if it is better, and return whether it is.

        One that comes too late, see `grace`, is only noted. Raises the error of `confirm` for one
        that is not valid.
        """
        return self.offer_found(solution, self.elapsed)

    def offer_found(self, solution: Solution, seconds: float) -> bool:
        """As `offer`, of a solution that arrived `seconds` after the start of the run."""
        point = TracePoint(seconds, self.racks, solution.score)
        best = max((earlier.score for earlier in self.trace), default=-1)
        if solution.score <= best:
            return False
        if self.confirm is not None:
            self.confirm(solution)
        if self._is_late(point):
            if all(solution.score > earlier.score for earlier in self.late):
                self.late.append(point)
            return False
        self.incumbent = solution
        self.trace.append(point)
        if self.found is not None:
            self.found(self, solution)
        return True

    def _is_late(self, point: TracePoint) -> bool:
        """Return whether a solution that was found then came too late to count."""
        if self.grace is None:
            return False
        if self.seconds is not None and point.seconds > self.seconds + self.grace:
            return True
        return self.rack_budget is not None and point.racks > self.rack_budget + GRACE_RACKS

    def report(self, label: str, done: int, total: int, note: str = "") -> None:
        """Report the progress of the search to `watch`; for the arguments see `Progress`."""
        if self.watch is not None:
            self.watch(self, Progress(label, done, total, note))

    def tell(self, message: str) -> None:
        """Give the user a message at once, through `say`."""
        if self.say is not None:
            self.say(message)


class Pace:
    """An estimate of the cost of a state of a beam, as a share of the run's limit.

    A beam that is cut short is worth little. A beam that grows narrower on its way is worth nearly
    as much as a beam that was as narrow from the start.
    """

    def __init__(self, run: Run, layers: int) -> None:
        self._run, self._layers = run, layers
        self._used = run.share_used
        self._cost = self._states = 0.0  # decayed sums over the last layers

    def note(self, states: int) -> None:
        """Note that a layer of `states` states was expanded."""
        if self._used is not None and (used := self._run.share_used) is not None:
            self._cost = _MEMORY * self._cost + used - self._used
            self._states = _MEMORY * self._states + states
            self._used = used

    def allowed(self, width: int, layer: int) -> int:
        """Return the width, at least 1, that a beam of `width` may have after `layer` layers."""
        if (
            self._used is None
            or not _BLIND * self._layers < layer < self._layers
            or self._cost <= 0
        ):
            return width
        # costs rise along the row, since most second plays are looked for near its end
        rise = max(1.0, _RISE - layer / self._layers)
        fitting = (
            _USABLE * (1 - self._used) * self._states / (self._cost * rise * (self._layers - layer))
        )
        return max(1, int(min(width, fitting)))


@runtime_checkable
class Strategy(Protocol):
    """A way to search. These are all attributes of a strategy that rowdraw uses.

    A strategy's class is called with its parameters. Attributes that it may lack say what else it
    can do:

    - `goes_on = True`: it can continue a game, and all its solutions begin with the opening of the
      run.
    - `is_beam = True`: its parameters are `BeamParameters`, and `solver.search.several` finds the
      best answers of its beam.
    - `proves = True`: it also finds a bound, and often proves its answer optimal.
    - `kernels = "bounds"`: it also needs the kernels of bounds, and not only those of searches;
      None: it needs none, because it searches in another process.

    """

    @property
    def Parameters(self) -> type[Any]:  # noqa: N802 - an attribute of the class
        """The type of the parameters: a frozen dataclass whose fields have defaults.

        The section "Attributes" of its docstring has a line for each.
        """

    @property
    def name(self) -> str:
        """The name of the strategy, an identifier."""

    @property
    def parameters(self) -> Any:
        """The parameters, of the type `Parameters`."""

    def search(self, problem: "Problem", run: Run) -> None:
        """Offer solutions to `run` until the search is done or the run is over.

        It offers at least one complete solution, even if the run is over early.
        """


_IMPATIENCE = 1.0  # seconds after which a second Ctrl-C means that the user will not wait
# seconds after which a signal comes again that arrived while numba made Python objects
_MOMENT = 0.01
CTRL_C = (signal.SIGINT,)
# sent when the terminal is closed; a process that was started to ignore it, as by nohup, still
# ignores it
_HANG_UP = (
    [signal.SIGHUP]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    else []
)
ALL = (signal.SIGINT, signal.SIGTERM, *_HANG_UP)


class Ending:
    """Interrupts the current run on a signal, and every later run at once.

    Before the first run a signal raises `KeyboardInterrupt`, and so does a second Ctrl-C, over a
    second after the first. Signals that arrive together count as one, because several arrive when a
    terminal is closed or a service manager stops a process.
    """

    def __init__(self) -> None:
        self._signalled_at: float | None = None
        self._run: Run | None = None

    @property
    def was_signalled(self) -> bool:
        """Whether a signal has arrived."""
        return self._signalled_at is not None

    def of(self, run: Run) -> Run:
        """Make `run` the current run and return it."""
        self._run = run
        if self._signalled_at is not None:  # between two runs
            run.interrupt()
        return run

    def handle(self, number: int, frame: FrameType | None) -> None:
        """The signal handler: end the current run, or raise `KeyboardInterrupt`."""
        if _is_in_kernel_call(frame):
            threading.Timer(_MOMENT, _send, [number]).start()
            return
        if self._signalled_at is None:
            self._signalled_at = time.monotonic()
            if self._run is None:
                raise KeyboardInterrupt
            self._run.interrupt()
        elif number == signal.SIGINT and time.monotonic() - self._signalled_at > _IMPATIENCE:
            raise KeyboardInterrupt


def _send(number: int) -> None:
    """Send a signal to the main thread, which handles it; Windows can only send it to this one."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)


def _is_in_kernel_call(frame: FrameType | None) -> bool:
    """Return whether numba is making Python objects, where an exception crashes the process."""
    while frame is not None:
        if frame.f_code.co_name == "_numba_unpickle":
            return True
        frame = frame.f_back
    return False


def on_signals(
    handle: Callable[[int, FrameType | None], object], numbers: Sequence[signal.Signals] = ALL
) -> dict[Any, Any]:
    """Let the signals `numbers` call `handle`, and return their former handlers."""
    # also for Ctrl-C, which Python does not handle in a background job of a script: there it starts
    # ignored
    return {number: signal.signal(number, handle) for number in numbers}


@contextmanager
def ending_on(numbers: Sequence[signal.Signals]) -> Iterator[Ending]:
    """Return an `Ending` that handles these signals until the context is left.

    Threads other than the main one handle no signal, since Python allows it only there.
    """
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield ending
        return
    before = on_signals(ending.handle, numbers)
    try:
        yield ending
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
