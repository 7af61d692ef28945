"""How runs end when their user has seen enough."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from solver.search.run import Run

_IMPATIENCE = 1.0  # seconds after which Ctrl-C again means that somebody does not want to wait
CTRL_C = (signal.SIGINT,)
# a terminal that goes away; whoever was started to outlive it stays as told
_HANG_UP = [signal.SIGHUP] if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []
ALL = (signal.SIGINT, signal.SIGTERM, *_HANG_UP)


class Ending:
    """Ends the run under way with what it has, and runs that follow it at once, when a signal comes.

    Ctrl-C a second time, a while later, raises `KeyboardInterrupt`. Signals that come together mean the same once: a terminal
    that goes away and whoever manages a service send several.
    """

    def __init__(self) -> None:
        self._told: float | None = None
        self._run: Run | None = None

    @property
    def is_told(self) -> bool:
        """Whether a signal has come."""
        return self._told is not None

    def of(self, run: Run) -> Run:
        """`run`, which is under way from now on."""
        self._run = run
        if self._told is not None:  # between two runs
            run.interrupt()
        return run

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """What a signal does."""
        if self._told is None:
            self._told = time.monotonic()
            if self._run is not None:
                self._run.interrupt()
        elif number == signal.SIGINT and time.monotonic() - self._told > _IMPATIENCE:
            raise KeyboardInterrupt


def on_signals(handle: Callable[[int, FrameType | None], object], numbers: Sequence[signal.Signals] = ALL) -> dict[Any, Any]:
    """Let signals call `handle`; returns what they did before."""
    # said for Ctrl-C even where it is Python's default: a script's background job starts with it ignored
    return {number: signal.signal(number, handle) for number in numbers}


@contextmanager
def ending_on(numbers: Sequence[signal.Signals]) -> Iterator[Ending]:
    """An ending that these signals bring about, until the context is left.

    In threads other than the first none does: Python lets only that one handle signals.
    """
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield ending
        return
    before = on_signals(ending.handle, numbers)
    try:
        yield ending
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
