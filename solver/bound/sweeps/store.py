"""Storage for the numbers of a sweep: in memory, or in files.

Files hold more than memory, and let a killed sweep resume.
"""

import os
import zlib
from contextlib import suppress
from functools import lru_cache
from glob import glob
from pathlib import Path
from threading import Lock
from zipfile import BadZipFile

import numpy as np

from solver.bound.kernels.arrays import Ints
from solver.bound.kernels.completion_bounds import Window
from solver.bound.kernels.packed_states import PART_BITS, Packed, merged, part_of
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.outlooks import Focus
from solver.errors import RowdrawError
from solver.files import replacing

# the number of partitions of the finest split; the others unite neighbouring ones of these
_FINEST = 1 << PART_BITS
# numbers at the head of a file: the ends of the partitions of the finest split, and their checksums
_HEADER = 2 * _FINEST
_BYTES = 8  # of a number
# of all partitions but the last
_ENDS = np.arange(1, _FINEST, dtype=np.uint64) << np.uint64(64 - PART_BITS)
_INDEXES = 8192  # indexes of files that a process keeps: more than the files of a kind in a layer
# what numpy raises for damaged files of foci
_UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    NotImplementedError,
    BadZipFile,
    zlib.error,
)
_ROOM = 40_000_000  # children of a layer that memory may hold before equal ones are merged


class Store:
    """Arrays of numbers, in memory.

    The name of an array is its kind, its layer, and the layer and partition whose task made it. A
    layer is a number of tiles played. Three kinds are sorted: `children`, candidates for the states
    of a layer; `states`, which the layer keeps; and `racks`, which these states draw. `counts`
    holds the number of racks of a partition that have been expanded, and then the lengths of the
    plays whose children are stored.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], dict[tuple[int, int], Packed]] = {}
        self._room: dict[int, int] = {}  # for the children of a layer
        self._lock = Lock()  # held by `put`: a merge would lose what another thread puts meanwhile

    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """Store sorted numbers, in place of those of the same name.

        Merges a layer's children into one array, without equal ones, when they are too many for
        memory.
        """
        with self._lock:
            kept = self._kept.setdefault((kind, layer), {})
            kept[source, part] = numbers
            if kind == "children" and self.count(kind, layer) > self._room.get(layer, _ROOM):
                whole = merged(list(kept.values()))
                self._kept[kind, layer] = {(-1, 0): whole}  # a name that no task has
                self._room[layer] = _ROOM + 2 * len(whole)

    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """Return the array of that name, or None."""
        return self._kept.get((kind, layer), {}).get((source, part))

    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """Return all arrays of a layer in the order of their names."""
        kept = self._kept.get((kind, layer), {})
        return [kept[name] for name in sorted(kept)]

    def part(self, kind: str, layer: int, part: int, parts: int) -> Packed:
        """Return one of `parts` partitions of a layer, sorted.

        Of equal leaves or racks it has only the best.
        """
        return merged([part_of(numbers, part, parts) for numbers in self.chunks(kind, layer)])

    def count(self, kind: str, layer: int) -> int:
        """Return how many numbers a layer holds, equal ones included."""
        return sum(map(len, self.chunks(kind, layer)))

    def drop(self, kind: str, layer: int) -> None:
        """Delete the arrays of a layer."""
        self._kept.pop((kind, layer), None)

    def size(self) -> int:
        """Return how many bytes are stored."""
        return sum(numbers.nbytes for kept in self._kept.values() for numbers in kept.values())


class Files(Store):
    """A store with one file for each array, in one folder for each layer.

    A file begins with the index where each partition of the finest split ends, and its checksum: so
    one partition can be read and checked without the others. Methods that read raise `RowdrawError`
    for a damaged file. A failed write leaves no partial file. Several processes may write, each its
    own arrays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """As `Store.put`. Raises `OSError` that names the file."""
        path = self._path(kind, layer, source, part)
        path.parent.mkdir(exist_ok=True)
        ends = np.searchsorted(numbers, _ENDS)
        salt = _salt(path)
        checks = [_checksum(piece, salt) for piece in np.split(numbers, ends)]
        header = np.array([*ends, len(numbers), *checks], np.uint64)
        with replacing(path) as file:
            file.write(header.tobytes())
            file.write(numbers.tobytes())

    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """As `Store.find`."""
        path = self._path(kind, layer, source, part)
        return _read(str(path)) if path.exists() else None

    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """As `Store.chunks`."""
        return [_read(path) for path in self._paths(kind, layer)]

    def part(self, kind: str, layer: int, part: int, parts: int) -> Packed:
        """As `Store.part`."""
        share = _FINEST // parts
        first = part * share
        return merged([_read(path, first, first + share) for path in self._paths(kind, layer)])

    def count(self, kind: str, layer: int) -> int:
        """As `Store.count`."""
        return sum(os.path.getsize(path) // _BYTES - _HEADER for path in self._paths(kind, layer))

    def drop(self, kind: str, layer: int) -> None:
        """As `Store.drop`."""
        for path in self._paths(kind, layer):
            Path(path).unlink(missing_ok=True)

    def size(self) -> int:
        """As `Store.size`."""
        return sum(path.stat().st_size for path in self.folder.glob("layer-*/*.u64"))

    def names(self, kind: str, layers: range) -> list[str]:
        """Return the names of the files of a kind in some layers."""
        return [
            name
            for layer in layers
            for name in sorted(glob(f"layer-{layer:03}/{kind}-*.u64", root_dir=self.folder))
        ]

    def write_foci(self, foci: list[Focus]) -> None:
        """Write a file for each focus that has none yet. Raises `OSError` that names the file."""
        for number, focus in enumerate(foci):
            path = self.folder / focus_name(number)
            if not path.exists():
                with replacing(path) as file:
                    np.savez(
                        file,
                        place=np.array([focus.played, *focus.window], np.int64),
                        tile=focus.prices.tile,
                        leave=focus.prices.leave,
                        knots=np.array(focus.prices.knots, np.int64),
                        values=focus.values,
                    )

    def read_foci(self, first: int) -> list[Focus]:
        """Read the foci from number `first` to the first one that is missing.

        A process that was killed while it deleted foci leaves gaps. Without focus 0, which covers
        all states, the others bound nothing, so reading stops at a gap. Raises `RowdrawError` for a
        damaged file.
        """
        foci: list[Focus] = []
        while (path := self.folder / focus_name(first + len(foci))).exists():
            try:
                with path.open("rb") as file, np.load(file) as arrays:
                    played, *window = arrays["place"].tolist()
                    knots = tuple(arrays["knots"].tolist())
                    prices = Prices(arrays["tile"], arrays["leave"], knots)
                    foci.append(Focus(played, Window(*window), prices, arrays["values"]))
            except _UNREADABLE as error:
                raise _damaged(path) from error
        return foci

    def clear(self) -> None:
        """Delete all arrays and foci, and no file of another name."""
        for pattern in ("layer-*/*.u64", "layer-*/.*.u64.*.part", "focus-[0-9][0-9][0-9][0-9].npz"):
            for path in sorted(self.folder.glob(pattern)):
                path.unlink(missing_ok=True)
        for path in self.folder.glob("layer-*/"):
            with suppress(OSError):  # it holds something else
                path.rmdir()

    def _path(self, kind: str, layer: int, source: int, part: int) -> Path:
        return self.folder / f"layer-{layer:03}" / f"{kind}-{source:03}-{part:02}.u64"

    def _paths(self, kind: str, layer: int) -> list[str]:
        # strings: a layer has hundreds of files, and each partition lists them
        names = self.names(kind, range(layer, layer + 1))
        return [f"{self.folder}{os.sep}{name}" for name in names]


def _read(path: str, first: int = 0, after: int = _FINEST) -> Packed:
    """Read the numbers of partitions `first` to `after` - 1 of the finest split.

    Raises `RowdrawError` if they are damaged.
    """
    status = os.stat(path)
    bounds, checks = _index(path, (status.st_ino, status.st_mtime_ns, status.st_size))
    begin = int(bounds[first])
    count = int(bounds[after]) - begin
    if count == 0:
        return np.zeros(0, np.uint64)
    numbers = np.fromfile(path, dtype=np.uint64, count=count, offset=(_HEADER + begin) * _BYTES)
    pieces = np.split(numbers, bounds[first + 1 : after] - begin)
    salt = _salt(Path(path))
    if [_checksum(piece, salt) for piece in pieces] != checks[first:after].tolist():
        raise _damaged(Path(path))
    return numbers


@lru_cache(maxsize=_INDEXES)
def _index(path: str, version: tuple[int, int, int]) -> tuple[Ints, Packed]:
    """Return the index of a file: where partitions of the finest split begin, and their checksums.

    One more number says where the last one ends. Most partitions of most files are empty, so this
    is all that is read of them. A file that replaces another has a new `version`: inode, time and
    size.
    """
    header = np.fromfile(path, dtype=np.uint64, count=_HEADER)
    checks = header[_FINEST:]
    if len(header) < _HEADER or header[:_FINEST].max() > version[2] // _BYTES - _HEADER:
        raise _damaged(Path(path))
    bounds = np.append(0, header[:_FINEST].astype(np.int64))
    sizes = np.diff(bounds)
    if (sizes < 0).any() or (checks[sizes == 0] != _salt(Path(path))).any():
        raise _damaged(Path(path))
    return bounds, checks


def _salt(path: Path) -> int:
    """Return the checksum of a file's name, where those of its numbers begin.

    So no file passes for another, and no zeros for a file.
    """
    return zlib.crc32(f"{path.parent.name}/{path.name}".encode())


def _checksum(numbers: Packed, salt: int) -> int:
    return zlib.crc32(np.ascontiguousarray(numbers).data, salt)


def _damaged(path: Path) -> RowdrawError:
    folder = path.parents[1]
    return RowdrawError(
        f"{path}: damaged: remove the folder {folder} to sweep again from the lowest bound so far"
    )


def focus_name(number: int) -> str:
    """Return the name of the file of a focus."""
    return f"focus-{number:04}.npz"
