"""Functions compiled by numba: a certificate is checked in minutes with them, in most of an hour without.

What is compiled is kept in the user's cache folder, under a name that changes with the text of this package: numba itself
notices only changes in the file that it compiles.
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
    """Compile `function` on its first call; other threads go on meanwhile, and while it runs."""
    made: Any = numba.njit(nogil=True)(function)
    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(_FOLDER)
        made._cache = _Kept(function)
    finally:
        numba.config.CACHE_DIR = before
    return cast("Function", made)


class _Folder(UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder of compiled code, whether or not it can be written."""

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            super().ensure_cache_path()


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Folder]


class _Kept(FunctionCache):  # type: ignore[misc]
    """Compiled code in files; what cannot be read is compiled again, and what cannot be written is not kept."""

    _impl_class = _Files

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super().load_overload(signature, context)
        except Exception:  # whatever a damaged file leads to
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError:
            return


def _version() -> str:
    """Return a hash of the text of this package, and of the versions of Python and numba."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


VERSION = _version()
"""Names the program that checks bounds: whatever it kept under another version is not used."""


def _folder() -> Path:
    """Where the code compiled from this text is kept."""
    named, home = os.environ.get("ROWDRAW_CACHE"), os.environ.get("XDG_CACHE_HOME")
    parent = Path(named) if named else (Path(home) if home else Path.home() / ".cache") / "rowdraw"
    return parent / "referee" / VERSION[:16]


_FOLDER = _folder()
