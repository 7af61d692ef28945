"""`rowdraw lab optima`: short random rows solved exactly, and how often searches find the optimum."""

from pathlib import Path

import click

from solver.commands.running import INTERRUPTED, Seconds, command_ending, journal_option, say, threads_option


@click.command()
@click.option("--tiles", type=click.IntRange(2, 100), default=30, show_default=True, help="Tiles of each row.")
@click.option("--rows", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many rows.")
@click.option("--time", "seconds", type=Seconds(0, min_open=True), metavar="SECONDS", help="Time limit for one row.")
@click.option(
    "--ascent",
    type=Seconds(0),
    default=8.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for the bound; rows of more than 40 tiles take more.",
)
@threads_option
@journal_option("Journal and table; rows that are there are not solved again.")
@click.option("--again", is_flag=True, help="Search the rows in the journal again; proven bounds stay.")
def optima(tiles: int, rows: int, seconds: float | None, ascent: float, threads: int | None, output: Path, again: bool) -> int:
    """Find out how often each strategy finds the optimum.

    It solves random rows of the challenge's tiles exactly.
    """
    from solver.bound.sweeps.exact import ExactParameters
    from solver.commands.progress import Bar
    from solver.files import replace_file
    from solver.lab.optima import find_truths, table
    from solver.model.puzzle import load_puzzle
    from solver.search.run import Run, processors
    from solver.solving.warmup import warm_up

    warm_up(say)
    truths = []
    ending = command_ending()
    with Bar() as bar:

        def new_run(limited: bool) -> Run:
            return ending.of(Run(threads=threads or processors(), seconds=seconds if limited else None, watch=bar))

        exact = ExactParameters(ascent=ascent)
        for truth in find_truths(load_puzzle("challenge"), tiles, rows, exact, output, new_run, again):
            truths.append(truth)
            proof = "optimal" if truth.optimum is not None else f"at most {truth.bound}"
            bar.say(f"{truth.row} {truth.score}, {proof}, {truth.seconds:.1f} s")
    if len(truths) < rows:
        return INTERRUPTED  # the journal has the finished rows; the table is only written for all of them
    text = table(truths)
    replace_file(output / "table.md", text)
    click.echo(text, nl=False)
    return 0
