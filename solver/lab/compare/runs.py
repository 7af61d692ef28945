"""The runs of a comparison, and the journal, which has a line of JSON for each finished run."""

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from solver.checking import Budget
from solver.errors import RowdrawError
from solver.files import MOST_NESTING, check_own_folder, naming
from verify import Rules, RulesError, judge, load_rules
from verify.files import LARGEST_TEXT, Places, json_value, read_file
from verify.rules import bundled_names, made_rules
from verify.text import quote

_MOST = 10**12  # seconds, racks or points of a run

Count = Annotated[int, Meta(ge=0, le=_MOST)]
Amount = Annotated[float, Meta(ge=0, le=_MOST)]
_FREE = ("error", "notes", "parameters")  # fields whose texts may hold anything
_Facts = dict[str, str | Amount | None]
_Trace = list[tuple[Amount, Count, Count]]


class Task(Struct, frozen=True, kw_only=True):
    """What a run was asked for.

    Attributes:
        puzzle: A bundled name or a file.
        puzzle_digest: The digest of the puzzle.
        strategy: The name with the values of all parameters.
        code: The version of the code.
        words: The file of another word list than the puzzle's; None for the puzzle's own.
        comment: What the user says of this version of the code.
    """

    puzzle: str
    puzzle_name: str
    puzzle_digest: str
    strategy: str
    label: str
    seed: Count
    budget: str
    threads: Count
    code: str
    words: str | None = None
    comment: str = ""

    @property
    def limit(self) -> Budget:
        """The limit of the run."""
        return Budget.of(self.budget)

    @property
    def base(self) -> str:
        """The version of rowdraw itself, without that of a plug-in or a program."""
        return self.code.partition("+")[0]

    @property
    def key(self) -> str:
        """The key of the run in a journal: a hash of all that its result depends on."""
        parts = [self.puzzle_digest, self.strategy, self.seed, self.budget, self.threads, self.code]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


class Outcome(Task, frozen=True, kw_only=True):
    """A run that ended: a line of a journal. Early journals lack the fields that have a default.

    Attributes:
        key: As that of its `Task`.
        finished: The time at which it ended, in UTC.
        error: The error with which it failed, without a score and an answer; None if it has not.
        rules: The rules by which it was judged, as fields of a puzzle file; empty if not known.
        trace: Seconds, racks and score of each better answer.
        late: The same of answers after the time limit, which do not count.
        solution: The turns, each as a line.
        notes: Further reports on a program or a plug-in.
    """

    key: str
    finished: str
    score: Count
    seconds: Amount
    racks: Count
    trace: _Trace
    solution: Annotated[
        list[Annotated[str, Meta(max_length=100, pattern=r"\S")]], Meta(max_length=10_000)
    ]
    error: str | None = None
    complete: bool = False
    versions: _Facts | None = None
    machine: _Facts | None = None
    cpu_seconds: Amount | None = None
    late: _Trace = []
    rules: dict[str, Any] = {}
    notes: dict[str, Any] = {}

    @property
    def failed(self) -> bool:
        """Whether the run ended with an error."""
        return self.error is not None


# the fields of a failed run that its line may lack
NO_ANSWER: dict[str, Any] = {"score": 0, "seconds": 0.0, "racks": 0, "trace": [], "solution": []}


def line_of(run: Task) -> bytes:
    """Return the line of a journal that holds a run."""
    fields = msgspec.to_builtins(run)
    if isinstance(run, Outcome) and not run.failed:
        del fields["error"]
    return json.dumps(fields).encode()


def read_outcome(line: bytes) -> Outcome | str:
    """Return the run in a line of a journal, or why it cannot be used."""
    no_run = f"{quote(line[:40].decode('utf-8', 'replace'))}: expected a run of a comparison"
    try:
        fields = json_value(line, MOST_NESTING)
    except ValueError:
        return no_run
    if not isinstance(fields, dict) or "key" not in fields:
        return no_run
    if fields.get("error") is not None:
        fields = NO_ANSWER | fields
    try:
        outcome = msgspec.convert(fields, Outcome)
        outcome.limit  # noqa: B018
    except msgspec.ValidationError as error:
        return _fault_of(error, fields)
    except UnicodeEncodeError:
        return no_run  # half of a surrogate pair is no text
    except RowdrawError as error:
        return f"budget = {quote(fields['budget'])}: {str(error).partition(': ')[2]}"
    for name, value in fields.items():
        if name not in _FREE and not _is_printable(value):
            return f"{name} = {quote(value)}: expected characters that can be printed"
    return outcome


def _fault_of(error: msgspec.ValidationError, fields: dict[str, Any]) -> str:
    """Return what msgspec says of a field, after the field and its value."""
    expected, _, path = str(error).partition(" - at `$.")
    name = re.match(r"\w*", path or expected.partition("`")[2])
    field = "" if name is None else name[0]
    return f"{field} = {quote(fields.get(field))}: {expected[0].lower()}{expected[1:]}"


def _is_printable(value: Any) -> bool:
    """Return whether all texts in a value of JSON can be printed."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return all(map(_is_printable, value))
    return str(value).isprintable()


def false_score(outcome: Outcome) -> str:
    """Return how a run's score differs from the referee's score of its solution; empty if not.

    A run that failed, or that does not record its rules, as in early journals, is not recounted.
    """
    if outcome.failed:
        return ""
    try:
        rules = rules_of(outcome)
    except RulesError as error:
        return str(error)
    if rules is None:
        return ""
    score = 0
    if outcome.solution:  # else no word could be played
        verdict = judge("\n".join(outcome.solution), rules, strict=True)
        if not verdict.valid:
            fault = verdict.violations[0]
            return f"turn {fault.line} of its solution: {fault.message}"
        score = verdict.score
    if score != outcome.score:
        return f"score = {outcome.score}: expected {score}, the score of its solution"
    if max((points for _seconds, _racks, points in outcome.trace), default=0) > score:
        return f"its trace has a higher score than its solution: expected at most {score}"
    return ""


def recorded_rules(rules: Rules) -> dict[str, Any]:
    """Return rules as a line of a journal has them."""
    fields = rules.fields()
    del fields["words"]
    if not rules.bonus:
        del fields["bonus"]
    return fields


def rules_of(outcome: Outcome) -> Rules | None:
    """Return the rules by which a run was judged; None if it does not record them.

    Only a bundled puzzle is read from its file: a file that somebody else's journal names is not
    opened. Raises `RulesError` for rules that no puzzle can have.
    """
    if outcome.puzzle in bundled_names() and outcome.words is None:
        return _bundled_rules(outcome.puzzle)
    if not outcome.rules:
        return None
    rules = made_rules(outcome.rules, Places("its rules"), None, outcome.puzzle_name)
    # the referee has checked the words at the end of the run, so they are valid
    played = {line.split()[-1] for line in outcome.solution}
    return rules if played <= rules.words else rules.with_words(sorted(played))


_bundled_rules = cache(load_rules)


NAME = "journal.jsonl"
_MOST_NAMED = 20  # wrong lines in messages
_LOG = logging.getLogger(__name__)


class Journal:
    """The lines in `folder`/journal.jsonl, one for each run.

    A line that a crash cut short is left out, which a message says, and the next run starts a new
    line. Of several lines of one run the last one without an error counts.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def check_folder(self) -> None:
        """Raise `TargetError` if reports might replace other files."""
        check_own_folder(self.path.parent, NAME)

    def outcomes(self, *, recount: bool = False, quiet: bool = False) -> dict[str, Outcome]:
        """Return the run of each key. Lines that are wrong are left out.

        Args:
            recount: Whether to recount each score by its solution, and to log what is wrong with
                each line that is left out, unless another one has the same run.
            quiet: Whether to log nothing all the same.

        Raises:
            RowdrawError: The file cannot be read, or is no journal.
        """
        runs: dict[str, Outcome] = {}
        faults: dict[bytes, str] = {}  # by line
        for number, line in self._lines():
            outcome = read_outcome(line)
            if recount and isinstance(outcome, Outcome):
                outcome = false_score(outcome) or outcome
            if isinstance(outcome, str):
                faults[line] = f"{self.path}:{number}: left out: {outcome}"
            elif not outcome.failed or outcome.key not in runs or runs[outcome.key].failed:
                runs[outcome.key] = outcome
        if recount and not quiet:
            # a line that was cut short, too, may have its key between quotes
            is_lost = runs.keys().isdisjoint
            lost = [fault for line, fault in faults.items() if is_lost(str(line).split('"'))]
            for fault in lost[:_MOST_NAMED]:
                _LOG.info(fault)
            if len(lost) > _MOST_NAMED:
                _LOG.info("%s: %d more lines are left out", self.path, len(lost) - _MOST_NAMED)
        return runs

    def unfinished(self, tasks: Iterable[Task]) -> list[Task]:
        """Return those of `tasks` that have not succeeded; a run whose line is wrong has not."""
        done = {key for key, outcome in self.outcomes(recount=True).items() if not outcome.failed}
        return [task for task in tasks if task.key not in done]

    def append(self, outcome: Outcome) -> None:
        """Add the line of a run; it is on disk when this returns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with naming(self.path), self.path.open("ab+") as file:
            torn = False
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                torn = file.read() != b"\n"
            file.write((b"\n" if torn else b"") + line_of(outcome) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def extend(self, outcomes: Iterable[Outcome]) -> int:
        """Add the lines of runs that are not there yet, and return how many."""
        known = self.outcomes()
        added = [
            outcome
            for outcome in outcomes
            if outcome.key not in known or (known[outcome.key].failed and not outcome.failed)
        ]
        for outcome in added:
            self.append(outcome)
        return len(added)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number of each line that is not empty, and the line."""
        try:
            content = read_file(self.path, LARGEST_TEXT)
        except FileNotFoundError:
            return
        except OSError as error:
            raise RowdrawError(
                f"{self.path}: the journal cannot be read ({error.strerror})"
            ) from error
        if content.strip() and not content.lstrip().startswith(b"{"):
            first = content.partition(b"\n")[0]
            raise RowdrawError(f"{self.path}:1: {first[:40]!r} is not a run of a comparison")
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                yield number, line
