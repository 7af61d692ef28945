"""Functions compiled by numba: with them a check takes minutes, without them most of an hour."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from verify.compiled import cache_folder, compiler, digest_of

if numba.config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set: a check without compiled code would take hours")

Function = TypeVar("Function", bound=Callable[..., Any])

VERSION = digest_of(sorted(Path(__file__).parent.glob("*.py")))
"""The version of the program that checks bounds."""

_compiled = compiler(cache_folder() / "referee" / VERSION[:16])


def compiled(function: Function) -> Function:
    """Compile `function` on its first call. It releases the GIL: other threads continue."""
    return cast("Function", _compiled(function))
