"""From what a program prints to its answers, each judged when it is complete."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.confirm import replayed
from solver.solving.programs.noise import begins_json, is_plain_turn, is_turn
from verify import Verdict, judge
from verify.text import quote

_MOST = 1_000_000  # bytes of an answer; one to the longest row has fewer
_LONGEST_LINE = 20_000  # bytes that are kept of a line; the referee refuses such a turn
_MOST_PARTS = 1_000  # of an answer between noise that are judged one by one
_SCORE = re.compile(rb"\s*#\s*score\b", re.IGNORECASE)


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b"#")


@dataclass
class AnswerText:
    """Lines of an answer, without the noise between them.

    numbers: where in the output each line stands.
    breaks: the lines, by index, before which noise stands.
    turns: lines that are no comments.
    is_json: it is a JSON object.
    too_long: lines beyond the limit were left out.
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
        """Note that noise stands behind the lines so far."""
        if self.turns and self.breaks[-1:] != [len(self.lines)]:
            self.breaks.append(len(self.lines))

    def takes(self, line: bytes) -> bool:
        """Whether a line is part of an answer, and no noise."""
        if self.is_json or _is_comment(line) or is_turn(line):
            return True
        # among turns, what has their form is one of them: to leave out a faulty one would hide the fault
        return is_plain_turn(line) if self.turns else begins_json(line)

    @property
    def parts(self) -> list[list[bytes]]:
        """Split the lines at noise; return one part if there are too many."""
        ends = [*self.breaks, len(self.lines)] if len(self.breaks) < _MOST_PARTS else [len(self.lines)]
        return [self.lines[start:end] for start, end in zip([0, *ends], ends, strict=False) if start < end]


class AnswerSplitter:
    """Cuts a stream into answers. It holds one answer at most, and of that no more than a limit.

    An answer is complete at an empty line, at a line `# score N` behind its turns, and at the end of the stream.

    noise: how many lines, or parts of lines between carriage returns, are neither turns nor comments; first_noise: the
        first of them, with the number of its line.
    """

    def __init__(self) -> None:
        self.noise = 0
        self.first_noise: tuple[int, bytes] | None = None
        self._line = bytearray()
        self._number = 0
        self._answer = AnswerText()

    def feed(self, chunk: bytes) -> Iterator[AnswerText]:
        """The answers that are complete with `chunk`."""
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._extend(part)
            yield from self._end_line()
        self._extend(rest)

    def end(self, *, cut: bool) -> Iterator[AnswerText]:
        """What is left at the end of the stream.

        cut: somebody ended it, so that a line without an end may be half a line, and does not count.
        """
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
        # what shows progress goes back to the start of its line
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


class _Judged(NamedTuple):
    """What is said of lines; fault: which of them has the first fault, from 0, and the message."""

    verdict: Verdict
    fault: tuple[int, str] | None


class AnswerReader:
    """Judges the answers of a stream as they come, and offers the valid ones to a run.

    good, faulty: how many of them.
    first_fault: of the first that is not valid, with its line in the stream; None where all are.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.good = 0
        self.faulty = 0
        self.first_fault: str | None = None
        self._problem = problem
        self._run = run
        self._splitter = AnswerSplitter()
        self._seconds = 0.0  # since the run's start, when the last chunk came

    def read(self, chunk: bytes) -> None:
        """Judge what `chunk` completes; it has come just now."""
        if chunk:
            self._seconds = self._run.elapsed
        for answer in self._splitter.feed(chunk):
            self._judge(answer)

    @property
    def fault(self) -> str:
        """Why there is no valid answer."""
        if self.first_fault is None and self._splitter.is_in_long_line:
            return f"it printed a line of more than {_LONGEST_LINE:,} bytes: expected a turn on each line"
        if self.first_fault is None and self._splitter.first_noise is not None:
            number, line = self._splitter.first_noise
            _place, message = self._judged([line]).fault or (0, "no turn")
            return f"it printed no turn: line {number} of its output: {message}"
        return self.first_fault or "it printed no turn"

    @property
    def noise(self) -> int:
        """How many lines are neither turns nor comments."""
        return self._splitter.noise

    def tell_noise(self) -> None:
        """Say how many lines were passed over."""
        if self._splitter.first_noise is not None:
            number, line = self._splitter.first_noise
            lines = f"{self.noise:,} lines of the program's output are" if self.noise > 1 else "1 line of its output is"
            shown = quote(line.decode("utf-8", "replace").strip())
            self._run.tell(f"{lines} neither turns nor comments and passed over, first line {number}: {shown}")

    def end(self, *, cut: bool) -> None:
        """Judge what is left, see `AnswerSplitter.end`."""
        for answer in self._splitter.end(cut=cut):
            self._judge(answer)

    def _judge(self, answer: AnswerText) -> None:
        if answer.too_long:
            self._fault(answer.numbers[0], f"an answer of more than {_MOST:,} bytes: expected an empty line behind each answer")
            return
        whole = self._judged(answer.lines)
        parts = [whole] if whole.fault is None or not answer.breaks else list(map(self._judged, answer.parts))
        for part in parts:
            if part.fault is None:
                self.good += 1
                self._run.offer(replayed(part.verdict), self._seconds)
        if whole.fault is not None and any(part.fault is not None for part in parts):
            place, message = whole.fault
            self._fault(answer.numbers[place], message)

    def _judged(self, lines: list[bytes]) -> _Judged:
        """Judge lines that are turns, or should be: the referee reads posts as well, in which it would pass over some."""
        verdict = judge(b"\n".join(lines) + b"\n", self._problem.rules)
        is_json = begins_json(next((line for line in lines if not _is_comment(line)), b""))
        if verdict.violations:
            fault = verdict.violations[0]
            # of a JSON object lines are numbers of turns
            return _Judged(verdict, (0 if is_json else max(0, fault.line - 1), fault.message))
        read = {turn.line for turn in verdict.turns}
        for number, line in enumerate(lines, start=1):
            if not (is_json or _is_comment(line) or number in read):
                text = quote(line.decode("utf-8", "replace").strip())
                return _Judged(verdict, (number - 1, f"{text} is no turn: expected three fields, left draws, play and word"))
        return _Judged(verdict, None)

    def _fault(self, line: int, message: str) -> None:
        self.faulty += 1
        if self.first_fault is None:
            self.first_fault = f"line {line} of its output: {message}"
            self._run.tell(f"an answer that is not valid is passed over: {self.first_fault}")
