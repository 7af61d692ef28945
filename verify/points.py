"""The scoring rule of all games: each tile of a play has a multiplier.

It is the position in the row-draw puzzle, brackets in Scrabble notation, and premium squares on a board.
"""

from collections.abc import Iterable


def points(play: Iterable[tuple[int, int]]) -> int:
    """Return the sum of value x multiplier, where each tile of `play` is a pair (value, multiplier)."""
    return sum(value * multiplier for value, multiplier in play)
