"""Words in Scrabble notation: `[...]` doubles and `(...)` triples each letter inside.

A score distribution is a string of 26 letter scores for a to z, one character each: 1 to 9, or X for 10. Letters may be
small or capital.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from string import ascii_lowercase

from verify.points import points
from verify.text import quote

_SCORES = "123456789X"
_BRACKETS = {"[": ("]", 2), "(": (")", 3)}


class NotationError(ValueError):
    """A word or a distribution is not in this notation; the message names the place."""


def letter_score(letter: str, distribution: str) -> str:
    """Return the score of one letter, as the distribution writes it. Raises `NotationError`."""
    if len(letter) != 1 or not _is_letter(letter):
        raise NotationError(f"{quote(letter)} is not a letter: expected one of a to z")
    return _scores(distribution)[letter.lower()]


def letter_scores(word: str, distribution: str) -> str:
    """Return the scores of the letters of `word`, without brackets. Raises `NotationError`."""
    return "".join(letter_score(letter, distribution) for letter, _multiplier in read(word))


def multipliers(word: str) -> str:
    """Return the multiplier of each letter of `word`: 1, 2 or 3. Raises `NotationError`."""
    return "".join(str(multiplier) for _letter, multiplier in read(word))


def word_score(word: str, distribution: str) -> int:
    """Return the sum of letter score x multiplier. Raises `NotationError`."""
    return points((_SCORES.index(letter_score(letter, distribution)) + 1, multiplier) for letter, multiplier in read(word))


def read(word: str) -> list[tuple[str, int]]:
    """Return the letters of `word` in lower case, each with its multiplier. Raises `NotationError`."""
    return [(letter.lower(), multiplier) for letter, multiplier in read_signs(word, _is_letter, "a to z")]


def read_signs(word: str, is_sign: Callable[[str], bool], expected: str) -> list[tuple[str, int]]:
    """Return the characters of `word` other than brackets, each with its multiplier.

    Args:
        word: A word in notation.
        is_sign: Returns whether a word may contain a character.
        expected: How a message describes such characters.

    Raises:
        NotationError: The word holds other characters, or its brackets are wrong.
    """
    signs = list(_read(word, is_sign, expected))
    if not signs:
        raise NotationError(f"{quote(word)} has no letters: expected a word such as e[q]u(i)n[o]x")
    return signs


def _read(word: str, is_sign: Callable[[str], bool], expected_signs: str) -> Iterator[tuple[str, int]]:
    closing, multiplier, opened = "", 1, 0
    for place, character in enumerate(word, start=1):
        if character in _BRACKETS:
            if closing:
                raise _misplaced(word, place, f"opens a bracket inside another: expected a letter or {closing!r}")
            closing, multiplier = _BRACKETS[character]
            opened = place
        elif character in "])":
            if character != closing:
                expected = f"a letter or {closing!r}" if closing else "a letter"
                raise _misplaced(word, place, f"closes a bracket that is not open: expected {expected}")
            if place == opened + 1:
                raise _misplaced(word, place, "closes an empty bracket: expected a letter")
            closing, multiplier = "", 1
        elif is_sign(character):
            yield character, multiplier
        else:
            raise _misplaced(word, place, f"is not a letter: expected {expected_signs}, [ ] or ( )")
    if closing:
        raise NotationError(f"the bracket at place {opened} of {quote(word)} is never closed: expected {closing!r}")


def _misplaced(word: str, place: int, what: str) -> NotationError:
    return NotationError(f"{word[place - 1]!r} at place {place} of {quote(word)} {what}")


@lru_cache
def _scores(distribution: str) -> dict[str, str]:
    """Return the score of each letter, as the distribution writes it."""
    if len(distribution) != len(ascii_lowercase):
        raise NotationError(f"the distribution {quote(distribution)} has {len(distribution)} scores: expected 26")
    for place, score in enumerate(distribution, start=1):
        if score.upper() not in _SCORES or len(score.upper()) != 1:
            raise NotationError(
                f"{score!r} at place {place} of the distribution {quote(distribution)} is not a score: expected 1 to 9 or X"
            )
    return dict(zip(ascii_lowercase, distribution.upper(), strict=True))


def _is_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()
