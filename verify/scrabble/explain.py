"""Shows how the score of a word is made, in lines that a person can check."""

import tomllib
from functools import cache
from string import ascii_lowercase

from verify.datafiles import data_folder
from verify.points import points
from verify.scrabble.board import FULL_RACK, Square, WordScore, score_word
from verify.scrabble.notation import NotationError, letter_score, read


def explain(
    word: str, distribution: str | None = None, square: str | None = None, across: bool = True, bonus: bool = False
) -> str:
    """Letters, values, multipliers and score of a word in notation; on the empty board if `square` is given.

    Raises `NotationError` or `BoardError`.
    """
    scores = english_distribution() if distribution is None else distribution
    letters = read(word)
    text = "".join(letter for letter, _multiplier in letters)
    bracketed = tuple(multiplier for _letter, multiplier in letters)
    if square is None and not bonus:
        scored = WordScore(tuple(_value(letter, scores) for letter in text), bracketed, 1, 0)
    else:
        if set(bracketed) != {1}:
            raise NotationError(f"{word!r} has brackets: on the board the premium squares say what is multiplied")
        at = None if square is None else Square.parse(square)
        scored = score_word(text, lambda letter: _value(letter, scores), at, across, bonus)
    return _lines(text, scored)


@cache
def english_distribution() -> str:
    """The letter values of an English set as a distribution."""
    values = tomllib.loads((data_folder() / "tiles" / "english.toml").read_text(encoding="utf-8"))["values"]
    return "".join("X" if values[letter] == 10 else str(values[letter]) for letter in ascii_lowercase)


def _value(letter: str, distribution: str) -> int:
    score = letter_score(letter, distribution)
    return 10 if score == "X" else int(score)


def _lines(text: str, scored: WordScore) -> str:
    rows = [
        ("letters", list(text)),
        ("values", [str(value) for value in scored.values]),
        ("multipliers", [str(multiplier) for multiplier in scored.multipliers]),
    ]
    lines = [f"{name:12}" + " ".join(f"{cell:>2}" for cell in cells) for name, cells in rows]
    if scored.word_multiplier > 1:
        letters = points(zip(scored.values, scored.multipliers, strict=True))
        lines.append(f"{'word':12}{letters} x {scored.word_multiplier}")
    if scored.bonus:
        lines.append(f"{'bonus':12}{scored.bonus} for {FULL_RACK} tiles")
    lines.append(f"{'score':12}{scored.total}")
    return "".join(f"{line}\n" for line in lines)
