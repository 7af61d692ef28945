"""Prices of leaves at knots: an ascent changes the prices at a few moments, and those between are linear."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from solver.bound.master import Goal
from solver.bound.relaxations.prices import Prices

_KNOT_STEP = 10  # moments between two knots of leave prices


def knots_between(moments: int, first: int) -> tuple[int, ...]:
    """Return the moments between which prices of leaves are linear."""
    first, last = min(first, moments - 1), moments - 1
    places = np.linspace(first, last, max(2, round((last - first) / _KNOT_STEP) + 1))
    return tuple(dict.fromkeys(places.round().astype(np.int64).tolist()))


def knot_weights(moments: int, knots: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return the weight of each knot at each moment: float64, shape (moments, knots)."""
    if not knots:
        return np.zeros((moments, 0))
    times = np.clip(np.arange(moments), knots[0], knots[-1]).astype(np.float64)
    return np.array([np.interp(times, knots, unit) for unit in np.eye(len(knots))]).T


def at_knots(leave: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the prices at the knots that fit `leave` best, by least squares: float64, shape (knots, sides * holds, codes)."""
    moments, sides, holds, codes = leave.shape
    knots = weights.shape[1]
    if knots == 0:
        return np.zeros((0, sides * holds, codes))
    fitted = np.linalg.lstsq(weights, leave.reshape(moments, -1), rcond=None)[0]
    return np.maximum(0.0, fitted.astype(np.float64)).reshape(knots, sides * holds, codes)


def goal_at_knots(goal: Goal, codes: list[int], weights: npt.NDArray[np.float64]) -> Goal:
    """Return the goal with its weights of leaves summed at the knots, for the codes of the row."""
    _moments, sides, holds, _all_codes = goal.leave.shape
    knots = weights.shape[1]
    if knots == 0:
        return replace(goal, leave=np.zeros((0, sides * holds, 0)))
    of_knots = np.tensordot(weights.T, goal.leave[..., codes], axes=1)
    return replace(goal, leave=of_knots.reshape(knots, sides * holds, -1))


def spread(
    trial: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]], prices: Prices, codes: list[int], knots: tuple[int, ...]
) -> Prices:
    """Return the prices of a trial, given at knots, in the shape of `prices`."""
    tile, at_knots = trial
    moments, sides, holds, all_codes = prices.leave.shape
    if not codes:
        return Prices.rounded(tile, np.zeros(prices.leave.shape))
    leave = np.zeros((len(knots), sides, holds, all_codes))
    leave[..., codes] = at_knots.reshape(len(knots), sides, holds, len(codes))
    return Prices.between(tile, leave, knots, moments)
