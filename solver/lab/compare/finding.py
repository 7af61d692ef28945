"""The result of a comparison in words: its answer, and what has to be known to trust it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from solver.lab.compare.collect import Comparison, Row
from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    FAILED,
    SIGNIFICANCE,
    Pair,
    least_p,
    least_puzzles,
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
    if not comparison.summaries:
        runs = len(comparison.outcomes)
        every = "the only one" if runs == 1 else f"all {runs}"
        answer = f"Every run failed, {every}: there is nothing to compare."
        return Finding(answer, tuple(_earlier(comparison)))
    notes = tuple(_notes(comparison))
    if len(comparison.summaries) == 1:
        return Finding(_answer_for_one(comparison), notes)
    against = _against(comparison)
    rivals = [pair for pair in against if not is_significant(pair)]
    answer = _answer(comparison, against, rivals)
    budgets = _differing((run.label, f"{run.budget} a run") for run in comparison.compared)
    if budgets:
        answer += f" Budgets differ: {budgets}."
    return Finding(answer, (*_needed(rivals), *notes))


def is_significant(pair: Pair) -> bool:
    """Return whether the two strategies differ beyond doubt: 0 lies outside the interval."""
    return pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high


def leading(comparison: Comparison) -> str:
    """Return the baseline, or without one the strategy with the best mean."""
    return comparison.baseline or max(comparison.summaries, key=attrgetter("mean")).label


def _against(comparison: Comparison) -> list[Pair]:
    """Return the pairs to report on: each strategy with the baseline, or the leader with each.

    Those with a baseline that gain most come first, and those that the leader beats least.
    """
    difference = attrgetter("difference")
    if comparison.baseline is not None:
        return sorted(comparison.pairs, key=difference, reverse=True)
    leader = leading(comparison)
    pairs = [_turned(pair) for pair in comparison.pairs if pair.second == leader]
    pairs += [pair for pair in comparison.pairs if pair.first == leader]
    return sorted(pairs, key=difference)


def _turned(pair: Pair) -> Pair:
    """Return the pair with the other strategy first."""
    turned = replace(pair, first=pair.second, second=pair.first, difference=-pair.difference)
    if pair.low is None or pair.high is None:
        return turned
    return replace(turned, low=-pair.high, high=-pair.low)


def _answer_for_one(comparison: Comparison) -> str:
    """Return the answer where the figures are about one strategy."""
    if len({outcome.label for outcome in comparison.outcomes}) > 1:
        return "No puzzle was run by two strategies: there is nothing to compare."
    (only,) = comparison.summaries
    return (
        f"{only.label} scores {only.mean:.1f} points on average {_on_puzzles(comparison)}, "
        f"{only.gap_to_best:.1f} below the best known; there is no other strategy to compare it "
        "with."
    )


def _answer(comparison: Comparison, against: Sequence[Pair], rivals: Sequence[Pair]) -> str:
    """Return the answer, given the pairs to report on, and those of them that do not differ."""
    doubt = _doubt(comparison)
    if comparison.baseline is not None:
        return doubt + _against_baseline(comparison, against, names_doubts=not doubt)
    beaten = [pair for pair in against if is_significant(pair)]
    best = (beaten or rivals)[0]
    others = ""
    if doubt:
        answer = f"{doubt}{best.first} has"
    elif rivals:
        names = _listed([best.first, *(pair.second for pair in rivals)])
        others = f", the best of the other {len(beaten)},"
        answer = (
            f"No significant difference between {names} {_on_puzzles(comparison)}; {best.first} has"
        )
    else:
        others = ", the next,"
        answer = f"{best.first} is best {_on_puzzles(comparison)}:"
    if len(beaten) < 2:
        others = ""
    return f"{answer} {_more(comparison, best, others)}."


def _doubt(comparison: Comparison) -> str:
    """Return a sentence if no difference can be significant on so few puzzles; else nothing."""
    tests = len(comparison.pairs)
    puzzles = _puzzles(comparison)
    if least_p(puzzles) * tests < SIGNIFICANCE:
        return ""
    enough = f"at least {least_puzzles(tests)} are needed"
    if tests > 1:
        enough += f" for {tests} pairs"
        if comparison.baseline is None:
            enough += ", fewer with --baseline"
    return f"Too few puzzles to tell: {puzzles}, where {enough}. "


def _puzzles(comparison: Comparison) -> int:
    return len({outcome.puzzle_name for outcome in comparison.compared})


def _on_puzzles(comparison: Comparison) -> str:
    puzzles = _puzzles(comparison)
    if puzzles == 1:
        return "on this puzzle"
    return f"on these {puzzles} puzzles"


def _against_baseline(
    comparison: Comparison, against: Sequence[Pair], *, names_doubts: bool
) -> str:
    """Return the differences from the baseline.

    With `names_doubts`, mark those that are not significant.
    """
    parts = []
    for pair in against[:_MOST_NAMED]:
        part = f"{pair.first} has {_more(comparison, pair)}"
        if names_doubts and pair.difference != 0 and not is_significant(pair):
            part += ", which is not significant"
        parts.append(part)
    rest = len(against) - len(parts)
    if rest:
        parts.append(f"the table has the other {rest}")
    return f"Against {comparison.baseline} {_on_puzzles(comparison)}: {'; '.join(parts)}."


def _more(comparison: Comparison, pair: Pair, remark: str = "") -> str:
    """Return by how much the first of the pair scores more, and in which time.

    `remark` says who the second is. Times are left out for a strategy of which no run had an end.
    """
    figures = []
    if pair.low is not None and pair.high is not None:
        figures.append(f"95 % interval {pair.low:.1f} to {pair.high:.1f}")
    seconds = {summary.label: summary.seconds for summary in comparison.summaries}
    own = seconds[pair.first]
    other = seconds[pair.second]
    if own is not None and other is not None:
        figures.append(f"{own:.1f} s a run against {other:.1f} s")
    than = pair.second + remark
    if pair.difference == 0:
        words = f"the same mean as {than}"
    else:
        amount = f"{abs(pair.difference):.1f}"
        points = "point" if amount == "1.0" else "points"
        more = "more" if pair.difference > 0 else "fewer"
        words = f"{amount} {points} {more} than {than} on average"
    if figures:
        words += f" ({'; '.join(figures)})"
    return words


def _listed(names: Sequence[str]) -> str:
    """Return names as an enumeration, which counts the last ones if there are many."""
    if len(names) > _MOST_NAMED:
        named = _MOST_NAMED - 1
        names = [*names[:named], f"{len(names) - named} others"]
    *first, last = names
    if not first:
        return last
    return f"{', '.join(first)} and {last}"


def _differing(described: Iterable[tuple[str, str]]) -> str:
    """Return which strategies have which value, given both; an empty text if all have the same."""
    labels: dict[str, dict[str, None]] = defaultdict(dict)
    for label, value in described:
        labels[value][label] = None
    if len(labels) < 2:
        return ""
    return "; ".join(f"{', '.join(alike)} {value}" for value, alike in labels.items())


def _needed(rivals: Sequence[Pair]) -> Iterator[str]:
    """Yield how many puzzles would be enough for each difference that is not significant."""
    for pair in rivals[:_MOST_NAMED]:
        if pair.needed is not None:
            yield (
                f"To show the observed difference of {abs(pair.difference):.1f} points between "
                f"{pair.first} and {pair.second} (standard deviation {pair.deviation:.1f}), about "
                f"{pair.needed:,} puzzles would be needed."
            )


def _notes(comparison: Comparison) -> Iterator[str]:
    """Yield what has to be known to trust the answer."""
    yield from _earlier(comparison)
    yield from _left_out(comparison)
    yield from _unlike(comparison)
    yield from _new_bests(comparison)
    yield from _late(comparison)
    yield from _uncounted(comparison)
    runs = counted(len(comparison.outcomes), "run")
    failed = len(comparison.failures)
    if failed:
        yield f"{failed} of {runs} failed; a failed run counts as {FAILED} points."


def _earlier(comparison: Comparison) -> Iterator[str]:
    """Yield how many runs are of earlier code."""
    if comparison.earlier:
        runs = counted(len(comparison.earlier), "run")
        names = _listed([*_labels(comparison.earlier)])
        yield f"Left out: {runs} of earlier code ({names}), which stay in the journal."


def _labels(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Return how many of the runs each strategy has made, in order of first appearance."""
    return Counter(outcome.label for outcome in outcomes)


def _left_out(comparison: Comparison) -> Iterator[str]:
    """Yield which rows and puzzles the figures do not cover, and which runs were never made."""
    labels = _missing(comparison, "label")
    if labels:
        yield (
            f"Left out: {_listed(labels)}, without a run on some of the puzzles that the others "
            "are compared on."
        )
    puzzles = _missing(comparison, "puzzle_name")
    if puzzles:
        yield (
            f"Left out: {counted(len(puzzles), 'puzzle')} without a run of some strategy "
            f"({_listed(puzzles)})."
        )
    lacking = _never_made(comparison)
    if lacking:
        yield (
            f"Runs are missing ({_listed(lacking)}); the means are over the runs that were made."
        )


def _missing(comparison: Comparison, field: str) -> list[str]:
    """Return the values of a field that only runs outside the figures have."""
    value_of = attrgetter(field)
    return sorted(set(map(value_of, comparison.outcomes)) - set(map(value_of, comparison.compared)))


def _never_made(comparison: Comparison) -> list[str]:
    """Return how many runs each strategy lacks: seeds of a puzzle that another strategy has run."""
    wanted = len({(run.puzzle_name, run.seed) for run in comparison.compared})
    return [
        f"{label} lacks {wanted - number} of {wanted}"
        for label, number in _labels(comparison.compared).items()
        if number < wanted
    ]


def _unlike(comparison: Comparison) -> Iterator[str]:
    """Yield which runs differ in what should be the same for all."""
    runs = comparison.compared
    versions = _differing((run.label, f"of code {Row.of(run).base[:8]}") for run in runs)
    if versions:
        yield f"Not all runs have the same version of rowdraw: {versions}."
    # a run that failed does not record its machine
    machines = _differing((run.label, _place(run.machine)) for run in runs if run.machine)
    if machines:
        yield (
            "Not all runs were made on the same machine, so times and scores may not compare: "
            f"{machines}."
        )


def _place(machine: Mapping[str, Any]) -> str:
    """Return on which machine a run was made."""
    place = f"on {machine.get('system')}, {machine.get('processor')}"
    count = machine.get("processors")
    if count:
        place += f", {count} processors"
    return place


def _new_bests(comparison: Comparison) -> Iterator[str]:
    """Yield the scores that are better than anything known before."""
    for name, before in comparison.before.items():
        best = comparison.known[name].best
        if 0 < before.best < best:
            yield f"A new best on {name}: {best} points, {before.best} before ({before.best_from})."


def _late(comparison: Comparison) -> Iterator[str]:
    """Yield how many runs had answers after their limit, and how many of these had no other."""
    late = [outcome for outcome in comparison.outcomes if outcome.late]
    if not late:
        return
    named = _listed([f"{label} {count}" for label, count in _labels(late).items()])
    empty = sum(not outcome.trace for outcome in late)
    lost = ""
    if empty:
        count = "counts" if empty == 1 else "count"
        lost = f"; {empty} had no answer in time and {count} as {FAILED} points"
    yield (
        f"Answers of {counted(len(late), 'run')} came more than {1000 * GRACE:.0f} ms after the "
        f"limit and do not count ({named}){lost}."
    )


def _uncounted(comparison: Comparison) -> Iterator[str]:
    """Yield which strategies counted no rack under a budget of racks, which then limits nothing."""
    labels = _labels(
        outcome
        for outcome in comparison.outcomes
        if outcome.budget.endswith("racks") and not (outcome.racks or outcome.failed)
    )
    if labels:
        yield f"{_listed([*labels])} counted no rack, so the budget of racks did not limit it."
