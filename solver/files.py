"""Files that rowdraw writes: atomic writes, and locks."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from solver.errors import TableError, TargetError
from verify.files import LARGEST_CERTIFICATE, LARGEST_TEXT, json_value, read_file
from verify.files import replacing as replacing_alone
from verify.text import quote

MOST_NESTING = 1_000_000  # objects and lists of a file of JSON
_LOCK_WAIT = 10.0  # seconds
_LOCK_POLL = 0.05  # seconds


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Set the file name of an `OSError`: a full disk gives none, and a part has another name."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file whose content replaces `path` in one step at the end.

    Readers find the old content or the new, even if this process is killed. A failed write leaves
    no partial file; a process that was killed may leave a hidden one. Raises `OSError` that names
    `path`.
    """
    with naming(path), replacing_alone(path) as file:
        yield file


def replace_file(path: Path, text: str) -> None:
    """Make `text` the content of `path`, see `replace_bytes`."""
    replace_bytes(path, text.encode())


def replace_bytes(path: Path, content: bytes) -> None:
    """Make `content` the content of `path`, see `replacing`, and wait until it is on disk.

    Links are followed. Pipes and devices get the content; they are not replaced. Raises `OSError`
    that names `path`.
    """
    if is_stream(path):
        with naming(path):
            path.write_bytes(content)
        return
    # unlike the method of a path, this function takes links in a circle
    with naming(path), replacing(Path(os.path.realpath(path))) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def is_stdout(path: Path) -> bool:
    """Return whether a path stands for standard output."""
    return str(path) == "-"


def is_stream(path: Path) -> bool:
    """Return whether a path leads to something else than a file: a pipe, a device or a folder."""
    # unlike the methods of a path, these functions are false for a name that is too long
    return os.path.exists(path) and not os.path.isfile(path)


def _lock(handle: int) -> bool:
    """Lock an open file or folder, without a lock file; return false if another process has."""
    from filelock import lock_descriptor

    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:
        return True  # not every system, nor every file system, has locks


@contextmanager
def locked(path: Path, seconds: float = _LOCK_WAIT) -> Iterator[None]:
    """Lock a file or a folder, if the system has locks; other processes that ask for it wait.

    The lock is a hidden file in the folder, or next to the file, and is removed afterwards. So a
    file and its folder have different locks. A pipe or a device has none.

    Args:
        path: The file or the folder.
        seconds: How long to wait while another process holds the lock.

    Raises:
        BlockingIOError: Another process still holds the lock; the error names `path`.
    """
    if is_stream(path) and not path.is_dir():
        yield
        return
    lock = path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    handle = _locked_handle(lock, path, seconds)
    try:
        yield
    finally:
        if handle is not None:
            # removed while it is locked, if the system allows that,
            # so that no other process locks a file about to be removed
            with suppress(OSError):
                lock.unlink()
            os.close(handle)


def _locked_handle(lock: Path, path: Path, seconds: float) -> int | None:
    """Open and lock a lock file.

    Returns None if it cannot be created: the write next to it then fails with the cause.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:
            return None
        is_free = _lock(handle)
        if is_free and _is_at(handle, lock):
            return handle
        os.close(handle)
        if is_free:
            continue  # its last holder has just removed it
        if time.monotonic() >= deadline:
            raise BlockingIOError(errno.EAGAIN, "another process is at work there", str(path))
        time.sleep(_LOCK_POLL)


def _is_at(handle: int, path: Path) -> bool:
    """Return whether the file that is open under `handle` is still at `path`."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def keep_game(path: Path, text: str, known: bytes | None) -> bytes:
    """Write a game in progress to its file; return what the file then holds.

    Args:
        path: The file.
        text: The game.
        known: What this process last read from the file or wrote to it; None for a new file.

    Raises:
        TableError: The file cannot be written, or holds something else, and is not blank.
    """
    try:
        with locked(path):
            if os.path.exists(path) and not _holds(path, known):
                what = "exists already" if known is None else "another process has changed it"
                remedy = "save this game under another name, or go on with that one by --resume"
                raise TableError(f"{path}: {what}: {remedy}")
            replace_file(path, text)
    except OSError as error:
        raise TableError(f"{path}: cannot be written ({error.strerror})") from error
    return text.encode()


def _holds(path: Path, known: bytes | None) -> bool:
    """Return whether a path leads to a file with a known content, or a blank one."""
    if is_stream(path):
        return False
    found = read_file(path, LARGEST_TEXT, as_input=False)
    return found == known or not found.strip()


def check_own_folder(folder: Path, name: str) -> None:
    """Check that files in a folder may be replaced, since it is new, empty or one of ours.

    Args:
        folder: The folder. Hidden files in it do not count.
        name: The file by which a folder of ours is known, such as its journal.

    Raises:
        TargetError: The folder holds other files alone.
    """
    if not folder.is_dir() or (folder / name).exists():
        return
    others = [other for other in os.listdir(folder) if not other.startswith(".")]
    if others:
        raise TargetError(
            f"{folder}: it holds {quote(min(others))}, but no {name}: "
            "expected a new or empty folder, or an earlier one"
        )


def fields_on_file(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one if the file holds none or cannot be read."""
    try:
        fields = json_value(read_file(path, LARGEST_CERTIFICATE, as_input=False), MOST_NESTING)
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}
