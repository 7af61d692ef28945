"""`rowdraw solve`: search, confirm by the referee, print."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.checking import MOST_ANSWERS, Budget
from solver.commands import options
from solver.commands.options import FOLDER
from solver.commands.running import Bar, command_ending, complain, read_problem, say
from solver.commands.writing import (
    Finds,
    chosen_form,
    force_option,
    form_option,
    hand_out,
)
from solver.errors import OrderError
from solver.files import is_stdout, is_stream
from solver.show.forms import TEXT
from solver.solving.opened import OpenedGame
from verify.text import counted

_UNPROVEN = 2  # the exit code of a proof that ended without one

if TYPE_CHECKING:
    from solver.lab.records import Known
    from solver.model.solution import Turn
    from solver.outputs import Output
    from solver.solving.order import Order
    from solver.solving.result import Result
    from verify import Rules


def _list_strategies(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print all strategies with their parameters, and exit."""
    if not wanted or context.resilient_parsing:
        return
    from solver.solving.strategies import catalogue

    for line in catalogue():
        click.echo(line)
    context.exit()


class _Top(click.IntRange):
    """A number of answers, or 'ties'."""

    name = "number of answers, nor is it ties"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or 'ties'."""
        return value if value == "ties" else super().convert(value, param, ctx)


def _order(scheduler: str | None, budget: Budget | None, **ordered: Any) -> "Order":
    """Return the order that the options state. Raises `RowdrawError`."""
    from solver.solving.order import Order

    budget = budget or Budget()
    if ordered["prove"] and budget.racks is not None:
        raise click.UsageError("--prove takes its time in seconds, such as --time 600")
    try:
        order = Order(seconds=budget.seconds, racks=budget.racks, **ordered)
        if scheduler is not None and not order.prove:
            raise OrderError("{} needs {}", "scheduler", "prove")
        if scheduler is not None and order.keep is None:
            raise OrderError(
                "{} needs {}: the workers share the states in that folder", "scheduler", "keep"
            )
    except OrderError as error:
        raise click.UsageError(error.text.format(*(f"--{name}" for name in error.names))) from error
    return order


@contextmanager
def _workers(scheduler: str | None, order: "Order") -> Iterator["Order"]:
    """Yield the order with the workers of a cluster, if it is for one."""
    if scheduler is None:
        yield order
        return
    from solver.lab.compare.execute import dask_executor

    with dask_executor(scheduler, order.workers) as cluster:
        yield replace(order, executor=cluster)


@click.command()
@options.puzzle
@click.option(
    "--strategy",
    metavar="NAME",
    shell_complete=options.complete_strategy,
    help="A name with settings, as --list-strategies prints them; FILE.py:NAME; 'command:PROGRAM'.",
)
@click.option(
    "--list-strategies",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_strategies,
    help="Print all strategies and their settings.",
)
@options.time_limit("Limit of the search")
@click.option("--prove", is_flag=True, help="Search until the answer is proven optimal.")
@click.option(
    "--keep", type=FOLDER, metavar="FOLDER", help="Save a proof there, so that it can resume."
)
@click.option("--scheduler", metavar="ADDRESS", help="Prove on a dask cluster; 'local': start one.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Breaks ties between states."
)
@options.threads
@options.output
@click.option(
    "--results",
    type=FOLDER,
    metavar="FOLDER",
    help="A record book: file the answer there if it is better than the one on file.",
)
@form_option
@options.json_option
@click.option(
    "--top",
    type=_Top(1, MOST_ANSWERS),
    metavar="K",
    help="The beam's K best answers; 'ties': all best ones.",
)
@click.option(
    "-a", "--all", "every", is_flag=True, help="Print each better answer when it is found."
)
@force_option
@click.option(
    "--after",
    metavar="FILE[#N][:K]",
    shell_complete=options.complete_file,
    help="Continue the game in FILE after K turns.",
)
def solve(
    chosen: "Rules",
    after: str | None,
    output: Path | None,
    form: str | None,
    as_json: bool,
    every: bool,
    force: bool,
    results: Path | None,
    **ordered: Any,
) -> int:
    """Search for the best answer to a puzzle, and print it.

    PUZZLE is a bundled name or a TOML file. Ctrl-C ends the search with the best answer so far
    and exit code 130. A proof that ends before it is complete has exit code 2. Exit code 1 if
    the strategy failed after its answer.
    """
    from solver.lab.records import folder_of, keep_answer, known_of
    from solver.solving.order import Reports
    from solver.solving.result import answer_files
    from solver.solving.solve import carry_out

    if after is None and click.get_current_context().params.get("puzzle") == "challenge":
        options.note_unread_input()
    file = None if output is None or is_stdout(output) else output
    may_be_several = ordered["top"] not in (None, 1)
    form = chosen_form(form, file, as_json=as_json, several=may_be_several)
    if every and (form != TEXT or ordered["top"] is not None):
        raise click.UsageError(
            "--all prints answers as text, one after the other: expected no --top and no other form"
        )
    turns: tuple[Turn, ...] = ()
    if after is None:
        problem = read_problem(chosen)
    else:
        game = OpenedGame.of(after)
        problem = read_problem(game.rules(chosen, say))
        turns = game.turns(problem)
    order = _order(after=turns, **ordered)
    if not order.prove:
        # made now, so that a file that it reads is known as an input, which no answer may replace
        order = replace(order, strategy=order.chosen(problem))
    kept = None
    files: list[Output] = []
    if file is not None:
        is_single = not may_be_several
        files = answer_files(file, form, problem.rules, is_single=is_single, force=force)
        for target in files:
            target.check()
        if form == TEXT and not is_stream(file):
            kept = replace(files[0], force=False)  # only the end of the search forces
    if results is not None:
        folder_of(results, problem.rules)  # which refuses a book that cannot take it
    finds = Finds(problem.rules, kept, prints=every)
    with _workers(ordered["scheduler"], order) as order, Bar() as bar:
        found = carry_out(problem, order, command_ending(), Reports(bar, bar.say, finds))
    is_proven = found[0].optimal  # by the search itself, whatever the record book says
    known = known_of(problem)
    found = [result.with_bound(known.bound) for result in found]
    if file is not None or not finds.printed:
        hand_out(found, files, form)
    finds.finish()
    if results is not None:
        filed = keep_answer(results, found[0])
        said = "one that scores as much or more is on file"
        say(f"{filed}: the new best answer on file" if filed else said)
    say(_summary(found, known))
    if order.prove:
        _say_proof(order.keep, is_proven=is_proven)
    if order.prove and not is_proven:
        return _UNPROVEN
    return int(bool(found[0].fault))


def _say_proof(folder: Path | None, *, is_proven: bool) -> None:
    """Say whether the answer is proven, where its certificate is, and what resumes the proof."""
    unproven = "the answer is not proven optimal"
    if folder is None and is_proven:
        say("the certificate is not kept: --keep FOLDER keeps it")
    elif folder is None:
        complain(f"{unproven}; --keep FOLDER keeps what is done")
    elif not is_proven:
        complain(f"{unproven}; the same command goes on from {folder}")
    else:
        say(f"{folder / 'certificate.txt'}: the certificate; `rowdraw verify` checks it")


def _summary(results: "list[Result]", known: "Known") -> str:
    """Return how good the best answer is, and what it took."""
    result = results[0]
    several = ""
    if len(results) > 1:
        several = f"{len(results)} answers that the beam kept, the best of "
    return (
        f"{several}{counted(result.score, 'point')}{_standing(result, known)}, "
        f"turns {len(result.turns)}, {result.seconds:.2f} s, {result.racks:,} racks, "
        "confirmed by the referee"
    )


def _standing(result: "Result", known: "Known") -> str:
    """Compare the score with the best known one and the bound, in words after a comma."""
    best, bound = "", ""
    if result.score <= known.best:
        best = f", best known {known.best}"
    elif known.best:
        best = f", a new best, {known.best} before"
    if result.optimal:
        bound = ", optimal"
    elif result.bound is not None:
        bound = f", at most {result.bound}"
    return best + bound
