"""Which lines of a program's output are turns, right or wrong, and which are noise, such as its log."""

import re

_INTEGER = re.compile(rb"[+-]?[0-9]+")
_LETTERS = re.compile(rb"[A-Za-z?]+")
_DECORATION = re.compile(rb"[()\[\]{}<>,;:|'\"`*=]+|\.(?!\S)")
_PLAIN_TURN = re.compile(rb"[0-9]{1,2}[ \t]+[A-Za-z?]+[ \t]+[A-Za-z]+")  # no rack has 100 tiles
_MOST_FIELDS = 10  # a longer line is prose
_MOST_DRAWS = 15  # the largest rack: a larger number counts something else, unless a play and its word follow


def is_turn(line: bytes) -> bool:
    """Return whether a line is a turn, or looks so much like one that leaving it out could hide a fault.

    Such a line has a play and its word side by side, which agree in at least half of their places, or it begins with a small
    number and one or two fields follow. Brackets, quotes and the like do not matter, nor do numbers behind the word.
    """
    fields = _DECORATION.sub(b" ", line).split()
    while len(fields) > 2 and _INTEGER.fullmatch(fields[-1]):
        fields.pop()  # a score or a total
    counts = 0
    while counts < len(fields) and _INTEGER.fullmatch(fields[counts]):
        counts += 1
    if counts and len(fields) - counts in (1, 2) and abs(int(fields[counts - 1][:9])) <= _MOST_DRAWS:
        return True
    return len(fields) <= _MOST_FIELDS and any(map(_agree, fields, fields[1:]))


def is_plain_turn(line: bytes) -> bool:
    """Return whether a line has the three fields of a turn, right or wrong; in a log such a line can be prose as well."""
    return _PLAIN_TURN.fullmatch(line.strip()) is not None


def _agree(play: bytes, word: bytes) -> bool:
    if len(word) < 2 or not (_LETTERS.fullmatch(play) and _LETTERS.fullmatch(word)):
        return False
    same = sum(tile in (letter, ord("?")) for tile, letter in zip(play.lower(), word.lower(), strict=False))
    return 2 * same >= max(len(play), len(word))


def begins_json(line: bytes) -> bool:
    """Return whether an answer as a JSON object may begin with a line; a log of JSON objects has no turns."""
    line = line.strip()
    return line == b"{" or (line.startswith(b"{") and b'"turns"' in line)
