"""Kernels: functions compiled by numba in nopython mode.

They are kept in the user's cache folder, see `verify.compiled`.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from solver.errors import RowdrawError

try:
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic
except (ImportError, OSError, ValueError) as error:  # a damaged library, or NUMBA_NUM_THREADS=0
    raise RowdrawError(
        f"numba does not load ({error}): expected it installed, and no invalid variable NUMBA_... "
        "in the environment"
    ) from error
if numba.config.DISABLE_JIT:
    raise RowdrawError("NUMBA_DISABLE_JIT is set, but kernels only run compiled: expected it unset")

from verify.compiled import cache_folder, compiler, digest_of

# the command line says what is logged; to users of the library progress is silent
_LOG = logging.getLogger(__name__)

Function = TypeVar("Function", bound=Callable[..., Any])

# the arrays that kernels take, by the type of their numbers
I8 = npt.NDArray[np.int8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]


def sources() -> list[Path]:
    """Return the files whose text decides what kernels do.

    These are the files in folders `kernels`, and the modules that these import.
    """
    here = Path(__file__).parent
    return [
        Path(__file__),
        *sorted(here.glob("*/kernels/*.py")),
        here / "model" / "tiles.py",
    ]


_FOLDER = cache_folder() / "kernels" / digest_of(sources())[:16]


def kernel_folder() -> Path:
    """Return the folder that caches compiled kernels."""
    return _FOLDER


def kernel(function: Function) -> Function:
    """Compile `function` at its first call with each combination of argument types.

    For mypy its type does not change.
    """
    return cast("Function", _compiled(function))


def borrowing(function: Function) -> Function:
    """Compile as `kernel` does, but without reference counts.

    It is for functions that are called in innermost loops with tuples of arrays.

    All threads share the reference counts of arrays, and updating them costs more than the work
    itself. A function without them must not create arrays: its caller creates those that it needs.
    """
    return cast("Function", _compiled(function, _nrt=False))


_compiled = compiler(_FOLDER, tell=lambda: tell_compiling(_LOG.info))

_announced = False  # whether this process has said that it compiles


def tell_compiling(say: Callable[[str], None]) -> None:
    """Say, once in each process, that kernels are being compiled, which takes a while."""
    global _announced
    if not _announced:
        _announced = True
        say("compiling kernels, up to a minute")


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, word: Any) -> Any:
    """Return the number of set bits of an unsigned integer."""

    def emit(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), emit


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of an unsigned integer other than 0."""

    def emit(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return word(word), emit
