"""`rowdraw solve`: search, have the referee confirm, print."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.completion import complete_file
from solver.commands.forms import JSON, TEXT, check_form, chosen_form, force_option, form_option, replaced_by_answer
from solver.commands.handing import hand_out, save_rejected
from solver.commands.running import (
    FILE,
    INTERRUPTED,
    Seconds,
    chosen_puzzle,
    command_ending,
    list_option,
    puzzle_options,
    read_problem,
    say,
    strategy_option,
    threads_option,
)
from solver.errors import RefereeDisagreementError, StrategyError
from solver.limits import MOST_ANSWERS, MOST_DISTANCE, MOST_THREADS
from solver.solving.opened import OpenedGame
from verify.text import counted

if TYPE_CHECKING:
    from solver.lab.known import Known
    from solver.solving.result import Result


def _top(_context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A number of answers, or 'ties', which is 0 here."""
    if value in (None, "ties"):
        return None if value is None else 0
    if not (value.isascii() and value.isdecimal() and len(value) < 5 and 1 <= int(value) <= MOST_ANSWERS):
        raise click.BadParameter(
            f"{value!r}: expected a number of answers from 1 to {MOST_ANSWERS:,}, or ties", param=parameter
        )
    return int(value)


@click.command()
@puzzle_options
@strategy_option(
    "greedy, beam, widening, exact or refined, with settings as in beam:width=1000,price=0.7; FILE.py:NAME, a class of "
    "your own; 'command:PROGRAM', a program in any language. Default: exact for short rows, widening where there is a time "
    "limit, else beam.",
)
@list_option
@click.option("--width", type=int, metavar="N", help="How many states a beam keeps in each layer.")
@click.option("--time", "seconds", type=Seconds(0), metavar="SECONDS", help="Time limit for the search.")
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
    help="Then compute a score that no answer exceeds, in so many seconds more (60).",
)
@click.option(
    "--refine-workers", type=click.IntRange(1, MOST_THREADS), default=1, help="Threads of OR-Tools; above 1 not reproducible."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, metavar="N", help="Breaks ties between states.")
@threads_option
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Write the answer there (- for standard output).",
)
@form_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json, which also says how the answer was found.")
@click.option("--top", callback=_top, metavar="K", help="Print the K best answers of a beam; 'ties': all that score most.")
@click.option(
    "--distance",
    type=click.IntRange(0, MOST_DISTANCE),
    default=0,
    metavar="N",
    help="With --top: each answer plays words that each better answer lacks, in at least N turns.",
)
@click.option("-a", "--all", "every", is_flag=True, help="Print every better answer as soon as it is found.")
@force_option
@click.option(
    "--after", metavar="FILE[#N][:K]", shell_complete=complete_file, help="Go on with the game in FILE after its first K turns."
)
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
    form: str | None,
    as_json: bool,
    top: int | None,
    distance: int,
    every: bool,
    force: bool,
    after: str | None,
) -> int:
    """Search for the best answer to a puzzle, and print it.

    PUZZLE is a bundled name or a TOML file. The answer is in the challenge's format.

    Ctrl-C ends the search with the best answer so far and exit code 130.
    """
    from solver.commands.finds import Finds
    from solver.commands.progress import Bar
    from solver.files import check_output
    from solver.lab.known import known_of
    from solver.refine.parameters import RefineParameters
    from solver.search.run import processors
    from solver.solving.solve import Settings, Several, solve_problem, solve_several, suited_strategy
    from solver.solving.strategies import make_strategy

    to_file = output if output is not None and str(output) != "-" else None
    if as_json and form not in (None, JSON):
        raise click.UsageError(f"--json and --format {form}: expected one of them")
    form = JSON if as_json else chosen_form(form, to_file)
    check_form(form, several=top not in (None, 1))
    if distance and top is None:
        raise click.UsageError("--distance needs --top")
    if every and (form != TEXT or top is not None):
        raise click.UsageError("--all prints answers as text, one after the other: expected no --top and no other form")
    game = None if after is None else OpenedGame.of(after)
    chosen = chosen_puzzle(puzzle, row, words)
    problem = read_problem(chosen if game is None else game.puzzle(chosen, tell=say))
    suited = "beam" if width is not None or top is not None or game is not None else suited_strategy(problem, seconds)
    settings = Settings(
        make_strategy(suited if strategy is None else strategy, width=width),
        seconds,
        seed,
        threads or processors(),
        None if effort is None else RefineParameters(effort=effort, workers=refine_workers),
        bounding,
        () if game is None else game.turns(problem),
    )
    check_output(to_file, replaced_by_answer(form), force=force)
    finds = Finds(problem, to_file, prints=every)
    ending = command_ending()
    try:
        with Bar() as bar:
            if top is None:
                results = [solve_problem(problem, settings, ending, bar, bar.say, finds)]
            else:
                results = solve_several(problem, settings, Several(top or None, distance), ending, bar, bar.say, finds)
    except RefereeDisagreementError as error:
        return save_rejected(error, to_file)
    except StrategyError as error:
        if not ending.was_signalled:
            raise
        # the user has ended it before it had an answer: this is no fault of the input
        say(str(error))
        return INTERRUPTED
    known = known_of(problem)
    results = [result.with_bound(known.bound) for result in results]
    if to_file is not None or not finds.printed:
        hand_out(results, to_file, form, force=force)
    finds.finish(results[0])
    _tell(results, known)
    return INTERRUPTED if ending.was_signalled else 0


def _tell(results: "list[Result]", known: "Known") -> None:
    """What the user sees beside the answer."""
    result = results[0]
    verdict = "confirmed by the referee" if result.turns else "no word can be played for points"
    several = f"{len(results)} answers, the best of " if len(results) > 1 else ""
    say(
        f"{several}{counted(result.score, 'point')}{_standing(result, known)}, turns {len(result.turns)}, "
        f"{result.seconds:.2f} s, {result.racks:,} racks, {verdict}"
    )


def _standing(result: "Result", known: "Known") -> str:
    """How the score compares with the best known one, and how far it may be from the best."""
    from solver.lab.known import Known

    told = ""
    if known.best:
        told = f", best known {known.best}" if result.score <= known.best else f", a new best, {known.best} before"
    if result.bound is None:
        return told
    at_most = Known(known.best, result.bound).at_most
    if at_most == result.score:
        return f"{told}, optimal"
    return f"{told}, at most {at_most}"
