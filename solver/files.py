"""Files that are whole or not there."""

import errno
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from solver.errors import JournalError, TargetError
from verify.reading import LARGEST_CERTIFICATE, LARGEST_TEXT, is_input, json_value, read_file
from verify.text import quote

Entry = TypeVar("Entry")

_PART = ".part"
_OURS = re.compile(r"\..+\.[a-z0-9_]{8}\.part")  # what `replacing` calls a part; other people's may end alike
MOST_NESTING = 1_000_000  # objects and lists of a file of JSON


_IS_INPUT = "the command reads it, and no input is written over"
_LOCK_WAIT, _LOCK_POLL = 10.0, 0.05  # seconds
_STRAY = 10.0  # seconds after which a part that nobody holds was left by a process that was killed


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Give errors of reading and writing the name of what was to be written: a full disk has none, a part has another."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file for what is to stand at `path`, where it is put in one step once it is whole.

    Whoever reads it, and whenever this is killed, finds the old or the new. What fails leaves nothing behind, what was killed
    is cleared up by the next one. Raises `OSError` that names `path`.
    """
    with naming(path):
        _sweep(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_PART)
        os.close(handle)
        part = Path(name)
        try:
            with part.open("wb") as file:
                # held while it grows, so that no other process clears it up
                _lock(file.fileno(), wait=False)
                yield file
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def replace_file(path: Path, text: str) -> None:
    """Make `text` the content of `path`, see `replacing`; it is on disk when this returns. Raises `OSError`."""
    # what is made aside is for its owner alone; a result is for everybody, as any new file is
    mask = os.umask(0)
    os.umask(mask)
    with replacing(path) as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
        Path(file.name).chmod(0o666 & ~mask)


@dataclass(frozen=True)
class Kind:
    """A kind of file that commands write. holds: Whether a content is of this kind, so that a new one may replace it."""

    name: str
    holds: Callable[[bytes], bool]


def check_output(path: Path | None, kind: Kind, *, force: bool = False) -> None:
    """Find out before any work whether a command may write to a file that its user has named.

    Every command that writes calls this once it has read its inputs. Pipes, devices and empty files may always be written to.

    Args:
        path: The file; None or `-` for standard output.
        kind: What may be replaced.
        force: Whether a file of any other kind may be replaced as well; an input never is.

    Raises:
        TargetError: If the file may not be written to; the message says why.
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
        raise TargetError(
            f"{path}: it is there already and cannot be read ({error.strerror}): expected another name, or --force"
        ) from error
    if content.strip() and not kind.holds(content):
        raise TargetError(f"{path}: it holds something else than {kind.name}: expected another name, or --force")


def write_out(path: Path, text: str) -> None:
    """Put `text` at `path` as its user means it: whole, in one step, in a file, and into what is a pipe or a device.

    Raises `OSError` that names `path`, also where it is an input.
    """
    if is_input(path):
        raise OSError(errno.EEXIST, _IS_INPUT, str(path))
    target = path.resolve()
    if not target.exists() or target.is_file():
        replace_file(target, text)
    else:
        with naming(path):
            target.write_text(text, encoding="utf-8")


def _sweep(folder: Path) -> None:
    """Remove the parts that killed processes have left in `folder`."""
    for part in folder.glob(f".*{_PART}"):
        with suppress(OSError):
            if _OURS.fullmatch(part.name) and time.time() - part.stat().st_mtime > _STRAY:
                with part.open("rb") as file:
                    if _lock(file.fileno(), wait=False):
                        part.unlink()


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file or folder; false where somebody else has locked it. No file is made beside it."""
    from filelock import lock_descriptor

    try:
        return lock_descriptor(handle, blocking=wait)
    except OSError:
        return True  # not every system, nor every file system, has locks


@contextmanager
def locked(path: Path, seconds: float = _LOCK_WAIT) -> Iterator[None]:
    """Keep other processes that ask for the same lock away from a file or a folder, where the system knows locks.

    The lock is a hidden file in the folder, or next to the file, so that who writes one file does not wait for who works in
    its folder. It is gone afterwards.

    Args:
        path: The file or the folder.
        seconds: How long to wait while another process holds the lock.

    Raises:
        BlockingIOError: Another process still holds the lock; it names `path`.
    """
    lock = path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    handle = _locked_handle(lock, path, seconds)
    try:
        yield
    finally:
        if handle is not None:
            _unlock(handle, lock)


def _locked_handle(lock: Path, path: Path, seconds: float) -> int | None:
    """Open and lock a lock file; None where it cannot be made, so that writing next to it says why."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:
            return None
        is_free = _lock(handle, wait=False)
        if is_free and _is_at(handle, lock):
            return handle
        os.close(handle)
        if is_free:
            continue  # its last holder has removed it meanwhile
        if time.monotonic() >= deadline:
            raise BlockingIOError(errno.EAGAIN, "another process is at work there", str(path))
        time.sleep(_LOCK_POLL)


def _is_at(handle: int, path: Path) -> bool:
    """Whether the file that is open under `handle` still stands at `path`."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _unlock(handle: int, lock: Path) -> None:
    # removed while it is held where the system allows that, so that no other process locks a file that is about to go
    with suppress(OSError):
        lock.unlink()
    os.close(handle)


def fields_on_file(path: Path) -> dict[str, Any]:
    """The JSON object that stands at `path`; empty where there is none that can be read."""
    try:
        told = json_value(read_file(path, LARGEST_CERTIFICATE, as_input=False), MOST_NESTING)
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def read_lines(path: Path, read: Callable[[Any], Entry], expected: str) -> list[Entry]:
    """What `read` makes of each line of JSON at `path`.

    Raises `JournalError` naming the line that is not `expected`: nothing is written over what cannot be read.
    """
    found = []
    for number, line in enumerate(journal_text(path).splitlines(), start=1):
        try:
            found.append(read(json_value(line.encode(), MOST_NESTING)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise JournalError(f"{path}:{number}: {quote(line)}: expected {expected} ({str(error)[:100]})") from error
    return found


def journal_text(path: Path) -> str:
    """The text of a journal. Raises `JournalError` where it cannot be read, or is not text."""
    try:
        return read_file(path, LARGEST_TEXT).decode()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise JournalError(f"{path}: not text: {error}") from error


def keep_lines(path: Path, entries: Sequence[Entry], read: Callable[[Path], list[Entry]], key: Callable[[Entry], Any]) -> None:
    """Put `entries`, dataclasses, into the journal at `path`, a line of JSON each, in one step.

    No line that a kill cut short stays there, and what other processes have put there meanwhile does.

    read: what reads the journal.
    key: which entries are of the same thing, of which the last one stays.

    Raises `JournalError`, and `OSError` that names `path`.
    """
    with locked(path):
        known = {key(entry): entry for entry in (read(path.parent) if path.exists() else [])}
        known |= {key(entry): entry for entry in entries}
        replace_file(path, "".join(json.dumps(asdict(cast("Any", entry))) + "\n" for entry in known.values()))
