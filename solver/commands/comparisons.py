"""`rowdraw compare`: strategies side by side."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from solver.checking import MOST_THREADS
from solver.commands import options
from solver.commands.options import FOLDER, FOLDER_THERE, OUTPUT
from solver.commands.running import INTERRUPTED, complain, is_quiet, say, say_left_out
from solver.commands.writing import force_option, write_report
from solver.files import is_stdout
from solver.outputs import Output
from solver.show.forms import FORMS

if TYPE_CHECKING:
    from solver.lab.compare.collect import View
    from solver.lab.compare.comparing import Comparison
    from solver.lab.compare.runs import Journal, Task

# a quote without its other half is an ordinary character here: the parser of the command reports it
_STRATEGY = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^;])+""")


@click.command()
@click.option(
    "--puzzles",
    default="shuffled-*",
    show_default=True,
    metavar="P,...",
    shell_complete=options.complete_puzzle,
    help="Bundled names, patterns of them, all, files, or folders of files.",
)
@click.option(
    "--strategies",
    multiple=True,
    default=("beam:width=1000;widening;greedy",),
    show_default=True,
    metavar="S;...",
    shell_complete=options.complete_strategy,
    help="Names, with settings as in beam:width=1000,price=0.7; FILE.py:NAME; command:PROGRAM. "
    "mine=FILE.py:NAME names one; beam:width={100,200} stands for two. "
    "May be given several times; a ; inside quotes separates nothing.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Runs of each; seeds 0, 1, ...",
)
@options.time_limit("What each run may use", "2s")
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
@click.option("-o", "--output", type=FOLDER, metavar="FOLDER", help="Keep journal and reports.")
@click.option(
    "--html", type=OUTPUT, metavar="PAGE", help="Also write the report as one page for the browser."
)
@options.json_option
@click.option(
    "--results",
    type=FOLDER_THERE,
    metavar="FOLDER",
    help="A folder of records besides the record book: their scores and bounds count, too.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="Compare every strategy with this one, instead of each with each.",
)
@click.option(
    "--versions",
    is_flag=True,
    help="Show each version of a strategy's code; compare the newest with the one before.",
)
@click.option("-c", "--comment", default="", help="What is new in this version of your strategies.")
@click.option(
    "--merge",
    "merged",
    multiple=True,
    type=FOLDER_THERE,
    metavar="FOLDER",
    help="First add the runs of another comparison to those of -o. May be given several times.",
)
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
    /,
    html: Path | None,
    as_json: bool,
    force: bool,
    output: Path | None,
    merged: tuple[Path, ...],
    only_collect: bool,
    **asked: Any,
) -> int:
    """Compare strategies on puzzles, and report.

    Every strategy runs on every puzzle with every seed, each run alone in its process. By default
    three strategies run for two seconds on each of 20 rows, in about two minutes.

    With -o the runs are kept, and the same command resumes if it is interrupted or killed. Exit
    code 1 if a run failed, with --collect only if all did.
    """
    from solver.errors import require
    from solver.lab.compare.comparing import collect
    from solver.lab.compare.runs import Journal

    # now, so that no comparison runs without its reports
    require("report", "vl_convert", "jinja2")
    page = _page(html, force=force, as_json=as_json)
    asked["strategies"] = [each.strip() for each in _separated(asked["strategies"])]
    asked["puzzles"] = [name.strip() for name in asked["puzzles"].split(",") if name.strip()]
    if output is None and (merged or only_collect):
        raise click.UsageError("--collect and --merge need runs that are kept: expected -o FOLDER")
    with _kept(output) as folder:
        if merged:
            _merge(merged, folder)
        if only_collect:
            return _report(_chosen(context, folder, asked), output, page, as_json=as_json)
        tasks = _planned(asked)
        view = _view(asked, planned=tasks)
        journal = Journal(folder)
        journal.check_folder()
        view.check(folder)
        page.check()
        try:
            failed = _run(tasks, journal, asked)
        except KeyboardInterrupt:
            done = len(tasks) - len(journal.unfinished(tasks))
            kept = "nothing is kept without -o FOLDER"
            if output is not None:
                kept = "the same command goes on, and --collect reports these"
            say(f"interrupted, {done} of {len(tasks)} runs done; {kept}")
            return INTERRUPTED
        return _report(collect(folder, view), output, page, as_json=as_json) or int(failed > 0)


def _page(html: Path | None, *, force: bool, as_json: bool) -> Output:
    """Return the page of the report. Raises `click.UsageError` for options that exclude others."""
    if force and html is None:
        raise click.UsageError(
            "--force replaces the page of --html: expected that, or --again to run again"
        )
    if as_json and html is not None and is_stdout(html):
        raise click.UsageError("--json and --html -: expected one of them on standard output")
    return Output(html, FORMS["html"], "comparison", force=force)


@contextmanager
def _kept(output: Path | None) -> Iterator[Path]:
    """Yield the folder of the runs, which is gone at the end unless the user has named one."""
    if output is not None:
        yield output
        return
    with TemporaryDirectory() as folder:
        yield Path(folder)


def _merge(folders: tuple[Path, ...], output: Path) -> None:
    """Add the runs of comparisons that are not there yet to the journal in `output`."""
    from solver.errors import RowdrawError
    from solver.lab.compare.runs import Journal
    from verify.text import counted

    journal = Journal(output)
    journal.check_folder()
    # all, before the first is added
    parts = {}
    for folder in folders:
        part = Journal(folder)
        if not part.path.exists():
            raise RowdrawError(f"{part.path}: expected the folder of a comparison, with this file")
        parts[folder] = part.outcomes(recount=True)
    for folder, outcomes in parts.items():
        added = journal.extend(outcomes.values())
        say(f"{folder}: {counted(added, 'run')}")


def _chosen(context: click.Context, folder: Path, asked: dict[str, Any]) -> "Comparison":
    """Return the comparison in a folder, with what is chosen of it."""
    from solver.lab.compare.comparing import collect

    given = {}
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            given[name] = parameter.opts[-1]
    if idle := [option for name, option in given.items() if name in _OF_RUNS]:
        raise click.UsageError(f"--collect runs nothing, so it does not take {', '.join(idle)}")
    chosen = {name: tuple(asked[name]) for name in ("puzzles", "strategies") if name in given}
    return collect(folder, _view(asked, **chosen))


def _view(asked: dict[str, Any], **chosen: Any) -> "View":
    """Return what the options let a report show."""
    from solver.lab.compare.collect import View

    return View(
        **chosen,
        baseline=asked["baseline"],
        versions=asked["versions"],
        results=asked["results"],
    )


def _planned(asked: dict[str, Any]) -> "list[Task]":
    """Return the runs that the options ask for."""
    from solver.lab.compare.plan import plan
    from verify.files import word_list
    from verify.rules import list_in

    if asked["words"] is not None:
        say_left_out([list_in(word_list(asked["words"])).left_out])
    of_plan = ("puzzles", "strategies", "seeds", "budget", "threads", "words", "comment")
    return plan(**{name: asked[name] for name in of_plan})


# the parameters of `compare` that decide how it runs
_OF_RUNS = {"seeds", "budget", "words", "jobs", "threads", "scheduler", "again", "comment"}


def _separated(strategies: tuple[str, ...]) -> list[str]:
    """Split at semicolons, except inside the quotes of a command."""
    return [strategy for option in strategies for strategy in _STRATEGY.findall(option)]


def _run(tasks: "list[Task]", journal: "Journal", asked: dict[str, Any]) -> int:
    """Make the runs that the journal lacks, with a progress bar; return how many failed."""
    import sys

    from tqdm import tqdm

    from solver.lab.compare.execute import make_runs
    from solver.search.run import processors
    from solver.solving.warmup import warm_up
    from verify.text import counted

    warm_up(say)
    missing = journal.unfinished(tasks)
    if asked["again"]:
        missing = tasks
    say(f"{counted(len(tasks), 'run')}, {len(tasks) - len(missing)} done already")
    wanted = asked["jobs"] * asked["threads"]
    if asked["scheduler"] is None and wanted > processors():
        complain(
            f"--jobs times --threads is {wanted}, on {counted(processors(), 'processor')}: "
            "runs that wait for a processor find less"
        )
    failed = 0
    with (
        tqdm(total=len(missing), unit="run", disable=is_quiet() or None) as bar,
        closing(make_runs(missing, journal, asked["jobs"], asked["scheduler"])) as outcomes,
    ):
        for outcome in outcomes:
            bar.update()
            error = outcome.error or outcome.notes.get("fault")
            if error:
                failed += 1
                with tqdm.external_write_mode(file=sys.stderr):
                    complain(f"{outcome.label} on {outcome.puzzle_name} failed: {error}")
    return failed


def _report(
    comparison: "Comparison", folder: Path | None, page: Output, *, as_json: bool = False
) -> int:
    """Write the reports and print the tables; return 1 if every run failed, else 0."""
    from solver.lab.compare.collect import json_text
    from solver.report.comparison import comparison_page, write_reports

    page.check()
    try:
        # first, because a closed pipe may end the printing
        if folder is not None:
            write_reports(comparison, folder)
        if page.path is not None:
            name = "of strategies" if folder is None else folder.resolve().name
            write_report(page, comparison_page(comparison, name))
    finally:
        if as_json:
            click.echo(json_text(comparison), nl=False)
        elif comparison.summaries and not (page.path is not None and is_stdout(page.path)):
            click.echo(str(comparison), nl=False)
        else:
            say("\n".join((comparison.finding.answer, *comparison.finding.notes)))
    return 0 if comparison.summaries else 1
