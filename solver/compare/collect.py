"""From the journal of a comparison, and the results on file, to its figures."""

from dataclasses import dataclass
from pathlib import Path

from solver.compare.journal import Journal
from solver.compare.statistics import Known, Pair, Record, Summary, known_scores, pairs, summaries
from solver.errors import JournalError
from solver.records import best_on_file, least_bound


@dataclass(frozen=True)
class Comparison:
    """Everything that a report of a comparison shows."""

    records: tuple[Record, ...]
    known: dict[str, Known]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]

    @property
    def puzzles(self) -> list[str]:
        return sorted({record["puzzle_name"] for record in self.records})

    @property
    def failures(self) -> list[Record]:
        return [record for record in self.records if "error" in record]

    @property
    def best_by_puzzle(self) -> dict[str, Record]:
        """The first best run of each puzzle."""
        found: dict[str, Record] = {}
        for record in self.records:
            name = record["puzzle_name"]
            if "error" not in record and (name not in found or record["score"] > found[name]["score"]):
                found[name] = record
        return found


def collect(folder: Path, results: Path) -> Comparison:
    """The comparison in `folder`, measured against what the result files in `results` know.

    Raises `JournalError` where there is no run, or one that lacks what a run has.
    """
    journal = Journal(folder)
    records = tuple(journal.records().values())
    if not records:
        raise JournalError(f"{folder}: no run is recorded there")
    for record in records:
        _check(record, journal.path)
    known = known_scores(records, files_known(results))
    return Comparison(records, known, tuple(summaries(records, known)), tuple(pairs(records)))


_OF_ALL: dict[str, type | tuple[type, ...]] = {
    "puzzle": str,
    "puzzle_name": str,
    "strategy": str,
    "label": str,
    "seed": int,
    "budget": str,
    "threads": int,
}
_OF_GOOD: dict[str, type | tuple[type, ...]] = {
    "score": int,
    "seconds": (int, float),
    "racks": int,
    "trace": list,
    "solution": list,
}


def _check(record: Record, path: Path) -> None:
    for name, kind in (_OF_ALL if "error" in record else _OF_ALL | _OF_GOOD).items():
        if not isinstance(record.get(name), kind):
            raise JournalError(
                f"{path}: the run with key {record['key']!r:.40} has {name} = {record.get(name)!r:.40}: expected what "
                "`rowdraw compare` writes"
            )


def files_known(results: Path) -> dict[str, Known]:
    """Best scores and upper bounds on file: `results`/PUZZLE/SCORE.txt, and "bound" in `results`/PUZZLE/*.json."""
    known = {folder.name: (best_on_file(folder), least_bound(folder)) for folder in results.glob("*/")}
    return {name: Known(best or 0, bound) for name, (best, bound) in known.items() if (best, bound) != (None, None)}
