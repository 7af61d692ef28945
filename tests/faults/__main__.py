"""`python -m tests.faults [COMMAND ...]`: lets each change of files fail, or kills before it."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from tests.faults.trial import COMMANDS, check_failing, check_killed, count


def main() -> int:
    """Print a Markdown table; exit code 1 if anything was lost."""
    names = sys.argv[1:] or list(COMMANDS)
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
