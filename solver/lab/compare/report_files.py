"""The report files in the folder of a comparison, and how each is recognised, so that a new one replaces nothing else."""

import csv
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from solver.files import MOST_NESTING, FileKind, check_outputs
from solver.lab.compare.tables import KNOWN_HEAD, PAIRS_HEAD, SUMMARY_HEAD, TIMES_HEAD
from verify.reading import json_value

TITLES = {
    "anytime": "Median gap over time, 20–80 % band",
    "gaps": "Gap of every run",
    "profile": "Share of runs at most that far below",
    "targets": "Time until within 1 % of the best known",
    "scatter": "Puzzle by puzzle",
}
"""The title of each plot, by the name of its file."""

_COLUMNS = 4  # first columns that no version has changed
_MEAN = re.compile(r"-|[\d.]+(?: \(\d+ failed\))?|- \(\d+ failed\)")
_FIGURES = {"strategies", "pairs", "means", "known"}


def check_reports(folder: Path) -> None:
    """Raise `TargetError` if a file in a folder has the name of a report, but was not written by `rowdraw compare`."""
    check_outputs(folder, {name: FileKind("a report of `rowdraw compare`", holds) for name, holds in _HOLDS.items()})


def _rows(content: bytes) -> list[list[str]]:
    try:
        return list(csv.reader(content.decode().splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return []


def _is_table(content: bytes, head: tuple[str, ...]) -> bool:
    rows = _rows(content)
    first = list(head[:_COLUMNS])
    return bool(rows) and rows[0][: len(first)] == first and all(len(row) == len(rows[0]) for row in rows)


def _are_means(content: bytes) -> bool:
    rows = _rows(content)
    return (
        bool(rows)
        and rows[0][:1] == ["puzzle"]
        and all(len(row) == len(rows[0]) and all(map(_MEAN.fullmatch, row[1:])) for row in rows[1:])
    )


def _are_figures(content: bytes) -> bool:
    try:
        value = json_value(content, MOST_NESTING)
    except ValueError:
        return False
    return isinstance(value, dict) and value.keys() == _FIGURES


def _is_plot(content: bytes, title: str) -> bool:
    return content.startswith(b"<svg ") and b'class="marks"' in content and f">{title}<".encode() in content


_KNOWN = f"\n| {' | '.join(KNOWN_HEAD)} |\n".encode()
_HOLDS: dict[str, Callable[[bytes], bool]] = {
    "summary.csv": partial(_is_table, head=SUMMARY_HEAD),
    "times.csv": partial(_is_table, head=(TIMES_HEAD,)),
    "puzzles.csv": _are_means,
    "pairs.csv": partial(_is_table, head=PAIRS_HEAD),
    "tables.md": lambda content: _KNOWN in content,
    "figures.json": _are_figures,
    **{f"{name}.svg": partial(_is_plot, title=title) for name, title in TITLES.items()},
}
