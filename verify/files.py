"""Files: the data of rowdraw, untrusted input, and the kind of a file. It judges no answer.

Untrusted files are read as a whole, up to a size limit, and never from an endless source.
"""

import codecs
import csv
import errno
import json
import os
import re
import secrets
import stat
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeVar

from verify.text import placed

Value = TypeVar("Value")

MEGABYTE = 1_000_000
# in bytes
LARGEST_TEXT = 10 * MEGABYTE  # answers, games, puzzles, journals
LARGEST_CERTIFICATE = 50 * MEGABYTE
LARGEST_WORD_LIST = 200 * MEGABYTE

_PACKAGES = Path(__file__).resolve().parents[1]
# time and memory of tomllib grow with the square of the dots in a key; a puzzle needs few dots
_MOST_DOTS = 1_000
_MOST_TOML = 200_000  # bytes without comments; a puzzle of 10,000 tiles has some ten thousand
_COMMENT_LINE = re.compile(rb"^[ \t]*#[^\n]*", re.MULTILINE)
_MOST_VALUES = 2_000_000  # of a JSON text
_CHUNK = 1 << 20
_TOML_PLACE = re.compile("line [0-9]+, column [0-9]+(?=[)]$)")
_TOML_KEY = re.compile(
    rb"""(?:\xef\xbb\xbf)?[ \t]*(?:\[[ \t]*)?["']?([A-Za-z0-9_-]+)["']?[ \t]*[=\].]"""
)
_ANSWERS = frozenset(
    {"", ".txt", ".text", ".md", ".markdown", ".json", ".html", ".htm", ".csv", ".tsv", ".gcg"}
)
_ONE_OF_SEVERAL = re.compile(r"(.+)#([1-9][0-9]{0,6})", re.DOTALL)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the marks with which a text begins
_UTF_32 = b"\xff\xfe\0\0"
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf")
_HEAD = 100  # bytes in which a text has hardly a NUL, and an archive has
_MOST_NULS = 3
_BEST = "best:"  # before the name of a puzzle: the best known answer to it
_BEGIN = rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n])[ \t]*"  # of a line
_PLAYERS = re.compile(_BEGIN + rb"#player1\b")
_GAME = re.compile(_BEGIN + rb"(?:>[^\r\n:]*:|#(?:player1|character-encoding|lexicon))")

_raised: ContextVar[int] = ContextVar("raised", default=0)
# device and inode of each
_inputs: ContextVar[set[tuple[int, int]] | None] = ContextVar("inputs", default=None)


def data_folder() -> Path:
    """Return the folder of enable1.txt, puzzles and tiles.

    Raises `OSError` where it is not found, as in a packed wheel.
    """
    for folder in (_PACKAGES / "rowdraw_data", _PACKAGES / "data"):
        if folder.is_dir():
            return folder
    what = "the data of rowdraw are not found: expected rowdraw installed or extracted"
    raise OSError(errno.ENOENT, what, str(_PACKAGES))


def bundled_words(name: str) -> Path | None:
    """Return the file of a bundled word list, such as `enable1`; None for another name."""
    return next((path for path in data_folder().glob("*.txt") if path.stem == name), None)


def word_list(named: str | Path) -> Path:
    """Return the file of a word list: named as a bundled one, such as `enable1`, or as a file."""
    return bundled_words(str(named)) or Path(named)


@cache
def words_of_other_copies() -> frozenset[str]:
    """Return the words that some public copies of enable1 hold and the bundled list does not."""
    return frozenset(tomllib.loads((data_folder() / "enable1-copies.toml").read_text())["words"])


def larger_files(megabytes: int) -> AbstractContextManager[None]:
    """Inside this context, read files up to this size, even if their own limit is lower."""
    return _within(_raised, max(megabytes * MEGABYTE, _raised.get()))


def remembering_inputs() -> AbstractContextManager[None]:
    """Inside this context, remember the files that are read: `is_input` protects them."""
    return _within(_inputs, set())


@contextmanager
def _within(setting: ContextVar[Value], value: Value) -> Iterator[None]:
    token = setting.set(value)
    try:
        yield
    finally:
        setting.reset(token)


def remember_input(path: Path) -> None:
    """Remember a file as an input that another process reads, such as a program that is run."""
    with suppress(OSError, ValueError):
        _remember(path.stat())


def _remember(status: os.stat_result) -> None:
    known = _inputs.get()
    if known is not None and stat.S_ISREG(status.st_mode):
        known.add((status.st_dev, status.st_ino))


def is_input(path: Path) -> bool:
    """Whether a file was read as an input, under any name, inside `remembering_inputs`."""
    known = _inputs.get()
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return known is not None and (status.st_dev, status.st_ino) in known


def read_file(path: Path, most: int, *, as_input: bool = True) -> bytes:
    """Return the content of a regular file or a pipe.

    Args:
        path: The file.
        most: The largest size in bytes.
        as_input: Whether to remember it as an input; false for a file that the command is about to
            replace.

    Raises:
        OSError: It cannot be read, is neither of the two, or is larger.
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


@cache
def best_known() -> dict[str, dict[str, Any]]:
    """Return the bundled record book: digest, score, bound and turns of each bundled puzzle."""
    return tomllib.loads((data_folder() / "best-known.toml").read_text(encoding="utf-8"))


@cache
def benchmark() -> dict[str, dict[str, str]]:
    """Return the lines of data/benchmark.csv, rows whose best scores are proven, by name."""
    with (data_folder() / "benchmark.csv").open(encoding="utf-8", newline="") as file:
        return {line["puzzle"]: line for line in csv.DictReader(file)}


def _best_answer(name: str) -> bytes:
    """Return the best known answer to a bundled puzzle. Raises `OSError` for another name."""
    found = best_known().get(name)
    if found is None:
        known = "no bundled puzzle has this name: expected one such as best:challenge"
        raise OSError(errno.ENOENT, known, f"{_BEST}{name}")
    lines = found["turns"] if name == "challenge" else [f"# puzzle {name}", *found["turns"]]
    return "".join(f"{line}\n" for line in lines).encode()


def read_named(name: str, most: int) -> bytes:
    """Return the content of a file, of standard input for `-`, or of the answer `best:PUZZLE`.

    Raises `OSError` as `read_file` does, and if standard input is closed.
    """
    if name.startswith(_BEST) and not Path(name).exists():
        return _best_answer(name.removeprefix(_BEST))
    if name != "-":
        return read_file(Path(name), most)
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    return _read(sys.stdin.buffer, most, 0, "standard input")


def check_size(size: int, most: int, name: str) -> None:
    """Raise `OSError` if `size` is more than `most` bytes, and more than `larger_files` allows."""
    most = max(most, _raised.get())
    if size > most:
        what = f"more than {most // MEGABYTE} MB: 'rowdraw --max-size MB ...' reads larger ones"
        raise OSError(errno.EFBIG, what, name)


def _read(file: BinaryIO, most: int, size: int, name: str) -> bytes:
    check_size(size, most, name)
    content = bytearray()
    while chunk := file.read(_CHUNK):
        content += chunk
        check_size(len(content), most, name)
        if len(chunk) < _CHUNK:
            break  # only at the end; without this a terminal would need a second Ctrl-D
    return bytes(content)


@dataclass(frozen=True)
class Places:
    """The file that states the rules of a puzzle, and the line of each rule whose line is known."""

    file: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> str:
        """Return `FILE:LINE`, the place of a rule for a message; `FILE` for an unknown line."""
        return placed(self.file, self.lines.get(name))


def utf8_text(content: bytes) -> str:
    """Return the text of a file.

    Raises `ValueError` that names the line and the byte that is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # the decoder counts from after a byte-order mark
        start = error.start + len(content) - len(error.object)
        line = content.count(b"\n", 0, start) + 1
        column = start - content.rfind(b"\n", 0, start)
        what = f"byte {column} of the line, {content[start]:#04x}, is not UTF-8"
        raise ValueError(f"line {line}: {what}") from error


def toml_fields(content: bytes) -> dict[str, Any]:
    """Return the fields of a small TOML file, such as a puzzle.

    Raises `ValueError` with a message of one line.
    """
    # a line that begins with # holds no key: it is a comment, or part of a text of several lines
    rest = _COMMENT_LINE.sub(b"", content)
    if len(rest) > _MOST_TOML or rest.count(b".") > _MOST_DOTS:
        most = f"{_MOST_TOML:,} bytes and {_MOST_DOTS:,} dots"
        raise ValueError(f"expected at most {most}, without lines of comment")
    text = utf8_text(content)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("lists and tables inside one another too often") from error
    except ValueError as error:
        found = _TOML_PLACE.search(str(error))
        place = found[0] if found else "the end"
        raise ValueError(f"{place}: expected TOML, each name once, such as rack = 7") from error


def toml_lines(content: bytes) -> dict[str, int]:
    """Return the line where a TOML file first mentions each field, for messages."""
    lines: dict[str, int] = {}
    for number, line in enumerate(content.split(b"\n"), start=1):
        if match := _TOML_KEY.match(line):
            lines.setdefault(match[1].decode(), number)
    return lines


def json_value(content: bytes, most: int, **hooks: Any) -> Any:
    """Return the value of a JSON text. Raises `ValueError` with a message of one line.

    Args:
        content: The text.
        most: The largest number of objects and lists; an empty one has two characters, but takes
            much more memory.
        hooks: As for `json.loads`.
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
        raise ValueError(f"line {error.lineno}, column {error.colno}: expected JSON") from error
    except ValueError as error:
        raise ValueError("a number of thousands of digits") from error


def named_answer(name: str) -> tuple[str, int]:
    """Return file and number of `FILE#N`; 0 without a number, or where a file has this name.

    Raises `OSError`.
    """
    parts = _ONE_OF_SEVERAL.fullmatch(name)
    if parts is None or Path(name).exists():
        return name, 0
    return parts[1], int(parts[2])


def files_in(folder: str) -> list[Path]:
    """Return the files below a folder, sorted by name.

    Hidden files, and pipes, to which no process may ever write, are left out. Raises `OSError`
    where the folder cannot be read.
    """

    def fail(error: OSError) -> None:
        raise error

    files = []
    for here, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if not name.startswith(".") and not path.is_fifo() and not _is_stdout(path):
                files.append(path)
    return files


def may_be_answer(path: Path) -> bool:
    """Whether a file in a folder may be an answer or a game by its name."""
    return path.suffix.lower() in _ANSWERS


def text_bytes(content: bytes, name: str) -> bytes:
    """Return the bytes of a text; UTF-16 with a byte-order mark becomes UTF-8 with one.

    Raises `OSError` for an archive, other bytes, UTF-16 without a mark, or UTF-32.
    """
    if content.startswith(_ARCHIVES):
        raise OSError(errno.EILSEQ, "an archive: expected a file that was extracted from it", name)
    if content.startswith(_UTF_16) and not content.startswith(_UTF_32):
        return content.decode("utf-16", "replace").encode("utf-8-sig", "replace")
    if content.count(b"\0", 0, _HEAD) > _MOST_NULS:
        what = "not text in UTF-8, or in UTF-16 with a byte-order mark"
        raise OSError(errno.EILSEQ, what, name)
    return content


def _is_stdout(path: Path) -> bool:
    """Whether standard output goes to a file, as in `rowdraw verify . > verdicts.txt`."""
    try:
        return os.path.samestat(path.stat(), os.fstat(1))
    except OSError:
        return False


def is_certificate(content: bytes) -> bool:
    """Whether `content` looks like a certificate of a bound, complete or truncated."""
    return content.removeprefix(codecs.BOM_UTF8).startswith(b"rowdraw certificate")


def is_ranking(content: bytes) -> bool:
    """Whether `content` is a page of answers by score, which quotes turns and is no answer."""
    return b"made by rowdraw: ranking " in content[:1_000]


def names_players(content: bytes) -> bool:
    """Whether `content` has a pragma that nothing but a Scrabble game has."""
    return _PLAYERS.search(content) is not None


def is_gcg(content: bytes) -> bool:
    """Whether `content` looks like a Scrabble game: it has an event or a pragma of games."""
    return _GAME.search(content) is not None


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` at the end.

    A write that fails, or is killed, leaves the old one. Raises `OSError`.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    new = part.open("x+b")
    try:
        with new as file:
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
