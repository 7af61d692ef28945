"""Checks the certificates of the record book from nothing, and keeps who confirmed which.

A check takes minutes. So each one that ends is written at once, and the same command goes on with
those that are missing: those of a certificate that has changed, and those by another version of the
checker.
"""

import datetime
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from journals import ToolJournal
from solver.commands.cli import run_command
from solver.commands.options import FOLDER_THERE
from solver.errors import RowdrawError
from verify.bound.certificate import read_certificate
from verify.bound.compiled import VERSION

_CLONE = Path(__file__).resolve().parents[1]
_SOURCE = _CLONE / "verify" / "bound" / "check.c"
_SHOWN = 16  # digits of a hash


@dataclass(frozen=True)
class Check:
    """A check that has ended.

    Attributes:
        puzzle: The name of the puzzle.
        checker: `verify` or `check.c`.
        certificate: The first digits of the certificate's digest.
        version: The first digits of the hash of the checker's source.
        verdict: `holds` or `does not hold`.
        seconds: The processor time that it took, which other work on the machine changes little.
        date: When it ended.
    """

    puzzle: str
    checker: str
    certificate: str
    version: str
    verdict: str
    seconds: int
    date: str


def versions() -> dict[str, str]:
    """Return the version of each checker."""
    return {
        "check.c": hashlib.sha256(_SOURCE.read_bytes()).hexdigest()[:_SHOWN],
        "verify": VERSION[:_SHOWN],
    }


JOURNAL = ToolJournal("checks.jsonl", Check, lambda check: (check.puzzle, check.checker))


def digests(results: Path) -> dict[str, str]:
    """Return the first digits of the digests of all certificates of a record book, by puzzle."""
    paths = sorted(results.glob("*/certificate.txt"))
    return {
        path.parent.name: read_certificate(path.read_bytes(), str(path)).digest[:_SHOWN]
        for path in paths
    }


@contextmanager
def _command(checker: str) -> Iterator[list[str]]:
    """Yield the command of a checker, which lacks the certificate and what comes after it."""
    if checker == "verify":
        yield [sys.executable, "-m", "verify"]
        return
    with tempfile.TemporaryDirectory() as folder:
        command = ["cc", "-O3", "-o", f"{folder}/check", str(_SOURCE)]
        parallel = [*command, "-fopenmp"]  # some compilers lack OpenMP
        if shutil.which("cc") is None or all(
            subprocess.run(one, check=False).returncode for one in (parallel, command)
        ):
            raise RowdrawError("check.c cannot be compiled: expected a C compiler named cc")
        yield [f"{folder}/check"]


def _verdict(command: list[str]) -> str:
    """Return what a checker decides. Raises `RowdrawError` with what it says if that is nothing."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RowdrawError(done.stderr.strip() or f"exit code {done.returncode}")
    if done.returncode:
        click.echo(done.stdout.partition("\n")[0], err=True)
    return "does not hold" if done.returncode else "holds"


@click.command()
@click.argument("checker", type=click.Choice(list(versions())))
@click.argument("puzzles", nargs=-1)
@click.option(
    "--results",
    type=FOLDER_THERE,
    default=_CLONE / "results",
    help="The record book, default that of the clone.",
)
def checks(checker: str, puzzles: tuple[str, ...], results: Path) -> int:
    """Check the certificates of PUZZLES, default all, that this version of CHECKER has not checked.

    Exit code 1 if a certificate does not hold.
    """
    on_file, version = digests(results), versions()[checker]
    if unknown := sorted({*puzzles} - {*on_file}):
        raise RowdrawError(f"{results}: no certificate of {', '.join(unknown)}")
    words = [str(_CLONE / "data" / "enable1.txt")] if checker == "check.c" else []
    known, failed = JOURNAL.entries(results), []
    with _command(checker) as command:
        for puzzle in puzzles or on_file:
            check = known.get((puzzle, checker))
            if check is None or (check.certificate, check.version) != (on_file[puzzle], version):
                before = os.times()
                verdict = _verdict([*command, str(results / puzzle / "certificate.txt"), *words])
                after = os.times()
                today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
                seconds = round(
                    sum(after[2:4]) - sum(before[2:4])
                )  # of child processes, in user and system
                check = Check(puzzle, checker, on_file[puzzle], version, verdict, seconds, today)
                JOURNAL.keep(results, check)
                click.echo(f"{puzzle}: {verdict}, {seconds} s of processor time by {checker}")
            if check.verdict != "holds":
                failed.append(puzzle)
    count = len(puzzles or on_file)
    others = f", not {', '.join(failed)}" if failed else ""
    click.echo(f"{count - len(failed)} of {count} certificates hold{others}")
    return int(bool(failed))


if __name__ == "__main__":
    run_command(checks, sys.argv[0], sys.argv[1:])
