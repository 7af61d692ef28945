"""The report files of a comparison."""

from pathlib import Path

from solver.files import replace_file
from solver.lab.compare.collect import Comparison
from solver.lab.compare.finding import find
from solver.lab.compare.tables import (
    FORMULA,
    PAIRS_TEXT,
    PUZZLES_TEXT,
    SUMMARY_TEXT,
    csv_text,
    json_text,
    known_table,
    markdown,
    pair_table,
    puzzle_table,
    summary_table,
)
from solver.report.plots import plots


def write_reports(comparison: Comparison, folder: Path) -> list[Path]:
    """Write summary, puzzles and pairs as CSV, Markdown and JSON, and the plots; returns the files."""
    summary, puzzles, pairs = (
        summary_table(comparison.summaries),
        puzzle_table(comparison.outcomes),
        pair_table(comparison.pairs),
    )
    texts = {"summary.csv": csv_text(summary), "puzzles.csv": csv_text(puzzles), "pairs.csv": csv_text(pairs)}
    finding = find(comparison)
    parts = [(summary, SUMMARY_TEXT), (puzzles, PUZZLES_TEXT), (pairs, f"{PAIRS_TEXT} {FORMULA}")]
    told = [text for table, remark in parts if table.cells for text in (markdown(table), f"{remark}\n")]
    known = markdown(known_table(comparison.known))
    texts["tables.md"] = "\n".join([f"{finding.answer}\n", *(f"{note}\n" for note in finding.notes), *told, known])
    texts["figures.json"] = json_text(comparison.summaries, comparison.pairs, comparison.known, comparison.outcomes)
    texts |= {f"{name}.svg": svg for name, svg in plots(comparison).items()}
    written = []
    for name, text in texts.items():
        path = folder / name
        replace_file(path, text)
        written.append(path)
    return written
