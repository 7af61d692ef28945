"""`python -m tests.fuzz`: fuzzes readers for a given time, and keeps what it finds."""

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.run import HEAD, TARGETS, Figures, fuzz


def main() -> int:
    """Fuzz; exit code 1 if anything was found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Feed readers with mutated inputs."
    )
    parser.add_argument(
        "targets", nargs="*", metavar="READER", help=f"of {', '.join(TARGETS)} (default: all)"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="for each reader (10)")
    parser.add_argument("--seed", type=int, default=0, help="another one gives other inputs (0)")
    parser.add_argument(
        "--keep", type=Path, default=Path("findings"), help="folder for what it finds (findings)"
    )
    options = parser.parse_args()
    strange = [name for name in options.targets if name not in TARGETS]
    if strange:
        parser.error(f"{strange[0]!r}: expected one of {', '.join(TARGETS)}")
    print(HEAD)
    found = 0
    for name in options.targets or TARGETS:
        end = time.monotonic() + options.seconds

        def goes_on(_figures: Figures, end: float = end) -> bool:
            return time.monotonic() < end

        figures = fuzz(name, options.seed, goes_on, options.keep)
        print(figures.line(), flush=True)
        found += len(figures.findings)
    if found:
        print(f"{found:,} inputs were not taken well: see {options.keep}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
