"""Bundles of arrays in the user's cache folder.

A bundle is one file: a line of JSON, then the bytes of the arrays. The line holds the key, and the
names, dtypes and shapes of the arrays. A file that is cut off or made for another key is a cache
miss. Files are read, not mapped into memory: a search would crash if another program cut off a
mapped file.
"""

import hashlib
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.files import replacing
from verify.compiled import cache_folder

FORMAT = "rowdraw bundle 4"
_HEADER_LIMIT = 1 << 16
_ALIGNMENT = 64
_PAGE = 4096  # bytes
_MOST = 12  # bundles that are kept: about 600 MB, or more with racks of 11 and 12 tiles

Arrays = dict[str, npt.NDArray[Any]]


def kept_arrays(
    kind: str, subject: str, build: Callable[[], Mapping[str, npt.NDArray[Any]]]
) -> Arrays:
    """Return the arrays of this kind about a subject.

    They are read from the cache folder, or built and kept there.
    """
    # the key names the file and contains the format, so that two versions of the program use two
    # files
    key = f"{FORMAT} {kind} {subject}"
    path = cache_folder() / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
    arrays = read_bundle(path, key)
    if arrays is None:
        arrays = read_only(build())
        write_bundle(path, key, arrays)
    return arrays


def read_bundle(path: Path, key: str) -> Arrays | None:
    """Return the arrays of the bundle at `path`; None if it is damaged or for another key.

    Of each page the first bytes are compared, so a page that was never written is noticed, but not
    every flipped bit.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            header = json.loads(file.readline(_HEADER_LIMIT))
            if header["key"] != key:
                return None
            arrays: Arrays = {}
            for name, kind, shape in header["arrays"]:
                file.seek(-file.tell() % _ALIGNMENT, os.SEEK_CUR)
                arrays[name] = np.fromfile(file, kind, math.prod(shape)).reshape(shape)
            is_whole = not file.read(1) and _sum_of_pages(arrays.values()) == header["pages"]
        # the folder of another user can be read, but not marked
        with suppress(OSError):
            os.utime(path)
    except (
        OSError,
        MemoryError,  # a damaged header may state any size
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ):
        return None
    return read_only(arrays) if is_whole else None


def read_only(arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Make arrays read-only and return them.

    Arrays from a bundle are read-only. For writable ones numba would compile each kernel a second
    time.
    """
    for array in arrays.values():
        array.flags.writeable = False
    return dict(arrays)


def write_bundle(path: Path, key: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a bundle atomically, unless the folder cannot be written."""
    header = {
        "key": key,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
        "pages": _sum_of_pages(arrays.values()),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps(header).encode() + b"\n")
            for array in arrays.values():
                file.write(bytes(-file.tell() % _ALIGNMENT))
                file.write(np.ascontiguousarray(array).data)
            # on disk before it has its name, since a reader does not check the content
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return
    # another process may remove the same ones
    with suppress(OSError):
        _remove_oldest(path.parent)


def _sum_of_pages(arrays: Iterable[npt.NDArray[Any]]) -> int:
    """Return the sum of the first eight bytes of every 4,096 of each array."""
    total = 0
    for array in arrays:
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        whole = content[: len(content) // _PAGE * _PAGE].reshape(-1, _PAGE)
        total += int(np.ascontiguousarray(whole[:, :8]).view(np.uint64).sum(dtype=np.uint64))
    return total % 2**64


def _remove_oldest(folder: Path) -> None:
    """Remove the bundles that have not been used for longest, if there are more than are kept."""
    by_use = sorted(folder.glob("*.bin"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_use[_MOST:]:
        path.unlink(missing_ok=True)
