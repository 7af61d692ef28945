"""Puzzles, words and hands that tests make."""

from collections.abc import Iterable, Mapping

import numpy as np
from hypothesis import strategies as st

from solver.index.kernels.indexes import unrank_counts
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.model.tiles import N_CODES, decode
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


def tiles_of_rank(rank: np.uint64) -> str:
    """Return the sorted tiles of a rank."""
    counts = np.zeros(N_CODES, np.int8)
    unrank_counts(rank, counts)
    return "".join(sorted(decode(np.repeat(np.arange(N_CODES), counts))))


@st.composite
def hands(draw: st.DrawFn, rack: int) -> tuple[str, int, int, str]:
    """Return a row, its left and right draws, and a leave of them."""
    row = draw(st.text("abez?", min_size=1, max_size=14))
    left = draw(st.integers(0, len(row)))
    right = draw(st.integers(0, len(row) - left))
    drawn = draw(st.permutations(row[:left] + row[len(row) - right :]))
    return row, left, right, "".join(drawn[: draw(st.integers(0, rack - 1))])
