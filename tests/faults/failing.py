"""A file system and a memory that fail, and signals, in a process that runs one command."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import psutil

_CHANGES = ("open", "os.rename", "os.mkdir", "os.chmod", "os.truncate")
_REMOVALS = ("os.remove", "os.rmdir")  # which a disk that is full still takes
KILL = "KILL"  # in place of the name of an error
MEGABYTE = 1_000_000


def fail_at(number: int, error: str, folder: str, told: str) -> None:
    """Let the n-th change in `folder` fail, and all that follow, as on a full or lost disk.

    error: a name of `errno`, or `KILL`: the process is killed before the change.
    told: a file outside of `folder` that gets a byte for each change.
    """
    changes = 0
    watched = Path(folder).resolve()
    marked = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sync = os.fsync

    def changed() -> None:
        nonlocal changes
        changes += 1
        os.write(marked, b".")
        if changes >= number:
            if error == KILL:
                os.kill(os.getpid(), signal.SIGKILL)
            _raise(error)

    def hook(event: str, values: tuple[Any, ...]) -> None:
        watches = event in _CHANGES or (event in _REMOVALS and error == KILL)
        is_change = event != "open" or _writes(values)
        if watches and is_change and _is_within(values[0], watched):
            changed()

    def failing_sync(handle: Any) -> None:
        changed()
        sync(handle)

    os.fsync = failing_sync
    sys.addaudithook(hook)


def fill_at(size: int) -> None:
    """Let no file grow beyond so many bytes, as on a disk with a quota."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def limit_memory(megabytes: int) -> None:
    """Let the process have so many megabytes more than it has."""
    import resource

    most = psutil.Process().memory_info().vms + megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def signal_at_answer(number: int) -> None:
    """Let a signal come as soon as a search has an answer."""
    from solver.search.run import Run

    # where these tests outlive their terminal, commands would inherit that
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    offer = Run.offer
    sent = False

    def offers(run: Run, solution: Any) -> bool:
        nonlocal sent
        better = offer(run, solution)
        if solution.turns and not sent:
            sent = True
            os.kill(os.getpid(), number)
        return better

    Run.offer = offers  # type: ignore[method-assign]


def _raise(error: str) -> NoReturn:
    number = getattr(errno, error)
    raise OSError(number, os.strerror(number))


def _is_within(path: Any, folder: Path) -> bool:
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    found = Path(os.path.abspath(os.fsdecode(path)))
    return found == folder or folder in found.parents


def _writes(values: tuple[Any, ...]) -> bool:
    flags = values[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


FAULTS: dict[str, Callable[..., None]] = {
    "change": fail_at,
    "size": fill_at,
    "memory": limit_memory,
    "signal": signal_at_answer,
}
