"""Python processes that find the modules of this process, and that end with it."""

import json
import os
import sys
import threading
from os import _exit  # itself, whatever a plug-in finds in its place
from pathlib import Path

# `-c` would look into the current folder first, which may hold another solver.py or verify.py
_START = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); {}"


def python_command(statements: str, *arguments: str) -> list[str]:
    """Return the command that runs statements such as `from solver.commands.cli import main.

    Main()` in a new process.
    """
    return [
        sys.executable,
        "-P",
        "-c",
        _START.format(statements),
        json.dumps(_safe_path()),
        *arguments,
    ]


def end_with_parent() -> None:
    """Exit at the end of standard input, when the process that started this one has ended."""

    def wait() -> None:
        while os.read(0, 1 << 12):
            pass
        _exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _safe_path() -> list[str]:
    """Return where this process looks for modules, without the current folder."""
    ours = str(Path(__file__).resolve().parents[2])
    places = [
        ours if place == "" else place for place in sys.path if place == "" or os.path.isabs(place)
    ]
    # an editable install, or a clone that was put on the path in another way, is found elsewhere
    return list(dict.fromkeys(places if ours in places else [*places, ours]))
