"""The rows and the figures of a comparison, from its journal and the record book.

A row holds runs of one strategy, one code, one budget and one number of threads, whatever its name
on the command line. A puzzle is identified by its digest, whatever its name is.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from solver.errors import RowdrawError, StrategyError
from solver.lab.compare.runs import Failure, Journal, Outcome, Task, code_version
from solver.lab.compare.statistics import (
    Pair,
    Runs,
    Summary,
    comparable,
    known_scores,
    pairs,
    puzzle_means,
    summaries,
)
from solver.lab.compare.tables import markdown, summary_table
from solver.lab.records import Known, KnownScores, known_by_digest, known_in
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
    def of(cls, run: Task) -> "Row":
        """Return the row in which a run stands."""
        return cls(run.strategy, run.code, run.budget, run.threads)

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
class Comparison:
    """Everything that a report of a comparison shows.

    Attributes:
        outcomes: All runs shown; `label` is the name of their row, `puzzle_name` one that no other
            puzzle has.
        compared: The runs of strategies and puzzles of which each strategy has run each puzzle; all
            figures are over them. Empty if every run failed.
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
    before: KnownScores
    baseline: str | None
    earlier: tuple[Outcome, ...]

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
            if not outcome.failed:
                best = runs.setdefault(outcome.puzzle_name, outcome)
                runs[outcome.puzzle_name] = max(best, outcome, key=lambda run: run.score)
        return runs

    def table(self) -> str:
        """Return the figures of the strategies as a Markdown table."""
        return markdown(summary_table(self.summaries))

    __str__ = table
    _repr_markdown_ = table  # for notebooks


def json_text(comparison: Comparison) -> str:
    """Return all figures of a comparison, unrounded, as JSON."""
    figures = {
        "strategies": [*map(asdict, comparison.summaries)],
        "pairs": [*map(asdict, comparison.pairs)],
        "means": puzzle_means(comparison.outcomes),
        "known": {name: asdict(known) for name, known in sorted(comparison.known.items())},
    }
    return json.dumps(figures, indent=1) + "\n"


@dataclass(frozen=True)
class View:
    """Which part of a journal to show.

    Attributes:
        planned: The runs just asked for; their code counts as the current one.
        baseline: The strategy that all others are compared with.
        puzzles: The puzzles to show, by file or name; empty for all.
        strategies: The strategies to show, by label, settings or the name of their row; empty for
            all.
    """

    planned: tuple[Task, ...] = ()
    baseline: str | None = None
    puzzles: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()

    def split(self, outcomes: Runs) -> tuple[list[Outcome], list[Outcome]]:
        """Split runs into those shown and those of earlier code.

        Raises `RowdrawError` or `StrategyError` if a puzzle or a strategy to show has no run.
        """
        shown, earlier = without_earlier(outcomes, self.planned)
        rows = row_names(shown)
        if self.puzzles:
            puzzles = [(run.puzzle, run.puzzle_name) for run in shown]
            shown = _chosen(shown, puzzles, self.puzzles, "puzzle", RowdrawError)
        if self.strategies:
            strategies = [(run.label, run.strategy, rows[Row.of(run)]) for run in shown]
            shown = _chosen(shown, strategies, self.strategies, "strategy", StrategyError)
        return shown, earlier

    def check(self, folder: Path) -> None:
        """Raise `StrategyError` unless the baseline is in the plan or the journal of `folder`."""
        if self.baseline is not None:
            shown, _earlier = self.split(list(Journal(folder).outcomes().values()))
            find_row(self.baseline, shown, self.planned)


def _chosen(
    runs: Runs,
    names: Sequence[tuple[str, ...]],
    wanted: Collection[str],
    kind: str,
    error: type[RowdrawError],
) -> list[Outcome]:
    """Return the runs of which one of the `names` is `wanted`.

    Raises `error` for a wanted name of no run.
    """
    known = {name for own in names for name in own}
    for name in wanted:
        if name not in known:
            others = nearest(name, known) or f": {_quoted(own[0] for own in names)}"
            raise error(f"{kind} {quote(name)}: the journal has no such run{others}")
    return [run for run, own in zip(runs, names, strict=True) if not set(own).isdisjoint(wanted)]


def collect(folder: Path, results: Path | None = None, view: View = View()) -> Comparison:
    """Compare the runs in `folder`, measured against the record book.

    The result files in `results` count besides the record book, if it is given. Raises
    `RowdrawError` if there is no run, or a line is wrong, and `StrategyError` or `RowdrawError` if
    the baseline, or a strategy or puzzle to show, is missing.
    """
    outcomes = list(Journal(folder).outcomes(recount=True).values())
    if not outcomes:
        raise RowdrawError(f"{folder}: its journal holds no run")
    shown, earlier = view.split(outcomes)
    rows = row_names([*shown, *view.planned])
    puzzles = puzzle_names(outcomes)
    baseline = view.baseline
    if baseline is not None:
        baseline = find_row(baseline, shown, view.planned)
    examples = {puzzles[run.puzzle_digest]: run for run in shown}
    return make_comparison(
        [replace(o, label=rows[Row.of(o)], puzzle_name=puzzles[o.puzzle_digest]) for o in shown],
        {name: _known_before(run, results) for name, run in examples.items()},
        {rows[Row.of(task)] for task in view.planned},
        baseline,
        [replace(o, puzzle_name=puzzles[o.puzzle_digest]) for o in earlier],
    )


def make_comparison(
    outcomes: Runs,
    before: KnownScores,
    wanted: Collection[str] = (),
    baseline: str | None = None,
    earlier: Runs = (),
) -> Comparison:
    """Compare runs whose labels are the names of their rows, and whose puzzles differ in name.

    Args:
        outcomes: The runs.
        before: What is known of their puzzles without them.
        wanted: The rows just asked for.
        baseline: The row that all others are compared with.
        earlier: Runs that are left out, but whose scores count as known.
    """
    puzzles = {outcome.puzzle_name for outcome in outcomes}
    scored = [outcome for outcome in (*outcomes, *earlier) if outcome.puzzle_name in puzzles]
    known = known_scores(scored, before)
    compared: list[Outcome] = []
    if not all(outcome.failed for outcome in outcomes):
        compared = comparable(outcomes, wanted, baseline)
    return Comparison(
        outcomes=tuple(outcomes),
        compared=tuple(compared),
        known=known,
        summaries=tuple(summaries(compared, known)),
        pairs=tuple(pairs(compared, baseline)),
        before=before,
        baseline=baseline,
        earlier=tuple(earlier),
    )


def _known_before(run: Outcome, results: Path | None) -> Known:
    """Return what the record book and the folder `results` know of the puzzle of a run."""
    book = known_by_digest(run.puzzle_digest)
    if results is None:
        return book
    return book.with_other(known_in(results, run.puzzle_name, run.puzzle_digest))
