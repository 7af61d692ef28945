"""The leaderboard as a page for a browser: one file without references to others."""

import errno
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from verify.ranking import Ranked, Table, fault_line, heading, shown
from verify.reading import is_input
from verify.scrabble.standings import CSV_COLUMNS, Standings, heading_of, rows_of
from verify.text import counted, printable
from verify.writing import replacing

_TEMPLATE = Path(__file__).with_name("page.html")
_TABLE = Template("""\
<section>
<h2>$puzzle</h2>
<p class="soft">$heading</p>
$ranked$invalid
</section>
""")
_HEAD = (
    "<table><thead><tr><th>place</th><th>score</th><th>turns</th><th>to best</th><th>to bound</th>"
    '<th class="text">who</th><th class="text">first difference from the row above</th></tr></thead>\n<tbody>\n'
)


def page(tables: Sequence[Table], notes: Sequence[str] = (), standings: Standings | None = None) -> str:
    """Return the page. notes: lines on files that are in no table. standings: None without games."""
    count = sum(len(table.valid) + len(table.invalid) for table in tables)
    title = f"{counted(count, 'answer', grouped=True)} ranked"
    if standings is not None:
        title = f"{title}, {heading_of(standings)}" if count else heading_of(standings)
    rest = _list("Not in a table", notes, "soft") if notes else ""
    template = Template(_TEMPLATE.read_text(encoding="utf-8"))
    rest = f"<section>{rest}</section>" if rest else ""
    tournament = _tournament(standings) if standings is not None else ""
    return template.substitute(title=escape(title), tables=tournament + "".join(map(_section, tables)), rest=rest)


def write_page(path: Path, text: str) -> None:
    """Put `text` at `path` in one step, so that an old page stays where the new one cannot be written.

    A pipe or a device gets the text directly. Raises `OSError`, also where another file than such a page would be lost.
    """
    path = path.resolve()
    if is_input(path):
        raise OSError(errno.EEXIST, "it is one of the files to be judged: expected another name", str(path))
    if path.is_file() and not _holds_page(path):
        raise OSError(errno.EEXIST, "it holds something else than a ranking: expected another name", str(path))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return
    with replacing(path) as file:
        file.write(text.encode(errors="backslashreplace"))


def _holds_page(path: Path) -> bool:
    """Whether a file is empty, or begins as all pages of `page` do."""
    head = _TEMPLATE.read_bytes().partition(b"$")[0]
    with path.open("rb") as file:
        return file.read(len(head)) in (b"", head)


def _tournament(standings: Standings) -> str:
    head = "".join(f'<th class="text">{name}</th>' if name == "player" else f"<th>{name}</th>" for name in CSV_COLUMNS)
    rows = ""
    for row in rows_of(standings):
        cells = zip(CSV_COLUMNS, row, strict=True)
        kinds = {"player": "text who", "won": "score"}
        rows += "<tr>" + "".join(_cell(kinds.get(name, ""), name, escape(cell)) for name, cell in cells) + "</tr>\n"
    return _TABLE.substitute(
        puzzle="Tournament",
        heading=escape(heading_of(standings)),
        ranked=f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>" if rows else "",
        invalid=_list("Not counted", [printable(other) for other in standings.others], "bad") if standings.others else "",
    )


def _section(table: Table) -> str:
    ranked = table.ranked()
    rows = "".join(_row(row, max(1, ranked[0].entry.score, table.best or 0)) for row in ranked)
    invalid = [fault_line(*row) for row in table.invalid]
    return _TABLE.substitute(
        puzzle=escape(table.puzzle),
        heading=escape(heading(table)),
        ranked=f"{_HEAD}{rows}</tbody></table>" if ranked else "",
        invalid=_list("Invalid", invalid, "bad") if invalid else "",
    )


def _row(row: Ranked, most: int) -> str:
    score = row.entry.score
    share = 100 * score / most
    remark = f"the same as {escape(row.same_as)}" if row.same_as else _code(row.parts)
    cells = (
        ("", "place", str(row.place)),
        ("score", "", f'{score} points<span aria-hidden="true"><i style="width: {min(100.0, share):.1f}%"></i></span>'),
        ("", "turns", str(len(row.entry.moves))),
        ("", "to best", shown(row.to_best)),
        ("", "to bound", shown(row.to_bound)),
        ("text who", "", escape(row.entry.who)),
        ("text", "", remark),
    )
    return "<tr>" + "".join(_cell(*cell) for cell in cells) + "</tr>\n"


def _cell(kind: str, name: str, content: str) -> str:
    named = f' data-name="{name}"' if name else ""
    return f'<td class="{kind}"{named}>{content}</td>' if kind else f"<td{named}>{content}</td>"


def _code(text: str) -> str:
    """A text with turns between backticks, as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _list(title: str, lines: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<h2 class="{kind}">{title}</h2><ul class="{kind}">{items}</ul>'
