"""The idea behind every scoring rule here: a play is a list of tiles, each with a multiplier.

In the row-draw puzzle the multiplier is the position. In Scrabble notation it comes from brackets. On a board it comes from the
premium squares, and word premiums multiply the sum.
"""

from collections.abc import Iterable


def points(play: Iterable[tuple[int, int]]) -> int:
    """The sum of value x multiplier, where each tile of `play` is a pair (value, multiplier)."""
    return sum(value * multiplier for value, multiplier in play)
