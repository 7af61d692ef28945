"""A comparison: its figures, what they show in words, and its tables."""

from functools import cached_property
from pathlib import Path
from textwrap import fill

from solver.lab.compare.collect import Figures, View, figures_in
from solver.lab.compare.finding import Finding, find
from solver.lab.compare.tables import WIDTH, markdown, sections_of, terminal

_WHOLE = View()


class Comparison(Figures):
    """Everything that a report of a comparison shows; see `Figures` for its figures."""

    @cached_property
    def finding(self) -> Finding:
        """What the comparison shows, in words."""
        return find(self)

    def table(self) -> str:
        """Return the figures of the strategies as a Markdown table."""
        return markdown(sections_of(self)[0].table)

    def __str__(self) -> str:
        """Return the verdict and all tables, as for a terminal."""
        parts = [f"{fill(self.finding.answer, WIDTH)}\n"]
        if self.summaries:
            parts += [terminal(s.table) for s in sections_of(self) if s.table.cells]
        notes = "\n".join(fill(note, WIDTH) for note in self.finding.notes)
        return "\n".join([*parts, notes]).rstrip() + "\n"

    def _repr_markdown_(self) -> str:
        """Return the verdict and the figures of the strategies, for notebooks."""
        return f"{self.finding.answer}\n\n{self.table()}"


def collect(folder: Path, view: View = _WHOLE) -> Comparison:
    """Compare the runs in `folder`. Raises `RowdrawError` as `figures_in` does."""
    return Comparison(**vars(figures_in(folder, view)))
