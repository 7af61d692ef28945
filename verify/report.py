"""Answers by score, and tables of results as text, comma-separated values, and a page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import repeat, zip_longest
from pathlib import Path
from string import Template
from typing import Any

from verify.core import Fault
from verify.explain import Verdict
from verify.files import best_known
from verify.text import counted, csv_text, printable

_LONGEST_NAME = 40  # characters of a name in a table for the terminal
_CSV_COLUMNS = (
    *("puzzle", "place", "valid", "score", "turns", "to_best", "to_bound", "file", "name"),
    *("parts", "same_as", "line", "code", "fault"),
)
_DIFFERENCE = "first difference from the row above"
_COLUMNS = ("place", "score", "turns", "to best", "to bound", "who", _DIFFERENCE)
_NAMES = {"who", "player"}  # columns of names
_TEXTS = {*_NAMES, _DIFFERENCE}
_PAGE = Path(__file__).with_name("page.html")


@dataclass(frozen=True)
class Sheet:
    """A table as a person reads it.

    Attributes:
        title: What it is about.
        heading: How many rows it has, and the like.
        columns: The names of the columns.
        rows: The cells of each row.
        others: What is in no row, a line each.
        of_others: What these lines are called.
        best: The score of a full bar in a page; 0 for no bars.
    """

    title: str
    heading: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    others: Sequence[str]
    of_others: str
    best: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer in a table. moves: its turns, such as `4 in in`; empty where it is invalid."""

    file: str
    name: str
    score: int
    moves: tuple[str, ...]

    @property
    def who(self) -> str:
        """File and heading."""
        return _who(self.file, self.name)


@dataclass
class Table:
    """The answers to a puzzle, the invalid ones with their first fault.

    best, bound: Those of a bundled puzzle, else None.
    """

    puzzle: str
    best: int | None
    bound: int | None
    valid: list[Entry] = field(default_factory=list)
    invalid: list[tuple[Entry, Fault]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """Return the valid answers as JSON and CSV name their values, the best first.

        Equal scores share a place. same_as: the first answer with the same turns. parts: how an
        answer differs from the one above it, at the first turn that does.
        """
        first: dict[tuple[str, ...], tuple[int, Entry]] = {}
        for position, answer in enumerate(self.valid):
            first.setdefault(answer.moves, (position, answer))
        answers = sorted(self.valid, key=lambda one: (-one.score, first[one.moves][0]))
        places: dict[int, int] = {}
        rows = []
        above = None
        for number, entry in enumerate(answers, start=1):
            _position, original = first[entry.moves]
            row = {
                "place": places.setdefault(entry.score, number),
                "file": entry.file,
                "name": entry.name,
                "score": entry.score,
                "turns": len(entry.moves),
                "to_best": _below(self.best, entry.score),
                "to_bound": _below(self.bound, entry.score),
                "same_as": None,
                "parts": None,
            }
            if original is not entry:
                row["same_as"] = original.who
            elif above is not None:
                row["parts"] = parting(entry.moves, above.moves)
            rows.append(row)
            above = entry
        return rows

    def sheet(self) -> Sheet:
        """Return the table for a person."""
        rows = []
        for row in self.rows():
            cells = [row[name] for name in ("place", "score", "turns", "to_best", "to_bound")]
            remark = row["parts"]
            if row["same_as"]:
                remark = f"the same as {row['same_as']}"
            cells += [_who(row["file"], row["name"]), remark]
            rows.append(["" if cell is None else str(cell) for cell in cells])
        return Sheet(
            title=self.puzzle,
            heading=self._heading(),
            columns=_COLUMNS,
            rows=rows,
            others=[_fault_line(entry, fault) for entry, fault in self.invalid],
            of_others="invalid",
            best=max(self.best or 0, *(entry.score for entry in self.valid), 1),
        )

    def _heading(self) -> str:
        heading = counted(len(self.valid), "valid answer", grouped=True)
        if self.invalid:
            heading += f", {len(self.invalid):,} invalid"
        if self.best is not None:
            heading += f"; best known {self.best}, bound {self.bound}"
        return heading


class Ranking:
    """Tables that grow answer by answer. Only what they show is kept of each answer."""

    def __init__(self) -> None:
        self._tables: dict[object, Table] = {}
        self._known = best_known()

    def add(self, verdict: Verdict) -> None:
        """Enter an answer into the table of its puzzle."""
        rules = verdict.rules
        key = (rules.name, rules.digest)
        if key not in self._tables:
            known = self._known.get(rules.name, {})
            self._tables[key] = Table(printable(rules.name), known.get("score"), known.get("bound"))
        table = self._tables[key]
        if not verdict.valid:
            entry = Entry(verdict.file, verdict.name, verdict.score, moves=())
            table.invalid.append((entry, verdict.violations[0]))
            return
        moves = tuple(f"{len(turn.left)} {turn.play} {turn.word}" for turn in verdict.turns)
        table.valid.append(Entry(verdict.file, verdict.name, verdict.score, moves))

    @property
    def tables(self) -> list[Table]:
        """The tables, sorted by the names of the puzzles, numbers in them by their size."""
        return sorted(self._tables.values(), key=lambda table: _sort_key(table.puzzle))


def _sort_key(name: str) -> list[str | int]:
    parts: list[str | int] = [*re.split("([0-9]+)", name)]
    parts[1::2] = map(int, parts[1::2])
    return parts


def parting(moves: Sequence[str], above: Sequence[str]) -> str:
    """Return the first turn that differs, such as "turn 8: 4 `in in` not 4 `en en`"."""
    for number, (move, other) in enumerate(zip_longest(moves, above), start=1):
        if move is None:
            return f"ends before turn {number}"
        if other is None:
            return f"turn {number}: `{move}` more"
        if move != other:
            return f"turn {number}: `{move}` not `{other}`"
    return ""


def _who(file: str, name: str) -> str:
    """Return a file and a heading in it, with escapes for what a terminal cannot show."""
    return printable(f"{file}: {name}" if name else file)


def _fault_line(entry: Entry, fault: Fault) -> str:
    """Return an invalid answer and its first fault as a line."""
    line = f"line {fault.line}: " if fault.line else ""  # line 0 is the file as a whole
    return f"{entry.who}: {line}{fault.code}: {fault.message}"


def _below(known: int | None, score: int) -> int | None:
    """Return by how much a score is less than a known one; None without one."""
    if known is None:
        return None
    return known - score


def as_json(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Return the tables as plain values."""
    return [
        {
            "puzzle": table.puzzle,
            "best_known": table.best,
            "bound": table.bound,
            "answers": table.rows(),
            "invalid": [
                {"file": entry.file, "name": entry.name, "fault": vars(fault)}
                for entry, fault in table.invalid
            ],
        }
        for table in tables
    ]


def as_csv(tables: Iterable[Table]) -> str:
    """Return all tables as comma-separated values, a line for each answer."""
    rows: list[dict[str, Any]] = []
    for table in tables:
        rows += [row | {"puzzle": table.puzzle, "valid": "yes"} for row in table.rows()]
        for entry, fault in table.invalid:
            row = {"puzzle": table.puzzle, "valid": "no", "file": entry.file, "name": entry.name}
            rows.append(row | vars(fault) | {"fault": fault.message})
    return csv_text([_CSV_COLUMNS, *(map(row.get, _CSV_COLUMNS) for row in rows)])


def as_text(sheets: Iterable[Sheet]) -> str:
    """Return tables for a terminal."""
    return "\n".join(line.rstrip() for sheet in sheets for line in (*_lines(sheet), ""))


def _lines(sheet: Sheet) -> list[str]:
    columns = []
    for name, *cells in zip(sheet.columns, *sheet.rows, strict=True):
        align = str.ljust if name in _TEXTS else str.rjust
        if name in _NAMES:
            cells = [_cut(cell) for cell in cells]
        width = max(map(len, [name, *cells]))
        columns.append([align(cell, width) for cell in (name, *cells)])
    lines = [f"{sheet.title}: {sheet.heading}"]
    if sheet.rows:
        lines += map("  ".join, zip(*columns, strict=True))
    return lines + [f"{sheet.of_others}: {other}" for other in sheet.others]


def _cut(name: str) -> str:
    """Return the end of a long name, where files of a folder differ."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"...{name[3 - _LONGEST_NAME :]}"


def page(title: str, sheets: Iterable[Sheet], notes: Sequence[str] = ()) -> str:
    """Return tables as a page without references to other files, in ASCII for any encoding.

    notes: Lines on files that are in no table.
    """
    rest = f"<section>{_list('Not in a table', notes, 'soft')}</section>" if notes else ""
    template = Template(_PAGE.read_text(encoding="utf-8"))
    tables = "".join(map(_section, sheets))
    text = template.substitute(title=escape(title), tables=tables, rest=rest)
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _section(sheet: Sheet) -> str:
    parts = [
        f'<section>\n<h2>{escape(sheet.title)}</h2>\n<p class="soft">{escape(sheet.heading)}</p>\n'
    ]
    if sheet.rows:
        head = "".join(f'<th data-name="{column}">{column}</th>' for column in sheet.columns)
        parts.append(f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n")
        for row in sheet.rows:
            cells = map(_cell, sheet.columns, row, repeat(sheet.best))
            parts += ["<tr>", *cells, "</tr>\n"]
        parts.append("</tbody></table>")
    if sheet.others:
        parts.append(_list(sheet.of_others.capitalize(), sheet.others, "bad"))
    return "".join([*parts, "\n</section>\n"])


def _cell(column: str, cell: str, best: int) -> str:
    text = escape(cell)
    if column == "score":
        share = 100 * int(cell) / best
        text = f'{text} points<span aria-hidden="true"><i style="width: {share:.1f}%"></i></span>'
    elif column == _DIFFERENCE:
        text = re.sub("`([^`]*)`", r"<code>\1</code>", text)
    # the style uses the name, and narrow screens, which have no head, show it
    return f'<td data-name="{column}">{text}</td>'


def _list(title: str, lines: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<h2 class="{kind}">{title}</h2><ul class="{kind}">{items}</ul>'
