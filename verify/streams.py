"""Standard output of any encoding, and the errors of writing to it."""

import errno
import io
import os
import sys
from collections.abc import Callable

from verify.text import printable

# the exit code where the reader of a pipe has seen enough: 128 and SIGPIPE, as for any command
NO_READER = 141
# a failed write to standard output; files are named
_OF_WRITES = (errno.ENOSPC, errno.EFBIG, errno.EIO)


def prepare_output() -> None:
    r"""Let standard output take any text: what its encoding lacks is printed as `\u5b57`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def report_failure(
    error: OSError | ImportError | MemoryError, say: Callable[[str], None], less: str
) -> int:
    """Say what failed, unless standard output has no reader any more; returns the exit code.

    Args:
        error: The error that ended the program.
        say: Prints a message.
        less: What needs less memory, for a message on too little of it.
    """
    _drop_output()
    if isinstance(error, BrokenPipeError):
        return NO_READER
    if isinstance(error, MemoryError):
        what = f" ({error})" if str(error) else ""
        say(f"not enough memory{what}: expected more of it, or {less}")
    elif isinstance(error, ImportError):
        needed = "rowdraw installed with all that it needs, as by pip install rowdraw"
        say(f"a library does not load ({error}): expected {needed}")
    elif error.filename is not None:
        say(printable(f"{error.filename}: {error.strerror}"))
    elif error.errno == errno.ENOENT:
        say("the current folder does not exist any more")  # all other files are named
    elif error.errno in _OF_WRITES:
        say(f"cannot write to standard output ({error.strerror})")
    else:
        say(f"the system refuses a call ({error.strerror or error})")
    return 2


def _drop_output() -> None:
    """Drop what cannot be written: the same error would occur again when the process exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
