"""What a narrower beam teaches a wider one: how good a state must be for its layer, before the layer is full.

A layer of a beam knows its cut-off only when it holds as many states as the beam is wide, and until then takes everything. In
every layer the number of states within d points of the best grows about tenfold every so many points; from a narrower beam's
layer we learn how many, and where a wider beam's cut-off will come to lie.
"""

import math

import numpy as np
import numpy.typing as npt

from solver.model.units import SCALE
from solver.search.layers import NO_CUTOFF

_SHARE = 8  # the slope is measured between the cut-off of the beam and that of its best part
_SLACK = 1.5  # the wider beam also finds better states, and some rows spread wider than others
_MARGIN = 2 * SCALE


class LearntCutoffs:
    """The floor of each layer for wider beams from the same state, whose key is `start`, learnt from one beam."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._learnt: dict[int, tuple[int, int, float]] = {}

    @property
    def has_learnt(self) -> bool:
        """Whether any layer of the narrower beam was full."""
        return bool(self._learnt)

    def cutoff(self, played: int) -> int:
        """The cut-off of that layer in the narrower beam; `NO_CUTOFF` where it was not full."""
        return self._learnt[played][1] if played in self._learnt else NO_CUTOFF

    def learn(self, played: int, priority: npt.NDArray[np.int64], width: int) -> None:
        """Note the layer with `played` tiles played: its kept priorities (int64, best first) in a beam of `width`."""
        if len(priority) == width >= _SHARE:
            drop = int(priority[len(priority) // _SHARE - 1]) - int(priority[-1])
            self._learnt[played] = (width, int(priority[-1]), drop / math.log(_SHARE))

    def floor(self, played: int, width: int) -> int:
        """The least priority worth keeping in that layer of a beam of `width`.

        `NO_CUTOFF` where the narrower beam cannot say.
        """
        if played not in self._learnt:
            return NO_CUTOFF
        narrower, cut, slope = self._learnt[played]
        return cut - math.ceil(_SLACK * slope * math.log(max(1.0, width / narrower))) - _MARGIN
