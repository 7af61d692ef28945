"""End a run early on signals such as Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from solver.search.run import Run

_IMPATIENCE = 1.0  # seconds after which a second Ctrl-C means that the user will not wait
CTRL_C = (signal.SIGINT,)
# sent when the terminal is closed; a process that was started to ignore it, as by nohup, still ignores it
_HANG_UP = [signal.SIGHUP] if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []
ALL = (signal.SIGINT, signal.SIGTERM, *_HANG_UP)


class Ending:
    """Interrupts the current run on a signal, so that its best answer counts, and every later run at once.

    A second Ctrl-C, over a second later, raises `KeyboardInterrupt`. Signals that arrive together count as one, because several
    arrive when a terminal is closed or a service manager stops a process.
    """

    def __init__(self) -> None:
        self._signalled_at: float | None = None
        self._run: Run | None = None

    @property
    def was_signalled(self) -> bool:
        """Whether a signal has arrived."""
        return self._signalled_at is not None

    def of(self, run: Run) -> Run:
        """Make `run` the current run and return it."""
        self._run = run
        if self._signalled_at is not None:  # between two runs
            run.interrupt()
        return run

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """The signal handler: end the current run, or raise `KeyboardInterrupt` at a second Ctrl-C."""
        if self._signalled_at is None:
            self._signalled_at = time.monotonic()
            if self._run is not None:
                self._run.interrupt()
        elif number == signal.SIGINT and time.monotonic() - self._signalled_at > _IMPATIENCE:
            raise KeyboardInterrupt


def on_signals(handle: Callable[[int, FrameType | None], object], numbers: Sequence[signal.Signals] = ALL) -> dict[Any, Any]:
    """Let the signals `numbers` call `handle`, and return their former handlers."""
    # also for Ctrl-C, which Python does not handle in a background job of a script: there it starts ignored
    return {number: signal.signal(number, handle) for number in numbers}


@contextmanager
def ending_on(numbers: Sequence[signal.Signals]) -> Iterator[Ending]:
    """Return an `Ending` that handles these signals until the context is left.

    Threads other than the main one handle no signal, since Python allows it only there.
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
