"""The record book: the best answers on file, and what is known of a puzzle.

The files are RESULTS/PUZZLE/SCORE.txt with SCORE.json.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from solver.errors import RowdrawError
from solver.files import fields_on_file, locked, replace_file
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.show.games import markdown_table
from solver.solving.result import bound_fields, read_solution
from verify.files import LARGEST_TEXT, data_folder, read_file
from verify.rules import BY_OTHER_RULES, OWN_ROW
from verify.text import counted, printable

_SCORE = re.compile("[1-9][0-9]{0,8}")  # of the name of a file
_LONGEST_CELL = 200  # characters
_CERTIFICATE = "certificate.txt"  # the file of a puzzle's certificate
_BOOK = (
    "# Record book\n\n"
    "The best answer to each puzzle, in a folder of the puzzle's name. "
    "Where the gap is 0, no answer scores more:\n"
    "`certificate.txt` proves it. The seconds are those of the run that found the answer, "
    "with the proof if the\n"
    "strategy is `exact`. `rowdraw records` prints this page, and `rowdraw verify` judges every "
    "file.\n\n"
)
_HEAD = ("puzzle", "best:", "bound:", "gap:", "public best:", "strategy", "seconds:", "date")
_ELSEWHERE = "expected another name for the puzzle, or another folder"


@dataclass(frozen=True)
class Entry:
    """A record: the best known answer of a puzzle, a row of the book's table.

    `bound` is the lowest bound on file, and `public` the best score that other people have posted;
    None if there is none.
    """

    puzzle: str
    score: int
    bound: int | None
    public: int | None
    strategy: str
    seconds: float | None
    date: str

    @property
    def gap(self) -> int | None:
        """Points from the score to the bound; None without a bound."""
        if self.bound is None:
            return None
        return self.bound - self.score


def folder_of(results: Path, problem: Problem) -> Path:
    """Return the folder of a puzzle's records; one without a name of its own has a hash for a name.

    Raises `RowdrawError` if no folder can have the puzzle's name, or if the folder holds records of
    another puzzle.
    """
    name = problem.rules.puzzle
    digest = problem.rules.digest
    if name == OWN_ROW or name.endswith(BY_OTHER_RULES):
        name = f"row-{digest[:12]}"
    if Path(name).name != name or "\\" in name or name.startswith("."):
        raise RowdrawError(
            f"puzzle {name!r}: expected a name that a folder can have, to keep records in"
        )
    folder = results / name
    solution_on_file(folder, problem)
    other = next(_files_of_others(folder, digest), None)
    if other is not None:
        raise RowdrawError(f"{other}: it is of another puzzle of that name: {_ELSEWHERE}")
    return folder


def _files_of_others(folder: Path, digest: str) -> Iterator[Path]:
    """Yield the certificate and the JSON files that are about a puzzle with another digest."""
    certified = _certified(folder)
    if certified is not None and certified[0] != digest:
        yield folder / _CERTIFICATE
    for path in folder.glob("*.json"):
        found = fields_on_file(path).get("puzzle_hash")
        if isinstance(found, str) and found != digest:
            yield path


def best_on_file(folder: Path) -> int | None:
    """Return the highest score in a puzzle's folder; None if there is none."""
    answers = [path for path in folder.glob("*.txt") if _SCORE.fullmatch(path.stem)]
    return max((int(path.stem) for path in answers if path.is_file()), default=None)


def keep_bound(results: Path, problem: Problem, bound: int, certificate: str) -> None:
    """File a certificate unless the one on file has as low a bound.

    Write bound and gap into the best score's JSON file, too. A result may state a bound before its
    certificate is filed. Raises `RowdrawError` if the files cannot be written, or if the best
    answer on file scores more than the bound.
    """
    folder = folder_of(results, problem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            certified = _certified(folder)
            if certified is None or certified[1] > bound:
                _write_bound(folder, bound, certificate)
    except OSError as error:
        path = error.filename or folder
        raise RowdrawError(f"{path}: cannot be written ({error.strerror})") from error


def _write_bound(folder: Path, bound: int, certificate: str) -> None:
    """Write the files of `keep_bound`; the folder must be locked."""
    score = best_on_file(folder)
    if score is None:
        replace_file(folder / _CERTIFICATE, certificate)
        return
    if score > bound:
        raise RowdrawError(
            f"{folder}: a game of {score} points is on file: the bound {bound} is wrong"
        )
    replace_file(folder / _CERTIFICATE, certificate)
    path = folder / f"{score}.json"
    # a result on file may state a lower one
    fields = fields_on_file(path) | bound_fields(score, least_bound(folder))
    replace_file(path, json.dumps(fields, indent=2) + "\n")


def solution_on_file(folder: Path, problem: Problem) -> Solution | None:
    """Return the best solution in a puzzle's folder; None if there is none.

    Raises `RowdrawError` if the referee rejects it for this puzzle, or for the score in its name.
    """
    score = best_on_file(folder)
    if score is None:
        return None
    path = folder / f"{score}.txt"
    try:
        solution = read_solution(problem, read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise RowdrawError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RowdrawError(
            f"{path}: no answer to this puzzle, or one to another puzzle of that name ({error}): "
            f"{_ELSEWHERE}"
        ) from error
    if solution.score != score:
        raise RowdrawError(
            f"{path}: an answer of {solution.score} points: expected {score}, as its name says"
        )
    return solution


def entries(results: Path) -> list[Entry]:
    """Return an entry for each puzzle with an answer on file, by name.

    Raises `RowdrawError` if there is no folder.
    """
    if not results.is_dir():
        raise RowdrawError(f"{results}: no such folder: expected RESULTS/PUZZLE/SCORE.txt in it")
    public = _data("public-best.toml")["best"]
    found = []
    for folder in sorted(filter(Path.is_dir, results.iterdir())):
        score = best_on_file(folder)
        if score is None:
            continue
        fields = fields_on_file(folder / f"{score}.json")
        strategy = str(fields.get("strategy", "-"))
        settings = fields.get("parameters")
        if isinstance(settings, dict):
            strategy += "".join(f" {name}={value}" for name, value in settings.items())
        seconds = fields.get("seconds")
        entry = Entry(
            puzzle=folder.name,
            score=score,
            bound=least_bound(folder),
            public=public.get(folder.name),
            strategy=_cell(strategy),
            seconds=seconds if isinstance(seconds, float) else None,
            date=_cell(fields.get("date", "-")),
        )
        found.append(entry)
    return found


def least_bound(folder: Path) -> int | None:
    """Return the lowest bound of the files in a puzzle's folder; None if there is none."""
    return min(_bounds(folder), default=None)


def _bounds(folder: Path) -> Iterator[int]:
    """Yield the bounds of the certificate and the JSON files in a puzzle's folder."""
    certified = _certified(folder)
    if certified is not None:
        yield certified[1]
    for path in folder.glob("*.json"):
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            yield math.floor(float(fields_on_file(path)["bound"]))


def _certified(folder: Path) -> tuple[str, int] | None:
    """Return the digest of the puzzle of the certificate in a folder, and its claim."""
    path = folder / _CERTIFICATE
    if not path.is_file():
        return None
    # imported only here, because it loads all that is compiled
    from solver.bound.certificate import subject_on_file

    return subject_on_file(path)


def book(results: Path) -> str:
    """Return the record book as Markdown."""
    rows = []
    for entry in entries(results):
        name = quote(entry.puzzle, errors="surrogateescape")
        link = f"[{entry.score}]({name}/{entry.score}.txt)"
        row = (
            _cell(entry.puzzle),
            link,
            _dashed(entry.bound),
            _dashed(entry.gap),
            _dashed(entry.public),
            entry.strategy,
            _dashed(entry.seconds, "{:.1f}"),
            entry.date,
        )
        rows.append(row)
    return _BOOK + markdown_table(_HEAD, rows)


def _dashed(value: float | None, form: str = "{}") -> str:
    if value is None:
        return "-"
    return form.format(value)


def _cell(value: object) -> str:
    """Return `value` as the text of a cell: short, with `?` for what would break the table."""
    return "".join(c if c.isprintable() and c != "|" else "?" for c in str(value)[:_LONGEST_CELL])


BOOK = "record book"
RUNS = "these runs"


@dataclass(frozen=True)
class Known:
    """The best score of a puzzle, 0 if there is none, and its upper bound, None if there is none.

    `best_from` and `bound_from` are their sources: the record book, a folder of results, or the
    runs compared; empty without one.
    """

    best: int
    bound: int | None = None
    best_from: str = ""
    bound_from: str = ""

    @classmethod
    def of(cls, best: int | None, bound: int | None, source: str) -> "Known":
        """Return a score and a bound from one source; None where it has none."""
        return cls(best or 0, bound, source if best else "", source if bound is not None else "")

    def with_other(self, other: "Known") -> "Known":
        """Return the better score and the lower bound of both; of equal ones this one's."""
        score = max(self, other, key=lambda known: known.best)
        limit = min(self, other, key=lambda known: math.inf if known.bound is None else known.bound)
        return Known(score.best, limit.bound, score.best_from, limit.bound_from)

    @property
    def summary(self) -> str:
        """Score and bound in words; empty if nothing is known."""
        if self == NOTHING:
            return ""
        best = f"the best known answer has {counted(self.best, 'point')}"
        if self.bound is None:
            return best
        if self.bound == self.best:
            return f"{best}, which is optimal"
        return f"{best}, and no game has more than {self.bound}"


NOTHING = Known(0)
KnownScores = Mapping[str, Known]  # by the name of the puzzle


@cache
def _data(name: str) -> dict[str, dict[str, Any]]:
    """Return the tables in a bundled file."""
    return tomllib.loads((data_folder() / name).read_text(encoding="utf-8"))


def _book() -> dict[str, dict[str, Any]]:
    """Return the fields of each puzzle in the bundled record book."""
    return _data("best-known.toml")


@cache
def record_book() -> dict[str, Known]:
    """Return what the bundled record book, data/best-known.toml, knows of each bundled puzzle."""
    return {
        name: Known.of(fields["score"], fields.get("bound"), BOOK)
        for name, fields in _book().items()
    }


def recorded_games() -> dict[str, list[str]]:
    """Return the turns of the best game that the book has of each bundled puzzle, a line each."""
    return {name: fields["turns"] for name, fields in _book().items()}


def known_by_digest(digest: str) -> Known:
    """Return what the record book knows of the puzzle with this digest, whatever its name."""
    names = (name for name, fields in _book().items() if fields["digest"] == digest)
    return record_book().get(next(names, ""), NOTHING)


def known_of(problem: Problem) -> Known:
    """Return what the record book knows of a problem whose words are loaded."""
    return known_by_digest(problem.rules.digest)


def known_in(results: Path, name: str, digest: str) -> Known:
    """Return what the files of a puzzle in RESULTS/NAME say: answers, certificate and JSON.

    A folder with files of a puzzle with another `digest` than this one counts for nothing.
    """
    folder = results / name
    if Path(name).name != name or any(_files_of_others(folder, digest)):
        return NOTHING
    return Known.of(best_on_file(folder), least_bound(folder), printable(str(results)))
