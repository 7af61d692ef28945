"""`rowdraw best`: the best plays of racks."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from solver.errors import RackError

if TYPE_CHECKING:
    from solver.tiles import Counts

_BATCH = 8192


@click.command()
@click.argument("racks", nargs=-1, required=True, metavar="RACK...")
@click.option("--top", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many words a rack.")
@click.option(
    "--rule",
    type=click.Choice(["positional", "scrabble", "longest"]),
    default="positional",
    show_default=True,
    help="Sum of position x value, sum of values, or number of letters.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def best(racks: tuple[str, ...], top: int, rule: str, as_json: bool) -> int:
    """Print the best plays of each RACK, up to 20 tiles with ? for blanks, a line each: rack, score, play, word.

    A RACK of - reads racks from standard input, one a line.
    """
    import json

    from solver.plays import best_plays
    from solver.problem import Problem
    from solver.puzzle import load_puzzle

    problem = Problem.of(load_puzzle("challenge"))
    reader = _RackReader()
    entries: list[dict[str, object]] = []
    for batch in reader.batches(racks):
        found = best_plays(
            [counts for _rack, counts in batch],
            problem.lexicon,
            problem.signatures,
            problem.puzzle.value_table,
            top=top,
            rule=rule,
        )
        lines = []
        for (rack, _counts), plays in zip(batch, found, strict=True):
            if as_json:
                entries += [{"rack": rack, "score": p.score, "play": p.tiles, "word": p.word} for p in plays]
                continue
            lines += [f"{rack}\t{play.score}\t{play.tiles}\t{play.word}\n" for play in plays]
            if not plays:
                lines.append(f"{rack}\t0\t-\t-\n")
        sys.stdout.write("".join(lines))
    if as_json:
        sys.stdout.write(json.dumps(entries, indent=1) + "\n")
    return 2 if reader.refused else 0


class _RackReader:
    """Reads racks, and tells of those that are none without losing the rest."""

    def __init__(self) -> None:
        self.refused = False

    def batches(self, racks: Iterable[str]) -> Iterator[list[tuple[str, "Counts"]]]:
        """(rack, counts by code) in batches."""
        read = self._read(racks)
        while batch := list(islice(read, _BATCH)):
            yield batch

    def _read(self, racks: Iterable[str]) -> Iterator[tuple[str, "Counts"]]:
        from solver.racks import rack_counts

        for where, rack in _lines(racks):
            try:
                yield rack, rack_counts(rack)
            except RackError as error:
                self.refused = True
                click.echo(f"rowdraw: {where}{error}", err=True)


def _lines(racks: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where it stands, rack) of each argument, and of each line of standard input that is not blank."""
    for argument in racks:
        if argument != "-":
            yield "", argument.lower()
            continue
        for number, raw in enumerate(sys.stdin.buffer, start=1):
            line = raw.decode("utf-8", "replace").strip().lower()
            if line:
                yield f"line {number}: ", line
