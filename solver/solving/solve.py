"""One order carried out: warm-up, search, refinement, the referee's confirmation."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.refine.parameters import RefineParameters
from solver.search.run import Ending, Run, Strategy
from solver.solving.order import Order, Reports
from solver.solving.programs.program import Program
from solver.solving.result import Result, confirmed, is_confirmed
from solver.solving.strategies import blaming, source_of
from verify import judge

_GRACE = 1.0  # seconds that a strategy may take to notice that its run is over
_TICK = 0.1  # seconds between two checks of a run
_LATE = "continues after its limit; Ctrl-C asks it to stop"
_ASKED = "does not stop; Ctrl-C again stops it, and its best answer so far counts"


def carry_out(
    problem: Problem, order: Order, ending: Ending, reports: Reports | None = None
) -> list[Result]:
    """Return the best answers found for `problem`, best first, each confirmed by the referee: one, unless more are ordered.

    `ending` can stop the search early, and the best answer so far counts. Raises `StrategyError` if the strategy does not
    support such puzzles, and `RefereeDisagreementError`, an error of the program.
    """
    reports = reports or Reports()
    if order.prove:
        # imported only here, because few searches need bounds
        from solver.solving.prove import prove

        return [
            prove(
                problem,
                order,
                reports,
                lambda strategy, *more: solve_by(strategy, problem, order, ending, *more),
            )
        ]
    strategy = order.chosen(problem)
    if order.top is None:
        return [solve_by(strategy, problem, order, ending, reports)]
    return _several(problem, order, strategy, ending, reports)


def solve_by(
    strategy: Strategy,
    problem: Problem,
    order: Order,
    ending: Ending,
    reports: Reports,
    known: Solution | None = None,
) -> Result:
    """Return the best answer that `strategy` finds. `known` is an answer that counts if it finds no better one."""
    _warm_up(problem, strategy, reports.say)
    run = ending.of(order.new_run(reports))
    if known is not None:
        run.offer(known)
    return confirmed(problem, search(problem, strategy, run, order.refine))


def _several(
    problem: Problem, order: Order, strategy: Strategy, ending: Ending, reports: Reports
) -> list[Result]:
    """Return the best answers that one beam finds, best first."""
    from solver.search.several import best_answers

    _warm_up(problem, strategy, reports.say)
    run = ending.of(order.new_run(reports))
    began = time.process_time()
    most = None if order.top == "ties" else order.top
    games = best_answers(problem, run, strategy.parameters, most, order.distance)
    result = _result(problem, strategy, run, time.process_time() - began)
    return [confirmed(problem, replace(result, solution=game)) for game in games]


def _warm_up(problem: Problem, strategy: Strategy, say: Callable[[str], None]) -> None:
    """Compile the kernels that need it before any clock starts, since the time decides how good answers are."""
    # imported only here, because it compiles kernels
    from solver.solving.warmup import warm_up

    is_program = isinstance(strategy, Program)
    if is_program:
        problem.rules  # noqa: B018 - each of its answers is judged by them
    if strategy.name == "exact":
        from solver.solving.compile_all import warm_up_bounds

        warm_up_bounds(say)
    elif not is_program:
        warm_up(say)


def search(
    problem: Problem, strategy: Strategy, run: Run, refinement: RefineParameters | None = None
) -> Result:
    """Search `problem` with `strategy` until it is done or `run` is over, then refine the answer if asked to.

    The refinement has the second half of a time limit. The referee has not judged the result yet. Raises `StrategyError` for
    what the strategy cannot do, and for the faults of one from outside.
    """
    began = time.process_time()
    with run.slice(None if refinement is None else run.seconds_left / 2):
        search_safely(strategy, problem, run)
    cpu = time.process_time() - began if run.outside_cpu is None else run.outside_cpu
    if refinement is not None and not run.is_over:
        from solver.refine.refine import refine

        began = time.process_time()
        refine(problem, run, refinement)
        cpu += time.process_time() - began
    return _result(problem, strategy, run, cpu, refinement)


def _result(
    problem: Problem,
    strategy: Strategy,
    run: Run,
    cpu: float | None,
    refinement: RefineParameters | None = None,
) -> Result:
    return Result(
        name=problem.puzzle.name,
        statement=problem.statement,
        solution=run.incumbent,
        strategy=strategy.name,
        parameters=asdict(strategy.parameters)
        | (
            {f"refine_{name}": value for name, value in asdict(refinement).items()}
            if refinement
            else {}
        ),
        seed=run.seed,
        threads=run.threads,
        seconds=run.elapsed,
        cpu_seconds=cpu,
        racks=run.racks,
        complete=not run.is_over,
        trace=tuple(run.trace),
        bound=run.bound,
    )


def search_safely(strategy: Strategy, problem: Problem, run: Run) -> None:
    """Let `strategy` search. One from outside is not trusted: its faults are reported as its own, and its answer is judged.

    If it raises after it has offered an answer, the user gets a message and the answer counts. The same holds for one that
    continues after its limit and is stopped by a second Ctrl-C. Raises `StrategyError` for other faults of one from outside.
    """
    source = source_of(strategy)
    if source is None or isinstance(strategy, Program):
        try:
            strategy.search(problem, run)
        except (MemoryError, OSError) as error:
            if not run.trace:
                raise
            run.tell(f"{_fault_of(error)}; the best answer before that counts")
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
    if not run.trace and not run.late:
        raise StrategyError(
            f"{source}: strategy {strategy.name} offered no answer: expected run.offer(solution)"
        )
    if not is_confirmed(problem, run.incumbent):
        verdict = judge(run.incumbent.text(), problem.rules)
        fault = (
            f"line {verdict.violations[0].line}: {verdict.violations[0].message}"
            if verdict.violations
            else f"it claims {run.incumbent.score} points: expected {verdict.score}"
        )
        raise StrategyError(
            f"{source}: strategy {strategy.name} offered an answer that is not valid: {fault}"
        )


def _fault_of(error: MemoryError | OSError) -> str:
    if isinstance(error, MemoryError):
        return f"not enough memory ({error})"
    place = "a connection or file" if error.filename is None else error.filename
    return f"{place}: cannot be read or written ({error.strerror or error})"


@contextmanager
def _warning_of_overrun(name: str, run: Run) -> Iterator[None]:
    """Warn the user if the strategy continues after its limit, and again if it continues after Ctrl-C."""
    returned = threading.Event()
    # in another thread, since the strategy has the main one, and a signal handler must not print
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
    since: dict[
        str, float
    ] = {}  # when the watcher first saw that the strategy should have returned, for each warning
    while not returned.wait(_TICK):
        warning = _ASKED if run.interrupted else _LATE if run.is_over else None
        if (
            warning is not None
            and time.monotonic() - since.setdefault(warning, time.monotonic()) > _GRACE
        ):
            since[warning] = math.inf  # once is enough
            run.tell(f"strategy {name} {warning}")
