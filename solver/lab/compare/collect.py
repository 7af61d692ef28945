"""The rows and the figures of a comparison, from its journal and the record book.

A row holds runs of one strategy, one code, one budget and one number of threads, whatever its name
on the command line. A puzzle is identified by its digest, whatever its name is.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from solver.errors import RowdrawError, StrategyError
from solver.lab.compare.plan import bundled_puzzles, code_version, specified
from solver.lab.compare.runs import Failure, Journal, Outcome, Task, rules_of
from solver.lab.compare.statistics import (
    Pair,
    Runs,
    Summary,
    comparable,
    known_scores,
    pair_names,
    pairs,
    puzzle_means,
    summaries,
)
from solver.lab.records import Known, KnownScores, known_by_digest, known_in
from verify.text import counted, nearest, quote

Key = TypeVar("Key", bound=Hashable)
Labelled = TypeVar("Labelled", Outcome, Summary)

_SHORT = 8  # characters of a digest that a name shows


class Row(NamedTuple):
    """What all runs of a row have in common."""

    strategy: str
    code: str
    budget: str
    threads: int

    @classmethod
    def of(cls, run: Task) -> "Row":
        """Return the row in which a run stands."""
        return cls(run.strategy, run.code, run.budget, run.threads)

    @property
    def limits(self) -> tuple[str, int]:
        """What each run of the row was given: the budget and the threads."""
        return self.budget, self.threads

    @property
    def base(self) -> str:
        """The code of rowdraw itself, without that of a plug-in or a program."""
        return self.code.partition("+")[0]

    def marks(self) -> tuple[str, ...]:
        """Return what distinguishes the row from others of its label, the plainest first."""
        code = "+".join(part[:_SHORT] for part in self.code.split("+"))
        return self.budget, counted(self.threads, "thread"), f"code {code}", self.strategy


def without_earlier(
    outcomes: Runs, planned: Iterable[Task] = ()
) -> tuple[list[Outcome], list[Outcome]]:
    """Split runs, in the order of their journal, into those of the current code and earlier code.

    Runs of one strategy, by its label or by its settings, can have several codes: its file was
    edited, or rowdraw was. The current code is that of the `planned` runs; without a plan that of
    this rowdraw, if it has made a run; else that of the run that finished last.
    """
    wanted = {(task.strategy, task.code) for task in planned}

    def age(outcome: Outcome) -> tuple[bool, bool, str]:
        is_wanted = (outcome.strategy, outcome.code) in wanted
        return is_wanted, Row.of(outcome).base == code_version(), outcome.finished or ""

    current: dict[str, str] = {}  # the code by label and by settings
    for outcome in sorted(outcomes, key=age):
        current |= {outcome.label: outcome.code, outcome.strategy: outcome.code}
    kept: list[Outcome] = []
    earlier: list[Outcome] = []
    for outcome in outcomes:
        is_current = outcome.code == current[outcome.label] == current[outcome.strategy]
        part = kept if is_current else earlier
        part.append(outcome)
    return kept, earlier


def row_names(runs: Iterable[Task]) -> dict[Row, str]:
    """Return a name for each row: its label, and in brackets what distinguishes it.

    It is distinguished from the other rows of that label.
    """
    return _told_apart({Row.of(run): run.label for run in runs}, Row.marks)


class Version(NamedTuple):
    """A version of the code or the settings of a strategy.

    `number` counts the versions of a label from 1, by their first runs.
    """

    row: Row
    label: str
    number: int
    since: str
    comment: str

    @property
    def name(self) -> str:
        """The name of its row."""
        return f"{self.label} v{self.number}"

    @property
    def remark(self) -> str:
        """What it is, in words."""
        parts = [self.since, f"code {self.row.code[-_SHORT:]}", self.comment]
        return f"{self.name}: {', '.join(filter(None, parts))}."


def versions_of(runs: Iterable[Outcome], planned: Iterable[Task] = ()) -> list[Version]:
    """Return the versions of each strategy that has several, by its label, the oldest first.

    A version that is `planned` is the last one of its label, even if an edit was taken back.
    """
    current = set(map(Row.of, planned))
    rows: dict[str, dict[Row, list[Outcome]]] = defaultdict(dict)
    for run in sorted(runs, key=attrgetter("finished")):
        rows[run.label].setdefault(Row.of(run), []).append(run)
    versions = []
    for label, made in rows.items():
        for number, (row, runs_of_row) in enumerate(made.items(), start=1):
            if len(made) > 1:
                comments = [run.comment for run in runs_of_row if run.comment]
                comment = comments[-1] if comments else ""
                since = runs_of_row[0].finished
                versions.append(Version(row, label, number, since, comment))
    return sorted(versions, key=lambda version: version.row in current)


def edits_of(versions: Sequence[Version]) -> list[tuple[str, str]]:
    """Return the names of the last version of each strategy and of the one before.

    Both have the same limit and the same number of threads, so that only an edit is judged.
    """
    last = {version.label: version for version in versions}
    edits: dict[str, tuple[str, str]] = {}
    for before in versions:
        version = last[before.label]
        if before != version and before.row.limits == version.row.limits:
            edits[version.label] = version.name, before.name
    return list(edits.values())


def puzzle_names(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return a name by the digest of each puzzle: its own, with the digest if others have it."""
    names: dict[str, str] = {}
    for outcome in outcomes:
        names.setdefault(outcome.puzzle_digest, outcome.puzzle_name)
    return _told_apart(names, lambda digest: (digest[:_SHORT],))


def _told_apart(
    names: Mapping[Key, str], marks_of: Callable[[Key], tuple[str, ...]]
) -> dict[Key, str]:
    """Return names that differ: with marks in brackets where several are the same.

    A name that then looks like another one is numbered.
    """
    alike: dict[str, list[Key]] = defaultdict(list)
    for key, name in names.items():
        alike[name].append(key)
    marks: dict[Key, tuple[str, ...]] = {}
    for keys in alike.values():
        marks |= zip(keys, _distinctions(list(map(marks_of, keys))), strict=True)
    distinct: dict[Key, str] = {}
    for key, name in names.items():
        marked = name
        if marks[key]:
            marked += f" ({', '.join(marks[key])})"
        unique = marked
        number = 1
        while unique in distinct.values():
            number += 1
            unique = f"{marked} #{number}"
        distinct[key] = unique
    return distinct


def _distinctions(marks: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the first marks that differ, and no more than make each unique."""
    chosen: list[tuple[str, ...]] = [()] * len(marks)
    for alternatives in zip(*marks, strict=True):
        if len(set(alternatives)) > 1 and len(set(chosen)) < len(marks):
            chosen = [(*before, mark) for before, mark in zip(chosen, alternatives, strict=True)]
    return chosen


def find_row(name: str, outcomes: Runs, planned: Sequence[Task] = ()) -> str:
    """Return the name of the row that the user calls `name`.

    It is called by its name in the tables, its label, or its settings. If several rows have that
    label or these settings, the one of the plan is meant. Raises `StrategyError` unless it is one
    row.
    """
    runs = [*outcomes, *planned]
    names = row_names(runs)
    if name in names.values():
        return name
    for meant in (planned, runs):
        matches = dict.fromkeys(
            names[Row.of(run)] for run in meant if name in (run.label, run.strategy)
        )
        if len(matches) == 1:
            return next(iter(matches))
    if matches:
        raise StrategyError(f"baseline {quote(name)}: expected one of {_quoted(matches)}")
    others = nearest(name, names.values()) or f": {_quoted(names.values())}"
    raise StrategyError(f"baseline {quote(name)}: no such strategy here{others}")


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(quote, dict.fromkeys(names)))


@dataclass(frozen=True)
class Figures:
    """All figures of a comparison.

    Attributes:
        outcomes: All runs shown; `label` is the name of their row, `puzzle_name` one that no other
            puzzle has.
        compared: The runs of strategies and puzzles of which each strategy has run each puzzle; all
            figures are over them. Empty if every run failed.
        known: The best score and the bound of each puzzle, with their sources, from all runs.
        before: The same without these runs.
        baseline: The name of the row that all others are compared with; None to compare every two.
        earlier: Runs of earlier code, which are left out.
        versions: The versions of strategies whose versions are compared.
    """

    outcomes: tuple[Outcome, ...]
    compared: tuple[Outcome, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    before: KnownScores
    baseline: str | None = None
    earlier: tuple[Outcome, ...] = ()
    versions: tuple[Version, ...] = ()

    @property
    def puzzles(self) -> list[str]:
        """The names of the puzzles, sorted."""
        return sorted(set(map(attrgetter("puzzle_name"), self.outcomes)))

    @property
    def failures(self) -> list[Failure]:
        """The runs that ended with an error."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, Failure)]

    @property
    def best_by_puzzle(self) -> dict[str, Outcome]:
        """The first best run of each puzzle."""
        runs: dict[str, Outcome] = {}
        for outcome in self.outcomes:
            if not outcome.failed:
                best = runs.setdefault(outcome.puzzle_name, outcome)
                runs[outcome.puzzle_name] = max(best, outcome, key=attrgetter("score"))
        return runs

    @property
    def in_racks(self) -> bool:
        """Whether racks, and not seconds, limit all runs."""
        return all(outcome.limit.seconds is None for outcome in self.outcomes)


def json_text(figures: Figures) -> str:
    """Return all figures of a comparison, unrounded, as JSON."""
    fields = {
        "strategies": [*map(asdict, figures.summaries)],
        "pairs": [*map(asdict, figures.pairs)],
        "means": puzzle_means(figures.outcomes),
        "known": {name: asdict(known) for name, known in sorted(figures.known.items())},
    }
    return json.dumps(fields, indent=1) + "\n"


@dataclass(frozen=True)
class View:
    """Which part of a journal to show, and against what.

    A choice of strategies and puzzles never changes what they are measured against.

    Attributes:
        planned: The runs just asked for, which are shown; their code counts as the current one.
        baseline: The strategy that all others are compared with.
        puzzles: The puzzles to show, as in a plan or by name; empty for all, or those planned.
        strategies: The strategies to show, by label, settings or the name of their row; empty for
            all, or those planned.
        versions: Whether to show each version of a strategy's code, and to compare the newest of
            each with the one before.
        results: A folder of records whose scores and bounds count besides the record book.
    """

    planned: tuple[Task, ...] = ()
    baseline: str | None = None
    puzzles: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    versions: bool = False
    results: Path | None = None

    def __post_init__(self) -> None:
        if self.results is not None and not self.results.is_dir():
            raise RowdrawError(f"results: {self.results}: expected a folder")
        if self.versions and self.baseline is not None:
            raise RowdrawError("versions are compared with the one before: expected no baseline")

    def check(self, folder: Path) -> None:
        """Raise `StrategyError` unless the baseline is in the plan or the journal of `folder`."""
        if self.baseline is not None:
            shown, _earlier = without_earlier(_runs_in(folder, recount=False), self.planned)
            find_row(self.baseline, shown, self.planned)

    def puzzles_of(self, outcomes: Runs) -> set[str]:
        """Return the names of the puzzles to show. Raises `RowdrawError` for one without a run."""
        if self.puzzles:
            return _matching(
                outcomes, self.puzzles, "puzzle", _is_puzzle, attrgetter("puzzle_name")
            )
        digests = set(map(attrgetter("puzzle_digest"), self.planned))
        return {run.puzzle_name for run in outcomes if not digests or run.puzzle_digest in digests}

    def labels_of(self, outcomes: Runs, labels: Mapping[str, str]) -> set[str]:
        """Return the names of the rows to show; `labels` has the label of each.

        Raises `RowdrawError` for a strategy without a run.
        """
        if self.strategies:
            wanted = [label for label, _spec in specified(self.strategies)]

            def is_named(run: Outcome, name: str) -> bool:
                return name in (run.label, labels[run.label], run.strategy)

            return _matching(outcomes, wanted, "strategy", is_named, attrgetter("label"))
        asked = set(map(attrgetter("label"), self.planned))
        rows = set(map(Row.of, self.planned))
        return {
            run.label
            for run in outcomes
            if not rows or Row.of(run) in rows or (self.versions and labels[run.label] in asked)
        }


def _is_puzzle(run: Outcome, name: str) -> bool:
    """Return whether a puzzle is called `name`, as in a plan."""
    names = (run.puzzle, run.puzzle_name)
    if name in names or any(fnmatchcase(own, name) for own in names):
        return True
    return run.puzzle in bundled_puzzles(name) or Path(name) == Path(run.puzzle).parent


def _matching(
    runs: Runs,
    wanted: Iterable[str],
    kind: str,
    is_named: Callable[[Outcome, str], bool],
    name_of: Callable[[Outcome], str],
) -> set[str]:
    """Return the names of the runs that are `wanted`. Raises `RowdrawError` for one of no run."""
    found: set[str] = set()
    for name in wanted:
        matches = {name_of(run) for run in runs if is_named(run, name)}
        if not matches:
            names = list(map(name_of, runs))
            others = nearest(name, names) or f": {_quoted(names)}"
            raise RowdrawError(f"{kind} {quote(name)}: the journal has no such run{others}")
        found |= matches
    return found


def _runs_in(folder: Path, *, recount: bool) -> list[Outcome]:
    return list(Journal(folder).outcomes(recount=recount).values())


def figures_in(folder: Path, view: View) -> Figures:
    """Return the figures of the runs in `folder`, measured against the record book.

    Raises `RowdrawError` if there is no run, or if the baseline, or a strategy or puzzle to show,
    is missing.
    """
    outcomes = _runs_in(folder, recount=True)
    if not outcomes:
        raise RowdrawError(f"{folder}: its journal holds no run")
    shown = outcomes
    earlier: list[Outcome] = []
    versions: list[Version] = []
    if view.versions:
        versions = versions_of(outcomes, view.planned)
    else:
        shown, earlier = without_earlier(outcomes, view.planned)
    rows = row_names([*shown, *view.planned]) | {each.row: each.name for each in versions}
    puzzles = puzzle_names(outcomes)
    labels = {rows[Row.of(run)]: run.label for run in shown}
    examples = {puzzles[run.puzzle_digest]: run for run in shown}
    baseline = None
    if view.baseline is not None:
        baseline = find_row(view.baseline, shown, view.planned)
    shown = [replace(o, label=rows[Row.of(o)], puzzle_name=puzzles[o.puzzle_digest]) for o in shown]
    earlier = [replace(o, puzzle_name=puzzles[o.puzzle_digest]) for o in earlier]
    return make_figures(
        shown,
        {name: _known_before(run, view.results) for name, run in examples.items()},
        view.labels_of(shown, labels),
        view.puzzles_of(shown),
        baseline,
        earlier,
        versions,
    )


def make_figures(
    outcomes: Runs,
    before: KnownScores,
    labels: Collection[str] | None = None,
    puzzles: Collection[str] | None = None,
    baseline: str | None = None,
    earlier: Runs = (),
    versions: Sequence[Version] = (),
) -> Figures:
    """Compare runs whose labels are the names of their rows, and whose puzzles differ in name.

    Args:
        outcomes: The runs.
        before: What is known of their puzzles without them.
        labels: The rows to show, besides the baseline; None for all.
        puzzles: The puzzles to show; None for all.
        baseline: The row that all others are compared with.
        earlier: Runs that are left out, but whose scores count as known.
        versions: The versions to compare, see `edits_of`.
    """
    known = known_scores([*outcomes, *earlier], before)
    on_puzzles = [run for run in outcomes if puzzles is None or run.puzzle_name in puzzles]
    shown_labels = {baseline, *(labels or map(attrgetter("label"), outcomes))}
    edits = edits_of(versions)
    edited = set(chain.from_iterable(edits)).intersection(shown_labels)
    wanted = edited or set(labels or ())
    compared: list[Outcome] = []
    if not all(map(attrgetter("failed"), on_puzzles)):
        compared = comparable(on_puzzles, wanted, [baseline] if baseline is not None else edited)
        if not compared and versions:
            compared = comparable(on_puzzles, wanted)
    rows = summaries(compared, known)
    chosen = pair_names(rows, baseline)
    if versions:
        names = set(map(attrgetter("label"), rows))
        chosen = [edit for edit in edits if names.issuperset(edit)]
    shown = _of_rows(on_puzzles, shown_labels)
    names_shown = set(map(attrgetter("puzzle_name"), shown))
    found = pairs(compared, chosen)
    return Figures(
        outcomes=shown,
        compared=_of_rows(compared, shown_labels),
        known=_of_puzzles(known, names_shown),
        summaries=_of_rows(rows, shown_labels),
        pairs=tuple(pair for pair in found if shown_labels >= {pair.first, pair.second}),
        before=_of_puzzles(before, names_shown),
        baseline=baseline,
        earlier=tuple(earlier) if labels is None else _of_rows(earlier, shown_labels),
        versions=tuple(version for version in versions if version.name in shown_labels),
    )


def _of_rows(runs: Iterable[Labelled], labels: Collection[str | None]) -> tuple[Labelled, ...]:
    """Return the runs or summaries of some rows."""
    return tuple(run for run in runs if run.label in labels)


def _of_puzzles(known: KnownScores, names: Collection[str]) -> dict[str, Known]:
    """Return what is known of some puzzles."""
    return {name: score for name, score in known.items() if name in names}


def _known_before(run: Outcome, results: Path | None) -> Known:
    """Return what the record book and the folder `results` know of the puzzle of a run."""
    book = known_by_digest(run.puzzle_digest)
    rules = None if results is None else rules_of(run)
    if results is None or rules is None or rules.digest != run.puzzle_digest:
        return book
    return book.with_other(known_in(results, rules))
