"""Makes the figures of a comparison from its journal and from the record book."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from solver.errors import JournalError
from solver.lab.compare.journal import Journal
from solver.lab.compare.statistics import JournalLine, Known, Pair, Summary, known_scores, pairs, summaries
from solver.lab.records import best_on_file, least_bound
from solver.model.puzzle import MAX_RACK, MAX_ROW
from verify.text import quote


@dataclass(frozen=True)
class Comparison:
    """Everything that a report of a comparison shows; `records` are the lines of its journal, one for each run."""

    records: tuple[JournalLine, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]

    @property
    def puzzles(self) -> list[str]:
        """The names of the puzzles, sorted."""
        return sorted({record["puzzle_name"] for record in self.records})

    @property
    def failures(self) -> list[JournalLine]:
        """The runs that ended with an error."""
        return [record for record in self.records if "error" in record]

    @property
    def best_by_puzzle(self) -> dict[str, JournalLine]:
        """The first best run of each puzzle."""
        found: dict[str, JournalLine] = {}
        for record in self.records:
            name = record["puzzle_name"]
            if "error" not in record and (name not in found or record["score"] > found[name]["score"]):
                found[name] = record
        return found


def collect(folder: Path, results: Path) -> Comparison:
    """The comparison in `folder`, measured against the best scores and bounds of the record book in `results`.

    Raises `JournalError` if there is no run, or if a field of a run is missing or wrong.
    """
    journal = Journal(folder)
    records = tuple(journal.records().values())
    if not records:
        raise JournalError(f"{folder}: its journal holds no run")
    for record in records:
        _check(record, journal.path)
    known = known_scores(records, files_known(results))
    return Comparison(records, known, tuple(summaries(records, known)), tuple(pairs(records)))


_LONGEST_TURN = 100  # characters
_MOST = 10**12  # seconds, racks or points of a run


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _MOST


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
    """Row, rack, tile values and bonus of a puzzle; None in journals of earlier versions."""
    return value is None or (
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
    """What a run says about its machine or its versions: texts and numbers by name, or None."""
    return value is None or (
        isinstance(value, dict)
        and all(map(_is_line, value))
        and all(_is_line(fact) or _is_amount(fact) or fact is None for fact in value.values())
    )


_OF_ALL: dict[str, Callable[[Any], bool]] = {
    "puzzle": _is_line,
    "puzzle_name": _is_line,
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
    "rules": _are_rules,
    "versions": _are_facts,
    "machine": _are_facts,
}
_OF_FAILED: dict[str, Callable[[Any], bool]] = _OF_ALL | {"error": lambda value: isinstance(value, str)}


def _check(record: JournalLine, path: Path) -> None:
    for name, fits in (_OF_FAILED if "error" in record else _OF_GOOD).items():
        if not fits(record.get(name)):
            raise JournalError(
                f"{path}: the run with key {quote(record['key'])} has {name} = {quote(record.get(name))}: expected what "
                "`rowdraw compare` writes"
            )


def files_known(results: Path) -> dict[str, Known]:
    """Best scores and upper bounds in the record book: `results`/PUZZLE/SCORE.txt, and "bound" in `results`/PUZZLE/*.json."""
    known = {folder.name: (best_on_file(folder), least_bound(folder)) for folder in results.glob("*/")}
    return {name: Known(best or 0, bound) for name, (best, bound) in known.items() if (best, bound) != (None, None)}
