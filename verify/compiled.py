"""Compiles functions with numba, and keeps the code in a folder that is named after the sources.

Numba itself notices changes only in the file that it compiles, not in a function that this file
calls. So the caller, who knows all sources, names the folder after their digest: code that is kept
there is never out of date. The cache is the user's own: code in it is run, and not checked.
"""

import hashlib
import logging
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from verify.files import replacing

_LOG = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder that ROWDRAW_CACHE names, or else the usual cache folder of this user.

    For a user without a home folder it is one that cannot be made, since a folder that users share
    may hold the code of someone else.
    """
    if chosen := os.environ.get("ROWDRAW_CACHE"):
        return Path(chosen)
    nowhere = Path(os.devnull) / "no-home-folder"
    try:
        usual = Path(platformdirs.user_cache_dir("rowdraw"))
    except RuntimeError:
        return nowhere
    # earlier versions of platformdirs return `~/.cache` as it is
    return nowhere if usual.parts[0] == "~" else usual


def digest_of(sources: Iterable[Path]) -> str:
    """Return a digest of what decides compiled code: sources, and versions of Python and numba."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sources:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiler(folder: Path, tell: Callable[[], None] = lambda: None) -> Callable[..., Any]:
    """Return a decorator: the function is compiled on its first call with new argument types.

    Compiled code releases the interpreter lock, so that other threads continue while it runs.

    Args:
        folder: Where compiled code is kept, writable or not.
        tell: Called before anything is compiled.
    """

    def compiled(function: Callable[..., Any], **options: Any) -> Any:
        made: Any = numba.njit(nogil=True, **options)(function)
        made._cache = _Kept(function, folder, tell)  # in place of `cache=True`
        return made

    return compiled


class _Kept(NullCache):  # type: ignore[misc]
    """The cache of a function: one file for each combination of argument types, stated in its name.

    Numba's own cache numbers the files and keeps an index. Two processes that compile one function
    for different types at the same time can then confuse the two codes.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, tell: Callable[[], None]
    ) -> None:
        self._tell = tell
        code = function.__code__
        source = Path(code.co_filename)
        # the same place for all copies of these sources
        self._folder = folder / source.parent.parent.name / source.parent.name
        name = f"{source.stem}.{function.__qualname__}-{code.co_firstlineno}"
        self._name = re.sub("[<>]", "", name)

    def _file(self, signature: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        return self._folder / f"{self._name}.{key[:16]}.nbc"

    def load_overload(self, signature: Any, context: Any) -> Any:
        # compiled code needs the runtime; only a compilation needs all else that `context.refresh`
        # loads, and scipy with it
        rtsys.initialize(context)
        try:
            kept = pickle.loads(self._file(signature, context.codegen()).read_bytes())
            return CompileResult._rebuild(context, *kept)
        except Exception:
            # the file is missing, or cut off by a crash of the machine, which may raise anything
            self._tell()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.lifted or result.library.has_dynamic_globals:
            return  # it holds addresses of this process
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._file(signature, result.codegen)) as file:
                file.write(dumps(result._reduce()))
        except OSError as error:
            _warn_once(
                f"the folder for compiled kernels, {self._folder}, cannot be written "
                f"({error.strerror}): they are compiled again in each run, up to a minute. "
                "Set ROWDRAW_CACHE to a folder that can be written."
            )


@cache
def _warn_once(message: str) -> None:
    _LOG.warning("%s", message)
