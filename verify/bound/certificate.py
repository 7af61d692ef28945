"""Reads certificates of bounds: plain lines, read one by one, and strictly. See docs/certificate.md."""

import hashlib
import io
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
_LONGEST_ROW, _LONGEST_R3, _LARGEST_RACK, _LARGEST_VALUE = 10_000, 200, 15, 1000
_MOST_CELLS, _MOST_FOCI = 16, 1_000
_MOST_NODES = 40_000  # of r1; each takes a few milliseconds
_HIGHEST = 10**8  # thousandths of a point: sums of prices stay far below `NONE`


@dataclass(frozen=True)
class Focus:
    """Prices for a part of the game, in thousandths of a point.

    Attributes:
        played: The first layer, in tiles played.
        window: The states that it covers: the fewest tiles drawn; the fewest and the most left draws of states with that number
            of tiles drawn.
        tiles: The price of each tile of the row.
        knots: The moments whose prices of leaves are given.
        leaves: By moment, side and hold, the prices of some kinds of tiles in a leave; all others are 0.
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
        width: The number of left draws that share a node of r1; 0 for r3.
        sides: The number of sides of r3.
        holds: The number of holds of r3.
        foci: The prices, of the whole game first; those of r1 are one focus.
        digest: The digest as the file gives it.
        is_unchanged: Whether the digest is that of the lines before it.
    """

    row: str
    rack: int
    values: tuple[int, ...]
    words_hash: str
    claim: int
    width: int
    sides: int
    holds: int
    foci: tuple[Focus, ...]
    digest: str
    is_unchanged: bool

    @property
    def relaxation(self) -> str:
        """The name of the relaxation."""
        return "r1" if self.width else "r3"


class _Lines:
    """The lines of a file, each split at its spaces; `next` is the first word of the line that comes next."""

    def __init__(self, content: bytes, file: str) -> None:
        self._lines = io.BytesIO(content)
        self._file, self._number = file, 0
        self._hash = hashlib.sha256()
        self._line = b""
        self.next = ""
        self._step()

    def _step(self) -> None:
        self._number += 1
        self._line = self._lines.readline()
        self.next = self._line.split(b" ", 1)[0].rstrip(b"\n").decode("ascii", "backslashreplace")

    def take(self, name: str, expected: str) -> list[str]:
        """Return the fields of the next line after its name."""
        if self.next != name:
            self.fail(self.next, f"a line '{name} {expected}'")
        if not self._line.endswith(b"\n"):
            self.fail(self._line[-20:].decode("ascii", "backslashreplace"), "a line feed at its end")
        fields = self._line[:-1].decode("ascii", "backslashreplace").split(" ")[1:]
        if name != "end":
            self._hash.update(self._line)
        self._taken, self._expected = self._number, expected
        self._step()
        return fields

    def one(self, name: str, expected: str) -> str:
        """Return the only field of the next line."""
        return self.some(name, 1, expected)[0]

    def some(self, name: str, count: int, expected: str) -> list[str]:
        """Return the fields of the next line, which are `count`."""
        fields = self.take(name, expected)
        if len(fields) != count:
            self.wrong(" ".join([name, *fields]), f"a line '{name} {expected}'")
        return fields

    @property
    def is_over(self) -> bool:
        """Whether no line comes next."""
        return not self._line

    def number(self, field: str, low: int, high: int, what: str) -> int:
        """Return a field as a number."""
        if _NUMBER.fullmatch(field) is None or not low <= int(field) <= high:
            self.wrong(field, f"{what}, a number from {low} to {high}")
        return int(field)

    def digest(self) -> str:
        """Return the digest of the lines so far."""
        return self._hash.hexdigest()

    def wrong(self, field: str, expected: str) -> NoReturn:
        """Raise an error about the line that was taken last."""
        raise RulesError(f"{self._file}:{self._taken}: {quote(field[:80])}: expected {expected}", self._taken)

    def fail(self, field: str, expected: str) -> NoReturn:
        """Raise an error about the next line."""
        said = quote(field[:80]) if self._line else "the file ends here"
        raise RulesError(f"{self._file}:{self._number}: {said}: expected {expected}", self._number)


def read_certificate(content: bytes, file: str) -> Certificate:
    """Return a certificate. Raises `RulesError`, which names the line, what is wrong in it, and what was expected."""
    lines = _Lines(content, file)
    if content.split(b"\n", 1)[0] != FIRST_LINE.encode():
        lines.fail(content[:80].split(b"\n")[0].decode("ascii", "backslashreplace"), f"'{FIRST_LINE}'")
    lines.take("rowdraw", "certificate 2")
    row = lines.one("row", "TILES")
    if not 1 <= len(row) <= _LONGEST_ROW or not set(row) <= set(TILES):
        lines.wrong(row, f"1 to {_LONGEST_ROW:,} tiles a to z or ?")
    tiles = len(row)
    rack = lines.number(lines.one("rack", "SIZE"), 2, _LARGEST_RACK, "the size of a rack")
    values = lines.some("values", 26, "and 26 numbers, the points of a to z")
    points = tuple(lines.number(value, 0, _LARGEST_VALUE, "the points of a letter") for value in values)
    words_hash = lines.one("words", "HASH")
    if _DIGEST.fullmatch(words_hash) is None:
        lines.wrong(words_hash, "the SHA-256 of the list of words, 64 digits 0-9 a-f")
    claim = lines.number(lines.one("claim", "POINTS"), 0, 999_999_999, "whole points")
    width, sides, holds = _relaxation(lines, tiles)
    foci = [*_foci(lines, tiles, rack, sides, holds)] if not width else [Focus(0, (0, 0, 0), _prices(lines, tiles), (0,), {})]
    expected = lines.digest()
    digest = lines.one("end", "DIGEST" if width else "DIGEST', or another leave or focus, in place of 'end")
    if _DIGEST.fullmatch(digest) is None:
        lines.wrong(digest, "the SHA-256 of all lines before, 64 digits 0-9 a-f")
    if not lines.is_over:
        lines.fail(lines.next, "nothing after the line 'end'")
    return Certificate(row, rack, points, words_hash, claim, width, sides, holds, tuple(foci), digest, digest == expected)


def _relaxation(lines: _Lines, tiles: int) -> tuple[int, int, int]:
    """Return width, sides and holds."""
    fields = lines.take("relaxation", "r3 SIDES HOLDS', or 'relaxation r1 WIDTH")
    if len(fields) == 2 and fields[0] == "r1":
        width = lines.number(fields[1], 1, tiles, "the width of a node")
        if tiles * tiles > 2 * _MOST_NODES * width:
            lines.wrong(fields[1], f"a width of at least {-(-tiles * tiles // (2 * _MOST_NODES))} on a row of {tiles} tiles")
        return width, 1, 1
    if len(fields) != 3 or fields[0] != "r3":
        lines.wrong(" ".join(fields), "'r3 SIDES HOLDS' or 'r1 WIDTH'")
    if tiles > _LONGEST_R3:
        lines.wrong(fields[0], f"r1 on a row of {tiles} tiles: r3 takes at most {_LONGEST_R3}")
    sides, holds = (lines.number(field, 1, _MOST_CELLS, "a number of sides or holds") for field in fields[1:])
    return 0, sides, holds


def _foci(lines: _Lines, tiles: int, rack: int, sides: int, holds: int) -> Iterator[Focus]:
    """Yield all foci; the first one is for the whole game."""
    count = 0
    while count == 0 or lines.next == "focus":
        fields = lines.some("focus", 4, "PLAYED DRAWN LOW HIGH" if count else "0 0 0 0")
        if count == 0:
            for field in fields:
                lines.number(field, 0, 0, "the focus of the whole game")
            window = (0, 0, 0)
            played = 0
        else:
            played = lines.number(fields[0], 0, tiles, "tiles played")
            drawn = lines.number(fields[1], min(rack, tiles), tiles, "tiles drawn")
            low = lines.number(fields[2], 0, tiles, "left draws")
            window = drawn, low, lines.number(fields[3], low, tiles, "left draws")
        count += 1
        if count > _MOST_FOCI + 1:
            lines.wrong("focus", f"at most {_MOST_FOCI:,} foci after the first")
        prices = _prices(lines, tiles)
        fields = lines.take("knots", "MOMENTS")
        knots = [lines.number(field, 0, tiles + rack, "a moment") for field in fields]
        if not knots or any(begin >= end for begin, end in pairwise(knots)):
            lines.wrong(" ".join(fields), "one or more moments, strictly ascending")
        yield Focus(played, window, prices, tuple(knots), _leaves(lines, frozenset(knots), sides, holds))


def _prices(lines: _Lines, tiles: int) -> tuple[int, ...]:
    fields = lines.some("tiles", tiles, f"and {tiles} prices, one for each tile of the row")
    return tuple(lines.number(field, 0, _HIGHEST, "a price in thousandths of a point") for field in fields)


def _leaves(lines: _Lines, knots: frozenset[int], sides: int, holds: int) -> dict[tuple[int, int, int], dict[str, int]]:
    leaves: dict[tuple[int, int, int], dict[str, int]] = {}
    last = (-1, 0, 0)
    while lines.next == "leave":
        fields = lines.take("leave", "MOMENT SIDE HOLD and pairs KIND PRICE")
        if len(fields) < 5 or len(fields) % 2 == 0:
            lines.wrong(" ".join(fields), "MOMENT SIDE HOLD and pairs KIND PRICE")
        moment = lines.number(fields[0], 0, max(knots), "a moment")
        if moment not in knots:
            lines.wrong(fields[0], "a moment that is a knot of this focus")
        cell = moment, lines.number(fields[1], 0, sides - 1, "a side"), lines.number(fields[2], 0, holds - 1, "a hold")
        if cell <= last:
            lines.wrong(" ".join(fields[:3]), "moment, side and hold after those of the line before")
        kinds, prices = fields[3::2], fields[4::2]
        for kind, before in zip(kinds, ["", *kinds], strict=False):
            if len(kind) != 1 or kind not in TILES or (before and TILES.index(kind) <= TILES.index(before)):
                lines.wrong(kind, "a to z and then ?, each once and in this order")
        amounts = [lines.number(price, 0, _HIGHEST, "a price in thousandths of a point") for price in prices]
        leaves[cell] = dict(zip(kinds, amounts, strict=True))
        last = cell
    return leaves
