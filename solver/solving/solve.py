"""One run, composed: warm-up, search, refinement, bound, the referee's confirmation."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from solver.index.problem import Problem
from solver.refine.parameters import RefineParameters
from solver.search.run import Progress, Run
from solver.search.strategy import Strategy
from solver.solving.ending import Ending
from solver.solving.outside import search_safely
from solver.solving.programs import Program
from solver.solving.referee import judged
from solver.solving.result import Result

_PROVABLE = 32  # tiles of a row that exact search takes some seconds for


@dataclass(frozen=True)
class Settings:
    """What is asked for.

    seconds: that search and refinement may take; None for as long as they need.
    seed: decides between equals.
    refinement: of what the search finds; None for none.
    bounding: seconds for a bound that no answer exceeds, after the search; None for none.
    """

    strategy: Strategy
    seconds: float | None = None
    seed: int = 0
    threads: int = 1
    refinement: RefineParameters | None = None
    bounding: float | None = None


def solve_problem(
    problem: Problem,
    settings: Settings,
    ending: Ending,
    watch: Callable[[Run, Progress], None] | None = None,
    say: Callable[[str], None] = lambda _message: None,
) -> Result:
    """The best answer found for `problem`, which the referee has confirmed.

    ending: ends it early, with the best answer so far.
    watch: told how far it has come.
    say: told what takes long before it begins.

    Raises `StrategyError` where the strategy does not take such puzzles, and `RefereeDisagreementError`, a fault of ours.
    """
    # imported when something is to be run: it compiles kernels
    from solver.solving.warmup import warm_up

    if isinstance(settings.strategy, Program):
        problem.rules  # noqa: B018 - by which each of its answers is judged; it needs no kernels
    else:
        warm_up(say)
    run = ending.of(Run(settings.seed, settings.threads, settings.seconds, watch=watch, say=say))
    result = search(problem, settings.strategy, run, settings.refinement)
    if settings.bounding is not None and not ending.is_told:
        bounding = ending.of(Run(settings.seed, settings.threads, settings.bounding, watch=watch))
        result = replace(result, bound=_lower(result.bound, problem, bounding))
    return judged(problem, result)


def search(problem: Problem, strategy: Strategy, run: Run, refinement: RefineParameters | None = None) -> Result:
    """Search `problem` with `strategy` until it is done or `run` is over, then refine what it found if that is asked for.

    Where there is a time limit the refinement has the second half of it. Nobody has judged the result of our own strategies.

    Raises `StrategyError` for what the strategy cannot do, and for the faults of one from outside.
    """
    half = None if refinement is None or run.seconds is None else run.seconds / 2
    began = time.process_time()
    with run.slice(half):
        search_safely(strategy, problem, run)
    cpu = time.process_time() - began if run.outside_cpu is None else run.outside_cpu
    if refinement is not None and not run.is_over:
        from solver.refine.refine import refine

        began = time.process_time()
        refine(problem, run, refinement)
        cpu += time.process_time() - began
    return Result(
        puzzle=problem.puzzle.reference,
        row=problem.puzzle.row if problem.puzzle.own_row else None,
        solution=run.incumbent,
        strategy=strategy.name,
        parameters=asdict(strategy.parameters)
        | ({f"refine_{name}": value for name, value in asdict(refinement).items()} if refinement else {}),
        seed=run.seed,
        threads=run.threads,
        seconds=run.elapsed,
        cpu_seconds=cpu,
        racks=run.racks,
        complete=not run.is_over,
        trace=tuple(run.trace),
        bound=run.bound,
    )


def suited_strategy(problem: Problem, seconds: float | None) -> str:
    """What finds most: short rows are solved exactly."""
    if len(problem.puzzle.row) <= _PROVABLE and problem.has_closed_index:
        return "exact"
    return "beam" if seconds is None else "widening"


def _lower(known: float | None, problem: Problem, run: Run) -> float:
    """What is known that no answer exceeds, or a lower bound that `run` finds."""
    from solver.bound.schedule import suited_relaxation, tighten_upper_bound

    found = tighten_upper_bound(problem, suited_relaxation(problem), run).value
    return found if known is None else min(known, found)
