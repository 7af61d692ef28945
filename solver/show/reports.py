"""Recognises the reports that rowdraw writes, so that a new one replaces nothing else."""

import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from typing import Any

from solver.show.steps import Game
from verify.reading import json_value
from verify.replay.parse import NO_RULES, comment_of

_MOST_VALUES = 1_000_000  # objects and lists of a report
_TURN = r"\d+ \S+ \S+"
_FAULT_OR_EMPTY = r"|  .*"
_POINTS = r"[\d,]+ points?"
_HEADING = rf"{_POINTS} in [\d,]+ turns? on .*"
_TABLE = r"\| turn \| play \| word \| sum \| score \| total \||\| ---: \| --- .*|\| \d+ \| `.*\||- line \d+: .*"
_GAME = r'<(metadata|script type="text/plain") class="rowdraw-(?:game|scrabble)">\n([^<]*)</'
_IN_PAGE = re.compile(_GAME.encode())
_SHOWN = frozenset({"file", "puzzle", "row", "score", "valid", "rules", "turns", "violations"})
_ANALYSED = frozenset({"puzzle", "first_turn", "reachable", "best", "turns"})

# for each form of lines: the patterns of the first line, of the middle ones, and of the last
_LINES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "text": (
        (r".+ on .+", _FAULT_OR_EMPTY + r"| *\d+  row .*", rf"{_POINTS} in [\d,]+ turns?, .+"),
        (r" {6}.*   lead", rf"  .*| *\d+  .*|.+: {_POINTS} on .+", rf".+: {_POINTS} on .+|  .*"),
        (r"turn  played +score  total  reachable  lost  better", r"| *\d+  .*|  .*", rf".+: {_POINTS}.*|.+: \d+ points; .*"),
        (r".+\.gcg: .*", r".*", r".+\.gcg: .*"),
    ),
    "csv": ((r"game,turn,left,right,rack,play,word,sum,score,total", r"\d+,\d+,\d+,\d+,.*,\d+,\d+", r"\d+,\d+,.*,\d+"),),
    "markdown": ((rf"## {_HEADING}", rf"|## {_HEADING}|```|```text|#.*|{_TURN}|{_TABLE}", _TABLE),),
    "reddit": ((rf"\*\*{_HEADING}\*\*", rf"|\*\*{_HEADING}\*\*|    (?:#.*|{_TURN})|{_TABLE}", _TABLE),),
}


def is_report(content: bytes, form: str) -> bool:
    """Return whether a file holds what `show` or `analyse` writes in a form, and nothing else."""
    if form in ("svg", "html"):
        return _IN_PAGE.search(content) is not None
    try:
        if form == "json":
            return _is_json(json_value(content, _MOST_VALUES))
        lines = content.decode().splitlines()
    except ValueError:
        return False
    while form == "csv" and lines and lines[0].startswith("#") and comment_of(lines[0]) not in NO_RULES:
        del lines[0]
    return bool(lines) and any(_have_form(lines, patterns) for patterns in _LINES[form])


def with_game(games: Iterable[Game]) -> str:
    """Return games as answers, escaped, in the form in which `games_within` finds them in pictures and pages."""
    return "\n".join(escape(game.comments + "".join(f"{turn.line_text}\n" for turn in game.turns)) for game in games)


def games_within(content: bytes) -> list[bytes]:
    """Return the games in a picture or a page that rowdraw wrote, each as lines of an answer."""
    match = _IN_PAGE.search(content)
    return [] if match is None else unescape(match[2].decode("utf-8", "replace")).encode().split(b"\n\n")


def _have_form(lines: list[str], patterns: tuple[str, str, str]) -> bool:
    first, between, last = (re.compile(pattern).fullmatch for pattern in patterns)
    return bool(first(lines[0]) and all(map(between, lines[1:-1])) and (len(lines) == 1 or last(lines[-1])))


def _is_json(value: Any) -> bool:
    games = value if isinstance(value, list) else [value]
    keys = _SHOWN if isinstance(value, list) else _ANALYSED
    # reports of earlier versions state no rules
    return bool(games) and all(isinstance(game, dict) and game.keys() - {"rules"} == keys - {"rules"} for game in games)
