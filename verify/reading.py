"""Reads untrusted files: as a whole, up to a size limit, and never from an endless source."""

import errno
import json
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
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
_TOML_PLACE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_TOML_KEY = re.compile(rb"""(?:\xef\xbb\xbf)?[ \t]*(?:\[[ \t]*)?["']?([A-Za-z0-9_-]+)["']?[ \t]*[=\].]""")
# how a message of Python's readers begins, and what was expected there
_EXPECTED_TOML = {
    "Invalid value": 'a value, such as 7 or "text"',
    "Expected '='": "= between a name and its value",
    "Expected newline": "the end of the line after a value",
    "Invalid statement": 'a line such as row = "tea"',
    "Invalid initial character": "a name of letters and digits",
    "Illegal character": "the end of a text, or a character that TOML allows",
    "Unterminated string": "the end of a text",
    "Unclosed": "the end of a list or a table",
    "Cannot": "each name once",
    "Duplicate": "each name once",
}
_EXPECTED_JSON = {
    "Expecting value": "a value",
    "Expecting property name": "a name in double quotes",
    "Expecting ':'": "a colon",
    "Expecting ','": "a comma, or the end of the list or object",
    "Extra data": "the end of the file",
    "Unterminated string": "the end of a text that begins here",
    "Invalid control character": "the end of a text in its line",
    "Invalid \\": "an escape of JSON after the backslash",
    "Illegal trailing comma": "no comma before the end of a list or object",
    "Unexpected UTF-8 BOM": "no byte-order mark",
}

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
    try:
        opened = path.open("rb")
    except ValueError as error:  # for a null character in the name
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    with opened as file:
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


@dataclass(frozen=True)
class Places:
    """The file that states the rules of a puzzle, and the line of each rule whose line is known."""

    file: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        """Return `FILE:LINE`, the place of a rule, as a message names it; `FILE` where its line is not known."""
        return f"{self.file}:{self.lines[name]}" if self.lines.get(name) else self.file


def utf8_text(content: bytes) -> str:
    """Return the text of a file. Raises `ValueError` that names the line and the byte that is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # the decoder counts from behind a byte-order mark
        start = error.start + len(content) - len(error.object)
        line, behind = content.count(b"\n", 0, start) + 1, start - content.rfind(b"\n", 0, start)
        raise ValueError(f"line {line}: byte {behind} of the line, {content[start]:#04x}, is not UTF-8") from error


def toml_fields(content: bytes) -> dict[str, Any]:
    """Return the fields of a small TOML file, such as a puzzle. Raises `ValueError` with a message of one line."""
    # a line that begins with # holds no key: it is a comment, or part of a text of several lines
    rest = _COMMENT_LINE.sub(b"", content)
    if len(rest) > _MOST_TOML or rest.count(b".") > _MOST_DOTS:
        raise ValueError(f"expected at most {_MOST_TOML:,} bytes and {_MOST_DOTS:,} dots, without lines of comment")
    text = utf8_text(content)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("lists and tables inside one another too often") from error
    except ValueError as error:
        found = _TOML_PLACE.fullmatch(str(error))
        place = f"line {found['line']}, column {found['column']}" if found and found["line"] else "the end of the file"
        expected = _expected(found["what"] if found else "", _EXPECTED_TOML, "TOML, such as rack = 7")
        raise ValueError(f"{place if found else 'a value'}: expected {expected}") from error


def toml_lines(content: bytes) -> dict[str, int]:
    """Return the line of the first mention of each field of a TOML file, for messages about its value."""
    lines: dict[str, int] = {}
    for number, line in enumerate(content.split(b"\n"), start=1):
        if match := _TOML_KEY.match(line):
            lines.setdefault(match[1].decode(), number)
    return lines


def json_value(content: bytes, most: int, **hooks: Any) -> Any:
    """Return the value of a JSON text. Raises `ValueError` with a message of one line.

    most: the largest number of objects and lists; an empty one has two characters, but takes much more memory.
    hooks: as for `json.loads`.
    """
    if content.count(b"{") + content.count(b"[") > most:
        raise ValueError(f"more than {most:,} objects and lists")
    if content.count(b",") > _MOST_VALUES:
        raise ValueError(f"more than {_MOST_VALUES:,} values")
    text = utf8_text(content)
    try:
        return json.loads(text, **hooks)
    except RecursionError as error:
        raise ValueError("objects and lists inside one another too often") from error
    except json.JSONDecodeError as error:
        expected = _expected(error.msg, _EXPECTED_JSON, "JSON")
        raise ValueError(f"line {error.lineno}, column {error.colno}: expected {expected}") from error
    except ValueError as error:
        if type(error) is not ValueError:
            raise  # by a hook
        raise ValueError("a number of thousands of digits") from error


def _expected(message: str, table: Mapping[str, str], other: str) -> str:
    """Return what was expected where one of Python's readers gives a message."""
    return next((expected for begin, expected in table.items() if message.startswith(begin)), other)
