"""The result of a comparison in words: its answer, and what has to be known to trust it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from solver.lab.compare.collect import Figures
from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    FAILED,
    SIGNIFICANCE,
    Pair,
    least_p,
    least_puzzles,
)
from verify.text import counted, printable

_NO_PAIR = "No two strategies to compare have run the same puzzle."
_MOST_NAMED = 4
_STARVED = 0.5  # of a processor
_MEASURABLE = 0.5  # seconds; of shorter runs, starts are much of the time


@dataclass(frozen=True)
class Finding:
    """The answer, and notes that say how far it can be trusted."""

    answer: str
    notes: tuple[str, ...] = ()


def find(figures: Figures) -> Finding:
    """Return what the comparison shows: what failed, and what is significant."""
    if not figures.summaries:
        runs = len(figures.outcomes)
        every = "the only one" if runs == 1 else f"all {runs}"
        answer = f"Every run failed, {every}: there is nothing to compare."
        return Finding(answer, tuple(_earlier(figures)))
    notes = tuple(_notes(figures))
    failed = _failed(figures)
    if len(figures.summaries) == 1:
        return Finding(failed + _answer_for_one(figures), notes)
    against = _against(figures)
    answer = failed + _doubt(figures)
    if not against and figures.baseline is not None:
        answer += f"The baseline {figures.baseline} has no run on these puzzles."
    elif not against:
        answer += _NO_PAIR
    elif figures.versions:
        answer += " ".join(_of_edit(figures, pair) for pair in against)
    elif figures.baseline is not None:
        answer += _against_baseline(figures, against)
    else:
        answer += _leader(figures, against)
    budgets = _differing((run.label, f"{run.budget} a run") for run in figures.compared)
    if budgets:
        answer += f" Budgets differ: {budgets}."
    return Finding(answer, (*_needed(against), *notes))


def _failed(figures: Figures) -> str:
    """Return a sentence on the runs that failed; empty if none did."""
    if not figures.failures:
        return ""
    runs = counted(len(figures.outcomes), "run")
    named = _counted_by_label(figures.failures)
    return f"{len(figures.failures)} of {runs} failed and count as {FAILED} points ({named}). "


def is_significant(pair: Pair) -> bool:
    """Return whether the two strategies differ beyond doubt: 0 lies outside the interval."""
    return pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high


def leading(figures: Figures) -> str:
    """Return the baseline if it has a run, or else the strategy with the best mean."""
    own = (row.label for row in figures.summaries if row.label == figures.baseline)
    return next(own, max(figures.summaries, key=attrgetter("mean")).label)


def _against(figures: Figures) -> list[Pair]:
    """Return the pairs to report on: each strategy with the baseline, or the leader with each.

    Those with a baseline that gain most come first, and those that the leader beats least.
    """
    if figures.versions:
        return list(figures.pairs)
    difference = attrgetter("difference")
    if figures.baseline is not None:
        return sorted(figures.pairs, key=difference, reverse=True)
    leader = leading(figures)
    return sorted((pair for pair in figures.pairs if pair.first == leader), key=difference)


def _answer_for_one(figures: Figures) -> str:
    """Return the answer where the figures are about one strategy."""
    if len({outcome.label for outcome in figures.outcomes}) > 1:
        return _NO_PAIR
    (only,) = figures.summaries
    return (
        f"{only.label} scores {only.mean:.1f} points on average {_on_puzzles(figures)}, "
        f"{only.gap_to_best:.1f} below the best known; there is no other strategy to compare it "
        "with."
    )


def _of_edit(figures: Figures, pair: Pair) -> str:
    """Return whether an edit of a strategy helped."""
    if pair.difference == 0:
        effect = "The edit changed no mean: "
    elif _doubt(figures):
        effect = ""  # where nothing could be significant, that says nothing of the edit
    elif not is_significant(pair):
        effect = "The edit has no significant effect: "
    elif pair.difference > 0:
        effect = "The edit helped: "
    else:
        effect = "The edit hurt: "
    return f"{effect}{pair.first} has {_more(figures, pair)} {_on_puzzles(figures)}."


def _leader(figures: Figures, against: Sequence[Pair]) -> str:
    """Return what the leader has more than the others, the best of those that it beats first."""
    leader = against[0].first
    where = _on_puzzles(figures)
    beaten = list(filter(is_significant, against))
    equal = [pair.second for pair in against if not is_significant(pair)]
    others = ""
    if len(beaten) > 1:
        others = f", the best of the other {len(beaten)},"
    more = _more(figures, (beaten or against)[0], others)
    if _doubt(figures):
        return f"{leader} has {more}."
    if equal:
        names = _listed([leader, *equal])
        return f"No significant difference between {names} {where}; {leader} has {more}."
    return f"{leader} is best {where}: {more}."


def _doubt(figures: Figures) -> str:
    """Return a sentence if no difference can be significant on so few puzzles; else nothing."""
    tests = len(figures.pairs)
    puzzles = _puzzles(figures)
    if least_p(puzzles) * tests < SIGNIFICANCE:
        return ""
    enough = f"at least {least_puzzles(tests)} are needed"
    if tests > 1:
        enough += f" for {tests} pairs"
        if figures.baseline is None:
            enough += ", fewer with --baseline"
    return f"Too few puzzles to tell: {puzzles}, where {enough}. "


def _puzzles(figures: Figures) -> int:
    return len({outcome.puzzle_name for outcome in figures.compared})


def _on_puzzles(figures: Figures) -> str:
    puzzles = _puzzles(figures)
    if puzzles == 1:
        return "on this puzzle"
    return f"on these {puzzles} puzzles"


def _against_baseline(figures: Figures, against: Sequence[Pair]) -> str:
    """Return the differences from the baseline, with a mark on those that are not significant."""
    names_doubts = not _doubt(figures)
    parts = []
    for pair in against[:_MOST_NAMED]:
        part = f"{pair.first} has {_more(figures, pair)}"
        if names_doubts and pair.difference != 0 and not is_significant(pair):
            part += ", which is not significant"
        parts.append(part)
    rest = len(against) - len(parts)
    if rest:
        parts.append(f"the table has the other {rest}")
    return f"Against {figures.baseline} {_on_puzzles(figures)}: {'; '.join(parts)}."


def _more(figures: Figures, pair: Pair, remark: str = "") -> str:
    """Return by how much the first of the pair scores more, and in which time.

    `remark` says who the second is. Times are left out for a strategy of which no run had an end.
    """
    remarks = []
    if pair.low is not None and pair.high is not None:
        remarks.append(f"95 % interval {pair.low:.1f} to {pair.high:.1f}")
    seconds = {summary.label: summary.seconds for summary in figures.summaries}
    own = seconds[pair.first]
    other = seconds[pair.second]
    if own is not None and other is not None and not figures.in_racks:
        remarks.append(f"{own:.1f} s a run against {other:.1f} s")
    than = pair.second + remark
    if pair.difference == 0:
        words = f"the same mean as {than}"
    else:
        more = "more" if pair.difference > 0 else "fewer"
        words = f"{abs(pair.difference):.1f} points {more} than {than} on average"
    if remarks:
        words += f" ({'; '.join(remarks)})"
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


def _needed(against: Sequence[Pair]) -> Iterator[str]:
    """Yield how many puzzles would be enough for each difference that is not significant."""
    rivals = [pair for pair in against if not is_significant(pair)]
    for pair in rivals[:_MOST_NAMED]:
        if pair.needed is not None:
            yield (
                f"To show the observed difference of {abs(pair.difference):.1f} points between "
                f"{pair.first} and {pair.second} (standard deviation {pair.deviation:.1f}), about "
                f"{pair.needed:,} puzzles would be needed."
            )


def _notes(figures: Figures) -> Iterator[str]:
    """Yield what has to be known to trust the answer."""
    yield from _earlier(figures)
    yield from _left_out(figures)
    yield from _unlike(figures)
    yield from _new_bests(figures)
    for is_concerned, text in _OF_RUNS:
        runs = list(filter(is_concerned, figures.outcomes))
        if runs:
            yield text.format(
                runs=counted(len(runs), "run"),
                named=_counted_by_label(runs),
                fault=printable(_fault(runs[0])),
            )
    for version in figures.versions:
        yield f"{version.name}: {version.remark}."


def _earlier(figures: Figures) -> Iterator[str]:
    """Yield how many runs are of earlier versions."""
    if figures.earlier:
        runs = counted(len(figures.earlier), "run")
        names = _listed([*_labels(figures.earlier)])
        yield (
            f"Left out: {runs} of earlier versions ({names}), which stay in the journal; "
            "--versions compares them."
        )


def _labels(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Return how many of the runs each strategy has made, in order of first appearance."""
    return Counter(outcome.label for outcome in outcomes)


def _counted_by_label(outcomes: Iterable[Outcome]) -> str:
    """Return how many of the runs each strategy has made, in words."""
    return _listed([f"{label} {count}" for label, count in _labels(outcomes).items()])


def _left_out(figures: Figures) -> Iterator[str]:
    """Yield which rows and puzzles the figures do not cover, and how many runs are missing."""
    labels = _missing(figures, "label")
    if labels:
        yield (
            f"Left out: {_listed(labels)}, without a run on some of the puzzles that the others "
            "are compared on."
        )
    puzzles = _missing(figures, "puzzle_name")
    if puzzles:
        yield (
            f"Left out: {counted(len(puzzles), 'puzzle')} without a run of some strategy "
            f"({_listed(puzzles)})."
        )
    made = len({(run.puzzle_name, run.seed) for run in figures.compared})
    lacking = [
        f"{row.label} lacks {made - row.runs} of {made}"
        for row in figures.summaries
        if row.runs < made
    ]
    if lacking:
        yield f"Runs are missing ({_listed(lacking)}); the means are over the runs that were made."


def _missing(figures: Figures, field: str) -> list[str]:
    """Return the values of a field that only runs outside the figures have."""
    value_of = attrgetter(field)
    return sorted(set(map(value_of, figures.outcomes)) - set(map(value_of, figures.compared)))


def _unlike(figures: Figures) -> Iterator[str]:
    """Yield which runs differ in what should be the same for all."""
    runs = figures.compared
    versions = _differing((run.label, f"of code {run.base[:8]}") for run in runs)
    if versions:
        yield f"Not all runs have the same version of rowdraw: {versions}."
    # a run that failed does not record its machine
    machines = {str(run.machine) for run in runs if run.machine}
    if len(machines) > 1:
        yield f"Runs were made on {len(machines)} machines, so times and scores may not compare."


def _new_bests(figures: Figures) -> Iterator[str]:
    """Yield the scores that are better than anything known before."""
    for name, before in figures.before.items():
        best = figures.known.get(name, before).best
        if 0 < before.best < best:
            yield f"A new best on {name}: {best} points, {before.best} before ({before.best_from})."


def _is_late(run: Outcome) -> bool:
    return bool(run.late)


def _is_uncounted(run: Outcome) -> bool:
    return run.limit.racks is not None and not (run.racks or run.failed)


def _fault(run: Outcome) -> str:
    """Return the error with which a run ended after an answer; empty without one."""
    return str(run.notes.get("fault", ""))


def _is_starved(run: Outcome) -> bool:
    """Return whether a run had a processor for so little of its time that it may have lost.

    False if the processor time is not known, and for very short runs and those limited by racks,
    which have lost nothing.
    """
    if run.cpu_seconds is None or run.seconds < _MEASURABLE or run.limit.seconds is None:
        return False
    return run.cpu_seconds < _STARVED * run.seconds


# notes on runs: on which, and what
_OF_RUNS: tuple[tuple[Callable[[Outcome], object], str], ...] = (
    (_is_late, "Answers of {runs} came too late and do not count ({named})."),
    (_is_uncounted, "{runs} counted no rack, so no limit in racks applied ({named})."),
    (_fault, "{runs} ended with an error after an answer, which counts ({named}): {fault}"),
    (
        _is_starved,
        "{runs} had a processor for less than half of the time ({named}), so the scores may be too "
        "low: fewer --jobs or --threads, or a quiet machine.",
    ),
)
