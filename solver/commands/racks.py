"""`rowdraw best` and `can`: what racks are worth."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.checking import MOST_ANSWERS
from solver.commands import options
from solver.commands.running import complain, read_problem
from solver.errors import RackError
from solver.model.weights import RULES

if TYPE_CHECKING:
    from solver.model.tiles import Counts

_BATCH = 8192  # racks
_LONGEST_LINE = 1_000  # characters
_RULE = "positional"
_NO_PLAY = [(0, None, None)]


@click.command()
@click.argument("racks", nargs=-1, required=True, metavar="RACK...")
@click.option(
    "--top",
    type=click.IntRange(1, MOST_ANSWERS),
    default=1,
    metavar="N",
    help="Plays to print for each rack.",
)
@click.option(
    "--rule",
    type=click.Choice(list(RULES)),
    default=_RULE,
    help=f"What counts (default: {_RULE}): "
    f"{'; '.join(f'{name}, {rule.text}' for name, rule in RULES.items())}.",
)
@options.words
@options.json_option
def best(racks: tuple[str, ...], top: int, rule: str, words: Path | None, as_json: bool) -> int:
    """Print the best plays of racks.

    A RACK has up to 20 tiles, with ? for blanks. Each play is a line: rack, score, play, word.

    If RACK is -, the racks are read from standard input, one per line.
    """
    from solver.model.puzzle import load_puzzle

    problem = read_problem(load_puzzle("challenge", words))
    finder = problem.finder_by(rule)
    reader = _RackReader()
    entries: list[dict[str, Any]] = []
    for batch, counts in reader.batches(racks):
        lines: list[str] = []
        for rack, plays in zip(batch, finder.best(counts, top=top), strict=True):
            rows: Sequence[tuple[int, str | None, str | None]] = [
                (play.score, play.tiles, play.word) for play in plays
            ]
            for score, tiles, word in rows or _NO_PLAY:
                if as_json:
                    fields = {"rack": rack.lower(), "score": score, "play": tiles, "word": word}
                    entries.append(fields)
                else:
                    lines.append(f"{rack.lower()}\t{score}\t{tiles or '-'}\t{word or '-'}\n")
        sys.stdout.write("".join(lines))
    if as_json:
        click.echo(json.dumps(entries, indent=1))
    return 2 if reader.has_refused else 0


class _RackReader:
    """Reads racks in batches. It names the lines that are not racks and goes on with the others."""

    has_refused = False

    def batches(self, racks: Iterable[str]) -> Iterator[tuple[list[str], "Counts"]]:
        """Yield racks with their counts by code."""
        from solver.model.tiles import racks_counts

        lines = rack_lines(racks)
        while batch := list(islice(lines, _BATCH)):
            all_racks = [rack for _where, rack in batch]
            try:
                yield all_racks, racks_counts(all_racks)
            except RackError:
                good = list(self._without_refused(batch))
                if good:
                    yield good, racks_counts(good)

    def _without_refused(self, batch: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Yield the racks of a batch; name the lines that are not racks."""
        from solver.model.tiles import rack_counts

        for where, rack in batch:
            try:
                rack_counts(rack)
            except RackError as error:
                self.has_refused = True
                complain(f"{where}{error}")
            else:
                yield rack


def rack_lines(racks: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (its line, rack) of each argument, and of each line of standard input for `-`."""
    for argument in racks:
        if argument != "-":
            yield "", argument
            continue
        if sys.stdin is None:
            raise RackError("standard input is closed: expected racks, one a line")
        number = 0
        while raw := sys.stdin.buffer.readline(_LONGEST_LINE + 1):
            number += 1
            if len(raw) > _LONGEST_LINE:
                raise RackError(
                    f"line {number}: more than {_LONGEST_LINE:,} characters: "
                    "expected a rack of at most 20 tiles"
                )
            line = raw.decode("utf-8", "replace").strip()
            if line:
                yield f"line {number}: ", line


@click.command()
@click.argument("rack")
@click.argument("word")
@options.json_option
def can(rack: str, word: str, as_json: bool) -> int:
    """Say whether a rack makes a word.

    It prints the play of WORD from RACK, or says which tiles are missing and exits with 1.
    """
    from solver.model.tiles import laid_tiles, rack_counts

    if not word.isascii() or not word.isalpha():
        raise RackError(f"word {word!r}: expected letters a to z")
    counts = rack_counts(rack)
    play = lack = None
    try:
        play = laid_tiles(counts, word.lower())
    except RackError as error:
        lack = str(error)
    if as_json:
        click.echo(
            json.dumps({"rack": rack.lower(), "word": word.lower(), "play": play, "lack": lack})
        )
    else:
        click.echo(play or lack)
    return 0 if play else 1
