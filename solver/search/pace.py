"""The pace of a beam: the width at which it finishes within the limits of its run."""

from solver.search.run import Run

_BLIND = 0.2  # the share of the layers after which the cost of a state can be estimated
_IN_RESERVE = 0.95  # the share of the rest of a limit that a beam may use
_MEMORY = 0.93  # the weight of older costs decays by this factor with each layer, because costs change along the row
_RISE = 1.6  # the rise of costs in the layers ahead, less the share of layers done; tuned on rows that no table reports


class Pace:
    """An estimate of the cost of a state of a beam of `layers` layers, as a share of the run's time or rack limit.

    A beam that is cut short is worth little. A beam that grows narrower on its way is worth nearly as much as a beam that was
    as narrow from the start.
    """

    def __init__(self, run: Run, layers: int) -> None:
        self._run, self._layers = run, layers
        self._used = run.share_used
        self._cost = self._states = 0.0  # decayed sums over the last layers

    def note(self, states: int) -> None:
        """Note that a layer of `states` states was expanded."""
        if self._used is not None and (used := self._run.share_used) is not None:
            self._cost = _MEMORY * self._cost + used - self._used
            self._states = _MEMORY * self._states + states
            self._used = used

    def allowed(self, width: int, layer: int) -> int:
        """Return the width, 1 or more, that the rest of a beam of `width` may have after `layer` layers."""
        if self._used is None or not _BLIND * self._layers < layer < self._layers or self._cost <= 0:
            return width
        # costs rise along the row, since most second plays are looked for near its end
        rise = max(1.0, _RISE - layer / self._layers)
        fitting = _IN_RESERVE * (1 - self._used) * self._states / (self._cost * rise * (self._layers - layer))
        return max(1, int(min(width, fitting)))
