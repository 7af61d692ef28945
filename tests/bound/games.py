"""Small puzzles with prices, on both sides: as the solver and as the referee have them."""

import random
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from solver.bound.relaxations.prices import Prices
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon, Puzzle
from solver.model.tiles import N_CODES
from tests.reference import VALUES
from verify.rules import Rules

WORDS = (
    "a",
    "at",
    "east",
    "eat",
    "oat",
    "otto",
    "seat",
    "sesses",
    "stoat",
    "tea",
    "teas",
    "to",
    "toe",
    "toasts",
    "zest",
    "zoo",
)


@dataclass(frozen=True)
class Small:
    """A puzzle of a few tiles, and prices for them."""

    problem: Problem
    rules: Rules
    prices: Prices

    @property
    def row(self) -> str:
        return self.problem.puzzle.row


def small(row: str, rack: int, seed: int) -> Small:
    """The puzzle of `row`, with prices that depend on `seed`."""
    rng = np.random.default_rng(seed)
    sides, holds = random.Random(seed).choice([(1, 1), (2, 3), (3, 2)])
    tile = rng.integers(0, 9000, len(row))
    leave = rng.integers(0, 3000, (len(row) + rack + 1, sides, holds, N_CODES))
    puzzle = Puzzle("small", row, rack, "small", VALUES)
    problem = Problem(puzzle, Lexicon("small", tuple(sorted(WORDS))))
    return Small(problem, Rules(row, rack, VALUES, frozenset(WORDS), name="small"), Prices(tile, leave))


smalls = st.builds(small, st.text("aeostz?", min_size=1, max_size=9), st.integers(2, 6), st.integers(0, 10_000))
