"""The result of a comparison in words: its answer in one or two sentences, and what has to be known to trust it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from solver.lab.compare.collect import Comparison, Row
from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    FAILED,
    SIGNIFICANCE,
    Pair,
    least_p,
    least_puzzles,
    puzzle_means,
)
from solver.search.run import GRACE
from verify.text import counted

_MOST_NAMED = 4


@dataclass(frozen=True)
class Finding:
    """The answer, and notes that say how far it can be trusted."""

    answer: str
    notes: tuple[str, ...] = ()


def find(comparison: Comparison) -> Finding:
    """Return what the comparison shows."""
    count = len({outcome.puzzle_name for outcome in comparison.compared})
    on_puzzles = f"on {'this puzzle' if count == 1 else f'these {count} puzzles'}"
    notes = (
        *_left_out(comparison),
        *_new_bests(comparison),
        *_late(comparison),
        *_uncounted(comparison),
        *_failures(comparison),
    )
    if not comparison.summaries:
        runs = len(comparison.outcomes)
        answer = f"Every run failed, {'the only one' if runs == 1 else f'all {runs}'}: there is nothing to compare."
        return Finding(answer, _earlier(comparison))
    if len(comparison.summaries) == 1:
        if len({outcome.label for outcome in comparison.outcomes}) > 1:
            return Finding(
                "No puzzle was run by two strategies: there is nothing to compare.", notes
            )
        (only,) = comparison.summaries
        answer = (
            f"{only.label} scores {only.mean:.1f} points on average {on_puzzles}, {only.gap_to_best:.1f} below the best known; "
            "there is no other strategy to compare it with."
        )
        return Finding(answer, notes)
    words = _Words({summary.label: summary.seconds for summary in comparison.summaries}, on_puzzles)
    leader = leading(comparison)
    if comparison.baseline is None:
        against = sorted(_against(comparison.pairs, leader), key=lambda pair: pair.difference)
    else:
        against = sorted(comparison.pairs, key=lambda pair: -pair.difference)
    beaten = [pair for pair in against if is_significant(pair)]
    rivals = [pair for pair in against if not is_significant(pair)]
    too_few = _too_few(comparison, count)
    if comparison.baseline is not None:
        answer = f"{too_few}{words.against_baseline(leader, against, has_doubts=not too_few)}"
    elif too_few:
        answer = f"{too_few}{leader} has {words.more(rivals[0], '')}."
    else:
        answer = words.answer(leader, beaten, rivals)
    budgets = _differing(comparison, lambda outcome: f"{outcome.budget} a run")
    answer += f" Budgets differ: {budgets}." if budgets else ""
    return Finding(answer, (*_needed(rivals), *notes))


def _machine(outcome: Outcome) -> str | None:
    machine = outcome.machine
    if machine is None:
        return None
    count = machine.get("processors")
    return f"on {machine.get('system')}, {machine.get('processor')}{f', {count} processors' if count else ''}"


def _differing(comparison: Comparison, value_of: Callable[[Outcome], str | None]) -> str:
    """Return which strategies have which value if they differ; else an empty text. None stands for an unknown value."""
    by_value: dict[str, list[str]] = {}
    for outcome in comparison.compared:
        value = value_of(outcome)
        if value is None:
            continue
        labels = by_value.setdefault(value, [])
        if outcome.label not in labels:
            labels.append(outcome.label)
    return (
        "; ".join(f"{', '.join(labels)} {value}" for value, labels in by_value.items())
        if len(by_value) > 1
        else ""
    )


def is_significant(pair: Pair) -> bool:
    """Return whether the two strategies differ beyond doubt: 0 lies outside the interval."""
    return pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high


def leading(comparison: Comparison) -> str:
    """Return the baseline, or without one the strategy with the best mean. At least one run must have been compared."""
    means = puzzle_means(comparison.compared)
    return comparison.baseline or max(means, key=lambda label: fmean(means[label].values()))


def _against(pairs: Sequence[Pair], leader: str) -> list[Pair]:
    """Return the pairs of the leader, with the leader first in each."""
    return [
        pair if pair.first == leader else _turned(pair)
        for pair in pairs
        if leader in (pair.first, pair.second)
    ]


def _turned(pair: Pair) -> Pair:
    low, high = (None if end is None else -end for end in (pair.high, pair.low))
    return replace(
        pair, first=pair.second, second=pair.first, difference=-pair.difference, low=low, high=high
    )


@dataclass(frozen=True)
class _Words:
    """The words of an answer; `seconds` has the mean time of a run by strategy, `on_puzzles` says what was compared on."""

    seconds: Mapping[str, float | None]
    on_puzzles: str

    def answer(self, leader: str, beaten: Sequence[Pair], rivals: Sequence[Pair]) -> str:
        """Return the answer where the leader has `beaten` some, and others are its `rivals`."""
        if not rivals:
            return f"{leader} is best {self.on_puzzles}: {self.more(beaten[0], ', the next,' if len(beaten) > 1 else '')}."
        names = _listed([leader, *(pair.second for pair in rivals)])
        answer = f"No significant difference between {names} {self.on_puzzles}"
        if not beaten:
            return f"{answer}; {leader} has {self.more(rivals[0], '')}."
        others = f", the best of the other {len(beaten)}," if len(beaten) > 1 else ""
        return f"{answer}; {leader} has {self.more(beaten[0], others)}."

    def against_baseline(self, baseline: str, against: Sequence[Pair], *, has_doubts: bool) -> str:
        """Return the answer of a comparison with a baseline; `has_doubts` names the differences that are not significant."""
        parts = []
        for pair in against[:_MOST_NAMED]:
            is_doubtful = has_doubts and pair.difference != 0 and not is_significant(pair)
            parts.append(
                f"{pair.first} has {self.more(pair, '')}{', which is not significant' if is_doubtful else ''}"
            )
        rest = len(against) - len(parts)
        others = [f"the table has the other {rest}"] if rest else []
        return f"Against {baseline} {self.on_puzzles}: {'; '.join([*parts, *others])}."

    def more(self, pair: Pair, remark: str) -> str:
        """Return by how much the first of the pair scores more, and in which time; `remark` says who the second is."""
        interval = (
            ""
            if pair.low is None or pair.high is None
            else f"95 % interval {pair.low:.1f} to {pair.high:.1f}"
        )
        figures = "; ".join(filter(None, (interval, self._times(pair))))
        if figures:
            figures = f" ({figures})"
        if pair.difference == 0:
            return f"the same mean as {pair.second}{remark}{figures}"
        difference = f"{abs(pair.difference):.1f}"
        points = "point" if difference == "1.0" else "points"
        than = "more" if pair.difference > 0 else "fewer"
        return f"{difference} {points} {than} than {pair.second}{remark} on average{figures}"

    def _times(self, pair: Pair) -> str:
        """Return the mean times of a run; nothing for a strategy of which no run had an end."""
        own, other = self.seconds[pair.first], self.seconds[pair.second]
        return "" if own is None or other is None else f"{own:.1f} s a run against {other:.1f} s"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[: _MOST_NAMED - 1])} and {len(names) - _MOST_NAMED + 1} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _too_few(comparison: Comparison, puzzles: int) -> str:
    """Return a sentence if so few puzzles cannot make any difference significant; else an empty text."""
    tests = len(comparison.pairs)
    if least_p(puzzles) * tests < SIGNIFICANCE:
        return ""
    pairs = "" if tests == 1 else f" for {tests} pairs"
    fewer = "" if comparison.baseline or tests == 1 else ", fewer with --baseline"
    return f"Too few puzzles to tell: {puzzles}, where at least {least_puzzles(tests)} are needed{pairs}{fewer}. "


def _needed(rivals: Sequence[Pair]) -> list[str]:
    """Return how many puzzles would be enough for each difference that is not significant."""
    return [
        f"To show the observed difference of {abs(pair.difference):.1f} points between {pair.first} and {pair.second} "
        f"(standard deviation {pair.deviation:.1f}), about {pair.needed:,} puzzles would be needed."
        for pair in rivals[:_MOST_NAMED]
        if pair.needed is not None and pair.deviation is not None
    ]


def _left_out(comparison: Comparison) -> tuple[str, ...]:
    """Return what the figures do not cover: runs of earlier code, rows and puzzles that cannot be compared, runs never made."""
    labels, puzzles = (_missing(comparison, field) for field in ("label", "puzzle_name"))
    notes = [*_earlier(comparison)]
    if labels:
        notes.append(
            f"Left out: {_listed(labels)}, without a run on some of the puzzles that the others are compared on."
        )
    if puzzles:
        notes.append(
            f"Left out: {counted(len(puzzles), 'puzzle')} without a run of some strategy ({_listed(puzzles)})."
        )
    lacking = _never_made(comparison)
    if lacking:
        notes.append(
            f"Runs are missing ({_listed(lacking)}); the means are over the runs that were made."
        )
    versions = _differing(comparison, lambda outcome: f"of code {Row.of(outcome).base[:8]}")
    if versions:
        notes.append(f"Not all runs have the same version of rowdraw: {versions}.")
    machines = _differing(comparison, _machine)
    if machines:
        notes.append(
            f"Not all runs were made on the same machine, so times and scores may not compare: {machines}."
        )
    return tuple(notes)


def _earlier(comparison: Comparison) -> tuple[str, ...]:
    if not comparison.earlier:
        return ()
    labels = list(dict.fromkeys(outcome.label for outcome in comparison.earlier))
    runs = counted(len(comparison.earlier), "run")
    return (f"Left out: {runs} of earlier code ({_listed(labels)}), which stay in the journal.",)


def _missing(comparison: Comparison, field: str) -> list[str]:
    """Return the values of a field that only runs outside the figures have."""
    compared = {getattr(outcome, field) for outcome in comparison.compared}
    return sorted({getattr(outcome, field) for outcome in comparison.outcomes} - compared)


def _never_made(comparison: Comparison) -> list[str]:
    """Return how many runs each strategy lacks: seeds of a puzzle that another strategy has run."""
    made = {(outcome.label, outcome.puzzle_name, outcome.seed) for outcome in comparison.compared}
    wanted = {(puzzle, seed) for _label, puzzle, seed in made}
    labels = dict.fromkeys(outcome.label for outcome in comparison.compared)
    lacking = {label: sum((label, *run) not in made for run in wanted) for label in labels}
    return [
        f"{label} lacks {number} of {len(wanted)}" for label, number in lacking.items() if number
    ]


def _new_bests(comparison: Comparison) -> tuple[str, ...]:
    """Return the scores that are better than anything known before."""
    better = [
        (name, known)
        for name, known in comparison.before.items()
        if 0 < known.best < comparison.known[name].best
    ]
    return tuple(
        f"A new best on {name}: {comparison.known[name].best} points, {known.best} before ({known.best_from})."
        for name, known in better
    )


def _late(comparison: Comparison) -> tuple[str, ...]:
    """Return how many runs had answers after their limit, by strategy, and how many of these had no other answer."""
    late = [outcome for outcome in comparison.outcomes if outcome.late]
    if not late:
        return ()
    counts = Counter(outcome.label for outcome in late)
    named = _listed([f"{label} {count}" for label, count in counts.items()])
    empty = sum(not outcome.trace for outcome in late)
    lost = (
        f"; {empty} had no answer in time and {'counts' if empty == 1 else 'count'} as {FAILED} points"
        if empty
        else ""
    )
    return (
        f"Answers of {counted(len(late), 'run')} came more than {1000 * GRACE:.0f} ms after the limit and do not count "
        f"({named}){lost}.",
    )


def _uncounted(comparison: Comparison) -> tuple[str, ...]:
    """Return which strategies counted no rack under a budget of racks, which then limits nothing."""
    labels = {
        outcome.label: None
        for outcome in comparison.outcomes
        if not outcome.failed and outcome.budget.endswith("racks") and not outcome.racks
    }
    return (
        (f"{_listed(list(labels))} counted no rack, so the budget of racks did not limit it.",)
        if labels
        else ()
    )


def _failures(comparison: Comparison) -> tuple[str, ...]:
    failed = len(comparison.failures)
    if not failed:
        return ()
    return (
        f"{failed} of {counted(len(comparison.outcomes), 'run')} failed; a failed run counts as {FAILED} points.",
    )
