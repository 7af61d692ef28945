"""The figures of a comparison as a terminal table, CSV, JSON and Markdown, with the same cells in every form."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import FAILED, POWER, SIGNIFICANCE, Pair, Summary, puzzle_means
from solver.lab.records import Known
from solver.search.run import GRACE
from solver.show.games import markdown_table

if TYPE_CHECKING:
    from solver.lab.compare.collect import Comparison

WIDTH = 120  # columns of a terminal that a table fits
_WIDEST_NAME = 40
_WIDEST_HEAD = 24  # of a column of figures

KNOWN_HEAD = ("puzzle", "best known", "from", "bound", "from")

Cells = list[list[Any]]

SUMMARY_TEXT = (
    "All figures are over the same puzzles, of which every strategy here has run each. Scores and gaps, which are points below "
    "the best known score and below the upper bound, are means over seeds first and then over puzzles; median and sd are over "
    "puzzles. “% of best” is the mean of the scores as percentages of the best known, so long rows count like short ones. "
    "“Gap to bound” is “-” unless every puzzle has a bound. A run counts with its best answer in time: one that comes "
    f"more than {1000 * GRACE:.0f} ms after the limit does not count. A run that failed, or has no answer in time, counts "
    f"as {FAILED} points. Wins, ties and ranks compare means over seeds, puzzle by puzzle. “Reach” gives the share of "
    "runs that reached 99 % and all of the best known score of their puzzle, and their median time."
)
TIMES_TEXT = (
    "The mean gap to the best known score, in points, that the best answer so far leaves after these seconds of a run, and at "
    f"its end. Before its first answer a run has {FAILED} points. A run that ended earlier keeps its last gap."
)
LATE_TEXT = "These answers came after the limit of their run, so they do not count."
PUZZLES_TEXT = (
    f"The mean score over seeds. A failed run counts as {FAILED} points, and the cell gives the number of failed runs. “-” "
    "stands where there was no run."
)
PAIRS_TEXT = (
    "Mean difference in points (first less second) and its standard deviation over puzzles, the number of puzzles on which the "
    "two differ, and the p-value of the sign-flip test (Fisher 1935, Pitman 1937), as it is and corrected after Holm. The "
    "interval covers that of the same test and a t-interval after Hall's correction for skewness (1992), both at the level at "
    "which Holm's procedure decides about the pair. A difference is significant where the interval leaves out 0; p (Holm) is "
    f"below {SIGNIFICANCE:g} there. The interval assumes that the puzzles are an independent sample of those that you care "
    "about. `tools/intervals.py` prints how often it covers the true mean: about 95 times in 100, and less often for "
    "extremely skewed differences. “-” stands where too few puzzles differ for an interval."
)
FORMULA = (
    "“Needed” is the number of puzzles with which a difference of the observed size is significant with a probability of "
    f"{POWER:.0%}: n = ((z₁ + z₂) · s / d)² + z₁² / 2, with d the mean of the differences, s their standard deviation, z₁ the "
    f"normal quantile of 1 − {SIGNIFICANCE:g} / (2 · number of pairs), z₂ that of {POWER:g}; never below the least number with "
    "which the test can reject anything. This is the sample size of a paired t-test (Guenther, The American Statistician 35, "
    "1981, 243–244), which the sign-flip test comes close to. It is no better than the estimates of d and s."
)


@dataclass(frozen=True)
class Table:
    """A table of text; its first `names` columns say what a row is about. `plain` has the same as values, below their heads."""

    head: tuple[str, ...]
    cells: Cells
    names: int = 1
    plain: Cells = field(default_factory=list)


class Column(NamedTuple):
    """A column: its head, the text of a cell, and if a cell has several values, a head for each of them as plain values."""

    head: str
    text: Callable[..., str] = str
    parts: tuple[str, ...] = ()


def table_of(columns: Sequence[Column], rows: Iterable[Sequence[Any]], names: int = 1) -> Table:
    """Return the table of `rows`; a cell of several values is a tuple."""
    table = Table(tuple(column.head for column in columns), [], names)
    table.plain.append([head for column in columns for head in column.parts or (column.head,)])
    for row in rows:
        values = [cell if isinstance(cell, tuple) else (cell,) for cell in row]
        table.cells.append(
            [column.text(*cell) for column, cell in zip(columns, values, strict=True)]
        )
        table.plain.append([_plain(value) for cell in values for value in cell])
    return table


def _plain(value: Any) -> Any:
    """Return a value for CSV: a number without a unit, empty for none."""
    return float(f"{value:.10g}") if isinstance(value, float) else "" if value is None else value


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _reached(share: float, seconds: float | None) -> str:
    return "-" if seconds is None else f"{share:.0%} {seconds:.2f} s"


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:+.1f} to {high:+.1f}"


_CPU = "CPU s/run"
_SUMMARY: tuple[tuple[Column, Callable[[Summary], Any]], ...] = (
    (Column("strategy"), lambda s: s.label),
    (Column("runs"), lambda s: s.runs),
    (Column("failed"), lambda s: s.failed),
    (Column("mean", _decimal), lambda s: s.mean),
    (Column("% of best", "{:.2f}".format), lambda s: s.percent),
    (Column("s/run", _decimal), lambda s: s.seconds),
    (Column(_CPU, _decimal), lambda s: s.cpu_seconds),
    (Column("median", _decimal), lambda s: s.median),
    (Column("best"), lambda s: s.best),
    (Column("sd", _decimal), lambda s: s.deviation),
    (Column("gap to best", _decimal), lambda s: s.gap_to_best),
    (Column("gap to bound", _decimal), lambda s: s.gap_to_bound),
    (Column("wins"), lambda s: s.wins),
    (Column("ties"), lambda s: s.ties),
    (Column("mean rank", "{:.2f}".format), lambda s: s.rank),
    (Column("racks/s", "{:,.0f}".format), lambda s: s.racks_per_second),
    (
        Column("reach 99 %", _reached, ("share that reach 99 %", "s to 99 %")),
        lambda s: s.reached["99 %"],
    ),
    (
        Column("reach best", _reached, ("share that reach best", "s to best")),
        lambda s: s.reached["best"],
    ),
)
_PAIRS: tuple[tuple[Column, Callable[[Pair], Any]], ...] = (
    (Column("first"), lambda p: p.first),
    (Column("second"), lambda p: p.second),
    (Column("puzzles"), lambda p: p.puzzles),
    (Column("difference", "{:+.1f}".format), lambda p: p.difference),
    (
        Column("95 % interval", _interval, ("interval from", "interval to")),
        lambda p: (p.low, p.high),
    ),
    (Column("sd", _decimal), lambda p: p.deviation),
    (Column("differ"), lambda p: p.unequal),
    (Column("p", "{:.3g}".format), lambda p: p.p),
    (Column("p (Holm)", "{:.3g}".format), lambda p: p.p_holm),
    (Column("needed", lambda count: "-" if count is None else f"{count:,}"), lambda p: p.needed),
)
TIMES_HEAD = "gap to best after"


def summary_table(summaries: Sequence[Summary]) -> Table:
    """Return a row for each strategy, with processor time if a run records it."""
    is_timed = any(summary.cpu_seconds is not None for summary in summaries)
    shown = [(column, value) for column, value in _SUMMARY if is_timed or column.head != _CPU]
    return table_of(
        [column for column, _value in shown],
        [[value(s) for _column, value in shown] for s in summaries],
    )


def time_table(summaries: Sequence[Summary]) -> Table:
    """Return a row for each strategy, with its mean gaps over time and at the end."""
    moments = summaries[0].gaps_after if summaries else {}
    heads = [*(f"{moment:g} s" for moment in moments), "end"]
    rows = [
        (summary.label, *summary.gaps_after.values(), summary.gap_to_best) for summary in summaries
    ]
    return table_of(
        [Column(TIMES_HEAD), *(Column(head, _decimal) for head in heads)], rows if moments else []
    )


def pair_table(pairs: Sequence[Pair]) -> Table:
    """Return a row for each pair of strategies."""
    return table_of(
        [column for column, _value in _PAIRS],
        [[value(p) for _column, value in _PAIRS] for p in pairs],
        2,
    )


def puzzle_table(outcomes: Sequence[Outcome]) -> Table:
    """Return mean scores over seeds: a row for each puzzle, also those that not all have run, a column for each strategy."""
    means = puzzle_means(outcomes)
    failed = Counter((outcome.label, outcome.puzzle_name) for outcome in outcomes if outcome.failed)
    columns = [
        Column("puzzle"),
        *(Column(label, _score, (label, f"{label} failed")) for label in means),
    ]
    names = sorted({outcome.puzzle_name for outcome in outcomes})
    rows = [
        (name, *((means[label].get(name), failed[label, name]) for label in means))
        for name in names
    ]
    return table_of(columns, rows)


def late_table(outcomes: Sequence[Outcome]) -> Table:
    """Return a row for each answer that came too late to count."""
    heads = ("strategy", "puzzle", "seed", "limit", "answer after", "score")
    rows = [
        (
            outcome.label,
            outcome.puzzle_name,
            outcome.seed,
            outcome.budget,
            f"{seconds:.2f} s",
            score,
        )
        for outcome in outcomes
        for seconds, _racks, score in outcome.late or ()
    ]
    return table_of([Column(head) for head in heads], rows, 2)


def _score(mean: float | None, failed: int) -> str:
    return f"{_decimal(mean)} ({failed} failed)" if failed else _decimal(mean)


def known_table(known: Mapping[str, Known]) -> Table:
    """Return the best score and the bound known of each puzzle, with their sources."""
    cells = []
    for name, k in sorted(known.items()):
        best = str(k.best) if k.best_from else "-"
        most = "-" if k.bound is None else str(k.bound)
        cells.append([name, best, k.best_from or "-", most, k.bound_from or "-"])
    return Table(KNOWN_HEAD, cells)


def known_lines(known: Mapping[str, Known]) -> str:
    """Return the best known scores, and the bounds, by their sources, as lines for a terminal."""
    by_source: dict[str, list[str]] = {}
    for name, k in sorted(known.items()):
        if k.best_from:
            by_source.setdefault(f"best known ({k.best_from})", []).append(f"{name} {k.best}")
    for name, k in sorted(known.items()):
        if k.bound is not None:
            by_source.setdefault(f"bound ({k.bound_from})", []).append(f"{name} {k.bound}")
    lines = [
        wrap(f"{source}: {', '.join(numbers)}", WIDTH, subsequent_indent="  ")
        for source, numbers in by_source.items()
    ]
    return "".join(f"{line}\n" for part in lines for line in part)


def terminal(table: Table, width: int = WIDTH) -> str:
    """Return a table in columns, with names at the left and figures at the right.

    A table wider than `width` is folded: the rest of the columns follows below, after the names again. Long names and heads of
    columns take several lines.
    """
    head = [
        _wrapped(cell, _WIDEST_NAME if i < table.names else _WIDEST_HEAD)
        for i, cell in enumerate(table.head)
    ]
    cells = [
        [_wrapped(cell, _WIDEST_NAME) if i < table.names else [cell] for i, cell in enumerate(row)]
        for row in table.cells
    ]
    rows = [head, *cells]
    widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(table.head))]
    names = list(range(table.names))
    return "\n".join(
        _block(rows, names + figures, widths, table.names)
        for figures in _folds(widths, table.names, width)
    )


def _wrapped(cell: str, width: int) -> list[str]:
    """Return the lines of a name, which may break after a space or a comma."""
    # a tab marks where a line may end, as no name has one
    marked = cell.replace(",", ",\t")
    lines = wrap(marked, width, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False)
    return [line.replace("\t", "") for line in lines] or [""]


def _folds(widths: Sequence[int], names: int, width: int) -> list[list[int]]:
    """Return lists of columns of figures, each as many as fit side by side."""
    room = width - sum(widths[:names]) - 2 * (names - 1)
    folds: list[list[int]] = [[]]
    used = 0
    for column in range(names, len(widths)):
        if folds[-1] and used + 2 + widths[column] > room:
            folds.append([])
            used = 0
        folds[-1].append(column)
        used += 2 + widths[column]
    return folds


def _block(
    rows: Sequence[Sequence[list[str]]], columns: Sequence[int], widths: Sequence[int], names: int
) -> str:
    lines = []
    for row in rows:
        for cells in zip_longest(*(row[column] for column in columns), fillvalue=""):
            placed = [
                cell.ljust(widths[column]) if column < names else cell.rjust(widths[column])
                for column, cell in zip(columns, cells, strict=True)
            ]
            lines.append("  ".join(placed).rstrip())
        if row is rows[0]:
            lines.append("  ".join("-" * widths[column] for column in columns))
    return "".join(f"{line}\n" for line in lines)


def markdown(table: Table) -> str:
    """Return a Markdown table."""
    names = table.head[: table.names]
    return markdown_table(
        names + tuple(f"{head}:" for head in table.head[table.names :]), table.cells
    )


def json_text(comparison: "Comparison") -> str:
    """Return all figures of a comparison, unrounded, as JSON."""
    figures = {
        "strategies": [asdict(summary) for summary in comparison.summaries],
        "pairs": [asdict(pair) for pair in comparison.pairs],
        "means": puzzle_means(comparison.outcomes),
        "known": {name: asdict(known) for name, known in sorted(comparison.known.items())},
    }
    return json.dumps(figures, indent=1) + "\n"
