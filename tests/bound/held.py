"""The relaxed games r2 and r3 by plain dynamic programming: the twin of the checker's compiled code."""

import numpy as np

from verify.bound.relaxed_game import Prices, RelaxedGame
from verify.bound.turn import NONE, Shortlist, ascending, best_turn, counts_of, shortlist
from verify.bound.word_arrays import BLANK_KIND, KINDS, PADDING, Ints, masks
from verify.replay.rules import Rules


class HeldGame(RelaxedGame):
    """A relaxed game in which turns remember how many tiles they hold: r3, or without prices of leaves r2.

    value: of the game before the draw, by tiles drawn; int64, shape (left draws, held).
    """

    def __init__(self, rules: Rules, prices: Prices) -> None:
        super().__init__(rules, prices, lambda _done, _total: None)
        self.value: dict[int, Ints] = {}
        self._lists: dict[tuple[int, int, int], Shortlist] = {}

    def worth(self, drawn: int, left: int, held: int) -> Ints:
        """Return the price of each kind of tile in a leave of `held` tiles: int64, shape (KINDS,)."""
        tiles, rack = len(self.row), self._rules.rack_size
        _moments, sides, holds, _kinds = self._prices.leave.shape
        if drawn == tiles:
            worth: Ints = self._prices.leave[tiles + rack - held, 0, 0]
        else:
            worth = self._prices.leave[drawn, left * sides // (drawn + 1), held * holds // rack]
        return worth

    def held_bound(self) -> int:
        """Return the bound of r3; without prices of leaves this is the bound of r2."""
        tiles, rack = len(self.row), self._rules.rack_size
        value = self.value = {
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
