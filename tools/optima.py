"""How far searches stay below the optimum of short random rows, which are solved exactly."""

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median

import click

from journals import ToolJournal, kept_in, run_maker
from solver.bound.sweeps.campaign import Workspace
from solver.bound.sweeps.exact import Exact, ExactParameters
from solver.commands import options
from solver.commands.cli import run_command
from solver.commands.options import Seconds
from solver.commands.running import INTERRUPTED, say
from solver.errors import RowdrawError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import BLANK
from solver.search.run import Run
from solver.show.games import markdown_table
from solver.solving.compile_all import warm_up_bounds
from solver.solving.result import confirm
from solver.solving.strategies import make_strategy
from verify import Rules

_UNTIMED = (
    "greedy",
    "beam:width=20",
    "beam:width=200",
    "beam:width=1000",
    "beam",
    "widening:last=20000",
)
_TIMES = (2.0, 20.0)
SEARCHES: dict[str, tuple[str, float | None]] = {
    **{strategy: (strategy, None) for strategy in _UNTIMED},
    **{f"widening for {seconds:g} s": ("widening", seconds) for seconds in _TIMES},
}
"""By name: a strategy, and its time limit in seconds."""


@dataclass(frozen=True)
class Truth:
    """A row with its optimum, None if it was not proven, and the lowest bound proven.

    `scores` has the score of some of `SEARCHES`, by name.
    """

    row: str
    optimum: int | None
    score: int
    bound: int
    seconds: float
    racks: int
    scores: dict[str, int]


def random_row(puzzle: Rules, tiles: int, number: int) -> str:
    """Return row `number` of tiles drawn from those of `puzzle`, with its share of blanks."""
    rng = random.Random(f"{tiles}:{number}")
    letters = [tile for tile in puzzle.row if tile != BLANK]
    blanks = round(tiles * puzzle.row.count(BLANK) / len(puzzle.row))
    row = rng.sample(letters, tiles - blanks) + [BLANK] * blanks
    rng.shuffle(row)
    return "".join(row)


def find_truths(
    puzzle: Rules,
    tiles: int,
    rows: int,
    exact: ExactParameters,
    folder: Path,
    new_run: Callable[[float | None], Run],
    limit: float | None = None,
    again: bool = False,
) -> Iterator[Truth]:
    """Yield the truths of the first `rows` rows, until a run is interrupted.

    Each is saved in the journal of `folder`. `new_run` makes a run with a time limit in seconds;
    `limit` is that of an exact solution. Rows in the journal are not solved exactly again, and only
    searched by what has not searched them yet, or by all with `again`.
    """
    known = JOURNAL.resume(folder)
    for number in range(rows):
        row = random_row(puzzle, tiles, number)
        before = known.get(row)
        names = [name for name in SEARCHES if again or before is None or name not in before.scores]
        if names:
            problem = Problem(puzzle.with_row(row, f"random-{tiles}-{number:02}"))
            truth = (
                _searched(problem, before, names, new_run)
                if before
                else _truth(problem, exact, new_run, limit)
            )
            if truth is None:
                return
            known[row] = truth
            JOURNAL.keep(folder, truth)
        yield known[row]


def search_exactly(problem: Problem, run: Run, exact: ExactParameters) -> None:
    """Search for the best game and its proof.

    Raises `RowdrawError` if the referee does not confirm the game.
    """
    run.title = problem.puzzle.name
    # a workspace, if only in memory, takes layers of any number of states
    Exact(exact, workspace=Workspace(problem)).search(problem, run)
    confirm(problem.rules, run.incumbent)


def _truth(
    problem: Problem,
    exact: ExactParameters,
    new_run: Callable[[float | None], Run],
    limit: float | None,
) -> Truth | None:
    if (scores := _scores(problem, SEARCHES, new_run)) is None:
        return None
    run = new_run(limit)
    search_exactly(problem, run, exact)
    if run.interrupted or run.bound is None:
        return None
    score = run.incumbent.score
    optimum = score if run.bound == score else None
    return Truth(
        problem.puzzle.row, optimum, score, run.bound, round(run.elapsed, 1), run.racks, scores
    )


def _searched(
    problem: Problem, truth: Truth, names: Iterable[str], new_run: Callable[[float | None], Run]
) -> Truth | None:
    if (scores := _scores(problem, names, new_run)) is None:
        return None
    if (best := max(scores.values())) > truth.bound:
        raise RowdrawError(
            f"{truth.row}: {best} points were found: "
            f"expected {truth.bound} at most, as the journal says"
        )
    return replace(truth, scores=truth.scores | scores)


def _scores(
    problem: Problem, names: Iterable[str], new_run: Callable[[float | None], Run]
) -> dict[str, int] | None:
    """Return the scores of some of `SEARCHES`, by name; None if one was interrupted."""
    scores = {}
    for name in names:
        strategy, seconds = SEARCHES[name]
        run = new_run(seconds)
        run.title = problem.puzzle.name
        make_strategy(strategy).search(problem, run)
        if run.interrupted:
            return None
        scores[name] = run.incumbent.score
    return scores


JOURNAL = ToolJournal("optima.jsonl", Truth, lambda truth: truth.row)


def table(truths: Sequence[Truth]) -> str:
    """Return, as Markdown, how far each search stays below the optimum, and the unsolved rows."""
    proven = [truth for truth in truths if truth.optimum is not None]
    tiles = len(truths[0].row) if truths else 0
    seconds = [truth.seconds for truth in truths] or [0.0]
    text = (
        f"{len(proven)} of {len(truths)} random rows of {tiles} tiles were solved exactly, "
        f"in {median(seconds):.0f} s each at the median and {max(seconds):.0f} s at most."
    )
    rows: list[tuple[object, ...]] = []
    for name in SEARCHES:
        gaps = sorted(truth.score - truth.scores[name] for truth in proven if name in truth.scores)
        if gaps:
            most = gaps[-(-9 * len(gaps) // 10) - 1]
            rows.append(
                (
                    f"`{name}`",
                    f"{gaps.count(0)} of {len(gaps)}",
                    f"{mean(gaps):.1f}",
                    most,
                    gaps[-1],
                )
            )
    head = ("search", "optimum hit:", "mean gap:", "nine of ten within:", "largest gap:")
    open_rows = [
        (
            f"`{truth.row}`",
            max(truth.score, *truth.scores.values()),
            truth.bound,
            f"{truth.seconds:.0f}",
            f"{truth.racks:,}",
        )
        for truth in truths
        if truth.optimum is None
    ]
    tables = [markdown_table(head, rows)]
    if open_rows:
        tables.append(
            markdown_table(("not proven", "best found:", "bound:", "seconds:", "racks:"), open_rows)
        )
    return "\n".join([f"{text}\n", *tables])


@click.command()
@click.option(
    "--tiles", type=click.IntRange(2, 100), default=30, show_default=True, help="Tiles of each row."
)
@click.option(
    "--rows", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many rows."
)
@click.option(
    "--time",
    "seconds",
    type=Seconds(0, min_open=True),
    metavar="SECONDS",
    help="Time limit for one row.",
)
@click.option(
    "--ascent",
    type=click.FloatRange(0),
    default=ExactParameters().ascent,
    show_default=True,
    metavar="SHARE",
    help="Rounds that improve the prices of a row, as a share of the usual number.",
)
@options.threads
@kept_in("Journal and table; rows that are there are not solved again.")
@click.option(
    "--again",
    is_flag=True,
    help="Repeat the searches that the journal already has; proven bounds stay.",
)
def optima(
    tiles: int,
    rows: int,
    seconds: float | None,
    ascent: float,
    threads: int | None,
    output: Path,
    again: bool,
) -> int:
    """Find out how far each strategy stays below the optimum.

    It solves random rows of the challenge's tiles exactly.
    """
    warm_up_bounds(say)
    truths = []
    with run_maker(threads) as (bar, new_run):

        def limited_run(limit: float | None) -> Run:
            return new_run(seconds=limit)

        exact = ExactParameters(ascent=ascent)
        for truth in find_truths(
            load_puzzle("challenge"), tiles, rows, exact, output, limited_run, seconds, again
        ):
            truths.append(truth)
            proof = "optimal" if truth.optimum is not None else f"at most {truth.bound}"
            bar.say(f"{truth.row} {truth.score}, {proof}, {truth.seconds:.1f} s")
    if len(truths) < rows:
        return INTERRUPTED  # the journal has the finished rows; the table is for all of them
    text = table(truths)
    replace_file(output / "table.md", text)
    click.echo(text, nl=False)
    return 0


if __name__ == "__main__":
    run_command(optima, sys.argv[0], sys.argv[1:])
