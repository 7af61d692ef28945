"""Bundles of arrays in the user's cache folder, which are checked at each read.

A bundle is one file: a line of JSON, then the bytes of the arrays. The line holds the format, the key, the names, dtypes and
shapes of the arrays, and a CRC-32 of all the rest. A file that is damaged, truncated or made for another key is a cache miss.
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.files import replacing

FORMAT = "rowdraw bundle 2"
_HEADER_LIMIT = 1 << 16
_ALIGNMENT = 64

Arrays = dict[str, npt.NDArray[Any]]


def read_bundle(path: Path, key: str) -> Arrays | None:
    """Return the arrays of the bundle at `path`, or None if it is not intact or was not made for `key`.

    The arrays are read-only views of the file's bytes.
    """
    try:
        content = np.fromfile(path, dtype=np.uint8)
        end = bytes(content[:_HEADER_LIMIT]).index(b"\n") + 1
        header = json.loads(bytes(content[:end]))
        body = content[end + -end % _ALIGNMENT :]
        checksum = header.pop("crc32")
        if header["format"] != FORMAT or header["key"] != key or checksum != _checksum(header, body):
            return None
        arrays: Arrays = {}
        start = 0
        for name, kind, shape in header["arrays"]:
            dtype = np.dtype(kind)
            size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
            arrays[name] = body[start : start + size].view(dtype).reshape(shape)
            start += size + -size % _ALIGNMENT
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return read_only(arrays)


def read_only(arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Make arrays read-only and return them.

    Arrays from a bundle are read-only. For writable ones numba would compile each kernel a second time.
    """
    for array in arrays.values():
        array.flags.writeable = False
    return dict(arrays)


def write_bundle(path: Path, key: str, arrays: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Write a bundle atomically, and return false if the folder cannot be written."""
    pieces = []
    for array in arrays.values():
        piece = np.ascontiguousarray(array).view(np.uint8).ravel()
        pieces += [piece, np.zeros(-piece.size % _ALIGNMENT, dtype=np.uint8)]
    body = np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.uint8)
    header = {
        "format": FORMAT,
        "key": key,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    line = json.dumps({**header, "crc32": _checksum(header, body)}).encode() + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(line + b"\0" * (-len(line) % _ALIGNMENT))
            body.tofile(file)
    except OSError:
        return False
    return True


def _checksum(header: Mapping[str, Any], body: npt.NDArray[np.uint8]) -> int:
    """Return the CRC-32 of the header, without its checksum, and of the body. It finds damage, and is fast even for 100 MB."""
    return zlib.crc32(body.data, zlib.crc32(json.dumps(header).encode()))
