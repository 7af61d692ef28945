"""The figures of a comparison, from its journal and the record book.

A puzzle is identified by its digest, whatever its name is; for rows see `solver.lab.compare.rows`.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from solver.errors import RowdrawError
from solver.lab.compare.plan import bundled_puzzles, specified
from solver.lab.compare.rows import Row, RowKey, edits_of, key_of, puzzle_names, rows_of
from solver.lab.compare.runs import Journal, Outcome, Task, rules_of
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
from verify.text import nearest, quote

Named = TypeVar("Named")
Labelled = TypeVar("Labelled", Outcome, Summary)


@dataclass(frozen=True)
class Figures:
    """All figures of a comparison.

    Attributes:
        outcomes: All runs shown; `label` is the name of their row, `puzzle_name` one that no other
            puzzle has.
        compared: The runs of strategies and puzzles of which each strategy has run each puzzle; all
            figures are over them. Empty if every run failed.
        known: The best score and the bound of each puzzle shown, with their sources, from all runs.
        before: What was known without these runs, also of other puzzles.
        baseline: The name of the row that all others are compared with; None to compare every two.
        earlier: Runs of earlier versions, which are left out.
        versions: The rows of strategies whose versions are compared.
    """

    outcomes: tuple[Outcome, ...]
    compared: tuple[Outcome, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    before: KnownScores
    baseline: str | None = None
    earlier: tuple[Outcome, ...] = ()
    versions: tuple[Row, ...] = ()

    @property
    def puzzles(self) -> list[str]:
        """The names of the puzzles, sorted."""
        return sorted(set(map(attrgetter("puzzle_name"), self.outcomes)))

    @property
    def failures(self) -> list[Outcome]:
        """The runs that ended with an error."""
        return [outcome for outcome in self.outcomes if outcome.failed]

    @property
    def best_by_puzzle(self) -> dict[str, Outcome]:
        """The first best run of each puzzle."""
        runs: dict[str, Outcome] = {}
        for outcome in self.outcomes:
            best = runs.get(outcome.puzzle_name)
            if not outcome.failed and (best is None or outcome.score > best.score):
                runs[outcome.puzzle_name] = outcome
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

    planned: Sequence[Task] = ()
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
        """Raise `RowdrawError` unless the baseline is in the plan or the journal of `folder`."""
        self.baseline_of(rows_of(Journal(folder).outcomes().values(), self.planned))

    def baseline_of(self, rows: Mapping[RowKey, Row]) -> str | None:
        """Return the name of the row of the baseline, if any.

        If several rows are called so, the one of the plan is meant. Raises `RowdrawError` unless it
        is one row.
        """
        if self.baseline is None:
            return None
        matches = self._called("baseline", [self.baseline], rows)
        if self.baseline in matches:
            return self.baseline
        planned = matches.intersection(rows[key_of(task)].name for task in self.planned)
        if len(planned) == 1:
            matches = planned
        if len(matches) > 1:
            names = ", ".join(map(quote, sorted(matches)))
            raise RowdrawError(f"baseline {quote(self.baseline)}: expected one of {names}")
        return matches.pop()

    def rows_shown(self, rows: Mapping[RowKey, Row]) -> set[str]:
        """Return the names of the rows to show. Raises `RowdrawError` for a strategy without one.

        Of the strategies planned, `versions` shows every row.
        """
        if self.strategies:
            wanted = [label for label, _spec in specified(self.strategies)]
            return self._called("strategy", wanted, rows)
        asked = [rows[key_of(task)] for task in self.planned]
        labels = {row.label for row in asked if self.versions}
        return {
            row.name for row in rows.values() if not asked or row in asked or row.label in labels
        }

    def _called(self, kind: str, wanted: Iterable[str], rows: Mapping[RowKey, Row]) -> set[str]:
        return _matching(kind, wanted, [(row.name, row) for row in rows.values()], Row.is_called)

    def puzzles_shown(self, examples: Collection[Outcome]) -> set[str]:
        """Return the names of the puzzles to show; `examples` has a run of each file and name.

        Raises `RowdrawError` for one without a run.
        """
        if self.puzzles:
            named = [(run.puzzle_name, run) for run in examples]
            return _matching("puzzle", self.puzzles, named, _is_puzzle)
        digests = {task.puzzle_digest for task in self.planned}
        return {run.puzzle_name for run in examples if not digests or run.puzzle_digest in digests}


def _is_puzzle(run: Outcome, name: str) -> bool:
    """Return whether a puzzle is called `name`, as in a plan."""
    names = (run.puzzle, run.puzzle_name)
    if name in names or any(fnmatchcase(own, name) for own in names):
        return True
    return run.puzzle in bundled_puzzles(name) or Path(name) == Path(run.puzzle).parent


def _matching(
    kind: str,
    wanted: Iterable[str],
    named: Collection[tuple[str, Named]],
    is_called: Callable[[Named, str], bool],
) -> set[str]:
    """Return the names of all that are called as one of `wanted`.

    Raises `RowdrawError` for one that names nothing.
    """
    found: set[str] = set()
    for name in wanted:
        matches = {own for own, each in named if is_called(each, name)}
        if not matches:
            names = dict(named)
            others = nearest(name, names) or f": {', '.join(map(quote, names))}"
            raise RowdrawError(f"{kind} {quote(name)}: not found here{others}")
        found |= matches
    return found


def figures_in(folder: Path, view: View) -> Figures:
    """Return the figures of the runs in `folder`, measured against the record book.

    Raises `RowdrawError` if there is no run, or if the baseline, or a strategy or puzzle to show,
    is missing.
    """
    # before planned runs were made, wrong lines were logged
    outcomes = list(Journal(folder).outcomes(recount=True, quiet=bool(view.planned)).values())
    if not outcomes:
        raise RowdrawError(f"{folder}: its journal holds no run")
    rows = rows_of(outcomes, view.planned, versions=view.versions)
    puzzles = puzzle_names(outcomes)
    shown: list[Outcome] = []
    earlier: list[Outcome] = []
    for outcome in outcomes:
        run = replace(outcome, puzzle_name=puzzles[outcome.puzzle_digest])
        row = rows.get(key_of(run))
        if row is None:
            earlier.append(run)
        else:
            shown.append(replace(run, label=row.name))
    # several files can hold one puzzle
    examples = {(run.puzzle, run.puzzle_name): run for run in shown}.values()
    on = view.puzzles_shown(examples)
    before = {
        run.puzzle_name: _known_before(run, view.results)
        for run in examples
        if run.puzzle_name in on
    }
    return make_figures(
        [run for run in shown if run.puzzle_name in on],
        before,
        view.rows_shown(rows),
        view.baseline_of(rows),
        [run for run in earlier if run.puzzle_name in on],
        [row for row in rows.values() if row.remark],
    )


def make_figures(
    outcomes: Runs,
    before: KnownScores,
    labels: Collection[str] | None = None,
    baseline: str | None = None,
    earlier: Runs = (),
    versions: Sequence[Row] = (),
) -> Figures:
    """Compare runs whose labels are the names of their rows, and whose puzzles differ in name.

    Args:
        outcomes: The runs.
        before: What is known of their puzzles without them.
        labels: The rows to show, besides the baseline; None for all.
        baseline: The row that all others are compared with.
        earlier: Runs that are left out, but whose scores count as known.
        versions: The versions to compare, see `edits_of`.
    """
    if labels is None:
        labels = {run.label for run in outcomes}
    edits = edits_of(versions)
    edited = set(labels).intersection(chain.from_iterable(edits))
    shown = set(labels)
    needed = edited
    if baseline is not None:
        shown.add(baseline)
        needed = {baseline}
    compared: list[Outcome] = []
    if not all(map(attrgetter("failed"), outcomes)):
        compared = comparable(outcomes, edited or labels, needed)
    known = known_scores([*outcomes, *earlier], before)
    rows = summaries(compared, known)
    made = {row.label for row in rows}
    chosen = edits
    if not versions:
        chosen = pair_names(rows, baseline)
    found = pairs(compared, [pair for pair in chosen if made.issuperset(pair)])
    runs = _of_rows(outcomes, shown)
    return Figures(
        outcomes=runs,
        compared=_of_rows(compared, shown),
        known={run.puzzle_name: known[run.puzzle_name] for run in runs},
        summaries=_of_rows(rows, shown),
        pairs=tuple(pair for pair in found if shown >= {pair.first, pair.second}),
        before=before,
        baseline=baseline,
        earlier=_of_rows(earlier, shown),
        versions=tuple(version for version in versions if version.name in shown),
    )


def _of_rows(runs: Iterable[Labelled], labels: Collection[str]) -> tuple[Labelled, ...]:
    """Return the runs or summaries of some rows."""
    return tuple(run for run in runs if run.label in labels)


def _known_before(run: Outcome, results: Path | None) -> Known:
    """Return what the record book and the folder `results` know of the puzzle of a run."""
    book = known_by_digest(run.puzzle_digest)
    rules = None if results is None else rules_of(run)
    if results is None or rules is None or rules.digest != run.puzzle_digest:
        return book
    return book.with_other(known_in(results, rules))
