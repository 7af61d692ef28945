"""The figures of a comparison as a terminal table, CSV, JSON and Markdown, with the same cells in every form."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from solver.lab.compare.significance import POWER, SIGNIFICANCE
from solver.lab.compare.statistics import FAILED, Outcome, Pair, Summary, puzzle_means
from solver.lab.known import Known

WIDTH = 120  # columns of a terminal that a table fits
_WIDEST_NAME = 40
_WIDEST_HEAD = 24  # of a column of figures

SUMMARY_HEAD = (
    *("strategy", "runs", "failed", "mean", "median", "best", "sd", "gap to best", "gap to bound", "wins", "ties"),
    *("mean rank", "s/run", "CPU s/run", "racks/s", "reach 99 %", "reach best"),
)
PAIRS_HEAD = ("first", "second", "puzzles", "difference", "95 % interval", "sd", "p", "p (Holm)", "needed")
TIMES_HEAD = "gap to best after"
KNOWN_HEAD = ("puzzle", "best known", "from", "bound", "from")

Cells = list[list[Any]]

SUMMARY_TEXT = (
    "All figures are over the same puzzles, of which every strategy here has run each. Scores and gaps, which are points below "
    "the best known score and below the upper bound, are means over seeds first and then over puzzles; median and sd are over "
    f"puzzles. A failed run counts as {FAILED} points. Wins, ties and ranks compare means over seeds, puzzle by puzzle. "
    "“Reach” gives the share of runs that reached 99 % and all of the best known score of their puzzle, and their median time."
)
TIMES_TEXT = (
    "The mean gap to the best known score, in points, that the best answer so far leaves after these seconds of a run. A run "
    "that ended earlier keeps its last gap. “-” stands where a run had no answer yet."
)
PUZZLES_TEXT = (
    f"The mean score over seeds. A failed run counts as {FAILED} points, and the cell gives the number of failed runs. “-” "
    "stands where there was no run."
)
PAIRS_TEXT = (
    "Mean difference in points (first less second) and its standard deviation over puzzles, with the p-value of the sign-flip "
    "test (Fisher 1935, Pitman 1937), as it is and corrected after Holm. The interval has the differences that the same test "
    "does not reject at the level at which Holm's procedure decides about the pair. So it leaves out 0 exactly where p (Holm) "
    f"is below {SIGNIFICANCE:g}, and it covers the true difference with at least 95 %. “-” stands where there are too few "
    "puzzles for an interval."
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
    """A table of text; its first `names` columns say what a row is about."""

    head: tuple[str, ...]
    cells: Cells
    names: int = 1


def summary_table(summaries: Sequence[Summary]) -> Table:
    """Return a row for each strategy, with processor time if a run records it."""
    head = list(SUMMARY_HEAD)
    cells = [_summary_cells(summary) for summary in summaries]
    if all(summary.cpu_seconds is None for summary in summaries):
        column = head.index("CPU s/run")
        for row in (head, *cells):
            del row[column]
    return Table(tuple(head), cells)


def _summary_cells(s: Summary) -> list[str]:
    return [
        s.label,
        str(s.runs),
        str(s.failed),
        f"{s.mean:.1f}",
        f"{s.median:.1f}",
        str(s.best),
        f"{s.deviation:.1f}",
        f"{s.gap_to_best:.1f}",
        _decimal(s.gap_to_bound),
        str(s.wins),
        str(s.ties),
        f"{s.rank:.2f}",
        _decimal(s.seconds),
        _decimal(s.cpu_seconds),
        f"{s.racks_per_second:,.0f}",
        *(_reached(*reached) for reached in s.reached.values()),
    ]


def time_table(summaries: Sequence[Summary]) -> Table:
    """Return a row for each strategy, with its mean gaps over time."""
    moments = summaries[0].gaps_after if summaries else {}
    cells = [[summary.label, *map(_decimal, summary.gaps_after.values())] for summary in summaries]
    return Table((TIMES_HEAD, *(f"{moment:g} s" for moment in moments)), cells if moments else [])


def pair_table(pairs: Sequence[Pair]) -> Table:
    """Return a row for each pair of strategies."""
    cells = [
        [
            pair.first,
            pair.second,
            str(pair.puzzles),
            f"{pair.difference:+.1f}",
            "-" if pair.low is None or pair.high is None else f"{pair.low:+.1f} to {pair.high:+.1f}",
            _decimal(pair.deviation),
            f"{pair.p:.3g}",
            f"{pair.p_holm:.3g}",
            "-" if pair.needed is None else f"{pair.needed:,}",
        ]
        for pair in pairs
    ]
    return Table(PAIRS_HEAD, cells, 2)


def puzzle_table(outcomes: Sequence[Outcome]) -> Table:
    """Return mean scores over seeds: a row for each puzzle, also those that not all have run, a column for each strategy."""
    means = puzzle_means(outcomes)
    failed = Counter((outcome["label"], outcome["puzzle_name"]) for outcome in outcomes if "error" in outcome)
    cells = [
        [name, *(_score(means[label].get(name), failed[label, name]) for label in means)]
        for name in sorted({outcome["puzzle_name"] for outcome in outcomes})
    ]
    return Table(("puzzle", *means), cells)


def _score(mean: float | None, failed: int) -> str:
    return f"{_decimal(mean)} ({failed} failed)" if failed else _decimal(mean)


def known_table(known: Mapping[str, Known]) -> Table:
    """Return the best score and the bound known of each puzzle, with their sources."""
    cells = [
        [name, str(k.best) if k.best_from else "-", k.best_from or "-", _decimal(k.bound), k.bound_from or "-"]
        for name, k in sorted(known.items())
    ]
    return Table(KNOWN_HEAD, cells)


def known_lines(known: Mapping[str, Known], width: int = WIDTH) -> str:
    """Return the best known scores, and the bounds, by their sources, as lines for a terminal."""
    by_source: dict[str, list[str]] = {}
    for name, k in sorted(known.items()):
        if k.best_from:
            by_source.setdefault(f"best known ({k.best_from})", []).append(f"{name} {k.best}")
    for name, k in sorted(known.items()):
        if k.bound is not None:
            by_source.setdefault(f"bound ({k.bound_from})", []).append(f"{name} {k.bound:.1f}")
    lines = [wrap(f"{source}: {', '.join(numbers)}", width, subsequent_indent="  ") for source, numbers in by_source.items()]
    return "".join(f"{line}\n" for part in lines for line in part)


def terminal(table: Table, width: int = WIDTH) -> str:
    """Return a table in columns, with names at the left and figures at the right.

    A table wider than `width` is folded: the rest of the columns follows below, after the names again. Long names and heads of
    columns take several lines.
    """
    head = [_wrapped(cell, _WIDEST_NAME if i < table.names else _WIDEST_HEAD) for i, cell in enumerate(table.head)]
    cells = [[_wrapped(cell, _WIDEST_NAME) if i < table.names else [cell] for i, cell in enumerate(row)] for row in table.cells]
    rows = [head, *cells]
    widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(table.head))]
    names = list(range(table.names))
    return "\n".join(_block(rows, names + figures, widths, table.names) for figures in _folds(widths, table.names, width))


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


def _block(rows: Sequence[Sequence[list[str]]], columns: Sequence[int], widths: Sequence[int], names: int) -> str:
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
    rows = [table.head, ["---"] * table.names + ["---:"] * (len(table.head) - table.names), *table.cells]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def json_text(
    summaries: Sequence[Summary], pairs: Sequence[Pair], known: Mapping[str, Known], outcomes: Sequence[Outcome]
) -> str:
    """Return all figures, unrounded, as JSON."""
    figures = {
        "strategies": [asdict(s) for s in summaries],
        "pairs": [asdict(p) for p in pairs],
        "means": puzzle_means(outcomes),
        "known": {name: asdict(k) for name, k in sorted(known.items())},
    }
    return json.dumps(figures, indent=1) + "\n"


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _reached(share: float, seconds: float | None) -> str:
    return "-" if seconds is None else f"{share:.0%} {seconds:.2f} s"
