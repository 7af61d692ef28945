"""The report files of a comparison."""

from collections.abc import Sequence
from pathlib import Path

from solver.files import replace_file
from solver.lab.compare.collect import Comparison
from solver.lab.compare.tables import PAIR_HEAD, csv_text, json_text, markdown, pair_cells, summary_cells, summary_head
from solver.report.plots import plots


def write_reports(comparison: Comparison, folder: Path) -> list[Path]:
    """Write summary and pairs as CSV, Markdown and JSON, and the plots; returns the files."""
    head_and_cells: Sequence[tuple[str, Sequence[str], list[list[str]]]] = [
        ("summary", summary_head(comparison.summaries), summary_cells(comparison.summaries)),
        ("pairs", PAIR_HEAD, pair_cells(comparison.pairs)),
    ]
    texts = {f"{name}.csv": csv_text(head, cells) for name, head, cells in head_and_cells}
    texts["tables.md"] = "\n".join(markdown(head, cells) for _name, head, cells in head_and_cells if cells)
    texts["figures.json"] = json_text(comparison.summaries, comparison.pairs)
    texts |= {f"{name}.svg": svg for name, svg in plots(comparison).items()}
    written = []
    for name, text in texts.items():
        path = folder / name
        replace_file(path, text)
        written.append(path)
    return written
