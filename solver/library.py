"""The library: what `import solver` offers to other programs.

Every function takes a bundled puzzle's name, a puzzle file, or a `Puzzle`. Bad input raises `RowdrawError`. Ctrl-C ends a
search with the best answer so far; a second Ctrl-C, more than a second later, raises `KeyboardInterrupt`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import warn

from solver.bound.certificate import certificate
from solver.bound.schedule import suited_relaxation, tighten_upper_bound
from solver.errors import RackError
from solver.index.plays import RULES, Play
from solver.index.problem import Problem
from solver.lab.compare.collect import Comparison, View, collect
from solver.lab.compare.execute import local_executor, run_plan
from solver.lab.compare.journal import Journal
from solver.lab.compare.plan import Budget, plan
from solver.model.puzzle import Puzzle, load_puzzle
from solver.model.racks import racks_counts
from solver.refine.parameters import RefineParameters
from solver.search.run import Progress, Run, processors
from solver.search.strategy import Strategy
from solver.solving.ending import CTRL_C, ending_on
from solver.solving.result import Result
from solver.solving.solve import Settings, solve_problem, suited_strategy
from solver.solving.strategies import make_strategy
from solver.solving.warmup import warm_up

Watch = Callable[[Run, Progress], None]


@dataclass(frozen=True)
class UpperBound:
    """A score that no game exceeds.

    points: the bound, in points.
    relaxation: the relaxation that proves the bound: "r1", "r2" or "r3".
    certificate: the prices as JSON text, from which `rowdraw verify` computes the bound anew.
    seconds: how long the computation took.
    """

    points: float
    relaxation: str
    certificate: str
    seconds: float


def solve(
    puzzle: str | Puzzle = "challenge",
    strategy: str | Strategy | None = None,
    *,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    refine: float | None = None,
    bound: float | None = None,
    progress: Watch | None = None,
) -> Result:
    """The best answer found, which the referee has confirmed.

    strategy: a text such as "beam:width=1000", a class in a file, "mine.py:Mine:depth=3", a program, "command:./solver --fast",
        or an object; None to choose one that suits the puzzle and the time.
    seconds: time limit of search and refinement; None for no limit.
    seed: decides which of equally good states a beam keeps.
    threads: how many threads search; None for one per processor.
    refine: effort, in about as many seconds, of improving the answer with OR-Tools; None for no refinement.
    bound: seconds for computing a score that no answer exceeds; None for no bound.
    progress: a function that is called many times a second with the run and how far it has come.
    """
    problem = _problem(puzzle)
    made = make_strategy(strategy or suited_strategy(problem, seconds)) if not isinstance(strategy, Strategy) else strategy
    refinement = None if refine is None else RefineParameters(effort=refine)
    settings = Settings(made, seconds, seed, threads or processors(), refinement, bound)
    with ending_on(CTRL_C) as ending:
        return solve_problem(problem, settings, ending, progress)


def best_plays(rack: str, top: int = 1, rule: str = "positional", puzzle: str | Puzzle = "challenge") -> list[Play]:
    """The `top` best plays of a rack of up to 20 tiles, `?` for blanks, best first. Raises `RackError` for any other rack.

    rule: what counts: "positional" is the sum of position x value, "scrabble" the sum of values, "longest" the length.
    puzzle: its words and letter values are used.
    """
    if rule not in RULES:
        raise RackError(f"rule {rule!r}: expected one of {', '.join(RULES)}")
    problem = _problem(puzzle)
    return problem.finder_by(rule).best(racks_counts([rack]), top=top)[0]


def upper_bound(
    puzzle: str | Puzzle = "challenge",
    relaxation: str | None = None,
    *,
    seconds: float | None = None,
    threads: int | None = None,
    states: int = 0,
    progress: Watch | None = None,
) -> UpperBound:
    """A score that no game of the puzzle exceeds.

    relaxation: "r1" is quick, "r3" gives the lowest bound, "r2" stands between; None to choose one that takes about a minute.
    seconds: time limit; None to go on until nothing is gained any more.
    states: how many states a layer of r3's sweeps may hold; 0 for no sweeps.
    """
    problem = _problem(puzzle)
    with ending_on(CTRL_C) as ending:
        run = ending.of(Run(threads=threads or processors(), seconds=seconds, watch=progress))
        found = tighten_upper_bound(problem, relaxation or suited_relaxation(problem), run, states=states)
    return UpperBound(found.value, found.relaxation, certificate(problem, found), run.elapsed)


def compare(
    puzzles: Sequence[str],
    strategies: Sequence[str],
    *,
    seeds: int = 1,
    budget: str = "10s",
    jobs: int = 1,
    folder: str | Path | None = None,
    baseline: str | None = None,
) -> Comparison:
    """Run each strategy on each puzzle with the seeds 0 to `seeds` - 1, each run alone in its own process.

    budget: what one run may use, such as "10s" or "1e6racks".
    folder: where the runs are kept, so that the same call can go on after an interruption; None keeps nothing.
    baseline: the strategy that all others are compared with; None compares each with each.
    """
    tasks = plan(puzzles, strategies, seeds, Budget.parse(budget))
    view = View(tuple(task.as_dict() for task in tasks), baseline)
    warm_up(lambda _message: None)
    with TemporaryDirectory() as temporary:
        kept = Path(temporary if folder is None else folder)
        view.check(kept)
        journal = Journal(kept)
        with local_executor(jobs) as pool:
            run_plan(journal.unfinished(tasks), journal, pool, lambda _record: None, window=jobs)
        return collect(kept, view=view)


def _problem(puzzle: str | Puzzle) -> Problem:
    problem = Problem.of(load_puzzle(puzzle) if isinstance(puzzle, str) else puzzle)
    if problem.lexicon.left_out:
        warn(problem.lexicon.left_out, stacklevel=3)
    return problem
