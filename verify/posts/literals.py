"""Turns in a post that are data of a program: `(6, "asp", "asp")`, `{"left": 6, ...}`, or `"6 asp asp"` in a list.

Each becomes a separate line, with the number of the line where it begins. Name, score and puzzle of an answer become the lines
that state them in a post.
"""

import re
from collections.abc import Iterator
from itertools import islice
from json import JSONDecoder
from typing import Any

from verify.posts.columns import LEFT, PLAY, SCORE, WORD
from verify.posts.lines import fits
from verify.replay.parse import MOST_NESTING

_NAMED = r"""(?:["']?[A-Za-z_]\w{0,12}["']?\s*[:=]\s*)?"""
_COLUMNS = (LEFT, PLAY, WORD, SCORE)
_COUNT = r"""[^\s,;"'()\[\]{}]{1,9999}"""  # any token; errors in it are reported later
_PAIR = r"""["']?[A-Za-z_]\w{0,12}["']?\s*[:=]\s*(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|[^\s,;"'()\[\]{}]{1,9999})"""
_TURN = re.compile(
    rf"""
    (?:(?<![\w.])[A-Za-z_][\w.]{{0,40}})?[\[({{]\s*                                 # a list, a tuple, a call, a structure
        {_NAMED}(?P<q>["']?)(?P<left>{_COUNT})(?P=q)\s*[,;]\s*
        {_NAMED}(?P<quote>["'`]?)(?P<play>[A-Za-z?_*.#@%-]{{1,40}})(?P=quote)\s*[,;]\s*
        {_NAMED}(?P=quote)(?P<word>[A-Za-z]{{1,40}})(?P=quote)\s*
        (?P<trail>(?:,\s*{_NAMED}\d{{1,6}}\s*){{0,2}}),?\s*[\])}}]
    | \{{\s*(?P<pairs>{_PAIR}(?:\s*,\s*{_PAIR}){{2,7}})\s*
        (?:,\s*["']?points["']?\s*:\s*\[[^\[\]]{{0,600}}\]\s*)?(?:,\s*["']bonus["']\s*:\s*\d{{1,6}}\s*)?,?\s*\}}
    | (?P<mark>["'])(?P<line>\d{{1,9}}\s[A-Za-z?_*]{{1,40}}\s[A-Za-z]{{1,40}})(?P=mark)
    """,
    re.VERBOSE,
)
_MAY_HOLD = re.compile(
    rf"""[\[({{]\s*{_NAMED}["']?{_COUNT}["']?\s*[,;]|[\[({{,]\s*["']\d{{1,9}}\s[A-Za-z?_]|\{{\s*["']?\w{{1,12}}["']?\s*:"""
)
_FIELD = re.compile(r"""["']?([A-Za-z_]\w{0,12})["']?\s*[:=]\s*["']?([^"',\s}]{0,9999})""")
_SAID = re.compile(r"""["'](\w[\w ./-]{0,40})["']\s*:\s*(?:["']([^"'\n]{1,200})["']|([^\s,"'\[\]{}]+)|(?=\[))""")
_RULES = re.compile(r"""["']rules["']\s*:\s*(?=\{)""")
_TURNS_LIST = re.compile(r'"turns"\s*:\s*(?=\[)')
_FIELD_BEHIND = re.compile(r'\s*,\s*"(\w{1,40})"\s*:\s*')
_MOST_RULES = 1_000  # objects that are read; the rules of further ones are passed over
_QUOTES = re.compile(r"^[ \t]*>[ \t>]*", re.MULTILINE)
_SIGNS = re.compile(r"""[\s,;\[\](){}>]*""")
_OTHER = re.compile(r"""\s*[\[({]\s*["'\d][^\n]{0,80}[\])}]\s*[,;]?\s*""")  # an element of a list with turns that is no turn
_FIELDS = re.compile(r"""["'](?:left|draws|play|tiles|laid|word)["']\s*:""", re.IGNORECASE)  # of an unreadable turn
_NEXT = re.compile(r"[\])}][^\"'\w]*[\[({]")  # one list ends and another one begins
_NAMES = frozenset({"name", "author", "user", "player", "by", "who"})
_TOTALS = frozenset({"score", "total", "points"})
_LISTS = frozenset({"turns", "plays", "moves", "game", "games", "answers"})  # names of lists that are no names of players
_LONGEST = 20_000  # characters of a part that is searched for such names

Numbered = list[tuple[int, str]]
"""Lines with their numbers."""


def written_out(lines: Numbered) -> Numbered:
    """Return the lines, with turns in data of a program written out."""
    text = "\n".join(line for _number, line in lines)
    unquoted = _unquoted(text)
    if not _MAY_HOLD.search(unquoted):
        return lines
    # objects and lists take many times the memory of their text
    is_read = unquoted.count("{") + unquoted.count("[") <= MOST_NESTING
    if is_read and _TURNS_LIST.search(unquoted):
        lines = _rules_first(lines, text, unquoted)
        text = "\n".join(line for _number, line in lines)
        unquoted = _unquoted(text)
    if is_read and _RULES.search(unquoted):
        lines = _with_rules(lines, text, unquoted)
        text = "\n".join(line for _number, line in lines)
        unquoted = _unquoted(text)
    turns = [(match, turn) for match in _TURN.finditer(unquoted) if (turn := _turn(match)) is not None]
    return list(_lines(lines, text, turns)) if turns else lines


def _unquoted(text: str) -> str:
    return _QUOTES.sub(lambda marks: " " * len(marks[0]), text) if ">" in text else text


def _rules_first(lines: Numbered, text: str, unquoted: str) -> Numbered:
    """Move the fields behind the turns of each object of JSON before them: only in a post has the order a meaning."""
    result: Numbered = []
    position = row = 0
    decoder = JSONDecoder()
    for match in islice(_TURNS_LIST.finditer(unquoted), _MOST_RULES):
        names, start = set(), match.start()
        try:
            _turns, turns_end = decoder.raw_decode(unquoted, match.end())
            end = turns_end
            while field := _FIELD_BEHIND.match(unquoted, end):
                names.add(field[1])
                _value, end = decoder.raw_decode(unquoted, field.end())
        except (ValueError, RecursionError):
            continue
        if start < position or not names & {"rules", "row", "puzzle"}:
            continue
        for part, moved in ((text[position:start], False), (text[turns_end:end], True), (text[start:turns_end], False)):
            result += [(lines[row if moved else row + place][0], line) for place, line in enumerate(part.split("\n"))]
            row += 0 if moved else part.count("\n")
        row += text.count("\n", turns_end, end)
        position = end
    return result + [(lines[row + place][0], part) for place, part in enumerate(text[position:].split("\n"))]


def _with_rules(lines: Numbered, text: str, unquoted: str) -> Numbered:
    """Replace each object of JSON `"rules": {...}` by the comments that state the same rules."""
    result: Numbered = []
    position = row = 0
    for match in islice(_RULES.finditer(unquoted), _MOST_RULES):
        try:
            rules, end = JSONDecoder().raw_decode(unquoted, match.end())
        except (ValueError, RecursionError):
            continue
        if match.start() < position:
            continue
        parts = text[position : match.start()].split("\n")
        result += [(lines[row + place][0], part) for place, part in enumerate(parts)]
        row += len(parts) - 1
        result += [(lines[row][0], comment) for comment in _comments(rules)]
        row += unquoted.count("\n", match.start(), end)
        position = end
    return result + [(lines[row + place][0], part) for place, part in enumerate(text[position:].split("\n"))]


def _comments(rules: dict[str, Any]) -> Iterator[str]:
    values = rules.get("values")
    if isinstance(values, dict):
        values = " ".join(f"{tile}={value}" for tile, value in values.items()) or "none"
    words = f"{rules['words']} {rules['words_hash']}" if rules.keys() >= {"words", "words_hash"} else None
    stated = {"row": rules.get("row"), "rack": rules.get("rack"), "values": values, "bonus": rules.get("bonus"), "words": words}
    yield from (f"# {name} {' '.join(str(value).split())}" for name, value in stated.items() if value is not None)


def _turn(match: re.Match[str]) -> str | None:
    """Return a turn as a line; None for other data, or a bracket in prose."""
    if match["line"]:
        return match["line"]
    if match["pairs"]:
        fields = {name.lower().replace("_", ""): value for name, value in _FIELD.findall(match["pairs"])}
        values = [next((fields[name] for name in fields if name in names), None) for names in _COLUMNS]
        return None if None in values[:3] else " ".join(value for value in values if value is not None)
    if not (match["quote"] and any(map(str.isdigit, match["left"]))) and not fits(match["play"], match["word"]):
        return None
    trail = re.findall(r"\d+(?=\s*(?:,|$))", match["trail"])
    return " ".join([match["left"], match["play"], match["word"], *trail])


def _lines(lines: Numbered, text: str, turns: list[tuple[re.Match[str], str]]) -> Iterator[tuple[int, str]]:
    position = row = 0
    for match, turn in turns:
        between = text[position : match.start()]
        if position and (cut := _NEXT.search(between)):
            before, between = between[: cut.end() - 1], between[cut.end() - 1 :]
            yield from _between(lines, row, before.split("\n"), after_turn=True)
            row += before.count("\n")
            yield lines[row][0], "---"
        *whole, prefix = between.split("\n")
        yield from _between(lines, row, whole, after_turn=position > 0)
        row += len(whole)
        is_quoted = set(prefix) <= set("> \t")
        if not is_quoted:
            yield from _said(lines[row][0], prefix)
        yield lines[row][0], f"{prefix if is_quoted else ''}`{turn}`"
        row += match[0].count("\n")
        position = match.end()
    yield from _between(lines, row, text[position:].split("\n"), after_turn=True)


def _between(lines: Numbered, row: int, parts: list[str], after_turn: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines between two turns. after_turn: the first part is the rest of a line with a turn."""
    for place, part in enumerate(parts):
        if place == 0 and after_turn and not part.strip():
            continue
        yield from _said(lines[row + place][0], part)


def _said(number: int, part: str) -> Iterator[tuple[int, str]]:
    """Yield what a part of a line without a turn states: nothing for signs only, and a bad turn without its signs."""
    if part.strip() and _SIGNS.fullmatch(part):
        return
    if _FIELDS.search(part) or _OTHER.fullmatch(part):
        yield number, re.sub(r"""[\[\](){},;"']""", " ", _FIELDS.sub(" ", part))
        return
    pairs = _SAID.findall(part) if len(part) < _LONGEST else []
    if not pairs:
        yield number, part
    for key, text, other in pairs:
        name = key.lower()
        if name in _TOTALS and other:
            yield number, f"# score {other}"
        elif name in ("puzzle", "row") and text:
            yield number, f"# {name} {text}"
        elif (name in _NAMES and text) or not (text or other or name in _LISTS):
            yield number, f"## {text or key}"
