"""A program as a strategy: it reads the puzzle from standard input and prints better and better answers."""

import hashlib
import json
import os
import shlex
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.hand import Hand, can_play
from solver.search.run import Run
from solver.solving.programs.program_output import AnswerReader
from verify.reading import remember_input
from verify.text import printable, quote

if TYPE_CHECKING:
    from solver.solving.programs.group import Group

_GRACE = 0.5  # seconds for which a program's output is still read after it was asked to exit
_GROUP = "solver.solving.programs.group"  # imported only when a program runs
_LONGEST = 1_000  # characters of a command, which is its name in tables and plots
_SHOWN = 600  # characters of its standard error that a failure shows


@dataclass(frozen=True)
class ProgramParameters:
    """The parameters of a program.

    Attributes:
        command: The program with its arguments, quoted as for a shell, although no shell runs it.
    """

    command: str

    def __post_init__(self) -> None:
        if not self.command.isprintable() or len(self.command) > _LONGEST:
            raise StrategyError(f"command {quote(self.command)}: expected a line of at most {_LONGEST:,} printable characters")
        if os.name != "posix":
            raise StrategyError("command: programs are run on Linux and macOS only")
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise StrategyError(f"command {quote(self.command)}: {error}") from error
        if not words:
            raise StrategyError("command: no program: expected one, as in command:./solver --fast")
        if shutil.which(words[0]) is None:
            raise StrategyError(f"command: {printable(words[0])}: no such program, or it may not be run")

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return shlex.split(self.command)


@dataclass(frozen=True)
class Program:
    """A program in any language; with `as_json` it gets the puzzle as a JSON object instead of the bare row."""

    parameters: ProgramParameters
    as_json: bool = False

    def __post_init__(self) -> None:
        # psutil takes a moment to load, which must not count as the program's time
        import_module(_GROUP)
        for path in _files(self.parameters.words):
            remember_input(path)

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return "command-json" if self.as_json else "command"

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the valid answers that the program prints. Raises `StrategyError` if there are none, or no limit in seconds."""
        from solver.solving.programs.group import running

        if run.rack_budget is not None and run.seconds is None:
            raise StrategyError(f"{self.name}: rowdraw cannot count the racks of a program: expected a budget in seconds")
        problem.rules  # noqa: B018 - loaded before the program starts
        answers, started = AnswerReader(problem, run), run.elapsed
        with running(self.parameters.words, self._given(problem, run), _environment(problem, run)) as group:
            was_asked = self._listen(group, answers, run)
            if not was_asked:
                group.wait()
            code = group.code
        answers.end(cut=was_asked)
        run.outside_cpu = (run.outside_cpu or 0.0) + group.cpu
        error_output = group.tail.decode("utf-8", "replace")
        run.notes |= {
            "answers": answers.good,
            "faulty_answers": answers.faulty,
            "first_fault": answers.first_fault,
            "noise_lines": answers.noise,
            "exit_code": code,
            "standard_error": error_output,
        }
        if answers.faulty > 1:
            run.tell(f"{answers.faulty:,} of the program's {answers.good + answers.faulty:,} answers are not valid")
        ending = _ending(code, was_asked=was_asked)
        if answers.good:
            answers.tell_noise()
            if code != 0 and not was_asked:
                run.tell(f"the program: {ending}; its answers before that count")
        elif not answers.faulty and code == 0 and not can_play(problem, Hand.at_start()):
            run.offer(Solution(()))
        else:
            ending = f"{ending} after {run.elapsed - started:.1f} s"
            raise StrategyError(self._failure(answers.fault, ending, error_output))

    def _listen(self, group: "Group", answers: AnswerReader, run: Run) -> bool:
        """Read until the output ends or time is up; return whether the program was asked to exit."""
        asked = exited = None
        while (chunk := group.output()) is not None:
            answers.read(chunk)
            run.report(self.name, answers.good + answers.faulty, 0)
            now = time.monotonic()
            if group.has_ended():
                # processes that it has started may hold the pipe for ever
                exited = exited or now
                if not chunk or now - exited > _GRACE:
                    break
            elif asked is None and run.is_over:
                asked = now
                group.terminate()
            elif asked is not None and now - asked > _GRACE:
                break
        return asked is not None

    def _failure(self, fault: str, ending: str, error_output: str) -> str:
        text = "\n  ".join(printable(line) for line in error_output.strip().splitlines())[-_SHOWN:]
        errors = f"; its standard error ends\n  {text}" if text else "; its standard error is empty"
        command = self.parameters.command
        shown = command if len(command) <= 100 else f"{command[:100]}..."
        return f"{self.name}: no valid answer from {shown}: {fault}; {ending}{errors}"

    def _given(self, problem: Problem, run: Run) -> bytes:
        """Return what the program reads from standard input."""
        puzzle = problem.puzzle
        if not self.as_json:
            return f"{puzzle.row}\n".encode()
        fields = {
            "name": puzzle.name,
            "row": puzzle.row,
            "rack": puzzle.rack_size,
            "values": {tile: puzzle.values.get(tile, 0) for tile in "abcdefghijklmnopqrstuvwxyz?"},
            "bonus": puzzle.bonus,
            "words": str(puzzle.word_list.resolve()),
            "seed": run.seed,
            "seconds": _seconds_left(run),
            "threads": run.threads,
        }
        return f"{json.dumps(fields)}\n".encode()


_SIGNALS = {number.value: number.name for number in signal.Signals}


def _ending(code: int | None, *, was_asked: bool) -> str:
    """Return how a program exited."""
    if was_asked:
        return "it was asked to exit"
    if code is None:
        return "it closed its output, continued, and was killed"
    if code < 0:
        return f"it was killed by {_SIGNALS.get(-code, f'signal {-code}')}"
    return f"it exited with code {code}"


def _seconds_left(run: Run) -> float | None:
    return None if run.deadline is None else round(max(0.0, run.deadline - run.elapsed), 3)


def _environment(problem: Problem, run: Run) -> dict[str, str]:
    seconds = _seconds_left(run)
    variables = {
        "ROWDRAW_SECONDS": None if seconds is None else f"{seconds:.3f}",
        "ROWDRAW_SEED": str(run.seed),
        "ROWDRAW_THREADS": str(run.threads),
        "ROWDRAW_WORDS": str(problem.puzzle.word_list.resolve()),
    }
    # this program may itself run inside such a program, whose variables do not apply here
    kept = {name: value for name, value in os.environ.items() if name not in variables}
    return kept | {name: value for name, value in variables.items() if value is not None}


def program_digest(parameters: ProgramParameters) -> str:
    """Return a hash of all files that the command names, the program among them: if one changes, it is another program."""
    digest = hashlib.sha256()
    for path in _files(parameters.words):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def _files(words: list[str]) -> Iterator[Path]:
    program = shutil.which(words[0])
    for word in (program or words[0], *words[1:]):
        path = Path(word)
        try:
            # a pipe would never end, and an unreadable file has no hash
            if path.is_file() and os.access(path, os.R_OK):
                yield path
        except (OSError, ValueError):
            continue
