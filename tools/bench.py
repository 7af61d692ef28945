"""Measures the speed of commands, each a process as a user starts it, and of indexes and bots."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from string import ascii_lowercase
from typing import NamedTuple

import click

from solver.commands.cli import run_command
from solver.commands.running import say
from solver.index.problem import Problem, build_closed_index, closed_index
from solver.lab.python import python_command
from solver.model.puzzle import load_puzzle, puzzle_toml
from solver.scrabble.bot import Bot, PlayGenerator, bundled_leaves, kinds_of
from solver.scrabble.game import TableGame, setup_of
from solver.scrabble.graph import words_of
from solver.show.games import markdown_table
from verify.scrabble.board import board_of
from verify.scrabble.lexicons import game_words
from verify.scrabble.tiles import BLANK, tile_set

# letters of the load test of the challenge week: tr A-Z eeeeeaaaaiiiooonnrrttlsudg
_LOAD_LETTERS = "eeeeeaaaaiiiooonnrrttlsudg" + ascii_lowercase
_LOAD_RACKS = 100_000
_RUNS = 3
_GAMES = 10
_MOST = 1 << 17  # more plays than any position has
_MOVE_BAR, _PLAYS_BAR = 5, 50  # milliseconds


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


def bench_table() -> str:
    """Return the Markdown table."""
    with tempfile.TemporaryDirectory() as name:
        bench = _Bench(Path(name))
        rows = [
            *bench.commands(),
            *bench.indexes(),
            *bench.beams(),
            *bench.racks(),
            *bench.rows(),
            *scrabble_timings(),
        ]
    return table_of(rows)


def table_of(rows: Sequence[Timing]) -> str:
    """Return the Markdown table; a figure that misses its bar is marked."""
    cells = [
        (row.what, f"{row.measured}, **missed**" if row.is_missed else row.measured, row.bar)
        for row in rows
    ]
    return markdown_table(("what", "measured", "bar"), cells)


class _Bench:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.run(["warmup"], runs=1)

    def run(self, arguments: list[str], runs: int = _RUNS, stdin: Path | None = None) -> Measured:
        """Run `rowdraw` with `arguments`, `runs` times. Raises `RuntimeError` if it fails."""
        say("rowdraw " + " ".join(arguments))
        seconds, peaks = [], []
        command = python_command("from solver.commands.cli import main; main()", *arguments)
        out, err = self._folder / "out", self._folder / "err"
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

    def commands(self) -> list[Timing]:
        """Measure whole commands on the challenge row."""
        rows = []
        for what, arguments, points, seconds, aim in (
            ("`rowdraw --help`", ["--help"], 0, 0.5, ""),
            ("`rowdraw solve --strategy greedy`", ["solve", "--strategy", "greedy"], 946, 2, ""),
            ("`rowdraw solve`", ["solve"], 1042, 30, ", aim 5 s"),
        ):
            run = self.run(arguments)
            total = _score(run) if points else 0
            score, least = (f"{total} points, ", f"{points} in ") if points else ("", "")
            missed = total < points or run.seconds > seconds
            rows.append(
                Timing(what, f"{score}{run.seconds:.2f} s", f"{least}{seconds} s{aim}", missed)
            )
        return rows

    def indexes(self) -> list[Timing]:
        """Measure the closed index, built and loaded."""
        problem = Problem(load_puzzle("challenge"))
        scoring = problem.puzzle.scoring()
        build_closed_index(problem.lexicon, scoring, 2)
        builds, loads = [], []
        for _ in range(_RUNS):
            started = time.perf_counter()
            build_closed_index(problem.lexicon, scoring, problem.puzzle.rack_size)
            middle = time.perf_counter()
            closed_index(problem.lexicon, scoring, problem.puzzle.rack_size)
            builds.append(middle - started)
            loads.append(time.perf_counter() - middle)
        return [
            Timing("closed index, build", f"{median(builds):.2f} s", "6 s", median(builds) > 6),
            Timing("closed index, load", f"{median(loads):.2f} s", "0.3 s", median(loads) > 0.3),
        ]

    def beams(self) -> list[Timing]:
        """Measure throughput and memory of beams."""
        rows = []
        for width, threads in ((2_000, 1), (2_000, 2), (20_000, 1), (20_000, 2)):
            # without fishing, since racks measure the work of a beam that looks one play ahead
            command = [
                "solve",
                "--strategy",
                f"beam:width={width},fishing=0",
                "--threads",
                str(threads),
            ]
            rates = [_rate(self.run(command, runs=1)) for _ in range(_RUNS)]
            what = f"beam of {width:,} without fishing, {threads} thread{'s' * (threads > 1)}"
            bar = ("100,000 racks/s, aim 300,000", median(rates) < 100_000) if threads == 2 else ()
            rows.append(Timing(what, f"{median(rates):,.0f} racks/s", *bar))
        wide = self.run(["solve", "--strategy", "beam:width=100000,fishing=0"], runs=1)
        peak = f"{wide.seconds:.0f} s, {wide.mebibytes:,.0f} MiB at its peak"
        return [
            *rows,
            Timing("beam of 100,000 without fishing", peak, "2,048 MiB", wide.mebibytes > 2048),
        ]

    def racks(self) -> list[Timing]:
        """Measure the load test of the challenge week: the best plays of random racks."""
        rng = random.Random(294)
        load = self._folder / "racks"
        load.write_text(
            "".join("".join(rng.choices(_LOAD_LETTERS, k=10)) + "\n" for _ in range(_LOAD_RACKS))
        )
        run = self.run(["best", "-"], stdin=load)
        return [
            Timing(
                f"`rowdraw best -`, {_LOAD_RACKS:,} racks of 10",
                f"{run.seconds:.2f} s",
                "4 s",
                run.seconds > 4,
            )
        ]

    def rows(self) -> list[Timing]:
        """Measure how the time grows with the row: a shuffled row with ten times the tiles."""
        seconds = []
        for copies in (1, 10):
            original = load_puzzle("challenge")
            longer = original.with_row(original.row * copies, "long").shuffled(7)
            path = self._folder / f"row{copies}.toml"
            path.write_text(puzzle_toml(longer))
            runs = [
                _search_seconds(
                    self.run(["solve", str(path), "--strategy", "beam:width=100"], runs=1)
                )
                for _ in range(_RUNS)
            ]
            seconds.append(median(runs))
        times = seconds[1] / seconds[0]
        return [
            Timing(
                "search of 1,000 tiles against 100, width 100",
                f"{times:.1f} times",
                "12 times",
                times > 12,
            )
        ]


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


def scrabble_timings() -> list[Timing]:
    """Return the processor time of a move of the bot, and of all plays of racks with blanks."""
    say(f"{_GAMES} games of the Scrabble bot")
    tiles, lexicon = tile_set("english"), "enable1"
    words, leaves = words_of(lexicon, tiles), bundled_leaves(tiles.name)
    bot = Bot(words, tiles, game_words(lexicon).is_word or (lambda _word: True), leaves)
    generator = PlayGenerator(words, tiles, board_of(tiles.board))
    worth = None if leaves is None else leaves.worth(kinds_of(words.tiles))
    moves = list[float]()
    searches: dict[int, list[float]] = {0: [], 1: [], 2: []}
    bot.move(TableGame(setup_of(tiles, lexicon, 0)))  # compiles the kernels
    for seed in range(_GAMES):
        game = TableGame(setup_of(tiles, lexicon, seed))
        while not game.is_over:
            started = time.process_time()
            event = bot.move(game)
            moves.append(time.process_time() - started)
            letters = game.rack.replace(BLANK, "")
            for blanks, seconds in searches.items():
                rack = letters[: len(game.rack) - blanks] + BLANK * blanks
                started = time.process_time()
                list(generator.best(game.grid, rack, _MOST, worth))
                seconds.append(time.process_time() - started)
            game.take(event)
    rows = [_timing("a move of the Scrabble bot, mean", 1000 * mean(moves), _MOVE_BAR)]
    for blanks, seconds in searches.items():
        rows.append(
            _timing(
                f"all plays of a Scrabble rack, blanks: {blanks}, slowest",
                1000 * max(seconds),
                _PLAYS_BAR,
            )
        )
    return rows


def _timing(what: str, milliseconds: float, bar: int) -> Timing:
    return Timing(what, f"{milliseconds:.1f} ms", f"{bar} ms", milliseconds > bar)


@click.command()
def bench() -> None:
    """Measure the speed of this machine.

    It prints a Markdown table: seconds, racks a second, memory, ratios.
    """
    click.echo(bench_table(), nl=False)


if __name__ == "__main__":
    run_command(bench, sys.argv[0], sys.argv[1:])
