"""Answers by score: a table for each puzzle, with its best known score and bound, and the turn where two answers differ."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.datafiles import data_folder
from verify.reading import LARGEST_TEXT, read_file, toml_fields
from verify.replay.rules import Rules, is_bundled
from verify.replay.verdict import Verdict, Violation
from verify.text import counted, csv_text, printable

_LONGEST_NAME = 40  # characters of a name in a table for the terminal
CSV_COLUMNS = (
    "puzzle", "place", "valid", "score", "turns", "to_best", "to_bound", "file", "name", "parts", "same_as",
    "line", "code", "fault",
)  # fmt: skip

Move = tuple[int, str, str]
"""Left draws, play and word of a turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer in a table. moves: empty where it is invalid."""

    file: str
    name: str
    score: int
    moves: tuple[Move, ...]

    @property
    def who(self) -> str:
        """File and heading, with escapes for characters that a terminal cannot show."""
        return printable(f"{self.file}: {self.name}" if self.name else self.file)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A valid answer with its place, and its distance to the best known score and to the bound.

    same_as: the first answer with the same turns.
    parts: how it differs from the answer above it, at the first turn that does; empty for the first answer.
    """

    place: int
    entry: Entry
    to_best: int | None
    to_bound: float | None
    same_as: str
    parts: str

    def fields(self) -> dict[str, Any]:
        """Return the row as JSON and CSV name its values."""
        file, name, score, turns = self.entry.file, self.entry.name, self.entry.score, len(self.entry.moves)
        gaps = {"to_best": self.to_best, "to_bound": self.to_bound}
        row = {"place": self.place, "file": file, "name": name, "score": score, "turns": turns}
        return {**row, **gaps, "same_as": self.same_as or None, "parts": self.parts or None}


@dataclass
class Table:
    """The answers to a puzzle, the invalid ones with their first fault. best, bound: None where they are not known."""

    puzzle: str
    best: int | None = None
    bound: float | None = None
    valid: list[Entry] = field(default_factory=list)
    invalid: list[tuple[Entry, Violation]] = field(default_factory=list)

    def ranked(self) -> list[Ranked]:
        """Return the valid answers, the best first; equal scores share a place, and equal answers stand together."""
        first: dict[tuple[Move, ...], int] = {}
        for number, entry in enumerate(self.valid):
            first.setdefault(entry.moves, number)
        order = sorted(range(len(self.valid)), key=lambda n: (-self.valid[n].score, first[self.valid[n].moves], n))
        rows: list[Ranked] = []
        for position, number in enumerate(order, start=1):
            entry, above = self.valid[number], rows[-1] if rows else None
            place = above.place if above is not None and above.entry.score == entry.score else position
            same = self.valid[first[entry.moves]].who if first[entry.moves] != number else ""
            parts = "" if above is None or same else parting(entry.moves, above.entry.moves)
            rows.append(Ranked(place, entry, self.to_best(entry.score), self.to_bound(entry.score), same, parts))
        return rows

    def to_best(self, score: int) -> int | None:
        """By how much `score` is less than the best known score."""
        return None if self.best is None else self.best - score

    def to_bound(self, score: int) -> float | None:
        """By how much `score` is less than the bound."""
        return None if self.bound is None else round(self.bound - score, 3)


class Ranking:
    """Tables that grow answer by answer. Only what they show is kept of each answer."""

    def __init__(self) -> None:
        self._tables: dict[tuple[object, ...], Table] = {}
        self._known = best_known()

    def add(self, verdict: Verdict, rules: Rules) -> None:
        """Enter an answer into the table of its puzzle."""
        key = (rules.name, rules.row, rules.rack_size, *sorted(rules.values.items()), rules.bonus, len(rules.words))
        if key not in self._tables:
            known = self._known.get(rules.name, {}) if is_bundled(rules.name) else {}
            self._tables[key] = Table(printable(rules.name), known.get("score"), known.get("bound"))
        moves = tuple((len(turn.left), turn.play, turn.word) for turn in verdict.turns) if verdict.valid else ()
        entry = Entry(verdict.file, verdict.name, verdict.score, moves)
        if verdict.valid:
            self._tables[key].valid.append(entry)
        else:
            fault = next(iter(verdict.faults.independent), verdict.violations[0])
            self._tables[key].invalid.append((entry, fault))

    @property
    def tables(self) -> list[Table]:
        """The tables, sorted by the names of the puzzles, numbers in them by their size."""
        return sorted(self._tables.values(), key=lambda table: _sort_key(table.puzzle))


def _sort_key(name: str) -> list[str | int]:
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", name))]


def best_known() -> dict[str, dict[str, Any]]:
    """Return score and bound of each bundled puzzle."""
    return toml_fields(read_file(data_folder() / "best-known.toml", LARGEST_TEXT))


def parting(moves: Sequence[Move], above: Sequence[Move]) -> str:
    """Return the first turn in which two answers differ, such as "turn 8: 4 `in in` not 4 `en en`"."""
    for number, (move, other) in enumerate(zip(moves, above, strict=False), start=1):
        if move != other:
            return f"turn {number}: {_move(move)} not {_move(other)}"
    if len(moves) == len(above):
        return ""
    number = min(len(moves), len(above)) + 1
    return f"turn {number}: {_move(moves[number - 1])} more" if len(moves) > len(above) else f"ends before turn {number}"


def _move(move: Move) -> str:
    left, play, word = move
    return printable(f"`{left} {play} {word}`")


def as_text(tables: Iterable[Table]) -> str:
    """Return the tables for a terminal."""
    return "\n".join("".join(f"{line.rstrip()}\n" for line in _table_lines(table)) for table in tables)


def _table_lines(table: Table) -> list[str]:
    ranked = table.ranked()
    lines = [f"{table.puzzle}: {heading(table)}"]
    width = min(_LONGEST_NAME, max((len(row.entry.who) for row in ranked), default=3))
    if ranked:
        lines.append(f"place  score  turns  to best  to bound  {'who':{width}}  first difference from the row above")
    for row in ranked:
        counts = f"{row.place:5}  {row.entry.score:5}  {len(row.entry.moves):5}"
        gaps = f"{shown(row.to_best):>7}  {shown(row.to_bound):>8}"
        remark = f"the same as {row.same_as}" if row.same_as else row.parts
        lines.append(f"{counts}  {gaps}  {_cut(row.entry.who):{width}}  {remark}")
    return lines + [f"invalid: {fault_line(*row)}" for row in table.invalid]


def heading(table: Table) -> str:
    """Say how many answers a table has, and the best known score and the bound of its puzzle."""
    parts = [counted(len(table.valid), "valid answer", grouped=True)]
    if table.invalid:
        parts.append(f"{len(table.invalid):,} invalid")
    known = [] if table.best is None else [f"best known {table.best}"]
    known += [] if table.bound is None else [f"bound {shown(table.bound)}"]
    return ", ".join(parts) + ("; " if known else "") + ", ".join(known)


def fault_line(entry: Entry, fault: Violation) -> str:
    """Return an invalid answer and its first fault as a line."""
    line = f"line {fault.line}: " if fault.line else ""  # line 0 is the file as a whole
    return f"{entry.who}: {line}{fault.code}: {fault.message}"


def shown(number: float | None) -> str:
    """Return a gap as text; whole numbers without a point."""
    return "" if number is None else f"{number:g}" if number == int(number) else f"{number:.3f}"


def _cut(name: str) -> str:
    """Return the end of a long name, where files of a folder differ."""
    return name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"


def as_json(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Return the tables as plain values."""
    return [
        {
            "puzzle": table.puzzle,
            "best_known": table.best,
            "bound": table.bound,
            "answers": [row.fields() for row in table.ranked()],
            "invalid": [{"file": entry.file, "name": entry.name, "fault": vars(fault)} for entry, fault in table.invalid],
        }
        for table in tables
    ]


def as_csv(tables: Iterable[Table]) -> str:
    """Return all tables as comma-separated values, a line for each answer."""
    rows: list[dict[str, Any]] = []
    for table in tables:
        rows += [{"puzzle": table.puzzle, "valid": "yes", **row.fields()} for row in table.ranked()]
        for entry, fault in table.invalid:
            place = {"line": fault.line, "code": fault.code, "fault": fault.message}
            rows.append({"puzzle": table.puzzle, "valid": "no", "file": entry.file, "name": entry.name, **place})
    cells = ([row.get(column) for column in CSV_COLUMNS] for row in rows)
    return csv_text([CSV_COLUMNS, *([shown(value) if isinstance(value, float) else value for value in row] for row in cells)])
