"""The statistics of a comparison: each strategy over puzzles and seeds, and pairs of strategies over puzzles.

The unit of a comparison is a puzzle, not a run: runs that differ only in their seed are averaged first, so that five
seeds of one row do not count as five rows.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, median, stdev
from typing import Any

from solver.lab.known import NOTHING, RUNS, Known

TARGETS = (946, 961, 1042)
TARGET_PUZZLE = "challenge"
SIGNIFICANCE = 0.05
POWER = 0.8
_RESAMPLES = 2000
_LEVEL = 0.95
_EFFICIENCY = 3 / math.pi  # of the signed-rank test against the t-test, on differences with a normal distribution
_MOST_NEEDED = 10**6

Outcome = Mapping[str, Any]


@dataclass(frozen=True)
class Summary:
    """One strategy. Gaps are points below the best known score and below the bound, on average over puzzles.

    wins, ties: puzzles on which its mean score is the best alone, or shared.
    rank: mean rank over puzzles, 1 is best.
    seconds, cpu_seconds: of a run on average, on the clock and of all processors; None where the runs do not tell.
    reached: for each target the share of the challenge's runs that reached it and their median seconds.
    """

    label: str
    runs: int
    failed: int
    mean: float
    median: float
    best: int
    deviation: float
    gap_to_best: float
    gap_to_bound: float | None
    wins: int
    ties: int
    rank: float
    seconds: float
    cpu_seconds: float | None
    racks_per_second: float
    reached: Mapping[int, tuple[float, float | None]]


@dataclass(frozen=True)
class Pair:
    """Two strategies over common puzzles.

    The mean difference of `first` - `second` in points with a bootstrap interval, the standard deviation of the differences,
    and the two-sided Wilcoxon signed-rank p-value, as it is and corrected after Holm. None where there are too few puzzles.

    needed: puzzles with which a difference of this size is told, None where nothing can be said; see `puzzles_needed`.
    """

    first: str
    second: str
    puzzles: int
    difference: float
    low: float | None
    high: float | None
    deviation: float | None
    p: float | None
    p_holm: float | None
    needed: int | None


def known_scores(outcomes: Sequence[Outcome], before: Mapping[str, Known]) -> dict[str, Known]:
    """What is known of each puzzle of `outcomes`: what was known `before`, or these outcomes where they are better."""
    known = {outcome["puzzle_name"]: before.get(outcome["puzzle_name"], NOTHING) for outcome in outcomes}
    for outcome in outcomes:
        if "error" not in outcome:
            name = outcome["puzzle_name"]
            known[name] = known[name].with_other(Known(outcome["score"], best_from=RUNS))
    return known


def puzzle_means(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The mean score over seeds, in points, by the strategy's label and the puzzle's name."""
    scores: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        if "error" not in outcome:
            scores[outcome["label"]][outcome["puzzle_name"]].append(outcome["score"])
    return {label: {name: fmean(runs) for name, runs in by_puzzle.items()} for label, by_puzzle in scores.items()}


def summaries(outcomes: Sequence[Outcome], known: Mapping[str, Known]) -> list[Summary]:
    """A summary for each strategy, in the order in which strategies first appear."""
    means = puzzle_means(outcomes)
    common = sorted(set.intersection(*(set(by_puzzle) for by_puzzle in means.values()))) if means else []
    ranks = {label: [_rank(means, label, name) for name in common] for label in means}
    found = []
    for label in dict.fromkeys(outcome["label"] for outcome in outcomes):
        runs = [outcome for outcome in outcomes if outcome["label"] == label]
        good = [outcome for outcome in runs if "error" not in outcome]
        if good:
            found.append(_summary(label, runs, good, known, means, common, ranks[label]))
    return found


def _summary(
    label: str,
    runs: Sequence[Outcome],
    good: Sequence[Outcome],
    known: Mapping[str, Known],
    means: Mapping[str, Mapping[str, float]],
    common: Sequence[str],
    ranks: Sequence[float],
) -> Summary:
    scores = [outcome["score"] for outcome in good]
    own = means[label]
    tops = {name: max(means[other][name] for other in means) for name in common}
    holders = {name: [other for other in means if math.isclose(means[other][name], tops[name])] for name in common}
    bounds = [known[name].bound - own[name] for name in own if known[name].bound is not None]  # type: ignore[operator]
    seconds = sum(outcome["seconds"] for outcome in good)
    cpu_seconds = [outcome["cpu_seconds"] for outcome in good if outcome.get("cpu_seconds") is not None]
    return Summary(
        label=label,
        runs=len(good),
        failed=len(runs) - len(good),
        mean=fmean(scores),
        median=median(scores),
        best=max(scores),
        deviation=stdev(scores) if len(scores) > 1 else 0.0,
        gap_to_best=fmean(known[name].best - own[name] for name in own),
        gap_to_bound=fmean(bounds) if bounds else None,
        wins=sum(holders[name] == [label] for name in common),
        ties=sum(label in holders[name] and len(holders[name]) > 1 for name in common),
        rank=fmean(ranks) if ranks else float("nan"),
        seconds=seconds / len(good),
        cpu_seconds=fmean(cpu_seconds) if cpu_seconds else None,
        racks_per_second=sum(outcome["racks"] for outcome in good) / seconds if seconds else 0.0,
        reached={target: _reached(good, target) for target in TARGETS},
    )


def time_to(outcome: Outcome, target: float) -> float | None:
    """Seconds until the run had `target` points; None where it never had."""
    return next((seconds for seconds, _racks, score in outcome["trace"] if score >= target), None)


def _reached(outcomes: Sequence[Outcome], target: int) -> tuple[float, float | None]:
    times = [time_to(outcome, target) for outcome in outcomes if outcome["puzzle_name"] == TARGET_PUZZLE]
    hits = [seconds for seconds in times if seconds is not None]
    return (len(hits) / len(times) if times else 0.0, median(hits) if hits else None)


def _rank(means: Mapping[str, Mapping[str, float]], label: str, name: str) -> float:
    """The rank of `label` on puzzle `name`; strategies that tie share the mean of their ranks."""
    own = means[label][name]
    better = sum(by_puzzle[name] > own for by_puzzle in means.values())
    equal = sum(by_puzzle[name] == own for by_puzzle in means.values())
    return better + (equal + 1) / 2


def pairs(outcomes: Sequence[Outcome], seed: int = 0) -> list[Pair]:
    """Every two strategies compared over the puzzles that both have."""
    means = puzzle_means(outcomes)
    labels = [label for label in dict.fromkeys(outcome["label"] for outcome in outcomes) if label in means]
    raw = []
    for i, first in enumerate(labels):
        for second in labels[i + 1 :]:
            names = sorted(set(means[first]) & set(means[second]))
            raw.append((first, second, [means[first][name] - means[second][name] for name in names]))
    p_values = [signed_rank_p(differences) for *_labels, differences in raw]
    corrected = holm(p_values)
    tests = len(raw)
    found = []
    for (first, second, differences), p, p_holm in zip(raw, p_values, corrected, strict=True):
        low, high = bootstrap_interval(differences, seed)
        mean = fmean(differences) if differences else float("nan")
        deviation = stdev(differences) if len(differences) > 1 else None
        needed = puzzles_needed(mean, deviation, tests)
        found.append(Pair(first, second, len(differences), mean, low, high, deviation, p, p_holm, needed))
    return found


def least_p(puzzles: int) -> float:
    """The least two-sided p-value that the signed-rank test can give: one strategy wins on every puzzle."""
    return float(min(1.0, 2.0 ** (1 - puzzles)))


def least_puzzles(tests: int) -> int:
    """How many puzzles the signed-rank test needs to tell anything at all where so many tests are made."""
    return next(puzzles for puzzles in range(2, 100) if least_p(puzzles) * tests < SIGNIFICANCE)


def puzzles_needed(difference: float, deviation: float | None, tests: int) -> int | None:
    """How many puzzles tell a mean difference of so many points with the probability `POWER`; None where it is 0.

    n = ((z(1 - a/2) + z(POWER)) x deviation / difference)^2 / (3 / pi), and at least `least_puzzles`, with a the level of
    each of the `tests` after Bonferroni. It is the sample size of a paired comparison by the normal approximation (Lachin,
    Controlled Clinical Trials 2, 1981, 93-113), over the efficiency of the signed-rank test against the t-test.
    """
    if deviation is None or difference == 0:
        return None
    z = NormalDist().inv_cdf
    ratio = (z(1 - SIGNIFICANCE / tests / 2) + z(POWER)) * deviation / abs(difference)
    # a difference next to nothing has no number that helps anybody
    found = min(ratio, math.sqrt(_MOST_NEEDED * _EFFICIENCY)) ** 2 / _EFFICIENCY
    return max(least_puzzles(tests), math.ceil(round(found, 6)))


def signed_rank_p(differences: Sequence[float]) -> float | None:
    """The two-sided p-value of the Wilcoxon signed-rank test; None for fewer than two differences, 1 where all are 0."""
    from scipy.stats import wilcoxon

    if len(differences) < 2:
        return None
    if not any(differences):
        return 1.0
    return float(wilcoxon(differences).pvalue)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected after Holm (1979): sorted upwards, the i-th of m (from 0) times m - i, never falling, at most 1."""
    order = sorted((i for i, p in enumerate(p_values) if p is not None), key=lambda i: p_values[i] or 0.0)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for place, i in enumerate(order):
        largest = max(largest, min(1.0, (p_values[i] or 0.0) * (len(order) - place)))
        corrected[i] = largest
    return corrected


def bootstrap_interval(differences: Sequence[float], seed: int = 0) -> tuple[float | None, float | None]:
    """The 95 % percentile bootstrap interval of the mean; (None, None) for fewer than two differences."""
    import numpy as np
    from scipy.stats import bootstrap

    if len(differences) < 2:
        return None, None
    if len(set(differences)) == 1:
        return differences[0], differences[0]
    found = bootstrap(
        (np.asarray(differences),),
        np.mean,
        n_resamples=_RESAMPLES,
        confidence_level=_LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
