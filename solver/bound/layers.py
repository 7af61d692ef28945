"""The open layers of a sweep: children on their way, in memory, or in files so that memory does not end the sweep."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from solver.files import replacing
from solver.kernels.packed_states import Packed, merged, parted

_ROOM = 40_000_000  # children of a layer that memory may hold before equal ones are looked for


class OpenLayers:
    """Children by the layer that they are on their way to, in sorted chunks.

    folder: where chunks are files, each written whole or not at all; None: in memory.
    """

    def __init__(self, pool: ThreadPoolExecutor, folder: Path | None = None) -> None:
        self._pool = pool
        self._folder = folder
        self._chunks: dict[int, list[Packed]] = {}
        self._room: dict[int, int] = {}

    def add(self, played: int, source: int, part: int, children: Packed) -> None:
        """Add sorted children with `played` tiles played that a part of layer `source` has led to."""
        if self._folder is None:
            chunks = self._chunks.setdefault(played, [])
            chunks.append(children)
            count = sum(map(len, chunks))
            if count > self._room.get(played, _ROOM):
                self._chunks[played] = [self.merged_parts(chunks)]
                self._room[played] = _ROOM + 2 * len(self._chunks[played][0])
            return
        with replacing(self._folder / f"layer-{played:03}-from-{source:03}-{part:02}.npy") as file:
            np.save(file, children)

    def take(self, played: int) -> list[Packed]:
        """The chunks of a layer; in files they stay until `drop`."""
        if self._folder is None:
            return self._chunks.pop(played, [])
        return [np.load(path, mmap_mode="r") for path in sorted(self._folder.glob(f"layer-{played:03}-from-*.npy"))]

    def drop(self, played: int) -> None:
        """Remove the files of a layer that is done."""
        if self._folder is not None:
            for path in self._folder.glob(f"layer-{played:03}-from-*.npy"):
                path.unlink()

    def forget_from(self, source: int) -> None:
        """Remove what layers from `source` on have led to: they were not done."""
        if self._folder is not None:
            for path in self._folder.glob("layer-*-from-*.npy"):
                if int(path.stem.split("-")[3]) >= source:
                    path.unlink()

    def merged_parts(self, chunks: list[Packed]) -> Packed:
        """The chunks as one, equal states once."""
        parts = 64 if sum(map(len, chunks)) > 100_000 else 1
        split = [parted(chunk, parts) for chunk in chunks]
        found = list(self._pool.map(lambda part: merged([some[part] for some in split]), range(parts)))
        return np.concatenate(found)
