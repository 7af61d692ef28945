"""The rows and the figures of a comparison, from its journal and the record book.

A row holds runs of one strategy, one code, one budget and one number of threads, whatever its name on the command line. A
puzzle is identified by its digest, whatever its name is.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from solver.errors import JournalError, PuzzleError, RowdrawError, StrategyError
from solver.lab.compare.runs import Failure, Journal, Outcome, Task, code_version
from solver.lab.compare.statistics import (
    Pair,
    Summary,
    comparable,
    in_time,
    known_scores,
    pairs,
    summaries,
)
from solver.lab.records import Known, known_by_digest, known_in
from verify.text import counted, nearest, quote

Key = TypeVar("Key", bound=Hashable)

_SHORT = 8  # characters of a digest that a name shows


class Row(NamedTuple):
    """What all runs of a row have in common."""

    strategy: str
    code: str
    budget: str
    threads: int

    @classmethod
    def of(cls, outcome: Task) -> "Row":
        """Return the row in which a run stands."""
        return cls(outcome.strategy, outcome.code, outcome.budget, outcome.threads)

    @property
    def base(self) -> str:
        """The code of rowdraw itself, without that of a plug-in or a program."""
        return self.code.partition("+")[0]


_FORMS: dict[
    str, Callable[[Row], str]
] = {  # what distinguishes rows of one label, the plainest first
    "budget": lambda row: row.budget,
    "threads": lambda row: counted(row.threads, "thread"),
    "code": lambda row: f"code {'+'.join(part[:_SHORT] for part in row.code.split('+'))}",
    "strategy": lambda row: row.strategy,
}


def without_earlier(
    outcomes: Sequence[Outcome], planned: Iterable[Task] = ()
) -> tuple[list[Outcome], list[Outcome]]:
    """Split runs, in the order of their journal, into those of the current code and those of earlier code.

    Runs of one strategy, by its label or by its settings, can have several codes: its file was edited, or rowdraw was. The
    current code is that of the `planned` runs; without a plan that of this rowdraw, if it has made a run; else that of the run
    that finished last.
    """
    wanted = {(task.strategy, task.code) for task in planned}
    ages: dict[tuple[str, str], tuple[bool, bool, str, int]] = {}
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    finished = ""
    for place, outcome in enumerate(outcomes):
        finished = (
            outcome.finished or finished
        )  # earlier versions kept no time of a run that failed
        row = Row.of(outcome)
        version = row.strategy, row.code
        age = version in wanted, row.base == code_version(), finished, place
        ages[version] = max(ages.get(version, age), age)
        labels[version].add(outcome.label)

    def is_earlier(version: tuple[str, str]) -> bool:
        return any(
            other[1] != version[1]
            and age > ages[version]
            and (other[0] == version[0] or not labels[other].isdisjoint(labels[version]))
            for other, age in ages.items()
        )

    earlier = {version for version in ages if is_earlier(version)}
    kept, left = list[Outcome](), list[Outcome]()
    for outcome in outcomes:
        row = Row.of(outcome)
        (left if (row.strategy, row.code) in earlier else kept).append(outcome)
    return kept, left


def row_names(outcomes: Iterable[Task]) -> dict[Row, str]:
    """Return a name for each row: its label, and in brackets what distinguishes it from other rows of that label."""
    labels = {Row.of(outcome): outcome.label for outcome in outcomes}
    names = dict[Row, str]()
    for label in dict.fromkeys(labels.values()):
        alike = [row for row in labels if labels[row] == label]
        names |= {
            row: f"{label} ({more})" if more else label
            for row, more in _distinctions(alike).items()
        }
    return _distinct({row: names[row] for row in labels})


def _distinctions(rows: Sequence[Row]) -> dict[Row, str]:
    marks = {row: list[str]() for row in rows}
    for name, form in _FORMS.items():
        if len({tuple(texts) for texts in marks.values()}) == len(rows):
            break
        if len({getattr(row, name) for row in rows}) > 1:
            for row, texts in marks.items():
                texts.append(form(row))
    return {row: ", ".join(texts) for row, texts in marks.items()}


def find_row(name: str, outcomes: Sequence[Outcome], planned: Sequence[Task] = ()) -> str:
    """Return the name of the row that the user calls `name`: by its name in the tables, its label, or its settings.

    If several rows have that label or these settings, the one of the plan is meant. Raises `StrategyError` unless it is one
    row.
    """
    names = row_names([*outcomes, *planned])
    if name in names.values():
        return name
    called, planned_too = (
        dict.fromkeys(
            names[Row.of(outcome)] for outcome in some if name in (outcome.label, outcome.strategy)
        )
        for some in ([*outcomes, *planned], planned)
    )
    matches = list(planned_too if len(planned_too) == 1 else called)
    if not matches:
        others = ", ".join(map(quote, names.values()))
        raise StrategyError(
            f"baseline {quote(name)}: no such strategy here{nearest(name, names.values()) or f': {others}'}"
        )
    if len(matches) > 1:
        raise StrategyError(
            f"baseline {quote(name)}: expected one of {', '.join(map(quote, matches))}"
        )
    return matches[0]


def puzzle_names(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return a name for each puzzle by its digest: its own, with the digest in brackets if others have it too."""
    names = dict[str, str]()
    for outcome in outcomes:
        names.setdefault(outcome.puzzle_digest, outcome.puzzle_name)
    taken = list(names.values())
    return _distinct(
        {
            key: name if taken.count(name) == 1 else f"{name} ({key[:_SHORT]})"
            for key, name in names.items()
        }
    )


def _distinct(names: Mapping[Key, str]) -> dict[Key, str]:
    """Number names that are already taken: a label may look like another one with its distinction."""
    distinct: dict[Key, str] = {}
    taken = set[str]()
    for key, name in names.items():
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} #{number}"
        taken.add(unique)
        distinct[key] = unique
    return distinct


@dataclass(frozen=True)
class Comparison:
    """Everything that a report of a comparison shows.

    Attributes:
        outcomes: All runs shown; `label` is the name of their row, `puzzle_name` one that no other puzzle has.
        compared: The runs of strategies and puzzles of which each strategy has run each puzzle; all figures are over them.
        known: The best score and the bound of each puzzle, with their sources.
        before: The same without these runs.
        baseline: The name of the row that all others are compared with; None to compare every two.
        earlier: Runs of earlier code, which are left out.
    """

    outcomes: tuple[Outcome, ...]
    compared: tuple[Outcome, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    before: dict[str, Known] = field(default_factory=dict)
    baseline: str | None = None
    earlier: tuple[Outcome, ...] = ()

    @property
    def puzzles(self) -> list[str]:
        """The names of the puzzles, sorted."""
        return sorted({outcome.puzzle_name for outcome in self.outcomes})

    @property
    def failures(self) -> list[Failure]:
        """The runs that ended with an error."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, Failure)]

    @property
    def best_by_puzzle(self) -> dict[str, Outcome]:
        """The first best run of each puzzle."""
        runs: dict[str, Outcome] = {}
        for outcome in self.outcomes:
            name = outcome.puzzle_name
            if not outcome.failed and (name not in runs or outcome.score > runs[name].score):
                runs[name] = outcome
        return runs

    def table(self) -> str:
        """Return the figures of the strategies as a Markdown table."""
        from solver.lab.compare.tables import markdown, summary_table

        return markdown(summary_table(self.summaries))

    def __str__(self) -> str:
        return self.table()

    def _repr_markdown_(self) -> str:
        """Return the table, for notebooks."""
        return self.table()


@dataclass(frozen=True)
class View:
    """Which part of a journal to show.

    Attributes:
        planned: The runs just asked for; their code counts as the current one.
        baseline: The strategy that all others are compared with.
        puzzles: The puzzles to show, by file or name; empty for all.
        strategies: The strategies to show, by label, settings or the name of their row; empty for all.
    """

    planned: tuple[Task, ...] = ()
    baseline: str | None = None
    puzzles: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()

    def split(self, outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
        """Split runs into those shown and those left out.

        Raises `PuzzleError` or `StrategyError` if a puzzle or a strategy to show has no run.
        """
        shown, earlier = without_earlier(outcomes, self.planned)
        rows = row_names(shown)
        puzzles = _chosen(
            "puzzle", self.puzzles, [(o.puzzle, o.puzzle_name) for o in shown], PuzzleError
        )
        labels = [(o.label, o.strategy, rows[Row.of(o)]) for o in shown]
        strategies = _chosen("strategy", self.strategies, labels, StrategyError)
        return [
            o for o, *is_chosen in zip(shown, puzzles, strategies, strict=True) if all(is_chosen)
        ], earlier

    def check(self, folder: Path) -> None:
        """Raise `StrategyError` unless the baseline is in the plan or in the journal of `folder`."""
        if self.baseline is not None:
            find_row(
                self.baseline,
                self.split(list(Journal(folder).outcomes().values()))[0],
                self.planned,
            )


def _chosen(
    what: str, wanted: Collection[str], names: Sequence[tuple[str, ...]], error: type[RowdrawError]
) -> list[bool]:
    """Return for the names of each run whether one of them is `wanted`, true for all if none is. Raises `error` for others."""
    known = list(dict.fromkeys(name for own in names for name in own))
    for name in wanted:
        if name not in known:
            others = f": {', '.join(map(quote, dict.fromkeys(own[0] for own in names)))}"
            raise error(
                f"{what} {quote(name)}: the journal has no such run{nearest(name, known) or others}"
            )
    return [not wanted or not set(own).isdisjoint(wanted) for own in names]


def collect(folder: Path, results: Path | None = None, view: View | None = None) -> Comparison:
    """Compare the runs in `folder`, measured against the record book and the result files in `results` if it is given.

    Raises `JournalError` if there is no run, or a line is wrong, and `StrategyError` or `PuzzleError` if the baseline, or a
    strategy or puzzle to show, is missing.
    """
    view = view or View()
    outcomes = [in_time(outcome) for outcome in Journal(folder).outcomes(recount=True).values()]
    if not outcomes:
        raise JournalError(f"{folder}: its journal holds no run")
    shown, earlier = view.split(outcomes)
    rows, puzzles = row_names([*shown, *view.planned]), puzzle_names(outcomes)
    named = [replace(o, label=rows[Row.of(o)], puzzle_name=puzzles[o.puzzle_digest]) for o in shown]
    left_out = [replace(o, puzzle_name=puzzles[o.puzzle_digest]) for o in earlier]
    before = known_before({puzzles[o.puzzle_digest]: o for o in shown}, results)
    baseline = None if view.baseline is None else find_row(view.baseline, shown, view.planned)
    wanted = {rows[Row.of(task)] for task in view.planned}
    return make_comparison(named, before, wanted, baseline, left_out)


def make_comparison(
    outcomes: Sequence[Outcome],
    before: Mapping[str, Known],
    wanted: Collection[str] = (),
    baseline: str | None = None,
    earlier: Sequence[Outcome] = (),
) -> Comparison:
    """Compare runs whose labels are the names of their rows, and whose puzzles have different names.

    `before` is what is known of their puzzles without them, `wanted` the rows just asked for, `baseline` the row that all
    others are compared with. The `earlier` runs are left out, but their scores count as known.
    """
    puzzles = {outcome.puzzle_name for outcome in outcomes}
    known = known_scores(
        [outcome for outcome in [*outcomes, *earlier] if outcome.puzzle_name in puzzles], before
    )
    compared = comparable(outcomes, wanted, baseline)
    solved = any(not outcome.failed for outcome in outcomes)
    figures, tested = (
        (summaries(compared, known), pairs(compared, baseline)) if solved else ([], [])
    )
    return Comparison(
        outcomes=tuple(outcomes),
        compared=tuple(compared),
        known=known,
        summaries=tuple(figures),
        pairs=tuple(tested),
        before=dict(before),
        baseline=baseline,
        earlier=tuple(earlier),
    )


def known_before(examples: Mapping[str, Outcome], results: Path | None) -> dict[str, Known]:
    """Return what the record book and the folder `results` know of puzzles; `examples` has a run of each, by name."""
    known = {}
    for name, outcome in examples.items():
        digest = outcome.puzzle_digest
        book = known_by_digest(digest)
        known[name] = (
            book
            if results is None
            else book.with_other(known_in(results, outcome.puzzle_name, digest))
        )
    return known
