"""`rowdraw puzzle` and `records`: the bundled puzzles and the record book."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from solver.commands import options
from solver.commands.options import FOLDER


@click.group()
def puzzle() -> None:
    """List puzzles, or make new ones."""


@puzzle.command("list")
@options.json_option
def list_puzzles(as_json: bool) -> None:
    """Print the names of the bundled puzzles."""
    from verify.rules import bundled_names

    names = bundled_names()
    if as_json:
        click.echo(json.dumps(names))
    else:
        click.echo("\n".join(names))


@puzzle.command()
@click.argument("name", metavar="NAME", default="challenge", shell_complete=options.complete_puzzle)
def show(name: str) -> None:
    """Print a puzzle as a TOML file, to edit and solve."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(name)), nl=False)


@puzzle.command()
@click.option(
    "--seed", type=click.IntRange(0), required=True, help="Decides the order of the tiles."
)
@options.named_puzzle("--of", "Use its tiles.")
def shuffle(seed: int, of: str) -> None:
    """Print a puzzle with another one's tiles in random order."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(of).shuffled(seed)), nl=False)


@click.command()
@click.argument("results", default=Path("results"), type=FOLDER)
@options.json_option
def records(results: Path, as_json: bool) -> None:
    """Print the record book in the folder RESULTS as Markdown."""
    from solver.lab.records import book, entries

    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries(results)], indent=1))
    else:
        click.echo(book(results), nl=False)
