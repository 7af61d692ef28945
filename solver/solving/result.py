"""The result of a run, and the forms in which it is kept."""

import errno
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from solver.files import write_out
from solver.model.solution import Solution, Turn
from solver.model.statement import Statement
from solver.search.run import TracePoint
from solver.show.formats import bonus_field
from solver.solving.replaceable import check_better, is_answer
from verify import Rules, Verdict
from verify.reading import LARGEST_CERTIFICATE, read_file


@dataclass(frozen=True)
class Result:
    """A solution and how it was found.

    Attributes:
        name: The name of the puzzle.
        statement: What the answer states about its puzzle, so that the referee can judge it.
        seconds: The duration of the search.
        racks: The number of racks expanded.
        cpu_seconds: Processor time of this process, or of the program that searched; None if it was not measured.
        complete: Whether the search finished before any limit.
        bound: An upper bound on the score, in points; None if none is known.
        certificate: The certificate of the bound, as JSON text; None if none was made.
        verdict: The referee's verdict; None before it has judged.
        rules: The rules that it judged by.
    """

    name: str
    statement: Statement
    solution: Solution
    strategy: str
    parameters: dict[str, Any]
    seed: int
    threads: int
    seconds: float
    racks: int
    complete: bool
    trace: tuple[TracePoint, ...]
    bound: float | None = None
    cpu_seconds: float | None = None
    certificate: str | None = field(default=None, compare=False, repr=False)
    verdict: Verdict | None = field(default=None, compare=False, repr=False)
    rules: Rules | None = field(default=None, compare=False, repr=False)

    @property
    def score(self) -> int:
        """The sum of the scores of all turns, in points."""
        return self.solution.score

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game, from the first."""
        return self.solution.turns

    def with_bound(self, *bounds: float | None) -> "Result":
        """Return the result with the lowest of its bound and `bounds`; None stands for no bound."""
        return replace(self, bound=min((bound for bound in (self.bound, *bounds) if bound is not None), default=None))

    def text(self) -> str:
        """Return the answer in the challenge's format, one turn per line, after comments that state the puzzle.

        An answer to the challenge itself has no comments, because the challenge's own script reads only turns.
        """
        return self.statement.comments() + self.solution.text() if self.turns else ""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the answer to a file, and how it was found to the file of the same name that ends in `.json`.

        Files are written whole or not at all. A better answer to the same puzzle stays.

        Args:
            path: The file. For a name that ends in `.json`, only how the answer was found is written.
            force: Whether to replace a better answer as well.

        Raises:
            OSError: A file cannot be written; the error names it.
            FileExistsError: A better answer stays, or the second file holds something other than an answer; the first one is
                written then.
        """
        path = Path(path)
        facts = path.with_suffix(".json")
        if path != facts:
            self._write(path, self.text(), force)
            if path.exists() and not path.is_file():
                return  # a pipe or a device has no second file
            if facts.exists() and not _is_replaceable(facts):
                raise FileExistsError(errno.EEXIST, "it holds something else than an answer", str(facts))
        self._write(facts, self.to_json(), force)

    def _write(self, path: Path, text: str, force: bool) -> None:
        if self.rules is not None and not force:
            check_better(path, self.score, self.rules)
        write_out(path, text)

    def _repr_html_(self) -> str:
        """Return the game as a picture, for notebooks."""
        from solver.show.picture import game_svg
        from solver.show.steps import make_game

        if self.verdict is None or self.rules is None:
            return f"<pre>{self.text()}</pre>"
        return game_svg(make_game(self.verdict, self.rules, self.statement))

    def _points(self, turn: Turn) -> dict[str, Any]:
        """Return the points of every tile of a turn, and its bonus if it has one, once the referee's rules are known."""
        if self.rules is None:
            return {}
        points = [place * self.rules.values.get(tile, 0) for place, tile in enumerate(turn.play, start=1)]
        return {"points": points} | bonus_field(self.rules.bonus_of(turn.play))

    def to_json(self) -> str:
        """Return the result as a JSON object."""
        return (
            json.dumps(
                {
                    "name": self.name,
                    **self.statement.fields(),
                    "score": self.solution.score,
                    **bound_fields(self.solution.score, self.bound),
                    "turns": [asdict(turn) | self._points(turn) for turn in self.solution.turns],
                    "strategy": self.strategy,
                    "parameters": self.parameters,
                    "seed": self.seed,
                    "threads": self.threads,
                    "seconds": round(self.seconds, 3),
                    "cpu_seconds": None if self.cpu_seconds is None else round(self.cpu_seconds, 3),
                    "racks": self.racks,
                    "complete": self.complete,
                    "date": datetime.now(UTC).date().isoformat(),
                    "versions": versions(),
                },
                indent=2,
            )
            + "\n"
        )


def _is_replaceable(path: Path) -> bool:
    """Return whether a file is empty or holds an answer. Raises `OSError` if it cannot be read."""
    content = read_file(path, LARGEST_CERTIFICATE, as_input=False)
    return not content.strip() or is_answer(content)


def answers_text(results: Sequence[Result]) -> str:
    """Return one answer's text, or several, each after a comment with its number."""
    if len(results) == 1:
        return results[0].text()
    numbered = enumerate(results, start=1)
    return "\n".join(f"# answer {number}: {result.score} points\n{result.text()}" for number, result in numbered)


def answers_json(results: Sequence[Result]) -> str:
    """Return one answer as a JSON object, or a list of several."""
    if len(results) == 1:
        return results[0].to_json()
    return json.dumps([json.loads(result.to_json()) for result in results], indent=2) + "\n"


def bound_fields(score: int, bound: float | None) -> dict[str, float | None]:
    """Return the bound and the gap of a score to it, for JSON."""
    return {"bound": bound, "gap": None if bound is None else round(bound - score, 3)}


def machine() -> dict[str, Any]:
    """Return the system and the processor of this machine."""
    return {"system": platform.system(), "processor": _processor(), "processors": os.cpu_count()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that a search depends on."""
    numbers = {"python": platform.python_version()}
    for name in ("rowdraw", "numpy", "numba"):
        try:
            numbers[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            numbers[name] = "unknown"
    return numbers
