"""The output files that a user names, and the rule by which they replace files that exist."""

import errno
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solver.errors import TargetError
from solver.files import is_stdout, is_stream, locked, replace_bytes
from solver.show.forms import FORMS, TEXT, Form
from verify import Rules, judge, judge_all
from verify.files import LARGEST_CERTIFICATE, is_input, read_file
from verify.stated import comments_of

_LONGEST_NAME = 200  # bytes, since parts have longer names
# the comments that do not decide by which rules an answer is judged
_REMARK = re.compile(r"# (?:answer [0-9]+: [0-9]+ points|puzzle \S+)")


def best_game(content: bytes, rules: Rules) -> int | None:
    """Return the score of the best valid game of a puzzle in a file of any form; None if none."""
    scores = [verdict.score for verdict in judge_all(content, rules) if verdict.valid]
    return max(scores, default=None)


def best_answer(content: bytes, rules: Rules, *, is_single: bool = False) -> int | None:
    """Return the score of the best answer in a text.

    None unless the text holds valid answers to the puzzle, as rowdraw writes them, or one where it
    `is_single`, and nothing else that a person could miss.
    """
    lines = content.decode(errors="replace").strip().splitlines()
    comments = {_nameless(line) for line in lines if line.startswith("#")}
    stated = set(map(_nameless, comments_of(rules).splitlines()))
    turns = "\n".join(line for line in lines if not line.startswith("#"))
    verdicts = [judge(answer, rules, strict=True) for answer in turns.split("\n\n")]
    others = {line for line in comments ^ stated if not _REMARK.fullmatch(line)}
    has_more = is_single and len(verdicts) > 1
    if others or has_more or not all(verdict.valid for verdict in verdicts):
        return None
    return max(verdict.score for verdict in verdicts)


def _nameless(comment: str) -> str:
    """Return a comment without the name of a word list, whose hash says enough."""
    return re.sub("^# words .* ", "# words ", comment)


def _none(_content: bytes) -> None:
    return None


@dataclass(frozen=True)
class Output:
    """An output file.

    Attributes:
        path: The file; None or `-` for standard output.
        form: Its form.
        kind: What its generator line says; by default the name of the form.
        best_in: Returns what the best answer to the same puzzle in a file is worth, None if none.
            In a form without comments it is None, too, for a file that holds anything else.
        force: Whether any file that is no input may be replaced.
    """

    path: Path | None
    form: Form = FORMS[TEXT]
    kind: str = ""
    best_in: Callable[[bytes], float | None] = _none
    force: bool = False

    def check(self, score: float = math.inf) -> None:
        """Check, once all inputs are read and before any work, that the output may be written.

        Raises `TargetError`.
        """
        if self.path is None or self.is_stdout:
            return
        if not self.path.parent.is_dir():
            raise TargetError(f"{self.path}: the folder {self.path.parent} does not exist")
        if len(os.fsencode(self.path.name)) > _LONGEST_NAME:
            raise TargetError(f"{self.path}: expected a name of at most {_LONGEST_NAME} bytes")
        try:
            self._check(self.path, score)
        except OSError as error:
            remedy = "expected another name"
            if not is_input(self.path):
                remedy += ", or --force"
            raise TargetError(f"{self.path}: {error.strerror}: {remedy}") from error

    def write(self, text: str, score: float = 0) -> None:
        """Write the output, with its generator line unless it goes to a pipe or a device.

        Args:
            text: The output.
            score: What it is worth: the points of the best valid answer in it.

        Raises:
            FileExistsError: The file may not be replaced; `strerror` says why.
            OSError: The file cannot be written. Each error names it.
        """
        assert self.path is not None
        if not is_stream(self.path):
            text = self.form.signed(text, self._kind)
        with locked(self.path):
            self._check(self.path, score)
            replace_bytes(self.path, text.encode(errors="backslashreplace"))

    def best_there(self) -> float | None:
        """Return what the best answer in the file is worth; None if none.

        Raises `OSError` if the file cannot be read.
        """
        if self.path is None or not os.path.isfile(self.path):
            return None
        return self.best_in(_read(self.path))

    @property
    def is_stdout(self) -> bool:
        """Whether the output goes to standard output."""
        return self.path is None or is_stdout(self.path)

    @property
    def _kind(self) -> str:
        return self.kind or self.form.name

    def _check(self, path: Path, score: float) -> None:
        """Raise `FileExistsError` if the output, which is worth `score`, may not be written.

        It replaces what is blank, what its generator line calls output of the same kind, and, in a
        form without such a line, answers to the same puzzle: but nothing that is worth more.
        """
        if is_input(path):
            raise _refused(path, "the command reads it, and no input is written over")
        if self.force or not os.path.exists(path) or is_stream(path):
            return
        try:
            content = _read(path)
        except OSError as error:
            raise _refused(path, f"it exists and cannot be read ({error.strerror})") from error
        best = self.best_in(content)
        if best is not None and best > score:
            raise _refused(path, f"it stays as it is, with a better answer of {best:g} points")
        holds_answers = not self.form.comment and best is not None
        is_ours = holds_answers or self.form.is_signed(content, self._kind)
        if content.strip() and not is_ours:
            raise _refused(path, "it exists already")


def _refused(path: Path, why: str) -> FileExistsError:
    return FileExistsError(errno.EEXIST, why, str(path))


def _read(path: Path) -> bytes:
    return read_file(path, LARGEST_CERTIFICATE, as_input=False)
