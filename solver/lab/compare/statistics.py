"""The statistics of a comparison: strategies over puzzles and seeds, and pairs of strategies.

The unit of a comparison is a puzzle, not a run: runs that differ only in their seed are averaged
first, so that five seeds of one row do not count as five rows. All figures are over the same
puzzles for all strategies (`comparable`). At any time a run has the points of its best answer so
far: `FAILED` before the first, at the end of a run without one, and after a failure.

The test is the sign-flip test (Fisher, The Design of Experiments, 1935; Pitman 1937): where two
strategies are equally good, the difference of their scores on a puzzle is as likely to be d as -d,
so all 2^n choices of signs are equally likely. The test needs only the means of all subsets of the
differences (Hartigan, Journal of the American Statistical Association 64, 1969, 1303-1317): how
many lie below 0 gives the p-value, and its interval ends at two of them.

That interval misses the true mean too often if the differences are skewed. A t-interval after
Hall's correction for skewness misses it less often (Hall, Journal of the Royal Statistical Society
B 54, 1992, 221-228). `interval` covers both, so it is never shorter than either, and it leaves out
0 only if both do. `tools/intervals.py` measures how often it covers the mean.
"""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from statistics import NormalDist, fmean, stdev

import numpy as np
import numpy.typing as npt

from solver.lab.compare.runs import Outcome
from solver.lab.records import NOTHING, RUNS, Known, KnownScores

Runs = Sequence[Outcome]
Values = npt.NDArray[np.float64]

SIGNIFICANCE = 0.05
POWER = 0.8
_EXACT = 20  # puzzles up to which all subsets are taken
_SAMPLES = 2**17  # random subsets beyond that
_CHUNK = 2**12  # random subsets that are drawn at a time
_DIGITS = 9  # of a mean; what floating-point sums add beyond is no difference
_MOST_NEEDED = 10**6
_HALVINGS = 60  # of an interval of angles, down to the precision of a float


@dataclass(frozen=True)
class SignFlips:
    """The sign-flip test of differences between two strategies, in points.

    Attributes:
        differences: One for each puzzle.
        means: The means of all or of random subsets of the differences, but the empty one.
    """

    differences: Values
    means: Values

    @classmethod
    def of(cls, differences: Sequence[float]) -> "SignFlips":
        """Return the test of at least one difference.

        Up to 20 differences it is exact, beyond that it takes random subsets.
        """
        values = np.asarray(differences, dtype=np.float64)
        means_of = _all_means if len(values) <= _EXACT else _random_means
        return cls(values, np.round(means_of(values), _DIGITS))

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean difference of 0."""
        at_most = int(np.count_nonzero(self.means <= 0))
        at_least = int(np.count_nonzero(self.means >= 0))
        return self._p(min(at_most, at_least))

    def interval(self, tests: int) -> tuple[float, float] | None:
        """Return the ends, in points, of the mean differences that the test does not reject.

        None for too few puzzles. The p-value is multiplied by `tests` before it is compared with
        the level. 0 lies outside exactly if the product is below it.
        """
        rejected = bisect_left(
            range(len(self.means)), True, key=lambda count: self._p(count) * tests >= SIGNIFICANCE
        )
        if not rejected:
            return None
        ends = [rejected - 1, len(self.means) - rejected]
        low, high = np.partition(self.means, ends)[ends]
        return float(low), float(high)

    def _p(self, count: int) -> float:
        """Return the p-value where `count` subsets are as extreme as the empty one."""
        return min(1.0, 2 * (1 + count) / (1 + len(self.means)))


def interval(flips: SignFlips, tests: int) -> tuple[float, float] | None:
    """Return an interval for the mean, in points, at the level of one of `tests`.

    None for too few differences other than 0. 0 lies outside only if the test rejects it.
    """
    values = flips.differences
    flipped = flips.interval(tests)
    if flipped is None or least_p(int(np.count_nonzero(values))) * tests >= SIGNIFICANCE:
        return None
    low, high = _corrected(values, SIGNIFICANCE / tests)
    return min(flipped[0], low), max(flipped[1], high)


def _corrected(values: Values, level: float) -> tuple[float, float]:
    """Return the t-interval for the mean of `values` after Hall's correction for skewness."""
    count = len(values)
    mean = float(values.mean())
    spread = float(values.std())
    if spread == 0:
        return mean, mean
    skewness = float(((values - mean) ** 3).mean()) / spread**3
    deviation = spread * math.sqrt(count / (count - 1))

    def shift(quantile: float) -> float:
        """Return the t-quantile, as a share of the deviation, bent by the skewness."""
        straight = quantile / math.sqrt(count) - skewness / (6 * count)
        if abs(skewness) <= 1e-6:
            return straight  # the limit, where the formula would lose all digits
        return 3 / skewness * (math.cbrt(1 + skewness * straight) - 1)

    quantile = t_quantile(count - 1, level)
    return mean - deviation * shift(quantile), mean - deviation * shift(-quantile)


def t_quantile(freedom: int, level: float) -> float:
    """Return the number that Student's t exceeds in absolute value with probability `level`.

    For a whole number of degrees of freedom the probability is a finite sum (Abramowitz and Stegun
    1964, 26.7.3 and 26.7.4) in the angle atan(t / sqrt(`freedom`)), which bisection finds.
    """
    odd = freedom % 2

    def inside(angle: float) -> float:
        """Return the probability that t is between this angle and its negative."""
        cosine = math.cos(angle)
        term = math.sin(angle) * cosine**odd
        total = 0.0
        for power in range(odd, freedom - 1, 2):
            total += term
            term *= (power + 1) / (power + 2) * cosine**2
        return (angle + total) * 2 / math.pi if odd else total

    low = 0.0
    high = math.pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if inside(middle) < 1 - level:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)


def _all_means(values: Values) -> Values:
    subsets = np.zeros((2, 1))  # the sum and the size of each
    for value in values:
        with_value = subsets + np.array([[value], [1]])
        subsets = np.hstack((subsets, with_value))
    return subsets[0, 1:] / subsets[1, 1:]


def _random_means(values: Values) -> Values:
    rng = np.random.default_rng(0)
    parts = []
    for _ in range(_SAMPLES // _CHUNK):
        chosen = rng.integers(0, 2, (_CHUNK, len(values)))
        counts = chosen.sum(axis=1)
        parts.append((chosen @ values)[counts > 0] / counts[counts > 0])
    return np.concatenate(parts)


def holm(p_values: Sequence[float]) -> tuple[list[float], list[int]]:
    """Correct p-values after Holm (1979).

    Return the results, and the number by which each p-value is multiplied to decide about it.

    Sorted upwards, the i-th of m (from 0) is multiplied by m - i; the results never fall and are at
    most 1. The number is m - i up to the first p-value that is not significant, and that one's
    number for all after it.
    """
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    multipliers = np.arange(count, 0, -1)
    rising = np.maximum.accumulate(np.sort(p_values) * multipliers)
    corrected = np.empty(count)
    corrected[order] = np.minimum(rising, 1.0)
    tests = np.empty(count, dtype=int)
    tests[order] = np.maximum(multipliers, count - np.count_nonzero(rising < SIGNIFICANCE))
    return corrected.tolist(), tests.tolist()


def least_p(puzzles: int) -> float:
    """Return the least two-sided p-value of two strategies that differ on that many puzzles.

    One of them wins on each.
    """
    return float(min(1.0, 2.0 ** (1 - puzzles)))


def least_puzzles(tests: int) -> int:
    """Return the fewest puzzles that can reach significance where `tests` pairs are tested."""
    return next(puzzles for puzzles in range(2, 100) if least_p(puzzles) * tests < SIGNIFICANCE)


def puzzles_needed(difference: float, deviation: float | None, tests: int) -> int | None:
    """Return how many puzzles show a mean difference of this size with the probability `POWER`.

    None for a difference of 0. n = ((z(1 - a/2) + z(POWER)) x deviation / difference)^2 +
    z(1 - a/2)^2 / 2, and at least `least_puzzles`, with a the level of each of the `tests` after
    Bonferroni. It is the sample size of a paired t-test (Guenther, The American Statistician 35,
    1981, 243-244), which the sign-flip test comes close to.
    """
    if deviation is None or difference == 0:
        return None
    level = NormalDist().inv_cdf(1 - SIGNIFICANCE / tests / 2)
    power = NormalDist().inv_cdf(POWER)
    count = ((level + power) * deviation / abs(difference)) ** 2 + level**2 / 2
    # for a tiny difference the number has no meaning
    return max(least_puzzles(tests), math.ceil(round(min(count, _MOST_NEEDED), 6)))


FAILED = 0  # points without an answer
CLOSE = 0.99  # of the best known score
TARGETS = {"99 %": CLOSE, "best": 1.0}  # that every puzzle has, as shares of its best known score


@dataclass(frozen=True)
class Effort:
    """The expected effort until a target is reached, if another run follows each that misses it.

    It is what all runs spent until the target, or else in all, divided by the number of runs that
    reached it (the expected running time of Hansen et al., Optimization Methods and Software 36,
    2021, 114-144). Both are None if no run reached it.
    """

    seconds: float | None
    racks: float | None


@dataclass(frozen=True)
class Summary:
    """One strategy. Scores and gaps are means over seeds first, then over puzzles.

    Attributes:
        failed: The number of its runs that ended with an error.
        best: The best score of a run.
        percent: The score as a percentage of the best known score, which compares rows of any
            length.
        gap_to_best: Points below the best known score; `gap_to_bound` points below the bound, None
            if a puzzle has no bound.
        wins: Puzzles on which its mean score is the best alone; `ties` those on which it shares the
            best.
        rank: The mean rank over puzzles, where strategies that tie share the mean of their ranks; 1
            is best.
        seconds: Of a run with an answer, by the clock; `cpu_seconds` of all processors; None
            without a record.
        efforts: For each of `TARGETS`, the expected effort until it is reached.
    """

    label: str
    runs: int
    failed: int
    mean: float
    best: int
    percent: float
    gap_to_best: float
    gap_to_bound: float | None
    wins: int
    ties: int
    rank: float
    seconds: float | None
    cpu_seconds: float | None
    racks_per_second: float
    efforts: Mapping[str, Effort]


@dataclass(frozen=True)
class Pair:
    """Two strategies over the same puzzles.

    The mean difference of `first` - `second` in points, its interval, the standard deviation of the
    differences (None for one puzzle), the number of puzzles on which they differ, and the two-sided
    p-value of the sign-flip test, as it is and corrected after Holm. The interval has the level at
    which Holm's procedure decides about the pair, see `interval`. `needed` puzzles show a
    difference of this size, see `puzzles_needed`.
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

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The ends of the interval, as a table shows them."""
        return self.low, self.high


def known_scores(outcomes: Runs, before: KnownScores) -> dict[str, Known]:
    """Return what is known of each puzzle of `outcomes`: what was `before`, or a better run."""
    known: dict[str, Known] = {}
    for outcome in outcomes:
        name = outcome.puzzle_name
        so_far = known.get(name) or before.get(name, NOTHING)
        known[name] = so_far.with_other(Known(outcome.score, best_from=RUNS))
    return known


def comparable(
    outcomes: Runs, wanted: Collection[str] = (), needed: Collection[str] = ()
) -> list[Outcome]:
    """Return the runs of strategies and puzzles of which each strategy has run each puzzle.

    If not every strategy has run every puzzle, each puzzle gives a choice: the strategies that have
    run it, with all puzzles that they have in common. The best choice has all strategies that are
    `needed`, then one of those that are `wanted`, then at least two unless one alone is wanted,
    then most puzzles of wanted strategies, then most puzzles of all its strategies, then most
    puzzles.
    """
    by_puzzle: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        by_puzzle[outcome.puzzle_name].add(outcome.label)

    def worth(labels: set[str]) -> tuple[int, ...]:
        puzzles = sum(map(labels.issubset, by_puzzle.values()))
        asked = len(labels.intersection(wanted))
        is_enough = len(labels) > 1 or len(wanted) == 1
        has_needed = labels.issuperset(needed)
        return has_needed, asked > 0, is_enough, asked * puzzles, len(labels) * puzzles, puzzles

    chosen = max(by_puzzle.values(), key=worth, default=set[str]())
    return [o for o in outcomes if o.label in chosen and chosen <= by_puzzle[o.puzzle_name]]


def puzzle_means(outcomes: Runs) -> dict[str, dict[str, float]]:
    """Return the mean score over seeds by the strategy's label and the puzzle's name."""
    scores: dict[tuple[str, str], list[int]] = defaultdict(list)
    for outcome in outcomes:
        scores[outcome.label, outcome.puzzle_name].append(outcome.score)
    means: dict[str, dict[str, float]] = {}
    for (label, name), runs in scores.items():
        means.setdefault(label, {})[name] = fmean(runs)
    return means


def summaries(compared: Runs, known: KnownScores) -> list[Summary]:
    """Return a summary for each strategy of `comparable` runs, in order of first appearance."""
    means = puzzle_means(compared)
    rows = []
    for label, scores in means.items():
        runs = [outcome for outcome in compared if outcome.label == label]
        good = [outcome for outcome in runs if not outcome.failed]
        seconds = sum(outcome.seconds for outcome in good)
        cpu_seconds = [outcome.cpu_seconds for outcome in good if outcome.cpu_seconds is not None]
        own = np.array(list(scores.values()))
        table = np.array([[by_puzzle[name] for name in scores] for by_puzzle in means.values()])
        better = (table > own).sum(axis=0)
        equal = (table == own).sum(axis=0)
        best = np.array([known[name].best for name in scores])
        bounds = [known[name].bound for name in scores]
        summary = Summary(
            label=label,
            runs=len(runs),
            failed=len(runs) - len(good),
            mean=fmean(own),
            best=max(outcome.score for outcome in runs),
            percent=fmean(np.where(best > 0, 100 * own / np.maximum(best, 1), 100)),
            gap_to_best=fmean(best - own),
            gap_to_bound=None if None in bounds else fmean(np.array(bounds) - own),
            wins=int(np.sum((better == 0) & (equal == 1))),
            ties=int(np.sum((better == 0) & (equal > 1))),
            rank=float(np.mean(better + (equal + 1) / 2)),
            seconds=seconds / len(good) if good else None,
            cpu_seconds=fmean(cpu_seconds) if cpu_seconds else None,
            racks_per_second=sum(outcome.racks for outcome in good) / (seconds or 1),
            efforts={target: _effort(runs, share, known) for target, share in TARGETS.items()},
        )
        rows.append(summary)
    return rows


def gaps_at(
    outcome: Outcome, best: int, moments: Iterable[float], *, in_racks: bool = False
) -> list[float]:
    """Return the gap to `best` at each moment of a run, in seconds or in racks."""
    begin = (-math.inf, -1, FAILED)
    seconds, racks, scores = zip(begin, *outcome.trace, strict=True)
    when: Sequence[float] = racks if in_racks else seconds
    return [float(best - scores[bisect_right(when, moment) - 1]) for moment in moments]


def reached_at(outcome: Outcome, target: float) -> tuple[float, int] | None:
    """Return the seconds and racks until the run had `target` points; None if it never had."""
    return next(
        ((seconds, racks) for seconds, racks, score in outcome.trace if score >= target), None
    )


def _effort(runs: Runs, share: float, known: KnownScores) -> Effort:
    """Return the expected effort until a share of the best known score is reached."""
    hits = 0
    seconds = 0.0
    racks = 0
    for run in runs:
        reached = reached_at(run, share * known[run.puzzle_name].best)
        hits += reached is not None
        spent = reached or (run.seconds, run.racks)
        seconds += spent[0]
        racks += spent[1]
    if not hits:
        return Effort(None, None)
    return Effort(seconds / hits, racks / hits)


def pair_names(summaries: Sequence[Summary], baseline: str | None = None) -> list[tuple[str, str]]:
    """Return every two strategies, the one with the better mean first.

    With a `baseline`, return each other strategy with it; it then comes second.
    """
    if baseline is not None:
        return [(row.label, baseline) for row in summaries if row.label != baseline]
    ranked = sorted(summaries, key=attrgetter("mean"), reverse=True)
    return list(combinations(map(attrgetter("label"), ranked), 2))


def pairs(compared: Runs, chosen: Sequence[tuple[str, str]]) -> list[Pair]:
    """Compare the two strategies of each of the `chosen` pairs over `comparable` runs."""
    means = puzzle_means(compared)
    flips = [
        SignFlips.of([means[first][name] - means[second][name] for name in means[first]])
        for first, second in chosen
    ]
    rows = []
    for names, flip, p_holm, tests in zip(
        chosen, flips, *holm([flip.p for flip in flips]), strict=True
    ):
        low, high = interval(flip, tests) or (None, None)
        mean = fmean(flip.differences)
        deviation = None
        if len(flip.differences) > 1:
            deviation = stdev(flip.differences.tolist())
        pair = Pair(
            *names,
            puzzles=len(flip.differences),
            difference=mean,
            low=low,
            high=high,
            deviation=deviation,
            unequal=int(np.count_nonzero(flip.differences)),
            p=flip.p,
            p_holm=p_holm,
            needed=puzzles_needed(mean, deviation, len(chosen)),
        )
        rows.append(pair)
    return rows
