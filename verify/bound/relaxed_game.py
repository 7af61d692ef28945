"""The relaxed games r1, r2 and r3: upper bounds on the score of a game in which each tile has a price.

For any prices, the sum of the prices of all tiles + the value of the best relaxed game is an upper bound. A real game plays
each tile at most once, so that it pays at most the sum of all prices; and every real game is also a relaxed game.

r1: a turn may play any tiles drawn so far. r2: with m tiles held before the draw, a word may need at most m letters besides the
new letters and new blanks. r3: as r2, but tiles held have prices, too. After a play the game sells the tiles that it keeps, at
the prices of that moment. Before the next draw it buys the same number of tiles, of any drawn so far. A real game buys back the
tiles that it has sold.

R1 is computed here by plain dynamic programming, from the last tile to the first, in whole thousandths of a point;
`verify.bound.values` computes r2 and r3.
"""

from collections.abc import Callable
from dataclasses import dataclass

from verify.bound.turn import ascending, best_turn, counts_of, shortlist
from verify.bound.word_arrays import BLANK_KIND, Ints, WordArrays, kinds_of, masks, values_of
from verify.replay.rules import Rules

POINT = 1000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Prices:
    """The prices that prove a bound.

    Attributes:
        tile: The price of each tile of the row, in thousandths of a point.
        leave: The price of each kind of tile in a leave, int64, shape (tiles + rack + 1, sides, holds, KINDS), by moment (tiles
            drawn, or tiles + rack - held once the row is empty), side (left * sides // (drawn + 1)) and hold (held * holds //
            rack); once the row is empty side and hold are 0.
        width: The number of left draws that share one node of r1.
    """

    tile: list[int]
    leave: Ints
    width: int = 1


class RelaxedGame:
    """The relaxed game r1 of `rules`."""

    def __init__(self, rules: Rules, prices: Prices, progress: Progress) -> None:
        self._rules = rules
        self._prices = prices
        self._progress = progress
        self.row: list[int] = kinds_of(rules).tolist()
        self._priced = list(zip(self.row, prices.tile, strict=True))
        self._words = WordArrays.of(rules)
        self.values = values_of(rules) * POINT

    def free_bound(self) -> int:
        """Return the bound of r1."""
        tiles, rack = len(self.row), self._rules.rack_size
        end = [0] * (rack + 1)
        for size in range(1, min(rack, tiles) + 1):
            end[size] = self._best_free(self._priced, [None, *(end[size - length] for length in range(1, size + 1))])
        worth: dict[int, list[int]] = {}

        def after(drawn: int, node: int, held: int) -> int:
            """Return the value of the rest of the game after the turn of a node that keeps `held` tiles."""
            then = drawn + rack - held
            if then >= tiles:
                return end[held + tiles - drawn]
            lefts = range(node * self._prices.width, min(drawn, node * self._prices.width + self._prices.width - 1) + 1)
            return max(
                worth[then][(left + more) // self._prices.width]
                for left in (lefts[0], lefts[-1])
                for more in range(then - drawn + 1)
            )

        for drawn in range(tiles - 1, rack - 1, -1):
            worth[drawn] = []
            for node in range(drawn // self._prices.width + 1):
                left = min(drawn, (node + 1) * self._prices.width - 1)
                right = drawn - node * self._prices.width
                near = [tile for i, tile in enumerate(self._priced) if i < left or i >= tiles - right]
                onward = [None, *(after(drawn, node, rack - length) for length in range(1, rack + 1))]
                worth[drawn].append(self._best_free(near, onward))
            worth.pop(drawn + rack + 1, None)
            self._progress(tiles - drawn, tiles - rack + 1)
        return sum(self._prices.tile) + after(0, 0, 0)

    def _best_free(self, near: list[tuple[int, int]], onward: list[int | None]) -> int:
        rack = self._rules.rack_size
        price = ascending(near, rack)
        listed = shortlist(self._words, self.values, [price[:, 0]] * (rack + 1), onward)
        kinds = [kind for kind, _price in near]
        return best_turn(listed, [price] * (rack + 1), [0] * (rack + 1), masks(counts_of(kinds)), kinds.count(BLANK_KIND), 0)
