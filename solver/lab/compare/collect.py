"""Makes the figures of a comparison from its journal and from the record book."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from solver.errors import JournalError
from solver.lab.compare.journal import Journal
from solver.lab.compare.statistics import Outcome, Pair, Summary, known_scores, pairs, summaries
from solver.lab.known import NOTHING, Known, known_by_digest, known_in
from solver.model.puzzle import MAX_RACK, MAX_ROW
from verify.text import quote


@dataclass(frozen=True)
class Comparison:
    """Everything that a report of a comparison shows.

    known: the best score and the bound of each puzzle, with where they come from.
    before: the same without these runs.
    """

    outcomes: tuple[Outcome, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    before: dict[str, Known] = field(default_factory=dict)

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
        found: dict[str, Outcome] = {}
        for outcome in self.outcomes:
            name = outcome["puzzle_name"]
            if "error" not in outcome and (name not in found or outcome["score"] > found[name]["score"]):
                found[name] = outcome
        return found


def collect(folder: Path, results: Path | None = None) -> Comparison:
    """The comparison in `folder`, measured against the record book, and the result files in `results` where it is given.

    Raises `JournalError` if there is no run, or if a field of a run is missing or wrong.
    """
    journal = Journal(folder)
    outcomes = tuple(journal.outcomes().values())
    if not outcomes:
        raise JournalError(f"{folder}: its journal holds no run")
    for outcome in outcomes:
        _check(outcome, journal.path)
    before = known_before(outcomes, results)
    known = known_scores(outcomes, before)
    return Comparison(outcomes, known, tuple(summaries(outcomes, known)), tuple(pairs(outcomes)), before)


def known_before(outcomes: Sequence[Outcome], results: Path | None) -> dict[str, Known]:
    """What the record book, and the folder `results` where one is given, know of each puzzle of `records`, by name."""
    digests = {outcome["puzzle_name"]: outcome.get("puzzle_digest") for outcome in outcomes}
    known = {name: known_by_digest(digest) if digest else NOTHING for name, digest in digests.items()}
    if results is None:
        return known
    return {name: known[name].with_other(known_in(results, name, digest)) for name, digest in digests.items()}


_LONGEST_TURN = 100  # characters
_MOST = 10**12  # seconds, racks or points of a run


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _MOST


def _may_be(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Of a field that earlier runs do not have."""
    return lambda value: value is None or fits(value)


def _is_trace(value: Any) -> bool:
    """(seconds, racks, score) of every better answer."""
    return isinstance(value, list) and all(
        isinstance(point, list) and len(point) == 3 and all(map(_is_amount, point)) for point in value
    )


def _are_lines(value: Any) -> bool:
    """The turns of a game."""
    return (
        isinstance(value, list)
        and len(value) <= MAX_ROW
        and all(_is_line(line) and line.strip() and len(line) <= _LONGEST_TURN for line in value)
    )


def _are_rules(value: Any) -> bool:
    """Row, rack, tile values and bonus of a puzzle."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("row"), str)
        and len(value["row"]) <= MAX_ROW
        and set(value["row"]) <= {*ascii_lowercase, "?"}
        and value.get("rack") in range(MAX_RACK + 1)
        and isinstance(value.get("values"), dict)
        and all(map(_is_count, value["values"].values()))
        and _is_count(value.get("bonus", 0))
    )


def _are_facts(value: Any) -> bool:
    """What is told of a machine, or of versions: lines and numbers by name."""
    return (
        isinstance(value, dict)
        and all(map(_is_line, value))
        and all(_is_line(fact) or _is_amount(fact) or fact is None for fact in value.values())
    )


_OF_ALL: dict[str, Callable[[Any], bool]] = {
    "puzzle": _is_line,
    "puzzle_name": _is_line,
    "puzzle_digest": _may_be(_is_line),
    "strategy": _is_line,
    "label": _is_line,
    "seed": _is_count,
    "budget": _is_line,
    "threads": _is_count,
}
_OF_GOOD: dict[str, Callable[[Any], bool]] = _OF_ALL | {
    "score": _is_count,
    "seconds": _is_amount,
    "racks": _is_count,
    "trace": _is_trace,
    "solution": _are_lines,
    "cpu_seconds": _may_be(_is_amount),
    "rules": _may_be(_are_rules),
    "versions": _may_be(_are_facts),
    "machine": _may_be(_are_facts),
}
_OF_FAILED: dict[str, Callable[[Any], bool]] = _OF_ALL | {"error": lambda value: isinstance(value, str)}


def _check(outcome: Outcome, path: Path) -> None:
    for name, fits in (_OF_FAILED if "error" in outcome else _OF_GOOD).items():
        if not fits(outcome.get(name)):
            raise JournalError(
                f"{path}: the run with key {quote(outcome['key'])} has {name} = {quote(outcome.get(name))}: expected what "
                "`rowdraw compare` writes"
            )
