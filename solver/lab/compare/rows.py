"""The rows of a comparison: which runs belong together, and what rows and puzzles are called.

A row holds the runs of one version of a strategy under one limit. A strategy is known by its label;
runs with the same settings have the label that these were given last. The settings and the code
that a strategy has had are its versions. The current one is that of the plan; without a plan it is
that of this rowdraw, if it has made a run, else that of the run that finished last.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from solver.lab.compare.plan import code_version
from solver.lab.compare.runs import Outcome, Task
from verify.text import counted

_SHORT = 8  # characters of a digest that a name shows
Key = TypeVar("Key", bound=Hashable)
RowKey = tuple[str, str, str, int]


@dataclass(frozen=True)
class Row:
    """A row of the tables.

    Attributes:
        name: A name that no other row has.
        label: What the user calls the strategy.
        strategy: Its name with the values of all parameters.
        limit: The budget and the threads of a run.
        is_current: Whether its version is the current one.
        remark: What its version is, in words; empty if the strategy shows one version.
    """

    name: str
    label: str
    strategy: str
    limit: str
    is_current: bool
    remark: str

    def is_called(self, name: str) -> bool:
        """Return whether the user may mean this row by `name`."""
        return name in (self.name, self.label, self.strategy)


def key_of(run: Task) -> RowKey:
    """Return what all runs of a row have in common."""
    return run.strategy, run.code, run.budget, run.threads


def rows_of(
    outcomes: Iterable[Outcome], planned: Sequence[Task] = (), *, versions: bool = False
) -> dict[RowKey, Row]:
    """Return the row of each key of `outcomes` and `planned` runs.

    Without `versions` only the current version of each strategy has rows. A strategy's versions are
    numbered by their first runs.
    """
    runs = [*sorted(outcomes, key=_age), *planned]
    labels = {run.strategy: run.label for run in runs}
    current = {labels[run.strategy]: (run.strategy, run.code) for run in runs}
    made: dict[str, dict[tuple[str, str], list[Task]]] = defaultdict(dict)
    for run in runs:
        of_label = made[labels[run.strategy]]
        of_label.setdefault((run.strategy, run.code), []).append(run)
    rows: dict[RowKey, Row] = {}
    for label, of_label in made.items():
        for number, (version, of_version) in enumerate(of_label.items(), start=1):
            is_current = version == current[label]
            name = label
            remark = ""
            if versions and len(of_label) > 1:
                name = f"{label} v{number}"
                remark = _remark(of_version)
            elif not is_current:
                continue
            for run in of_version:
                limit = f"{run.budget}, {counted(run.threads, 'thread')}"
                rows[key_of(run)] = Row(name, label, run.strategy, limit, is_current, remark)
    names = _distinct({key: (row.name, row.limit) for key, row in rows.items()})
    return {key: replace(row, name=names[key]) for key, row in rows.items()}


def _age(run: Outcome) -> tuple[bool, str]:
    """Return the sort key of runs, with those of this rowdraw last."""
    return run.base == code_version(), run.finished


def _remark(runs: Sequence[Task]) -> str:
    """Return when a version was first run, its code, and the last comment on it."""
    first = runs[0]
    since = first.finished if isinstance(first, Outcome) else ""
    comments = [run.comment for run in runs if run.comment]
    return ", ".join(filter(None, (since, f"code {first.code[-_SHORT:]}", *comments[-1:])))


def edits_of(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """Return the names of the current version of each strategy and of the newest other one.

    Both have the same limit, so that only an edit is judged.
    """
    before: dict[tuple[str, str], str] = {}
    for row in rows:
        if not row.is_current:
            before[row.label, row.limit] = row.name
    return [
        (row.name, before[row.label, row.limit])
        for row in rows
        if row.is_current and (row.label, row.limit) in before
    ]


def puzzle_names(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return a name by the digest of each puzzle: its own, with the digest if others have it."""
    marked: dict[str, tuple[str, str]] = {}
    for outcome in outcomes:
        digest = outcome.puzzle_digest
        marked.setdefault(digest, (outcome.puzzle_name, digest[:_SHORT]))
    return _distinct(marked)


def _distinct(marked: Mapping[Key, tuple[str, str]]) -> dict[Key, str]:
    """Return names that differ: where several are the same, with their marks in brackets.

    A name that then looks like another one gets "#2", as often as it needs.
    """
    counts = Counter(name for name, _mark in marked.values())
    distinct: dict[Key, str] = {}
    for key, (name, mark) in marked.items():
        unique = name
        if counts[name] > 1:
            unique = f"{name} ({mark})"
        while unique in distinct.values():
            unique += " #2"
        distinct[key] = unique
    return distinct
