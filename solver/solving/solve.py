"""The one way to search: an order is carried out, and what is found is judged by the referee.

Every search of rowdraw starts here: those of `solve`, of a comparison, of the library, of the page,
and hints and analyses.
"""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from solver.errors import RowdrawError, StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.greedy import Hand, racks_of
from solver.search.run import Ending, Run, Strategy
from solver.solving.order import Order, Reports
from solver.solving.result import Result, confirm
from solver.solving.strategies import blaming, source_of
from verify.threads import watched_by

_GRACE = 1.0  # seconds that a strategy may take to notice that its run is over
_TICK = 0.1  # seconds between two checks of a run
_LATE = "continues after its limit; Ctrl-C asks it to stop"
_ASKED = "does not stop; Ctrl-C again stops it, and its best answer so far counts"


def carry_out(
    problem: Problem, order: Order, ending: Ending, reports: Reports | None = None
) -> list[Result]:
    """Return the best answers found, best first and confirmed: one, unless more are ordered.

    `ending` can stop the search early, and the best answer so far counts.

    Raises:
        StrategyError: The strategy does not support such puzzles, or one from outside is at fault.
        RefereeDisagreementError: The referee rejects an answer of our own strategies, which is an
            internal error.
        RowdrawError: No word can be played.
    """
    reports = reports or Reports()
    if not order.prove:
        return found_by(order.chosen(problem), problem, order, ending, reports)
    # imported only here, because few searches need bounds
    from solver.solving.prove import prove

    def search(strategy: Strategy, to: Reports, known: Solution | None) -> Result:
        return found_by(strategy, problem, order, ending, to, known)[0]

    return [prove(problem, order, reports, search)]


def found_by(
    strategy: Strategy,
    problem: Problem,
    order: Order,
    ending: Ending,
    reports: Reports,
    known: Solution | None = None,
) -> list[Result]:
    """Return the best answers that `strategy` finds.

    `known` is an answer that counts if it finds no better one.

    The kernels are compiled before the clock starts, since the time decides how good answers are.
    """
    _warm_up(strategy, reports.say)
    run = ending.of(order.new_run(reports))
    if known is not None:
        run.offer(known)
    if order.top is None:
        results = [search(problem, strategy, run)]
    else:
        most = None if order.top == "ties" else order.top
        results = _several(problem, strategy, run, most)
    if not results[0].turns and not run.late:
        best = problem.finder.best(racks_of(problem, Hand.at_start()))
        if any(plays and plays[0].score > 0 for plays in best):
            source = source_of(strategy)
            by = "" if source is None else f"{source}: "
            raise StrategyError(f"{by}strategy {strategy.name} offered an answer without turns")
        name = problem.rules.puzzle
        raise RowdrawError(f"{name}: no word can be played for points, so there is no answer")
    return results


def search(problem: Problem, strategy: Strategy, run: Run) -> Result:
    """Let `strategy` search until it is done or `run` is over.

    The run judges each answer when it is offered.
    Raises `StrategyError` for what the strategy cannot do, and for the faults of one from outside.
    """
    run.confirm = partial(confirm, problem.rules)
    began = time.process_time()
    _search_safely(strategy, problem, run)
    parameters = asdict(strategy.parameters)
    return _result(problem, strategy.name, parameters, run, time.process_time() - began)


def _several(problem: Problem, strategy: Strategy, run: Run, most: int | None) -> list[Result]:
    """Return the best answers that one beam finds, best first."""
    from solver.search.several import best_answers

    run.confirm = partial(confirm, problem.rules)
    began = time.process_time()
    games = best_answers(problem, run, strategy.parameters, most)
    parameters = asdict(strategy.parameters)
    result = _result(problem, strategy.name, parameters, run, time.process_time() - began)
    return [replace(result, solution=game, verdict=confirm(problem.rules, game)) for game in games]


def _warm_up(strategy: Strategy, say: Callable[[str], None]) -> None:
    """Compile the kernels that a strategy needs."""
    kernels = getattr(strategy, "kernels", "")
    if kernels is None:
        return
    # imported only here, because they compile kernels
    if kernels == "bounds":
        from solver.solving.compile_all import warm_up_bounds

        warm_up_bounds(say)
    else:
        from solver.solving.warmup import warm_up

        warm_up(say)


def _result(
    problem: Problem, name: str, parameters: dict[str, Any], run: Run, cpu_seconds: float
) -> Result:
    """Return the result of a run that has ended."""
    return Result(
        solution=run.incumbent,
        verdict=confirm(problem.rules, run.incumbent),
        strategy=name,
        parameters=parameters,
        seed=run.seed,
        threads=run.threads,
        seconds=run.elapsed,
        racks=run.racks,
        complete=not run.is_over,
        trace=tuple(run.trace),
        bound=run.bound,
        cpu_seconds=cpu_seconds if run.outside_cpu is None else run.outside_cpu,
        late=tuple(run.late),
        notes=run.notes,
    )


def _search_safely(strategy: Strategy, problem: Problem, run: Run) -> None:
    """Let `strategy` search. The faults of one from outside are reported as its own.

    If it raises after it has offered an answer, the user gets a message and the answer counts. The
    same holds for one that continues after its limit and is stopped by a second Ctrl-C. Raises
    `StrategyError` for other faults of one from outside.
    """
    source = source_of(strategy)
    if source is None:
        try:
            strategy.search(problem, run)
        except (MemoryError, OSError) as error:
            if not run.trace:
                raise
            run.tell(f"{_fault_of(error)}; the best answer before that counts")
        return
    try:
        # standard output is for the answer alone
        with (
            redirect_stdout(sys.stderr),
            watched_by(partial(_watch_for_overrun, strategy.name, run)),
            blaming(f"strategy {strategy.name}", source),
        ):
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


def _fault_of(error: MemoryError | OSError) -> str:
    if isinstance(error, MemoryError):
        return f"not enough memory ({error})"
    place = error.filename or "a connection or file"
    return f"{place}: cannot be read or written ({error.strerror or error})"


def _watch_for_overrun(name: str, run: Run, returned: threading.Event) -> None:
    """Warn the user if the strategy continues after its limit, and again after Ctrl-C."""
    # in another thread, since the strategy has the main one, and a signal handler must not print
    warned = ""
    while not returned.wait(_TICK):
        warning = _ASKED if run.interrupted else _LATE
        if run.is_over and warning != warned and not returned.wait(_GRACE):
            run.tell(f"strategy {name} {warning}")
            warned = warning
