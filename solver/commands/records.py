"""`rowdraw puzzle` and `records`: the bundled puzzles and the record book."""

from pathlib import Path

import click

from solver.commands import options
from solver.commands.options import FOLDER


@click.group()
def puzzle() -> None:
    """List puzzles, or make new ones."""


@puzzle.command("list")
def list_puzzles() -> None:
    """Print the names of the bundled puzzles."""
    from solver.model.puzzle import bundled_puzzles

    for name in bundled_puzzles():
        click.echo(name)


@puzzle.command()
@click.option("--seed", type=click.IntRange(0), required=True, help="Decides the order of the tiles.")
@options.named_puzzle("--of", "Use its tiles.")
def shuffle(seed: int, of: str) -> None:
    """Print a puzzle with another one's tiles in random order."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(of).shuffled(seed)), nl=False)


@click.command()
@click.argument("results", default=Path("results"), type=FOLDER)
def records(results: Path) -> None:
    """Print the record book in the folder RESULTS as Markdown."""
    from solver.lab.records import book

    click.echo(book(results), nl=False)
