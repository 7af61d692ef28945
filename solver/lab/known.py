"""The best score and the least upper bound known of a puzzle, each with its source."""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from solver.files import fields_on_file
from solver.index.problem import Problem
from solver.lab.records import best_on_file, least_bound
from solver.model.lexicon import read_lexicon
from solver.model.puzzle import Puzzle, load_puzzle
from verify.datafiles import data_folder
from verify.text import counted, printable

BOOK = "record book"
RUNS = "these runs"


@dataclass(frozen=True)
class Known:
    """The best score of a puzzle, 0 if there is none, and its upper bound, None if there is none.

    `best_from` and `bound_from` are their sources: the record book, a folder of results, or the runs compared; empty without
    one.
    """

    best: int
    bound: float | None = None
    best_from: str = ""
    bound_from: str = ""

    def with_other(self, other: "Known") -> "Known":
        """Return the better score and the lower bound of both; of equal ones this one's."""
        score = other if other.best > self.best else self
        lower = other.bound is not None and (self.bound is None or other.bound < self.bound)
        limit = other if lower else self
        return Known(score.best, limit.bound, score.best_from, limit.bound_from)

    @property
    def at_most(self) -> int | None:
        """The bound rounded down, since a game scores whole points."""
        return None if self.bound is None else math.floor(self.bound)

    @property
    def summary(self) -> str:
        """Score and bound in words; empty if nothing is known."""
        most = self.at_most
        if most is None:
            return f"the best known answer has {counted(self.best, 'point')}" if self.best else ""
        if most == self.best:
            return f"the best known answer has {counted(self.best, 'point')}, which is optimal"
        return f"the best known answer has {counted(self.best, 'point')}, and no game has more than {most}"


NOTHING = Known(0)


@cache
def _book() -> dict[str, dict[str, Any]]:
    """Return the fields of each puzzle in the bundled record book."""
    return tomllib.loads((data_folder() / "best-known.toml").read_text(encoding="utf-8"))


@cache
def record_book() -> dict[str, Known]:
    """Return what the bundled record book, data/best-known.toml, knows of the bundled puzzles, by name."""
    return {
        name: Known(int(fields["score"]), fields.get("bound"), BOOK, BOOK if "bound" in fields else "")
        for name, fields in _book().items()
    }


def recorded_games() -> dict[str, list[str]]:
    """Return the turns of the best game that the book has of each bundled puzzle, a line each."""
    return {name: fields["turns"] for name, fields in _book().items()}


@cache
def _names_by_digest() -> dict[str, str]:
    """Return the names of the puzzles in the record book by their digests."""
    puzzles = {name: load_puzzle(name) for name in record_book()}
    lexicons = {path: read_lexicon(path).digest for path in {puzzle.word_list for puzzle in puzzles.values()}}
    return {puzzle.digest(lexicons[puzzle.word_list]): name for name, puzzle in puzzles.items()}


def known_by_digest(digest: str) -> Known:
    """Return what the record book knows of the puzzle with this digest, whatever its name."""
    return record_book().get(_names_by_digest().get(digest, ""), NOTHING)


def known_of(problem: Problem) -> Known:
    """Return what the record book knows of a problem whose words are loaded."""
    return record_book().get(name_in_book(problem), NOTHING)


def name_in_book(problem: Problem) -> str:
    """Return the name that the record book has for a problem whose words are loaded; empty if it has none."""
    puzzle = problem.puzzle
    # the word list of the book is only read for a row that the book has
    in_book = any(_alike(load_puzzle(name), puzzle) for name in record_book())
    return _names_by_digest().get(puzzle.digest(problem.lexicon.digest), "") if in_book else ""


def _alike(one: Puzzle, other: Puzzle) -> bool:
    return (one.row, one.rack_size) == (other.row, other.rack_size)


def known_in(results: Path, name: str, digest: str | None) -> Known:
    """Return what the files RESULTS/NAME/SCORE.txt, and "bound" in RESULTS/NAME/*.json, say of a puzzle.

    A folder with files of a puzzle with another `digest` than this one counts for nothing; with None any folder counts.
    """
    folder = results / name
    if Path(name).name != name or not folder.is_dir() or _is_of_another(folder, digest):
        return NOTHING
    best, bound = best_on_file(folder), least_bound(folder)
    source = printable(str(results))
    return Known(best or 0, bound, "" if best is None else source, "" if bound is None else source)


def _is_of_another(folder: Path, digest: str | None) -> bool:
    digests = (fields_on_file(path).get("puzzle_hash") for path in folder.glob("*.json"))
    return digest is not None and any(other not in (None, digest) for other in digests)
