"""One run, composed: warm-up, search, refinement, bound, the referee's confirmation."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.limits import MOST_THREADS
from solver.model.solution import Solution, Turn
from solver.refine.parameters import RefineParameters
from solver.search.run import MOST_SEED, Progress, Run, check_number, check_seconds
from solver.search.strategy import Strategy
from solver.solving.confirm import judged
from solver.solving.ending import Ending
from solver.solving.outside import search_safely
from solver.solving.programs import Program
from solver.solving.result import Result

Watch = Callable[[Run, Progress], None]
Found = Callable[[Run, Solution], None]

_PROVABLE = 40  # tiles of the longest row that exact search solves in half a minute or less


@dataclass(frozen=True)
class Settings:
    """How a puzzle is to be solved.

    seconds: time limit of search and refinement; None for no limit.
    seed: decides which of equally good states a beam keeps.
    refinement: how to refine the answer of the search; None for no refinement.
    bounding: seconds for a bound that no answer exceeds, after the search; None for no bound.
    opening: the first turns of a game that the answer goes on with.

    Raises `RowdrawError` for limits out of range, and `StrategyError` if there is an opening, and the strategy or the
    refinement begins every game itself.
    """

    strategy: Strategy
    seconds: float | None = None
    seed: int = 0
    threads: int = 1
    refinement: RefineParameters | None = None
    bounding: float | None = None
    opening: tuple[Turn, ...] = ()

    def __post_init__(self) -> None:
        # now, so that no answer is lost to a limit that is only used after the search
        check_seconds("seconds", self.seconds)
        check_seconds("bound", self.bounding)
        check_number("threads", self.threads, 1, MOST_THREADS)
        check_number("seed", self.seed, 0, MOST_SEED)
        if self.opening and not getattr(self.strategy, "goes_on", False):
            raise StrategyError(f"strategy {self.strategy.name} cannot go on with a game: expected beam, widening or greedy")
        if self.opening and self.refinement is not None:
            raise StrategyError("refinement changes all turns of a game: expected none where a game is gone on with")

    def new_run(self, watch: Watch | None, say: Callable[[str], None], found: Found | None) -> Run:
        """A run with these limits, which begins now."""
        return Run(self.seed, self.threads, self.seconds, opening=self.opening, watch=watch, say=say, found=found)


@dataclass(frozen=True)
class Several:
    """Which answers of one beam are wanted.

    most: How many; None for all that score as much as the best one.
    distance: How many turns each has at least whose words are missing in each better one of them.
    """

    most: int | None
    distance: int = 0


def solve_problem(
    problem: Problem,
    settings: Settings,
    ending: Ending,
    watch: Watch | None = None,
    say: Callable[[str], None] = lambda _message: None,
    found: Found | None = None,
) -> Result:
    """The best answer found for `problem`, which the referee has confirmed.

    ending: can end it early, with the best answer so far.
    watch: called with the run and how far it has come.
    say: called with a message before something that takes long.
    found: called with the run and each better answer, as soon as it is found; the referee has not judged it yet.

    Raises `StrategyError` if the strategy does not take such puzzles, and `RefereeDisagreementError`, an error of the program.
    """
    # imported only here, because it compiles kernels
    from solver.solving.warmup import warm_up

    if settings.bounding is not None:
        # before the search, so that no answer is lost
        problem.require_ordinary("a bound")
    if isinstance(settings.strategy, Program):
        problem.rules  # noqa: B018 - by which each of its answers is judged; it needs no kernels
    else:
        warm_up(say)
    run = ending.of(settings.new_run(watch, say, found))
    result = search(problem, settings.strategy, run, settings.refinement)
    if settings.bounding is not None and not ending.is_told:
        bounding = ending.of(Run(settings.seed, settings.threads, settings.bounding, watch=watch))
        result = replace(result, bound=_lower(result.bound, problem, bounding))
    return judged(problem, result)


def search(problem: Problem, strategy: Strategy, run: Run, refinement: RefineParameters | None = None) -> Result:
    """Search `problem` with `strategy` until it is done or `run` is over, then refine what it found if that is asked for.

    If there is a time limit, the refinement has the second half of it. The referee has not judged the result yet.

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
    return _result(problem, strategy, run, cpu, refinement)


def solve_several(
    problem: Problem,
    settings: Settings,
    several: Several,
    ending: Ending,
    watch: Watch | None = None,
    say: Callable[[str], None] = lambda _message: None,
    found: Found | None = None,
) -> list[Result]:
    """The best answers that one beam finds, best first, each confirmed by the referee.

    several: how many, and how much they differ.
    ending, watch, say, found: as for `solve_problem`.

    Raises `StrategyError` if the strategy is not a beam, or the answer is to be refined or bounded.
    """
    from solver.search.beam import Beam
    from solver.search.several import best_answers
    from solver.solving.warmup import warm_up

    if not isinstance(settings.strategy, Beam) or settings.refinement is not None or settings.bounding is not None:
        raise StrategyError("several answers come from one beam: expected strategy beam, without refinement and bound")
    warm_up(say)
    run = ending.of(settings.new_run(watch, say, found))
    began = time.process_time()
    games = best_answers(problem, run, settings.strategy.parameters, several.most, several.distance)
    result = _result(problem, settings.strategy, run, time.process_time() - began)
    return [judged(problem, replace(result, solution=game)) for game in games]


def _result(
    problem: Problem, strategy: Strategy, run: Run, cpu: float | None, refinement: RefineParameters | None = None
) -> Result:
    return Result(
        name=problem.puzzle.name,
        statement=problem.statement,
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
    """The strategy that is expected to find most; short rows are solved exactly, but for variants."""
    if len(problem.puzzle.row) <= _PROVABLE and problem.has_closed_index and not problem.puzzle.is_variant:
        return "exact"
    return "beam" if seconds is None else "widening"


def _lower(known: float | None, problem: Problem, run: Run) -> float:
    """The lower one of the `known` bound, if there is one, and the bound that `run` finds."""
    from solver.bound.schedule import suited_relaxation, tighten_upper_bound

    found = tighten_upper_bound(problem, suited_relaxation(problem), run).value
    return found if known is None else min(known, found)
