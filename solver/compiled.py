"""The compilation of kernels by numba in nopython mode, without the interpreter lock, with a cache in the user's cache folder.

The cache folder has a name derived from the source text of every kernel. Numba itself notices a change only in the file that it
compiles, not in a kernel that this file calls. Each cached file begins with a digest. Damaged or altered code could crash the
process, or worse, so it is recompiled instead.
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
    """Return the files whose text decides what kernels do: those in folders `kernels`, and the modules that these import."""
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
    """Return the folder that caches compiled kernels."""
    return Path(os.environ["NUMBA_CACHE_DIR"])


def _choose_cache() -> bool:
    """Set numba's cache folder; print a warning and return false if the folder cannot be created."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(chosen) if chosen else cache_folder() / "kernels"
    digest = _source_digest()
    # child processes inherit the variable, which then already ends with the digest
    os.environ["NUMBA_CACHE_DIR"] = str(parent if parent.name == digest else parent / digest)
    folder = kernel_folder()
    try:
        # an existing folder is read even if it cannot be written, as on a read-only disk
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
        f"numba does not load ({error}): expected it installed, and no invalid variable NUMBA_... in the environment"
    ) from error
if numba.config.DISABLE_JIT:
    raise RowdrawError("NUMBA_DISABLE_JIT is set, but kernels only run compiled: expected it unset")

_DIGEST_BYTES = 16


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` at its first call with each combination of argument types. For mypy its type does not change."""
    compiled: Any = numba.njit(nogil=True)(function)
    if CACHED:
        # the same as `cache=True`, but with checked files
        compiled._cache = _CheckedCache(function)
    return cast("Function", compiled)


def borrowing(function: Function) -> Function:
    """Compile as `kernel` does, but without reference counts, for functions called in innermost loops with tuples of arrays.

    All threads share the reference counts of arrays, and updating them costs more than the work itself. A function without them
    must not create arrays: its caller creates those that it needs.
    """
    compiled: Any = numba.njit(nogil=True, _nrt=False)(function)
    if CACHED:
        compiled._cache = _CheckedCache(function)
    return cast("Function", compiled)


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files in which numba caches one kernel, each with a digest in front.

    A damaged file counts as missing. A file that cannot be written is left out.
    """

    def _load_index(self) -> dict[Any, str]:
        cached = _read_checked(Path(self._index_path))
        if cached is None:
            return {}
        version, stamp, overloads = cached
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        _write_checked(Path(self._index_path), self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        cached = _read_checked(Path(self._data_path(name)))
        if cached is None:
            raise FileNotFoundError(name)  # numba then recompiles the kernel
        return cached

    def _save_data(self, name: str, data: Any) -> None:
        _write_checked(Path(self._data_path(name)), self._dump(data))


class _Folder(UserProvidedCacheLocator):  # type: ignore[misc]
    """The cache folder of a kernel, which may be read-only.

    Numba reads its own setting when it is imported, perhaps before this module: so the setting is passed over.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        """Return the same path for every copy of the same sources, so that none repeats another one's compilation."""
        folder = Path(file).resolve().parent
        package = Path(__file__).resolve().parent
        if not folder.is_relative_to(package):
            return cast("str", super().get_suitable_cache_subpath(file))
        return "-".join(folder.relative_to(package).parts)

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(kernel_folder() / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Folder":
        folder = cls(function, file)
        folder.ensure_cache_path()
        return folder

    def ensure_cache_path(self) -> None:
        with suppress(OSError):
            Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)


class _CachedResult(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Folder]


class _CheckedCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _CachedResult

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, signature: Any, context: Any) -> Any:
        cached = super().load_overload(signature, context)
        if cached is None:
            tell_compiling(_LOG.info)
        return cached


def _read_checked(path: Path) -> Any:
    """Return the object cached at `path`; None if the file is missing or damaged."""
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
        _warn_once(f"{path.parent}: compiled kernels cannot be saved ({error.strerror}). Set ROWDRAW_CACHE to another folder.")


def _digest(path: Path, code: bytes) -> bytes:
    """Return a digest of the code and of the file name, so that the code of one kernel is never taken for another's."""
    return hashlib.blake2b(code, digest_size=_DIGEST_BYTES, key=path.name.encode()[-64:]).digest()


_said: set[str] = set()  # messages that this process has printed
_COMPILING = "compiling kernels, up to a minute"


def tell_compiling(say: Callable[[str], None]) -> None:
    """Say, once in each process, that kernels are being compiled, which takes a while."""
    if _COMPILING not in _said:
        _said.add(_COMPILING)
        say(_COMPILING + (" (only this once)" if CACHED and _can_be_written(kernel_folder()) else ""))


def _can_be_written(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _warn_once(message: str) -> None:
    if message not in _said:
        _said.add(message)
        _LOG.warning("%s", message)


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
