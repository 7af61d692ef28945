"""Cut-offs learnt from a narrower beam: the priority that a state of a wider beam needs before its layer is full.

A layer knows its cut-off only when it is full, and takes every state until then. In every layer the number of states within d
points of the best grows exponentially with d. The layer of a narrower beam gives the rate, which predicts the cut-off of a
wider beam.
"""

import math

import numpy as np
import numpy.typing as npt

from solver.model.units import SCALE
from solver.search.layers import NO_CUTOFF

_SHARE = 8  # the slope is measured between the cut-off of the beam and that of its best eighth
_SLACK = 1.5  # a wider beam also finds better states, and priorities spread more on some rows than on others
_MARGIN = 2 * SCALE


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
