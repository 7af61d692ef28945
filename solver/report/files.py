"""The report files of a comparison."""

from pathlib import Path

from solver.files import replace_file
from solver.lab.compare.collect import Comparison
from solver.lab.compare.finding import find
from solver.lab.compare.tables import csv_text, json_text, known_table, markdown, pair_table, summary_table
from solver.report.plots import plots


def write_reports(comparison: Comparison, folder: Path) -> list[Path]:
    """Write summary and pairs as CSV, Markdown and JSON, and the plots; returns the files."""
    summary, pairs, known = (
        summary_table(comparison.summaries),
        pair_table(comparison.pairs),
        known_table(comparison.known),
    )
    texts = {"summary.csv": csv_text(summary), "pairs.csv": csv_text(pairs)}
    texts["tables.md"] = "\n".join([f"{find(comparison).answer}\n", *(markdown(t) for t in (summary, pairs, known) if t.cells)])
    texts["figures.json"] = json_text(comparison.summaries, comparison.pairs, comparison.known)
    texts |= {f"{name}.svg": svg for name, svg in plots(comparison).items()}
    written = []
    for name, text in texts.items():
        path = folder / name
        replace_file(path, text)
        written.append(path)
    return written
