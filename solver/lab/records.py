"""The record book: the best answers on file, RESULTS/PUZZLE/SCORE.txt with SCORE.json, and what is known of a puzzle."""

import json
import math
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from solver.errors import RecordError
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
_BOOK = """# Record book

The best answer to each puzzle, in a folder of the puzzle's name. Where the gap is 0, no answer scores more:
`certificate.txt` proves it. The seconds are those of the run that found the answer, with the proof if the
strategy is `exact`. `rowdraw records` prints this page, and `rowdraw verify` judges every file.

"""
_ELSEWHERE = "expected another name for the puzzle, or another folder"


@dataclass(frozen=True)
class Entry:
    """A record: the best known answer of a puzzle, a row of the book's table.

    `bound` is the lowest bound on file, and `public` the best score that other people have posted; None if there is none.
    """

    puzzle: str
    score: int
    bound: int | None
    public: int | None
    strategy: str
    seconds: float | None
    date: str


def folder_of(results: Path, problem: Problem) -> Path:
    """Return the folder of a puzzle's records; one without a name of its own has a hash for a name.

    Raises `RecordError` if no folder can have the puzzle's name, or if the folder holds records of another puzzle.
    """
    name, digest = problem.rules.puzzle, problem.rules.digest
    if name == OWN_ROW or name.endswith(BY_OTHER_RULES):
        name = f"row-{digest[:12]}"
    if Path(name).name != name or "\\" in name or name.startswith("."):
        raise RecordError(
            f"puzzle {name!r}: expected a name that a folder can have, to keep records in"
        )
    folder = results / name
    solution_on_file(folder, problem)
    for path in folder.glob("*"):
        if puzzle_on_file(path) not in (None, digest):
            raise RecordError(f"{path}: it is of another puzzle of that name: {_ELSEWHERE}")
    return folder


def puzzle_on_file(path: Path) -> str | None:
    """Return the digest of the puzzle that a certificate or a JSON file is about; None if it states none."""
    if path.name == _CERTIFICATE:
        subject = _certified(path.parent)
        return None if subject is None else subject[0]
    found = fields_on_file(path).get("puzzle_hash") if path.suffix == ".json" else None
    return found if isinstance(found, str) else None


def best_on_file(folder: Path) -> int | None:
    """Return the highest score in a puzzle's folder; None if there is none."""
    scores = (
        int(path.stem)
        for path in folder.glob("*.txt")
        if _SCORE.fullmatch(path.stem) and path.is_file()
    )
    return max(scores, default=None)


def keep_bound(results: Path, problem: Problem, bound: int, certificate: str) -> None:
    """File a certificate unless the one on file has as low a bound, and write bound and gap into the best score's JSON file.

    A result may state a bound before its certificate is filed. Raises `RecordError` if the files cannot be written, or if the
    best answer on file scores more than the bound.
    """
    folder = folder_of(results, problem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            certified = _claim_in(folder)
            if certified is None or certified > bound:
                _write_bound(folder, bound, certificate)
    except OSError as error:
        raise RecordError(
            f"{error.filename or folder}: cannot be written ({error.strerror})"
        ) from error


def _write_bound(folder: Path, bound: int, certificate: str) -> None:
    """Write the files of `keep_bound`; the folder must be locked."""
    score = best_on_file(folder)
    if score is not None and score > bound:
        raise RecordError(
            f"{folder}: a game of {score} points is on file: the bound {bound} is wrong"
        )
    replace_file(folder / _CERTIFICATE, certificate)
    if score is None:
        return
    path = folder / f"{score}.json"
    fields = fields_on_file(path)
    rest = {
        key: value
        for key, value in fields.items()
        if key not in ("name", "puzzle", "row", "score", "bound", "gap")
    }
    head = {key: fields[key] for key in ("name", "puzzle", "row", "score") if key in fields}
    # a result on file may state a lower one
    replace_file(
        path, json.dumps(head | bound_fields(score, least_bound(folder)) | rest, indent=2) + "\n"
    )


def solution_on_file(folder: Path, problem: Problem) -> Solution | None:
    """Return the best solution in a puzzle's folder; None if there is none.

    Raises `RecordError` if the referee rejects it for this puzzle, or for the score in its name.
    """
    if (score := best_on_file(folder)) is None:
        return None
    path = folder / f"{score}.txt"
    try:
        solution = read_solution(problem, read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RecordError(
            f"{path}: no answer to this puzzle, or one to another puzzle of that name ({error}): {_ELSEWHERE}"
        ) from error
    if solution.score != score:
        raise RecordError(
            f"{path}: an answer of {solution.score} points: expected {score}, as its name says"
        )
    return solution


def entries(results: Path) -> list[Entry]:
    """Return an entry for each puzzle with an answer on file, by name. Raises `RecordError` if there is no folder."""
    if not results.is_dir():
        raise RecordError(f"{results}: no such folder: expected RESULTS/PUZZLE/SCORE.txt in it")
    public = _public_best()
    rows = []
    for folder in sorted(path for path in results.iterdir() if path.is_dir()):
        score = best_on_file(folder)
        if score is None:
            continue
        fields = fields_on_file(folder / f"{score}.json")
        settings = fields.get("parameters")
        shown = (
            "".join(f" {name}={value}" for name, value in settings.items())
            if isinstance(settings, dict)
            else ""
        )
        seconds = fields.get("seconds")
        rows.append(
            Entry(
                folder.name,
                score,
                least_bound(folder),
                public.get(folder.name),
                _cell(f"{fields.get('strategy', '-')}{shown}"),
                seconds if isinstance(seconds, float) else None,
                _cell(fields.get("date", "-")),
            )
        )
    return rows


def least_bound(folder: Path) -> int | None:
    """Return the lowest bound of the certificate and the JSON files in a puzzle's folder; None if there is none."""
    bounds = [
        _claim_in(folder),
        *(_bound_in(fields_on_file(path)) for path in folder.glob("*.json")),
    ]
    return min((bound for bound in bounds if bound is not None), default=None)


def _claim_in(folder: Path) -> int | None:
    """Return the claim of the certificate in a puzzle's folder; None if there is none."""
    subject = _certified(folder)
    return None if subject is None else subject[1]


def _certified(folder: Path) -> tuple[str, int] | None:
    """Return the digest of the puzzle of the certificate in a folder, and its claim; None if there is none."""
    path = folder / _CERTIFICATE
    if not path.is_file():
        return None
    # imported only here, because it loads all that is compiled
    from solver.bound.certificate import subject_on_file

    return subject_on_file(path)


def _bound_in(fields: dict[str, Any]) -> int | None:
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        return math.floor(float(fields["bound"]))
    return None


def book(results: Path) -> str:
    """Return the record book as Markdown."""
    rows = []
    for entry in entries(results):
        gap = None if entry.bound is None else entry.bound - entry.score
        seconds = None if entry.seconds is None else f"{entry.seconds:.1f}"
        link = f"[{entry.score}]({quote(entry.puzzle, errors='surrogateescape')}/{entry.score}.txt)"
        row = (
            _cell(entry.puzzle),
            link,
            entry.bound,
            gap,
            entry.public,
            entry.strategy,
            seconds,
            entry.date,
        )
        rows.append(["-" if value is None else value for value in row])
    return _BOOK + markdown_table(
        ("puzzle", "best:", "bound:", "gap:", "public best:", "strategy", "seconds:", "date"), rows
    )


def _cell(value: object) -> str:
    """Return `value` as the text of a cell: short, and with `?` for characters that would break the table."""
    return "".join(c if c.isprintable() and c != "|" else "?" for c in str(value)[:_LONGEST_CELL])


def _public_best() -> dict[str, int]:
    return dict(
        tomllib.loads((data_folder() / "public-best.toml").read_text(encoding="utf-8"))["best"]
    )


BOOK = "record book"
RUNS = "these runs"


@dataclass(frozen=True)
class Known:
    """The best score of a puzzle, 0 if there is none, and its upper bound, None if there is none.

    `best_from` and `bound_from` are their sources: the record book, a folder of results, or the runs compared; empty without
    one.
    """

    best: int
    bound: int | None = None
    best_from: str = ""
    bound_from: str = ""

    def with_other(self, other: "Known") -> "Known":
        """Return the better score and the lower bound of both; of equal ones this one's."""
        score = other if other.best > self.best else self
        lower = other.bound is not None and (self.bound is None or other.bound < self.bound)
        limit = other if lower else self
        return Known(score.best, limit.bound, score.best_from, limit.bound_from)

    @property
    def summary(self) -> str:
        """Score and bound in words; empty if nothing is known."""
        if self.bound is None:
            return f"the best known answer has {counted(self.best, 'point')}" if self.best else ""
        if self.bound == self.best:
            return f"the best known answer has {counted(self.best, 'point')}, which is optimal"
        return f"the best known answer has {counted(self.best, 'point')}, and no game has more than {self.bound}"


NOTHING = Known(0)


@cache
def _book() -> dict[str, dict[str, Any]]:
    """Return the fields of each puzzle in the bundled record book."""
    return tomllib.loads((data_folder() / "best-known.toml").read_text(encoding="utf-8"))


@cache
def record_book() -> dict[str, Known]:
    """Return what the bundled record book, data/best-known.toml, knows of the bundled puzzles, by name."""
    return {
        name: Known(fields["score"], fields.get("bound"), BOOK, BOOK if "bound" in fields else "")
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
    """Return what the files RESULTS/NAME/SCORE.txt, RESULTS/NAME/certificate.txt and RESULTS/NAME/*.json say of a puzzle.

    A folder with files of a puzzle with another `digest` than this one counts for nothing.
    """
    folder = results / name
    if Path(name).name != name or not folder.is_dir() or _is_of_another(folder, digest):
        return NOTHING
    best, bound = best_on_file(folder), least_bound(folder)
    source = printable(str(results))
    return Known(best or 0, bound, "" if best is None else source, "" if bound is None else source)


def _is_of_another(folder: Path, digest: str) -> bool:
    return any(puzzle_on_file(path) not in (None, digest) for path in folder.glob("*"))
