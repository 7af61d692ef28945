"""The record book: the best answers on file, RESULTS/PUZZLE/SCORE.txt with SCORE.json, and a table of them."""

import json
import math
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import RecordError
from solver.files import fields_on_file, locked, replace_file
from solver.index.problem import Problem
from solver.model.puzzle import OWN_ROW, bundled_puzzles
from solver.model.solution import Solution
from solver.solving.confirm import confirm, read_solution
from solver.solving.result import Result, bound_fields
from verify import Rules, load_rules
from verify.datafiles import data_folder
from verify.reading import LARGEST_TEXT, read_file

_SCORE = re.compile("[1-9][0-9]{0,8}")  # of the name of a file
_LONGEST_CELL = 200  # characters
_CERTIFICATE = "bound.json"  # the file of a puzzle's certificate
_ELSEWHERE = "expected another name for the puzzle, or another folder"


@dataclass(frozen=True)
class Entry:
    """A record: the best known answer of a puzzle, a row of the book's table.

    `bound` is the lowest bound on file, and `public` the best score that other people have posted; None if there is none.
    """

    puzzle: str
    score: int
    bound: float | None
    public: int | None
    strategy: str
    seconds: float | None
    date: str


def folder_of(results: Path, problem: Problem) -> Path:
    """Return the folder of a puzzle's records; a row without a name has a hash for a name.

    Raises `RecordError` if no folder can have the puzzle's name, or if the folder holds records of another puzzle.
    """
    name, digest = problem.puzzle.name, problem.puzzle.digest(problem.lexicon.digest)
    if name == OWN_ROW:
        name = f"row-{digest[:12]}"
    if Path(name).name != name or "\\" in name or name.startswith("."):
        raise RecordError(f"puzzle {name!r}: expected a name that a folder can have, to keep records in")
    folder = results / name
    solution_on_file(folder, problem)
    for path in folder.glob("*.json"):
        if fields_on_file(path).get("puzzle_hash") not in (None, digest):
            raise RecordError(f"{path}: it is of another puzzle of that name: {_ELSEWHERE}")
    return folder


def best_on_file(folder: Path) -> int | None:
    """Return the highest score in a puzzle's folder; None if there is none."""
    scores = (int(path.stem) for path in folder.glob("*.txt") if _SCORE.fullmatch(path.stem) and path.is_file())
    return max(scores, default=None)


def keep_record(results: Path, problem: Problem, result: Result) -> Path | None:
    """File `result` if it beats what is there and the referee confirms it; return the file, None if it is no record.

    Each score has its own files, so that no lower score overwrites it, and several hunts may share a folder. Raises
    `RefereeDisagreementError`, and `RecordError` if the files cannot be written.
    """
    folder = folder_of(results, problem)
    if not result.solution.turns or not _is_record(folder, result):
        return None
    confirm(problem, result, _rules_of_referee(problem))
    path = folder / f"{result.solution.score}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            if not _is_record(folder, result):
                return None  # another process has meanwhile filed one that is as good
            replace_file(path.with_suffix(".json"), result.with_bound(least_bound(folder)).to_json())
            # the text last, since a record counts as soon as its text is there
            replace_file(path, result.text())
    except OSError as error:
        raise RecordError(f"{path}: cannot be written ({error.strerror})") from error
    return path


def _rules_of_referee(problem: Problem) -> Rules:
    """Return the rules as the referee's own reader finds them in a bundled puzzle; the solver's for any other."""
    puzzle = problem.puzzle
    if puzzle.source not in bundled_puzzles() or puzzle.own_words is not None:
        return problem.rules
    return load_rules(puzzle.source, row=puzzle.row if puzzle.own_row else None)


def _is_record(folder: Path, result: Result) -> bool:
    known = best_on_file(folder)
    return known is None or result.solution.score > known


def keep_bound(results: Path, problem: Problem, bound: float, certificate: str) -> None:
    """File a certificate unless the one on file has as low a bound, and write bound and gap into the best score's JSON file.

    A result may state a bound before its certificate is filed. Raises `RecordError` if the files cannot be written, or if the
    best answer on file scores more than the bound.
    """
    folder = folder_of(results, problem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            certified = _bound_in(fields_on_file(folder / _CERTIFICATE))
            if certified is None or certified > bound:
                _write_bound(folder, bound, certificate)
    except OSError as error:
        raise RecordError(f"{error.filename or folder}: cannot be written ({error.strerror})") from error


def _write_bound(folder: Path, bound: float, certificate: str) -> None:
    """Write the files of `keep_bound`; the folder must be locked."""
    score = best_on_file(folder)
    if score is not None and score > bound:
        raise RecordError(f"{folder}: a game of {score} points is on file: the bound {bound:g} is wrong")
    replace_file(folder / _CERTIFICATE, certificate)
    if score is None:
        return
    path = folder / f"{score}.json"
    fields = fields_on_file(path)
    rest = {key: value for key, value in fields.items() if key not in ("name", "puzzle", "row", "score", "bound", "gap")}
    head = {key: fields[key] for key in ("name", "puzzle", "row", "score") if key in fields}
    # a result on file may state a lower one
    replace_file(path, json.dumps(head | bound_fields(score, least_bound(folder)) | rest, indent=2) + "\n")


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
        raise RecordError(f"{path}: an answer of {solution.score} points: expected {score}, as its name says")
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
        shown = "".join(f" {name}={value}" for name, value in settings.items()) if isinstance(settings, dict) else ""
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


def least_bound(folder: Path) -> float | None:
    """Return the lowest bound in the JSON files of a puzzle's folder; None if there is none."""
    bounds = (_bound_in(fields_on_file(path)) for path in folder.glob("*.json"))
    return min((bound for bound in bounds if bound is not None), default=None)


def bound_on_file(problem: Problem, path: Path) -> float | None:
    """Return the bound of the certificate at `path`, in points; None without one, or for another puzzle's."""
    # a pipe without a writer would block for ever
    fields = fields_on_file(path) if path.is_file() else {}
    return _bound_in(fields) if fields.get("puzzle_hash") == problem.puzzle.digest(problem.lexicon.digest) else None


def _bound_in(fields: dict[str, Any]) -> float | None:
    # in a certificate the bound is a decimal in quotes
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        bound = float(fields["bound"])
        return bound if math.isfinite(bound) else None
    return None


def book(results: Path) -> str:
    """Return the record book as Markdown."""
    lines = [
        "# Record book",
        "",
        "The best answer to each puzzle, in a folder of the puzzle's name. Where the gap is 0, no answer scores more: the",
        "certificate, `bound.json`, proves it. The seconds are those of the run that found the answer, with the proof if the",
        "strategy is `exact`. `rowdraw records` prints this page, `rowdraw verify` judges every file, and `rowdraw hunt` looks",
        "for better answers.",
        "",
        "| puzzle | best | bound | gap | public best | strategy | seconds | date |",
        "| --- | ---: | ---: | ---: | ---: | --- | ---: | --- |",
    ]
    for entry in entries(results):
        bound = f"{entry.bound:.1f}" if entry.bound is not None else "-"
        gap = f"{entry.bound - entry.score:.1f}" if entry.bound is not None else "-"
        seconds = f"{entry.seconds:.1f}" if entry.seconds is not None else "-"
        lines.append(
            f"| {_cell(entry.puzzle)} | [{entry.score}]({_cell(entry.puzzle)}/{entry.score}.txt) | {bound} | {gap} "
            f"| {entry.public or '-'} | {entry.strategy} | {seconds} | {entry.date} |"
        )
    return "\n".join(lines) + "\n"


def book_toml(results: Path) -> str:
    """Return the records of the bundled puzzles in the folder `results` as TOML, the text of data/best-known.toml.

    Raises `RecordError` if the folder cannot be read.
    """
    head = (
        "# The best answer known of each bundled puzzle, and the least bound that a certificate gives: what "
        "`rowdraw records --toml` prints.\n"
    )
    bundled = bundled_puzzles()
    tables = [
        f"\n[{entry.puzzle}]\nscore = {entry.score}\n"
        + (f"bound = {entry.bound}\n" if entry.bound is not None else "")
        + f"turns = {json.dumps(_turns(results / entry.puzzle / f'{entry.score}.txt'), indent=4)}\n"
        for entry in entries(results)
        if entry.puzzle in bundled
    ]
    return "".join([head, *tables])


def _turns(path: Path) -> list[str]:
    """Return the turns of an answer on file."""
    lines = read_file(path, LARGEST_TEXT).decode().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _cell(value: object) -> str:
    """Return `value` as the text of a cell: short, and with `?` for characters that would break the table."""
    return "".join(c if c.isprintable() and c != "|" else "?" for c in str(value)[:_LONGEST_CELL])


def _public_best() -> dict[str, int]:
    return dict(tomllib.loads((data_folder() / "public-best.toml").read_text(encoding="utf-8"))["best"])
