"""The checker of docs/certificate.md in plain Python, written after that page: slow, and with nothing but its formulas."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from tests.reference import best_by_tiles, draws

MISSING = -(10**12)  # the gain of a place without a tile
Node = tuple[int, int, int]
"""Tiles drawn, left draws, tiles held."""
Cell = tuple[int, int, int]
"""Moment, side and hold of a leave."""


@dataclass(frozen=True)
class PlainPrices:
    """Prices in thousandths: of each tile of the row, and of each kind of tile in the leaves of a cell; 0 if none is given."""

    tile: list[int]
    leave: dict[Cell, dict[str, int]]
    sides: int = 1
    holds: int = 1


class PlainFocus(NamedTuple):
    """A focus: first layer, window, prices."""

    played: int
    window: tuple[int, int, int]
    prices: PlainPrices


class State(NamedTuple):
    """A state of a sweep: tiles played, left draws (0 once the row is empty), the leave in sorted order."""

    played: int
    left: int
    leave: str


class Bounded(NamedTuple):
    """A state that a sweep meets: its best score, and its completion bounds in thousandths.

    judge, before: the focus for the layer of the state that it was played from, and the bound by it.
    own: the bound by the focus for the layer of the state.
    """

    state: State
    score: int
    judge: int
    before: int
    own: int


@dataclass(frozen=True)
class PlainGame:
    """A puzzle."""

    row: str
    rack: int
    values: dict[str, int]
    words: list[str]

    @property
    def tiles(self) -> int:
        return len(self.row)

    def drawn(self, drawn: int, left: int) -> list[int]:
        """The places of the tiles drawn, from 0."""
        right = drawn - left
        return [i for i in range(self.tiles) if drawn == self.tiles or i < left or i >= self.tiles - right]

    def gain(self, word: str, tiles: list[tuple[str, int]]) -> int | None:
        """The most points in thousandths less prices, over all ways to lay down `word` from priced tiles; None for no way."""
        prices = {kind: sorted(price for other, price in tiles if other == kind) for kind, _price in tiles}
        gains = []
        for place in range(len(word), 0, -1):
            letter = word[place - 1]
            rest = prices.get(letter, [])
            gains.append(1000 * place * self.values.get(letter, 0) - rest.pop(0) if rest else MISSING)
        gains.sort()
        total = sum(gains)
        for gain, price in zip(gains, prices.get("?", []), strict=False):
            total += max(0, -price - gain)
        return total if total > MISSING // 2 else None

    def gain_of_all_ways(self, word: str, tiles: list[tuple[str, int]]) -> int | None:
        """The same figure, by trying everything."""
        best = None
        for play in permutations(tiles, len(word)):
            if all(kind in (letter, "?") for (kind, _price), letter in zip(play, word, strict=True)):
                points = sum((i + 1) * self.values.get(kind, 0) for i, (kind, _price) in enumerate(play))
                gain = 1000 * points - sum(price for _kind, price in play)
                best = gain if best is None else max(best, gain)
        return best

    # r1

    def free_values(self, prices: list[int], width: int) -> tuple[dict[tuple[int, int], int], dict[int, int], int]:
        """The values of the nodes of r1 and those with an empty row by the size of the rack; the bound."""
        tiles, rack = self.tiles, self.rack
        ends = {0: 0}
        for size in range(1, min(rack, tiles) + 1):
            ends[size] = self._free(list(range(tiles)), prices, {n: ends[size - n] for n in range(1, size + 1)})
        nodes: dict[tuple[int, int], int] = {}

        def after(drawn: int, node: int, length: int) -> int:
            if drawn + length >= tiles:
                return ends[tiles - drawn + rack - length]
            lefts = range(node * width, min(drawn, node * width + width - 1) + length + 1)
            return max(nodes[drawn + length, left // width] for left in lefts)

        for drawn in range(tiles - 1, rack - 1, -1):
            for node in range(drawn // width + 1):
                left, right = min(drawn, (node + 1) * width - 1), drawn - node * width
                near = [i for i in range(tiles) if i < left or i >= tiles - right]
                onward = {length: after(drawn, node, length) for length in range(1, rack + 1)}
                nodes[drawn, node] = self._free(near, prices, onward)
        first = ends[tiles] if tiles <= rack else max(nodes[rack, left // width] for left in range(rack + 1))
        return nodes, ends, sum(prices) + first

    def _free(self, near: list[int], prices: list[int], onward: dict[int, int]) -> int:
        best = 0
        for word in self.words:
            gain = self.gain(word, [(self.row[i], prices[i]) for i in near]) if len(word) in onward else None
            if gain is not None:
                best = max(best, gain + onward[len(word)])
        return best

    # r2 and r3

    def worth(self, focus: PlainFocus, drawn: int, left: int, held: int) -> dict[str, int]:
        """The prices of the leaves of a cell."""
        first, low, high = focus.window
        prices = focus.prices
        if drawn == self.tiles:
            return prices.leave.get((self.tiles + self.rack - held, 0, 0), {})
        side = (left - low) * prices.sides // (high - low + drawn - first + 1)
        return prices.leave.get((drawn, side, held * prices.holds // self.rack), {})

    def held_values(self, focus: PlainFocus) -> dict[Node, int]:
        """The values of all nodes of the window of a focus."""
        tiles, rack = self.tiles, self.rack
        first, low, high = focus.window
        values = {(tiles, 0, 0): 0}
        for held in range(1, min(rack, tiles) + 1):
            values[tiles, 0, held] = self._held(focus, values, (tiles, 0, held))
        for drawn in range(tiles - 1, max(first, rack) - 1, -1):
            for left in range(low, min(drawn, high + drawn - first) + 1):
                for held in range(rack):
                    values[drawn, left, held] = self._held(focus, values, (drawn, left, held))
        if first == 0:
            values[0, 0, 0] = self._held(focus, values, (0, 0, 0))
        return values

    def _held(self, focus: PlainFocus, values: dict[Node, int], node: Node) -> int:
        drawn, left, held = node
        fresh = min(self.rack - held, self.tiles - drawn)
        if drawn + fresh == self.tiles:
            return max([0, *self._turns(focus, values, node, drawn + fresh, 0)])
        return max(
            [
                0,
                *(value for more in range(fresh + 1) for value in self._turns(focus, values, node, drawn + fresh, left + more)),
            ]
        )

    def _turns(self, focus: PlainFocus, values: dict[Node, int], node: Node, after: int, left: int) -> Iterator[int]:
        """The values of all words of a turn."""
        drawn, was, held = node
        prices = focus.prices.tile
        old = self.drawn(drawn, was) if drawn else []
        new = [i for i in self.drawn(after, left) if i not in old]
        bought = self.worth(focus, drawn, was, held)
        fresh = Counter(self.row[i] for i in new)
        for word in self.words:
            keep = held + len(new) - len(word)
            if keep < 0:
                continue
            lacking = sum(max(0, min(4, count) - min(4, fresh[letter])) for letter, count in Counter(word).items())
            if lacking > held + fresh["?"]:
                continue
            sold = self.worth(focus, after, left, keep)
            rise = max(sold.get(self.row[i], 0) - bought.get(self.row[i], 0) for i in old) if held else 0
            tiles = [(self.row[i], prices[i] + sold.get(self.row[i], 0)) for i in new]
            for kind in set(self.row):
                cheapest = sorted(prices[i] for i in old if self.row[i] == kind)[:held]
                tiles += [(kind, price + bought.get(kind, 0) + rise) for price in cheapest]
            gain = self.gain(word, tiles)
            if gain is not None:
                base = values[after, left, keep] + sum(sold.get(self.row[i], 0) for i in new) + held * rise
                yield base + gain

    # the sweep

    def completion(self, focus: PlainFocus, values: dict[Node, int], state: State, score: int) -> int:
        """The completion bound of a state by a focus."""
        drawn = state.played + len(state.leave)
        near = self.drawn(drawn, state.left)
        prices, worth = focus.prices.tile, self.worth(focus, drawn, state.left, len(state.leave))
        total = 1000 * score + sum(prices[i] for i in range(self.tiles) if i not in near)
        for kind, count in Counter(state.leave).items():
            total += sum(sorted(prices[i] for i in near if self.row[i] == kind)[:count]) + count * worth.get(kind, 0)
        return total + values[drawn, state.left, len(state.leave)]

    def judge(self, foci: list[PlainFocus], layer: int, drawn: int, left: int) -> int:
        """The index of the focus for the leaves of a layer."""
        fit = []
        for number, focus in enumerate(foci):
            first, low, high = focus.window
            covered = drawn >= first and low <= left <= min(drawn, high + drawn - first)
            if focus.played <= layer and (drawn == self.tiles or covered):
                twice = 2 * left - (layer - focus.played)
                far = 0 if drawn == self.tiles else max(2 * low - twice, twice - 2 * high)
                fit.append((-focus.played, far, number))
        return min(fit)[2]

    def sweep(self, foci: list[PlainFocus], claim: int) -> list[Bounded]:
        """All states that a sweep without dominance meets, in order of their layers; only those with both bounds above the
        claim are played from."""
        values = [self.held_values(focus) for focus in foci]
        layers: list[dict[State, tuple[int, int, int]]] = [{} for _ in range(self.tiles + 1)]
        start = State(0, 0, "")
        layers[0][start] = (0, 0, self.completion(foci[0], values[0], start, 0))
        met = []
        for played, layer in enumerate(layers):
            for state, (score, parent, before) in sorted(layer.items()):
                drawn = played + len(state.leave)
                judge = self.judge(foci, played, drawn, state.left)
                own = self.completion(foci[judge], values[judge], state, score)
                met.append(Bounded(state, score, parent, before, own))
                if min(before, own) < 1000 * (claim + 1):
                    continue
                right = self.tiles if drawn == self.tiles else drawn - state.left
                at = self.tiles - right if drawn == self.tiles else state.left
                for left, _right, rack in set(draws(self.row, at, right, state.leave, self.rack)):
                    after = played + len(rack)
                    place = 0 if after == self.tiles else left
                    for tiles, points in best_by_tiles(rack, self.words, self.values).items():
                        rest = "".join(sorted((Counter(rack) - Counter(tiles)).elements()))
                        then = State(played + len(tiles), place, rest)
                        total = score + points
                        above = self.judge(foci, played, after, place)
                        bound = self.completion(foci[above], values[above], then, total)
                        known = layers[then.played].get(then)
                        if known is None or known[0] < total:
                            layers[then.played][then] = (total, above, bound)
        return met
