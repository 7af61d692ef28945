"""The answers in a program's output: the referee reads each block of lines when it is complete.

So a program may print what people post: turns in any order of the columns, JSON, and remarks. The
game decides what is a turn.
"""

import re

from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.result import replayed
from verify.answers import judge_file
from verify.text import counted, quote

# bytes that are judged of a line; the comment with the longest row has fewer
_LONGEST_LINE = 11_000
_LONGEST_BLOCK = 100_000  # bytes; turns to the longest row have fewer
_LONGEST_JSON = 1_000_000  # bytes of a JSON object, and of a line that is kept
_SCORE = re.compile(rb"#\s*score\b", re.IGNORECASE)


class AnswerReader:
    """Judges the answers of a stream as they arrive, and offers the valid ones to a run.

    A block of lines ends at an empty line, at a line `# score N` after its turns, with a whole JSON
    object, and at the end of the stream. It holds at most one block, up to a limit.

    Attributes:
        good: The number of valid answers.
        faulty: The number of answers that are not valid.
        noise: The number of lines that are neither turns nor comments.
        first_fault: The fault of the first answer that is not valid, with its line in the stream;
            None without one.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.good = 0
        self.faulty = 0
        self.noise = 0
        self.first_fault: str | None = None
        self._first_noise = ""
        self._run = run
        self._rules = problem.rules
        self._seconds = 0.0  # since the run's start, when the last chunk arrived
        self._line = bytearray()
        self._number = 0  # of the last whole line
        self._block: list[bytes] = []
        self._size = 0
        self._depth = 0  # open braces
        self._is_json = False

    def read(self, chunk: bytes) -> None:
        """Judge the answers that `chunk`, which has just arrived, completes."""
        self._seconds = self._run.elapsed
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._extend(part)
            self._end_line()
        self._extend(rest)

    def end(self, *, cut: bool) -> None:
        """Judge the rest. If the stream was `cut`, a last line without an end does not count."""
        if self._line and not cut:
            self._end_line()
        self._end_block()

    @property
    def fault(self) -> str:
        """Why there is no valid answer."""
        noise = f": {self._first_noise}" if self._first_noise else ""
        return self.first_fault or f"it printed no turn{noise}"

    def tell_noise(self) -> None:
        """Report how many lines were ignored."""
        if self.noise:
            lines = counted(self.noise, "line", grouped=True)
            self._run.tell(
                f"ignored {lines} of the program's output, neither turns nor comments, "
                f"first {self._first_noise}"
            )

    def _extend(self, part: bytes) -> None:
        self._line += part[: _LONGEST_JSON - len(self._line)]

    def _end_line(self) -> None:
        # a progress display returns to the start of its line
        line = bytes(self._line).strip().rpartition(b"\r")[2]
        self._line.clear()
        is_object = line == b"{" or (line.startswith(b"{") and b'"turns"' in line)
        begins_json = is_object and not self._is_json
        if not line or begins_json:
            self._end_block()
        self._number += 1
        if not line:
            return
        self._is_json |= begins_json
        self._block.append(line)
        self._size += len(line) + 1
        self._depth += line.count(b"{") - line.count(b"}")
        if self._is_json:
            is_whole = self._depth <= 0 or self._size > _LONGEST_JSON
        else:
            is_score = _SCORE.match(line) and not all(map(_is_comment, self._block))
            is_whole = is_score or self._size > _LONGEST_BLOCK
        if is_whole:
            self._end_block()

    def _end_block(self) -> None:
        """Judge the block, whose last line is the last whole one."""
        first = self._number - len(self._block) + 1
        text = b"\n".join(self._block)
        if not self._is_json:
            text = b"\n".join(line[:_LONGEST_LINE] for line in self._block)[:_LONGEST_BLOCK]
        read = set()
        verdicts = judge_file(text, lambda _stated: self._rules, "output")
        is_json = self._is_json and bool(verdicts)
        for verdict in verdicts:
            read |= {line for line, _text in verdict.reading.taken}
            if verdict.valid:
                self.good += 1
                self._run.offer_found(replayed(verdict), self._seconds)
            else:
                fault = verdict.violations[0]
                # in a JSON object, the line of a fault is the number of a turn
                place = first if is_json else first + max(0, fault.line - 1)
                self._report(f"line {place} of its output: {fault.message}")
        for place, line in enumerate(self._block, start=1):
            if not (is_json or place in read or _is_comment(line)):
                self.noise += 1
                shown = quote(line.decode("utf-8", "replace"))
                self._first_noise = self._first_noise or f"line {first + place - 1}: {shown}"
        self._block = []
        self._size = 0
        self._depth = 0
        self._is_json = False

    def _report(self, fault: str) -> None:
        self.faulty += 1
        if self.first_fault is None:
            self.first_fault = fault
            self._run.tell(f"an answer that is not valid is ignored: {fault}")


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"#")
