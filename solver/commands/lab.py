"""`rowdraw lab`: what those who work on the solver want."""

import click

from solver.commands.learn import learn
from solver.commands.optima import optima


@click.group()
def lab() -> None:
    """Learn, measure, and find out how often searches hit the optimum."""


lab.add_command(optima)
lab.add_command(learn)


@lab.command()
def bench() -> None:
    """Measure this machine and print a Markdown table: seconds, racks a second, memory, ratios."""
    from solver.lab.bench import bench_table

    click.echo(bench_table(lambda message: click.echo(message, err=True)), nl=False)
