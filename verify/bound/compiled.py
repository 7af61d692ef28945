"""Functions compiled by numba: with them a check takes minutes, without them most of an hour.

The compiled code is kept in the user's cache folder. The name of its subfolder changes with the source text of this package,
because numba itself notices changes only in the file that it compiles.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

if numba.config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set: a check without compiled code would take hours")

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` on its first call. It releases the GIL, so that other threads continue while it runs."""
    made: Any = numba.njit(nogil=True)(function)
    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(_FOLDER)
        made._cache = _Kept(function)
    finally:
        numba.config.CACHE_DIR = before
    return cast("Function", made)


class _Folder(UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder of compiled code, writable or not: one for all copies of the same sources."""

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        return Path(file).parent.name

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            super().ensure_cache_path()


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Folder]


class _Kept(FunctionCache):  # type: ignore[misc]
    """A cache of compiled code: an unreadable file counts as a cache miss, and a failed write is ignored."""

    _impl_class = _Files

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super().load_overload(signature, context)
        except Exception:  # a damaged file may raise anything
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError:
            return


def _version() -> str:
    """Return a hash of the source text of this package and of the versions of Python and numba."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


VERSION = _version()
"""The version of the program that checks bounds: files kept by another version are never used."""


def _folder() -> Path:
    """Return the cache folder for the code compiled from this source text."""
    named, home = os.environ.get("ROWDRAW_CACHE"), os.environ.get("XDG_CACHE_HOME")
    parent = Path(named) if named else (Path(home) if home else Path.home() / ".cache") / "rowdraw"
    return parent / "referee" / VERSION[:16]


_FOLDER = _folder()
