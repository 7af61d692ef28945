"""Inputs made from seeds: cut, doubled, moved, mixed, and with tokens put in that have been dangerous before."""

import json
import random
from collections.abc import Sequence
from typing import Any

_TEXTS = (
    "", "\n", "\r", "\r\n", "\t", " ", "\0", "\x1b[31m", "\ufeff", "\u202e", "\U0001f004", "٣", "²", "ß", "İ", "ﬁ",
    "0", "-1", "+0", "1e308", "-1e309", "NaN", "Infinity", "99999999999999999999", "0x10", "null", "true", "[]", "{}",
    "?", "[", "]", "{", "}", "(", ")", '"', "'", "\\u0000", "\\ud800", "#", ">", ":", ",", "=", ".", "..", "/", "%", "`", "|",
    "--", "-", "#player1 a A", "#note", "#lexicon bin", "# puzzle: shuffled-01", "# row teaeats", "(time) -10 0",
    "(challenge) +5 5", "<b>", "&lt;", "<!--", "```", ">!", "!<",
)  # fmt: skip
TOKENS = (*(text.encode() for text in _TEXTS), b"\xff", b"\xed\xa0\x80")
LARGEST = 100_000  # bytes of an input: the longest seed has 60,000
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 13, 10**30, 0.5, float("nan"), "", "1.000", "-1.000", "0.0001", "100001.000", "a", "?", "r2",
    "\ud800", [], [0], [[0, 0, 0, {"a": "1.000"}]], {}, {"a": "1.000"}, {"?": 1},
)  # fmt: skip


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A variant of one of the seeds."""
    content = bytearray(rng.choice(seeds))
    for _ in range(1 + int(rng.expovariate(0.4))):
        rng.choice(_CHANGES)(rng, content, seeds)
    return bytes(content[:LARGEST])


def _flip(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    if content:
        content[rng.randrange(len(content))] = rng.choice((rng.randrange(256), 10, 32, 48, 63, 97))


def _put(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    at = rng.randint(0, len(content))
    content[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 30))


def _replace(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    at, length = _piece(rng, content)
    content[at : at + length] = rng.choice(TOKENS)


def _cut(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    at, length = _piece(rng, content)
    del content[at : at + length]


def _double(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    at, length = _piece(rng, content)
    content[at:at] = content[at : at + length] * rng.choice((1, 1, 2, 20))


def _mix(rng: random.Random, content: bytearray, seeds: Sequence[bytes]) -> None:
    other = rng.choice(seeds)
    at, length = _piece(rng, other)
    place = rng.randint(0, len(content))
    content[place:place] = other[at : at + length]


def _lines(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    """Two lines change places, one is doubled or one goes."""
    lines = bytes(content).split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif kind == 1:
        lines.insert(other, lines[one])
    else:
        del lines[one]
    content[:] = b"\n".join(lines)


def _words(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    """Two words of a line change places, or one becomes another word of the text."""
    words = bytes(content).split(b" ")
    one, other = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[other] = words[other], words[one] if rng.random() < 0.5 else words[other]
    content[:] = b" ".join(words)


def _value(rng: random.Random, content: bytearray, _seeds: Sequence[bytes]) -> None:
    """A value of a JSON object becomes another one, goes, or stands elsewhere."""
    begin, end = content.find(b"{"), content.rfind(b"}") + 1
    try:
        told = json.loads(content[begin:end])
    except (ValueError, RecursionError):
        return
    place, other = _place(rng, told), _place(rng, told)
    if place is None or other is None:
        return
    inside, key = place
    of_other, its_key = other
    kind = rng.randrange(4)
    if kind == 0:
        inside[key] = rng.choice(_VALUES)
    elif kind == 1:
        inside[key] = json.loads(json.dumps(of_other[its_key]))
    elif kind == 2:
        del inside[key]
    elif isinstance(inside, list):
        inside.append(rng.choice(_VALUES))
    else:
        inside[rng.choice(("a", "row", "turns", "foci", "bound"))] = rng.choice(_VALUES)
    content[begin:end] = json.dumps(told).encode()


def _place(rng: random.Random, value: Any) -> tuple[Any, Any] | None:
    """Some value inside `value`, as what it stands in and where; None if there is none. What lies deep is met less often."""
    found = None
    while isinstance(value, dict | list) and value and (found is None or rng.random() < 0.7):
        found = value, rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        value = value[found[1]]
    return found


def _piece(rng: random.Random, content: bytes | bytearray) -> tuple[int, int]:
    at = rng.randint(0, len(content))
    return at, min(len(content) - at, int(rng.expovariate(0.1)))


_CHANGES = (_flip, _put, _replace, _cut, _double, _mix, _lines, _words, _value, _value)
