"""Bundles of arrays in the user's cache folder.

A bundle is one file of `numpy.savez`, which has a checksum of each array, so a damaged file is a
cache miss. Files are read, not mapped into memory: a search would crash if another program cut off
a mapped file.
"""

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.files import replacing
from verify.compiled import cache_folder

FORMAT = "rowdraw bundle 5"
_MOST = 12  # bundles that are kept: about 600 MB, or more with racks of 11 and 12 tiles

Arrays = dict[str, npt.NDArray[Any]]


def kept_arrays(
    kind: str, subject: str, build: Callable[[], Mapping[str, npt.NDArray[Any]]]
) -> Arrays:
    """Return the arrays of this kind about a subject.

    They are read from the cache folder, or built and kept there.
    """
    # two versions of the program use two files
    key = f"{FORMAT} {kind} {subject}"
    path = cache_folder() / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
    arrays = read_bundle(path)
    if arrays is None:
        arrays = read_only(build())
        write_bundle(path, arrays)
    return arrays


def read_bundle(path: Path) -> Arrays | None:
    """Return the arrays of the bundle at `path`; None if it is damaged or does not exist."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as bundle:
            arrays = read_only(bundle)
    except Exception:  # a damaged file may raise anything
        return None
    # the folder of another user can be read, but not marked
    with suppress(OSError):
        os.utime(path)
    return arrays


def read_only(arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Make arrays read-only and return them.

    Arrays from a bundle are read-only. For writable ones numba would compile each kernel a second
    time.
    """
    kept = dict(arrays)
    for array in kept.values():
        array.flags.writeable = False
    return kept


def write_bundle(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a bundle atomically, unless the folder cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        # another process may remove the same ones
        _remove_oldest(path.parent)
    except OSError:
        return


def _remove_oldest(folder: Path) -> None:
    """Remove the bundles that have not been used for longest, if there are more than are kept."""
    # with those that a killed process has left half written
    bundles = folder.glob("*.bin*")
    by_use = sorted(bundles, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_use[_MOST:]:
        path.unlink(missing_ok=True)
