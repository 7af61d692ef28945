"""From what a program prints to its answers, each judged when it is complete."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.referee import replayed
from verify import judge

_MOST = 1_000_000  # bytes of an answer; one to the longest row has fewer
_LONGEST_LINE = 20_000  # bytes that are kept of a line; the referee refuses such a turn
_SCORE = re.compile(rb"\s*#\s*score\b", re.IGNORECASE)


@dataclass
class AnswerText:
    """Lines of an answer, the first of which is line `first` of the output.

    turns: lines that are no comments.
    too_long: lines beyond the limit were left out.
    """

    first: int
    lines: list[bytes] = field(default_factory=list)
    size: int = 0
    turns: int = 0
    too_long: bool = False

    def add(self, line: bytes) -> None:
        """Add a line."""
        if self.size + len(line) > _MOST:
            self.too_long = True
            return
        self.lines.append(line)
        self.size += len(line) + 1
        self.turns += not line.lstrip().startswith(b"#")


class AnswerSplitter:
    """Cuts a stream into answers. It holds one answer at most, and of that no more than a limit.

    An answer is complete at an empty line, at a line `# score N` behind its turns, and at the end of the stream.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._number = 1
        self._answer = AnswerText(1)

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
        if line.strip():
            self._answer.add(line)
        if self._answer.turns and (not line.strip() or _SCORE.match(line)):
            yield self._take()
        elif not self._answer.lines:
            self._answer = AnswerText(self._number)

    def _take(self) -> AnswerText:
        answer, self._answer = self._answer, AnswerText(self._number)
        return answer


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
        return self.first_fault or "it printed no turn"

    def end(self, *, cut: bool) -> None:
        """Judge what is left, see `AnswerSplitter.end`."""
        for answer in self._splitter.end(cut=cut):
            self._judge(answer)

    def _judge(self, answer: AnswerText) -> None:
        if answer.too_long:
            self._fault(answer.first, f"an answer of more than {_MOST:,} bytes: expected an empty line behind each answer")
            return
        verdict = judge(b"\n".join(answer.lines) + b"\n", self._problem.rules)
        if verdict.valid:
            self.good += 1
            self._run.offer(replayed(verdict), self._seconds)
        else:
            fault = verdict.violations[0]
            self._fault(answer.first + max(0, fault.line - 1), fault.message)

    def _fault(self, line: int, message: str) -> None:
        self.faulty += 1
        if self.first_fault is None:
            self.first_fault = f"line {line} of its output: {message}"
            self._run.tell(f"an answer that is not valid is passed over: {self.first_fault}")
