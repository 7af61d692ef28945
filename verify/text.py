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
# a number or an interval, which may begin with a sign
_AMOUNT = re.compile(r"[+-]?[\d.,]+(?: to [+-]?[\d.,]+)?|-")
# zero-width characters that join letters in some scripts, and emoji: harmless in a terminal
_WITHOUT_JOINERS = str.maketrans("", "", "\u200c\u200d")
_KELVIN = "\N{KELVIN SIGN}"  # the only character whose small form is an ASCII letter


def lower(text: str) -> str:
    """Return `text` in lower case, without a new ASCII letter: the Kelvin sign stays as it is."""
    if text.isascii():
        return text.lower()
    return _KELVIN.join(map(str.lower, text.split(_KELVIN)))


def placed(file: str, line: int | None) -> str:
    """Return `FILE:LINE` for a message; `FILE` for an unknown line, and for 0, the whole file."""
    return f"{file}:{line}" if line else file


def quote(value: object) -> str:
    """Return `value` for a message: shortened, and with escapes for what controls a terminal."""
    if isinstance(value, str):
        value = value[:_QUOTED]  # escaping all of a long text would take long
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a number of thousands of digits"
    if len(text) <= _QUOTED:
        return text
    mark = text[0] if isinstance(value, str) else ""
    return f"{text[: _QUOTED - 4]}...{mark}"


def left_out_lines(path: object, left_out: int, lines: int, number: int, line: str) -> str:
    """Return the sentence on lines of a word list that are no words.

    Args:
        path: The file.
        left_out: The number of these lines.
        lines: The number of all lines that are not empty.
        number: The first of the lines that are no words.
        line: Its text.
    """
    verb = "is" if left_out == 1 else "are"
    example = f"{quote(line)} in line {number:,}"
    return (
        f"{path}: {left_out:,} of {lines:,} lines {verb} left out: "
        f"words have only the letters a to z, unlike {example}"
    )


def nearest(name: str, names: Iterable[str]) -> str:
    """Return `, did you mean 'challenge'?` where one of `names` resembles `name`; else no text."""
    similar = get_close_matches(name[:_LONGEST_NAME], list(names), n=1)
    return f", did you mean {similar[0]!r}?" if similar else ""


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Return `1 turn`, `2 turns`; grouped: with commas, as in `1,000 turns`."""
    if number != 1:
        noun += "s"
    return f"{number:,} {noun}" if grouped else f"{number} {noun}"


def is_printable(text: str) -> bool:
    """Whether all characters of `text` are printable and none controls the terminal."""
    return text.translate(_WITHOUT_JOINERS).isprintable()


def printable(text: str) -> str:
    r"""Return `text` with escapes such as `\x1b` for what controls a terminal or is not shown."""
    if is_printable(text):
        return text
    return "".join(c if is_printable(c) else repr(c)[1:-1] for c in text)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as comma-separated values that a terminal shows and no spreadsheet computes."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    for row in rows:
        writer.writerow(map(_cell, row))
    return target.getvalue()


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = printable(value)
    if text.startswith(_FORMULA) and not _AMOUNT.fullmatch(text):
        return f"'{text}"
    return text
