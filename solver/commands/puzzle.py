"""`rowdraw puzzle`: the bundled puzzles, and new ones."""

import click

from solver.commands.completion import complete_puzzle


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
@click.option(
    "--of",
    "original",
    default="challenge",
    show_default=True,
    metavar="PUZZLE",
    shell_complete=complete_puzzle,
    help="Use its tiles.",
)
def shuffle(seed: int, original: str) -> None:
    """Print a puzzle with another one's tiles in random order."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(original).shuffled(seed)), nl=False)
