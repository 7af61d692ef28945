"""The second checker of certificates, `verify/bound/check.c`, next to the referee."""

import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from verify.bound import is_certificate
from verify.bound.certificate import judge_certificate, read_certificate
from verify.replay.rules import Rules, RulesError

SOURCE = Path(__file__).resolve().parents[2] / "verify/bound/check.c"
STRICT = ("-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-Wno-format-truncation")


class Outcome(NamedTuple):
    """The exit code and standard output of a check."""

    code: int
    out: str


@cache
def program() -> Path:
    """The compiled checker."""
    path = Path(tempfile.mkdtemp(prefix="rowdraw-check-")) / "check"
    subprocess.run(["cc", "-O1", "-pthread", *STRICT, "-o", path, SOURCE], check=True)
    return path


def checked(certificate: Path | str, puzzle: Path | str, words: Path | str) -> Outcome:
    """The outcome of the second checker."""
    done = subprocess.run([program(), certificate, puzzle, words], check=False, capture_output=True, timeout=600)
    if (
        done.returncode not in (0, 1, 2)
        or (done.returncode == 2) != bool(done.stderr)
        or (done.returncode == 2) == bool(done.stdout)
    ):
        raise AssertionError(f"exit code {done.returncode}: {done.stdout!r}, {done.stderr!r}")
    return Outcome(done.returncode, done.stdout.decode("utf-8", "replace"))


@dataclass(frozen=True)
class Checked:
    """A folder with a puzzle, to check certificates of it with both checkers.

    Attributes:
        folder: The folder.
        rules: The puzzle, as the referee has it.
    """

    folder: Path
    rules: Rules

    @classmethod
    def of(cls, folder: Path, rules: Rules, words: bytes) -> "Checked":
        """Write the puzzle and the list of its words into a folder."""
        values = ", ".join(f"{tile} = {value}" for tile, value in rules.values.items() if tile != "?")
        puzzle = f'name = "small"\nrow = "{rules.row}"\nrack = {rules.rack_size}\nvalues = {{ {values} }}\n'
        (folder / "puzzle.toml").write_text(puzzle, encoding="utf-8")
        (folder / "words.txt").write_bytes(words)
        return cls(folder, replace(rules, name="small"))

    def both(self, certificate: bytes) -> tuple[Outcome, Outcome]:
        """The outcomes of the referee and of the second checker, whose texts name puzzle and certificate alike."""
        path, puzzle, words = (self.folder / name for name in ("c.json", "puzzle.toml", "words.txt"))
        path.write_bytes(certificate)
        code, out = checked(path, puzzle, words)
        named = f"small ({puzzle}), with the words of {words}"
        return self._referee(certificate, str(path)), Outcome(code, out.replace(named, "small"))

    def _referee(self, certificate: bytes, name: str) -> Outcome:
        try:
            if not is_certificate(certificate):
                return Outcome(2, "")
            verdict = judge_certificate(read_certificate(certificate, name), self.rules, name)
        except RulesError:
            return Outcome(2, "")
        return Outcome(0 if verdict.valid else 1, verdict.as_text())
