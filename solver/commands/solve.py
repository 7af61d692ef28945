"""`rowdraw solve`: search, have the referee confirm, print."""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import (
    INTERRUPTED,
    Ending,
    Seconds,
    check_folder,
    chosen_puzzle,
    processors,
    threads_option,
    words_option,
)
from solver.errors import RefereeDisagreementError, RowdrawError
from solver.files import write_out

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.refine.refine import RefineParameters
    from solver.search.run import Run
    from solver.solving.result import Result

_DISAGREEMENT = 3
_PROVABLE = 32  # tiles of a row that exact search takes some seconds for


@click.command()
@click.argument("puzzle", default="challenge")
@click.option("--row", metavar="TEXT", help="Another row, with the puzzle's other rules.")
@words_option
@click.option(
    "--strategy",
    metavar="NAME",
    help="greedy, beam, widening or exact, with settings as in beam:width=1000,price=0.7. "
    "Default: exact for short rows, widening where there is a time limit, else beam.",
)
@click.option("--width", type=int, metavar="N", help="States kept a layer, for beam.")
@click.option("--time", "seconds", type=Seconds(0), metavar="SECONDS", help="End with the best answer by then.")
@click.option(
    "--refine",
    "effort",
    is_flag=False,
    flag_value=60.0,
    type=float,
    metavar="[EFFORT]",
    help="Then improve the answer with OR-Tools, for about so many seconds (60).",
)
@click.option(
    "--bound",
    "bounding",
    is_flag=False,
    flag_value=60.0,
    type=Seconds(0),
    metavar="[SECONDS]",
    help="Also say what no answer can exceed, found in so many seconds more (60).",
)
@click.option("--refine-workers", type=click.IntRange(1, 256), default=1, help="Threads of OR-Tools; above 1 not reproducible.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, metavar="N", help="Decides between equals.")
@threads_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write there (- for standard output).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON with how the answer was found.")
def solve(
    puzzle: str,
    row: str | None,
    words: Path | None,
    strategy: str | None,
    width: int | None,
    seconds: float | None,
    effort: float | None,
    bounding: float | None,
    refine_workers: int,
    seed: int,
    threads: int | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Print the best answer found for PUZZLE, a bundled name or a TOML file, in the challenge's format.

    Ctrl-C ends the search with the best answer so far and exit code 130.
    """
    from solver.commands.progress import Bar
    from solver.index.problem import Problem
    from solver.search.run import Run
    from solver.solving.solve import confirm
    from solver.solving.solve import solve as search
    from solver.solving.strategies import make_strategy
    from solver.solving.warmup import warm_up

    if output is not None and output == Path():
        raise click.UsageError("-o: the name of the file is empty")
    check_folder(output)
    chosen = chosen_puzzle(puzzle, row, words)
    problem = Problem.of(chosen)
    made = make_strategy(strategy or _suited_strategy(problem, seconds, width), width=width)
    refinement = _refinement(effort, refine_workers)
    warm_up(lambda message: click.echo(f"rowdraw: {message}", err=True))
    ending = Ending()
    with Bar() as bar:
        run = ending.of(Run(seed=seed, threads=threads or processors(), seconds=seconds, watch=bar))
        result = search(problem, made, run, refinement)
        if bounding is not None and not run.interrupted:
            run = ending.of(Run(threads=run.threads, seconds=bounding, watch=bar))
            result = replace(result, bound=_bound(problem, run, result.bound))
    to_file = output is not None and str(output) != "-"
    text = result.as_json() if as_json else result.as_text() if to_file else result.solution.text()
    try:
        confirm(problem, result)
    except RefereeDisagreementError as error:
        return _save_rejected(result, error, output if to_file else None)
    _hand_out(text, output if to_file else None)
    turns = len(result.solution.turns)
    verdict = "confirmed by the referee" if turns else "no word can be played for points"
    click.echo(
        f"rowdraw: {result.solution.score} points{_proof(result)}, turns {turns}, {result.seconds:.2f} s, "
        f"{result.racks:,} racks, {verdict}",
        err=True,
    )
    return INTERRUPTED if run.interrupted else 0


def _bound(problem: "Problem", run: "Run", known: float | None) -> float:
    """What no answer exceeds: what is known, or a lower one that `run` finds."""
    from solver.bound.schedule import lower_bound, suited_relaxation

    found = lower_bound(problem, suited_relaxation(problem), run).value
    return found if known is None else min(known, found)


def _proof(result: "Result") -> str:
    """What is known of how far the score may be from the best."""
    if result.bound is None:
        return ""
    # scores are whole
    at_most = math.floor(result.bound)
    return " (optimal)" if at_most == result.solution.score else f" (no answer has more than {at_most})"


def _suited_strategy(problem: "Problem", seconds: float | None, width: int | None) -> str:
    """What finds most: short rows are solved exactly."""
    if width is not None:
        return "beam"
    if len(problem.puzzle.row) <= _PROVABLE and problem.has_closed_index:
        return "exact"
    return "beam" if seconds is None else "widening"


def _refinement(effort: float | None, workers: int) -> "RefineParameters | None":
    if effort is None:
        return None
    from solver.refine.refine import RefineParameters

    return RefineParameters(effort=effort, workers=workers)


def _hand_out(text: str, output: Path | None) -> None:
    """Write to `output`, or to stdout where there is none or it cannot be written."""
    if output is not None:
        try:
            write_out(output, text)
        except OSError as error:
            sys.stdout.write(text)
            raise RowdrawError(f"{output}: cannot be written ({error.strerror}); the answer is on stdout") from error
        return
    sys.stdout.write(text)
    sys.stdout.flush()


def _save_rejected(result: "Result", error: RefereeDisagreementError, output: Path | None) -> int:
    """Keep a solution that the referee rejects, with both views in a mark beside it."""
    path = output or Path("rowdraw-solution.txt")
    write_out(path, result.solution.text())
    mark = path.with_name(f"{path.name}.rejected")
    write_out(mark, str(error))
    click.echo(f"rowdraw: internal error: {error}saved as {path}, with these two views in {mark}", err=True)
    return _DISAGREEMENT
