"""Prints data/benchmark.csv: rows whose best scores are proven, from the folder of results."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from solver.commands.cli import run_command
from solver.commands.options import FOLDER
from solver.lab.records import record_book
from solver.model.puzzle import load_puzzle

_LENGTHS = (60, 80, 100)
_HEAD = ("puzzle", "tiles", "optimum", "row", "digest")


def instances(results: Path) -> Iterator[tuple[str, int, int, str, str]]:
    """Yield name, tiles, optimum, row and digest of each row: random ones, then the book's."""
    challenge = load_puzzle()
    for tiles in _LENGTHS:
        lines = (results / f"optima-{tiles}" / "optima.jsonl").read_text(encoding="utf-8")
        for number, line in enumerate(lines.splitlines(), start=1):
            solved = json.loads(line)
            rules = challenge.with_row(solved["row"])
            name = f"benchmark-{tiles}-{number:02}"
            yield name, tiles, solved["optimum"], rules.row, rules.digest
    for name, known in record_book().items():
        rules = load_puzzle(name)
        if known.best == known.bound:
            yield name, len(rules.row), known.best, rules.row, rules.digest


@click.command()
@click.argument("results", default=Path("results"), type=FOLDER)
def benchmark(results: Path) -> None:
    """Print the rows of the folder RESULTS whose best scores are proven, as CSV.

    In a clone the text that it prints may replace data/benchmark.csv.
    """
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(_HEAD)
    table.writerows(instances(results))


if __name__ == "__main__":
    run_command(benchmark, sys.argv[0], sys.argv[1:])
