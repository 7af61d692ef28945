"""How kernels are compiled: numba in nopython mode, without the interpreter lock, kept in the user's cache folder.

The compiled code is kept under a name derived from the text of every kernel, since numba itself notices a change only in the
file that it compiles, not in a kernel which that file calls. It stands behind a digest: what a disk or somebody else has
changed would end the process, or worse, and is compiled again instead.
"""

import hashlib
import logging
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

from solver.cache import cache_folder
from solver.errors import RowdrawError
from solver.files import replacing

_LOG = logging.getLogger(__name__)  # the command line says what is logged; to users of the library progress is silent


def sources() -> list[Path]:
    """Return the files whose text decides what kernels do: the folders `kernels`, and what their modules import."""
    here = Path(__file__).parent
    return [
        Path(__file__),
        *sorted(here.glob("*/kernels/*.py")),
        *(here / "model" / name for name in ("tiles.py", "racks.py", "scoring.py", "units.py")),
    ]


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.read_bytes())
    digest.update(f"{sys.version} numba {metadata.version('numba')}".encode())
    return digest.hexdigest()[:16]


def kernel_folder() -> Path:
    """Where compiled kernels are kept."""
    return Path(os.environ["NUMBA_CACHE_DIR"])


def _choose_cache() -> bool:
    """Point numba to its cache folder; false where there is none and none can be made, after saying so."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(chosen) if chosen else cache_folder() / "kernels"
    digest = _source_digest()
    # a process started by this one finds the folder as it is
    os.environ["NUMBA_CACHE_DIR"] = str(parent if parent.name == digest else parent / digest)
    folder = kernel_folder()
    try:
        # one that cannot be written, as on a read-only disk, is read all the same
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _LOG.warning(
            "the folder for compiled kernels, %s, cannot be written (%s): they are compiled again in each run, up to a "
            "minute. Set ROWDRAW_CACHE to a folder that can be written.",
            folder,
            error.strerror,
        )
        return False
    return True


CACHED = _choose_cache()

try:
    import numba
    from llvmlite import ir
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
    from numba.extending import intrinsic
except (ImportError, OSError, ValueError) as error:  # a damaged library, or NUMBA_NUM_THREADS=0
    raise RowdrawError(
        f"numba does not load ({error}): expected it installed, and no wrong variable NUMBA_... in the environment"
    ) from error
if numba.config.DISABLE_JIT:
    raise RowdrawError("NUMBA_DISABLE_JIT is set, but kernels only run compiled: expected it unset")

_DIGEST_BYTES = 16


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` on its first call for the types it is called with. To mypy it stays what it was."""
    compiled: Any = numba.njit(nogil=True)(function)
    if CACHED:
        # what `cache=True` does, with files of our own
        compiled._cache = _CheckedCache(function)
    return cast("Function", compiled)


def borrowing(function: Function) -> Function:
    """As `kernel`, for what is called in the innermost loops with bundles: numba does not count the users of arrays there.

    Such counts are kept by all threads together, and cost more than the work. So the function must not make arrays: what it
    needs is made by its caller.
    """
    compiled: Any = numba.njit(nogil=True, _nrt=False)(function)
    if CACHED:
        compiled._cache = _CheckedCache(function)
    return cast("Function", compiled)


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files in which numba keeps one kernel, each behind its digest.

    One that is damaged is as good as absent, and one that cannot be written is not kept.
    """

    def _load_index(self) -> dict[Any, str]:
        kept = _read_checked(Path(self._index_path))
        if kept is None:
            return {}
        version, stamp, overloads = kept
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        _write_checked(Path(self._index_path), self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        kept = _read_checked(Path(self._data_path(name)))
        if kept is None:
            raise FileNotFoundError(name)  # numba compiles it again
        return kept

    def _save_data(self, name: str, data: Any) -> None:
        _write_checked(Path(self._data_path(name)), self._dump(data))


class _Folder(UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder of a kernel's files, whether or not it can be written."""

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Folder]


class _CheckedCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Kept

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, signature: Any, context: Any) -> Any:
        kept = super().load_overload(signature, context)
        if kept is None:
            tell_compiling(_LOG.info)
        return kept


def _read_checked(path: Path) -> Any:
    """What is kept at `path`; None where there is nothing whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if _digest(path, code) != digest:
        _warn_once("a kept kernel is damaged: it is compiled again")
        return None
    return pickle.loads(code)


def _write_checked(path: Path, code: bytes) -> None:
    try:
        with replacing(path) as file:
            file.write(_digest(path, code) + code)
    except OSError as error:
        _warn_once(f"{path.parent}: compiled kernels cannot be kept ({error.strerror}); ROWDRAW_CACHE names another folder")


def _digest(path: Path, code: bytes) -> bytes:
    """Of what is kept and of its name: one kernel's code is not another one's."""
    return hashlib.blake2b(code, digest_size=_DIGEST_BYTES, key=path.name.encode()[-64:]).digest()


_told: set[str] = set()  # messages that this process has given
_COMPILING = "compiling kernels, up to a minute"


def tell_compiling(say: Callable[[str], None]) -> None:
    """Say, once in a process, that kernels are compiled, which takes a while."""
    if _COMPILING not in _told:
        _told.add(_COMPILING)
        say(_COMPILING + (" (only this once)" if CACHED and _can_be_written(kernel_folder()) else ""))


def _can_be_written(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _warn_once(message: str) -> None:
    if message not in _told:
        _told.add(message)
        _LOG.warning("%s", message)


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
