"""`rowdraw compare` and `report`: strategies side by side."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.checking import MOST_THREADS
from solver.commands import options
from solver.commands.options import FILE, FOLDER, FOLDER_THERE
from solver.commands.running import INTERRUPTED, is_quiet, say, say_left_out
from solver.commands.writing import force_option
from solver.files import Output, subject_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.lab.compare.collect import View
    from solver.lab.compare.runs import Outcome, Task

# a quote without its other half is an ordinary character here: the parser of the command reports it
_STRATEGY = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^;])+""")


def view_options(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that decide what its report shows: `results` and `baseline`."""
    help_ = "A folder of records besides the record book: their scores and bounds count, too."
    results = click.option("--results", type=FOLDER_THERE, metavar="FOLDER", help=help_)
    baseline = click.option(
        "--baseline", metavar="NAME", help="Compare every strategy with this one, instead of each with each."
    )
    with_options: Callable[..., Any] = results(baseline(command))
    return with_options


@click.group(invoke_without_command=True)
@click.option(
    "--puzzles",
    default="challenge",
    show_default=True,
    metavar="P,...",
    shell_complete=options.complete_puzzles,
    help="Bundled names or files.",
)
@click.option(
    "--strategies",
    multiple=True,
    default=("beam:width=1000;widening;greedy",),
    show_default=True,
    metavar="S;...",
    shell_complete=options.complete_strategies,
    help="Names, with settings as in beam:width=1000,price=0.7; FILE.py:NAME; command:PROGRAM. May be given several times; "
    "a ; inside quotes separates nothing.",
)
@options.list_strategies
@click.option("--seeds", type=click.IntRange(1, 10_000), default=5, show_default=True, help="Runs of each; seeds 0, 1, ...")
@click.option("--budget", default="10s", show_default=True, help="What each run may use: seconds (10s) or racks (1e6racks).")
@options.words
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Runs at the same time.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True, help="Threads of each run.")
@click.option("--executor", type=click.Choice(["process", "dask"]), default="process", show_default=True)
@click.option("--scheduler", metavar="ADDRESS", help="Address of a dask scheduler; without it a cluster is started here.")
@click.option("-o", "--output", type=FOLDER, metavar="FOLDER", help="Journal and reports.")
@view_options
@click.option("--force", is_flag=True, help="Run again what is in the journal already.")
@click.option(
    "--collect",
    "only_collect",
    is_flag=True,
    help="Run nothing, only write the reports; --puzzles and --strategies choose what they show.",
)
@click.pass_context
def compare(
    context: click.Context,
    puzzles: str,
    strategies: tuple[str, ...],
    seeds: int,
    budget: str,
    words: Path | None,
    jobs: int,
    threads: int,
    executor: str,
    scheduler: str | None,
    output: Path | None,
    results: Path | None,
    baseline: str | None,
    force: bool,
    only_collect: bool,
) -> int:
    """Compare strategies on puzzles, and report.

    Every strategy runs on every puzzle with every seed, each run alone in its process.

    If it is interrupted or killed, the same command resumes it. Exit code 1 if a run failed, with --collect only if all did.
    """
    if context.invoked_subcommand is not None:
        return 0
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output': the folder of the comparison.")
    from solver.errors import require
    from solver.lab.compare.collect import View

    require("report", "vl_convert")  # now, so that no comparison runs without its reports

    names = [name.strip() for name in puzzles.split(",") if name.strip()]
    if only_collect:
        given = _given(context)
        if idle := [option for name, option in _OF_RUNS.items() if name in given]:
            raise click.UsageError(f"--collect runs nothing, so it does not take {', '.join(idle)}.")
        chosen_puzzles = tuple(names) if "puzzles" in given else ()
        chosen = tuple(name.strip() for name in _separated(strategies)) if "strategies" in given else ()
        return _report(output, results, View((), baseline, chosen_puzzles, chosen))
    from solver.lab.compare.runs import Budget, Journal, plan
    from solver.model.puzzle import read_lexicon

    if words is not None:
        say_left_out(read_lexicon(words))
    tasks = plan(names, _separated(strategies), seeds, Budget.parse(budget), threads, words)
    view = View(tuple(tasks), baseline)
    Journal(output).check_folder()
    view.check(output)
    try:
        failed = _run(tasks, output, force, executor, scheduler, jobs)
    except KeyboardInterrupt:
        done = len(tasks) - len(Journal(output).unfinished(tasks))
        say(f"interrupted, {done} of {len(tasks)} runs done; the same command goes on, and --collect reports these")
        return INTERRUPTED
    return _report(output, results, view) or int(failed > 0)


_OF_RUNS = {name: f"--{name}" for name in ("seeds", "budget", "words", "jobs", "threads", "executor", "scheduler", "force")}
"""The options of `compare` that decide how it runs, by the name of their parameter."""


def _given(context: click.Context) -> set[str]:
    """Return the parameters that the command line has."""
    return {name for name in context.params if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}


def _separated(strategies: tuple[str, ...]) -> list[str]:
    """Split at semicolons, except inside the quotes of a command."""
    return [strategy for option in strategies for strategy in _STRATEGY.findall(option)]


@compare.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER_THERE, metavar="A B ...")
@click.option("-o", "--output", required=True, type=FOLDER, metavar="FOLDER")
@view_options
def merge(folders: tuple[Path, ...], output: Path, results: Path | None, baseline: str | None) -> int:
    """Put the runs of several comparisons into one, each run once."""
    from solver.errors import require
    from solver.lab.compare.collect import View
    from solver.lab.compare.runs import Journal
    from verify.text import counted

    require("report", "vl_convert")
    journal = Journal(output)
    journal.check_folder()
    parts = [(folder, Journal(folder).outcomes(recount=True).values()) for folder in folders]  # all, before the first is added
    for folder, outcomes in parts:
        added = journal.extend(outcomes)
        say(f"{folder}: {counted(added, 'run')}")
    return _report(output, results, View((), baseline))


def _run(tasks: "list[Task]", output: Path, force: bool, executor: str, scheduler: str | None, jobs: int) -> int:
    """Run the tasks that the journal lacks; return the number of failed runs."""
    import sys

    from tqdm import tqdm

    from solver.lab.compare.execute import dask_executor, local_executor, run_plan
    from solver.lab.compare.runs import Failure, Journal
    from solver.solving.warmup import warm_up
    from verify.text import counted, printable

    warm_up(say)
    journal = Journal(output)
    missing = list(tasks) if force else journal.unfinished(tasks)
    say(f"{counted(len(tasks), 'run')}, {len(tasks) - len(missing)} done already")
    failed = 0
    muted = is_quiet() or not sys.stderr.isatty()
    executing = dask_executor(scheduler, jobs) if executor == "dask" else local_executor(jobs)
    with executing as pool, tqdm(total=len(missing), unit="run", disable=muted) as bar:

        def count(outcome: "Outcome") -> None:
            nonlocal failed
            bar.update()
            if isinstance(outcome, Failure):
                failed += 1
                failure = "\n".join(map(printable, outcome.error.split("\n")))
                bar.write(f"rowdraw: {outcome.label} on {outcome.puzzle_name} failed: {failure}", file=sys.stderr)

        run_plan(missing, journal, pool, count, window=jobs if executor == "process" else 4 * jobs)
    return failed


def _report(output: Path, results: Path | None, view: "View") -> int:
    """Write the report files and print the tables; return 1 if every run failed, else 0."""
    from textwrap import fill

    from solver.lab.compare.collect import collect
    from solver.lab.compare.finding import find
    from solver.lab.compare.tables import WIDTH, known_lines, terminal
    from solver.report.comparison import sections_of, write_reports

    comparison = collect(output, results, view)
    write_reports(comparison, output)  # first, because a closed pipe may end the printing
    finding = find(comparison)
    if not comparison.summaries:
        say("\n".join((finding.answer, *finding.notes)))
        return 1
    click.echo(f"{fill(finding.answer, WIDTH)}\n")
    for section in sections_of(comparison):
        if section.table.cells:
            click.echo(terminal(section.table))
    click.echo(known_lines(comparison.known), nl=False)
    for note in finding.notes:
        click.echo(fill(note, WIDTH))
    return 0


@click.command()
@click.argument("folder", type=FOLDER_THERE, metavar="FOLDER")
@click.option("-o", "--output", type=FILE, required=True, metavar="PAGE")
@force_option
@view_options
def report(folder: Path, output: Path, force: bool, results: Path | None, baseline: str | None) -> int:
    """Write a comparison as one HTML page.

    The page of the comparison in FOLDER needs nothing else. The command also says what was found.

    Exit code 1 where every run failed; the page then shows how.
    """
    from solver.errors import require

    require("report", "vl_convert", "jinja2")
    from solver.lab.compare.collect import View, collect, puzzle_key
    from solver.lab.compare.finding import find
    from solver.report.comparison import comparison_page
    from solver.report.pages import write_report

    comparison = collect(folder, results, View((), baseline))
    target = Output(output, "comparison", subject_of(*sorted({puzzle_key(outcome) for outcome in comparison.outcomes})), force)
    target.check()
    write_report(target, comparison_page(comparison, folder.resolve().name))
    say(find(comparison).answer)
    return 0 if comparison.summaries else 1
