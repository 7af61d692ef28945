"""The figures of a comparison, from its journal and the record book."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solver.errors import JournalError
from solver.lab.compare.journal import Journal
from solver.lab.compare.rows import Row, find_row, puzzle_key, puzzle_names, row_names, without_earlier
from solver.lab.compare.statistics import Outcome, Pair, Summary, comparable, known_scores, pairs, summaries
from solver.lab.compare.work import now
from solver.lab.known import NOTHING, Known, known_by_digest, known_in


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
        return sorted({outcome["puzzle_name"] for outcome in self.outcomes})

    @property
    def failures(self) -> list[Outcome]:
        """The runs that ended with an error."""
        return [outcome for outcome in self.outcomes if "error" in outcome]

    @property
    def best_by_puzzle(self) -> dict[str, Outcome]:
        """The first best run of each puzzle."""
        runs: dict[str, Outcome] = {}
        for outcome in self.outcomes:
            name = outcome["puzzle_name"]
            if "error" not in outcome and (name not in runs or outcome["score"] > runs[name]["score"]):
                runs[name] = outcome
        return runs


@dataclass(frozen=True)
class View:
    """Which part of a journal to show.

    Attributes:
        planned: The runs just asked for; their code counts as the current one.
        baseline: The strategy that all others are compared with.
        earlier: Whether to show runs of earlier code too, in rows of their own.
    """

    planned: tuple[Outcome, ...] = ()
    baseline: str | None = None
    earlier: bool = False

    def split(self, outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
        """Split runs into those shown and those left out."""
        return (list(outcomes), []) if self.earlier else without_earlier(outcomes, self.planned)

    def check(self, folder: Path) -> None:
        """Raise `StrategyError` unless the baseline is in the plan or in the journal of `folder`."""
        if self.baseline is not None:
            find_row(self.baseline, self.split(Journal(folder).checked())[0], self.planned)


def collect(folder: Path, results: Path | None = None, view: View | None = None) -> Comparison:
    """Compare the runs in `folder`, measured against the record book and the result files in `results` if it is given.

    Raises `JournalError` if there is no run, or a line is wrong, and `StrategyError` if the baseline is missing.
    """
    view = view or View()
    journal = Journal(folder)
    outcomes = journal.checked()
    journal.report_skipped()
    if not outcomes:
        raise JournalError(f"{folder}: its journal holds no run")
    shown, earlier = view.split(outcomes)
    rows, puzzles = row_names([*shown, *view.planned]), puzzle_names(outcomes)
    named = [{**o, "label": rows[Row.of(o)], "puzzle_name": puzzles[puzzle_key(o)]} for o in shown]
    left_out = [{**o, "puzzle_name": puzzles[puzzle_key(o)]} for o in earlier]
    before = known_before({puzzles[puzzle_key(o)]: o for o in shown}, results)
    baseline = None if view.baseline is None else find_row(view.baseline, shown, view.planned)
    wanted = {rows[Row.of(task)] for task in view.planned}
    return make_comparison(named, before, wanted, baseline, left_out)


def remember_plan(folder: Path, planned: Sequence[Outcome]) -> None:
    """Note in the journal of a folder that runs were asked for again, if later runs of other code would hide them.

    An edit that is undone needs no new run, but a report without a plan would take the edit for current. Raises `JournalError`
    if a field of a run is missing or wrong.
    """
    keys = {task["key"] for task in planned}
    versions: dict[tuple[str, str], Outcome] = {}
    for outcome in without_earlier(Journal(folder).checked())[1]:
        if outcome["key"] in keys:
            versions[outcome["strategy"], outcome["code"]] = outcome
    for outcome in versions.values():
        Journal(folder).append({**outcome, "asked": now()})


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
    puzzles = {outcome["puzzle_name"] for outcome in outcomes}
    known = known_scores([outcome for outcome in [*outcomes, *earlier] if outcome["puzzle_name"] in puzzles], before)
    compared = comparable(outcomes, wanted, baseline)
    solved = any("error" not in outcome for outcome in outcomes)
    figures, tested = (summaries(compared, known), pairs(compared, baseline)) if solved else ([], [])
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
        digest = outcome.get("puzzle_digest")
        book = known_by_digest(digest) if digest else NOTHING
        known[name] = book if results is None else book.with_other(known_in(results, outcome["puzzle_name"], digest))
    return known
