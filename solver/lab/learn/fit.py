"""Prices under which good games rank high in every layer of a beam.

A beam finds a game if it is as wide as the worst rank that the game's states have in any layer. The rank of a state is one more
than the number of states ahead of it; we smooth that step of the count, sigmoid(points ahead / T), and the worst rank over a
game's choices, a power mean, and let scipy's L-BFGS make the mean logarithm of it small, held near the prices to begin with.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from solver.lab.learn.choices import Choice, Floats

_BLUR = 2.0  # points, T
_POWER = 2.0  # of the mean over a game's choices: higher ones count only the worst
_PULL = 5e-4  # a point's distance from the prices to begin with, squared, in natural logarithms of rank
_STEPS = 60
_FOLDS = 5


def fit(games: Sequence[Sequence[Choice]], start: Floats) -> Floats:
    """The prices, by code, in points, learnt from the choices of some games.

    start: shape (N_CODES,), likewise.
    """

    def loss(prices: Floats) -> tuple[float, Floats]:
        told = [_worst(choices, prices) for choices in games]
        away = prices - start
        value = sum(value for value, _slope in told) / len(games) + _PULL * away @ away
        return float(value), np.sum([slope for _value, slope in told], axis=0) / len(games) + 2 * _PULL * away

    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return found


def fit_without_each(games: Sequence[Sequence[Choice]], start: Floats) -> list[Floats]:
    """For each of two games or more, prices learnt from others: all but every fifth, of which it is one."""
    count = min(_FOLDS, len(games))
    folds = [fit([game for i, game in enumerate(games) if i % count != fold], start) for fold in range(count)]
    return [folds[i % count] for i in range(len(games))]


def _worst(choices: Sequence[Choice], prices: Floats) -> tuple[float, Floats]:
    """The logarithm of a game's worst rank, smoothed, and its gradient."""
    logs, slopes = [], []
    for choice in choices:
        share = expit(choice.ahead(prices) / _BLUR)
        rank = 1 + choice.weight * float(share.sum())
        logs.append(np.log(rank))
        slopes.append(-choice.weight / (_BLUR * rank) * ((share * (1 - share)) @ choice.used))
    worst = max(logs)
    weights = np.exp(_POWER * (np.array(logs) - worst))
    value = worst + np.log(weights.mean()) / _POWER
    return float(value), weights / weights.sum() @ np.array(slopes, dtype=np.float64)
