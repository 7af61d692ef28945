"""`rowdraw report`: a comparison as one page."""

from pathlib import Path

import click

from solver.commands.compare import view_options
from solver.commands.forms import PAGE, force_option
from solver.commands.running import FILE, FOLDER_THERE, say


@click.command()
@click.argument("folder", type=FOLDER_THERE, metavar="FOLDER")
@click.option("-o", "--output", type=FILE, required=True, metavar="PAGE")
@force_option
@view_options
def report(folder: Path, output: Path, force: bool, results: Path | None, baseline: str | None, earlier: bool) -> int:
    """Write a comparison as one HTML page.

    The page of the comparison in FOLDER needs nothing else. The command also says what was found.

    Exit code 1 where every run failed; the page then shows how.
    """
    from solver.extras import require

    require("report", "vl_convert", "jinja2")
    from solver.files import check_output
    from solver.lab.compare.collect import View, collect
    from solver.lab.compare.finding import find
    from solver.report.comparison import comparison_page
    from solver.report.pages import write_report

    check_output(output, PAGE, force=force)
    comparison = collect(folder, results, View((), baseline, earlier))
    write_report(output, comparison_page(comparison, folder.resolve().name))
    say(find(comparison).answer)
    return 0 if comparison.summaries else 1
