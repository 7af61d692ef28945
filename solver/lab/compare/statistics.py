"""What a comparison says: each strategy over puzzles and seeds, and pairs of strategies over puzzles.

A puzzle, not a run, is the unit of a comparison: runs that differ in their seed alone are averaged first, so that five
seeds of one row do not count as five rows.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

TARGETS = (946, 961, 1042)
TARGET_PUZZLE = "challenge"
_RESAMPLES = 2000
_LEVEL = 0.95

JournalLine = Mapping[str, Any]


@dataclass(frozen=True)
class Known:
    """What is known of a puzzle: the best score, and an upper bound where one is on file."""

    best: int
    bound: float | None = None


@dataclass(frozen=True)
class Summary:
    """One strategy. Gaps are points below the best known score and below the bound, on average over puzzles.

    wins, ties: puzzles on which its mean score is the best alone, or shared.
    cpu_seconds: of processor time a run; None where not every run has been measured.
    rank: mean rank over puzzles, 1 is best.
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
    racks_per_second: float
    cpu_seconds: float | None
    reached: Mapping[int, tuple[float, float | None]]


@dataclass(frozen=True)
class Pair:
    """Two strategies over common puzzles.

    The mean difference of `first` - `second` in points with a bootstrap interval, and the two-sided Wilcoxon signed-rank
    p-value, as it is and corrected after Holm. None where there are too few puzzles.
    """

    first: str
    second: str
    puzzles: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None


def known_scores(records: Sequence[JournalLine], files: Mapping[str, Known]) -> dict[str, Known]:
    """The best known score of each puzzle, from these records and from result files, with bounds from the files."""
    known = dict(files)
    for record in records:
        if "error" not in record:
            before = known.get(record["puzzle_name"])
            best = max(record["score"], before.best if before else 0)
            known[record["puzzle_name"]] = Known(best, before.bound if before else None)
    return known


def puzzle_means(records: Sequence[JournalLine]) -> dict[str, dict[str, float]]:
    """The mean score over seeds: label -> puzzle -> points."""
    scores: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        if "error" not in record:
            scores[record["label"]][record["puzzle_name"]].append(record["score"])
    return {label: {name: fmean(runs) for name, runs in by_puzzle.items()} for label, by_puzzle in scores.items()}


def summaries(records: Sequence[JournalLine], known: Mapping[str, Known]) -> list[Summary]:
    """A summary for each strategy, in the order in which strategies first appear."""
    means = puzzle_means(records)
    common = sorted(set.intersection(*(set(by_puzzle) for by_puzzle in means.values()))) if means else []
    ranks = {label: [_rank(means, label, name) for name in common] for label in means}
    found = []
    for label in dict.fromkeys(record["label"] for record in records):
        runs = [record for record in records if record["label"] == label]
        good = [record for record in runs if "error" not in record]
        if good:
            found.append(_summary(label, runs, good, known, means, common, ranks[label]))
    return found


def _summary(
    label: str,
    runs: Sequence[JournalLine],
    good: Sequence[JournalLine],
    known: Mapping[str, Known],
    means: Mapping[str, Mapping[str, float]],
    common: Sequence[str],
    ranks: Sequence[float],
) -> Summary:
    scores = [record["score"] for record in good]
    own = means[label]
    tops = {name: max(means[other][name] for other in means) for name in common}
    holders = {name: [other for other in means if math.isclose(means[other][name], tops[name])] for name in common}
    bounds = [known[name].bound - own[name] for name in own if known[name].bound is not None]  # type: ignore[operator]
    seconds = sum(record["seconds"] for record in good)
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
        racks_per_second=sum(record["racks"] for record in good) / seconds if seconds else 0.0,
        cpu_seconds=fmean(r["cpu_seconds"] for r in good) if all(r.get("cpu_seconds") is not None for r in good) else None,
        reached={target: _reached(good, target) for target in TARGETS},
    )


def time_to(record: JournalLine, target: int) -> float | None:
    """Seconds until the run had `target` points; None where it never had."""
    return next((seconds for seconds, _racks, score in record["trace"] if score >= target), None)


def _reached(records: Sequence[JournalLine], target: int) -> tuple[float, float | None]:
    times = [time_to(record, target) for record in records if record["puzzle_name"] == TARGET_PUZZLE]
    hits = [seconds for seconds in times if seconds is not None]
    return (len(hits) / len(times) if times else 0.0, median(hits) if hits else None)


def _rank(means: Mapping[str, Mapping[str, float]], label: str, name: str) -> float:
    """The rank of `label` on puzzle `name`; strategies that tie share the mean of their ranks."""
    own = means[label][name]
    better = sum(by_puzzle[name] > own for by_puzzle in means.values())
    equal = sum(by_puzzle[name] == own for by_puzzle in means.values())
    return better + (equal + 1) / 2


def pairs(records: Sequence[JournalLine], seed: int = 0) -> list[Pair]:
    """Every two strategies compared over the puzzles that both have."""
    means = puzzle_means(records)
    labels = [label for label in dict.fromkeys(record["label"] for record in records) if label in means]
    raw = []
    for i, first in enumerate(labels):
        for second in labels[i + 1 :]:
            names = sorted(set(means[first]) & set(means[second]))
            raw.append((first, second, [means[first][name] - means[second][name] for name in names]))
    p_values = [signed_rank_p(differences) for *_labels, differences in raw]
    corrected = holm(p_values)
    found = []
    for (first, second, differences), p, p_holm in zip(raw, p_values, corrected, strict=True):
        low, high = bootstrap_interval(differences, seed)
        mean = fmean(differences) if differences else float("nan")
        found.append(Pair(first, second, len(differences), mean, low, high, p, p_holm))
    return found


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
