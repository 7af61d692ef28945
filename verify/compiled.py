"""Functions compiled by numba, kept as its cache keeps them, in a folder whose name changes with the source text.

Numba itself notices changes only in the file that it compiles, not in a function that this file calls. Who knows all sources
names them with a digest, and chooses the folder by it: so code kept there is never out of date. The cache is the user's own:
code in it is run, and not checked.
"""

import hashlib
import logging
import os
import pickle
import sys
from collections.abc import Callable, Iterable
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

    For a user without a home folder it is one that cannot be made, since a folder that users share may hold another's code.
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
    """Return a digest of the text of files and of the versions of Python and numba, which decide what compiled code does."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sources:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiler(folder: Path, tell: Callable[[], None] = lambda: None) -> Callable[..., Any]:
    """Return a function that compiles another one on its first call with each combination of argument types.

    Compiled code releases the interpreter lock, so that other threads continue while it runs, and is kept in `folder`.

    Args:
        folder: Where compiled code is kept, writable or not.
        tell: Called before anything is compiled.
    """

    def compiled(function: Callable[..., Any], **options: Any) -> Any:
        made: Any = numba.njit(nogil=True, **options)(function)
        # in place of `cache=True`
        made._cache = _Kept(function, folder, tell)
        return made

    return compiled


class _Kept(NullCache):  # type: ignore[misc]
    """The cache of a function: one file for each combination of argument types, which its name states.

    Numba's own cache numbers the files and keeps an index. Two processes that compile one function for different types at the
    same time can then take the code for one for that of the other.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, tell: Callable[[], None]
    ) -> None:
        self._tell = tell
        code = function.__code__
        source = Path(code.co_filename)
        # the same place for all copies of these sources
        self._folder = folder / source.parent.parent.name / source.parent.name
        self._name = f"{source.stem}.{function.__qualname__}-{code.co_firstlineno}".translate(
            {ord("<"): None, ord(">"): None}
        )

    def _file(self, signature: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        return self._folder / f"{self._name}.{key[:16]}.nbc"

    def load_overload(self, signature: Any, context: Any) -> Any:
        # compiled code needs the runtime; all else that `context.refresh` loads, and scipy with it, only a compilation needs
        rtsys.initialize(context)
        try:
            kept = pickle.loads(self._file(signature, context.codegen()).read_bytes())
            return CompileResult._rebuild(context, *kept)
        except (
            Exception
        ):  # a missing file, or one cut off by a crash of the machine, which may raise anything
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
                f"the folder for compiled kernels, {self._folder}, cannot be written ({error.strerror}): they are compiled "
                "again in each run, up to a minute. Set ROWDRAW_CACHE to a folder that can be written."
            )


_said: set[str] = set()


def _warn_once(message: str) -> None:
    if message not in _said:
        _said.add(message)
        _LOG.warning("%s", message)
