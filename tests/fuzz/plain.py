"""A second reading of answers, as plain as it can be, written from the rules alone."""

import re
from collections import Counter

from tests.reference import VALUES


def judged(
    content: bytes, row: str, rack_size: int, words: frozenset[str]
) -> tuple[bool, int] | None:
    """Return whether an answer is valid, and its score; None if a line has another form.

    The challenge's own script, made a function: only what it reads without doubt is compared.
    """
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    turns = [line for line in lines if line]
    if not turns or not all(
        re.fullmatch(r"[0-9]{1,3} [a-z?]{1,30} [a-z]{1,30}", line) for line in turns
    ):
        return None
    rack = list[str]()
    score = 0
    for line in turns:
        left, play, word = line.split()
        wants = min(rack_size - len(rack), len(row))
        if int(left) > wants:
            return False, 0
        rack += row[: int(left)]
        row = row[int(left) :]
        right = wants - int(left)
        rack += row[len(row) - right :]
        row = row[: len(row) - right]
        fits = len(play) == len(word) and all(
            tile in ("?", letter) for tile, letter in zip(play, word, strict=True)
        )
        if Counter(play) - Counter(rack) or not fits or word not in words:
            return False, 0
        for tile in play:
            rack.remove(tile)
        score += sum(place * VALUES.get(tile, 0) for place, tile in enumerate(play, start=1))
    return True, score
