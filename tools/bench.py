"""Measures the speed of commands, each a process as a user starts it, and of indexes and bots."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import mean, median
from string import ascii_lowercase
from typing import NamedTuple

import click

from games import file_of_bots
from solver.commands.cli import run_command
from solver.commands.running import say
from solver.index.problem import Problem, build_closed_index, closed_index
from solver.lab.python import python_command
from solver.model.puzzle import load_puzzle, puzzle_toml
from solver.scrabble.bot import bot_of, bundled_leaves, kinds_of
from solver.scrabble.game import TableGame
from solver.show.games import markdown_table
from verify.scrabble.tiles import BLANK, tile_set

# letters of the load test of the challenge week: tr A-Z eeeeeaaaaiiiooonnrrttlsudg
_LOAD_LETTERS = "eeeeeaaaaiiiooonnrrttlsudg" + ascii_lowercase
_LOAD_RACKS = 100_000
_RUNS = 3
_GAMES = 10
_MOST = 1 << 17  # more plays than any position has
_MOVE_BAR = 5  # milliseconds
_PLAYS_BAR = 50  # milliseconds


@dataclass(frozen=True)
class Measured:
    """Medians over runs of one command, of wall-clock seconds and peak resident MiB.

    `output` and `errors` are those of the last run.
    """

    seconds: float
    mebibytes: float
    output: str
    errors: str


class Timing(NamedTuple):
    """A row of the table; `is_missed`: whether the figure misses its bar."""

    what: str
    measured: str
    bar: str = ""
    is_missed: bool = False


def at_most(what: str, figure: float, form: str, most: float) -> Timing:
    """Return a row for a figure with a bar that it should not exceed; `form` has its unit."""
    unit = form.partition("}")[2]
    return Timing(what, form.format(figure), f"{most:,}{unit}", figure > most)


def bench_table() -> str:
    """Return the Markdown table; a figure that misses its bar is marked."""
    cells = []
    with tempfile.TemporaryDirectory() as name:
        for row in chain(_Bench(Path(name)).rows(), scrabble_timings()):
            mark = ", **missed**" if row.is_missed else ""
            cells.append((row.what, f"{row.measured}{mark}", row.bar))
    return markdown_table(("what", "measured", "bar"), cells)


class _Bench:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.run(["warmup"], runs=1)

    def run(self, arguments: list[str], runs: int = _RUNS, stdin: Path | None = None) -> Measured:
        """Run `rowdraw` with `arguments`, `runs` times. Raises `RuntimeError` if it fails."""
        say("rowdraw " + " ".join(arguments))
        seconds = []
        peaks = []
        command = python_command("from solver.commands.cli import main; main()", *arguments)
        out = self._folder / "out"
        err = self._folder / "err"
        for _ in range(runs):
            with (
                out.open("w") as stdout,
                err.open("w") as stderr,
                (stdin or Path(os.devnull)).open() as source,
            ):
                started = time.perf_counter()
                process = subprocess.Popen(command, stdin=source, stdout=stdout, stderr=stderr)
                _pid, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                seconds.append(time.perf_counter() - started)
                peaks.append(_mebibytes(usage.ru_maxrss))
            if process.returncode != 0:
                raise RuntimeError(
                    f"{arguments} ended with {process.returncode}: {err.read_text()}"
                )
        return Measured(median(seconds), median(peaks), out.read_text(), err.read_text())

    def rows(self) -> Iterator[Timing]:
        """Measure everything but Scrabble."""
        yield from self._commands()
        yield from self._indexes()
        yield from self._beams()
        # the load test of the challenge week: the best plays of random racks
        rng = random.Random(294)
        load = self._folder / "racks"
        racks = ("".join(rng.choices(_LOAD_LETTERS, k=10)) for _ in range(_LOAD_RACKS))
        load.write_text("".join(f"{rack}\n" for rack in racks))
        run = self.run(["best", "-"], stdin=load)
        yield at_most(f"`rowdraw best -`, {_LOAD_RACKS:,} racks of 10", run.seconds, "{:.2f} s", 4)
        # how the time grows with the row
        times = self._seconds_for(10) / self._seconds_for(1)
        yield at_most("search of 1,000 tiles against 100, width 100", times, "{:.1f} times", 12)

    def _commands(self) -> Iterator[Timing]:
        """Measure whole commands on the challenge row."""
        yield at_most("`rowdraw --help`", self.run(["--help"]).seconds, "{:.2f} s", 0.5)
        for command, points, seconds, aim in (
            ("solve --strategy greedy", 946, 2, ""),
            ("solve", 1042, 30, ", aim 5 s"),
        ):
            run = self.run(command.split())
            score = _score(run)
            yield Timing(
                f"`rowdraw {command}`",
                f"{score} points, {run.seconds:.2f} s",
                f"{points} in {seconds} s{aim}",
                score < points or run.seconds > seconds,
            )

    def _indexes(self) -> Iterator[Timing]:
        """Measure the closed index, built and loaded."""
        problem = Problem(load_puzzle("challenge"))
        scoring = problem.puzzle.scoring()
        build_closed_index(problem.lexicon, scoring, 2)
        builds = []
        loads = []
        for _ in range(_RUNS):
            started = time.perf_counter()
            build_closed_index(problem.lexicon, scoring, problem.puzzle.rack_size)
            middle = time.perf_counter()
            closed_index(problem.lexicon, scoring, problem.puzzle.rack_size)
            builds.append(middle - started)
            loads.append(time.perf_counter() - middle)
        yield at_most("closed index, build", median(builds), "{:.2f} s", 6)
        yield at_most("closed index, load", median(loads), "{:.2f} s", 0.3)

    def _beams(self) -> Iterator[Timing]:
        """Measure throughput and memory of beams.

        They do not fish, since racks measure the work of a beam that looks one play ahead.
        """
        for width, threads in ((2_000, 1), (2_000, 2), (20_000, 1), (20_000, 2)):
            command = f"solve --strategy beam:width={width},fishing=0 --threads {threads}"
            rate = median(_rate(self.run(command.split(), runs=1)) for _ in range(_RUNS))
            what = f"beam of {width:,} without fishing, {threads} thread{'s' * (threads > 1)}"
            bar = ("100,000 racks/s, aim 300,000", rate < 100_000) if threads == 2 else ()
            yield Timing(what, f"{rate:,.0f} racks/s", *bar)
        wide = self.run(["solve", "--strategy", "beam:width=100000,fishing=0"], runs=1)
        form = f"{wide.seconds:.0f} s, {{:,.0f}} MiB"
        peak = at_most("beam of 100,000 without fishing", wide.mebibytes, form, 2048)
        yield peak._replace(measured=f"{peak.measured} at its peak")

    def _seconds_for(self, copies: int) -> float:
        """Return the time of a search on a shuffled row of `copies` times the tiles."""
        original = load_puzzle("challenge")
        longer = original.with_row(original.row * copies, "long").shuffled(7)
        path = self._folder / f"row{copies}.toml"
        path.write_text(puzzle_toml(longer))
        command = ["solve", str(path), "--strategy", "beam:width=100"]
        return median(_search_seconds(self.run(command, runs=1)) for _ in range(_RUNS))


def _score(run: Measured) -> int:
    return int(run.errors.split("rowdraw: ")[-1].split(" points")[0])


def _search_seconds(run: Measured) -> float:
    return float(run.errors.split(" s, ")[0].split()[-1])


def _rate(run: Measured) -> float:
    racks = int(run.errors.split(" racks,")[0].split()[-1].replace(",", ""))
    return racks / _search_seconds(run)


def _mebibytes(peak: int) -> float:
    # bytes on macOS, KiB elsewhere
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def scrabble_timings() -> Iterator[Timing]:
    """Yield the processor time of a move of the bot, and of searches for the plays of racks."""
    say(f"{_GAMES} games of the Scrabble bot")
    tiles = tile_set("english")
    lexicon = "enable1"
    leaves = bundled_leaves(tiles)
    bot = bot_of(tiles, lexicon)
    worth = None if leaves is None else leaves.worth(kinds_of(tiles))
    moves = list[float]()
    searches: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for seed in range(_GAMES):
        game = TableGame(file_of_bots(tiles, lexicon, seed))
        while not game.is_over:
            started = time.process_time()
            event = bot.move(game)
            moves.append(time.process_time() - started)
            letters = game.rack.replace(BLANK, "")
            for blanks, seconds in searches.items():
                rack = letters[: len(game.rack) - blanks] + BLANK * blanks
                started = time.process_time()
                bot.search(game.grid, rack, _MOST, worth)
                seconds.append(time.process_time() - started)
            game.take(event)
    yield at_most("a move of the Scrabble bot, mean", 1000 * mean(moves), "{:.1f} ms", _MOVE_BAR)
    for blanks, seconds in searches.items():
        what = f"search for all plays of a Scrabble rack, blanks: {blanks}, slowest"
        yield at_most(what, 1000 * max(seconds), "{:.1f} ms", _PLAYS_BAR)


@click.command()
def bench() -> None:
    """Measure the speed of this machine.

    It prints a Markdown table: seconds, racks a second, memory, ratios.
    """
    click.echo(bench_table(), nl=False)


if __name__ == "__main__":
    run_command(bench, sys.argv[0], sys.argv[1:])
