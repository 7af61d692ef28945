"""Prepares text from files for comparisons and messages."""

import csv
import io
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_QUOTED = 60
_LONGEST_NAME = 60  # characters of a name that is compared with others
_FORMULA = ("=", "+", "-", "@")  # first characters of a cell that a spreadsheet computes
_AMOUNT = re.compile(
    r"[+-]?[\d.,]+(?: to [+-]?[\d.,]+)?|-"
)  # a number or an interval, which may begin with a sign
_JOINERS = "\u200c\u200d"  # join letters in some scripts, and emoji; harmless in a terminal


def lower(text: str) -> str:
    """Return `text` in lower case. Characters that would become ASCII letters, such as the Kelvin sign, stay as they are."""
    if text.isascii():
        return text.lower()
    return "".join(
        small if small.isascii() == c.isascii() else c
        for c, small in ((c, c.lower()) for c in text)
    )


def quote(value: object) -> str:
    """Return `value` as a message quotes it: shortened, and with escapes for characters that control a terminal."""
    # escaping all of a long text would take long
    if isinstance(value, str) and len(value) > _QUOTED:
        text = repr(value[:_QUOTED])[: _QUOTED - 4]
        return f"{text}...{text[0]}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a number of thousands of digits"
    return (
        text
        if len(text) <= _QUOTED
        else f"{text[: _QUOTED - 4]}...{text[0] if text[0] in chr(34) + chr(39) else ''}"
    )


def left_out_lines(path: object, left_out: int, lines: int, number: int, line: str) -> str:
    """Return the sentence on lines of a word list that are no words; `number` and `line` are the first of them."""
    counts = f"{left_out:,} of {lines:,} lines {'is' if left_out == 1 else 'are'}"
    return f"{path}: {counts} left out: words have only the letters a to z, unlike {quote(line)} in line {number:,}"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return `, did you mean 'challenge'?` where one of `names` resembles `name`; else an empty text."""
    similar = get_close_matches(name[:_LONGEST_NAME], list(names), n=1)
    return f", did you mean {similar[0]!r}?" if similar else ""


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Return `1 turn`, `2 turns`; grouped: with commas, as in `1,000 turns`."""
    return f"{number:{',' if grouped else ''}} {noun}{'' if number == 1 else 's'}"


def is_printable(text: str) -> bool:
    """Whether all characters of `text` are printable and none controls the terminal."""
    return text.isprintable() or all(c.isprintable() or c in _JOINERS for c in text)


def printable(text: str) -> str:
    r"""Return `text` with escapes such as `\x1b` for characters that control a terminal or cannot be shown."""
    if is_printable(text):
        return text
    return "".join(c if is_printable(c) else repr(c)[1:-1] for c in text)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as comma-separated values. A terminal shows each text, and no spreadsheet takes one for a formula."""
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(
        [_cell(value) for value in row] for row in rows
    )
    return target.getvalue()


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _AMOUNT.fullmatch(text) else text
