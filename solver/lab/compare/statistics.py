"""The statistics of a comparison: each strategy over puzzles and seeds, and pairs of strategies over puzzles.

The unit of a comparison is a puzzle, not a run: runs that differ only in their seed are averaged first, so that five
seeds of one row do not count as five rows. All figures are over the same puzzles for all strategies (`comparable`), and a run
that failed counts as `FAILED` points.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

from solver.lab.compare.significance import SignFlips, holm, puzzles_needed
from solver.lab.known import NOTHING, RUNS, Known

FAILED = 0  # points of a run without an answer
CLOSE = 0.99  # of the best known score
_REACHED = {"99 %": CLOSE, "best": 1.0}  # targets that every puzzle has
_MOMENTS = 6  # times at which a table gives the gaps

Outcome = Mapping[str, Any]


@dataclass(frozen=True)
class Summary:
    """One strategy. Scores and gaps are means over seeds first, then over puzzles.

    Attributes:
        failed: The number of its runs without an answer.
        best: The best score of a run.
        deviation: The standard deviation of the scores over puzzles.
        gap_to_best: Points below the best known score; `gap_to_bound` points below the bound.
        wins: Puzzles on which its mean score is the best alone; `ties` those on which it shares the best.
        rank: The mean rank over puzzles; 1 is best.
        seconds: Of a run with an answer, by the clock; `cpu_seconds` of all processors; None without a record.
        reached: For 99 % and all of the best known score, the share of runs that reached it, and their median seconds.
        gaps_after: By the seconds of `_moments`, the points below the best known score after that time; None if a run had no
            answer yet.
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
    seconds: float | None
    cpu_seconds: float | None
    racks_per_second: float
    reached: Mapping[str, tuple[float, float | None]]
    gaps_after: Mapping[float, float | None]


@dataclass(frozen=True)
class Pair:
    """Two strategies over the same puzzles.

    The mean difference of `first` - `second` in points, its interval, the standard deviation of the differences (None for one
    puzzle), and the two-sided p-value of the sign-flip test, as it is and corrected after Holm. The interval is that of the
    same test at the level at which Holm's procedure decides about the pair; None for too few puzzles. `needed` puzzles show a
    difference of this size, see `puzzles_needed`.
    """

    first: str
    second: str
    puzzles: int
    difference: float
    low: float | None
    high: float | None
    deviation: float | None
    p: float
    p_holm: float
    needed: int | None


def known_scores(outcomes: Sequence[Outcome], before: Mapping[str, Known]) -> dict[str, Known]:
    """Return the best known of each puzzle of `outcomes`: what was known `before`, or a better outcome."""
    known = {outcome["puzzle_name"]: before.get(outcome["puzzle_name"], NOTHING) for outcome in outcomes}
    for outcome in outcomes:
        if "error" not in outcome:
            name = outcome["puzzle_name"]
            known[name] = known[name].with_other(Known(outcome["score"], best_from=RUNS))
    return known


def comparable(outcomes: Sequence[Outcome], wanted: Collection[str] = (), baseline: str | None = None) -> list[Outcome]:
    """Return the runs of strategies and puzzles of which each strategy has run each puzzle.

    If not every strategy has run every puzzle, each puzzle gives a choice: the strategies that have run it, with all puzzles
    that they have in common. The best choice has at least two strategies, then most puzzles of strategies that are `wanted`,
    then most puzzles of all its strategies, then most puzzles. A choice must have the `baseline`.
    """
    by_puzzle: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        by_puzzle[outcome["puzzle_name"]].add(outcome["label"])

    def worth(labels: set[str]) -> tuple[int, ...]:
        puzzles = sum(labels <= others for others in by_puzzle.values())
        return min(len(labels), 2), len(labels.intersection(wanted)) * puzzles, len(labels) * puzzles, puzzles

    choices = [labels for labels in by_puzzle.values() if baseline is None or baseline in labels]
    chosen = max(choices, key=worth, default=set[str]())
    return [o for o in outcomes if o["label"] in chosen and chosen <= by_puzzle[o["puzzle_name"]]]


def points(outcome: Outcome) -> int:
    """Return the score with which a run counts."""
    return FAILED if "error" in outcome else int(outcome["score"])


def puzzle_means(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Return the mean score over seeds, in points, by the strategy's label and the puzzle's name."""
    scores: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        scores[outcome["label"]][outcome["puzzle_name"]].append(points(outcome))
    return {label: {name: fmean(runs) for name, runs in by_puzzle.items()} for label, by_puzzle in scores.items()}


def summaries(compared: Sequence[Outcome], known: Mapping[str, Known]) -> list[Summary]:
    """Return a summary for each strategy of `comparable` runs, in the order in which strategies first appear."""
    means, moments = puzzle_means(compared), _moments(compared)
    rows = []
    for label in means:
        runs = [outcome for outcome in compared if outcome["label"] == label]
        rows.append(_summary(label, runs, known, means, moments))
    return rows


def _summary(
    label: str,
    runs: Sequence[Outcome],
    known: Mapping[str, Known],
    means: Mapping[str, Mapping[str, float]],
    moments: Sequence[float],
) -> Summary:
    good = [outcome for outcome in runs if "error" not in outcome]
    scores = means[label]
    tops = {name: max(by_puzzle[name] for by_puzzle in means.values()) for name in scores}
    holders = {name: [other for other in means if math.isclose(means[other][name], tops[name])] for name in scores}
    bounds = [known[name].bound - scores[name] for name in scores if known[name].bound is not None]  # type: ignore[operator]
    seconds = sum(outcome["seconds"] for outcome in good)
    cpu_seconds = [outcome["cpu_seconds"] for outcome in good if outcome.get("cpu_seconds") is not None]
    return Summary(
        label=label,
        runs=len(runs),
        failed=len(runs) - len(good),
        mean=fmean(scores.values()),
        median=median(scores.values()),
        best=max(map(points, runs)),
        deviation=stdev(scores.values()) if len(scores) > 1 else 0.0,
        gap_to_best=fmean(known[name].best - scores[name] for name in scores),
        gap_to_bound=fmean(bounds) if bounds else None,
        wins=sum(holders[name] == [label] for name in scores),
        ties=sum(label in holders[name] and len(holders[name]) > 1 for name in scores),
        rank=fmean(_rank(means, label, name) for name in scores),
        seconds=seconds / len(good) if good else None,
        cpu_seconds=fmean(cpu_seconds) if cpu_seconds else None,
        racks_per_second=sum(outcome["racks"] for outcome in good) / seconds if seconds else 0.0,
        reached={target: _reached(runs, share, known) for target, share in _REACHED.items()},
        gaps_after=dict(zip(moments, _mean_gaps(runs, known, moments), strict=True)),
    )


def _moments(compared: Sequence[Outcome]) -> list[float]:
    """Return the last times of the series 1, 2, 5, 10, ... seconds that the longest run has passed."""
    longest = max((outcome["seconds"] for outcome in compared if "error" not in outcome), default=0.0)
    if longest <= 0:
        return []
    return round_times(longest / 100, longest)[-_MOMENTS:]


def round_times(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten from `low`, above 0, to `high`; over more than five powers, only the powers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 5 else (1,)
    times = [float(f"{step * 10.0**power:.4g}") for power in powers for step in steps]
    return [time for time in times if low <= time <= high]


def _mean_gaps(runs: Sequence[Outcome], known: Mapping[str, Known], moments: Sequence[float]) -> list[float | None]:
    """Return the mean gap at each of `moments`, over seeds first and then over puzzles."""
    curves: dict[str, list[list[float]]] = defaultdict(list)
    for outcome in runs:
        name = outcome["puzzle_name"]
        curves[name].append(gaps_at(outcome, known[name].best, moments))
    by_puzzle = [[fmean(gaps) for gaps in zip(*of_seeds, strict=True)] for of_seeds in curves.values()]
    means = [fmean(gaps) for gaps in zip(*by_puzzle, strict=True)]
    return [None if math.isnan(mean) else mean for mean in means]


def gaps_at(outcome: Outcome, best: int, times: Iterable[float]) -> list[float]:
    """Return the gap to `best` at each of `times`: NaN before the first answer, that of `FAILED` points without one."""
    if "error" in outcome:
        return [float(best - FAILED) for _time in times]
    seconds = [point[0] for point in outcome["trace"]]
    gaps = [math.nan, *(float(best - point[2]) for point in outcome["trace"])]
    return [gaps[bisect_right(seconds, time)] for time in times]


def time_to(outcome: Outcome, target: float) -> float | None:
    """Return the seconds until the run had `target` points; None if it never had."""
    trace = [] if "error" in outcome else outcome["trace"]
    return next((seconds for seconds, _racks, score in trace if score >= target), None)


def _reached(runs: Sequence[Outcome], share: float, known: Mapping[str, Known]) -> tuple[float, float | None]:
    times = [time_to(outcome, share * known[outcome["puzzle_name"]].best) for outcome in runs]
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
    differences = [[means[first][name] - means[second][name] for name in means[first]] for first, second in chosen]
    flips = [SignFlips.of(by_puzzle) for by_puzzle in differences]
    corrected, tests = holm([flip.p for flip in flips])
    rows = []
    for (first, second), by_puzzle, flip, p_holm, multiplier in zip(chosen, differences, flips, corrected, tests, strict=True):
        low, high = flip.interval(multiplier) or (None, None)
        mean, deviation = fmean(by_puzzle), stdev(by_puzzle) if len(by_puzzle) > 1 else None
        needed = puzzles_needed(mean, deviation, len(chosen))
        rows.append(Pair(first, second, len(by_puzzle), mean, low, high, deviation, flip.p, p_holm, needed))
    return rows
