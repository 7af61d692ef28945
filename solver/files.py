"""Files that are whole or not there."""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar

from solver.errors import JournalError

Entry = TypeVar("Entry")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file for what is to stand at `path`, where it is put in one step once it is whole: whoever reads it, and whenever this
    is killed, finds the old or the new. What fails leaves nothing behind.

    Raises `OSError`.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        with part.open("wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink()
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


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep out of `folder`, meanwhile, other processes that ask for this, where the system knows such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        # not every file system has locks for folders
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def fields_on_file(path: Path) -> dict[str, Any]:
    """The JSON object that stands at `path`; empty where there is none that can be read."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def read_lines(path: Path, read: Callable[[Any], Entry], expected: str) -> list[Entry]:
    """What `read` makes of each line of JSON at `path`.

    Raises `JournalError` naming the line that is not `expected`: nothing is written over what cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise JournalError(f"{path}: no text: {error}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(read(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise JournalError(f"{path}:{number}: {line[:40]!r}: expected {expected} ({error})") from error
    return found


def write_lines(path: Path, entries: Iterable[Any]) -> None:
    """Make `path` a line of JSON for each dataclass of `entries`, in one step: no line that a kill cut short stays there."""
    replace_file(path, "".join(json.dumps(asdict(entry)) + "\n" for entry in entries))
