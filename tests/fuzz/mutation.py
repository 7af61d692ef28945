"""Inputs made from seeds: cut, doubled, moved, mixed, and with tokens known as dangerous."""

import json
import random
from collections.abc import Sequence
from typing import Any

_TEXTS = (
    "", "\n", "\r", "\r\n", "\t", " ", "\0", "\x1b[31m", "\ufeff", "\u202e", "\U0001f004", "٣",
    "²", "ß", "İ", "ﬁ",
    "0", "-1", "+0", "1e308", "-1e309", "NaN", "Infinity", "99999999999999999999", "0x10", "null",
    "true", "[]", "{}",
    "?", "[", "]", "{", "}", "(", ")", '"', "'", "\\u0000", "\\ud800", "#", ">", ":", ",", "=",
    ".", "..", "/", "%", "`", "|",
    "--", "-", "#player1 a A", "#note", "#lexicon bin", "# puzzle: shuffled-01", "# row teaeats",
    "(time) -10 0",
    "(challenge) +5 5", "<b>", "&lt;", "<!--", "```", ">!", "!<",
)  # fmt: skip
TOKENS = (*(text.encode() for text in _TEXTS), b"\xff", b"\xed\xa0\x80")
LARGEST = 100_000  # bytes of an input: the longest seed has 60,000
_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    0.5,
    float("nan"),
    "",
    "1.000",
    "a",
    "?",
    "\ud800",
    [],
    [0],
    {},
    {"a": 1},
)


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A variant of one of the seeds."""
    content = bytearray(rng.choice(seeds))
    for _ in range(1 + int(rng.expovariate(0.4))):
        kind = rng.randrange(9)
        if kind < 6:
            _change_bytes(kind, rng, content, seeds)
        elif kind < 8:
            _change_parts(rng, content, rng.choice((b"\n", b" ")))
        else:
            _change_json(rng, content)
    return bytes(content[:LARGEST])


def _piece(rng: random.Random, content: bytes | bytearray) -> slice:
    at = rng.randint(0, len(content))
    return slice(at, at + int(rng.expovariate(0.1)))


def _change_bytes(
    kind: int, rng: random.Random, content: bytearray, seeds: Sequence[bytes]
) -> None:
    """Replace a byte or a piece, cut or double one, put in a token or a piece of another seed."""
    place = _piece(rng, content)
    at = rng.randint(0, len(content))
    if kind == 0 and content:
        content[rng.randrange(len(content))] = rng.choice((rng.randrange(256), 10, 32, 48, 63, 97))
    elif kind == 1:
        content[place] = rng.choice(TOKENS)
    elif kind == 2:
        del content[place]
    elif kind == 3:
        content[at:at] = content[place] * rng.choice((1, 1, 2, 20))
    elif kind == 4:
        content[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 30))
    else:
        other = rng.choice(seeds)
        content[at:at] = other[_piece(rng, other)]


def _change_parts(rng: random.Random, content: bytearray, separator: bytes) -> None:
    """Swap two lines or words, double one, or leave one out."""
    parts = bytes(content).split(separator)
    one = rng.randrange(len(parts))
    other = rng.randrange(len(parts))
    kind = rng.randrange(3)
    if kind == 0:
        parts[one], parts[other] = parts[other], parts[one]
    elif kind == 1:
        parts.insert(other, parts[one])
    else:
        del parts[one]
    content[:] = separator.join(parts)


def _change_json(rng: random.Random, content: bytearray) -> None:
    """Replace a value of a JSON object, or leave it out."""
    begin = content.find(b"{")
    end = content.rfind(b"}") + 1
    try:
        value = whole = json.loads(content[begin:end])
    except (ValueError, RecursionError):
        return
    inside = key = None
    # what lies deep is met less often
    while isinstance(value, dict | list) and value and (inside is None or rng.random() < 0.7):
        inside = value
        keys = [*value] if isinstance(value, dict) else range(len(value))
        key = rng.choice(keys)
        value = inside[key]
    if inside is None:
        return
    if rng.random() < 0.3:
        del inside[key]
    else:
        inside[key] = rng.choice(_VALUES)
    content[begin:end] = json.dumps(whole).encode()
