"""Standard output of any encoding, and the errors of writing to it."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from verify.text import printable

# the exit code where the reader of a pipe has seen enough: 128 and SIGPIPE, as for any command
NO_READER = 141
_HANDLER = "rowdraw"
_MOST_SHOWN = 10  # replaced characters in a note
_ALIKE = {
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
}


class OutputError(OSError):
    """A failed write to standard output."""

    @property
    def has_no_reader(self) -> bool:
        """Whether the reader of a pipe has closed it, so that a message is useless."""
        return self.errno == errno.EPIPE


class _Output(io.FileIO):
    def __init__(self, origin: io.TextIOWrapper) -> None:
        super().__init__(origin.fileno(), "wb", closefd=False)
        self._origin = origin  # keeps it alive, since it closes the file when it is collected

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from error


def prepare_output() -> dict[str, str]:
    """Let standard output take any text, and raise `OutputError` where it cannot be written.

    Bytes of names that are not valid text are printed as they are.

    Returns:
        The replacement of each character that the encoding lacks; it fills as output is written.
    """
    replaced: dict[str, str] = {}
    codecs.register_error(_HANDLER, partial(_replace, replaced))
    stdout = sys.stdout
    if not isinstance(stdout, io.TextIOWrapper):
        return replaced
    raw = getattr(stdout.buffer, "raw", stdout.buffer)  # there is no other buffer under `python -u`
    if type(raw) is not io.FileIO:
        stdout.reconfigure(errors=_HANDLER)
        return replaced
    stdout.flush()
    output: Any = _Output(stdout)
    if raw is not stdout.buffer:
        output = io.BufferedWriter(output)
    sys.stdout = io.TextIOWrapper(
        output,
        encoding=stdout.encoding,
        errors=_HANDLER,
        line_buffering=stdout.line_buffering,
        write_through=stdout.write_through,
    )
    return replaced


def _replace(replaced: dict[str, str], error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1
    shown = _ALIKE.get(character, ascii(character)[1:-1])
    replaced[character] = shown
    return shown, error.start + 1


def replacement_note(replaced: dict[str, str]) -> str:
    """Return a sentence on the replaced characters, which the encoding of standard output lacks."""
    shown = sorted(replaced.values())
    if len(shown) > _MOST_SHOWN:
        shown[_MOST_SHOWN:] = ["..."]
    return (
        f"standard output is in {sys.stdout.encoding}, which lacks some of the characters, "
        f"written as {', '.join(shown)}; PYTHONIOENCODING=utf-8 keeps them"
    )


def report_failure(
    error: OSError | ImportError | MemoryError, say: Callable[[str], None], less: str
) -> int:
    """Say what failed, unless standard output has no reader any more; returns the exit code.

    Args:
        error: The error that ended the program.
        say: Prints a message.
        less: What needs less memory, for a message on too little of it.
    """
    if isinstance(error, OutputError):
        # the error of buffered output would occur again when the process exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.has_no_reader:
            return NO_READER
    if isinstance(error, MemoryError):
        what = f" ({error})" if str(error) else ""
        say(f"not enough memory{what}: expected more of it, or {less}")
    elif isinstance(error, ImportError):
        needed = "rowdraw installed with all that it needs, as by pip install rowdraw"
        say(f"a library does not load ({error}): expected {needed}")
    else:
        say(failure(error))
    return 2


def failure(error: OSError) -> str:
    """Describe a system error: the file, if known, and the system's text."""
    if isinstance(error, OutputError):
        return f"cannot write to standard output ({error.strerror})"
    if error.filename is None:
        return f"the system refuses a call ({error.strerror or error})"
    return printable(f"{error.filename}: {error.strerror}")
