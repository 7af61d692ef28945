"""Runs of comparisons, made by hand."""

from typing import Any

import msgspec

from solver.lab.compare.runs import NO_ANSWER, Outcome, Task

USUAL = {
    "puzzle": "p",
    "puzzle_name": "p",
    "label": "a",
    "seed": 0,
    "budget": "5s",
    "threads": 1,
    "code": "",
    "finished": "2026-01-01T00:00:00Z",
}
ENDED = {"score": 0, "seconds": 2.0, "racks": 9, "trace": [], "solution": []}
ENDED |= {"complete": True, "versions": None, "machine": None}


def run_of(**fields: Any) -> Outcome:
    """A run with these fields, which failed if one of them is its error; the others are usual
    ones."""
    fields = {"strategy": fields.get("label", "a"), **USUAL, **fields}
    fields = {"puzzle_digest": f"digest of {fields['puzzle_name']}", **fields}
    fields = {"key": msgspec.convert(fields, Task).key, **fields}
    return msgspec.convert((NO_ANSWER if "error" in fields else ENDED) | fields, Outcome)


def fields_of(run: Task) -> dict[str, Any]:
    """The fields of a run, as its line in a journal has them; those of a task with its key."""
    return {"key": run.key, **msgspec.to_builtins(run)}
