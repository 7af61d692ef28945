"""`rowdraw lab`: tools for people who work on the solver."""

import click

from solver.commands.bots import games, leaves
from solver.commands.learn import learn
from solver.commands.optima import optima
from solver.commands.running import say
from solver.commands.sweep import sweep


@click.group()
def lab() -> None:
    """Tools for work on the solver: sweeps, prices, speed, bots.

    These tools learn prices, measure speed, sweep long rows, find out how often searches find the optimum, and let bots
    play Scrabble.
    """


lab.add_command(optima)
lab.add_command(learn)
lab.add_command(sweep)
lab.add_command(leaves)
lab.add_command(games)


@lab.command()
def bench() -> None:
    """Measure the speed of this machine.

    It prints a Markdown table: seconds, racks a second, memory, ratios.
    """
    from solver.lab.bench import bench_table

    click.echo(bench_table(say), nl=False)
