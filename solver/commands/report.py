"""`rowdraw report`: a comparison as one page."""

from pathlib import Path

import click

from solver.commands.forms import PAGE
from solver.commands.running import say


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="PAGE")
@click.option(
    "--results",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="A folder of records besides the record book: their scores and bounds count, too.",
)
def report(folder: Path, output: Path, results: Path | None) -> int:
    """Write the comparison in FOLDER as one HTML file that needs nothing else, and say what it found.

    Exit code 1 where every run failed; the page then shows how.
    """
    from solver.extras import require

    require("report", "vl_convert", "jinja2")
    from solver.files import check_output
    from solver.lab.compare.collect import collect
    from solver.lab.compare.finding import find
    from solver.report.comparison import comparison_page
    from solver.report.output import write_report

    check_output(output, PAGE)
    comparison = collect(folder, results)
    write_report(output, comparison_page(comparison, folder.resolve().name))
    say(find(comparison).answer)
    return 0 if comparison.summaries else 1
