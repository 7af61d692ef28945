"""The figures of a comparison as a terminal table, CSV and Markdown, all with the same cells."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from solver.lab.compare.collect import Figures
from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    FAILED,
    POWER,
    SIGNIFICANCE,
    TARGETS,
    Pair,
    puzzle_means,
)
from solver.lab.records import KnownScores
from solver.search.run import GRACE
from solver.show.games import markdown_table

WIDTH = 120  # columns of a terminal that a table fits
_GAP = "  "  # between two columns

Cells = list[list[Any]]

SUMMARY_TEXT = (
    "All figures are over the same puzzles, of which every strategy here has run each. Scores and "
    "gaps, which are points below the best known score, are means over seeds first and then over "
    "puzzles. “% of best” is the mean of the scores as percentages of the best known, so long rows "
    "count like short ones. A run counts with its best answer in time: one that comes more than "
    f"{1000 * GRACE:.0f} ms after the limit does not count. A run that failed, or has no answer in "
    f"time, counts as {FAILED} points. Wins compare means over seeds, puzzle by puzzle. “To 99 %” "
    "is the expected effort until a run has 99 % of the best known score of its puzzle: what all "
    "runs spent until then, or else in all, divided by the number of runs that reached it (ERT)."
)
PUZZLES_TEXT = (
    f"The mean score over seeds. A failed run counts as {FAILED} points, and the cell gives the "
    "number of failed runs. “-” stands where there was no run."
)
PAIRS_TEXT = (
    "Mean difference in points (first less second), the number of puzzles on which the two differ, "
    "and the p-value of the sign-flip test (Fisher 1935, Pitman 1937), corrected after Holm. The "
    "interval covers that of the same "
    "test and a t-interval after Hall's correction for skewness (1992), both at the level at which "
    "Holm's procedure decides about the pair. A difference is significant where the interval "
    f"leaves out 0; p (Holm) is below {SIGNIFICANCE:g} there. The interval assumes that the "
    "puzzles are an independent sample of those that you care about. `tools/intervals.py` prints "
    "how often it covers the true mean: about 95 times in 100, and less often for extremely skewed "
    "differences. “-” stands where too few puzzles differ for an interval."
)
FORMULA = (
    "“Needed” is the number of puzzles with which a difference of the observed size is significant "
    f"with a probability of {POWER:.0%}: n = ((z₁ + z₂) · s / d)² + z₁² / 2, with d the mean of "
    f"the differences, s their standard deviation, z₁ the normal quantile of 1 − {SIGNIFICANCE:g} "
    f"/ (2 · number of pairs), z₂ that of {POWER:g}; never below the least number with which the "
    "test can reject anything. This is the sample size of a paired t-test (Guenther, The American "
    "Statistician 35, 1981, 243–244), which the sign-flip test comes close to. It is no better "
    "than the estimates of d and s."
)


@dataclass(frozen=True)
class Table:
    """A table of text; its first `names` columns say what a row is about.

    `plain` has the same as values, below their heads.
    """

    head: tuple[str, ...]
    cells: Cells
    names: int = 1
    plain: Cells = field(default_factory=list)


class Column(NamedTuple):
    """A column: its head, and the text of the value or values of a cell.

    If a cell has several values, `parts` has a head for each of them as plain values. A column
    that is not shown is in the plain values alone.
    """

    head: str
    text: Callable[..., str] = str
    parts: tuple[str, ...] = ()
    is_shown: bool = True


def table_of(columns: Sequence[Column], rows: Iterable[Sequence[Any]], names: int = 1) -> Table:
    """Return the table of `rows`; a cell of several values is a tuple, a missing value None."""
    cells = []
    plain: Cells = [[]]
    for column in columns:
        plain[0] += column.parts or (column.head,)
    for row in rows:
        shown = []
        line: list[Any] = []
        for column, cell in zip(columns, row, strict=True):
            values = cell if isinstance(cell, tuple) else (cell,)
            line += map(_plain, values)
            if column.is_shown:
                shown.append(_text(column, values))
        cells.append(shown)
        plain.append(line)
    heads = tuple(column.head for column in columns if column.is_shown)
    return Table(heads, cells, names, plain)


def _text(column: Column, values: tuple[Any, ...]) -> str:
    if None in values:
        return "-"
    return column.text(*values)


def _plain(value: Any) -> Any:
    """Return a value for CSV: a number without a unit, of which figures that a sum adds are cut."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return value


_decimal = "{:.1f}".format
_INTERVAL = "{:+.1f} to {:+.1f}".format
_SHOWN_TARGET = "99 %"

# the columns of a table by the attribute that they show
_SUMMARY = {
    "label": Column("strategy"),
    "runs": Column("runs"),
    "failed": Column("failed"),
    "mean": Column("mean", _decimal),
    "percent": Column("% of best", "{:.2f}".format),
    "gap_to_best": Column("gap to best", _decimal),
    "wins": Column("wins"),
    "cpu_seconds": Column("CPU s", _decimal),
    "seconds": Column("seconds", is_shown=False),
    "best": Column("best", is_shown=False),
    "gap_to_bound": Column("gap to bound", is_shown=False),
    "ties": Column("ties", is_shown=False),
    "rank": Column("mean rank", is_shown=False),
    "racks_per_second": Column("racks/s", is_shown=False),
}
_PAIRS = {
    "first": Column("first"),
    "second": Column("second"),
    "puzzles": Column("puzzles"),
    "difference": Column("difference", "{:+.1f}".format),
    "ends": Column("95 % interval", _INTERVAL, ("interval from", "interval to")),
    "deviation": Column("sd", is_shown=False),
    "unequal": Column("differ"),
    "p": Column("p", is_shown=False),
    "p_holm": Column("p (Holm)", "{:.3g}".format),
    "needed": Column("needed", "{:,}".format),
}


def summary_table(figures: Figures) -> Table:
    """Return a row for each strategy, with the interval of its difference from the baseline.

    The expected effort is shown in racks if the budget is.
    """
    baseline = figures.baseline
    ends = {pair.first: pair.ends for pair in figures.pairs if pair.second == baseline}
    columns = list(_SUMMARY.values())
    if baseline is not None:
        parts = ("from against baseline", "to against baseline")
        columns.append(Column(f"against {baseline}", _INTERVAL, parts))
    for target in TARGETS:
        is_shown = target == _SHOWN_TARGET
        columns += [
            Column(f"to {target}, s", "{:.2f}".format, is_shown=is_shown and not figures.in_racks),
            Column(f"to {target}, racks", "{:,.0f}".format, is_shown=is_shown and figures.in_racks),
        ]
    rows = []
    for summary in figures.summaries:
        row = list(attrgetter(*_SUMMARY)(summary))
        if baseline is not None:
            row.append(ends.get(summary.label, (None, None)))
        for effort in summary.efforts.values():
            row += [effort.seconds, effort.racks]
        rows.append(row)
    return table_of(columns, rows)


def pair_table(pairs: Sequence[Pair]) -> Table:
    """Return a row for each pair of strategies."""
    return table_of(list(_PAIRS.values()), map(attrgetter(*_PAIRS), pairs), names=2)


def puzzle_table(outcomes: Sequence[Outcome]) -> Table:
    """Return mean scores over seeds: a row for each puzzle, a column for each strategy.

    It has also the puzzles that not all strategies have run.
    """
    means = puzzle_means(outcomes)
    failed = Counter((outcome.label, outcome.puzzle_name) for outcome in outcomes if outcome.failed)
    columns = [Column(label, _score, (label, f"{label} failed")) for label in means]
    rows = []
    for name in sorted(set[str]().union(*means.values())):
        scores = [(by_puzzle.get(name), failed[label, name]) for label, by_puzzle in means.items()]
        rows.append([name, *scores])
    return table_of([Column("puzzle"), *columns], rows)


def _score(mean: float, failed: int) -> str:
    if failed:
        return f"{mean:.1f} ({failed} failed)"
    return _decimal(mean)


def known_table(known: KnownScores) -> Table:
    """Return the best score and the bound known of each puzzle, with their sources."""
    heads = ("puzzle", "best known", "from", "bound", "from")
    rows = [
        (name, k.best or None, k.best_from or None, k.bound, k.bound_from or None)
        for name, k in sorted(known.items())
    ]
    return table_of(list(map(Column, heads)), rows)


def terminal(table: Table, width: int = WIDTH) -> str:
    """Return a table in columns, with names at the left and figures at the right.

    A table wider than `width` is folded: the rest of the columns follows below, after the names
    again.
    """
    columns = []
    for number, cells in enumerate(zip(table.head, *table.cells, strict=True)):
        align = str.ljust if number < table.names else str.rjust
        widest = max(map(len, cells))
        rule = "-" * widest
        columns.append([align(cell, widest) for cell in (cells[0], rule, *cells[1:])])
    names = columns[: table.names]
    blocks = [names]
    for column in columns[table.names :]:
        wider = [*blocks[-1], column]
        if blocks[-1] != names and len(_lines(wider)[1]) > width:
            blocks.append([*names, column])
        else:
            blocks[-1] = wider
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of columns side by side."""
    return [_GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]


def markdown(table: Table) -> str:
    """Return a Markdown table."""
    names = table.head[: table.names]
    figures = [f"{head}:" for head in table.head[table.names :]]
    return markdown_table([*names, *figures], table.cells)


class Section(NamedTuple):
    """A table under a title, with remarks below; a cell is text, or a link on the page."""

    title: str
    table: Table
    text: str = ""


def sections_of(figures: Figures) -> list[Section]:
    """Return the tables of figures, each with a title and remarks; a table may be empty."""
    return [
        Section("Strategies", summary_table(figures), SUMMARY_TEXT),
        Section("Pairs over puzzles", pair_table(figures.pairs), f"{PAIRS_TEXT} {FORMULA}"),
        Section("Puzzle by puzzle", puzzle_table(figures.outcomes), PUZZLES_TEXT),
        Section("Best known", known_table(figures.known)),
    ]
