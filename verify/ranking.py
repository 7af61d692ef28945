"""Answers by score: a table for each puzzle, with what is known of it and where two answers part."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.datafiles import data_folder
from verify.reading import LARGEST_TEXT, read_file, toml_fields
from verify.replay.rules import Rules, is_bundled
from verify.replay.verdict import Verdict, Violation
from verify.text import counted, printable

_LONGEST_NAME = 40  # characters of a name in a table for the terminal
_SIGNS = ("=", "+", "-", "@")  # with which a cell begins that a spreadsheet computes
CSV_COLUMNS = (
    "puzzle", "place", "valid", "score", "turns", "to_best", "to_bound", "file", "name", "parts", "same_as",
    "line", "code", "fault",
)  # fmt: skip

Move = tuple[int, str, str]
"""Left draws, play and word of a turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer in a table. fault: the first one of an answer that is invalid."""

    file: str
    name: str
    score: int
    moves: tuple[Move, ...]
    fault: Violation | None

    @property
    def who(self) -> str:
        """File and heading, fit to be shown."""
        return printable(f"{self.file}: {self.name}" if self.name else self.file)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A valid answer with its place.

    same_as: the first answer with the same turns.
    parts: how it differs from the answer above it, at the first turn that does; empty for the first answer.
    """

    place: int
    entry: Entry
    same_as: str
    parts: str


@dataclass
class Table:
    """The answers to a puzzle. best, bound: the best score known and what no game exceeds; None where nothing is known."""

    puzzle: str
    best: int | None = None
    bound: float | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def invalid(self) -> list[Entry]:
        """The answers with faults, in the order in which they came."""
        return [entry for entry in self.entries if entry.fault is not None]

    def ranked(self) -> list[Ranked]:
        """The valid answers, the best first; equal scores share a place, and answers that are alike stand together."""
        valid = [entry for entry in self.entries if entry.fault is None]
        first: dict[tuple[Move, ...], int] = {}
        for number, entry in enumerate(valid):
            first.setdefault(entry.moves, number)
        order = sorted(range(len(valid)), key=lambda number: (-valid[number].score, first[valid[number].moves], number))
        found: list[Ranked] = []
        for position, number in enumerate(order, start=1):
            entry, above = valid[number], found[-1] if found else None
            place = above.place if above is not None and above.entry.score == entry.score else position
            original = first[entry.moves]
            same = valid[original].who if original != number else ""
            found.append(Ranked(place, entry, same, "" if above is None or same else parting(entry.moves, above.entry.moves)))
        return found

    def to_best(self, score: int) -> int | None:
        """By how much `score` is less than the best score known."""
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
        """Enter an answer."""
        key = (rules.name, rules.row, rules.rack_size, *sorted(rules.values.items()), rules.bonus, len(rules.words))
        if key not in self._tables:
            known = self._known.get(rules.name, {}) if is_bundled(rules.name) else {}
            self._tables[key] = Table(printable(rules.name), known.get("score"), known.get("bound"))
        moves = tuple((len(turn.left), turn.play, turn.word) for turn in verdict.turns) if verdict.valid else ()
        fault = None if verdict.valid else next(iter(verdict.faults.independent), verdict.violations[0])
        self._tables[key].entries.append(Entry(verdict.file, verdict.name, verdict.score, moves, fault))

    @property
    def tables(self) -> list[Table]:
        """By the names of the puzzles, numbers in them by their size."""
        return sorted(self._tables.values(), key=lambda table: _parts(table.puzzle))


def _parts(name: str) -> list[str | int]:
    """A name cut into texts and numbers, always in turns, so that two names can be compared."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", name))]


def best_known() -> dict[str, dict[str, Any]]:
    """Score and bound of each bundled puzzle."""
    return toml_fields(read_file(data_folder() / "best-known.toml", LARGEST_TEXT))


def parting(moves: Sequence[Move], above: Sequence[Move]) -> str:
    """The first turn in which two lines of play differ, such as "turn 8: 4 `in in` not 4 `en en`"."""
    for number, (own, other) in enumerate(zip(moves, above, strict=False), start=1):
        if own != other:
            return f"turn {number}: {_move(own)} not {_move(other)}"
    if len(moves) == len(above):
        return ""
    number = min(len(moves), len(above)) + 1
    return f"turn {number}: {_move(moves[number - 1])} more" if len(moves) > len(above) else f"ends before turn {number}"


def _move(move: Move) -> str:
    left, play, word = move
    return printable(f"`{left} {play} {word}`")


def as_text(tables: Iterable[Table]) -> str:
    """The tables for a terminal."""
    return "\n".join("".join(f"{line.rstrip()}\n" for line in _table_lines(table)) for table in tables)


def _table_lines(table: Table) -> list[str]:
    ranked, invalid = table.ranked(), table.invalid
    lines = [f"{table.puzzle}: {heading(table, len(ranked))}"]
    width = min(_LONGEST_NAME, max((len(row.entry.who) for row in ranked), default=3))
    if ranked:
        lines.append(f"place  score  turns  to best  to bound  {'who':{width}}  where it parts from the one above")
    for row in ranked:
        score, turns = row.entry.score, len(row.entry.moves)
        gaps = f"{shown(table.to_best(score)):>7}  {shown(table.to_bound(score)):>8}"
        told = f"the same as {row.same_as}" if row.same_as else row.parts
        lines.append(f"{row.place:5}  {score:5}  {turns:5}  {gaps}  {_cut(row.entry.who):{width}}  {told}")
    return lines + [f"invalid: {told_fault(entry)}" for entry in invalid]


def heading(table: Table, valid: int) -> str:
    """How many answers a table has, and what is known of its puzzle."""
    parts = [counted(valid, "valid answer", grouped=True)]
    if table.invalid:
        parts.append(f"{len(table.invalid):,} invalid")
    known = [] if table.best is None else [f"best known {table.best}"]
    known += [] if table.bound is None else [f"bound {shown(table.bound)}"]
    return ", ".join(parts) + ("; " if known else "") + ", ".join(known)


def told_fault(entry: Entry) -> str:
    """An invalid answer and its first fault."""
    fault = entry.fault
    if fault is None:
        return entry.who
    line = f"line {fault.line}: " if fault.line else ""  # line 0 is the file as a whole
    return f"{entry.who}: {line}{fault.code}: {fault.message}"


def shown(number: float | None) -> str:
    """A gap; whole numbers without a point."""
    return "" if number is None else f"{number:g}" if number == int(number) else f"{number:.3f}"


def _cut(name: str) -> str:
    """The end of a long name, which tells files of a folder apart."""
    return name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"


def as_json(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """The tables as plain values."""
    return [
        {
            "puzzle": table.puzzle,
            "best_known": table.best,
            "bound": table.bound,
            "answers": [
                {
                    "place": row.place,
                    "file": row.entry.file,
                    "name": row.entry.name,
                    "score": row.entry.score,
                    "turns": len(row.entry.moves),
                    "to_best": table.to_best(row.entry.score),
                    "to_bound": table.to_bound(row.entry.score),
                    "same_as": row.same_as or None,
                    "parts": row.parts or None,
                }
                for row in table.ranked()
            ],
            "invalid": [
                {"file": entry.file, "name": entry.name, "fault": None if entry.fault is None else vars(entry.fault)}
                for entry in table.invalid
            ],
        }
        for table in tables
    ]


def as_csv(tables: Iterable[Table]) -> str:
    """The tables as one of comma-separated values, a line for each answer."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for table in tables:
        for row in table.ranked():
            score = row.entry.score
            gaps = [shown(table.to_best(score)), shown(table.to_bound(score))]
            names = [_cell(row.entry.file), _cell(row.entry.name), row.parts, _cell(row.same_as)]
            writer.writerow([_cell(table.puzzle), row.place, "yes", score, len(row.entry.moves), *gaps, *names, "", "", ""])
        for entry in table.invalid:
            fault = ("", "", "") if entry.fault is None else (entry.fault.line, entry.fault.code, _cell(entry.fault.message))
            writer.writerow(
                [_cell(table.puzzle), "", "no", "", "", "", "", _cell(entry.file), _cell(entry.name), "", "", *fault]
            )
    return target.getvalue()


def _cell(text: str) -> str:
    """A text that a terminal shows, and that a spreadsheet takes for a text."""
    text = printable(text)
    return f"'{text}" if text.startswith(_SIGNS) else text
