"""A program that cannot outlive its run: a keeper starts it, and kills all that it has started.

What it prints has the time at which it arrives here, and no wait for it is without a deadline.
"""

import errno
import math
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from solver.errors import StrategyError
from verify.text import printable

_KEEPER = [sys.executable, "-I", "-S", str(Path(__file__).with_name("keeper.py"))]
_CHUNK = 4_096  # bytes: few enough that their answers, however short, are judged in a moment
_TAIL = 2_000  # bytes of standard error that are kept
_SHOWN = 600  # characters of it that a message shows
_SIGNALS = {number.value: number.name for number in signal.Signals}
_TICK = 0.02  # seconds that we wait for anything to arrive
# seconds for which a program that has closed its output may still run, and for which one that was
# asked to exit may still print
_GRACE = 0.5
_KILLING = 5.0  # seconds for which we wait until all its processes are dead


class Contained:
    """A program and all processes that it starts, which are killed when the context is left.

    Attributes:
        arrived: The time of the last output, by `time.perf_counter`.
        tail: The end of its standard error, at most 2,000 bytes.
        code: Its exit code, as in `subprocess`; None if it was asked to exit, or was killed.
        cpu: Seconds of processor time of all processes, once they are dead.
    """

    def __init__(
        self, command: Sequence[str], stdin: bytes, environment: Mapping[str, str]
    ) -> None:
        """Start `command` without a shell. `stdin` is its input; `environment` replaces ours."""
        self.arrived = 0.0
        self.tail = b""
        self.code: int | None = None
        self.cpu = 0.0
        self._program = command[0]
        self._report = b""
        self._last_output = math.inf  # by the monotonic clock
        control, self._control = os.pipe()
        pipes = {name: os.pipe() for name in ("output", "errors", "report")}
        theirs = {name: written for name, (_read, written) in pipes.items()}
        # a file, so that no write blocks if the program reads nothing
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            self._keeper = subprocess.Popen(
                [*_KEEPER, str(control), str(theirs["report"]), *command],
                stdin=given,
                stdout=theirs["output"],
                stderr=theirs["errors"],
                env=environment,
                pass_fds=(control, theirs["report"]),
                start_new_session=True,
            )
        for file in (control, *theirs.values()):
            os.close(file)
        self._selector = selectors.DefaultSelector()
        for name, (ours, _written) in pipes.items():
            self._selector.register(ours, selectors.EVENT_READ, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Kill all that is left of it. Raise `StrategyError` if it could not be started."""
        os.close(self._control)
        self._keeper.send_signal(signal.SIGCONT)  # if the program has stopped it
        deadline = time.monotonic() + _KILLING
        while self._open and time.monotonic() < deadline:
            self._receive()
        for key in self._selector.get_map().values():
            os.close(key.fd)
        self._selector.close()
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(_KILLING)
        first, _, second = self._report.decode().partition(" ")
        if first != "errno":
            self.cpu = float(second or 0)
            return
        message = f"command: {self._program}: cannot be started ({os.strerror(int(second))})"
        if int(second) == errno.ENOEXEC:
            message += ": a script begins with a line such as #!/bin/sh"
        raise StrategyError(message)

    def lines(self, longest: int) -> Iterator[bytes | None]:
        """Yield each line of its output, cut to `longest` bytes, and None after each moment.

        They end with its output, and soon after it was asked to exit; a line that this cuts short
        is left out.
        """
        rest = b""
        while "output" in self._open and time.monotonic() < self._last_output:
            chunk = self._receive()
            self.arrived = time.perf_counter()
            *ends, last = chunk.split(b"\n")
            for end in ends:
                yield (rest + end)[:longest]
                rest = b""
            rest = (rest + last)[:longest]
            yield None
        if self.was_asked:
            return
        if rest:
            yield rest
        deadline = time.monotonic() + _GRACE
        while "report" in self._open and time.monotonic() < deadline:
            self._receive()
        if self._report and not self._report.startswith(b"errno"):
            self.code = int(self._report.split()[0])

    def ask_to_exit(self) -> None:
        """Send SIGTERM, once, to all processes of its session."""
        if not self.was_asked:
            self._last_output = time.monotonic() + _GRACE
            with suppress(BrokenPipeError):  # it has exited
                os.write(self._control, b"t")

    @property
    def was_asked(self) -> bool:
        """Whether it was asked to exit."""
        return self._last_output < math.inf

    @property
    def ending(self) -> str:
        """How it has exited, for messages."""
        if self.was_asked:
            return "it was asked to exit"
        if self.code is None:
            return "it closed its output, continued, and was killed"
        if self.code < 0:
            return f"it was killed by {_SIGNALS.get(-self.code, f'signal {-self.code}')}"
        return f"it exited with code {self.code}"

    @property
    def errors(self) -> str:
        """The end of its standard error, as a clause of a message."""
        lines = self.tail.decode("utf-8", "replace").strip().splitlines()
        text = "\n  ".join(map(printable, lines))[-_SHOWN:]
        return f"; its standard error ends\n  {text}" if text else "; its standard error is empty"

    @property
    def _open(self) -> set[str]:
        """The names of the streams from which more may arrive."""
        return {key.data for key in self._selector.get_map().values()}

    def _receive(self) -> bytes:
        """Wait a moment for anything from the program or its keeper. Return what is output."""
        output = b""
        for key, _events in self._selector.select(_TICK):
            chunk = os.read(key.fd, _CHUNK)
            if not chunk:
                self._selector.unregister(key.fd)
                os.close(key.fd)
            elif key.data == "output":
                output = chunk
            elif key.data == "errors":
                self.tail = (self.tail + chunk)[-_TAIL:]
            else:
                self._report += chunk
        return output
