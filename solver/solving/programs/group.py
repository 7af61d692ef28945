"""A program in a process group of its own, which is killed when this process exits."""

import errno
import os
import selectors
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import psutil

from solver.errors import StrategyError

_CHUNK = 4_096  # bytes: few enough that their answers, however short, are judged in a moment
_TAIL = 2_000  # bytes of standard error that are kept
_GRACE = 0.5  # seconds between SIGTERM and SIGKILL
_TICK = 0.02  # seconds between two checks whether the program has exited
_SWEEPS = 10  # searches for processes that have left the group; processes that fork need several
_MARK = "ROWDRAW_RUN"  # in the environment of all that the program starts
# Kills the group once the other end of its input is closed. A word there makes it exit.
_WATCHDOG = 'read -r group || exit; read -r word || kill -s KILL -- "-$group"'


class Group:
    """A program and all processes that it starts.

    Attributes:
        tail: The end of its standard error, at most 2,000 bytes.
        code: Its exit code, as in `subprocess`; None while it runs.
        cpu: Seconds of processor time, of the user and of the system.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", mark: str) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.tail = b""
        self.code: int | None = None
        self.cpu = 0.0
        self._process = process
        self._mark = mark
        self._out, self._err = process.stdout.fileno(), process.stderr.fileno()
        self._open = selectors.DefaultSelector()
        for stream in (self._out, self._err):
            os.set_blocking(stream, False)
            self._open.register(stream, selectors.EVENT_READ)

    def output(self) -> bytes | None:
        """Return its next output, empty after a moment without any; None if no more can arrive."""
        if self._out not in self._open.get_map():
            return None
        chunk = b""
        for key, _events in self._open.select(_TICK):
            read = self._read(key.fd)
            if key.fd == self._out:
                chunk = read
        return chunk if chunk or self._out in self._open.get_map() else None

    def has_ended(self) -> bool:
        """Return whether the program itself has exited; processes that it has started may live on."""
        if self.code is None:
            process, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if process:
                self.code = self._process.returncode = os.waitstatus_to_exitcode(status)
                self.cpu = max(self.cpu, usage.ru_utime + usage.ru_stime)
        return self.code is not None

    def terminate(self) -> None:
        """Ask all of its processes to exit."""
        self._signal(signal.SIGTERM)

    def wait(self, seconds: float = _GRACE) -> None:
        """Wait up to `seconds` for the program to exit, and read its output meanwhile."""
        deadline, pause = time.monotonic() + seconds, 0.0005
        while not self.has_ended() and time.monotonic() < deadline:
            if self._open.get_map():
                for key, _events in self._open.select(pause):
                    self._read(key.fd)
            else:
                time.sleep(pause)
            pause = min(_TICK, 2 * pause)

    def close(self) -> None:
        """Kill all that is left of it, also processes that have left the group."""
        self._signal(signal.SIGKILL)
        for _ in range(_SWEEPS):
            if not (members := self._members()):
                break
            for process in members:
                with suppress(psutil.Error):
                    process.kill()
            time.sleep(_TICK)
        self.wait(5.0)  # a killed process may live on for a while
        while self._err in self._open.get_map() and self._read(self._err):
            pass
        self._open.close()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()

    def _signal(self, number: signal.Signals) -> None:
        if not self.has_ended():
            # the processor time of orphans is lost once they are killed
            self.cpu = max(self.cpu, sum(map(_cpu, self._members())))
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _members(self) -> list[psutil.Process]:
        members = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if (
                    process.environ().get(_MARK) == self._mark
                    or os.getpgid(process.pid) == self._process.pid
                ):
                    members.append(process)
        return members

    def _read(self, stream: int) -> bytes:
        """Read what a stream holds; forget the stream at its end."""
        try:
            chunk = os.read(stream, _CHUNK)
        except BlockingIOError:
            return b""
        if not chunk:
            self._open.unregister(stream)
        elif stream == self._err:
            self.tail = (self.tail + chunk)[-_TAIL:]
        return chunk


def _cpu(process: psutil.Process) -> float:
    """Return the seconds that a process and the children that it waited for have taken."""
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


@contextmanager
def running(
    command: Sequence[str], stdin: bytes, environment: Mapping[str, str]
) -> Iterator[Group]:
    """Run `command`, without a shell, until the context is left, and then kill all its processes.

    `stdin` is its standard input, a file, so that no write blocks if it reads nothing; `environment` replaces ours. Raises
    `StrategyError` if it cannot be started.
    """
    mark = uuid.uuid4().hex
    with tempfile.TemporaryFile() as given, _watchdog() as lifeline:
        given.write(stdin)
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment, _MARK: mark},
                start_new_session=True,
            )
        except OSError as error:
            hint = (
                ": a script begins with a line such as #!/bin/sh"
                if error.errno == errno.ENOEXEC
                else ""
            )
            raise StrategyError(
                f"command: {command[0]}: cannot be started ({error.strerror or error}){hint}"
            ) from error
        with suppress(BrokenPipeError):
            os.write(lifeline, b"%d\n" % process.pid)
        group = Group(process, mark)
        try:
            yield group
        finally:
            group.close()


@contextmanager
def _watchdog() -> Iterator[int]:
    """Start a process that kills the group whose number it reads if we die before the context is left."""
    shell = subprocess.Popen(
        ["/bin/sh", "-c", _WATCHDOG],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert shell.stdin is not None
    try:
        yield shell.stdin.fileno()
    finally:
        with suppress(BrokenPipeError):
            os.write(shell.stdin.fileno(), b"\nhome\n")
        shell.stdin.close()
        shell.wait()
