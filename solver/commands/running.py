"""What the commands that search share: seconds, processors, and how they are interrupted."""

import math
import os
import signal
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from solver.search.strategy import Run

INTERRUPTED = 130


class Seconds(click.FloatRange):
    """A time limit: a number of seconds, finite. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value}: expected a number of seconds", param, ctx)
        return seconds


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_on_signals(run: "Run") -> None:
    """Let Ctrl-C end the run with what it has, and a second one end it at once."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        if run.interrupted:
            raise KeyboardInterrupt
        run.interrupt()

    signal.signal(signal.SIGINT, handle)
    signal.signal(signal.SIGTERM, handle)
