"""What a comparison says in words: its answer in one sentence, and what has to be known to trust it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from solver.lab.compare.collect import Comparison
from solver.lab.compare.statistics import POWER, SIGNIFICANCE, Pair, least_p, least_puzzles, puzzle_means

_MOST_NAMED = 4

FORMULA = (
    "“Needed” is the number of puzzles with which a difference of the observed size is told with a probability of "
    f"{POWER:.0%}: n = ((z₁ + z₂) · s / d)² / (3/π), with d the mean of the differences, s their standard deviation, z₁ the "
    f"normal quantile of 1 − {SIGNIFICANCE:g} / (2 · number of pairs), z₂ that of {POWER:g}; never below the least number "
    "with which the test can tell anything. This is the sample size of a paired comparison (Lachin, Controlled Clinical "
    "Trials 2, 1981, 93–113), divided by the efficiency 3/π of the signed-rank test against the t-test. It is no better than "
    "the estimates of d and s."
)


@dataclass(frozen=True)
class Finding:
    """The answer, and notes that say how far it can be trusted: sentences."""

    answer: str
    notes: tuple[str, ...] = ()


def find(comparison: Comparison) -> Finding:
    """What the comparison says."""
    count = len(comparison.puzzles)
    on_puzzles = f"on {'this puzzle' if count == 1 else f'these {count} puzzles'}"
    if not comparison.summaries:
        runs = len(comparison.outcomes)
        return Finding(f"Every run failed, {'the only one' if runs == 1 else f'all {runs}'}: there is nothing to compare.")
    notes = (*_new_bests(comparison), *_failures(comparison))
    if len(comparison.summaries) == 1:
        (only,) = comparison.summaries
        answer = (
            f"{only.label} scores {only.mean:.1f} points on average {on_puzzles}, {only.gap_to_best:.1f} below the best known; "
            "there is no other strategy to compare it with."
        )
        return Finding(answer, notes)
    leader = leading(comparison)
    if leader is None:
        return Finding("No puzzle was solved by all strategies: there is nothing to compare.", notes)
    against = sorted(_against(comparison.pairs, leader), key=lambda pair: pair.difference)
    beaten = [pair for pair in against if is_told(pair)]
    rivals = [pair for pair in against if not is_told(pair)]
    answer = f"{_answer(leader, beaten, rivals, on_puzzles)}{_budgets(comparison)}"
    return Finding(answer, (*_too_few(comparison, rivals), *notes))


def _budgets(comparison: Comparison) -> str:
    """A sentence that says who had which budget, where not all runs had the same."""
    budgets: dict[str, list[str]] = {}
    for outcome in comparison.outcomes:
        labels = budgets.setdefault(outcome["budget"], [])
        if outcome["label"] not in labels:
            labels.append(outcome["label"])
    if len(budgets) < 2:
        return ""
    told = "; ".join(f"{', '.join(labels)} {budget} a run" for budget, labels in budgets.items())
    return f" Budgets differ: {told}."


def is_told(pair: Pair) -> bool:
    """Whether the first of the pair scores more than the second beyond doubt."""
    return pair.p_holm is not None and pair.p_holm < SIGNIFICANCE and pair.difference > 0


def leading(comparison: Comparison) -> str | None:
    """The strategy with the best mean over the puzzles that all strategies have; None where there is none."""
    means = puzzle_means(comparison.outcomes)
    if not means:
        return None
    common = set.intersection(*(set(by_puzzle) for by_puzzle in means.values()))
    return max(means, key=lambda label: fmean(means[label][name] for name in common)) if common else None


def _against(pairs: Sequence[Pair], leader: str) -> list[Pair]:
    """The pairs of the leader, with the leader first in each."""
    return [pair if pair.first == leader else _turned(pair) for pair in pairs if leader in (pair.first, pair.second)]


def _turned(pair: Pair) -> Pair:
    low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return replace(pair, first=pair.second, second=pair.first, difference=-pair.difference, low=low, high=high)


def _answer(leader: str, beaten: Sequence[Pair], rivals: Sequence[Pair], on_puzzles: str) -> str:
    if not rivals:
        return f"{leader} is best {on_puzzles}: {_more(beaten[0], ', the next,' if len(beaten) > 1 else '')}."
    answer = f"No difference can be told between {_listed([leader, *(pair.second for pair in rivals)])} {on_puzzles}"
    if not beaten:
        return f"{answer}; {leader} has {_more(rivals[0], '')}."
    others = f", the best of the other {len(beaten)}," if len(beaten) > 1 else ""
    return f"{answer}; {leader} has {_more(beaten[0], others)}."


def _more(pair: Pair, remark: str) -> str:
    """By how much the first of the pair scores more; `remark` says who the second is."""
    interval = "" if pair.low is None or pair.high is None else f" (95 % interval {pair.low:.1f} to {pair.high:.1f})"
    if pair.difference == 0:
        return f"the same mean as {pair.second}{remark}{interval}"
    difference = f"{abs(pair.difference):.1f}"
    points = "point" if difference == "1.0" else "points"
    than = "more" if pair.difference > 0 else "fewer"
    return f"{difference} {points} {than} than {pair.second}{remark} on average{interval}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[: _MOST_NAMED - 1])} and {len(names) - _MOST_NAMED + 1} others"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _too_few(comparison: Comparison, rivals: Sequence[Pair]) -> tuple[str, ...]:
    """Whether there are too few puzzles to tell the leader from its rivals, and how many would do."""
    if not rivals:
        return ()
    tests, nearest = len(comparison.pairs), rivals[0]
    notes = []
    if least_p(nearest.puzzles) * tests >= SIGNIFICANCE:
        holm = "" if tests == 1 else f", corrected for {tests} pairs,"
        puzzles = "1 puzzle is" if nearest.puzzles == 1 else f"{nearest.puzzles} puzzles are"
        notes.append(
            f"{puzzles} too few for this test: a strategy that wins on each of them gets a p-value{holm} of "
            f"{min(1.0, least_p(nearest.puzzles) * tests):.2g}, which is not below {SIGNIFICANCE:g}; "
            f"{least_puzzles(tests)} puzzles are the least that can do."
        )
    notes += [
        f"To tell {pair.first} from {pair.second} by the observed {pair.difference:.1f} points (standard deviation "
        f"{pair.deviation:.1f}), about {pair.needed:,} puzzles would be needed."
        for pair in rivals[:_MOST_NAMED]
        if pair.needed is not None and pair.deviation is not None
    ]
    return tuple(notes)


def _new_bests(comparison: Comparison) -> tuple[str, ...]:
    """What the runs found that is better than anything known before."""
    better = [(name, known) for name, known in comparison.before.items() if 0 < known.best < comparison.known[name].best]
    return tuple(
        f"A new best on {name}: {comparison.known[name].best} points, {known.best} before ({known.best_from})."
        for name, known in better
    )


def _failures(comparison: Comparison) -> tuple[str, ...]:
    failed = len(comparison.failures)
    return (f"{failed} of {len(comparison.outcomes)} runs failed; the figures are those of the others.",) if failed else ()
