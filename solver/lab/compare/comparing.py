"""The one way to compare: runs are planned and made, then a report of their journal."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import fill

from solver.lab.compare.collect import Figures, View, figures_in
from solver.lab.compare.finding import Finding, find
from solver.lab.compare.runs import Journal, Outcome, Task
from solver.lab.compare.tables import WIDTH, markdown, sections_of, terminal

_WHOLE = View()


class Comparison(Figures):
    """Everything that a report of a comparison shows; see `Figures` for its figures."""

    @classmethod
    def of(cls, figures: Figures) -> "Comparison":
        """Return the comparison with these figures."""
        return cls(**vars(figures))

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
    return Comparison.of(figures_in(folder, view))


@dataclass(frozen=True)
class Comparing:
    """A comparison to be made. Raises `RowdrawError` if it cannot be.

    Attributes:
        folder: Where its journal is kept.
        tasks: Its runs.
        view: What to show of the journal.
        jobs: The most runs at a time.
        scheduler: The address of a dask cluster; None to run on this machine.
        again: Whether to repeat runs that the journal already has.
    """

    folder: Path
    tasks: tuple[Task, ...]
    view: View
    jobs: int = 1
    scheduler: str | None = None
    again: bool = False

    def __post_init__(self) -> None:
        self.journal.check_folder()
        self.view.check(self.folder)

    @property
    def journal(self) -> Journal:
        """The journal of its runs."""
        return Journal(self.folder)

    def missing(self) -> list[Task]:
        """Return the runs to be made."""
        return list(self.tasks) if self.again else self.journal.unfinished(self.tasks)

    def run(self, tasks: list[Task], note: Callable[[Outcome], None]) -> None:
        """Make runs, and call `note` with each as soon as it is in the journal."""
        # imported only here, because a report needs no kernels
        from solver.lab.compare.execute import dask_executor, local_executor, run_plan

        executing = local_executor(self.jobs)
        if self.scheduler is not None:
            executing = dask_executor(self.scheduler, self.jobs)
        with executing as pool:
            run_plan(tasks, self.journal, pool, note)

    def collect(self) -> Comparison:
        """Return the comparison of the runs made so far."""
        return collect(self.folder, self.view)
