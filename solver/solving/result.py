"""The result of a run, confirmed by the referee, and the forms in which it is kept."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from solver.errors import RefereeDisagreementError, RowdrawError
from solver.files import is_stream
from solver.model.solution import Solution, Turn
from solver.outputs import Output, best_answer, best_game
from solver.search.run import TracePoint
from solver.show.forms import FORMS, JSON, TEXT, form_of
from solver.show.games import Game, make_game, points_fields
from verify import Faults, Rules, Verdict, judge
from verify.stated import comments_of, fields_of
from verify.text import counted


def answer_file(
    path: Path, form: str, rules: Rules, *, is_single: bool = True, force: bool = False
) -> Output:
    """Return the output file of answers in a form.

    Args:
        path: The file.
        form: The name of the form.
        rules: The puzzle.
        is_single: Whether it is for one answer, and replaces no text that holds several.
        force: Whether to replace any file.
    """
    best = partial(best_answer, is_single=is_single) if form == TEXT else best_game
    # JSON says how the answer was found, which no game that is shown does
    kind = "answer" if form == JSON else ""
    return Output(path, FORMS[form], kind, lambda content: best(content, rules), force)


@dataclass(frozen=True, repr=False)
class Result:
    """A solution that the referee has confirmed, and how it was found.

    Attributes:
        verdict: The referee's verdict, with the rules by which it judged.
        seconds: The duration of the search.
        racks: The number of racks expanded.
        cpu_seconds: Processor time of this process, or of the program that searched; None if it was
            not measured.
        complete: Whether the search finished before any limit.
        bound: An upper bound on the score, in points; None if none is known.
        certificate: The certificate of the bound, as text; None if none was made.
        late: The times of better answers that came too late to count.
        notes: Facts about the run that the strategy recorded.
    """

    solution: Solution
    verdict: Verdict = field(compare=False)
    strategy: str
    parameters: dict[str, Any]
    seed: int
    threads: int
    seconds: float
    racks: int
    complete: bool
    trace: tuple[TracePoint, ...]
    bound: int | None = None
    cpu_seconds: float | None = None
    certificate: str | None = field(default=None, compare=False)
    late: tuple[TracePoint, ...] = field(default=(), compare=False)
    notes: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def rules(self) -> Rules:
        """The puzzle, by whose rules the referee judged."""
        return self.verdict.rules

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self.rules.puzzle

    @property
    def score(self) -> int:
        """The sum of the scores of all turns, in points."""
        return self.solution.score

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game, from the first."""
        return self.solution.turns

    @property
    def fault(self) -> str:
        """The error that ended the search after its answer, which counts; empty without one."""
        return str(self.notes.get("fault", ""))

    @property
    def optimal(self) -> bool:
        """Whether the bound proves that no game scores more."""
        return self.bound == self.score

    def with_bound(self, bound: int | None) -> "Result":
        """Return the result with the lower of its bound and `bound`; None stands for no bound."""
        known = [each for each in (self.bound, bound) if each is not None]
        return replace(self, bound=min(known, default=None))

    def text(self) -> str:
        """Return the answer in the challenge's format, after comments that state the puzzle.

        An answer to the challenge itself has no comments, because the challenge's own script reads
        only turns.
        """
        return comments_of(self.rules) + self.solution.text()

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the answer to a file in the form that its name implies, such as `.txt` or `.html`.

        Next to a text, how the answer was found is written to the file of the same name that ends
        in `.json`. Files are written whole or not at all.

        Args:
            path: The file.
            force: Whether to replace any file; see `solver.outputs.Output` for those that are
                replaced without it.

        Raises:
            RowdrawError: The name implies no form, or a file cannot be written, or may not be
                replaced. If it is the second one, the first one is written.
        """
        if not isinstance(path, str | os.PathLike) or "\0" in str(path):
            raise RowdrawError(f"{path!r}: expected the name of a file")
        path = Path(path)
        try:
            files = answer_files(path, form_of(path), self.rules, is_single=True, force=force)
            write_answers([self], files)
        except OSError as error:
            raise RowdrawError(f"{error.filename}: {error.strerror}") from error

    def game(self) -> Game:
        """Return the game, to be shown."""
        # what is shown may be posted, so it names no file
        rules = replace(self.rules, name=self.name)
        return make_game(replace(self.verdict, file=self.name, rules=rules))

    def __repr__(self) -> str:
        """Return what was found in one line."""
        found = f"{self.score} points in {counted(len(self.turns), 'turn')} on {self.name}"
        return f"<Result: {found}, by {self.strategy} in {self.seconds:.2f} s>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return the game as a picture, for notebooks."""
        return answers_as("svg", [self])

    def to_json(self) -> str:
        """Return the result as a JSON object."""
        shown = map(points_fields, self.game().turns)
        fields = {
            "name": self.name,
            **fields_of(self.rules),
            "score": self.score,
            "bound": self.bound,
            "gap": None if self.bound is None else self.bound - self.score,
            "turns": [
                asdict(turn) | points for turn, points in zip(self.turns, shown, strict=True)
            ],
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
        }
        return json.dumps(fields, indent=2) + "\n"


def answer_files(
    path: Path, form: str, rules: Rules, *, is_single: bool, force: bool
) -> list[Output]:
    """Return the output file of answers.

    Next to a single answer as text, a second file in JSON says how it was found.
    """
    forms = {path: form}
    if form == TEXT and is_single and not is_stream(path):
        forms.setdefault(path.with_suffix(".json"), JSON)
    return [
        answer_file(each, name, rules, is_single=is_single, force=force)
        for each, name in forms.items()
    ]


def write_answers(results: Sequence[Result], outputs: Sequence[Output]) -> None:
    """Write answers, best first, to their files, see `answer_files`.

    Raises the errors of `Output.write`.
    """
    best = results[0]
    answers, *facts = outputs
    answers.write(answers_as(answers.form.name, results), best.score)
    for output in facts:
        output.write(best.to_json(), best.score)


def answers_as(form: str, results: Sequence[Result]) -> str:
    """Return answers in a form. JSON says how they were found; one answer as text is only that."""
    if form == JSON:
        if len(results) == 1:
            return results[0].to_json()
        return json.dumps([json.loads(result.to_json()) for result in results], indent=2) + "\n"
    if form == TEXT and len(results) == 1:
        return results[0].text()
    return FORMS[form].write([result.game() for result in results])


def machine() -> dict[str, Any]:
    """Return the system and the processor of this machine."""
    return {"system": platform.system(), "processor": _processor(), "processors": os.cpu_count()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(
            line.partition(":")[2].strip() for line in lines if line.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions() -> dict[str, Any]:
    """The versions of Python and of the packages that a search depends on."""
    numbers = {"python": platform.python_version()}
    for name in ("rowdraw", "numpy", "numba"):
        try:
            numbers[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            numbers[name] = "unknown"
    return numbers


def confirm(rules: Rules, solution: Solution) -> Verdict:
    """Return the referee's verdict on a solution, by rules that no search has touched.

    Raises `RefereeDisagreementError` unless it is valid and scores what it claims. The one without
    turns is accepted.
    """
    verdict = judge(solution.text(), rules, strict=True)
    if verdict.valid and verdict.score == solution.score:
        return verdict
    if not solution.turns:
        return replace(verdict, faults=Faults.of([]))
    fault = f"it claims {solution.score} points: expected {verdict.score}"
    if verdict.violations:
        first = verdict.violations[0]
        fault = f"line {first.line}: {first.message}"
    answer = comments_of(rules) + solution.text()
    claim = f"the solver claims {solution.score} points for\n{answer}"
    raise RefereeDisagreementError(f"{claim}the referee says\n{verdict.as_text()}", fault)


def replayed(verdict: Verdict) -> Solution:
    """Return the solution that a verdict replays."""
    turns = (Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in verdict.turns)
    return Solution(tuple(turns))
