"""A strategy from outside is not trusted: its faults are told as its own, and what it offers is judged."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.run import Run
from solver.search.strategy import Strategy
from solver.solving.confirm import is_confirmed
from solver.solving.plugins import blaming, source_of
from solver.solving.programs import Program
from verify import judge
from verify.text import quote

_GRACE = 1.0  # seconds that a strategy may take to notice that its run is over
_TICK = 0.1  # seconds between two looks at a run
_LATE = "goes on after its limit; Ctrl-C asks it to stop"
_ASKED = "does not stop; Ctrl-C again stops it, and its best answer so far counts"


def search_safely(strategy: Strategy, problem: Problem, run: Run) -> None:
    """Let `strategy` search.

    One from outside that raises when it has offered an answer is told of, and the answer counts. This holds as well for one
    that goes on after its limit and is ended by a second Ctrl-C.

    Raises `StrategyError` for the faults of a strategy from outside.
    """
    source = source_of(strategy)
    if source is None or isinstance(strategy, Program):
        try:
            strategy.search(problem, run)
        except MemoryError as error:
            if not run.trace:
                raise
            run.tell(f"not enough memory ({error}); the best answer before that counts")
        return
    try:
        with _warning_of_overrun(strategy.name, run), blaming(f"strategy {strategy.name}", source):
            strategy.search(problem, run)
    except StrategyError as error:
        if not run.trace:
            raise
        run.notes["fault"] = str(error)
        run.tell(f"{error}; the best answer before that counts")
    except KeyboardInterrupt:
        if not (run.interrupted and run.trace):
            raise
        run.tell(f"strategy {strategy.name} was stopped; the best answer before that counts")
    if not run.trace:
        raise StrategyError(f"{source}: strategy {strategy.name} offered no answer: expected run.offer(solution)")
    if not isinstance(run.incumbent, Solution):
        raise StrategyError(
            f"{source}: strategy {strategy.name} offered a {quote(type(run.incumbent).__name__)}: expected a Solution"
        )
    if not is_confirmed(problem, run.incumbent):
        verdict = judge(run.incumbent.text(), problem.rules)
        fault = (
            f"line {verdict.violations[0].line}: {verdict.violations[0].message}"
            if verdict.violations
            else f"it claims {run.incumbent.score} points: expected {verdict.score}"
        )
        raise StrategyError(f"{source}: strategy {strategy.name} offered an answer that is not valid: {fault}")


@contextmanager
def _warning_of_overrun(name: str, run: Run) -> Iterator[None]:
    """Tell the user if the strategy goes on after its limit, and again if it goes on after Ctrl-C."""
    returned = threading.Event()
    # a thread of its own, since the strategy has the main one, and a signal handler must not print
    watcher = threading.Thread(target=_watch_for_overrun, args=(name, run, returned), daemon=True)
    try:
        watcher.start()
    except RuntimeError:  # the system starts no more threads: only the warning is missing
        yield
        return
    try:
        yield
    finally:
        returned.set()
        watcher.join()


def _watch_for_overrun(name: str, run: Run, returned: threading.Event) -> None:
    since: dict[str, float] = {}  # when the watcher first saw that the strategy should have returned, for each warning
    while not returned.wait(_TICK):
        warning = _ASKED if run.interrupted else _LATE if run.is_over else None
        if warning is not None and time.monotonic() - since.setdefault(warning, time.monotonic()) > _GRACE:
            since[warning] = math.inf  # once is enough
            run.tell(f"strategy {name} {warning}")
