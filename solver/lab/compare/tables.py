"""The figures of a comparison as a terminal table, CSV, JSON and Markdown: the same cells in every form."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from solver.lab.compare.statistics import TARGETS, Pair, Summary
from solver.lab.known import Known

WIDTH = 120  # columns of a terminal that a table fits
_WIDEST_NAME = 40

Cells = list[list[str]]


@dataclass(frozen=True)
class Table:
    """A table of text.

    names: how many columns at the left say what a row is about.
    """

    head: tuple[str, ...]
    cells: Cells
    names: int = 1


def summary_table(summaries: Sequence[Summary]) -> Table:
    """A row for each strategy; processor time where a run tells it."""
    head = [
        *("strategy", "runs", "failed", "mean", "median", "best", "sd", "gap to best", "gap to bound", "wins", "ties"),
        *("mean rank", "s/run", "CPU s/run", "racks/s", *(f"reach {target}" for target in TARGETS)),
    ]
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
        "-" if math.isnan(s.rank) else f"{s.rank:.2f}",
        f"{s.seconds:.1f}",
        _decimal(s.cpu_seconds),
        f"{s.racks_per_second:,.0f}",
        *(_reached(*s.reached[target]) for target in TARGETS),
    ]


def pair_table(pairs: Sequence[Pair]) -> Table:
    """A row for each pair of strategies."""
    cells = [
        [
            pair.first,
            pair.second,
            str(pair.puzzles),
            "-" if math.isnan(pair.difference) else f"{pair.difference:+.1f}",
            "-" if pair.low is None or pair.high is None else f"{pair.low:+.1f} to {pair.high:+.1f}",
            _decimal(pair.deviation),
            _p(pair.p),
            _p(pair.p_holm),
            "-" if pair.needed is None else f"{pair.needed:,}",
        ]
        for pair in pairs
    ]
    return Table(("first", "second", "puzzles", "difference", "95 % interval", "sd", "p", "p (Holm)", "needed"), cells, 2)


def known_table(known: Mapping[str, Known]) -> Table:
    """A row for each puzzle: what is known of it, and from where."""
    cells = [
        [name, str(k.best) if k.best_from else "-", k.best_from or "-", _decimal(k.bound), k.bound_from or "-"]
        for name, k in sorted(known.items())
    ]
    return Table(("puzzle", "best known", "from", "bound", "from"), cells)


def known_lines(known: Mapping[str, Known], width: int = WIDTH) -> str:
    """The best known scores, and the bounds, by where they come from, as lines for a terminal."""
    told: dict[str, list[str]] = {}
    for name, k in sorted(known.items()):
        if k.best_from:
            told.setdefault(f"best known ({k.best_from})", []).append(f"{name} {k.best}")
    for name, k in sorted(known.items()):
        if k.bound is not None:
            told.setdefault(f"bound ({k.bound_from})", []).append(f"{name} {k.bound:.1f}")
    lines = [wrap(f"{source}: {', '.join(numbers)}", width, subsequent_indent="  ") for source, numbers in told.items()]
    return "".join(f"{line}\n" for part in lines for line in part)


def terminal(table: Table, width: int = WIDTH) -> str:
    """A table in columns: names to the left, figures to the right.

    Where the columns do not fit into `width`, the table is folded: the rest of the columns follows below, after the names
    once more. Long names take several lines.
    """
    rows = [[_wrapped(cell, i < table.names) for i, cell in enumerate(row)] for row in (table.head, *table.cells)]
    widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(table.head))]
    names = list(range(table.names))
    return "\n".join(_block(rows, names + figures, widths, table.names) for figures in _folds(widths, table.names, width))


def _wrapped(cell: str, is_name: bool) -> list[str]:
    """The lines of a cell; a name may go on below after a space or a comma."""
    if not is_name:
        return [cell]
    # a tab marks where a line may end, as no name has one
    marked = cell.replace(",", ",\t")
    lines = wrap(marked, _WIDEST_NAME, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False)
    return [line.replace("\t", "") for line in lines] or [""]


def _folds(widths: Sequence[int], names: int, width: int) -> list[list[int]]:
    """The columns of figures that fit side by side, one list after the other."""
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
    """A Markdown table."""
    rows = [table.head, ["---"] * table.names + ["---:"] * (len(table.head) - table.names), *table.cells]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def csv_text(table: Table) -> str:
    """Comma-separated values with a head line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(table.cells)
    return out.getvalue()


def json_text(summaries: Sequence[Summary], pairs: Sequence[Pair], known: Mapping[str, Known]) -> str:
    """All figures, unrounded."""
    figures = {
        "strategies": [_without_nan(asdict(s)) for s in summaries],
        "pairs": [_without_nan(asdict(p)) for p in pairs],
        "known": {name: asdict(k) for name, k in sorted(known.items())},
    }
    return json.dumps(figures, indent=1) + "\n"


def _without_nan(fields: dict[str, Any]) -> dict[str, Any]:
    """JSON has no word for a figure that there is not, such as a mean rank without a puzzle that all strategies have."""
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in fields.items()}


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def _reached(share: float, seconds: float | None) -> str:
    return "-" if seconds is None else f"{share:.0%} {seconds:.2f} s"
