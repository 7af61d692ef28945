"""One run, composed: warm-up, search, refinement, bound, the referee's confirmation."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.limits import MOST_THREADS
from solver.model.solution import Solution, Turn
from solver.refine.parameters import RefineParameters
from solver.search.run import MOST_SEED, Progress, Run, Strategy, check_number, check_seconds
from solver.solving.confirm import is_confirmed, judged
from solver.solving.interruption import Ending
from solver.solving.plugins import blaming, source_of
from solver.solving.programs.program import Program
from solver.solving.result import Result
from verify import judge
from verify.text import quote

Watch = Callable[[Run, Progress], None]
Found = Callable[[Run, Solution], None]

_PROVABLE = 40  # tiles of the longest row that exact search solves, with few exceptions, in half a minute
_GRACE = 1.0  # seconds that a strategy may take to notice that its run is over
_TICK = 0.1  # seconds between two checks of a run
_LATE = "continues after its limit; Ctrl-C asks it to stop"
_ASKED = "does not stop; Ctrl-C again stops it, and its best answer so far counts"


@dataclass(frozen=True)
class Settings:
    """How to solve a puzzle.

    Attributes:
        seconds: The time limit of search and refinement; None for no limit.
        seed: Decides which of equally good states a beam keeps.
        refinement: How to refine the answer of the search; None for no refinement.
        bounding: Seconds for an upper bound, after the search; None for no bound.
        opening: The first turns of every answer.
        known: An answer that counts if the search finds no better one.

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
    known: Solution | None = None

    def __post_init__(self) -> None:
        # checked now, so that no answer is lost to a limit that is only used after the search
        check_seconds("seconds", self.seconds)
        check_seconds("bound", self.bounding)
        check_number("threads", self.threads, 1, MOST_THREADS)
        check_number("seed", self.seed, 0, MOST_SEED)
        if self.opening and not getattr(self.strategy, "goes_on", False):
            raise StrategyError(f"strategy {self.strategy.name} cannot continue a game: expected beam, widening or greedy")
        if self.opening and self.refinement is not None:
            raise StrategyError("refinement changes all turns of a game: expected none if a game is continued")

    def new_run(self, watch: Watch | None, say: Callable[[str], None], found: Found | None) -> Run:
        """Start a run with these limits."""
        run = Run(self.seed, self.threads, self.seconds, opening=self.opening, watch=watch, say=say, found=found)
        if self.known is not None:
            run.offer(self.known)
        return run


@dataclass(frozen=True)
class Several:
    """Which answers of one beam to return.

    Attributes:
        most: How many; None for all that score as much as the best one.
        distance: The least number of turns of each answer whose words are missing in each better one.
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
    """Return the best answer found for `problem`, confirmed by the referee.

    `ending` can stop the search early, and the best answer so far counts. `watch` is called with the run and its progress,
    `say` with a message before something that takes long, and `found` with the run and each better answer, not yet judged.

    Raises `StrategyError` if the strategy does not take such puzzles, and `RefereeDisagreementError`, an error of the program.
    """
    if settings.bounding is not None:
        # before the search, so that no answer is lost
        problem.require_ordinary("a bound")
    _warm_up(problem, settings, say)
    run = ending.of(settings.new_run(watch, say, found))
    result = search(problem, settings.strategy, run, settings.refinement)
    if settings.bounding is not None and not ending.was_signalled:
        from solver.bound.schedule import suited_relaxation, tighten_upper_bound

        bounding = ending.of(Run(settings.seed, settings.threads, settings.bounding, watch=watch))
        result = result.with_bound(tighten_upper_bound(problem, suited_relaxation(problem), bounding).value)
    return judged(problem, result)


def _warm_up(problem: Problem, settings: Settings, say: Callable[[str], None]) -> None:
    """Compile the kernels that need it before any clock starts, since the time decides how good answers and bounds are."""
    # imported only here, because it compiles kernels
    from solver.solving.warmup import warm_up

    is_program = isinstance(settings.strategy, Program)
    if is_program:
        problem.rules  # noqa: B018 - each of its answers is judged by them
    if settings.bounding is not None or settings.strategy.name == "exact":
        from solver.solving.compile_all import warm_up_bounds

        warm_up_bounds(say)
    elif not is_program:
        warm_up(say)


def search(problem: Problem, strategy: Strategy, run: Run, refinement: RefineParameters | None = None) -> Result:
    """Search `problem` with `strategy` until it is done or `run` is over, then refine the answer if asked to.

    The refinement has the second half of a time limit. The referee has not judged the result yet. Raises `StrategyError` for
    what the strategy cannot do, and for the faults of one from outside.
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
    """Return the best answers that one beam finds, best first, each confirmed by the referee; see `solve_problem`.

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
    """Return the strategy expected to find most. Short rows are solved exactly, except variants."""
    if len(problem.puzzle.row) <= _PROVABLE and problem.has_closed_index and not problem.puzzle.is_variant:
        return "exact"
    return "beam" if seconds is None else "widening"


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
    since: dict[str, float] = {}  # when the watcher first saw that the strategy should have returned, for each warning
    while not returned.wait(_TICK):
        warning = _ASKED if run.interrupted else _LATE if run.is_over else None
        if warning is not None and time.monotonic() - since.setdefault(warning, time.monotonic()) > _GRACE:
            since[warning] = math.inf  # once is enough
            run.tell(f"strategy {name} {warning}")
