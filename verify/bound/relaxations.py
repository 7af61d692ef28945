"""The relaxations that a certificate may name: one entry for each, from which the checks of its fields follow."""

from collections.abc import Mapping
from typing import NamedTuple


class Relaxation(NamedTuple):
    """What a certificate of a relaxation holds, and which program computes its bound.

    Attributes:
        counts_held: Whether its states count the tiles held. `verify.bound.values` computes these relaxations, and
            `verify.bound.relaxed_game` the others.
        prices_leaves: Whether leaves have prices. Then a sweep may prove a lower bound.
        most_tiles: The longest row; None for any.
    """

    counts_held: bool
    prices_leaves: bool = False
    most_tiles: int | None = None


_LONGEST = 200  # tiles of a row whose states count the tiles held: their number grows with its square

RELAXATIONS: Mapping[str, Relaxation] = {
    "r1": Relaxation(counts_held=False),
    "r2": Relaxation(counts_held=True, most_tiles=_LONGEST),
    "r3": Relaxation(counts_held=True, most_tiles=_LONGEST, prices_leaves=True),
}

ANY = " or ".join(", ".join(RELAXATIONS).rsplit(", ", 1))
WITH_LEAVES = " or ".join(name for name, relaxation in RELAXATIONS.items() if relaxation.prices_leaves)
