"""`python -m tests.faults [COMMAND ...]`: lets each change of files fail, or kills before it."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from tests.faults.trial import COMMANDS, check_failing, check_killed, count


def main() -> int:
    """Print a Markdown table; exit code 1 if anything was lost."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description="Let every change of a file fail once."
    )
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(COMMANDS)} (default: all)"
    )
    names = parser.parse_args().commands or list(COMMANDS)
    if strange := [name for name in names if name not in COMMANDS]:
        parser.error(f"{strange[0]!r}: expected one of {', '.join(COMMANDS)}")
    print(
        "| command | changes of files | failed | killed | not taken well |\n"
        "| --- | ---: | ---: | ---: | ---: |"
    )
    lost = 0
    for name in names:
        with TemporaryDirectory() as folder:
            changes = count(name, Path(folder) / "count")
            bad = 0
            for number in tqdm(range(1, changes + 1), desc=name, mininterval=10):
                for check in (check_failing, check_killed):
                    try:
                        check(name, Path(folder) / f"{check.__name__}-{number}", number)
                    except AssertionError as error:
                        bad += 1
                        print(
                            f"{name}, change {number}, {check.__name__}: {str(error)[-2000:]}",
                            file=sys.stderr,
                        )
        print(f"| {name} | {changes} | {changes} | {changes} | {bad} |", flush=True)
        lost += bad
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
