"""Forecasts: what a sweep at a lower claim needs, from the sweeps before it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

# The growth falls from sweep to sweep, because the prices trained on the way suit the states better. Its mean over the points
# ahead is between these shares of the last growth.
_LEAST_SHARE, _MOST_SHARE = 0.2, 0.4
# Better foci can even make a sweep smaller than the one before; later sweeps gain less from them. So the mean growth, as a
# logarithm per point, is never below these figures divided by the claim. All four figures are from proofs of nine rows of 100
# tiles, in which each sweep forecast the last one.
_LEAST_GROWTH, _MOST_GROWTH = 26.0, 80.0
_HIGHEST = 50.0  # the logarithm of the largest factor of a forecast
_GIGABYTE = 1e9


@dataclass(frozen=True)
class Measured:
    """What a complete sweep needed.

    Attributes:
        claim: The claim in points that it proved.
        racks: How many racks it expanded.
        size: The most bytes that its store held.
        seconds: Its duration, over all processes.
    """

    claim: int
    racks: int
    size: int
    seconds: float


@dataclass(frozen=True)
class Need:
    """What a sweep will need; each figure is a range, from the least to the most.

    Attributes:
        racks: The number of racks to expand.
        size: The bytes of its store.
        seconds: Its duration.
    """

    racks: tuple[float, float]
    size: tuple[float, float]
    seconds: tuple[float, float]

    @property
    def likely_racks(self) -> float:
        """The middle of the range of racks, by orders of magnitude."""
        return math.sqrt(math.prod(self.racks))

    @property
    def likely_seconds(self) -> float:
        """The same of seconds."""
        return math.sqrt(math.prod(self.seconds))

    def __str__(self) -> str:
        """Return the forecast in words."""
        (few, many), (small, large), (soon, late) = self.racks, self.size, self.seconds
        return (
            f"{few / 1e6:,.1f} to {many / 1e6:,.1f} million racks, {_duration(soon)} to {_duration(late)}, "
            f"{small / _GIGABYTE:,.1f} to {large / _GIGABYTE:,.1f} GB"
        )


def forecast(measured: Sequence[Measured], claim: int) -> Need:
    """Extrapolate the needs of a sweep at `claim`, in points, from the last one or two of the sweeps `measured`.

    Racks grow exponentially: their logarithm grows by the same amount for each point that the claim is lower. Bytes and seconds
    are assumed to grow as racks do.
    """
    last = measured[-1]
    growth = 0.0
    if len(measured) > 1 and (gained := measured[-2].claim - last.claim) > 0:
        growth = math.log(max(1, last.racks) / max(1, measured[-2].racks)) / gained
    points = max(0, last.claim - claim)

    def factor(share: float, floor: float) -> float:
        return math.exp(min(_HIGHEST, points * max(share * growth, floor / max(1, claim))))

    few, many = factor(_LEAST_SHARE, _LEAST_GROWTH), factor(_MOST_SHARE, _MOST_GROWTH)
    return Need(*((few * figure, many * figure) for figure in (last.racks, last.size, last.seconds)))


def _duration(seconds: float) -> str:
    """Return a duration in words, roughly."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:,.1f} h"
