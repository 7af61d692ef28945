"""Reads certificates of bounds, line by line and strictly. See docs/certificate.md."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_lowercase
from typing import NoReturn

from verify.rules import RulesError
from verify.text import quote

FIRST_LINE = "rowdraw certificate 2"
TILES = ascii_lowercase + "?"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
LONGEST_ROW = 200
HIGHEST_CLAIM = 900_000  # so that a state of a sweep, a play above the claim, fits into 20 bits
MOST_FOCI = 200
_LARGEST_RACK = 15
_LARGEST_VALUE = 1000
_MOST_CELLS = 4
_MOST_FIELDS = 1_000  # of a line of any number
_SHOWN = 80  # characters of a line in a message
_LEAVE = "MOMENT SIDE HOLD and pairs KIND PRICE"
_PRICE = "a price in thousandths of a point"
_HIGHEST = 10**8  # thousandths of a point: sums of prices stay far below `NONE`


@dataclass(frozen=True)
class Focus:
    """Prices for a part of the game, in thousandths of a point.

    Attributes:
        played: The first layer, in tiles played.
        window: The states that it covers: the fewest tiles drawn; the fewest and the most left
            draws of states with that number of tiles drawn.
        tiles: The price of each tile of the row.
        knots: The moments whose prices of leaves are given.
        leaves: By moment, side and hold, the prices of some kinds of tiles in a leave; all others
            are 0.
    """

    played: int
    window: tuple[int, int, int]
    tiles: tuple[int, ...]
    knots: tuple[int, ...]
    leaves: dict[tuple[int, int, int], dict[str, int]]


@dataclass(frozen=True)
class Certificate:
    """A puzzle, a claim about it, and the prices that prove the claim.

    Attributes:
        row: The row.
        rack: The size of a rack.
        values: The points of a to z.
        words_hash: The SHA-256 of the list of words.
        claim: No game scores more, in points.
        sides: The number of sides.
        holds: The number of holds.
        foci: The prices, of the whole game first.
        digest: The digest of the lines.
    """

    row: str
    rack: int
    values: tuple[int, ...]
    words_hash: str
    claim: int
    sides: int
    holds: int
    foci: tuple[Focus, ...]
    digest: str


class _Lines:
    """The lines of a file, read one after the other.

    Millions of lines or fields, which no certificate has, are never split.
    """

    def __init__(self, content: bytes, file: str) -> None:
        self._content = content
        self._file = file
        # where the next line begins, beyond the end after a line without a line feed
        self._at = len(FIRST_LINE) + 1
        self._read = 1
        if not content.startswith(f"{FIRST_LINE}\n".encode()):
            self.fail(_text(content[:_SHOWN].partition(b"\n")[0]), f"'{FIRST_LINE}'")

    @property
    def next(self) -> str:
        """The name of the next line."""
        line, _feed, _more = self._content[self._at : self._at + _SHOWN].partition(b"\n")
        return _text(line.partition(b" ")[0])

    def read(self, name: str, fields: str, count: int | None = None) -> list[str]:
        """Return the fields of the next line after its name: `count`, or any number without it."""
        begin = self._at
        found = self.next
        end = self._content.find(b"\n", begin)
        if end < 0:
            end = len(self._content)
        self._at = end + 1
        self._read += 1
        most = _MOST_FIELDS if count is None else count + 1
        values = _text(self._content[begin:end]).split(" ", most)[1:]
        if found != name:
            self.fail(found, f"a line '{name} {fields}'")
        if count not in (None, len(values)):
            self.fail(" ".join([found, *values]), f"a line '{name} {fields}'")
        if self._at > len(self._content):
            self.fail(_text(self._content[-20:]), "a line feed at its end")
        return values

    def number(self, field: str, low: int, high: int, what: str) -> int:
        """Return a field as a number."""
        if _NUMBER.fullmatch(field) is None or not low <= int(field) <= high:
            self.fail(field, f"{what}, a number from {low} to {high}")
        return int(field)

    def numbers(
        self, name: str, fields: str, count: int | None, low: int, high: int, what: str
    ) -> tuple[int, ...]:
        """Return the numbers of the next line: `count`, or any number without it."""
        values = self.read(name, fields, count)
        return tuple(self.number(field, low, high, what) for field in values)

    def digest(self, name: str, fields: str, of: str) -> str:
        """Return the hash in the next line."""
        (field,) = self.read(name, fields, 1)
        if _DIGEST.fullmatch(field) is None:
            self.fail(field, f"the SHA-256 of {of}, 64 digits 0-9 a-f")
        return field

    def finish(self) -> None:
        """Refuse a further line."""
        if self._at < len(self._content):
            self._read += 1
            self.fail(self.next, "nothing after the line 'end'")

    def fail(self, field: str, expected: str) -> NoReturn:
        """Raise an error about the line that was read last."""
        said = quote(field[:_SHOWN])
        if not field and self._at > len(self._content):
            said = "the file ends here"
        raise RulesError(f"{self._file}:{self._read}: {said}: expected {expected}", self._read)


def _text(line: bytes) -> str:
    """Return a line as text; what is not ASCII fits no field, however it is read."""
    return line.decode("utf-8", "replace")


def read_certificate(content: bytes, file: str) -> Certificate:
    """Return a certificate.

    Raises `RulesError`, which names the line, what is wrong in it, and what was expected.
    """
    lines = _Lines(content, file)
    (row,) = lines.read("row", "TILES", 1)
    if not 1 <= len(row) <= LONGEST_ROW or not set(row) <= set(TILES):
        lines.fail(row, f"1 to {LONGEST_ROW} tiles a to z or ?")
    tiles = len(row)
    (rack,) = lines.numbers("rack", "SIZE", 1, 2, _LARGEST_RACK, "the size of a rack")
    points = "and 26 numbers, the points of a to z"
    values = lines.numbers("values", points, 26, 0, _LARGEST_VALUE, "the points of a letter")
    words_hash = lines.digest("words", "HASH", "the list of words")
    (claim,) = lines.numbers("claim", "POINTS", 1, 0, HIGHEST_CLAIM, "whole points")
    sides, holds = _relaxation(lines)
    foci = [*_foci(lines, tiles, rack, sides, holds)]
    ending = "DIGEST', or another leave or focus, in place of 'end"
    digest = lines.digest("end", ending, "all lines before")
    actual = hashlib.sha256(content[: content.rindex(b"end ")]).hexdigest()
    if digest != actual:
        lines.fail(digest, f"{actual}, the SHA-256 of all lines before: one of them was changed")
    lines.finish()
    return Certificate(
        row=row,
        rack=rack,
        values=values,
        words_hash=words_hash,
        claim=claim,
        sides=sides,
        holds=holds,
        foci=tuple(foci),
        digest=digest,
    )


def _relaxation(lines: _Lines) -> tuple[int, int]:
    """Return sides and holds."""
    name, *fields = lines.read("relaxation", "r3 SIDES HOLDS", 3)
    if name != "r3":
        lines.fail(name, "'r3'")
    sides, holds = (
        lines.number(field, 1, _MOST_CELLS, "a number of sides or holds") for field in fields
    )
    return sides, holds


def _foci(lines: _Lines, tiles: int, rack: int, sides: int, holds: int) -> Iterator[Focus]:
    """Yield all foci; the first one is for the whole game."""
    played, drawn, low, high = lines.numbers(
        "focus", "0 0 0 0", 4, 0, 0, "the focus of the whole game"
    )
    for count in range(1, MOST_FOCI + 1):
        prices = _prices(lines, tiles)
        knots = lines.numbers("knots", "MOMENTS", None, 0, tiles + rack, "a moment")
        if not knots or any(begin >= end for begin, end in pairwise(knots)):
            lines.fail(" ".join(map(str, knots)), "one or more moments, strictly ascending")
        leaves = _leaves(lines, knots, sides, holds)
        yield Focus(played, (drawn, low, high), prices, knots, leaves)
        if lines.next != "focus":
            return
        fields = lines.read("focus", "PLAYED DRAWN LOW HIGH", 4)
        if count == MOST_FOCI:
            lines.fail("focus", f"at most {MOST_FOCI} foci")
        played = lines.number(fields[0], 0, tiles, "tiles played")
        drawn = lines.number(fields[1], min(rack, tiles), tiles, "tiles drawn")
        low = lines.number(fields[2], 0, tiles, "left draws")
        high = lines.number(fields[3], low, tiles, "left draws")


def _prices(lines: _Lines, tiles: int) -> tuple[int, ...]:
    fields = f"and {tiles} prices, one for each tile of the row"
    return lines.numbers("tiles", fields, tiles, 0, _HIGHEST, _PRICE)


def _leaves(
    lines: _Lines, knots: tuple[int, ...], sides: int, holds: int
) -> dict[tuple[int, int, int], dict[str, int]]:
    leaves: dict[tuple[int, int, int], dict[str, int]] = {}
    last = (-1, 0, 0)
    while lines.next == "leave":
        fields = lines.read("leave", _LEAVE)
        if len(fields) < 5 or len(fields) % 2 == 0:
            lines.fail(" ".join(fields), _LEAVE)
        cell = (
            lines.number(fields[0], 0, knots[-1], "a moment"),
            lines.number(fields[1], 0, sides - 1, "a side"),
            lines.number(fields[2], 0, holds - 1, "a hold"),
        )
        if cell[0] not in knots:
            lines.fail(fields[0], "a moment that is a knot of this focus")
        if cell <= last:
            lines.fail(" ".join(fields[:3]), "moment, side and hold after those of the line before")
        last = cell
        leaves[cell] = {}
        before = -1
        for kind, price in zip(fields[3::2], fields[4::2], strict=True):
            if len(kind) != 1 or TILES.find(kind) <= before:
                lines.fail(kind, "a to z and then ?, each once and in this order")
            leaves[cell][kind] = lines.number(price, 0, _HIGHEST, _PRICE)
            before = TILES.index(kind)
    return leaves
