"""The rows of a comparison, and the names of rows and puzzles.

A row holds runs of one strategy, one code, one budget and one number of threads, whatever its name on the command line. A
puzzle is identified by its digest, whatever its name is.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from solver.errors import StrategyError
from solver.lab.compare.plan import code_version
from solver.lab.compare.statistics import Outcome
from verify.text import counted, nearest, quote

Key = TypeVar("Key", bound=Hashable)

_SHORT = 8  # characters of a digest that a name shows


class Row(NamedTuple):
    """What all runs of a row have in common."""

    strategy: str
    code: str
    budget: str
    threads: int

    @classmethod
    def of(cls, outcome: Outcome) -> "Row":
        """Return the row in which a run stands."""
        return cls(outcome["strategy"], outcome.get("code") or "", outcome["budget"], outcome["threads"])

    @property
    def base(self) -> str:
        """The code of rowdraw itself, without that of a plug-in or a program."""
        return self.code.partition("+")[0]


_FORMS: dict[str, Callable[[Row], str]] = {  # what distinguishes rows of one label, the plainest first
    "budget": lambda row: row.budget,
    "threads": lambda row: counted(row.threads, "thread"),
    "code": lambda row: f"code {'+'.join(part[:_SHORT] for part in row.code.split('+')) or 'unknown'}",
    "strategy": lambda row: row.strategy,
}


def without_earlier(outcomes: Sequence[Outcome], planned: Iterable[Outcome] = ()) -> tuple[list[Outcome], list[Outcome]]:
    """Split runs, in the order of their journal, into those of the current code and those of earlier code.

    Runs of one strategy, by its label or by its settings, can have several codes: its file was edited, or rowdraw was. The
    current code is that of the `planned` runs; without a plan that of this rowdraw, if it has made a run; else that of the run
    that finished, or was asked for again, last.
    """
    wanted = {(task["strategy"], task["code"]) for task in planned}
    ages: dict[tuple[str, str], tuple[bool, bool, str, bool, int]] = {}
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    finished = ""
    for place, outcome in enumerate(outcomes):
        finished = outcome.get("finished") or finished  # earlier versions kept no time of a run that failed
        row = Row.of(outcome)
        version = row.strategy, row.code
        asked = outcome.get("asked") or ""
        age = version in wanted, row.base == code_version(), max(finished, asked), bool(asked) and asked >= finished, place
        ages[version] = max(ages.get(version, age), age)
        labels[version].add(outcome["label"])

    def is_earlier(version: tuple[str, str]) -> bool:
        return any(
            other[1] != version[1]
            and age > ages[version]
            and (other[0] == version[0] or not labels[other].isdisjoint(labels[version]))
            for other, age in ages.items()
        )

    earlier = {version for version in ages if is_earlier(version)}
    kept, left = list[Outcome](), list[Outcome]()
    for outcome in outcomes:
        row = Row.of(outcome)
        (left if (row.strategy, row.code) in earlier else kept).append(outcome)
    return kept, left


def row_names(outcomes: Iterable[Outcome]) -> dict[Row, str]:
    """Return a name for each row: its label, and in brackets what distinguishes it from other rows of that label."""
    labels = {Row.of(outcome): outcome["label"] for outcome in outcomes}
    names = dict[Row, str]()
    for label in dict.fromkeys(labels.values()):
        alike = [row for row in labels if labels[row] == label]
        names |= {row: f"{label} ({more})" if more else label for row, more in _distinctions(alike).items()}
    return _distinct({row: names[row] for row in labels})


def _distinctions(rows: Sequence[Row]) -> dict[Row, str]:
    marks = {row: list[str]() for row in rows}
    for field, form in _FORMS.items():
        if len({tuple(texts) for texts in marks.values()}) == len(rows):
            break
        if len({getattr(row, field) for row in rows}) > 1:
            for row, texts in marks.items():
                texts.append(form(row))
    return {row: ", ".join(texts) for row, texts in marks.items()}


def find_row(name: str, outcomes: Sequence[Outcome], planned: Sequence[Outcome] = ()) -> str:
    """Return the name of the row that the user calls `name`: by its name in the tables, its label, or its settings.

    If several rows have that label or these settings, the one of the plan is meant. Raises `StrategyError` unless it is one
    row.
    """
    names = row_names([*outcomes, *planned])
    if name in names.values():
        return name
    called, planned_too = (
        dict.fromkeys(names[Row.of(outcome)] for outcome in some if name in (outcome["label"], outcome["strategy"]))
        for some in ([*outcomes, *planned], planned)
    )
    matches = list(planned_too if len(planned_too) == 1 else called)
    if not matches:
        others = ", ".join(map(quote, names.values()))
        raise StrategyError(f"baseline {quote(name)}: no such strategy here{nearest(name, names.values()) or f': {others}'}")
    if len(matches) > 1:
        raise StrategyError(f"baseline {quote(name)}: expected one of {', '.join(map(quote, matches))}")
    return matches[0]


def puzzle_names(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Return a name for each puzzle by its `puzzle_key`: its own, with the digest in brackets if others have it too."""
    names = dict[str, str]()
    for outcome in outcomes:
        names.setdefault(puzzle_key(outcome), outcome["puzzle_name"])
    taken = list(names.values())
    return _distinct({key: name if taken.count(name) == 1 else f"{name} ({key[:_SHORT]})" for key, name in names.items()})


def puzzle_key(outcome: Outcome) -> str:
    """Return what identifies a puzzle: its digest, or its name if an early journal has no digest."""
    return str(outcome.get("puzzle_digest") or outcome["puzzle_name"])


def _distinct(names: Mapping[Key, str]) -> dict[Key, str]:
    """Number names that are already taken: a label may look like another one with its distinction."""
    distinct: dict[Key, str] = {}
    taken = set[str]()
    for key, name in names.items():
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} #{number}"
        taken.add(unique)
        distinct[key] = unique
    return distinct
