"""The record book: the best answers on file, and what is known of a puzzle.

An answer is a file RESULTS/PUZZLE/*.txt. The referee judges it: neither the name of the file nor
what is written next to it counts. RESULTS/PUZZLE/certificate.txt bounds the score of every game.
"""

import logging
import math
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from solver.errors import RowdrawError
from solver.files import fields_on_file, locked, replace_file
from solver.index.problem import Problem
from solver.show.games import markdown_table
from solver.solving.opened import OpenedGame
from solver.solving.result import Result
from verify import Rules, RulesError, Verdict, judge, load_rules
from verify.files import LARGEST_TEXT, benchmark, best_known, data_folder, read_file, read_named
from verify.rules import BY_OTHER_RULES, OWN_ROW, is_bundled
from verify.text import counted, placed, printable

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
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Entry:
    """A record: the best known answer of a puzzle, a row of the book's table.

    `file` is the name of its file, `bound` that of the certificate on file, and `public` the best
    score that other people have posted; the last two are None if there is none.
    """

    puzzle: str
    score: int
    file: str
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


def folder_of(results: Path, rules: Rules) -> Path:
    """Return the folder of a puzzle's records; one without a name of its own has a hash for a name.

    Raises `RowdrawError` if no folder can have the puzzle's name, or if the folder holds a
    certificate of another puzzle.
    """
    name = rules.puzzle
    if name == OWN_ROW or name.endswith(BY_OTHER_RULES):
        name = f"row-{rules.digest[:12]}"
    if Path(name).name != name or "\\" in name or name.startswith("."):
        raise RowdrawError(
            f"puzzle {name!r}: expected a name that a folder can have, to keep records in"
        )
    folder = results / name
    certified = _certified(folder)
    if certified is not None and certified[0] != rules.digest:
        raise RowdrawError(
            f"{folder / _CERTIFICATE}: it is of another puzzle of that name: {_ELSEWHERE}"
        )
    return folder


def best_in(folder: Path, rules: Rules) -> Verdict | None:
    """Return the referee's verdict on the best answer to a puzzle in a folder; None without one.

    Files that hold no valid answer to this puzzle are logged.
    """
    best: Verdict | None = None
    for found in _judged_in(folder, rules):
        if isinstance(found, str):
            _LOG.info(found)
        elif found.rules.digest != rules.digest:
            _LOG.info("%s: left out: an answer to another puzzle", found.file)
        elif best is None or found.score > best.score:
            best = found
    return best


def _judged_in(folder: Path, rules: Rules) -> Iterator[Verdict | str]:
    """Yield the verdict on each valid answer in a folder, or why a file is left out, by file names.

    An answer that states no rules is to the puzzle of `rules`.
    """
    for path in sorted(folder.glob("*.txt")):
        if path.name == _CERTIFICATE or not path.is_file():
            continue
        name = str(path)
        try:
            content = read_file(path, LARGEST_TEXT, as_input=False)
            judged_by = OpenedGame(name, content).rules(rules)
        except OSError as error:
            yield f"{name}: left out: it cannot be read ({error.strerror})"
            continue
        except RulesError as error:
            yield f"left out: {error}"
            continue
        verdict = judge(content, judged_by, name)
        if verdict.valid:
            yield verdict
        else:
            fault = verdict.violations[0]
            yield f"{placed(name, fault.line)}: left out: {fault.message}"


def keep_answer(results: Path, result: Result) -> Path | None:
    """File an answer under its score; return its file, None if one that scores as much is on file.

    Raises `RowdrawError` if it cannot be written.
    """
    folder = folder_of(results, result.rules)
    path = folder / f"{result.score}.txt"
    best = best_in(folder, result.rules)
    if best is not None and best.score >= result.score:
        return None
    with _writing(folder):
        result.save(path)
    return path


def keep_bound(results: Path, problem: Problem, bound: int, certificate: str) -> None:
    """File a certificate unless the one on file has as low a bound.

    Raises `RowdrawError` if it cannot be written, or if the best answer on file scores more.
    """
    folder = folder_of(results, problem.rules)
    best = best_in(folder, problem.rules)
    if best is not None and best.score > bound:
        raise RowdrawError(
            f"{best.file}: a game of {best.score} points is on file: the bound {bound} is wrong"
        )
    with _writing(folder), locked(folder):
        certified = _certified(folder)
        if certified is None or certified[1] > bound:
            replace_file(folder / _CERTIFICATE, certificate)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Make a folder of records; an `OSError` in the context becomes a `RowdrawError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        path = error.filename or folder
        raise RowdrawError(f"{path}: cannot be written ({error.strerror})") from error


def entries(results: Path) -> list[Entry]:
    """Return an entry for each puzzle with a valid answer on file, by name.

    The puzzle of a folder is the bundled one of its name, or else that of its first valid answer.
    Raises `RowdrawError` if there is no folder.
    """
    if not results.is_dir():
        raise RowdrawError(f"{results}: no such folder: expected RESULTS/PUZZLE/*.txt in it")
    found = []
    for folder in sorted(filter(Path.is_dir, results.iterdir())):
        rules = load_rules()
        if is_bundled(folder.name):
            rules = load_rules(folder.name)
        else:
            judged = _judged_in(folder, rules)
            rules = next((found.rules for found in judged if isinstance(found, Verdict)), rules)
        best = best_in(folder, rules)
        if best is not None:
            found.append(_entry(folder, best))
    return found


def _entry(folder: Path, best: Verdict) -> Entry:
    """Return the entry of a puzzle; how its answer was found is what the file next to it says."""
    path = Path(best.file)
    fields = fields_on_file(path.with_suffix(".json"))
    strategy = str(fields.get("strategy", "-"))
    settings = fields.get("parameters")
    if isinstance(settings, dict):
        strategy += "".join(f" {name}={value}" for name, value in settings.items())
    seconds = fields.get("seconds")
    return Entry(
        puzzle=folder.name,
        score=best.score,
        file=path.name,
        bound=_bound_in(folder, best.rules, best.score),
        public=_data("public-best.toml")["best"].get(folder.name),
        strategy=_cell(strategy),
        seconds=seconds if isinstance(seconds, float) else None,
        date=_cell(fields.get("date", "-")),
    )


def _bound_in(folder: Path, rules: Rules, best: int) -> int | None:
    """Return the bound of the certificate in a folder whose best answer scores `best`, or None.

    One that is damaged, of another puzzle, or refuted by the answer is logged.
    """
    path = folder / _CERTIFICATE
    if not path.is_file():
        return None
    certified = _certified(folder)
    if certified is None:
        fault = "it cannot be read, or was changed"
    elif certified[0] != rules.digest:
        fault = "it is of another puzzle"
    elif certified[1] < best:
        fault = f"it claims {certified[1]:,} points at most, and an answer on file has {best:,}"
    else:
        return certified[1]
    _LOG.info("%s: left out: %s", printable(str(path)), fault)
    return None


def _certified(folder: Path) -> tuple[str, int] | None:
    """Return the digest of the puzzle of the certificate in a folder, and its claim."""
    path = folder / _CERTIFICATE
    if not path.is_file():
        return None
    # imported only here, because it loads all that is compiled
    from solver.bound.certificate import subject_on_file

    return subject_on_file(path)


def book(found: list[Entry]) -> str:
    """Return entries of a record book as Markdown."""
    rows = []
    for entry in found:
        address = f"{quote(entry.puzzle, errors='surrogateescape')}/{quote(entry.file)}"
        row = (
            _cell(entry.puzzle),
            f"[{entry.score}]({address})",
            _dashed(entry.bound),
            _dashed(entry.gap),
            _dashed(entry.public),
            entry.strategy,
            _dashed(entry.seconds, "{:.1f}"),
            entry.date,
        )
        rows.append(row)
    return _BOOK + markdown_table(_HEAD, rows)


def bundled_record(name: str) -> str:
    """Return the bundled record of a puzzle: what is known of it, and its best answer."""
    answer = read_named(f"best:{name}", LARGEST_TEXT).decode()
    return f"# {name}: {record_book()[name].summary}\n{answer}"


def _dashed(value: float | None, form: str = "{}") -> str:
    if value is None:
        return "-"
    return form.format(value)


def _cell(value: object) -> str:
    """Return `value` as the text of a cell: short, with `?` for what would break the table."""
    return "".join(c if c.isprintable() and c != "|" else "?" for c in str(value)[:_LONGEST_CELL])


BOOK = "record book"
BENCHMARK = "benchmark"
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


@cache
def record_book() -> dict[str, Known]:
    """Return what the bundled record book, data/best-known.toml, knows of each bundled puzzle."""
    return {
        name: Known.of(fields["score"], fields.get("bound"), BOOK)
        for name, fields in best_known().items()
    }


def recorded_games() -> dict[str, list[str]]:
    """Return the turns of the best game that the book has of each bundled puzzle, a line each."""
    return {name: fields["turns"] for name, fields in best_known().items()}


def known_by_digest(digest: str) -> Known:
    """Return what record book or benchmark know of the puzzle with this digest, by any name."""
    for name, fields in best_known().items():
        if fields["digest"] == digest:
            return record_book()[name]
    for line in benchmark().values():
        if line["digest"] == digest:
            optimum = int(line["optimum"])
            return Known.of(optimum, optimum, BENCHMARK)
    return NOTHING


def known_of(problem: Problem) -> Known:
    """Return what the record book knows of a problem whose words are loaded."""
    return known_by_digest(problem.rules.digest)


def known_in(results: Path, rules: Rules) -> Known:
    """Return what the files of a puzzle in a folder of records say: its answers and certificate."""
    try:
        folder = folder_of(results, rules)
    except RowdrawError:
        return NOTHING
    best = best_in(folder, rules)
    score = 0 if best is None else best.score
    return Known.of(score, _bound_in(folder, rules, score), printable(str(results)))
