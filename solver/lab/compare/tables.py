"""The figures of a comparison as a terminal table, CSV, JSON and Markdown: the same cells in every form."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from solver.lab.compare.statistics import TARGETS, Pair, Summary

SUMMARY_HEAD = (
    "strategy",
    "runs",
    "failed",
    "mean",
    "median",
    "best",
    "sd",
    "gap to best",
    "gap to bound",
    "wins",
    "ties",
    "mean rank",
    "s/run",
    "racks/s",
    *(f"reach {target}" for target in TARGETS),
)
PAIR_HEAD = ("first", "second", "puzzles", "difference", "95 % interval", "p", "p (Holm)")

Cells = list[list[str]]


def summary_head(summaries: Sequence[Summary]) -> tuple[str, ...]:
    """The names of the columns; processor time only where it was measured."""
    return (*SUMMARY_HEAD, "CPU s") if _has_cpu(summaries) else SUMMARY_HEAD


def _has_cpu(summaries: Sequence[Summary]) -> bool:
    return any(summary.cpu_seconds is not None for summary in summaries)


def summary_cells(summaries: Sequence[Summary]) -> Cells:
    """A row of cells for each strategy, under `summary_head`."""
    return [
        [
            s.label,
            str(s.runs),
            str(s.failed),
            f"{s.mean:.1f}",
            f"{s.median:.1f}",
            str(s.best),
            f"{s.deviation:.1f}",
            f"{s.gap_to_best:.1f}",
            "-" if s.gap_to_bound is None else f"{s.gap_to_bound:.1f}",
            str(s.wins),
            str(s.ties),
            f"{s.rank:.2f}",
            f"{s.seconds:.1f}",
            f"{s.racks_per_second:,.0f}",
            *(_reached(*s.reached[target]) for target in TARGETS),
            *(["-" if s.cpu_seconds is None else f"{s.cpu_seconds:.2f}"] if _has_cpu(summaries) else []),
        ]
        for s in summaries
    ]


def pair_cells(pairs: Sequence[Pair]) -> Cells:
    """A row of cells for each pair of strategies, under `PAIR_HEAD`."""
    return [
        [
            pair.first,
            pair.second,
            str(pair.puzzles),
            f"{pair.difference:+.1f}",
            "-" if pair.low is None or pair.high is None else f"{pair.low:+.1f} to {pair.high:+.1f}",
            _p(pair.p),
            _p(pair.p_holm),
        ]
        for pair in pairs
    ]


def terminal(head: Sequence[str], cells: Cells) -> str:
    """A table in columns: the first cell of a row to the left, the others to the right."""
    rows = [list(head), *cells]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def markdown(head: Sequence[str], cells: Cells) -> str:
    """A Markdown table."""
    rows = [list(head), ["---", *["---:"] * (len(head) - 1)], *cells]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def csv_text(head: Sequence[str], cells: Cells) -> str:
    """Comma-separated values with a head line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(cells)
    return out.getvalue()


def json_text(summaries: Sequence[Summary], pairs: Sequence[Pair]) -> str:
    """All figures, unrounded."""
    return json.dumps({"strategies": [asdict(s) for s in summaries], "pairs": [asdict(p) for p in pairs]}, indent=1) + "\n"


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def _reached(share: float, seconds: float | None) -> str:
    return "-" if seconds is None else f"{share:.0%} {seconds:.2f} s"
