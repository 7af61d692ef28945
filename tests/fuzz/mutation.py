"""Inputs made from seeds: cut, doubled, moved, mixed, and with tokens put in that have been dangerous before."""

import random
from collections.abc import Sequence

_TEXTS = (
    "", "\n", "\r", "\r\n", "\t", " ", "\0", "\x1b[31m", "\ufeff", "\u202e", "\U0001f004", "٣", "²", "ß", "İ", "ﬁ",
    "0", "-1", "+0", "1e308", "-1e309", "NaN", "Infinity", "99999999999999999999", "0x10", "null", "true", "[]", "{}",
    "?", "[", "]", "{", "}", "(", ")", '"', "'", "\\u0000", "\\ud800", "#", ">", ":", ",", "=", ".", "..", "/", "%", "`", "|",
    "--", "-", "#player1 a A", "#note", "#lexicon bin", "# puzzle: shuffled-01", "# row teaeats", "(time) -10 0",
    "(challenge) +5 5", "<b>", "&lt;", "<!--", "```", ">!", "!<",
)  # fmt: skip
TOKENS = (*(text.encode() for text in _TEXTS), b"\xff", b"\xed\xa0\x80")
_LARGEST = 20_000  # bytes of an input


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A variant of one of the seeds."""
    content = bytearray(rng.choice(seeds))
    for _ in range(1 + int(rng.expovariate(0.4))):
        rng.choice(_CHANGES)(rng, content, seeds)
    return bytes(content[:_LARGEST])


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


def _piece(rng: random.Random, content: bytes | bytearray) -> tuple[int, int]:
    at = rng.randint(0, len(content))
    return at, min(len(content) - at, int(rng.expovariate(0.1)))


_CHANGES = (_flip, _put, _replace, _cut, _double, _mix, _lines, _words)
