"""Puzzles and words that tests make."""

from collections.abc import Iterable, Mapping

from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from verify import Rules
from verify.rules import WordList


def lexicon_of(words: Iterable[str]) -> Lexicon:
    listed = WordList.of([*words])
    return Lexicon(listed.words, listed.digest)


def problem_of(
    words: Iterable[str],
    row: str,
    rack: int,
    values: Mapping[str, int],
    bonus: int = 0,
    name: str = "test",
) -> Problem:
    """Return a problem with words of its own."""
    return Problem(Rules(row, rack, values, frozenset(words), bonus, name, name))
