"""The result of a comparison in words: its answer in one sentence, and what has to be known to trust it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from solver.lab.compare.collect import Comparison
from solver.lab.compare.rows import Row
from solver.lab.compare.significance import SIGNIFICANCE, least_p, least_puzzles
from solver.lab.compare.statistics import FAILED, Outcome, Pair, puzzle_means
from verify.text import counted

_MOST_NAMED = 4


@dataclass(frozen=True)
class Finding:
    """The answer, and notes that say how far it can be trusted."""

    answer: str
    notes: tuple[str, ...] = ()


def find(comparison: Comparison) -> Finding:
    """Return what the comparison shows."""
    count = len({outcome["puzzle_name"] for outcome in comparison.compared})
    on_puzzles = f"on {'this puzzle' if count == 1 else f'these {count} puzzles'}"
    notes = (*_left_out(comparison), *_new_bests(comparison), *_failures(comparison))
    if not comparison.summaries:
        runs = len(comparison.outcomes)
        answer = f"Every run failed, {'the only one' if runs == 1 else f'all {runs}'}: there is nothing to compare."
        return Finding(answer, _earlier(comparison))
    if len(comparison.summaries) == 1:
        if len({outcome["label"] for outcome in comparison.outcomes}) > 1:
            return Finding("No puzzle was run by two strategies: there is nothing to compare.", notes)
        (only,) = comparison.summaries
        answer = (
            f"{only.label} scores {only.mean:.1f} points on average {on_puzzles}, {only.gap_to_best:.1f} below the best known; "
            "there is no other strategy to compare it with."
        )
        return Finding(answer, notes)
    leader = leading(comparison)
    if comparison.baseline is None:
        against = sorted(_against(comparison.pairs, leader), key=lambda pair: pair.difference)
        beaten = [pair for pair in against if is_significant(pair)]
        rivals = [pair for pair in against if not is_significant(pair)]
        answer = _answer(leader, beaten, rivals, on_puzzles)
    else:
        against = sorted(comparison.pairs, key=lambda pair: -pair.difference)
        rivals = [pair for pair in against if not is_significant(pair)]
        answer = _against_baseline(leader, against, on_puzzles)
    budgets = _differing(comparison, lambda outcome: f"{outcome['budget']} a run")
    answer += f" Budgets differ: {budgets}." if budgets else ""
    return Finding(answer, (*_too_few(comparison, rivals), *notes))


def _differing(comparison: Comparison, value_of: Callable[[Outcome], Any]) -> str:
    """Return which strategies have which value if they differ; else an empty text."""
    by_value: dict[str, list[str]] = {}
    for outcome in comparison.compared:
        labels = by_value.setdefault(str(value_of(outcome)), [])
        if outcome["label"] not in labels:
            labels.append(outcome["label"])
    return "; ".join(f"{', '.join(labels)} {value}" for value, labels in by_value.items()) if len(by_value) > 1 else ""


def is_significant(pair: Pair) -> bool:
    """Return whether the two strategies differ beyond doubt; exactly then 0 lies outside the interval."""
    return pair.p_holm < SIGNIFICANCE


def leading(comparison: Comparison) -> str:
    """Return the baseline, or without one the strategy with the best mean. At least one run must have been compared."""
    means = puzzle_means(comparison.compared)
    return comparison.baseline or max(means, key=lambda label: fmean(means[label].values()))


def _against(pairs: Sequence[Pair], leader: str) -> list[Pair]:
    """Return the pairs of the leader, with the leader first in each."""
    return [pair if pair.first == leader else _turned(pair) for pair in pairs if leader in (pair.first, pair.second)]


def _turned(pair: Pair) -> Pair:
    low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return replace(pair, first=pair.second, second=pair.first, difference=-pair.difference, low=low, high=high)


def _answer(leader: str, beaten: Sequence[Pair], rivals: Sequence[Pair], on_puzzles: str) -> str:
    if not rivals:
        return f"{leader} is best {on_puzzles}: {_more(beaten[0], ', the next,' if len(beaten) > 1 else '')}."
    answer = f"No significant difference between {_listed([leader, *(pair.second for pair in rivals)])} {on_puzzles}"
    if not beaten:
        return f"{answer}; {leader} has {_more(rivals[0], '')}."
    others = f", the best of the other {len(beaten)}," if len(beaten) > 1 else ""
    return f"{answer}; {leader} has {_more(beaten[0], others)}."


def _against_baseline(baseline: str, against: Sequence[Pair], on_puzzles: str) -> str:
    doubts = {pair: "" if is_significant(pair) or not pair.difference else ", which is not significant" for pair in against}
    parts = [f"{pair.first} has {_more(pair, '')}{doubts[pair]}" for pair in against[:_MOST_NAMED]]
    rest = len(against) - len(parts)
    others = [f"the table has the other {rest}"] if rest else []
    return f"Against {baseline} {on_puzzles}: {'; '.join([*parts, *others])}."


def _more(pair: Pair, remark: str) -> str:
    """Return by how much the first of the pair scores more; `remark` says who the second is."""
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
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _too_few(comparison: Comparison, rivals: Sequence[Pair]) -> tuple[str, ...]:
    """Return notes if too few puzzles make a difference significant, and how many would be enough."""
    if not rivals:
        return ()
    tests, nearest = len(comparison.pairs), rivals[0]
    notes = []
    if least_p(nearest.puzzles) * tests >= SIGNIFICANCE:
        holm = "" if tests == 1 else f", corrected for {tests} pairs,"
        fewer = "" if comparison.baseline or tests == 1 else ", and --baseline makes fewer tests"
        notes.append(
            f"{counted(nearest.puzzles, 'puzzle')} {'is' if nearest.puzzles == 1 else 'are'} too few for this test: a strategy "
            f"that wins on each of them gets a p-value{holm} of {min(1.0, least_p(nearest.puzzles) * tests):.2g}, which is not "
            f"below {SIGNIFICANCE:g}; {least_puzzles(tests)} puzzles are the least that can do{fewer}."
        )
    notes += [
        f"To show the observed difference of {abs(pair.difference):.1f} points between {pair.first} and {pair.second} "
        f"(standard deviation {pair.deviation:.1f}), about {pair.needed:,} puzzles would be needed."
        for pair in rivals[:_MOST_NAMED]
        if pair.needed is not None and pair.deviation is not None
    ]
    return tuple(notes)


def _left_out(comparison: Comparison) -> tuple[str, ...]:
    """Return what the figures do not cover: runs of earlier code, rows and puzzles that cannot be compared, runs never made."""
    labels, puzzles = (_missing(comparison, field) for field in ("label", "puzzle_name"))
    notes = [*_earlier(comparison)]
    if labels:
        notes.append(f"Left out: {_listed(labels)}, without a run on some of the puzzles that the others are compared on.")
    if puzzles:
        notes.append(f"Left out: {counted(len(puzzles), 'puzzle')} without a run of some strategy ({_listed(puzzles)}).")
    lacking = _never_made(comparison)
    if lacking:
        notes.append(f"Runs are missing ({_listed(lacking)}); the means are over the runs that were made.")
    versions = _differing(comparison, lambda outcome: f"of code {Row.of(outcome).base[:8] or 'unknown'}")
    if versions:
        notes.append(f"Not all runs have the same version of rowdraw: {versions}.")
    return tuple(notes)


def _earlier(comparison: Comparison) -> tuple[str, ...]:
    if not comparison.earlier:
        return ()
    labels = list(dict.fromkeys(outcome["label"] for outcome in comparison.earlier))
    runs = counted(len(comparison.earlier), "run")
    return (f"Left out: {runs} of earlier code ({_listed(labels)}); --earlier shows such runs in rows of their own.",)


def _missing(comparison: Comparison, field: str) -> list[str]:
    """Return the values of a field that only runs outside the figures have."""
    compared = {outcome[field] for outcome in comparison.compared}
    return sorted({outcome[field] for outcome in comparison.outcomes} - compared)


def _never_made(comparison: Comparison) -> list[str]:
    """Return how many runs each strategy lacks: seeds of a puzzle that another strategy has run."""
    made = {(outcome["label"], outcome["puzzle_name"], outcome["seed"]) for outcome in comparison.compared}
    wanted = {(puzzle, seed) for _label, puzzle, seed in made}
    labels = dict.fromkeys(outcome["label"] for outcome in comparison.compared)
    lacking = {label: sum((label, *run) not in made for run in wanted) for label in labels}
    return [f"{label} lacks {number} of {len(wanted)}" for label, number in lacking.items() if number]


def _new_bests(comparison: Comparison) -> tuple[str, ...]:
    """Return the scores that are better than anything known before."""
    better = [(name, known) for name, known in comparison.before.items() if 0 < known.best < comparison.known[name].best]
    return tuple(
        f"A new best on {name}: {comparison.known[name].best} points, {known.best} before ({known.best_from})."
        for name, known in better
    )


def _failures(comparison: Comparison) -> tuple[str, ...]:
    failed = len(comparison.failures)
    if not failed:
        return ()
    return (f"{failed} of {counted(len(comparison.outcomes), 'run')} failed; a failed run counts as {FAILED} points.",)
