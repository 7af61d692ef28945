"""Where a sweep keeps its numbers: in memory, or in files so that memory does not end it and a killed one goes on."""

import errno
from abc import ABC, abstractmethod
from operator import itemgetter
from pathlib import Path
from threading import Lock

import numpy as np

from solver.bound.kernels.packed_states import PART_BITS, Packed, merged, part_of
from solver.files import replacing

_SMALLEST, _BYTES = 1 << PART_BITS, 8  # parts at most, and bytes of a number
_ENDS = np.arange(1, _SMALLEST + 1, dtype=np.uint64) << np.uint64(64 - PART_BITS)  # the last one, 0, stands for 2 ** 64
_ROOM = 40_000_000  # children of a layer that memory may hold before equal ones are looked for


class Store(ABC):
    """Arrays of sorted numbers, named by what they are, their layer, and the layer and the part that they come from.

    kind: `children` on their way to a layer, the `states` that a layer keeps, the `racks` that these draw, and `counts`, how
        many racks of a part have been expanded.
    """

    @abstractmethod
    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """Keep sorted numbers, in place of those of the same name."""

    @abstractmethod
    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """The array of that name, if there is one."""

    @abstractmethod
    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """All arrays of a layer in the order of their names."""

    @abstractmethod
    def drop(self, kind: str, layer: int) -> None:
        """Forget the arrays of a layer."""

    @abstractmethod
    def size(self) -> int:
        """Bytes that are kept."""

    def part(self, kind: str, layer: int, part: int, parts: int) -> Packed:
        """What belongs to one of so many parts of a layer: sorted, the best of equal leaves or racks."""
        return merged([part_of(numbers, part, parts) for numbers in self.chunks(kind, layer)])

    def count(self, kind: str, layer: int) -> int:
        """How many numbers a layer holds, equal ones included."""
        return sum(map(len, self.chunks(kind, layer)))


class Memory(Store):
    """Keeps all in memory."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], dict[tuple[int, int], Packed]] = {}
        self._room: dict[tuple[str, int], int] = {}
        self._lock = Lock()  # of those that put: while one merges, what another one puts would be lost

    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """As `Store.put`; what has become too much is merged into one array."""
        with self._lock:
            kept = self._kept.setdefault((kind, layer), {})
            kept[source, part] = numbers
            if kind == "children" and self.count(kind, layer) > self._room.get((kind, layer), _ROOM):
                whole = merged(list(kept.values()))
                self._kept[kind, layer] = {(-1, 0): whole}
                self._room[kind, layer] = _ROOM + 2 * len(whole)

    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """As `Store.find`."""
        return self._kept.get((kind, layer), {}).get((source, part))

    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """As `Store.chunks`."""
        return [numbers for _name, numbers in sorted(self._kept.get((kind, layer), {}).items(), key=itemgetter(0))]

    def drop(self, kind: str, layer: int) -> None:
        """As `Store.drop`."""
        self._kept.pop((kind, layer), None)

    def size(self) -> int:
        """As `Store.size`."""
        return sum(numbers.nbytes for kept in self._kept.values() for numbers in kept.values())


class Files(Store):
    """Keeps each array in a file, in a folder for each layer, written whole or not at all.

    A file begins with where each of the smallest parts ends, so that a part is read without the rest. Several processes may
    write, each its own arrays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        """As `Store.put`. Raises `OSError` that names the file."""
        path = self._path(kind, layer, source, part)
        path.parent.mkdir(exist_ok=True)
        ends = np.searchsorted(numbers, _ENDS).astype(np.uint64)
        ends[-1] = len(numbers)
        with replacing(path) as file:
            file.write(ends.tobytes())
            file.write(numbers.tobytes())

    def find(self, kind: str, layer: int, source: int, part: int) -> Packed | None:
        """As `Store.find`."""
        path = self._path(kind, layer, source, part)
        return _read(path, 0, _SMALLEST) if path.exists() else None

    def chunks(self, kind: str, layer: int) -> list[Packed]:
        """As `Store.chunks`."""
        return [_read(path, 0, _SMALLEST) for path in self._paths(kind, layer)]

    def part(self, kind: str, layer: int, part: int, parts: int) -> Packed:
        """As `Store.part`."""
        share = _SMALLEST // parts
        return merged([_read(path, part * share, (part + 1) * share) for path in self._paths(kind, layer)])

    def count(self, kind: str, layer: int) -> int:
        """As `Store.count`."""
        return sum(path.stat().st_size // _BYTES - _SMALLEST for path in self._paths(kind, layer))

    def drop(self, kind: str, layer: int) -> None:
        """As `Store.drop`."""
        for path in self._paths(kind, layer):
            path.unlink(missing_ok=True)

    def size(self) -> int:
        """As `Store.size`."""
        return sum(path.stat().st_size for path in self.folder.glob("layer-*/*.u64"))

    def _path(self, kind: str, layer: int, source: int, part: int) -> Path:
        return self.folder / f"layer-{layer:03}" / f"{kind}-{source:03}-{part:02}.u64"

    def _paths(self, kind: str, layer: int) -> list[Path]:
        return sorted((self.folder / f"layer-{layer:03}").glob(f"{kind}-*.u64"))


def _read(path: Path, first: int, after: int) -> Packed:
    """The numbers of the smallest parts from one to before another. Raises `OSError` where the file is shorter than it says."""
    with path.open("rb") as file:
        ends = np.fromfile(file, dtype=np.uint64, count=_SMALLEST).astype(np.int64)
        if len(ends) < _SMALLEST:
            raise OSError(errno.EIO, "is cut short", str(path))
        begin, end = 0 if first == 0 else int(ends[first - 1]), int(ends[after - 1])
        file.seek((_SMALLEST + begin) * _BYTES)
        numbers = np.fromfile(file, dtype=np.uint64, count=end - begin)
    if len(numbers) < end - begin:
        raise OSError(errno.EIO, "is cut short", str(path))
    return numbers
