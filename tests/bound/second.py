"""The second checker of certificates, `verify/bound/check.c`, next to the referee."""

import hashlib
import os
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.needs import COMPILER, SANITIZERS
from verify.bound.certificate import read_certificate
from verify.bound.verdict import judge_certificate
from verify.rules import Rules, RulesError

SOURCE = Path(__file__).resolve().parents[2] / "verify/bound/check.c"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-stringop-overflow")


class Outcome(NamedTuple):
    """The exit code, standard output and standard error of a check."""

    code: int
    out: str
    error: str = ""


@cache
def program() -> Path:
    """The compiled checker, which stops at its first access outside an array and its first overflow."""
    assert COMPILER is not None, "a test that calls this asks for the fixture `compiler`"
    path = Path(tempfile.mkdtemp(prefix="rowdraw-check-")) / "check"
    subprocess.run([COMPILER, "-O1", "-pthread", *STRICT, *SANITIZERS, "-o", path, SOURCE], check=True)
    return path


def checked(certificate: Path | str, words: Path | str) -> Outcome:
    """The outcome of the second checker. A verdict comes alone, and so does an error."""
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}  # it ends before it would free its memory
    done = subprocess.run([program(), certificate, words], check=False, capture_output=True, timeout=600, env=environment)
    out, error = done.stdout.decode("ascii"), done.stderr.decode("ascii", "replace")
    is_refused = done.returncode == 2
    if done.returncode not in (0, 1, 2) or is_refused != bool(error) or is_refused == bool(out):
        raise AssertionError(f"exit code {done.returncode}: {out!r}, {error!r}")
    return Outcome(done.returncode, out, error)


def sealed(body: str) -> str:
    """A certificate with the digest that belongs to its lines."""
    return f"{body}end {hashlib.sha256(body.encode('latin-1')).hexdigest()}\n"


@dataclass(frozen=True)
class Checked:
    """A folder with a list of words, to check certificates of one puzzle with both checkers.

    Attributes:
        folder: The folder.
        rules: The puzzle, as the referee has it.
    """

    folder: Path
    rules: Rules

    @classmethod
    def of(cls, folder: Path, rules: Rules, words: bytes) -> "Checked":
        """Write the list of words into a folder."""
        (folder / "words.txt").write_bytes(words)
        return cls(folder, replace(rules, name="small"))

    def second(self, certificate: bytes | str) -> Outcome:
        """The outcome of the second checker."""
        content = certificate if isinstance(certificate, bytes) else certificate.encode("latin-1")
        (self.folder / "c.txt").write_bytes(content)
        return checked(self.folder / "c.txt", self.folder / "words.txt")

    def referee(self, text: str) -> int:
        """The exit code of the referee."""
        try:
            verdict = judge_certificate(read_certificate(text.encode(), "c.txt"), self.rules, "c.txt")
        except RulesError:
            return 2
        return 0 if verdict.valid else 1
