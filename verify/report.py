"""Answers by score, and tables of results as text for a terminal, comma-separated values, and a page for a browser."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from verify.core import Fault
from verify.explain import Verdict
from verify.files import LARGEST_TEXT, data_folder, read_file, toml_fields
from verify.rules import is_bundled
from verify.text import counted, csv_text, printable

_LONGEST_NAME = 40  # characters of a name in a table for the terminal
CSV_COLUMNS = (
    "puzzle", "place", "valid", "score", "turns", "to_best", "to_bound", "file", "name", "parts", "same_as",
    "line", "code", "fault",
)  # fmt: skip
_DIFFERENCE = "first difference from the row above"
_COLUMNS = ("place", "score", "turns", "to best", "to bound", "who", _DIFFERENCE)
_NAMES = {"who", "player"}  # columns of names
_PAGE = Path(__file__).with_name("page.html")

Move = tuple[int, str, str]
"""Left draws, play and word of a turn."""


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
    """An answer in a table. moves: empty where it is invalid."""

    file: str
    name: str
    score: int
    moves: tuple[Move, ...]

    @property
    def who(self) -> str:
        """File and heading."""
        return _who(self.file, self.name)


@dataclass
class Table:
    """The answers to a puzzle, the invalid ones with their first fault. best, bound: None where they are not known."""

    puzzle: str
    best: int | None = None
    bound: int | None = None
    valid: list[Entry] = field(default_factory=list)
    invalid: list[tuple[Entry, Fault]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """Return the valid answers as JSON and CSV name their values, the best first.

        Equal scores share a place. same_as: the first answer with the same turns. parts: how an answer differs from the one
        above it, at the first turn that does.
        """
        first: dict[tuple[Move, ...], int] = {}
        for number, entry in enumerate(self.valid):
            first.setdefault(entry.moves, number)
        order = sorted(
            range(len(self.valid)),
            key=lambda n: (-self.valid[n].score, first[self.valid[n].moves], n),
        )
        rows: list[dict[str, Any]] = []
        above = None
        for position, number in enumerate(order, start=1):
            entry = self.valid[number]
            original = self.valid[first[entry.moves]]
            row = {
                "place": position,
                "file": entry.file,
                "name": entry.name,
                "score": entry.score,
                "turns": len(entry.moves),
            }
            row |= {
                "to_best": _below(self.best, entry.score),
                "to_bound": _below(self.bound, entry.score),
            }
            row |= {"same_as": original.who if original is not entry else None, "parts": None}
            if above is not None and above.score == entry.score:
                row["place"] = rows[-1]["place"]
            if above is not None and original is entry:
                row["parts"] = parting(entry.moves, above.moves) or None
            rows.append(row)
            above = entry
        return rows

    def sheet(self) -> Sheet:
        """Return the table for a person."""
        rows = []
        for row in self.rows():
            remark = f"the same as {row['same_as']}" if row["same_as"] else row["parts"] or ""
            cells = (row[name] for name in ("place", "score", "turns", "to_best", "to_bound"))
            numbers = ["" if cell is None else str(cell) for cell in cells]
            rows.append([*numbers, _who(row["file"], row["name"]), remark])
        others = [_fault_line(*row) for row in self.invalid]
        best = max(self.best or 0, *(entry.score for entry in self.valid), 1)
        return Sheet(self.puzzle, self._heading(), _COLUMNS, rows, others, "invalid", best)

    def _heading(self) -> str:
        parts = [counted(len(self.valid), "valid answer", grouped=True)]
        if self.invalid:
            parts.append(f"{len(self.invalid):,} invalid")
        known = [] if self.best is None else [f"best known {self.best}"]
        known += [] if self.bound is None else [f"bound {self.bound}"]
        return ", ".join(parts) + ("; " if known else "") + ", ".join(known)


class Ranking:
    """Tables that grow answer by answer. Only what they show is kept of each answer."""

    def __init__(self) -> None:
        self._tables: dict[tuple[object, ...], Table] = {}
        self._known = best_known()

    def add(self, verdict: Verdict) -> None:
        """Enter an answer into the table of its puzzle."""
        rules = verdict.rules
        key = (
            rules.name,
            rules.row,
            rules.rack_size,
            *sorted(rules.values.items()),
            rules.bonus,
            len(rules.words),
        )
        if key not in self._tables:
            known = self._known.get(rules.name, {}) if is_bundled(rules.name) else {}
            self._tables[key] = Table(printable(rules.name), known.get("score"), known.get("bound"))
        moves = (
            tuple((len(turn.left), turn.play, turn.word) for turn in verdict.turns)
            if verdict.valid
            else ()
        )
        entry = Entry(verdict.file, verdict.name, verdict.score, moves)
        if verdict.valid:
            self._tables[key].valid.append(entry)
        else:
            self._tables[key].invalid.append((entry, verdict.violations[0]))

    @property
    def tables(self) -> list[Table]:
        """The tables, sorted by the names of the puzzles, numbers in them by their size."""
        return sorted(self._tables.values(), key=lambda table: _sort_key(table.puzzle))


def _sort_key(name: str) -> list[str | int]:
    return [
        int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", name))
    ]


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
    return (
        f"turn {number}: {_move(moves[number - 1])} more"
        if len(moves) > len(above)
        else f"ends before turn {number}"
    )


def _who(file: str, name: str) -> str:
    """Return a file and a heading in it, with escapes for characters that a terminal cannot show."""
    return printable(f"{file}: {name}" if name else file)


def _move(move: Move) -> str:
    left, play, word = move
    return printable(f"`{left} {play} {word}`")


def _fault_line(entry: Entry, fault: Fault) -> str:
    """Return an invalid answer and its first fault as a line."""
    line = f"line {fault.line}: " if fault.line else ""  # line 0 is the file as a whole
    return f"{entry.who}: {line}{fault.code}: {fault.message}"


def _below(known: int | None, score: int) -> int | None:
    """Return by how much a score is less than a known one; None without one."""
    return None if known is None else known - score


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
    for table in as_json(tables):
        rows += [
            {"puzzle": table["puzzle"], "valid": "yes", **answer} for answer in table["answers"]
        ]
        invalid = [
            {**answer, **answer["fault"], "fault": answer["fault"]["message"]}
            for answer in table["invalid"]
        ]
        rows += [{"puzzle": table["puzzle"], "valid": "no", **answer} for answer in invalid]
    return csv_text([CSV_COLUMNS, *([row.get(column) for column in CSV_COLUMNS] for row in rows)])


def as_text(sheets: Iterable[Sheet]) -> str:
    """Return tables for a terminal."""
    return "\n".join("".join(f"{line.rstrip()}\n" for line in _lines(sheet)) for sheet in sheets)


def _lines(sheet: Sheet) -> list[str]:
    names = {number for number, column in enumerate(sheet.columns) if column in _NAMES}
    texts = {
        *names,
        *(number for number, column in enumerate(sheet.columns) if column == _DIFFERENCE),
    }
    table = [list(sheet.columns)]
    table += [
        [_cut(cell) if number in names else cell for number, cell in enumerate(row)]
        for row in sheet.rows
    ]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [f"{sheet.title}: {sheet.heading}"]
    for row in table if sheet.rows else []:
        cells = enumerate(zip(row, widths, strict=True))
        lines.append(
            "  ".join(
                cell.ljust(width) if number in texts else cell.rjust(width)
                for number, (cell, width) in cells
            )
        )
    return lines + [f"{sheet.of_others}: {other}" for other in sheet.others]


def _cut(name: str) -> str:
    """Return the end of a long name, where files of a folder differ."""
    return name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"


def page(title: str, sheets: Sequence[Sheet], notes: Sequence[str] = ()) -> str:
    """Return tables as a page without references to other files, in ASCII for an output of any encoding.

    notes: Lines on files that are in no table.
    """
    rest = f"<section>{_list('Not in a table', notes, 'soft')}</section>" if notes else ""
    template = Template(_PAGE.read_text(encoding="utf-8"))
    text = template.substitute(
        title=escape(title), tables="".join(map(_section, sheets)), rest=rest
    )
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _section(sheet: Sheet) -> str:
    head = "".join(f'<th data-name="{column}">{column}</th>' for column in sheet.columns)
    rows = ""
    for row in sheet.rows:
        cells = zip(sheet.columns, row, strict=True)
        rows += (
            "<tr>" + "".join(_cell(column, cell, sheet.best) for column, cell in cells) + "</tr>\n"
        )
    table = (
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>" if rows else ""
    )
    others = _list(sheet.of_others.capitalize(), sheet.others, "bad") if sheet.others else ""
    heading = f'<h2>{escape(sheet.title)}</h2>\n<p class="soft">{escape(sheet.heading)}</p>'
    return f"<section>\n{heading}\n{table}{others}\n</section>\n"


def _cell(column: str, cell: str, best: int) -> str:
    text = escape(cell)
    if column == "score":
        share = 100 * int(cell) / best
        text = f'{text} points<span aria-hidden="true"><i style="width: {share:.1f}%"></i></span>'
    elif column == _DIFFERENCE:
        text = re.sub("`([^`]*)`", r"<code>\1</code>", text)
    return f'<td data-name="{column}">{text}</td>'  # which the style uses, and narrow screens show: they have no head


def _list(title: str, lines: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<h2 class="{kind}">{title}</h2><ul class="{kind}">{items}</ul>'
