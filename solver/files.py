"""Atomic writes, locks, and journals of JSON lines."""

import errno
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from solver.errors import JournalError, TargetError
from verify.reading import LARGEST_CERTIFICATE, LARGEST_TEXT, is_input, json_value, read_file, utf8_text
from verify.text import quote

Entry = TypeVar("Entry")

MOST_NESTING = 1_000_000  # objects and lists of a file of JSON
_PART = ".part"
_OURS = re.compile(r"\..+\.[a-z0-9_]{8}\.part")  # the name of a part that `replacing` makes; other programs use the suffix too
_IS_INPUT = "the command reads it, and no input is written over"
_LOCK_WAIT, _LOCK_POLL = 10.0, 0.05  # seconds
_STRAY = 10.0  # seconds after which an unlocked part was left by a process that was killed


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Set the file name of an `OSError` to `path`. A full disk gives none, and a part has another name."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file whose content replaces `path` in one step at the end.

    Readers find the old content or the new, even if this process is killed. A failed write leaves no partial file. A process
    that was killed may leave one, which the next write removes. Raises `OSError` that names `path`.
    """
    with naming(path):
        _sweep(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_PART)
        os.close(handle)
        part = Path(name)
        try:
            with part.open("wb") as file:
                # locked while it grows, so that no other process removes it
                _lock(file.fileno())
                yield file
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def replace_file(path: Path, text: str) -> None:
    """Make `text` the content of `path`, see `replace_bytes`."""
    replace_bytes(path, text.encode())


def replace_bytes(path: Path, content: bytes) -> None:
    """Make `content` the content of `path`, see `replacing`, and wait until it is on disk.

    Links are followed. Pipes and devices get the content; they are not replaced. Raises `OSError` that names `path`.
    """
    if is_stream(path):
        with naming(path):
            path.write_bytes(content)
        return
    # only its owner may read a temporary file; a result gets the permissions of any new file
    mask = os.umask(0)
    os.umask(mask)
    # unlike the method of a path, this function takes links in a circle
    with naming(path), replacing(Path(os.path.realpath(path))) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        Path(file.name).chmod(0o666 & ~mask)


def is_stream(path: Path) -> bool:
    """Return whether something is at `path` that cannot be replaced as a file can, such as a pipe, a device or a folder."""
    return path.exists() and not path.is_file()


@dataclass(frozen=True)
class FileKind:
    """A kind of file that commands write. `holds` says whether a content is of this kind, so that a new one may replace it."""

    name: str
    holds: Callable[[bytes], bool]


def check_output(
    path: Path | None, kind: FileKind, *, force: bool = False, remedy: str = "expected another name, or --force"
) -> None:
    """Check, once all inputs are read and before any work, that a command may write to a file.

    Pipes, devices and empty files may always be written to.

    Args:
        path: The file; None or `-` for standard output.
        kind: The kind of file that may be replaced.
        force: Whether a file of any other kind may be replaced as well; an input never is.
        remedy: What a user can do about a file of another kind.

    Raises:
        TargetError: The file may not be written to.
    """
    if path is None or str(path) == "-":
        return
    if not path.parent.is_dir():
        raise TargetError(f"{path}: the folder {path.parent} does not exist")
    if is_input(path):
        raise TargetError(f"{path}: {_IS_INPUT}: expected another name")
    if force or not path.is_file():
        return
    try:
        content = read_file(path, LARGEST_CERTIFICATE, as_input=False)
    except OSError as error:
        raise TargetError(f"{path}: it exists already and cannot be read ({error.strerror}): {remedy}") from error
    if content.strip() and not kind.holds(content):
        raise TargetError(f"{path}: it holds something else than {kind.name}: {remedy}")


def check_outputs(folder: Path, kinds: Mapping[str, FileKind]) -> None:
    """Check, as `check_output` does, that a command may write files of these names and kinds into a folder, if it exists."""
    if folder.is_dir():
        for name, kind in kinds.items():
            check_output(folder / name, kind, remedy="move it elsewhere")


def write_out(path: Path, text: str) -> None:
    """Do as `replace_file` does, but raise `OSError` for an input of the command."""
    if is_input(path):
        raise OSError(errno.EEXIST, _IS_INPUT, str(path))
    replace_file(path, text)


def _sweep(folder: Path) -> None:
    """Remove the parts that killed processes have left in `folder`."""
    for part in folder.glob(f".*{_PART}"):
        with suppress(OSError):
            if _OURS.fullmatch(part.name) and time.time() - part.stat().st_mtime > _STRAY:
                with part.open("rb") as file:
                    if _lock(file.fileno()):
                        part.unlink()


def _lock(handle: int) -> bool:
    """Lock an open file or folder, without a lock file; return false at once if another process has locked it."""
    from filelock import lock_descriptor

    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:
        return True  # not every system, nor every file system, has locks


@contextmanager
def locked(path: Path, seconds: float = _LOCK_WAIT) -> Iterator[None]:
    """Lock a file or a folder, if the system has locks, so that other processes that ask for the same lock wait.

    The lock is a hidden file in the folder, or next to the file, and is removed afterwards. So a file and its folder have
    different locks. A pipe or a device has none.

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
            # removed while it is locked, if the system allows that, so that no other process locks a file about to be removed
            with suppress(OSError):
                lock.unlink()
            os.close(handle)


def _locked_handle(lock: Path, path: Path, seconds: float) -> int | None:
    """Open and lock a lock file; return None if it cannot be created: the write next to it then fails with the cause."""
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


def fields_on_file(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one if the file holds none or cannot be read."""
    try:
        fields = json_value(read_file(path, LARGEST_CERTIFICATE, as_input=False), MOST_NESTING)
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}


def read_lines(path: Path, read: Callable[[Any], Entry], expected: str) -> list[Entry]:
    """Return the result of `read` for each line of JSON in a file.

    Raises `JournalError` that names the line that is not `expected`, so that nothing replaces an unreadable journal.
    """
    try:
        text = utf8_text(read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise JournalError(f"{path}: not text: {error}") from error
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entries.append(read(json_value(line.encode(), MOST_NESTING)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise JournalError(f"{path}:{number}: {quote(line)}: expected {expected} ({str(error)[:100]})") from error
    return entries


def keep_lines(path: Path, entries: Sequence[Entry], read: Callable[[Path], list[Entry]], key: Callable[[Entry], Any]) -> None:
    """Add entries to the journal at `path`, a line of JSON each, in one step. Entries of other processes stay there.

    Args:
        path: The journal.
        entries: Dataclasses.
        read: Reads the journal in a folder.
        key: The identity of an entry; of entries with the same identity the last one stays.

    Raises:
        JournalError: The journal cannot be read.
        OSError: It cannot be written; the error names `path`.
    """
    with locked(path):
        known = {key(entry): entry for entry in (read(path.parent) if path.exists() else [])}
        known |= {key(entry): entry for entry in entries}
        replace_file(path, "".join(json.dumps(asdict(cast("Any", entry))) + "\n" for entry in known.values()))
