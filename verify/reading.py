"""Reads untrusted files: as a whole, up to a size limit, and never from an endless source."""

import errno
import json
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO

MEGABYTE = 1_000_000
# in bytes
LARGEST_TEXT = 10 * MEGABYTE  # answers, games, puzzles, journals
LARGEST_CERTIFICATE = 50 * MEGABYTE
LARGEST_WORD_LIST = 200 * MEGABYTE

# time and memory of tomllib grow with the square of the dots in a key; a puzzle needs few dots
_MOST_DOTS = 1_000
_MOST_TOML = 200_000  # bytes without comments; a puzzle of 10,000 tiles has some ten thousand
_COMMENT_LINE = re.compile(rb"^[ \t]*#[^\n]*", re.MULTILINE)
_MOST_VALUES = 2_000_000  # of a JSON text
_CHUNK = 1 << 20
_SHOWN = 200  # characters of an error message of tomllib

_raised: ContextVar[int] = ContextVar("raised", default=0)
_inputs: ContextVar[set[tuple[int, int]] | None] = ContextVar("inputs", default=None)  # device and inode of each


@contextmanager
def larger_files(megabytes: int) -> Iterator[None]:
    """Inside this context, read files of up to this number of megabytes, even if their own limit is lower."""
    token = _raised.set(max(megabytes * MEGABYTE, _raised.get()))
    try:
        yield
    finally:
        _raised.reset(token)


@contextmanager
def remembering_inputs() -> Iterator[None]:
    """Inside this context, remember the files that are read, so that `is_input` protects them from being overwritten."""
    token = _inputs.set(set())
    try:
        yield
    finally:
        _inputs.reset(token)


def remember_input(path: Path) -> None:
    """Remember a file as an input that another process reads, such as a program that the command runs."""
    with suppress(OSError, ValueError):
        _remember(path.stat())


def _remember(status: os.stat_result) -> None:
    known = _inputs.get()
    if known is not None and stat.S_ISREG(status.st_mode):
        known.add((status.st_dev, status.st_ino))


def is_input(path: Path) -> bool:
    """Whether a file was read as an input, under this name or another, inside `remembering_inputs`."""
    known = _inputs.get()
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return known is not None and (status.st_dev, status.st_ino) in known


def read_file(path: Path, most: int, *, as_input: bool = True) -> bytes:
    """Return the content of a regular file or a pipe.

    as_input: whether to remember it as an input; false for a file that the command is about to replace.

    Raises `OSError` if it cannot be read, is neither of the two, or holds more than `most` bytes.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode) or file.isatty()):
            raise OSError(errno.EINVAL, "neither a regular file nor a pipe", str(path))
        if as_input:
            _remember(status)
        return _read(file, most, status.st_size, str(path))


def read_input(most: int) -> bytes:
    """Return the content of standard input. Raises `OSError` if it is closed, or holds more than `most` bytes."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    return _read(sys.stdin.buffer, most, 0, "standard input")


def check_size(size: int, most: int, name: str) -> None:
    """Raises `OSError` if `size` is more than `most` bytes, and also more than `larger_files` allows."""
    most = max(most, _raised.get())
    if size > most:
        raise OSError(errno.EFBIG, f"more than {most // MEGABYTE} MB: 'rowdraw --max-size MB ...' reads larger ones", name)


def _read(file: BinaryIO, most: int, size: int, name: str) -> bytes:
    check_size(size, most, name)
    content = bytearray()
    while chunk := file.read(_CHUNK):
        content += chunk
        check_size(len(content), most, name)
        if len(chunk) < _CHUNK:
            break  # a buffered file returns less only at its end; a terminal would need a second Ctrl-D
    return bytes(content)


def toml_fields(content: bytes) -> dict[str, Any]:
    """Return the fields of a small TOML file, such as a puzzle. Raises `ValueError` with a message of one line."""
    # a line that begins with # holds no key: it is a comment, or part of a text of several lines
    rest = _COMMENT_LINE.sub(b"", content)
    if len(rest) > _MOST_TOML or rest.count(b".") > _MOST_DOTS:
        raise ValueError(f"expected at most {_MOST_TOML:,} bytes and {_MOST_DOTS:,} dots, without lines of comment")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        text = str(error)
        raise ValueError(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...") from error


def json_value(content: bytes, most: int, **hooks: Any) -> Any:
    """Return the value of a JSON text. Raises `ValueError` with a message of one line.

    most: the largest number of objects and lists; an empty one has two characters, but takes much more memory.
    hooks: as for `json.loads`.
    """
    if content.count(b"{") + content.count(b"[") > most:
        raise ValueError(f"more than {most:,} objects and lists")
    if content.count(b",") > _MOST_VALUES:
        raise ValueError(f"more than {_MOST_VALUES:,} values")
    try:
        return json.loads(content.decode("utf-8-sig"), **hooks)
    except RecursionError as error:
        raise ValueError("objects and lists inside one another too often") from error
