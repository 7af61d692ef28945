"""`rowdraw compare`: strategies side by side."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.checking import MOST_THREADS
from solver.commands import options
from solver.commands.options import FILE, FOLDER, FOLDER_THERE
from solver.commands.running import INTERRUPTED, complain, is_quiet, say, say_left_out
from solver.commands.writing import force_option, write_report
from solver.files import is_stdout
from solver.outputs import Output
from solver.show.forms import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.lab.compare.collect import Comparison, View
    from solver.lab.compare.finding import Finding
    from solver.lab.compare.runs import Outcome, Task

# a quote without its other half is an ordinary character here: the parser of the command reports it
_STRATEGY = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^;])+""")


def view_options(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Give a command the options that decide what its report shows: `results` and `baseline`."""
    help_ = "A folder of records besides the record book: their scores and bounds count, too."
    results = click.option("--results", type=FOLDER_THERE, metavar="FOLDER", help=help_)
    baseline = click.option(
        "--baseline",
        metavar="NAME",
        help="Compare every strategy with this one, instead of each with each.",
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
    help="Names, with settings as in beam:width=1000,price=0.7; FILE.py:NAME; command:PROGRAM. "
    "May be given several times; a ; inside quotes separates nothing.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=5,
    show_default=True,
    help="Runs of each; seeds 0, 1, ...",
)
@click.option(
    "--budget",
    default="10s",
    show_default=True,
    help="What each run may use: seconds (10s) or racks (1e6racks).",
)
@options.words
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Runs at the same time.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help="Threads of each run.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Run on a dask cluster; 'local': start one.")
@click.option("-o", "--output", type=FOLDER, metavar="FOLDER", help="Journal and reports.")
@click.option(
    "--html", type=FILE, metavar="PAGE", help="Also write the report as one page for the browser."
)
@options.json_option
@view_options
@click.option("--again", is_flag=True, help="Repeat runs that the journal already has.")
@force_option
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
    scheduler: str | None,
    output: Path | None,
    html: Path | None,
    as_json: bool,
    results: Path | None,
    baseline: str | None,
    again: bool,
    force: bool,
    only_collect: bool,
) -> int:
    """Compare strategies on puzzles, and report.

    Every strategy runs on every puzzle with every seed, each run alone in its process.

    If it is interrupted or killed, the same command resumes it. Exit code 1 if a run failed, with
    --collect only if all did.
    """
    given = _given(context)
    if context.invoked_subcommand is not None:
        if given:
            raise click.UsageError(
                f"{', '.join(given.values())} is no option of `compare merge`: "
                "expected its options after merge"
            )
        return 0
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output': the folder of the comparison.")
    from solver.errors import require
    from solver.lab.compare.collect import View

    # now, so that no comparison runs without its reports
    require("report", "vl_convert", "jinja2")
    if force and html is None:
        raise click.UsageError(
            "--force replaces the page of --html: expected that, or --again to run again"
        )
    if as_json and html is not None and is_stdout(html):
        raise click.UsageError("--json and --html -: expected one of them on standard output")
    if html is not None and html.suffix != ".html" and html.resolve().parent == output.resolve():
        raise click.UsageError(
            f"{html}: expected a name that ends in .html in the folder of the reports"
        )
    page = Output(html, FORMS["html"], "comparison", force=force)
    names = [name.strip() for name in puzzles.split(",") if name.strip()]
    if only_collect:
        idle = [option for name, option in given.items() if name in _OF_RUNS]
        if idle:
            raise click.UsageError(f"--collect runs nothing, so it does not take {', '.join(idle)}")
        if "puzzles" not in given:
            names = []
        if "strategies" not in given:
            strategies = ()
        shown = tuple(strategy.strip() for strategy in _separated(strategies))
        view = View((), baseline, tuple(names), shown)
        return _report(output, results, view, page, as_json=as_json)
    from solver.lab.compare.runs import Budget, Journal, plan
    from verify.files import word_list
    from verify.rules import list_in

    if words is not None:
        say_left_out([list_in(word_list(words)).left_out])
    tasks = plan(names, _separated(strategies), seeds, Budget.parse(budget), threads, words)
    view = View(tuple(tasks), baseline)
    Journal(output).check_folder()
    view.check(output)
    page.check()
    try:
        failed = _run(tasks, output, scheduler, jobs, again=again)
    except KeyboardInterrupt:
        done = len(tasks) - len(Journal(output).unfinished(tasks))
        say(
            f"interrupted, {done} of {len(tasks)} runs done; "
            "the same command goes on, and --collect reports these"
        )
        return INTERRUPTED
    return _report(output, results, view, page, as_json=as_json) or int(failed > 0)


# the parameters of `compare` that decide how it runs
_OF_RUNS = {"seeds", "budget", "words", "jobs", "threads", "scheduler", "again"}


def _given(context: click.Context) -> dict[str, str]:
    """Return the options that the command line has, by the names of their parameters."""
    given = {}
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            given[name] = parameter.opts[-1]
    return given


def _separated(strategies: tuple[str, ...]) -> list[str]:
    """Split at semicolons, except inside the quotes of a command."""
    return [strategy for option in strategies for strategy in _STRATEGY.findall(option)]


@compare.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER_THERE, metavar="A B ...")
@click.option("-o", "--output", required=True, type=FOLDER, metavar="FOLDER")
@view_options
def merge(
    folders: tuple[Path, ...], output: Path, results: Path | None, baseline: str | None
) -> int:
    """Put the runs of several comparisons into one, each run once."""
    from solver.errors import require
    from solver.lab.compare.collect import View
    from solver.lab.compare.runs import Journal
    from verify.text import counted

    require("report", "vl_convert")
    journal = Journal(output)
    journal.check_folder()
    # all, before the first is added
    parts = {folder: Journal(folder).outcomes(recount=True) for folder in folders}
    for folder, outcomes in parts.items():
        added = journal.extend(outcomes.values())
        say(f"{folder}: {counted(added, 'run')}")
    return _report(output, results, View((), baseline), Output(None))


def _run(
    tasks: "list[Task]", output: Path, scheduler: str | None, jobs: int, *, again: bool
) -> int:
    """Run the tasks that the journal lacks; return the number of failed runs."""
    import sys

    from tqdm import tqdm

    from solver.lab.compare.execute import dask_executor, local_executor, run_plan
    from solver.lab.compare.runs import Failure, Journal
    from solver.solving.warmup import warm_up
    from verify.text import counted

    warm_up(say)
    journal = Journal(output)
    missing = list(tasks) if again else journal.unfinished(tasks)
    say(f"{counted(len(tasks), 'run')}, {len(tasks) - len(missing)} done already")
    failed = 0
    if scheduler is None:
        window = jobs
        executing = local_executor(jobs)
    else:
        window = 4 * jobs
        executing = dask_executor(scheduler, jobs)
    with executing as pool, tqdm(total=len(missing), unit="run", disable=is_quiet() or None) as bar:

        def count(outcome: "Outcome") -> None:
            nonlocal failed
            bar.update()
            if isinstance(outcome, Failure):
                failed += 1
                with tqdm.external_write_mode(file=sys.stderr):
                    complain(f"{outcome.label} on {outcome.puzzle_name} failed: {outcome.error}")

        run_plan(missing, journal, pool, count, window=window)
    return failed


def _report(
    folder: Path, results: Path | None, view: "View", page: Output, *, as_json: bool = False
) -> int:
    """Write the reports and print the tables; return 1 if every run failed, else 0."""
    from solver.lab.compare.collect import collect, json_text
    from solver.lab.compare.finding import find
    from solver.report.comparison import comparison_page, write_reports

    comparison = collect(folder, results, view)
    page.check()
    # first, because a closed pipe may end the printing
    write_reports(comparison, folder)
    if page.path is not None:
        write_report(page, comparison_page(comparison, folder.resolve().name))
    finding = find(comparison)
    prints_page = page.path is not None and is_stdout(page.path)
    if as_json:
        click.echo(json_text(comparison), nl=False)
    elif comparison.summaries and not prints_page:
        _print_tables(comparison, finding)
    else:
        say("\n".join((finding.answer, *finding.notes)))
    return 0 if comparison.summaries else 1


def _print_tables(comparison: "Comparison", finding: "Finding") -> None:
    from textwrap import fill

    from solver.lab.compare.tables import WIDTH, known_lines, terminal
    from solver.report.comparison import sections_of

    click.echo(f"{fill(finding.answer, WIDTH)}\n")
    for section in sections_of(comparison):
        if section.table.cells:
            click.echo(terminal(section.table))
    click.echo(known_lines(comparison.known), nl=False)
    for note in finding.notes:
        click.echo(fill(note, WIDTH))
