"""The open layers of a beam, and the buffers from which threads move children into them."""

import math
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.index.kernels.hashing import MIX
from solver.model.units import SCALE
from solver.search.kernels.layer import compact, merge_children
from solver.search.kernels.states import Children, States

NO_CUTOFF = -(1 << 60)
ADMIT_NOTHING = 1 << 60
_HANDS = 1 << 14  # fishing starts from a few thousand hands in each layer
_SHARE = 8  # the slope is measured between the cut-off of the beam and that of its best eighth
_SLACK = 1.5  # a wider beam also finds better states, and priorities spread more on some rows than on others
_MARGIN = 2 * SCALE


def new_states(*shape: int) -> States:
    """Return uninitialised states of that shape."""
    return States(*(np.empty(shape, dtype=kind) for kind in (np.uint64, np.int64, np.int32, np.int32, np.int32)))


def new_children(reach: int, capacity: int) -> Children:
    """Return room for the children of one thread: `capacity` for each number of tiles up to `reach`."""
    return Children(
        new_states(reach + 1, capacity), np.zeros(reach + 1, dtype=np.int64), np.zeros((_HANDS, 4), dtype=np.uint64)
    )


class Layer:
    """The best `width` states with the same number of tiles played, one for each key.

    `cutoff`, at least `floor`, is the priority of the width-th best state so far. More states never lower it, so a child below
    it can be dropped at once. The states kept at the end do not depend on the order in which children arrive.
    """

    def __init__(self, width: int, floor: int = NO_CUTOFF) -> None:
        self.width = width
        self.cutoff = floor
        self._lock = Lock()
        self.count = 0
        self._states = new_states(0)
        self._table = np.zeros(64, dtype=np.int32)
        self._count_at_cutoff = 0

    @classmethod
    def with_start(cls, start_key: int) -> "Layer":
        """Return the first layer, which holds one state."""
        layer = cls(1)
        layer._make_room(1)
        for array in layer._states:
            array[0] = 0
        layer._states.key[0] = start_key
        layer.count = 1
        return layer

    def take(self, children: Children, length: int) -> None:
        """Move a thread's children that have played `length` tiles into the layer. Threads may call it at any time."""
        arrivals = int(children.count[length])
        arriving = children.states.at(length)
        with self._lock:
            self._make_room(arrivals)
            self.count = merge_children(arriving, arrivals, self._states, self.count, self._table, self.cutoff)
            if self.count > self.width and self.count - self._count_at_cutoff > self.width // 8:
                self._raise_cutoff()
        children.count[length] = 0

    @property
    def best_score(self) -> int:
        """The best score of any state; 0 without states."""
        with self._lock:
            return int(self._states.score[: self.count].max(initial=0))

    def settle(self) -> int:
        """Raise the cut-off as far as the states so far allow, whatever the order in which they arrived, and return it."""
        if self.count > self.width:
            self._raise_cutoff()
        return self.cutoff

    def close(self, salt: int) -> States:
        """Close the layer and return its best `width` states, best first.

        Equal priorities are ordered by a hash of the key and `salt`.
        """
        count = self.count
        key, priority = self._states.key[:count], self._states.priority[:count]
        order = np.lexsort(((key ^ np.uint64(salt)) * MIX, -priority))[: self.width]
        if count > self.width:
            self.cutoff = max(self.cutoff, int(priority[order[-1]]))
        return self._states.at(order)

    def _raise_cutoff(self) -> None:
        priority = self._states.priority[: self.count]
        place = self.count - self.width
        self.cutoff = max(self.cutoff, int(np.partition(priority, place)[place]))
        if self.count > 2 * self.width:
            self.count = compact(self._states, self.count, self._table, self.cutoff)
        self._count_at_cutoff = self.count

    def _make_room(self, arrivals: int) -> None:
        needed = self.count + arrivals
        if needed > len(self._states.key):
            grown = new_states(max(needed, 2 * len(self._states.key)))
            pairs: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = list(zip(grown, self._states, strict=True))
            for new, old in pairs:
                new[: self.count] = old[: self.count]
            self._states = grown
        if 2 * needed > len(self._table):
            self._table = np.zeros(1 << (2 * needed - 1).bit_length(), dtype=np.int32)
            self.count = compact(self._states, self.count, self._table, NO_CUTOFF)


class LearntCutoffs:
    """The floor of each layer for wider beams from the same state, learnt from one beam. `start` is the key of that state."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._learnt: dict[int, tuple[int, int, float]] = {}

    @property
    def has_learnt(self) -> bool:
        """Whether any layer of the narrower beam was full."""
        return bool(self._learnt)

    def cutoff(self, played: int) -> int:
        """Return the cut-off of a layer in the narrower beam; `NO_CUTOFF` if it was not full."""
        return self._learnt[played][1] if played in self._learnt else NO_CUTOFF

    def learn(self, played: int, priority: npt.NDArray[np.int64], width: int) -> None:
        """Learn from the priorities (int64, best first) that the layer with `played` tiles played kept in a beam of `width`."""
        if len(priority) == width >= _SHARE:
            drop = int(priority[len(priority) // _SHARE - 1]) - int(priority[-1])
            self._learnt[played] = (width, int(priority[-1]), drop / math.log(_SHARE))

    def floor(self, played: int, width: int) -> int:
        """Return the least priority worth keeping in a layer of a beam of `width`; `NO_CUTOFF` if none was learnt."""
        if played not in self._learnt:
            return NO_CUTOFF
        narrower, cut, slope = self._learnt[played]
        return cut - math.ceil(_SLACK * slope * math.log(max(1.0, width / narrower))) - _MARGIN
