"""Second readings, as plain as they can be, written from the rules and the documentation alone."""

import re
from collections import Counter
from string import ascii_lowercase

VALUES = dict(
    zip(ascii_lowercase, [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10], strict=True)
)


def judged(content: bytes, row: str, rack_size: int, words: frozenset[str]) -> tuple[bool, int] | None:
    """Whether an answer is valid and what it scores; None where a line is more than left draws, play and word.

    The challenge's own script, made a function: only what it reads without doubt is compared.
    """
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    turns = [line for line in lines if line]
    if not turns or not all(re.fullmatch(r"[0-9]{1,3} [a-z?]{1,30} [a-z]{1,30}", line) for line in turns):
        return None
    rack, score = list[str](), 0
    for line in turns:
        left, play, word = line.split()
        wants = min(rack_size - len(rack), len(row))
        if int(left) > wants:
            return None  # the referee tells the fault, and goes on as it thinks best
        rack += row[: int(left)]
        row = row[int(left) :]
        right = wants - int(left)
        rack += row[len(row) - right :]
        row = row[: len(row) - right]
        fits = len(play) == len(word) and all(tile in ("?", letter) for tile, letter in zip(play, word, strict=True))
        if Counter(play) - Counter(rack) or not fits or word not in words:
            return None
        for tile in play:
            rack.remove(tile)
        score += sum(place * VALUES.get(tile, 0) for place, tile in enumerate(play, start=1))
    return True, score


def notation(text: str) -> list[tuple[str, int]] | None:
    """The letters of a word with their multipliers; None if it is not in the notation."""
    if not re.fullmatch(r"([a-zA-Z]|\[[a-zA-Z]+\]|\([a-zA-Z]+\))+", text):
        return None
    found = []
    for part in re.findall(r"\[[a-zA-Z]+\]|\([a-zA-Z]+\)|[a-zA-Z]", text):
        multiplier = {"[": 2, "(": 3}.get(part[0], 1)
        found += [(letter.lower(), multiplier) for letter in part if letter.isalpha()]
    return found
