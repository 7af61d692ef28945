"""The statistics of a comparison: each strategy over puzzles and seeds, and pairs of strategies over puzzles.

The unit of a comparison is a puzzle, not a run: runs that differ only in their seed are averaged first, so that five
seeds of one row do not count as five rows. All figures are over the same puzzles for all strategies (`comparable`). At any time
a run has the points of its best answer so far: `FAILED` before the first, at the end of a run without one, and after a failure.

The test is the sign-flip test (Fisher, The Design of Experiments, 1935; Pitman 1937): where two strategies are equally good,
the difference of their scores on a puzzle is as likely to be d as -d, so all 2^n choices of signs are equally likely. The test
needs only the means of all subsets of the differences (Hartigan, Journal of the American Statistical Association 64, 1969,
1303-1317): how many lie below 0 gives the p-value, and its interval ends at two of them.

That interval misses the true mean too often if the differences are skewed. A t-interval after Hall's correction for skewness
misses it less often (Hall, Journal of the Royal Statistical Society B 54, 1992, 221-228). `interval` covers both, so it is
never shorter than either, and it leaves out 0 only if both do. `tools/intervals.py` measures how often it covers the
mean.
"""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, median, stdev

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from solver.lab.compare.runs import Outcome
from solver.lab.records import NOTHING, RUNS, Known
from solver.search.run import GRACE

SIGNIFICANCE = 0.05
POWER = 0.8
_EXACT = 20  # puzzles up to which all subsets are taken
_SAMPLES, _CHUNK = 2**17, 2**12  # random subsets beyond that, and how many are drawn at a time
_DIGITS = 9  # of a mean; what floating-point sums add beyond is no difference
_MOST_NEEDED = 10**6


@dataclass(frozen=True)
class SignFlips:
    """The sign-flip test of differences between two strategies, by the means of their subsets, in points."""

    means: npt.NDArray[np.float64]

    @classmethod
    def of(cls, differences: Sequence[float]) -> "SignFlips":
        """Return the test of at least one difference. Up to 20 differences it is exact, beyond that it takes random subsets."""
        values = np.asarray(differences, dtype=np.float64)
        means = _all_means(values) if len(values) <= _EXACT else _random_means(values)
        return cls(np.round(means, _DIGITS))

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean difference of 0."""
        at_most, at_least = np.count_nonzero(self.means <= 0), np.count_nonzero(self.means >= 0)
        return self._p(min(int(at_most), int(at_least)))

    def interval(self, tests: int) -> tuple[float, float] | None:
        """Return the ends, in points, of the mean differences that the test does not reject; None for too few puzzles.

        The p-value is multiplied by `tests` before it is compared with the level. 0 lies outside exactly if the product is
        below it.
        """
        rejected = bisect_left(
            range(len(self.means)), True, key=lambda count: self._p(count) * tests >= SIGNIFICANCE
        )
        if not rejected:
            return None
        low, high = rejected - 1, len(self.means) - rejected
        ordered = np.partition(self.means, (low, high))
        return float(ordered[low]), float(ordered[high])

    def _p(self, count: int) -> float:
        """Return the p-value where `count` subsets are as extreme as the empty one, which always counts."""
        return min(1.0, 2 * (1 + count) / (1 + len(self.means)))


def interval(
    differences: Sequence[float], flips: SignFlips, tests: int
) -> tuple[float, float] | None:
    """Return an interval for the mean, in points, at the level of one of `tests`; None for too few differences other than 0.

    `flips` is the test of the differences. 0 lies outside only if the test rejects it.
    """
    values = np.asarray(differences, dtype=np.float64)
    flipped = flips.interval(tests)
    if flipped is None or least_p(int(np.count_nonzero(values))) * tests >= SIGNIFICANCE:
        return None
    corrected = _corrected(values, SIGNIFICANCE / tests)
    return min(flipped[0], corrected[0]), max(flipped[1], corrected[1])


def _corrected(values: npt.NDArray[np.float64], level: float) -> tuple[float, float]:
    """Return the t-interval for the mean of `values` after Hall's correction for skewness."""
    count, mean = len(values), float(values.mean())
    spread = float(values.std())
    if spread == 0:
        return mean, mean
    skewness = float(((values - mean) ** 3).mean()) / spread**3
    deviation = spread * math.sqrt(count / (count - 1))

    def shift(quantile: float) -> float:
        """Return the t-quantile, as a share of the deviation, bent by the skewness."""
        straight = quantile / math.sqrt(count) - skewness / (6 * count)
        # the limit for no skewness, where the formula would lose all digits
        return (
            3 / skewness * (math.cbrt(1 + skewness * straight) - 1)
            if abs(skewness) > 1e-6
            else straight
        )

    # imported only here, because a library that compares must not wait for it where it only searches
    from scipy.special import stdtrit

    quantile = float(stdtrit(count - 1, 1 - level / 2))
    return mean - deviation * shift(quantile), mean - deviation * shift(-quantile)


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
    """Return the least two-sided p-value that the test can give where two strategies differ on that many puzzles.

    One of them wins on each.
    """
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


FAILED = 0  # points without an answer
CLOSE = 0.99  # of the best known score
_REACHED = {"99 %": CLOSE, "best": 1.0}  # targets that every puzzle has
_MOMENTS = 6  # times at which a table gives the gaps


@dataclass(frozen=True)
class Summary:
    """One strategy. Scores and gaps are means over seeds first, then over puzzles.

    Attributes:
        failed: The number of its runs that ended with an error.
        best: The best score of a run.
        percent: The score as a percentage of the best known score, which compares rows of any length.
        deviation: The standard deviation of the scores over puzzles.
        gap_to_best: Points below the best known score; `gap_to_bound` points below the bound, None if a puzzle has no bound.
        wins: Puzzles on which its mean score is the best alone; `ties` those on which it shares the best.
        rank: The mean rank over puzzles; 1 is best.
        seconds: Of a run with an answer, by the clock; `cpu_seconds` of all processors; None without a record.
        reached: For 99 % and all of the best known score, the share of runs that reached it, and their median seconds.
        gaps_after: By the seconds of `_moments`, the points below the best known score after that time.
    """

    label: str
    runs: int
    failed: int
    mean: float
    median: float
    best: int
    percent: float
    deviation: float
    gap_to_best: float
    gap_to_bound: float | None
    wins: int
    ties: int
    rank: float
    seconds: float | None
    cpu_seconds: float | None
    racks_per_second: float
    reached: Mapping[str, tuple[float, float | None]]
    gaps_after: Mapping[float, float]


@dataclass(frozen=True)
class Pair:
    """Two strategies over the same puzzles.

    The mean difference of `first` - `second` in points, its interval, the standard deviation of the differences (None for one
    puzzle), the number of puzzles on which they differ, and the two-sided p-value of the sign-flip test, as it is and corrected
    after Holm. The interval has the level at which Holm's procedure decides about the pair, see `interval`. `needed` puzzles
    show a difference of this size, see `puzzles_needed`.
    """

    first: str
    second: str
    puzzles: int
    difference: float
    low: float | None
    high: float | None
    deviation: float | None
    unequal: int
    p: float
    p_holm: float
    needed: int | None


def in_time(outcome: Outcome) -> Outcome:
    """Return a run with its best answer in time; the answers that came later are in `late`.

    The run itself decides so too, see `Run.offer`, but early versions counted every answer.
    """
    limit = outcome.limit.seconds
    if limit is None or all(point[0] <= limit + GRACE for point in outcome.trace):
        return outcome
    trace = [point for point in outcome.trace if point[0] <= limit + GRACE]
    score = trace[-1][2] if trace else FAILED
    # the turns of the earlier answer were not kept
    return replace(outcome, score=score, trace=trace, late=outcome.trace[len(trace) :], solution=[])


def known_scores(outcomes: Sequence[Outcome], before: Mapping[str, Known]) -> dict[str, Known]:
    """Return the best known of each puzzle of `outcomes`: what was known `before`, or a better outcome."""
    known = {outcome.puzzle_name: before.get(outcome.puzzle_name, NOTHING) for outcome in outcomes}
    for outcome in outcomes:
        if not outcome.failed:
            name = outcome.puzzle_name
            known[name] = known[name].with_other(Known(outcome.score, best_from=RUNS))
    return known


def comparable(
    outcomes: Sequence[Outcome], wanted: Collection[str] = (), baseline: str | None = None
) -> list[Outcome]:
    """Return the runs of strategies and puzzles of which each strategy has run each puzzle.

    If not every strategy has run every puzzle, each puzzle gives a choice: the strategies that have run it, with all puzzles
    that they have in common. The best choice has at least two strategies, then most puzzles of strategies that are `wanted`,
    then most puzzles of all its strategies, then most puzzles. A choice must have the `baseline`.
    """
    by_puzzle: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        by_puzzle[outcome.puzzle_name].add(outcome.label)

    def worth(labels: set[str]) -> tuple[int, ...]:
        puzzles = sum(labels <= others for others in by_puzzle.values())
        return (
            min(len(labels), 2),
            len(labels.intersection(wanted)) * puzzles,
            len(labels) * puzzles,
            puzzles,
        )

    choices = [labels for labels in by_puzzle.values() if baseline is None or baseline in labels]
    chosen = max(choices, key=worth, default=set[str]())
    return [o for o in outcomes if o.label in chosen and chosen <= by_puzzle[o.puzzle_name]]


def points(outcome: Outcome) -> int:
    """Return the score with which a run counts."""
    return FAILED if outcome.failed else outcome.score


def puzzle_means(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Return the mean score over seeds, in points, by the strategy's label and the puzzle's name."""
    scores: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        scores[outcome.label][outcome.puzzle_name].append(points(outcome))
    return {
        label: {name: fmean(runs) for name, runs in by_puzzle.items()}
        for label, by_puzzle in scores.items()
    }


def summaries(compared: Sequence[Outcome], known: Mapping[str, Known]) -> list[Summary]:
    """Return a summary for each strategy of `comparable` runs, in the order in which strategies first appear."""
    means, moments = puzzle_means(compared), _moments(compared)
    rows = []
    for label in means:
        runs = [outcome for outcome in compared if outcome.label == label]
        rows.append(_summary(label, runs, known, means, moments))
    return rows


def _summary(
    label: str,
    runs: Sequence[Outcome],
    known: Mapping[str, Known],
    means: Mapping[str, Mapping[str, float]],
    moments: Sequence[float],
) -> Summary:
    good = [outcome for outcome in runs if not outcome.failed]
    scores = means[label]
    tops = {name: max(by_puzzle[name] for by_puzzle in means.values()) for name in scores}
    holders = {
        name: [other for other in means if math.isclose(means[other][name], tops[name])]
        for name in scores
    }
    bounds = [bound - scores[name] for name in scores if (bound := known[name].bound) is not None]
    seconds = sum(outcome.seconds for outcome in good)
    cpu_seconds = [outcome.cpu_seconds for outcome in good if outcome.cpu_seconds is not None]
    return Summary(
        label=label,
        runs=len(runs),
        failed=len(runs) - len(good),
        mean=fmean(scores.values()),
        median=median(scores.values()),
        best=max(map(points, runs)),
        percent=fmean(_percent(scores[name], known[name].best) for name in scores),
        deviation=stdev(scores.values()) if len(scores) > 1 else 0.0,
        gap_to_best=fmean(known[name].best - scores[name] for name in scores),
        gap_to_bound=fmean(bounds) if len(bounds) == len(scores) else None,
        wins=sum(holders[name] == [label] for name in scores),
        ties=sum(label in holders[name] and len(holders[name]) > 1 for name in scores),
        rank=fmean(_rank(means, label, name) for name in scores),
        seconds=seconds / len(good) if good else None,
        cpu_seconds=fmean(cpu_seconds) if cpu_seconds else None,
        racks_per_second=sum(outcome.racks for outcome in good) / seconds if seconds else 0.0,
        reached={target: _reached(runs, share, known) for target, share in _REACHED.items()},
        gaps_after=dict(zip(moments, _mean_gaps(runs, known, moments), strict=True)),
    )


def _percent(score: float, best: int) -> float:
    return 100 * score / best if best else 100.0


def _moments(compared: Sequence[Outcome]) -> list[float]:
    """Return the last times of the series 1, 2, 5, 10, ... seconds that the longest run has passed within its limit."""
    longest = max(
        (_counted_seconds(outcome) for outcome in compared if not outcome.failed), default=0.0
    )
    if longest <= 0:
        return []
    return round_times(longest / 100, longest)[-_MOMENTS:]


def _counted_seconds(outcome: Outcome) -> float:
    return min(outcome.seconds, outcome.limit.seconds or math.inf)


def round_times(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten from `low`, above 0, to `high`; over more than five powers, only the powers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 5 else (1,)
    times = [float(f"{step * 10.0**power:.4g}") for power in powers for step in steps]
    return [time for time in times if low <= time <= high]


def _mean_gaps(
    runs: Sequence[Outcome], known: Mapping[str, Known], moments: Sequence[float]
) -> list[float]:
    """Return the mean gap at each of `moments`, over seeds first and then over puzzles."""
    curves: dict[str, list[list[float]]] = defaultdict(list)
    for outcome in runs:
        name = outcome.puzzle_name
        curves[name].append(gaps_at(outcome, known[name].best, moments))
    by_puzzle = [
        [fmean(gaps) for gaps in zip(*of_seeds, strict=True)] for of_seeds in curves.values()
    ]
    return [fmean(gaps) for gaps in zip(*by_puzzle, strict=True)]


def gaps_at(outcome: Outcome, best: int, times: Iterable[float]) -> list[float]:
    """Return the gap to `best` at each of `times`."""
    seconds = [point[0] for point in outcome.trace]
    gaps = [float(best - score) for score in (FAILED, *(point[2] for point in outcome.trace))]
    return [gaps[bisect_right(seconds, time)] for time in times]


def time_to(outcome: Outcome, target: float) -> float | None:
    """Return the seconds until the run had `target` points; None if it never had."""
    return next((seconds for seconds, _racks, score in outcome.trace if score >= target), None)


def _reached(
    runs: Sequence[Outcome], share: float, known: Mapping[str, Known]
) -> tuple[float, float | None]:
    times = [time_to(outcome, share * known[outcome.puzzle_name].best) for outcome in runs]
    hits = [seconds for seconds in times if seconds is not None]
    return (len(hits) / len(times), median(hits) if hits else None)


def _rank(means: Mapping[str, Mapping[str, float]], label: str, name: str) -> float:
    """Return the rank of `label` on puzzle `name`; strategies that tie share the mean of their ranks."""
    score = means[label][name]
    better = sum(by_puzzle[name] > score for by_puzzle in means.values())
    equal = sum(by_puzzle[name] == score for by_puzzle in means.values())
    return better + (equal + 1) / 2


def pairs(compared: Sequence[Outcome], baseline: str | None = None) -> list[Pair]:
    """Compare every two strategies of `comparable` runs, or each one with the `baseline`, which then comes second."""
    means = puzzle_means(compared)
    labels = list(means)
    if baseline is None:
        chosen = [(first, second) for i, first in enumerate(labels) for second in labels[i + 1 :]]
    else:
        chosen = [(label, baseline) for label in labels if label != baseline]
    differences = [
        [means[first][name] - means[second][name] for name in means[first]]
        for first, second in chosen
    ]
    flips = [SignFlips.of(by_puzzle) for by_puzzle in differences]
    corrected, tests = holm([flip.p for flip in flips])
    rows = []
    for (first, second), by_puzzle, flip, p_holm, multiplier in zip(
        chosen, differences, flips, corrected, tests, strict=True
    ):
        low, high = interval(by_puzzle, flip, multiplier) or (None, None)
        mean, deviation = fmean(by_puzzle), stdev(by_puzzle) if len(by_puzzle) > 1 else None
        needed = puzzles_needed(mean, deviation, len(chosen))
        unequal = len(by_puzzle) - by_puzzle.count(0)
        rows.append(
            Pair(
                first,
                second,
                len(by_puzzle),
                mean,
                low,
                high,
                deviation,
                unequal,
                flip.p,
                p_holm,
                needed,
            )
        )
    return rows
