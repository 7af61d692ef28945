"""A program as a strategy: it reads the puzzle from standard input and prints its answers."""

import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.programs.answers import LONGEST_LINE, AnswerReader
from solver.solving.programs.contained import Contained
from verify.files import remember_input
from verify.text import printable, quote

_LONGEST = 1_000  # characters of a command, which is its name in tables and plots


@dataclass(frozen=True)
class ProgramParameters:
    """The parameters of a program.

    Attributes:
        command: The program with its arguments, quoted as for a shell, although no shell runs it.
    """

    command: str

    def __post_init__(self) -> None:
        if not self.command.isprintable() or len(self.command) > _LONGEST:
            raise StrategyError(
                f"command {quote(self.command)}: "
                f"expected a line of at most {_LONGEST:,} printable characters"
            )
        if os.name != "posix":
            raise StrategyError("command: programs are run on Linux and macOS only")
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise StrategyError(f"command {quote(self.command)}: {error}") from error
        if not words:
            raise StrategyError("command: no program: expected one, as in command:./solver --fast")
        if shutil.which(words[0]) is None:
            raise StrategyError(
                f"command: {printable(words[0])}: no such program, or it may not be run"
            )

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return shlex.split(self.command)


@dataclass(frozen=True)
class Program:
    """A program in any language.

    With the name `command-json` it gets the puzzle as a JSON object, else the bare row.
    """

    Parameters = ProgramParameters
    kernels: ClassVar[None] = None
    parameters: ProgramParameters
    name: str = "command"

    def __post_init__(self) -> None:
        for path in _files(self.parameters.words):
            remember_input(path)

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the valid answers that the program prints.

        Raises `StrategyError` if there are none, or only a limit in racks.
        """
        if run.rack_budget is not None and run.seconds is None:
            raise StrategyError(
                f"{self.name}: rowdraw cannot count the racks of a program: "
                "expected a budget in seconds"
            )
        answers = AnswerReader(problem, run)
        started = run.elapsed
        limits = _limits(problem, run)
        given = f"{problem.rules.row}\n"
        if self.name != "command":
            given = f"{json.dumps(_puzzle(problem) | limits)}\n"
        environment = _environment(limits)
        with Contained(self.parameters.words, given.encode(), environment) as program:
            for line in program.lines(LONGEST_LINE):
                if line is not None:
                    answers.read(line, program.arrived - run.started)
                run.report(self.name, answers.good + answers.faulty, 0)
                if run.is_over:
                    program.ask_to_exit()
        answers.end()
        run.outside_cpu = (run.outside_cpu or 0.0) + program.cpu
        run.notes |= {
            "answers": answers.good,
            "faulty_answers": answers.faulty,
            "first_fault": answers.fault if answers.faulty else None,
            "exit_code": program.code,
            "standard_error": program.tail.decode("utf-8", "replace"),
        }
        if not answers.good:
            raise StrategyError(
                f"{self.name}: no valid answer from {self.parameters.command}: {answers.fault}; "
                f"{program.ending} after {run.elapsed - started:.1f} s{program.errors}"
            )
        if program.code != 0 and not program.was_asked:
            run.notes["fault"] = f"the program: {program.ending}"
            run.tell(f"the program: {program.ending}; its answers before that count")


def _puzzle(problem: Problem) -> dict[str, Any]:
    """Return the puzzle as a program gets it."""
    rules = problem.rules
    values = {tile: rules.values.get(tile, 0) for tile in "abcdefghijklmnopqrstuvwxyz?"}
    return {"name": rules.puzzle, **rules.fields(), "values": values}


def _limits(problem: Problem, run: Run) -> dict[str, Any]:
    """Return what else a program gets. Raises `StrategyError` for words that have no file."""
    file = problem.rules.word_list.file
    if file is None:
        raise StrategyError("a program reads the words from a file: expected words=FILE")
    return {
        "words": str(file.resolve()),
        "seed": run.seed,
        "seconds": None if run.deadline is None else round(run.seconds_left, 3),
        "threads": run.threads,
    }


def _environment(limits: dict[str, Any]) -> dict[str, str]:
    """Return our environment with the limits of this program.

    We may run inside another program, whose limits do not apply here.
    """
    environment = dict(os.environ)
    for name, value in limits.items():
        environment.pop(f"ROWDRAW_{name.upper()}", None)
        if value is not None:
            environment[f"ROWDRAW_{name.upper()}"] = str(value)
    return environment


def program_digest(parameters: ProgramParameters) -> str:
    """Return a hash of all files that the command names: if one changes, it is another program."""
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
