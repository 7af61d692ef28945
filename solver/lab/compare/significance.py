"""The test that decides whether two strategies differ, and the interval that goes with it.

It is the sign-flip test (Fisher, The Design of Experiments, 1935; Pitman 1937): where two strategies are equally good, the
difference of their scores on a puzzle is as likely to be d as -d, so all 2^n choices of signs are equally likely. The test
needs only the means of all subsets of the differences (Hartigan, Journal of the American Statistical Association 64, 1969,
1303-1317): how many lie below 0 gives the p-value, and the interval ends at two of them. One array decides both, so that
words and interval cannot disagree.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

SIGNIFICANCE = 0.05
POWER = 0.8
_EXACT = 20  # puzzles up to which all subsets are taken
_SAMPLES, _CHUNK = 2**17, 2**12  # random subsets beyond that, and how many are drawn at a time
_DIGITS = 9  # of a mean; what floating-point sums add beyond is no difference
_MOST_NEEDED = 10**6


@dataclass(frozen=True)
class SignFlips:
    """The sign-flip test of differences between two strategies, by the sorted means of their subsets, in points."""

    means: npt.NDArray[np.float64]

    @classmethod
    def of(cls, differences: Sequence[float]) -> "SignFlips":
        """Return the test of at least one difference. Up to 20 differences it is exact, beyond that it takes random subsets."""
        values = np.asarray(differences, dtype=np.float64)
        means = _all_means(values) if len(values) <= _EXACT else _random_means(values)
        return cls(np.sort(np.round(means, _DIGITS)))

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean difference of 0."""
        at_most = int(np.searchsorted(self.means, 0.0, side="right"))
        at_least = len(self.means) - int(np.searchsorted(self.means, 0.0, side="left"))
        return self._p(min(at_most, at_least))

    def interval(self, tests: int) -> tuple[float, float] | None:
        """Return the ends, in points, of the mean differences that the test does not reject; None for too few puzzles.

        The p-value is multiplied by `tests` before it is compared with the level. 0 lies outside exactly if the product is
        below it.
        """
        rejected = bisect_left(range(len(self.means)), True, key=lambda count: self._p(count) * tests >= SIGNIFICANCE)
        return (float(self.means[rejected - 1]), float(self.means[-rejected])) if rejected else None

    def _p(self, count: int) -> float:
        """Return the p-value where `count` subsets are as extreme as the empty one, which always counts."""
        return min(1.0, 2 * (1 + count) / (1 + len(self.means)))


def _all_means(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    sums, counts = np.zeros(1), np.zeros(1)
    for value in values:
        sums, counts = np.concatenate((sums, sums + value)), np.concatenate((counts, counts + 1))
    return sums[1:] / counts[1:]


def _random_means(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(0)
    parts = []
    for _ in range(_SAMPLES // _CHUNK):
        chosen = rng.integers(0, 2, (_CHUNK, len(values)))
        counts = chosen.sum(axis=1)
        parts.append((chosen @ values)[counts > 0] / counts[counts > 0])
    return np.concatenate(parts)


def holm(p_values: Sequence[float]) -> tuple[list[float], list[int]]:
    """Correct p-values after Holm (1979), and return them with the number by which each is multiplied to decide about it.

    Sorted upwards, the i-th of m (from 0) is multiplied by m - i; the results never fall and are at most 1. The number is m - i
    up to the first p-value that is not significant, and that one's number for all after it.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, tests = [0.0] * len(p_values), [0] * len(p_values)
    largest, multiplier = 0.0, len(p_values)
    for place, i in enumerate(order):
        if largest < SIGNIFICANCE:
            multiplier = len(p_values) - place
        largest = max(largest, min(1.0, p_values[i] * (len(p_values) - place)))
        corrected[i], tests[i] = largest, multiplier
    return corrected, tests


def least_p(puzzles: int) -> float:
    """Return the least two-sided p-value that the test can give: one strategy wins on every puzzle."""
    return float(min(1.0, 2.0 ** (1 - puzzles)))


def least_puzzles(tests: int) -> int:
    """Return the fewest puzzles that can reach significance where `tests` pairs are tested."""
    return next(puzzles for puzzles in range(2, 100) if least_p(puzzles) * tests < SIGNIFICANCE)


def puzzles_needed(difference: float, deviation: float | None, tests: int) -> int | None:
    """Return how many puzzles show a mean difference of this size with the probability `POWER`; None where it is 0.

    n = ((z(1 - a/2) + z(POWER)) x deviation / difference)^2 + z(1 - a/2)^2 / 2, and at least `least_puzzles`, with a the level
    of each of the `tests` after Bonferroni. It is the sample size of a paired t-test (Guenther, The American Statistician 35,
    1981, 243-244), which the sign-flip test comes close to.
    """
    if deviation is None or difference == 0:
        return None
    level, power = NormalDist().inv_cdf(1 - SIGNIFICANCE / tests / 2), NormalDist().inv_cdf(POWER)
    count = ((level + power) * deviation / abs(difference)) ** 2 + level**2 / 2
    # for a tiny difference the number has no meaning
    return max(least_puzzles(tests), math.ceil(round(min(count, _MOST_NEEDED), 6)))
