"""The open layers of a beam, and the buffers in which threads deliver children."""

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.kernels.hashing import MIX
from solver.kernels.layer import compact, merge

NO_CUT = -(1 << 60)
CLOSED_GATE = 1 << 60
_KNOWN = 1 << 14  # some thousand hands are fished from in each layer

StateArrays = tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]
]


def state_arrays(*shape: int) -> StateArrays:
    """Uninitialised key, priority, score, parent and move of `shape` states.

    A move is left draws + 16 * length of the play, and where two plays lead to a state 256 times that of the second one.
    """
    return (
        np.empty(shape, dtype=np.uint64),
        np.empty(shape, dtype=np.int64),
        np.empty(shape, dtype=np.int32),
        np.empty(shape, dtype=np.int32),
        np.empty(shape, dtype=np.int32),
    )


# what a search makes of children before they enter a layer: it may change their priorities. Takes their arrays.
Rating = Callable[[StateArrays], None]


class Children:
    """One thread's children, by tiles played, `reach` at most; and the hands that it has fished from."""

    def __init__(self, reach: int, capacity: int) -> None:
        self.arrays = state_arrays(reach + 1, capacity)
        self.count = np.zeros(reach + 1, dtype=np.int64)
        self.known = np.zeros((_KNOWN, 4), dtype=np.uint64)

    def forget(self) -> None:
        """What another beam has fished from says nothing."""
        self.known[:] = 0


class Layer:
    """States with one number of tiles played, one for each key, and the least priority that is still of use.

    `cut` is the priority of the width-th best state met so far. More states never lower it, so a child below it can be
    dropped unseen, whatever the order in which children arrive: the layer's best `width` states do not depend on it.
    floor: no state below it is wanted, even where that leaves the layer with fewer.
    """

    def __init__(self, width: int, floor: int = NO_CUT, rating: Rating | None = None) -> None:
        self.width = width
        self.cut = floor
        self._rating = rating
        self._lock = Lock()
        self.count = 0
        self._arrays = state_arrays(0)
        self._table = np.zeros(64, dtype=np.int32)
        self._count_at_cut = 0
        self.has_overflowed = False  # whether states above the floor were dropped; none of them was above `cut`

    @classmethod
    def with_start(cls, start_key: int) -> "Layer":
        """The first layer: one state."""
        layer = cls(1)
        layer._make_room(1)
        key, priority, score, parent, move = layer._arrays
        key[0] = start_key
        priority[0] = score[0] = parent[0] = move[0] = 0
        layer.count = 1
        return layer

    def take(self, children: Children, length: int) -> None:
        """Move a thread's children that have played `length` tiles into the layer. Threads may call it at any time."""
        arriving = int(children.count[length])
        rows = [array[length] for array in children.arrays]
        if self._rating is not None:
            key, priority, score, parent, move = (row[:arriving] for row in rows)
            self._rating((key, priority, score, parent, move))
        with self._lock:
            self._make_room(arriving)
            self.count = merge(*rows, arriving, *self._arrays, self.count, self._table, self.cut)
            if self.count > self.width and self.count - self._count_at_cut > self.width // 8:
                self._raise_cut()
        children.count[length] = 0

    @property
    def best_score(self) -> int:
        """0 without states."""
        with self._lock:
            return int(self._arrays[2][: self.count].max(initial=0))

    def cut_now(self) -> int:
        """The cut-off by the children met so far, whatever the order in which they came."""
        if self.count > self.width:
            self._raise_cut()
        return self.cut

    def best(self, salt: int) -> StateArrays:
        """The best `width` states, best first; equal priorities are ordered by a hash of the key and `salt`."""
        key, priority, score, parent, move = self._arrays
        count = self.count
        order = np.lexsort(((key[:count] ^ np.uint64(salt)) * MIX, -priority[:count]))[: self.width]
        if count > self.width:
            self.has_overflowed = True
            self.cut = max(self.cut, int(priority[order[-1]]))
        return key[order], priority[order], score[order], parent[order], move[order]

    def _raise_cut(self) -> None:
        priority = self._arrays[1][: self.count]
        place = self.count - self.width
        self.has_overflowed = True
        self.cut = max(self.cut, int(np.partition(priority, place)[place]))
        if self.count > 2 * self.width:
            self.count = compact(*self._arrays, self.count, self._table, self.cut)
        self._count_at_cut = self.count

    def _make_room(self, arriving: int) -> None:
        needed = self.count + arriving
        if needed > len(self._arrays[0]):
            grown = state_arrays(max(needed, 2 * len(self._arrays[0])))
            pairs: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = list(zip(grown, self._arrays, strict=True))
            for new, old in pairs:
                new[: self.count] = old[: self.count]
            self._arrays = grown
        if 2 * needed > len(self._table):
            self._table = np.zeros(1 << (2 * needed - 1).bit_length(), dtype=np.int32)
            self.count = compact(*self._arrays, self.count, self._table, NO_CUT)
