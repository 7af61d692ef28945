"""Small puzzles with prices, as the solver and the referee have them, and their certificates."""

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.prices import Prices
from solver.bound.relaxation import Relaxation
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.training import Trainer
from solver.index.problem import Problem
from solver.model.tiles import N_CODES
from solver.search.run import Run
from tests.puzzles import problem_of
from tests.reference import VALUES, optimum
from verify.bound.certificate import Certificate, read_certificate
from verify.rules import Rules

WORDS = [
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
]


@dataclass(frozen=True)
class Small:
    """A puzzle of a few tiles, and prices for them."""

    problem: Problem
    prices: Prices

    @property
    def rules(self) -> Rules:
        return self.problem.rules

    @property
    def row(self) -> str:
        return self.problem.puzzle.row

    @property
    def best(self) -> int:
        """The best score, found by trying every game."""
        return optimum(self.row, self.problem.puzzle.rack_size, self.problem.lexicon.words)


def small(row: str, rack: int, seed: int, words: Sequence[str] = WORDS) -> Small:
    """The puzzle of `row`, with prices that depend on `seed`."""
    rng = np.random.default_rng(seed)
    sides, holds = random.Random(seed).choice([(1, 1), (2, 3), (3, 2)])
    tile = rng.integers(0, 9000, len(row))
    leave = rng.integers(0, 3000, (len(row) + rack + 1, sides, holds, N_CODES))
    problem = problem_of(words, row, rack, VALUES, name="small")
    return Small(problem, Prices(tile, leave))


smalls = st.builds(
    small, st.text("aeostz?", min_size=1, max_size=9), st.integers(2, 6), st.integers(0, 10_000)
)


def bound_of_prices(game: Small) -> Bound:
    """The bound that the prices of the game give."""
    with ThreadPoolExecutor(1) as pool:
        bound = Relaxation(game.problem, pool, uses_leave=True).evaluate(game.prices)
    assert bound is not None
    return Bound(game.prices, bound)


def text_of(game: Small) -> str:
    """The certificate of the bound that the prices of the game give."""
    return certificate(game.problem, bound_of_prices(game))


def swept(game: Small, states: int, trainer: Trainer | None = None) -> str:
    """A certificate whose bound comes from a sweep."""
    bound = bound_of_prices(game)
    for lower in sweeps(game.problem, Run(), bound, states, trainer):
        bound = lower
    return certificate(game.problem, bound)


def ended(text: str) -> str:
    """A certificate with its last line."""
    return f"{text}end {hashlib.sha256(text.encode('latin-1')).hexdigest()}\n"


def claiming(text: str, claim: int) -> str:
    """A certificate with another claim, and the digest that belongs to it."""
    return ended(re.sub("claim .*", f"claim {claim}", text.rpartition("end ")[0]))


def canonical(words: Iterable[str]) -> bytes:
    """The list of words that certificates state the hash of, and that the second checker reads."""
    return "".join(f"{word}\n" for word in sorted(words)).encode()


# words and values of random certificates
TINY = [
    "a",
    "ab",
    "aba",
    "abba",
    "aaaaa",
    "ba",
    "bab",
    "cab",
    "cabs",
    "scab",
    "bass",
    "sacs",
    "cc",
    "ccccc",
    "ass",
    "bb",
]
TINY_VALUES = {"a": 1, "b": 4, "c": 7, "s": 2}


def tiny_text(seed: int, claim: int | None = None, longest: int = 9) -> str:
    """A certificate of a random row of at most `longest` tiles, for the best score or `claim`."""
    rng = random.Random(seed)
    row = "".join(rng.choice("aabcs?") for _ in range(rng.randint(3, longest)))
    tiles = len(row)
    rack = rng.randint(2, 4 if longest < 9 else 5)
    values = [TINY_VALUES.get(chr(97 + i), 0) for i in range(26)]
    best = optimum(row, rack, TINY, TINY_VALUES) if claim is None else claim
    words = hashlib.sha256(canonical(TINY)).hexdigest()
    lines = [
        f"rowdraw certificate 2\nrow {row}\nrack {rack}\nvalues {_joined(values)}",
        f"words {words}\nclaim {best}",
    ]

    def prices() -> str:
        return f"tiles {_joined(rng.randint(0, 9000) for _ in row)}"

    sides = rng.randint(1, 3)
    holds = rng.randint(1, 3)
    lines.append(f"relaxation r3 {sides} {holds}")
    for number in range(rng.randint(1, 4)):
        drawn = rng.randint(min(rack, tiles), tiles)
        low = rng.randint(0, drawn)
        place = [rng.randint(0, drawn), drawn, low, rng.randint(low, drawn)]
        if number == 0:
            place = [0] * 4
        knots = sorted(rng.sample(range(tiles + rack + 1), rng.randint(1, 4)))
        lines += [f"focus {_joined(place)}", prices(), f"knots {_joined(knots)}"]
        for cell in product(knots, range(sides), range(holds)):
            pairs = [f"{kind} {rng.randint(0, 4000)}" for kind in "abcs?" if rng.random() < 0.5]
            if pairs and rng.random() < 0.7:
                lines.append(f"leave {_joined(cell)} {' '.join(pairs)}")
    return ended("".join(f"{line}\n" for line in lines))


def tiny(*arguments: Any, **options: Any) -> Certificate:
    """The certificate that `tiny_text` writes."""
    return parsed(tiny_text(*arguments, **options))


def parsed(text: str) -> Certificate:
    return read_certificate(text.encode("latin-1"), "c.txt")


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def nodes(
    certificate: Certificate, covers: Callable[[int, int], bool]
) -> list[tuple[int, int, int]]:
    """All states of a relaxed game but the first."""
    tiles = len(certificate.row)
    rack = certificate.rack
    last = [(tiles, 0, held) for held in range(min(rack, tiles) + 1)]
    others = product(range(rack, tiles), range(tiles), range(rack))
    return last + [
        (drawn, left, held) for drawn, left, held in others if left <= drawn and covers(drawn, left)
    ]


def leaves(
    certificate: Certificate, covers: Callable[[int, int], bool]
) -> Iterator[tuple[int, int, str]]:
    """Tiles played, left draws and a leave for each state; it has the first or last tiles drawn."""
    row = certificate.row
    tiles = len(row)
    for drawn, left, held in nodes(certificate, covers):
        near = row if drawn == tiles else row[:left] + row[tiles - (drawn - left) :]
        if held < certificate.rack:
            for some in sorted({near[:held], near[len(near) - held :]}):
                yield drawn - held, left, "".join(sorted(some))
