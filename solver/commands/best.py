"""`rowdraw best`: the best plays of racks."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import complain, read_problem, words_option
from solver.errors import RackError
from solver.limits import MOST_ANSWERS

if TYPE_CHECKING:
    from solver.model.tiles import Counts

_BATCH = 8192
_MOST_TOLD = 1_000  # lines that are not racks and are named; any others are only counted
_LONGEST_LINE = 1_000  # characters


@click.command()
@click.argument("racks", nargs=-1, required=True, metavar="RACK...")
@click.option("--top", type=click.IntRange(1, MOST_ANSWERS), default=1, show_default=True, help="Plays to print for each rack.")
@click.option(
    "--rule",
    type=click.Choice(["positional", "scrabble", "longest"]),
    default="positional",
    show_default=True,
    help="What counts: the sum of position x value, the sum of values, or the number of letters.",
)
@words_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def best(racks: tuple[str, ...], top: int, rule: str, words: Path | None, as_json: bool) -> int:
    """Print the best plays of racks.

    A RACK has up to 20 tiles, with ? for blanks. Each play is a line: rack, score, play, word.

    If RACK is -, the racks are read from standard input, one per line.
    """
    import json

    from solver.model.puzzle import load_puzzle

    problem = read_problem(load_puzzle("challenge", words))
    finder = problem.finder_by(rule)
    reader = _RackReader()
    entries: list[dict[str, object]] = []
    for batch, counts in reader.batches(racks):
        found = finder.best(counts, top=top)
        lines = []
        for rack, plays in zip(map(str.lower, batch), found, strict=True):
            if as_json:
                entries += [{"rack": rack, "score": p.score, "play": p.tiles, "word": p.word} for p in plays]
                if not plays:
                    entries.append({"rack": rack, "score": 0, "play": None, "word": None})
                continue
            lines += [f"{rack}\t{play.score}\t{play.tiles}\t{play.word}\n" for play in plays]
            if not plays:
                lines.append(f"{rack}\t0\t-\t-\n")
        sys.stdout.write("".join(lines))
    if as_json:
        sys.stdout.write(json.dumps(entries, indent=1) + "\n")
    return reader.end()


class _RackReader:
    """Reads racks in batches. It names the lines that are not racks and goes on with the others."""

    def __init__(self) -> None:
        self._refusals = 0

    def end(self) -> int:
        """Say how many more lines were refused than were named; returns the exit code."""
        if self._refusals > _MOST_TOLD:
            complain(f"and {self._refusals - _MOST_TOLD:,} more lines that are not racks")
        return 2 if self._refusals else 0

    def batches(self, racks: Iterable[str]) -> Iterator[tuple[list[str], "Counts"]]:
        """Racks and their counts by code."""
        from solver.model.racks import racks_counts

        lines = _lines(racks)
        while batch := list(islice(lines, _BATCH)):
            try:
                yield [rack for _where, rack in batch], racks_counts([rack for _where, rack in batch])
            except RackError:
                good = [rack for where, rack in batch if self._accepts(where, rack)]
                if good:
                    yield good, racks_counts(good)

    def _accepts(self, where: str, rack: str) -> bool:
        from solver.model.racks import rack_counts

        try:
            rack_counts(rack)
        except RackError as error:
            self._refusals += 1
            if self._refusals <= _MOST_TOLD:
                complain(f"{where}{error}")
            return False
        return True


def _lines(racks: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where it stands, rack) of each argument, and of each line of standard input that is not blank."""
    for argument in racks:
        if argument != "-":
            yield "", argument
            continue
        if sys.stdin is None:
            raise RackError("standard input is closed: expected racks, one a line")
        for number, raw in enumerate(iter(lambda: sys.stdin.buffer.readline(_LONGEST_LINE + 1), b""), start=1):
            if len(raw) > _LONGEST_LINE:
                raise RackError(f"line {number}: more than {_LONGEST_LINE:,} characters: expected a rack of at most 20 tiles")
            line = raw.decode("utf-8", "replace").strip()
            if line:
                yield f"line {number}: ", line
