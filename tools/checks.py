"""Checks the certificates of the record book from nothing, and keeps which checker confirmed which certificate.

A check takes minutes. So each one that ends is written at once, and the same command goes on with those that are missing: those
of a certificate that has changed, and those by another version of the checker.
"""

import argparse
import csv
import datetime
import hashlib
import io
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from solver.files import replace_file
from verify.bound.compiled import VERSION

_CLONE = Path(__file__).resolve().parents[1]
_SOURCE = _CLONE / "verify" / "bound" / "check.c"
_WORDS = _CLONE / "data" / "enable1.txt"
_SHOWN = 16  # digits of a hash


class Check(NamedTuple):
    """A check that has ended.

    Attributes:
        puzzle: The name of the puzzle.
        certificate: The first digits of the certificate's digest.
        checker: `rowdraw verify` or `check.c`.
        version: The first digits of the hash of the checker's source.
        verdict: `holds` or `does not hold`.
        seconds: How long it took.
        date: When it ended.
    """

    puzzle: str
    certificate: str
    checker: str
    version: str
    verdict: str
    seconds: str
    date: str


def versions() -> dict[str, str]:
    """Return the version of each checker."""
    return {"check.c": hashlib.sha256(_SOURCE.read_bytes()).hexdigest()[:_SHOWN], "rowdraw verify": VERSION[:_SHOWN]}


def read_checks(table: Path) -> list[Check]:
    """Return the checks in a table; none if it does not exist."""
    if not table.exists():
        return []
    with table.open(encoding="ascii", newline="") as file:
        header, *rows = csv.reader(file)
    if tuple(header) != Check._fields or any(len(row) != len(header) for row in rows):
        raise ValueError(f"{table}: expected the columns {', '.join(Check._fields)}")
    return [Check(*row) for row in rows]


def write_checks(table: Path, checks: list[Check]) -> None:
    """Write checks to a table, by puzzle and checker."""
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows([Check._fields, *sorted(checks)])
    replace_file(table, lines.getvalue())


def certificates(results: Path) -> dict[str, Path]:
    """Return the certificates of a record book, by puzzle."""
    return {path.parent.name: path for path in sorted(results.glob("*/certificate.txt"))}


def digest_of(certificate: Path) -> str:
    """Return the first digits of a certificate's digest."""
    return certificate.read_text(encoding="ascii").rpartition("end ")[2][:_SHOWN]


def missing(results: Path, checks: list[Check], checker: str) -> Iterator[tuple[str, Path]]:
    """Yield the puzzles, and their certificates, that this version of a checker has not checked."""
    done = {(check.puzzle, check.certificate, check.checker, check.version) for check in checks}
    for puzzle, path in certificates(results).items():
        if (puzzle, digest_of(path), checker, versions()[checker]) not in done:
            yield puzzle, path


def _checked(command: list[str], puzzle: str, certificate: Path, checker: str) -> Check:
    """Run a checker. Raises `ValueError` with what it says if it gives no verdict."""
    begun = time.monotonic()
    version, digest = versions()[checker], digest_of(certificate)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.strip() or f"exit code {done.returncode}")
    if done.returncode:
        print(done.stdout.partition("\n")[0], file=sys.stderr)
    verdict = "does not hold" if done.returncode else "holds"
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return Check(puzzle, digest, checker, version, verdict, f"{time.monotonic() - begun:.0f}", today)


def main() -> int:
    """Run the checks that are missing, and return the exit code: 1 if a certificate does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checker", choices=["check.c", "rowdraw"], help="the checker")
    parser.add_argument("puzzles", nargs="*", help="the puzzles, default all of the record book")
    parser.add_argument("--results", type=Path, default=_CLONE / "results", help="the record book, default %(default)s")
    options = parser.parse_args()
    if unknown := sorted({*options.puzzles} - {*certificates(options.results)}):
        print(f"{options.results}: no certificate of {', '.join(unknown)}", file=sys.stderr)
        return 2
    table, checker = options.results / "checks.csv", "check.c" if options.checker == "check.c" else "rowdraw verify"
    with tempfile.TemporaryDirectory() as folder:
        if checker == "check.c":
            binary = str(Path(folder) / "check")
            compiling = ["cc", "-O3", "-pthread", "-o", binary, str(_SOURCE)]
            if shutil.which("cc") is None or subprocess.run(compiling, check=False).returncode:
                print("check.c cannot be compiled: expected a C compiler named cc", file=sys.stderr)
                return 2
        for puzzle, path in list(missing(options.results, read_checks(table), checker)):
            if options.puzzles and puzzle not in options.puzzles:
                continue
            command = [binary, str(path), str(_WORDS)] if checker == "check.c" else ["rowdraw", "verify", str(path)]
            try:
                check = _checked(command, puzzle, path, checker)
            except ValueError as error:
                print(f"{path}: {error}", file=sys.stderr)
                return 2
            kept = [some for some in read_checks(table) if (some.puzzle, some.checker) != (puzzle, checker)]
            write_checks(table, [*kept, check])
            print(f"{puzzle}: {check.verdict}, {check.seconds} s by {checker}", flush=True)
    held = all(check.verdict == "holds" for check in read_checks(table))
    return 0 if held else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the checker ends, too
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
