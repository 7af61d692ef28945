"""`rowdraw puzzle` and `records`: the bundled puzzles and the record book."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from solver.commands import options


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
@options.named_puzzle("--of", default="challenge", help="Use its tiles.")
def shuffle(seed: int, of: str) -> None:
    """Print a puzzle with another one's tiles in random order."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(of).shuffled(seed)), nl=False)


@click.command()
@click.argument(
    "results", required=False, metavar="[FOLDER|PUZZLE]", shell_complete=options.complete_puzzle
)
@options.json_option
def records(results: str | None, as_json: bool) -> None:
    """Print the record book in a folder, or the record of a puzzle.

    The book of a folder is printed as Markdown. Without an argument: that in the folder `results`,
    or else the scores of the bundled book.
    """
    from solver.lab.records import book, bundled_record, entries, record_book
    from verify.files import best_known

    folder = Path(results or "results")
    is_folder = folder.is_dir() or (results is not None and results not in best_known())
    if is_folder:
        found = entries(folder)
        text = book(found)
        fields: object = [asdict(entry) for entry in found]
    elif results is not None:
        text = bundled_record(results)
        fields = best_known()[results]
    else:
        text = "".join(f"{name}: {known.summary}\n" for name, known in record_book().items())
        fields = best_known()
    click.echo(json.dumps(fields, indent=1) + "\n" if as_json else text, nl=False)
