"""The idea behind every scoring rule here: a play is a list of tiles, each with a multiplier.

In the row-draw puzzle the multiplier is the position; in Scrabble notation brackets say it; on a board the premium squares say
it, and word premiums multiply the sum.
"""

from collections.abc import Iterable


def points(play: Iterable[tuple[int, int]]) -> int:
    """The sum of value x multiplier over the (value, multiplier) of each tile."""
    return sum(value * multiplier for value, multiplier in play)
