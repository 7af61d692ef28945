"""Functions compiled by numba: a certificate is checked in minutes with them, in most of an hour without."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` on its first call; other threads go on meanwhile, and while it runs."""
    return cast("Function", numba.njit(nogil=True)(function))
