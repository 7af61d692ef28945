"""Files that rowdraw writes: atomic writes, locks, and what they may replace."""

import errno
import hashlib
import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from solver.errors import TargetError
from verify.files import LARGEST_CERTIFICATE, LARGEST_TEXT, is_input, json_value, read_file
from verify.files import replacing as replacing_alone

MOST_NESTING = 1_000_000  # objects and lists of a file of JSON
_PART = ".part"
_OURS = re.compile(
    r"\..+\.[a-z0-9_]{8}\.part"
)  # the name of a part that `replacing` makes; other programs use the suffix too
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
        with replacing_alone(path) as file:
            # locked while it grows, so that no other process removes it
            _lock(file.fileno())
            yield file


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
    # unlike the method of a path, this function takes links in a circle
    with naming(path), replacing(Path(os.path.realpath(path))) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def is_stdout(path: Path) -> bool:
    """Return whether a path stands for standard output."""
    return str(path) == "-"


def is_stream(path: Path) -> bool:
    """Return whether something is at `path` that cannot be replaced as a file can, such as a pipe, a device or a folder."""
    # unlike the methods of a path, these functions are false for a name that is too long
    return os.path.exists(path) and not os.path.isfile(path)


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


class KeptFile:
    """A file that this process replaces again and again, but never after another process or its user has changed it.

    Attributes:
        path: The file.
        content: What this process last read from the file or wrote to it; None if it expects no file there, or an empty one.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path = path
        self.content = content

    def replace(self, text: str) -> None:
        """Make `text` the content of the file.

        Raises:
            FileExistsError: The file is not as this process left it.
            OSError: It cannot be read or written; the error names the file.
        """
        with self._unchanged():
            replace_file(self.path, text)
            self.content = text.encode()

    def remove(self) -> None:
        """Remove the file if it exists. Raises as `replace` does."""
        with self._unchanged():
            self.path.unlink(missing_ok=True)

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        """Lock the file, and check that it holds nothing that this process does not know."""
        with naming(self.path), locked(self.path):
            is_known = not is_stream(self.path)
            if is_known and self.path.exists():
                found = read_file(self.path, LARGEST_TEXT, as_input=False)
                is_known = found == self.content or not found.strip()
            if not is_known:
                what = (
                    "exists already" if self.content is None else "another process has changed it"
                )
                raise FileExistsError(errno.EEXIST, what, str(self.path))
            yield


def fields_on_file(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one if the file holds none or cannot be read."""
    try:
        fields = json_value(read_file(path, LARGEST_CERTIFICATE, as_input=False), MOST_NESTING)
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}


_LINE = re.compile(r"([0-9a-f]{64})  (.+)")

Files = Mapping[str, bytes]
"""The contents of files by their paths, with `/` between folders."""


def digests_of(files: Files) -> dict[str, str]:
    """Return the SHA-256 of each file."""
    return {name: _digest(content) for name, content in files.items()}


class OwnFiles:
    """The files in a folder that rowdraw wrote and no one has changed since.

    Args:
        folder: The folder; it need not exist yet.
        listed: The name of the list, which has a digest and the name of a file in each line.
        alone: Whether the folder may hold no other files and no links, and files that are no longer written go.
    """

    def __init__(
        self, folder: Path, listed: str = ".rowdraw-files", *, alone: bool = False
    ) -> None:
        self._folder = folder
        self._list = folder / listed
        self._alone = alone

    def check(self, names: Iterable[str]) -> None:
        """Raise `TargetError` if a file of one of these names exists, but is not as rowdraw wrote it."""
        self._check(dict.fromkeys(names, ""), self._read())

    def write(self, files: Files) -> None:
        """Write files.

        Raises:
            TargetError: A file is not as rowdraw wrote it. Nothing was written.
            OSError: A file cannot be written; the error names it. The next call goes on from there.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with locked(self._folder):
            before = self._read()
            new = digests_of(files)
            self._check(new, before)
            # old and new digests are listed while files are written: if this call is interrupted, the next one knows both
            added = {name: {digest} | before.get(name, set()) for name, digest in new.items()}
            self._save({**before, **added})
            for name, content in files.items():
                path = self._folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if not path.is_file() or path.read_bytes() != content:
                    replace_bytes(path, content)
            kept = {name: digests for name, digests in before.items() if name not in files}
            if self._alone:
                for name in kept:
                    (self._folder / name).unlink(missing_ok=True)
                kept = {}
            self._save(kept | {name: {digest} for name, digest in new.items()})

    def _read(self) -> dict[str, set[str]]:
        """Return the digests that each listed file may have, by its name."""
        listed: dict[str, set[str]] = {}
        if not self._list.is_file():
            return listed
        for number, line in enumerate(
            self._list.read_text(encoding="utf-8", errors="replace").splitlines(), start=1
        ):
            found = _LINE.fullmatch(line)
            if (
                found is None
                or ".." in PurePosixPath(found[2]).parts
                or PurePosixPath(found[2]).is_absolute()
            ):
                raise TargetError(
                    f"{self._list}:{number}: expected a digest and the name of a file: choose another folder"
                )
            listed.setdefault(found[2], set()).add(found[1])
        return listed

    def _save(self, listed: Mapping[str, set[str]]) -> None:
        lines = [
            f"{digest}  {name}\n" for name in sorted(listed) for digest in sorted(listed[name])
        ]
        replace_file(self._list, "".join(lines))

    def _check(self, new: Mapping[str, str], before: Mapping[str, set[str]]) -> None:
        """Raise `TargetError` for a file that has neither its new digest nor one that is listed."""
        for name in self._names(new):
            path = self._folder / name
            if not (os.path.lexists(path) if self._alone else path.exists()):
                continue
            is_plain = path.is_file() and not (self._alone and path.is_symlink())
            if not is_plain or _digest(path.read_bytes()) not in before.get(name, set()) | {
                new.get(name, "")
            }:
                remedy = "move it elsewhere, or choose another folder"
                raise TargetError(
                    f"{path}: rowdraw did not write it, or it was changed since: {remedy}"
                )

    def _names(self, new: Iterable[str]) -> list[str]:
        """Return the names of the files that must be rowdraw's own, sorted."""
        if not self._alone:
            return sorted(new)
        paths = [path for path in self._folder.rglob("*") if path.is_symlink() or not path.is_dir()]
        names = [path.relative_to(self._folder).as_posix() for path in paths]
        return sorted(
            name
            for name in names
            if name not in (self._list.name, ".lock") and not name.endswith(".part")
        )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


TEXT = "text"
JSON = "json"
FORMS = (TEXT, JSON, "csv", "markdown", "reddit", "svg", "html")
_FORM_OF = {
    "": TEXT,
    ".txt": TEXT,
    ".text": TEXT,
    ".json": JSON,
    ".csv": "csv",
    ".md": "markdown",
    ".svg": "svg",
}
_FORM_OF |= {".html": "html", ".htm": "html"}
_FORCE = "expected another name, or --force"
_MARK = re.compile(rb"made by rowdraw: ([a-z-]+) ([0-9a-f]{16}) ([0-9]{1,9}) ([0-9a-f]{16})")
_ROOT = re.compile(rb"\s*(?:<!doctype html>\s*)?<(?:html|svg)\b", re.IGNORECASE)
_OBJECT = re.compile(rb"[\[\s]*\{(\s*)")


def form_of(path: Path, *, but: str = "") -> str:
    """Return the form that the name of a file implies. `but` is a form that is not expected. Raises `TargetError`."""
    form = _FORM_OF.get(path.suffix.lower(), but)
    if form == but:
        expected = ", ".join(
            suffix for suffix, implied in _FORM_OF.items() if suffix and implied != but
        )
        raise TargetError(f"{path}: expected a name that ends in {expected}")
    return form


@dataclass(frozen=True)
class Mark:
    """What a file says about itself.

    Attributes:
        kind: The kind of file, such as `page`.
        subject: A digest of what it is about, such as a puzzle, see `subject_of`.
        score: The points of the best valid answer in it; 0 if it has none.
    """

    kind: str
    subject: str
    score: int = 0

    def within(self, content: bytes) -> bytes:
        """Return a content with this mark near its top, and with a checksum by which `mark_of` notices a later change."""
        before, after = _around(content, self.kind)
        before += f"made by rowdraw: {self.kind} {self.subject} {self.score} ".encode()
        return before + _checksum(before + after) + after

    def replaces(self, content: bytes) -> bool:
        """Return whether a file with this mark may replace a content: one that is blank, or has the same kind and subject."""
        there = mark_of(content)
        return not content.strip() or (
            there is not None and (there.kind, there.subject) == (self.kind, self.subject)
        )


def mark_of(content: bytes) -> Mark | None:
    """Return the mark of a file; None if it has none, or if the file was changed after it was written."""
    found = _MARK.search(content)
    if found is None or _checksum(content[: found.start(4)] + content[found.end(4) :]) != found[4]:
        return None
    return Mark(found[1].decode(), found[2].decode(), int(found[3]))


def subject_of(*parts: object) -> str:
    """Return the digest of what a file is about."""
    return _checksum("\n".join(map(str, parts)).encode()).decode()


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest()[:16].encode()


def _around(content: bytes, kind: str) -> tuple[bytes, bytes]:
    """Return what comes before and after a mark: an attribute, a field of JSON, or a comment of CSV or Markdown."""
    if root := _ROOT.match(content):
        return content[: root.end()] + b' data-mark="', b'"' + content[root.end() :]
    if start := _OBJECT.match(content):
        return content[: start.end()] + b'"mark": "', b'",' + start[1] + content[start.end() :]
    if kind == "csv":
        return b"# ", b"\n" + content
    return b"[//]: # (", b")\n\n" + content


def _worth_of_nothing(_content: bytes) -> float | None:
    return None


@dataclass(frozen=True)
class Output:
    """A named output file.

    A file that exists is replaced only by force, or if it is blank, or if it has the mark of the same kind and subject and
    scores no more, or if `worth` says that it is worth less. An input of the command is never replaced. Pipes and devices may
    always be written to.

    Attributes:
        path: The file; None or `-` for standard output.
        kind: The kind of the mark; empty for a form that has no place for a mark.
        subject: The subject of the mark.
        force: Whether any file that is no input may be replaced.
        worth: Returns what a file without a mark is worth; None for anything but, for example, an answer to the same puzzle.
    """

    path: Path | None
    kind: str = ""
    subject: str = ""
    force: bool = False
    worth: Callable[[bytes], float | None] = _worth_of_nothing

    @property
    def is_stdout(self) -> bool:
        """Whether the output goes to standard output."""
        return self.path is None or is_stdout(self.path)

    def check(self, score: float = math.inf, remedy: str = _FORCE) -> None:
        """Check, once all inputs are read and before any work, that an output of this score may be written.

        Raises `TargetError` that ends with `remedy`.
        """
        if self.path is None or self.is_stdout:
            return
        if not self.path.parent.is_dir():
            raise TargetError(f"{self.path}: the folder {self.path.parent} does not exist")
        try:
            self._check(self.path, None, score)
        except OSError as error:
            is_read = is_input(self.path)
            raise TargetError(
                f"{self.path}: {error.strerror}: {'expected another name' if is_read else remedy}"
            ) from error

    def write(self, text: str, score: float = 0) -> None:
        """Write the output, with its mark.

        Args:
            text: The output.
            score: The points of the best valid answer in it.

        Raises:
            FileExistsError: The file may not be replaced; `strerror` says why.
            OSError: The file cannot be written. Each error names it.
        """
        assert self.path is not None
        content = text.encode(errors="backslashreplace")
        if self.kind and not is_stream(self.path):
            content = Mark(self.kind, self.subject, max(0, int(score))).within(content)
        with locked(self.path):
            self._check(self.path, content, score)
            replace_bytes(self.path, content)

    def worth_there(self) -> float | None:
        """Return what the file is worth by `worth`; None without such a file. Raises `OSError` if it cannot be read."""
        if self.path is None or not os.path.isfile(self.path):
            return None
        return self.worth(read_file(self.path, LARGEST_CERTIFICATE, as_input=False))

    def _check(self, path: Path, content: bytes | None, score: float) -> None:
        """Raise `FileExistsError` if a content, None for one that is not known yet, may not be written to the file."""
        if is_input(path):
            raise FileExistsError(
                errno.EEXIST, "the command reads it, and no input is written over", str(path)
            )
        if self.force or not os.path.exists(path) or is_stream(path):
            return
        try:
            there = read_file(path, LARGEST_CERTIFICATE, as_input=False)
        except OSError as error:
            raise FileExistsError(
                errno.EEXIST, f"it exists and cannot be read ({error.strerror})", str(path)
            ) from error
        if fault := self._fault(there, content, score):
            raise FileExistsError(errno.EEXIST, fault, str(path))

    def _fault(self, there: bytes, content: bytes | None, score: float) -> str:
        """Return why a content may not replace what is in the file; empty if it may."""
        if there == content or not there.strip():
            return ""
        worth = self.worth(there)
        if worth is not None:
            which = "a better" if worth > score else "another"
            return (
                ""
                if worth < score
                else f"it stays as it is, with {which} answer of {worth:g} points"
            )
        if Mark(self.kind, self.subject).replaces(there):
            mark = mark_of(there)
            if mark is None or mark.score <= score:
                return ""
            return f"it stays as it is, with a better answer of {mark.score} points"
        may_be_own = self.kind or self.worth is not _worth_of_nothing
        return f"it exists already{', and is no earlier output of this kind for this puzzle' if may_be_own else ''}"
