"""Prints the bundled record book, data/best-known.toml, from a folder of records."""

import json
import sys
from pathlib import Path

import click

from solver.commands.cli import run_command
from solver.commands.options import FOLDER
from solver.index.problem import Problem
from solver.lab.records import entries
from solver.model.puzzle import load_puzzle
from verify.files import LARGEST_TEXT, read_file
from verify.rules import bundled_names


def book_toml(results: Path) -> str:
    """Return the records of the bundled puzzles in a folder, the text of data/best-known.toml.

    Raises `RowdrawError` if the folder cannot be read.
    """
    head = (
        "# The best answer known of each bundled puzzle, and the least bound that a certificate "
        "gives: what `python tools/record_book.py` prints.\n"
    )
    bundled = bundled_names()
    tables = [
        f'\n[{entry.puzzle}]\ndigest = "{_digest(entry.puzzle)}"\nscore = {entry.score}\n'
        + (f"bound = {entry.bound}\n" if entry.bound is not None else "")
        + f"turns = {json.dumps(_turns(results / entry.puzzle / entry.file), indent=4)}\n"
        for entry in entries(results)
        if entry.puzzle in bundled
    ]
    return "".join([head, *tables])


def _digest(name: str) -> str:
    """Return the digest of a bundled puzzle with its words."""
    problem = Problem(load_puzzle(name))
    return problem.rules.digest


def _turns(path: Path) -> list[str]:
    """Return the turns of an answer on file."""
    lines = read_file(path, LARGEST_TEXT).decode().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@click.command()
@click.argument("results", default=Path("results"), type=FOLDER)
def record_book(results: Path) -> None:
    """Print scores, bounds and turns of the bundled puzzles in the folder RESULTS as TOML.

    In a clone the text that it prints may replace data/best-known.toml.
    """
    click.echo(book_toml(results), nl=False)


if __name__ == "__main__":
    run_command(record_book, sys.argv[0], sys.argv[1:])
