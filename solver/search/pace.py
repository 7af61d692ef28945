"""How wide a beam may go on if it is to end before the run's limits do."""

from solver.search.run import Run

_BLIND = 0.2  # of the layers: before them too little is known of what a state costs
_IN_RESERVE = 0.95  # of what is left of a limit
_MEMORY = 0.93  # by how much what a state cost counts less with each layer: costs change along the row
_RISE = 1.6  # how much more a state costs in the layers ahead, less the part that is behind: from rows that no table reports


class Pace:
    """Counts what the states of a beam of `layers` layers cost, as a part of the run's time or rack limit.

    A beam that is cut short is worth little; one that grows narrower on its way is worth nearly as much as one of that width.
    """

    def __init__(self, run: Run, layers: int) -> None:
        self._run, self._layers = run, layers
        self._used = run.share_used
        self._cost = self._states = 0.0  # of the last layers

    def note(self, states: int) -> None:
        """A layer of so many states was expanded."""
        if self._used is not None and (used := self._run.share_used) is not None:
            self._cost = _MEMORY * self._cost + used - self._used
            self._states = _MEMORY * self._states + states
            self._used = used

    def allowed(self, width: int, layer: int) -> int:
        """How wide the rest of a beam of `width` may be after `layer` layers: 1 or more, all where the run has no limits."""
        if self._used is None or not _BLIND * self._layers < layer < self._layers or self._cost <= 0:
            return width
        # plays are looked for two at a time where a row ends, and most there
        rise = max(1.0, _RISE - layer / self._layers)
        fitting = _IN_RESERVE * (1 - self._used) * self._states / (self._cost * rise * (self._layers - layer))
        return max(1, int(min(width, fitting)))
