"""`rowdraw solve`: search, have the referee confirm, print."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import (
    INTERRUPTED,
    Seconds,
    check_folder,
    chosen_puzzle,
    command_ending,
    list_option,
    puzzle_options,
    threads_option,
)
from solver.errors import RefereeDisagreementError, RowdrawError

if TYPE_CHECKING:
    from solver.solving.result import Result

_DISAGREEMENT = 3


@click.command()
@puzzle_options
@click.option(
    "--strategy",
    metavar="NAME",
    help="greedy, beam, widening, exact or refined, with settings as in beam:width=1000,price=0.7; FILE.py:NAME, a class of "
    "your own; 'command:PROGRAM', a program in any language. Default: exact for short rows, widening where there is a time "
    "limit, else beam.",
)
@list_option
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
    from solver.refine.parameters import RefineParameters
    from solver.search.run import processors
    from solver.solving.solve import Settings, solve_problem, suited_strategy
    from solver.solving.strategies import make_strategy

    if output is not None and output == Path():
        raise click.UsageError("-o: the name of the file is empty")
    check_folder(output)
    problem = Problem.of(chosen_puzzle(puzzle, row, words))
    suited = "beam" if width is not None else suited_strategy(problem, seconds)
    settings = Settings(
        make_strategy(strategy or suited, width=width),
        seconds,
        seed,
        threads or processors(),
        None if effort is None else RefineParameters(effort=effort, workers=refine_workers),
        bounding,
    )
    to_file = output if output is not None and str(output) != "-" else None
    ending = command_ending()
    try:
        with Bar() as bar:
            result = solve_problem(problem, settings, ending, bar, bar.say)
    except RefereeDisagreementError as error:
        return _save_rejected(error, to_file)
    _hand_out(result.to_json() if as_json else result.annotated_text() if to_file else result.text(), to_file)
    verdict = "confirmed by the referee" if result.turns else "no word can be played for points"
    click.echo(
        f"rowdraw: {result.score} points{_proof(result)}, turns {len(result.turns)}, {result.seconds:.2f} s, "
        f"{result.racks:,} racks, {verdict}",
        err=True,
    )
    return INTERRUPTED if ending.is_told else 0


def _proof(result: "Result") -> str:
    """What is known of how far the score may be from the best."""
    if result.bound is None:
        return ""
    # scores are whole
    at_most = math.floor(result.bound)
    return " (optimal)" if at_most == result.solution.score else f" (no answer has more than {at_most})"


def _hand_out(text: str, output: Path | None) -> None:
    """Write to `output`, or to stdout where there is none or it cannot be written."""
    from solver.files import write_out

    if output is not None:
        try:
            write_out(output, text)
        except OSError as error:
            sys.stdout.write(text)
            raise RowdrawError(f"{output}: cannot be written ({error.strerror}); the answer is on stdout") from error
        return
    sys.stdout.write(text)
    sys.stdout.flush()


def _save_rejected(error: RefereeDisagreementError, output: Path | None) -> int:
    """Keep a solution that the referee rejects, with both views in a mark beside it."""
    from solver.files import write_out

    path = output or Path("rowdraw-solution.txt")
    write_out(path, error.answer)
    mark = path.with_name(f"{path.name}.rejected")
    write_out(mark, str(error))
    click.echo(f"rowdraw: internal error: {error}saved as {path}, with these two views in {mark}", err=True)
    return _DISAGREEMENT
