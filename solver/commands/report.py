"""`rowdraw report`: a comparison as one page."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="PAGE")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    help="The record book with the best known scores and bounds.",
)
def report(folder: Path, output: Path, results: Path) -> int:
    """Write the comparison in FOLDER as one HTML file that needs nothing else."""
    from solver.extras import require

    require("report", "matplotlib", "jinja2")
    from solver.lab.compare.collect import collect
    from solver.report.comparison import comparison_page
    from solver.report.output import write_report

    write_report(output, comparison_page(collect(folder, results), folder.resolve().name))
    return 0
