"""What a line of a journal may hold: fields that fit, and a score that the solution in the same line has."""

from collections.abc import Callable
from functools import cache
from string import ascii_lowercase
from typing import Any

from solver.lab.compare.statistics import Outcome
from solver.model.puzzle import MAX_RACK, MAX_ROW
from verify import Rules, judge, load_rules
from verify.replay.rules import is_bundled
from verify.text import quote

_LONGEST_TURN = 100  # characters
_MOST = 10**12  # seconds, racks or points of a run


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _MOST


def _may_be(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Make a field optional, since earlier runs do not have it."""
    return lambda value: value is None or fits(value)


def _is_trace(value: Any) -> bool:
    """Return whether a value lists (seconds, racks, score) of every better answer."""
    return isinstance(value, list) and all(
        isinstance(point, list) and len(point) == 3 and all(map(_is_amount, point)) for point in value
    )


def _are_lines(value: Any) -> bool:
    """Return whether a value lists the turns of a game."""
    return (
        isinstance(value, list)
        and len(value) <= MAX_ROW
        and all(_is_line(line) and line.strip() and len(line) <= _LONGEST_TURN for line in value)
    )


def _are_rules(value: Any) -> bool:
    """Return whether a value has row, rack, tile values and bonus of a puzzle."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("row"), str)
        and len(value["row"]) <= MAX_ROW
        and set(value["row"]) <= {*ascii_lowercase, "?"}
        and value.get("rack") in range(MAX_RACK + 1)
        and isinstance(value.get("values"), dict)
        and all(map(_is_count, value["values"].values()))
        and _is_count(value.get("bonus", 0))
    )


def _are_facts(value: Any) -> bool:
    """Return whether a value describes a machine, or versions: lines and numbers by name."""
    return (
        isinstance(value, dict)
        and all(map(_is_line, value))
        and all(_is_line(fact) or _is_amount(fact) or fact is None for fact in value.values())
    )


_OF_ALL: dict[str, Callable[[Any], bool]] = {
    "puzzle": _is_line,
    "puzzle_name": _is_line,
    "puzzle_digest": _may_be(_is_line),
    "strategy": _is_line,
    "label": _is_line,
    "seed": _is_count,
    "budget": _is_line,
    "threads": _is_count,
    "code": _may_be(_is_line),
    "finished": _may_be(_is_line),
    "asked": _may_be(_is_line),
}
_OF_GOOD: dict[str, Callable[[Any], bool]] = _OF_ALL | {
    "score": _is_count,
    "seconds": _is_amount,
    "racks": _is_count,
    "trace": _is_trace,
    "solution": _are_lines,
    "cpu_seconds": _may_be(_is_amount),
    "rules": _may_be(_are_rules),
    "versions": _may_be(_are_facts),
    "machine": _may_be(_are_facts),
}
_OF_FAILED: dict[str, Callable[[Any], bool]] = _OF_ALL | {"error": lambda value: isinstance(value, str)}


def fault_of(outcome: Outcome) -> str | None:
    """Return why a line cannot be used, and what was expected; None if its fields fit and its solution has its score."""
    for name, fits in (_OF_FAILED if "error" in outcome else _OF_GOOD).items():
        if not fits(outcome.get(name)):
            return f"{name} = {quote(outcome.get(name))}: expected what `rowdraw compare` writes"
    return None if "error" in outcome else _false_score(outcome)


def _false_score(outcome: Outcome) -> str | None:
    """Return how the score differs from that of the solution by the referee. Early journals do not have rules to recount by."""
    rules = rules_of(outcome)
    if rules is None:
        return None
    score = 0
    if outcome["solution"]:  # else no word could be played
        verdict = judge("\n".join(outcome["solution"]).encode(), rules)
        if not verdict.valid:
            fault = verdict.violations[0]
            return f"turn {fault.line} of its solution: {fault.message}"
        score = verdict.score
    if score != outcome["score"]:
        return f"score = {outcome['score']}: expected {score}, the score of its solution"
    if max((points for _seconds, _racks, points in outcome["trace"]), default=0) > score:
        return f"its trace has a higher score than its solution: expected at most {score}"
    return None


def rules_of(outcome: Outcome) -> Rules | None:
    """Return the rules by which a run was judged; None if it does not record them.

    Only a bundled puzzle is read from its file: a file that somebody else's journal names is not opened.
    """
    if is_bundled(outcome["puzzle"]) and outcome.get("words") is None:
        return _bundled_rules(outcome["puzzle"])
    fields = outcome.get("rules")
    if fields is None:
        return None
    # the referee has checked the words at the end of the run, so they are valid
    words = frozenset(line.split()[-1] for line in outcome["solution"])
    return Rules(outcome["puzzle_name"], fields["row"], fields["rack"], fields["values"], words, fields.get("bonus", 0))


_bundled_rules = cache(load_rules)
