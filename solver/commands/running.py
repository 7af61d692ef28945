"""What the commands that search share: puzzle, seconds, processors, files, and how they are interrupted."""

import math
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from solver.errors import RowdrawError

if TYPE_CHECKING:
    from solver.model.puzzle import Puzzle
    from solver.search.run import Run

INTERRUPTED = 130
_IMPATIENCE = 1.0  # seconds after which Ctrl-C again means that somebody does not want to wait


class Seconds(click.FloatRange):
    """A time limit: a number of seconds, finite. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value}: expected a number of seconds", param, ctx)
        return seconds


threads_option = click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="Default: one a processor.")


words_option = click.option(
    "--words",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Another word list than the puzzle's, a word a line.",
)


def journal_option(what: str) -> Callable[[Any], Any]:
    """`-o`: the folder of a command that goes on where it was left. what: it says."""
    folder = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--output", type=folder, required=True, metavar="FOLDER", help=what)


def chosen_puzzle(name: str, row: str | None, words: Path | None) -> "Puzzle":
    """The puzzle called `name`, with another `row` and another list of `words` where they are given."""
    from solver.model.puzzle import load_puzzle

    chosen = load_puzzle(name, words)
    return chosen if row is None else chosen.with_row(row)


def check_folder(output: Path | None) -> None:
    """Raises `RowdrawError` where `output` cannot be written for want of a folder."""
    if output is not None and not output.parent.is_dir():
        raise RowdrawError(f"{output}: the folder {output.parent} does not exist")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ending:
    """Ctrl-C, and being told to end, end the run under way with what it has, and runs that follow it at once.

    Ctrl-C a second time, a while later, ends the command there and then. Signals that come together mean the same once: a
    terminal that goes away and whoever manages a service send several.
    """

    def __init__(self) -> None:
        self._told: float | None = None
        self._run: Run | None = None
        _on_signals(self._handle)

    def of(self, run: "Run") -> "Run":
        """`run`, which is under way from now on."""
        self._run = run
        if self._told is not None:  # between two runs
            run.interrupt()
        return run

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self._told is None:
            self._told = time.monotonic()
            if self._run is not None:
                self._run.interrupt()
        elif number == signal.SIGINT and time.monotonic() - self._told > _IMPATIENCE:
            raise KeyboardInterrupt


def interrupt_on_signals() -> None:
    """Let Ctrl-C, and being told to end, raise KeyboardInterrupt: what is under way is ended and cleared up."""
    _on_signals(signal.default_int_handler)


def _on_signals(handle: Callable[[int, FrameType | None], object]) -> None:
    # said for both even where it is Python's default: a script's background job starts with SIGINT ignored
    signal.signal(signal.SIGINT, handle)
    signal.signal(signal.SIGTERM, handle)
    # a terminal that goes away; whoever was started to outlive it stays as told
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, handle)
