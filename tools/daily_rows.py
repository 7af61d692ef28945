"""The daily rows: random rows of the challenge's tiles with their best games.

Each week goes from easy to hard. A row is as hard as greedy search, which makes the best play in
each turn, falls short of its best game.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from journals import ToolJournal, kept_in, run_maker
from optima import random_row, search_exactly
from solver.bound.sweeps.exact import ExactParameters
from solver.commands import options
from solver.commands.cli import run_command
from solver.commands.running import INTERRUPTED, say
from solver.errors import RowdrawError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.compile_all import warm_up_bounds
from solver.solving.opened import OpenedGame
from verify import Rules

FIRST_DAY = date(2026, 11, 23)  # a Monday, since a week goes from easy to hard
WEEK = 7
_SHORTEST, _LONGEST = 30, 40  # tiles
_SERIES = 1_000_000  # numbers of random rows from here on are daily ones, which no table reports
_HARDEST_TO_SEE = 0.995  # greedy search finds almost the best game of a row: no challenge


@dataclass(frozen=True)
class DailyRow:
    """A row with the score and the lines of its best game, and the score of a greedy one."""

    row: str
    best: int
    greedy: int
    turns: list[str]

    @property
    def difficulty(self) -> float:
        """The share of the best score that greedy search misses."""
        return 1 - self.greedy / self.best


def find_rows(
    puzzle: Rules, count: int, folder: Path, new_run: Callable[[], Run]
) -> Iterator[DailyRow]:
    """Yield `count` rows, each saved in the journal of `folder`, until a run is interrupted.

    Raises:
        RowdrawError: The journal cannot be read, or the referee does not confirm a game.
        OSError: The journal cannot be written.
    """
    known = JOURNAL.resume(folder)
    number = yielded = 0
    while yielded < count:
        row = _random_row(puzzle, number)
        number += 1
        problem = Problem(puzzle.with_row(row, f"daily-{number}"))
        if row not in known:
            solved = _solved(problem, new_run())
            if solved is None:
                return
            known[row] = solved
            JOURNAL.keep(folder, solved)
        elif _score(problem, known[row]) != known[row].best:
            raise RowdrawError(
                f"{folder / JOURNAL.name}: {row}: "
                f"expected turns that score {known[row].best} points, the best"
            )
        if known[row].greedy <= _HARDEST_TO_SEE * known[row].best:
            yielded += 1
            yield known[row]


def _score(problem: Problem, daily: DailyRow) -> int | None:
    """Return the score of the turns of a row; None if the referee finds a fault in them."""
    try:
        game = OpenedGame(daily.row, "\n".join(daily.turns).encode())
        return Solution(game.turns(problem)).score
    except RowdrawError:
        return None


def _random_row(puzzle: Rules, number: int) -> str:
    # short rows are the most frequent ones: a game takes a player less time, and its proof less too
    tiles = _SHORTEST + int(
        (_LONGEST - _SHORTEST + 1) * random.Random(f"daily:{number}").random() ** 3
    )
    return random_row(puzzle, tiles, _SERIES + number)


def _solved(problem: Problem, run: Run) -> DailyRow | None:
    """Return a row with its best game; None if the run was over before it was proven."""
    greedy = Run()
    Greedy().search(problem, greedy)
    search_exactly(problem, run, ExactParameters())
    if run.bound != run.incumbent.score:
        return None
    turns = [f"{turn.left} {turn.play} {turn.word}" for turn in run.incumbent.turns]
    return DailyRow(problem.puzzle.row, run.incumbent.score, greedy.incumbent.score, turns)


JOURNAL = ToolJournal("daily.jsonl", DailyRow, lambda daily: daily.row)


def in_weeks(rows: Sequence[DailyRow]) -> list[DailyRow]:
    """Return the rows of each week in turn, from the easiest to the hardest."""
    weeks = [rows[at : at + WEEK] for at in range(0, len(rows), WEEK)]
    return [
        row for week in weeks for row in sorted(week, key=lambda row: (row.difficulty, row.row))
    ]


def daily_file(rows: Sequence[DailyRow]) -> str:
    """Return the text of data/daily.json: the first day, and the rows from then on."""
    lines = [
        json.dumps({"row": row.row, "best": row.best, "greedy": row.greedy, "turns": row.turns})
        for row in in_weeks(rows)
    ]
    return f'{{"first": "{FIRST_DAY.isoformat()}", "rows": [\n' + ",\n".join(lines) + "\n]}\n"


@click.command()
@click.option(
    "--weeks",
    type=click.IntRange(1, 520),
    default=52,
    show_default=True,
    help="How many weeks of rows.",
)
@options.threads
@kept_in("Journal and rows; rows that are there are not solved again.")
def daily(weeks: int, threads: int | None, output: Path) -> int:
    """Make the daily rows of the table.

    It solves random rows of 30 to 40 tiles exactly, seven for each week, from easy to hard. A year
    takes an hour. In a clone the file that it writes may replace data/daily.json.
    """
    warm_up_bounds(say)
    rows = []
    with run_maker(threads) as (bar, new_run):
        for row in find_rows(load_puzzle("challenge"), WEEK * weeks, output, new_run):
            rows.append(row)
            bar.say(f"{row.row} {row.best}, greedy search {row.greedy}")
    if len(rows) < WEEK * weeks:
        return INTERRUPTED  # the journal has the finished rows
    replace_file(output / "daily.json", daily_file(rows))
    click.echo(f"{output / 'daily.json'}: {len(rows)} rows")
    return 0


if __name__ == "__main__":
    run_command(daily, sys.argv[0], sys.argv[1:])
