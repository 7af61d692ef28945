"""Storage for the numbers of a sweep: in memory, or in files.

Files hold more than memory, and let a killed sweep resume.
"""

import zlib
from contextlib import suppress
from functools import lru_cache
from glob import glob
from pathlib import Path
from threading import Lock
from zipfile import BadZipFile

import numpy as np

from solver.bound.kernels.completion_bounds import Window
from solver.bound.kernels.packed_states import Packed, merged, part_of
from solver.bound.prices import Prices
from solver.bound.sweeps.outlooks import Focus
from solver.errors import RowdrawError
from solver.files import replacing

_BYTES = 8  # of a number
_CHECKED = 8192  # files that a process remembers to be whole: more than those of a kind in a layer
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
    layer is a number of tiles played. There are three kinds, all sorted: `children`, candidates for
    the states of a layer; `states`, which the layer keeps; and `racks`, which these states draw.
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

    def clear(self) -> None:
        """Delete all arrays. Raises `OSError`."""
        self._kept.clear()
        self._room.clear()


class Files(Store):
    """A store with one file for each array, in one folder for each layer.

    A file holds the numbers, and their checksum at the end. Methods that read raise `RowdrawError`
    for a damaged file. A failed write leaves no partial file. Several processes may write, each its
    own arrays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """As `Store.put`. Raises `OSError` that names the file."""
        path = self._path(kind, layer, source, part)
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as file:
            file.write(np.append(numbers, _checksum(path, numbers)).tobytes())

    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """As `Store.find`."""
        path = self._path(kind, layer, source, part)
        return np.array(_mapped(path)) if path.exists() else None

    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """As `Store.chunks`. The files are read where the numbers are used, but checked as a whole.

        Windows replaces no file whose array is in use.
        """
        return [_mapped(path) for path in self._paths(kind, layer)]

    def count(self, kind: str, layer: int) -> int:
        """As `Store.count`."""
        return sum(path.stat().st_size // _BYTES - 1 for path in self._paths(kind, layer))

    def drop(self, kind: str, layer: int) -> None:
        """As `Store.drop`."""
        for path in self._paths(kind, layer):
            path.unlink(missing_ok=True)

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
        """Delete all arrays and foci, and no file of another name; make the folder if needed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for pattern in ("layer-*/*.u64", "layer-*/.*.u64.*.part", "focus-[0-9][0-9][0-9][0-9].npz"):
            for path in sorted(self.folder.glob(pattern)):
                path.unlink(missing_ok=True)
        for path in self.folder.glob("layer-*/"):
            with suppress(OSError):  # it holds something else
                path.rmdir()

    def _path(self, kind: str, layer: int, source: int, part: int) -> Path:
        return self.folder / f"layer-{layer:03}" / f"{kind}-{source:03}-{part:02}.u64"

    def _paths(self, kind: str, layer: int) -> list[Path]:
        return [self.folder / name for name in self.names(kind, range(layer, layer + 1))]


def _mapped(path: Path) -> Packed:
    """Return the numbers of a file, which the system reads when they are used.

    Raises `RowdrawError` if the file is damaged.
    """
    status = path.stat()
    _check(path, (status.st_ino, status.st_mtime_ns, status.st_size))
    count = status.st_size // _BYTES - 1
    if count == 0:
        return np.zeros(0, np.uint64)
    return np.memmap(path, np.uint64, "r", shape=(count,))


@lru_cache(maxsize=_CHECKED)
def _check(path: Path, version: tuple[int, int, int]) -> None:
    """Raise `RowdrawError` if a file is damaged.

    A file that replaces another has a new `version`: inode, time and size.
    """
    *_others, size = version
    numbers = np.fromfile(path, np.uint64)
    if size % _BYTES or size == 0 or numbers[-1] != _checksum(path, numbers[:-1]):
        raise _damaged(path)


def _checksum(path: Path, numbers: Packed) -> np.uint64:
    """Return the checksum of the numbers of a file.

    It begins with the file's name: so no file passes for another, and no zeros for a file.
    """
    salt = zlib.crc32(f"{path.parent.name}/{path.name}".encode())
    return np.uint64(zlib.crc32(np.ascontiguousarray(numbers).data, salt))


def _damaged(path: Path) -> RowdrawError:
    folder = path.parents[1]
    return RowdrawError(
        f"{path}: damaged: remove the folder {folder} to sweep again from the lowest bound so far"
    )


def focus_name(number: int) -> str:
    """Return the name of the file of a focus."""
    return f"focus-{number:04}.npz"
