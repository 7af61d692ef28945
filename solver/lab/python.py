"""Python processes that find the modules of this one, whatever the current folder holds."""

import json
import os
import sys
import threading
from pathlib import Path

# `-c` would look into the current folder first, which may hold another solver.py or verify.py
_START = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); {}"


def python_command(statements: str, *arguments: str) -> list[str]:
    """Return the command that runs statements, such as `import solver`, in a new process."""
    return [
        sys.executable,
        "-P",
        "-c",
        _START.format(statements),
        json.dumps(_safe_path()),
        *arguments,
    ]


def end_with_parent() -> None:
    """Exit at the end of standard input.

    It comes when the process that started this one exits or is killed.
    """

    def wait() -> None:
        while os.read(0, 1 << 12):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _safe_path() -> list[str]:
    """Return where this process looks for modules, but for the current folder.

    In its place is the folder of our package.
    """
    ours = str(Path(__file__).resolve().parents[2])
    places = [
        ours if place == "" else place for place in sys.path if place == "" or os.path.isabs(place)
    ]
    # an editable install, or a clone that was put on the path in another way, is found elsewhere
    return [*places, ours]
