"""The answers in a program's output: the referee reads each block of lines when it is complete.

So a program may print what people post: turns in any order of the columns, and remarks. The game
decides what is a turn.
"""

import re

from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.result import replayed
from verify.answers import judge_file
from verify.text import quote

LONGEST_LINE = 11_000  # bytes that are read of a line; the comment with the longest row has fewer
_LONGEST_BLOCK = 100_000  # bytes; turns to the longest row have fewer
_NO_TURN = "it printed no turn"
_SCORE = re.compile(rb"#\s*score\b", re.IGNORECASE)


class AnswerReader:
    """Judges the answers of a stream as they arrive, and offers the valid ones to a run.

    A block of lines ends at an empty line, at a line `# score N` after its turns, and at the end of
    the stream. It holds at most one block, up to a limit.

    Attributes:
        good: The number of valid answers.
        faulty: The number of answers that are not valid.
        fault: Why no answer is valid: the fault of the first one, with its line in the stream.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.good = 0
        self.faulty = 0
        self.fault = _NO_TURN
        self._run = run
        self._rules = problem.rules
        self._seconds = 0.0  # since the run's start, when the last line arrived
        self._number = 0  # of the last whole line
        self._first = 0  # of the block's first line
        self._block: list[bytes] = []
        self._size = 0

    def read(self, line: bytes, seconds: float) -> None:
        """Read a line that has arrived `seconds` after the start of the run."""
        self._seconds = seconds
        # a progress display returns to the start of its line
        line = line.strip().rpartition(b"\r")[2]
        self._number += 1
        if not line:
            self.end()
            return
        if not self._block:
            self._first = self._number
        self._block.append(line)
        self._size += len(line) + 1
        is_score = _SCORE.match(line) and not all(map(_is_comment, self._block))
        if is_score or self._size > _LONGEST_BLOCK:
            self.end()

    def end(self) -> None:
        """Judge the answers in the block, which ends here."""
        text = b"\n".join(self._block)[:_LONGEST_BLOCK]
        verdicts = judge_file(text, lambda _stated: self._rules, "output")
        if self._block and not verdicts and self.fault == _NO_TURN:
            self.fault += (
                f": line {self._first}: {quote(self._block[0].decode('utf-8', 'replace'))}"
            )
        for verdict in verdicts:
            if verdict.valid:
                self.good += 1
                self._run.offer_found(replayed(verdict), self._seconds)
            else:
                fault = verdict.violations[0]
                self._report(self._first + max(0, fault.line - 1), fault.message)
        self._block = []
        self._size = 0

    def _report(self, line: int, message: str) -> None:
        """Report the first answer that is not valid."""
        self.faulty += 1
        if self.faulty == 1:
            self.fault = f"line {line} of its output: {message}"
            self._run.tell(f"an answer that is not valid is ignored: {self.fault}")


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"#")
