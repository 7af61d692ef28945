"""A program as a strategy: it reads the puzzle from standard input and prints better and better answers.

In its output turns are separated from noise, and each answer is judged when it is complete.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.greedy import Hand, can_play
from solver.search.run import Run
from solver.solving.result import replayed
from verify import Verdict, judge
from verify.answers import stated_rules_of
from verify.files import remember_input
from verify.stated import overridden
from verify.text import printable, quote

if TYPE_CHECKING:
    from solver.solving.programs.group import Group

_INTEGER = re.compile(rb"[+-]?[0-9]+")
_LETTERS = re.compile(rb"[A-Za-z?]+")
_DECORATION = re.compile(rb"[()\[\]{}<>,;:|'\"`*=]+|\.(?!\S)")
_PLAIN_TURN = re.compile(rb"[0-9]{1,2}[ \t]+[A-Za-z?]+[ \t]+[A-Za-z]+")  # no rack has 100 tiles
_MOST_FIELDS = 10  # a longer line is prose
_MOST_DRAWS = (
    15  # the largest rack: a larger number counts something else, unless a play and its word follow
)
_MOST = 1_000_000  # bytes of an answer; one to the longest row has fewer
_LONGEST_LINE = 20_000  # bytes kept of a line; the referee refuses such a turn
_MOST_PARTS = 1_000  # of an answer, split at noise, that are judged one by one
_SCORE = re.compile(rb"\s*#\s*score\b", re.IGNORECASE)


def is_turn(line: bytes) -> bool:
    """Return whether a line is a turn, or so similar to one that leaving it out could hide a fault.

    Such a line has a play next to its word, which agree in at least half of their places, or it begins with a small number and
    one or two fields follow. Brackets, quotes and the like do not matter, nor do numbers after the word.
    """
    fields = _DECORATION.sub(b" ", line).split()
    while len(fields) > 2 and _INTEGER.fullmatch(fields[-1]):
        fields.pop()  # a score or a total
    counts = 0
    while counts < len(fields) and _INTEGER.fullmatch(fields[counts]):
        counts += 1
    if (
        counts
        and len(fields) - counts in (1, 2)
        and abs(int(fields[counts - 1][:9])) <= _MOST_DRAWS
    ):
        return True
    return len(fields) <= _MOST_FIELDS and any(map(_agree, fields, fields[1:]))


def is_plain_turn(line: bytes) -> bool:
    """Return whether a line has the three fields of a turn, right or wrong; in a log it may also be prose."""
    return _PLAIN_TURN.fullmatch(line.strip()) is not None


def _agree(play: bytes, word: bytes) -> bool:
    if len(word) < 2 or not (_LETTERS.fullmatch(play) and _LETTERS.fullmatch(word)):
        return False
    same = sum(
        tile in (letter, ord("?")) for tile, letter in zip(play.lower(), word.lower(), strict=False)
    )
    return 2 * same >= max(len(play), len(word))


def begins_json(line: bytes) -> bool:
    """Return whether a JSON answer may begin with a line; a log of JSON objects has no turns."""
    line = line.strip()
    return line == b"{" or (line.startswith(b"{") and b'"turns"' in line)


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b"#")


@dataclass
class AnswerText:
    """Lines of an answer, without the noise between them.

    Attributes:
        numbers: The number of each line in the output.
        breaks: The indices of the lines that follow noise.
        turns: The number of lines that are no comments.
        is_json: Whether it is a JSON object.
        too_long: Whether lines beyond the limit were dropped.
    """

    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    size: int = 0
    turns: int = 0
    is_json: bool = False
    too_long: bool = False

    def add(self, line: bytes, number: int) -> None:
        """Add a line."""
        if self.size + len(line) > _MOST:
            self.too_long = True
            return
        self.is_json = self.is_json or (not self.turns and begins_json(line))
        self.lines.append(line)
        self.numbers.append(number)
        self.size += len(line) + 1
        self.turns += not _is_comment(line)

    def break_off(self) -> None:
        """Note that noise follows the lines so far."""
        if self.turns and self.breaks[-1:] != [len(self.lines)]:
            self.breaks.append(len(self.lines))

    def takes(self, line: bytes) -> bool:
        """Return whether a line is part of an answer and not noise."""
        if self.is_json or _is_comment(line) or is_turn(line):
            return True
        # among turns, a line of their form is one of them: leaving out a faulty one would hide the fault
        return is_plain_turn(line) if self.turns else begins_json(line)

    @property
    def parts(self) -> list[list[bytes]]:
        """Split the lines at noise; return one part if there are too many."""
        ends = (
            [*self.breaks, len(self.lines)] if len(self.breaks) < _MOST_PARTS else [len(self.lines)]
        )
        return [
            self.lines[start:end]
            for start, end in zip([0, *ends], ends, strict=False)
            if start < end
        ]


class AnswerSplitter:
    """Splits a stream into answers. It holds at most one answer, up to a limit.

    An answer is complete at an empty line, at a line `# score N` after its turns, and at the end of the stream.

    Attributes:
        noise: The number of lines, or parts of lines between carriage returns, that are neither turns nor comments.
        first_noise: The first of them, with the number of its line.
    """

    def __init__(self) -> None:
        self.noise = 0
        self.first_noise: tuple[int, bytes] | None = None
        self._line = bytearray()
        self._number = 0
        self._answer = AnswerText()

    def feed(self, chunk: bytes) -> Iterator[AnswerText]:
        """Yield the answers that are complete with `chunk`."""
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._extend(part)
            yield from self._end_line()
        self._extend(rest)

    def end(self, *, cut: bool) -> Iterator[AnswerText]:
        """Yield the rest at the end of the stream; if it was `cut`, a last line without an end does not count."""
        if self._line and not cut:
            yield from self._end_line()
        if self._answer.turns:
            yield self._take()

    @property
    def is_in_long_line(self) -> bool:
        """Whether the last line, which has no end yet, is too long for a turn."""
        return len(self._line) == _LONGEST_LINE

    def _extend(self, part: bytes) -> None:
        self._line += part[: _LONGEST_LINE - len(self._line)]

    def _end_line(self) -> Iterator[AnswerText]:
        line = bytes(self._line)
        self._line.clear()
        self._number += 1
        if not line.strip() and self._answer.turns:
            yield self._take()
        # a progress display returns to the start of its line
        for piece in filter(bytes.strip, line.split(b"\r")):
            if not self._answer.takes(piece):
                self.noise += 1
                self.first_noise = self.first_noise or (self._number, piece)
                self._answer.break_off()
                continue
            self._answer.add(piece, self._number)
            if self._answer.turns and _SCORE.match(piece):
                yield self._take()

    def _take(self) -> AnswerText:
        answer, self._answer = self._answer, AnswerText()
        return answer


class _Checked(NamedTuple):
    """The verdict on some lines, and the first faulty line, from 0, with its message."""

    verdict: Verdict
    fault: tuple[int, str] | None


class AnswerReader:
    """Judges the answers of a stream as they arrive, and offers the valid ones to a run.

    Attributes:
        good: The number of valid answers.
        faulty: The number of answers that are not valid.
        first_fault: The fault of the first of them, with its line in the stream; None without one.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.good = 0
        self.faulty = 0
        self.first_fault: str | None = None
        self._problem = problem
        self._run = run
        self._splitter = AnswerSplitter()
        self._seconds = 0.0  # since the run's start, when the last chunk came
        self._states_others = False

    def read(self, chunk: bytes) -> None:
        """Judge the answers that `chunk`, which has just arrived, completes."""
        if chunk:
            self._seconds = self._run.elapsed
        for answer in self._splitter.feed(chunk):
            self._receive(answer)

    @property
    def fault(self) -> str:
        """Why there is no valid answer."""
        if self.first_fault is None and self._splitter.is_in_long_line:
            return f"it printed a line of more than {_LONGEST_LINE:,} bytes: expected a turn on each line"
        if self.first_fault is None and self._splitter.first_noise is not None:
            number, line = self._splitter.first_noise
            _place, message = self._check([line]).fault or (0, "no turn")
            return f"it printed no turn: line {number} of its output: {message}"
        return self.first_fault or "it printed no turn"

    @property
    def noise(self) -> int:
        """The number of lines that are neither turns nor comments."""
        return self._splitter.noise

    def tell_noise(self) -> None:
        """Report how many lines were ignored."""
        if self._splitter.first_noise is not None:
            number, line = self._splitter.first_noise
            lines = (
                f"{self.noise:,} lines of the program's output are"
                if self.noise > 1
                else "1 line of its output is"
            )
            shown = quote(line.decode("utf-8", "replace").strip())
            self._run.tell(
                f"{lines} neither turns nor comments and passed over, first line {number}: {shown}"
            )

    def end(self, *, cut: bool) -> None:
        """Judge the rest, see `AnswerSplitter.end`."""
        for answer in self._splitter.end(cut=cut):
            self._receive(answer)

    def _receive(self, answer: AnswerText) -> None:
        if answer.too_long:
            self._fault(
                answer.numbers[0],
                f"an answer of more than {_MOST:,} bytes: expected an empty line after each answer",
            )
            return
        whole = self._check(answer.lines)
        parts = (
            [whole]
            if whole.fault is None or not answer.breaks
            else list(map(self._check, answer.parts))
        )
        for part in parts:
            if part.fault is None:
                self.good += 1
                self._run.offer_found(replayed(part.verdict), self._seconds)
                self._note_other_rules(answer)
        if whole.fault is not None and any(part.fault is not None for part in parts):
            place, message = whole.fault
            self._fault(answer.numbers[place], message)

    def _note_other_rules(self, answer: AnswerText) -> None:
        """Tell the user once if a valid answer states other rules than the puzzle has."""
        if self._states_others or (answer.turns == len(answer.lines) and not answer.is_json):
            return
        rules = overridden(stated_rules_of(b"\n".join(answer.lines)), self._problem.rules)
        if rules is not self._problem.rules:
            self._states_others = True
            self._run.tell(f"line {answer.numbers[0]} of the program's output: {rules.notes[0]}")

    def _check(self, lines: list[bytes]) -> _Checked:
        """Judge lines that should all be turns: the referee also reads posts, in which it would ignore some."""
        is_json = begins_json(next((line for line in lines if not _is_comment(line)), b""))
        verdict = judge(b"\n".join(lines) + b"\n", self._problem.rules, strict=not is_json)
        if verdict.violations:
            fault = verdict.violations[0]
            # in a JSON object, `line` is the number of a turn
            return _Checked(verdict, (0 if is_json else max(0, fault.line - 1), fault.message))
        read = {turn.line for turn in verdict.turns}
        for number, line in enumerate(lines, start=1):
            if not (is_json or _is_comment(line) or number in read):
                text = quote(line.decode("utf-8", "replace").strip())
                return _Checked(
                    verdict,
                    (
                        number - 1,
                        f"{text} is no turn: expected three fields, left draws, play and word",
                    ),
                )
        return _Checked(verdict, None)

    def _fault(self, line: int, message: str) -> None:
        self.faulty += 1
        if self.first_fault is None:
            self.first_fault = f"line {line} of its output: {message}"
            self._run.tell(f"an answer that is not valid is passed over: {self.first_fault}")


_LAST_OUTPUT = 0.5  # seconds for which a program's output is still read after it was asked to exit
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
            raise StrategyError(
                f"command {quote(self.command)}: expected a line of at most {_LONGEST:,} printable characters"
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
    """A program in any language; with `as_json` it gets the puzzle as a JSON object instead of the bare row."""

    Parameters = ProgramParameters
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
            raise StrategyError(
                f"{self.name}: rowdraw cannot count the racks of a program: expected a budget in seconds"
            )
        answers, started = AnswerReader(problem, run), run.elapsed
        with running(
            self.parameters.words, self._given(problem, run), _environment(problem, run)
        ) as group:
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
            run.tell(
                f"{answers.faulty:,} of the program's {answers.good + answers.faulty:,} answers are not valid"
            )
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
                if not chunk or now - exited > _LAST_OUTPUT:
                    break
            elif asked is None and run.is_over:
                asked = now
                group.terminate()
            elif asked is not None and now - asked > _LAST_OUTPUT:
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
            "words": _words_of(problem),
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
    return None if run.deadline is None else round(run.seconds_left, 3)


def _words_of(problem: Problem) -> str:
    """Return the file of the words. Raises `StrategyError` for words that have none."""
    file = problem.rules.word_list.file
    if file is None:
        raise StrategyError("a program reads the words from a file: expected words=FILE")
    return str(file.resolve())


def _environment(problem: Problem, run: Run) -> dict[str, str]:
    seconds = _seconds_left(run)
    variables = {
        "ROWDRAW_SECONDS": None if seconds is None else f"{seconds:.3f}",
        "ROWDRAW_SEED": str(run.seed),
        "ROWDRAW_THREADS": str(run.threads),
        "ROWDRAW_WORDS": _words_of(problem),
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
