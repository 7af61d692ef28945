"""The relaxed games r1, r2 and r3: upper bounds on the score of a game in which each tile has a price.

For any prices, the sum of the prices of all tiles + the value of the best relaxed game is an upper bound. A real game plays
each tile at most once, so that it pays at most the sum of all prices; and every real game is also a relaxed game.

r1: a turn may play any tiles drawn so far. r2: with m tiles held before the draw, a word may need at most m letters besides the
new letters and new blanks. r3: as r2, but tiles held have prices, too. After a play the game sells the tiles that it keeps, at
the prices of that moment. Before the next draw it buys the same number of tiles, of any drawn so far. A real game buys back the
tiles that it has sold.

The computation is plain dynamic programming, from the last tile to the first, in whole thousandths of a point.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verify.bound.turn import NONE, Shortlist, ascending, best_turn, counts_of, shortlist
from verify.bound.word_arrays import BLANK_KIND, KINDS, PADDING, Ints, WordArrays, kinds_of, masks, values_of
from verify.replay.rules import Rules

POINT = 1000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Prices:
    """The prices that prove a bound.

    Attributes:
        tile: The price of each tile of the row, in thousandths of a point.
        leave: The price of each kind of tile in a leave, int64, shape (tiles + rack + 1, sides, holds, KINDS);
            `RelaxedGame.worth` defines the moment, side and hold of a leave.
        width: The number of left draws that share one node of r1.
    """

    tile: list[int]
    leave: Ints
    width: int = 1


class RelaxedGame:
    """A relaxed game of `rules`."""

    def __init__(self, rules: Rules, prices: Prices, progress: Progress) -> None:
        self._rules = rules
        self._prices = prices
        self._progress = progress
        self.row: list[int] = kinds_of(rules).tolist()
        self._priced = list(zip(self.row, prices.tile, strict=True))
        self._words = WordArrays.of(rules)
        # by tiles drawn: the value of the game before the draw, shape (left draws, held)
        self._value: dict[int, Ints] = {}
        self._lists: dict[tuple[int, int, int], Shortlist] = {}
        self.values = values_of(rules) * POINT

    def worth(self, drawn: int, left: int, held: int) -> Ints:
        """Return the price of each kind of tile in a leave of `held` tiles: int64, shape (KINDS,)."""
        tiles, rack = len(self.row), self._rules.rack_size
        _moments, sides, holds, _kinds = self._prices.leave.shape
        if drawn == tiles:
            worth: Ints = self._prices.leave[tiles + rack - held, 0, 0]
        else:
            worth = self._prices.leave[drawn, left * sides // (drawn + 1), held * holds // rack]
        return worth

    # r1

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

    # r2 and r3

    def held_bound(self) -> int:
        """Return the bound of r3; without prices of leaves this is the bound of r2."""
        tiles, rack = len(self.row), self._rules.rack_size
        value = self._value = {
            drawn: np.zeros((drawn + 1 if drawn < tiles else 1, rack + 1), dtype=np.int64)
            for drawn in range(tiles + 1)
            if drawn == 0 or drawn >= min(rack, tiles)
        }
        for size in range(1, min(rack, tiles) + 1):
            value[tiles][0, size] = self._turn(tiles, 0, size, tiles, 0, value, 0)
            for gone in range(1, size + 1):
                before, held = tiles - gone, size - gone
                if before in value and (before > 0 or held == 0):
                    for left in range(before + 1):
                        value[before][left, held] = self._turn(
                            before, left, held, tiles, 0, value, int(value[before][left, held])
                        )
        for after in range(tiles - 1, rack - 1, -1):
            for left in range(after + 1):
                for from_left in range(min(rack, left) + 1):
                    for from_right in range(min(rack - from_left, after - left) + 1):
                        before, was, held = after - from_left - from_right, left - from_left, rack - from_left - from_right
                        if before < after and before in value and (before > 0 or held == 0):
                            value[before][was, held] = self._turn(
                                before, was, held, after, left, value, int(value[before][was, held])
                            )
            self._lists.clear()
            self._progress(tiles - after, tiles - rack + 1)
        return sum(self._prices.tile) + int(value[0][0, 0])

    def _near(self, drawn: int, left: int) -> list[tuple[int, int]]:
        tiles = len(self.row)
        if drawn == tiles:
            return self._priced
        return [tile for i, tile in enumerate(self._priced) if i < left or i >= tiles - (drawn - left)]

    def _turn(self, before: int, was: int, held: int, after: int, left: int, value: dict[int, Ints], floor: int) -> int:
        """Return the highest value of a turn and the rest of the game, or `floor` if that is higher.

        Args:
            before: The tiles drawn before the turn.
            was: The left draws before the turn.
            held: The tiles held before the turn.
            after: The tiles drawn after its draw.
            left: The left draws after its draw.
            value: The value of the game before a draw, by tiles drawn.
            floor: A value that is already reached.
        """
        tiles, rack = len(self.row), self._rules.rack_size
        size = held + after - before
        new = self._between(before, was, after, left)
        old = [self._priced[i] for i in range(tiles) if i < was or i >= tiles - (before - was)]
        new_price, old_price = ascending(new, rack), ascending(old, held) if held else np.full((KINDS, 0), NONE, dtype=np.int64)
        bought = self.worth(before, was, held)
        have = [kind for kind in range(PADDING) if held and old_price[kind, 0] < NONE]
        counts = np.bincount(np.array([kind for kind, _price in new], dtype=np.int64), minlength=KINDS)
        prices, base = [np.full((KINDS, rack), NONE, dtype=np.int64)], [-NONE]
        for length in range(1, rack + 1):
            if length > size:
                prices.append(prices[0])
                base.append(-NONE)
                continue
            sold = self.worth(after, left, size - length)
            rise = int((sold - bought)[have].max()) if held else 0
            dear = np.minimum(np.concatenate([new_price + sold[:, None], old_price + (bought + rise)[:, None]], axis=1), NONE)
            dear.sort(axis=1)
            dear[PADDING] = 0
            prices.append(dear[:, :rack])
            base.append(int((counts * sold).sum()) + held * rise)
        drawn = masks(counts_of([kind for kind, _price in new]))
        listed = self._listed(after, left, size, value)
        return best_turn(listed, prices, base, drawn, held + int(counts[BLANK_KIND]), floor)

    def _between(self, before: int, was: int, after: int, left: int) -> list[tuple[int, int]]:
        """Return the tiles drawn between two moments, with their prices."""
        tiles = len(self.row)
        if after == tiles:
            return self._priced[was : tiles - (before - was)] if before < tiles else []
        return self._priced[was:left] + self._priced[tiles - (after - left) : tiles - (before - was)]

    def _listed(self, after: int, left: int, size: int, value: dict[int, Ints]) -> Shortlist:
        if (after, left, size) not in self._lists:
            rack = self._rules.rack_size
            lowest = ascending(self._near(after, left), 1)[:, 0]
            onward: list[int | None] = [None, *(int(value[after][left, size - length]) for length in range(1, size + 1))]
            least = [lowest]
            for length in range(1, size + 1):
                dear = np.minimum(lowest + self.worth(after, left, size - length), NONE)
                dear[PADDING] = 0
                least.append(dear)
            if len(self._lists) > 2 * rack:
                self._lists.clear()
            self._lists[after, left, size] = shortlist(self._words, self.values, least, onward)
        return self._lists[after, left, size]
