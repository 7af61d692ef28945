"""Forecasts: what a sweep at a lower claim needs, from the sweeps before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# The growth falls from sweep to sweep, because the prices trained on the way suit the states better. Its mean over the points
# ahead is between these shares of the last growth.
_LEAST_GROWTH, _MOST_GROWTH = 0.35, 0.9
# The least growth of any figure, as a logarithm per point. Better foci can make a sweep smaller than the one before; later
# sweeps gain less from them. On a row of 100 tiles the racks of the last sweeps grew by 0.05 and 0.06 per point.
_SLOWEST = 0.08
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

    def __str__(self) -> str:
        """Return the forecast in words."""
        (few, many), (small, large), (soon, late) = self.racks, self.size, self.seconds
        return (
            f"{few / 1e6:,.1f} to {many / 1e6:,.1f} million racks, {_duration(soon)} to {_duration(late)}, "
            f"{small / _GIGABYTE:,.1f} to {large / _GIGABYTE:,.1f} GB"
        )


def forecast(measured: Sequence[Measured], claim: int) -> Need | None:
    """Extrapolate the needs of a sweep at `claim`, in points; None if the last two sweeps do not show how the needs grow.

    The growth is exponential: the logarithm of each figure grows by the same amount for each point that the claim is lower, as
    between the last two sweeps, and at least by a small amount.
    """
    if len(measured) < 2 or measured[-2].claim <= measured[-1].claim:
        return None
    # in logarithms, shape (3,): racks, bytes, seconds
    before, last = (np.log([max(1, one.racks), max(1, one.size), max(0.1, one.seconds)]) for one in measured[-2:])
    growth = np.maximum(_SLOWEST, (last - before) / (measured[-2].claim - measured[-1].claim))
    points = max(0, measured[-1].claim - claim)
    least, most = (np.exp(last + share * points * growth).tolist() for share in (_LEAST_GROWTH, _MOST_GROWTH))
    return Need(*zip(least, most, strict=True))


def _duration(seconds: float) -> str:
    """Return a duration in words, roughly."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:,.1f} h"
