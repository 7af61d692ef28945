"""How kernels are compiled: numba in nopython mode, without the interpreter lock, kept in the user's cache folder.

The compiled code is kept under a name derived from the text of every kernel, since numba itself notices a change only in the
file that it compiles, not in a kernel which that file calls.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from solver.cache import cache_folder


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("kernels/*.py")):
        digest.update(path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    digest.update(f"{sys.version} numba {metadata.version('numba')}".encode())
    return digest.hexdigest()[:16]


def kernel_folder() -> Path:
    """Where compiled kernels are kept."""
    return Path(os.environ["NUMBA_CACHE_DIR"])


def _choose_cache() -> bool:
    """Point numba to its cache folder; false where no folder can be written, after saying so."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(chosen) if chosen else cache_folder() / "kernels"
    digest = _source_digest()
    # a process started by this one finds the folder as it is
    os.environ["NUMBA_CACHE_DIR"] = str(parent if parent.name == digest else parent / digest)
    folder = kernel_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        print(
            f"rowdraw: the folder for compiled kernels, {folder}, cannot be written ({error.strerror}): they are "
            "compiled anew, about a quarter of a minute, in each run. Set ROWDRAW_CACHE to a folder that can be written.",
            file=sys.stderr,
        )
        return False
    return True


CACHED = _choose_cache()

import numba
from llvmlite import ir
from numba.extending import intrinsic


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` on its first call for the types it is called with."""
    compiled: Callable[..., Any] = numba.njit(cache=CACHED, nogil=True)(function)
    return compiled


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, word: Any) -> Any:
    """Number of set bits of an unsigned integer."""

    def emit(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), emit


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(_context: Any, word: Any) -> Any:
    """Place of the lowest set bit of an unsigned integer other than 0."""

    def emit(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return word(word), emit
