"""A strategy that searches in a process of its own, which is contained, timed and judged from here.

The process first loads kernels and indexes, which takes the same time for every strategy, and says
that it is ready. Only then it imports a strategy from outside the package. It sends each better
answer at once, as a line of JSON. Nothing that it says about time is believed, and every answer is
judged again.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from solver.checking import Budget
from solver.errors import RefereeDisagreementError, RowdrawError, StrategyError
from solver.index.problem import Problem
from solver.lab.compare.plan import forbid_plans
from solver.lab.compare.runs import Count, Task
from solver.lab.python import python_command
from solver.model.solution import Solution, Turn
from solver.search.run import Ending, Run
from solver.solving.order import Order, Reports
from solver.solving.programs.contained import Contained
from solver.solving.solve import carry_out
from solver.solving.strategies import make_strategy
from solver.solving.warmup import load_kernels
from verify.rules import unpacked

_LOADING = 600.0  # seconds in which a process must be ready; it may have to compile kernels
_PATIENCE = 5.0  # seconds beyond its limit after which a process is killed
_UNCOUNTED = 60.0  # seconds without another rack after which it is killed under a budget of racks
_UNCOUNTED_BY_OURS = 3_600.0  # the same for the strategies of the package
_BEAT = 1.0  # seconds between two reports of the racks so far
_LONGEST_LINE = 10_000_000  # bytes
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line from the process.

    Attributes:
        ready: The processor time that it has taken when it is ready to search.
        racks: The number of racks expanded so far.
        turns: The turns of a better answer, each with draws on the left, play, word and score.
        ended: Whether the search has ended; the fields below are known then.
        error: Why it has failed; empty if it has not.
        complete: Whether the search finished before any limit.
        notes: Facts about the run that the strategy recorded.
    """

    ready: float | None = None
    racks: Count = 0
    turns: list[tuple[Count, str, str, Count]] | None = None
    ended: bool = False
    error: str = ""
    complete: bool = False
    notes: dict[str, Any] = {}


class Apart:
    """The strategy of a task, which searches in a process of its own.

    Attributes:
        end: The last message of the process, once it has ended.
    """

    Parameters = Budget  # of the task; the strategy in the process has its own
    name = "apart"
    kernels: ClassVar[None] = None

    def __init__(self, task: Task) -> None:
        self.parameters = task.limit
        self.end = Message()
        self._task = task
        self._cpu_before = 0.0
        # after which it is killed: of the search; under a budget of racks, since the last rack
        self._most_seconds = _UNCOUNTED if "+" in task.code else _UNCOUNTED_BY_OURS
        if task.limit.seconds is not None:
            self._most_seconds = task.limit.seconds + _PATIENCE

    def search(self, problem: Problem, run: Run) -> None:
        """Offer what the process finds.

        Raises `StrategyError` if it fails before an answer that counts.
        """
        given = {"task": msgspec.to_builtins(self._task), "rules": problem.rules.packed()}
        command = python_command("from solver.lab.compare.apart import work; work()")
        environment = {**os.environ, **_ONE_THREAD}
        with Contained(command, json.dumps(given).encode(), environment) as process:
            fault = self._follow(process, run)
            ended = run.elapsed
        # the time in which its processes are killed is not its own
        run.started += run.elapsed - ended
        run.outside_cpu = max(0.0, process.cpu - self._cpu_before)
        run.notes |= self.end.notes
        if fault or not self.end.complete:
            run.interrupt()  # so the result does not say that the search was complete
        if not fault:
            return
        if not run.trace:
            raise StrategyError(fault)
        run.notes["fault"] = fault

    def _follow(self, process: Contained, run: Run) -> str:
        """Offer its answers until it ends or is to be killed; return its fault, if any."""
        deadline = time.monotonic() + _LOADING
        is_ready = False
        for message in _messages(process):
            now = time.monotonic()
            if message.ready is not None and not is_ready:
                is_ready = True
                run.started = process.arrived
                self._cpu_before = message.ready
                deadline = now + self._most_seconds
            if message.racks > run.racks:
                run.racks = message.racks
                if run.seconds is None:
                    deadline = now + self._most_seconds
            if message.turns is not None:
                turns = tuple(Turn(*turn) for turn in message.turns)
                try:
                    run.offer_found(Solution(turns), process.arrived - run.started)
                except RefereeDisagreementError as error:
                    return f"it offered an answer that is not valid: {error.fault}"
            if message.ended:
                self.end = message
                return message.error
            if run.interrupted:
                return "it was interrupted"
            if now > deadline:
                return self._lateness(run) if is_ready else f"it did not start{process.errors}"
        return f"before its search was done {process.ending}{process.errors}"

    def _lateness(self, run: Run) -> str:
        if run.seconds is not None:
            return f"it continued {_PATIENCE:g} s after its limit and was killed"
        return (
            f"strategy {self._task.label} has counted no rack for {self._most_seconds:g} s "
            f"under a budget of {run.rack_budget:,} racks, after {run.racks:,}: "
            "expected it to add each rack that it looks at to run.racks, or a budget such as 10s"
        )


def _messages(process: Contained) -> Iterator[Message]:
    """Yield the messages of a process, and an empty one whenever none has come for a moment."""
    decode = msgspec.json.Decoder(Message).decode
    for line in process.lines(_LONGEST_LINE):
        if line is None:
            yield Message()
            continue
        try:
            yield decode(line)
        except ValueError as error:
            yield Message(
                ended=True, error=f"its process sent something else than answers: {error}"
            )


def work() -> None:
    """Search as standard input says, and send each better answer to what was standard output."""
    send = _Sender(os.dup(1))
    os.dup2(2, 1)  # a strategy may print to standard output
    given = json.loads(sys.stdin.read())
    task = msgspec.convert(given["task"], Task)
    problem = Problem(unpacked(given["rules"]))
    forbid_plans()
    _load(task, problem)
    send(Message(ready=time.process_time()))
    began = time.perf_counter()
    try:
        strategy = make_strategy(task.strategy)
        seconds = task.limit.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - began))
        order = Order(
            strategy=strategy,
            seconds=seconds,
            racks=task.limit.racks,
            seed=task.seed,
            threads=task.threads,
        )
        result = carry_out(problem, order, _Beats(send), Reports(found=send.answer))[0]
    except (RowdrawError, RefereeDisagreementError) as error:
        send(Message(ended=True, error=str(error)))
        return
    send(
        Message(
            ended=True,
            racks=result.racks,
            complete=result.complete,
            notes=result.notes,
        )
    )


def _load(task: Task, problem: Problem) -> None:
    """Load every kernel and index that a search may need."""
    load_kernels()
    is_ours = "+" not in task.code
    if is_ours and getattr(make_strategy(task.strategy), "kernels", "") == "bounds":
        from solver.solving.compile_all import load_bounds

        load_bounds()
    _ = problem.finder
    if problem.has_closed_index:
        _ = problem.closed


class _Sender:
    """Sends messages from this process; one that a strategy forks from it sends none."""

    def __init__(self, file: int) -> None:
        self._file = os.fdopen(file, "wb")
        self._process = os.getpid()
        self._lock = threading.Lock()

    def __call__(self, message: Message) -> None:
        if os.getpid() == self._process:
            with self._lock:
                self._file.write(msgspec.json.encode(message) + b"\n")
                self._file.flush()

    def answer(self, run: Run, solution: Solution) -> None:
        """Send an answer."""
        turns = [(turn.left, turn.play, turn.word, turn.score) for turn in solution.turns]
        self(Message(racks=run.racks, turns=turns))


class _Beats(Ending):
    """Sends the racks of a run once in a while, if they are what limits it."""

    def __init__(self, send: _Sender) -> None:
        super().__init__()
        self._send = send

    def of(self, run: Run) -> Run:
        """Begin to send the racks of `run`."""
        if run.rack_budget is not None:
            threading.Thread(target=self._beat, args=(run,), daemon=True).start()
        return super().of(run)

    def _beat(self, run: Run) -> None:
        while True:
            time.sleep(_BEAT)
            self._send(Message(racks=run.racks))
