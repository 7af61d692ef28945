"""Prices under which good games rank high in every layer of a beam.

A beam finds a game if it is as wide as the worst rank that the game's states have in any layer. The rank of a state is one more
than the number of states ahead of it. To make it smooth, a state counts as sigmoid(points ahead / T), and a power mean over the
choices of a game replaces the worst rank. scipy's L-BFGS minimises its mean logarithm over all games, near the first prices.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from solver.lab.learn.choices import Choice, Floats

_BLUR = 2.0  # points, T
_POWER = 2.0  # exponent of the power mean: the higher it is, the more the worst choice counts
_PULL = 5e-4  # cost of a squared distance of one point from the first prices, in natural logarithms of rank
_STEPS = 60
_FOLDS = 5


def fit(games: Sequence[Sequence[Choice]], start: Floats) -> Floats:
    """The prices learnt from the choices of each of some games: by code, in points, float64, shape (N_CODES,).

    start: the prices to begin with, in the same form.
    """

    def loss(prices: Floats) -> tuple[float, Floats]:
        told = [_worst(choices, prices) for choices in games]
        away = prices - start
        value = sum(value for value, _slope in told) / len(games) + _PULL * away @ away
        return float(value), np.sum([slope for _value, slope in told], axis=0) / len(games) + 2 * _PULL * away

    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return found


def fit_without_each(games: Sequence[Sequence[Choice]], start: Floats) -> list[Floats]:
    """For each of two or more games, prices learnt without it: from all but the fifth of the games to which it belongs."""
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
