"""Foci: sets of prices, each for the states of a part of the game, and their bounds."""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from verify.bound.relaxed_game import POINT, Prices
from verify.bound.shortlists import CompiledWords, Shortlist
from verify.bound.turn import NONE, ascending
from verify.bound.values import Block, PricedGame, Values, leave_worth, left_draw_range, settle_block
from verify.bound.word_arrays import KINDS, Ints, WordArrays, kinds_of, values_of
from verify.replay.rules import Rules

_BLOCK = 8  # left draws evaluated together; the fewer they are, the shorter is the list of words that they share


class Outlook(NamedTuple):
    """The parts of the completion bounds after a draw, for one number of left draws, in thousandths of a point.

    Attributes:
        to_come: By tiles held, the prices of the tiles not drawn yet + the value of the relaxed game, shape (rack + 1,).
        worth: By tiles held, tile as kind + 1, and number of such tiles: their worth in a leave, shape
            (rack + 1, KINDS, rack + 1). It is the prices of the cheapest ones drawn + the prices of leaves; NONE or more where
            fewer are drawn. For a full rack, which is no leave, it lacks the prices of leaves.
    """

    to_come: Ints
    worth: Ints


@dataclass(frozen=True)
class Focus:
    """Prices for the states from one layer on whose left draws are in a window.

    Attributes:
        played: The number of tiles played in the first layer covered.
        window: The states that have values: the fewest tiles drawn; the fewest and the most left draws of states with that
            number of tiles drawn.
        prices: The prices.
    """

    played: int
    window: tuple[int, int, int]
    prices: Prices


WHOLE = (0, 0, 0)


@dataclass(frozen=True)
class Settled:
    """A focus with the values of its relaxed game.

    Attributes:
        focus: The focus.
        game: Its relaxed game.
        most: The values in thousandths of a point, by tiles drawn, left draws and tiles held.
    """

    focus: Focus
    game: PricedGame
    most: Ints

    @classmethod
    def of(
        cls, focus: Focus, rules: Rules, words: CompiledWords, pool: ThreadPoolExecutor, stop: Callable[[], None]
    ) -> "Settled":
        """Evaluate all states of the window; `stop` is called now and then, and may raise to stop the work."""
        game, tiles, rack = game_of(focus, rules), len(rules.row), rules.rack_size
        shape = values_shape(rules)
        values = Values(np.zeros(shape, dtype=np.int64), np.full(shape, -1, dtype=np.int32))
        listed: dict[tuple[int, int], Shortlist] = defaultdict(lambda: new_shortlist(words, rack))
        for size in range(1, min(rack, tiles) + 1):
            settle_block(Block(tiles, size, 0, 1), game, words, values, listed[-1, size])

        def settle(block: Block) -> None:
            # each block has a separate list, so that no two threads share one
            settle_block(block, game, words, values, listed[block.held, block.first])

        for before in range(tiles - 1, focus.window[0] - 1, -1):
            if before == 0:
                settle(Block(0, 0, 0, 1))
            elif before >= rack:
                stop()
                low, high = left_draw_range(focus.window, before)
                blocks = [
                    Block(before, held, first, min(high + 1, first + _BLOCK))
                    for held in range(rack)
                    for first in range(low, high + 1, _BLOCK)
                ]
                for block in blocks:
                    listed[block.held, block.first]  # create it before threads need it
                list(pool.map(settle, blocks))
        return cls(focus, game, values.most)

    @property
    def bound(self) -> int:
        """The bound of the whole game, in thousandths of a point; valid only if the window is the whole row."""
        return int(self.game.price.sum()) + int(self.most[0, 0, 0])

    def covers(self, drawn: int, left: int) -> bool:
        """Return whether states with these tiles drawn and left draws have values."""
        low, high = left_draw_range(self.focus.window, drawn)
        return drawn >= self.focus.window[0] and low <= left <= high

    def distance(self, layer: int, left: int) -> int:
        """Return how far a state of a layer is from the states that the prices are for, see docs/bound.md."""
        _first, low, high = self.focus.window
        then = 2 * left - (layer - self.focus.played)
        return max(2 * low - then, then - 2 * high)

    def outlook(self, drawn: int, left: int) -> Outlook:
        """Return the outlook once `drawn` tiles are drawn, `left` of them from the left."""
        row, price, rack = self.game.row, self.game.price.tolist(), self.game.rack
        tiles = len(row)
        end = tiles if drawn == tiles else tiles - (drawn - left)
        begin = tiles if drawn == tiles else left
        near = [(int(row[i]), price[i]) for i in range(tiles) if i < begin or i >= end]
        drawn_prices = np.zeros((KINDS, rack + 1), dtype=np.int64)
        drawn_prices[1:, 1:] = ascending(near, rack)[: KINDS - 1].cumsum(axis=1)
        worth = np.repeat(drawn_prices[None], rack + 1, axis=0)
        for held in range(rack):
            worth[held, 1:] += leave_worth(self.game, drawn, left, held)[: KINDS - 1, None] * np.arange(rack + 1)
        return Outlook(self.most[drawn, left, : rack + 1] + sum(price[begin:end]), worth)


def values_shape(rules: Rules) -> tuple[int, int, int]:
    """Return the shape of the values of a focus: tiles drawn, left draws, tiles held."""
    return len(rules.row) + 2, len(rules.row) + 3, rules.rack_size + 1


def game_of(focus: Focus, rules: Rules) -> PricedGame:
    """Return the relaxed game of a focus for compiled code."""
    prices = focus.prices
    return PricedGame(kinds_of(rules), np.array(prices.tile, dtype=np.int64), prices.leave, focus.window, rules.rack_size)


def new_shortlist(words: CompiledWords, rack: int) -> Shortlist:
    """Return an empty shortlist."""
    return Shortlist(
        np.empty(len(words.letters), dtype=np.int32),
        np.zeros(rack + 1, dtype=np.int64),
        np.full(rack + 1, NONE, dtype=np.int64),
        np.zeros((rack + 1, rack, KINDS), dtype=np.int64),
    )


def compiled_words(rules: Rules) -> CompiledWords:
    """Return the words of `rules` for compiled code."""
    words = WordArrays.of(rules)
    letters = words.letters.astype(np.int8)
    same = np.cumprod(letters[1:] == letters[:-1], axis=1, dtype=np.int8).sum(axis=1, dtype=np.int8)
    shared = np.concatenate([np.zeros(min(1, len(letters)), dtype=np.int8), same])
    shared[words.starts[words.starts < len(letters)]] = 0  # the word before has another length
    return CompiledWords(words.starts, letters, np.ascontiguousarray(words.masks), shared, values_of(rules) * POINT)


class Judges:
    """All foci, the first of which covers all states. For each state of a layer one focus gives the bound."""

    def __init__(self, settled: list[Settled]) -> None:
        self._settled = settled
        self._tiles = len(settled[0].game.row)
        self._kept: dict[tuple[int, int, int], Outlook] = {}

    def outlook(self, layer: int, drawn: int, left: int) -> Outlook:
        """Return the outlook for the leaves of a layer with these tiles drawn and left draws."""
        return self._outlook(self._judge(layer, drawn, left), drawn, left)

    def by_focus(self, played: int, left: int) -> tuple[Ints, Ints]:
        """Return the parts of the completion bounds of a layer's states with these left draws, by focus and tiles held.

        They are those of `Outlook`, shapes (foci, rack) and (foci, rack, KINDS, rack + 1), the foci of near layers first. Only
        foci that cover any of the states are among them; where one covers no state, the value to come is NONE.
        """
        rack = self._settled[0].game.rack
        parts = []
        for number in sorted(range(len(self._settled)), key=lambda number: abs(self._settled[number].focus.played - played)):
            to_come, worth = np.full(rack, NONE, dtype=np.int64), np.zeros((rack, KINDS, rack + 1), dtype=np.int64)
            for held in range(rack):
                drawn = min(self._tiles, played + held)
                if self._settled[number].covers(drawn, left) if drawn < self._tiles else left == 0:
                    outlook = self._outlook(number, drawn, left)
                    to_come[held], worth[held] = outlook.to_come[held], outlook.worth[held]
            if (to_come < NONE).any():
                parts.append((to_come, worth))
        all_to_come, all_worth = zip(*parts, strict=True)
        return np.stack(all_to_come), np.stack(all_worth)

    def _outlook(self, number: int, drawn: int, left: int) -> Outlook:
        place = (number, drawn, left)
        if place not in self._kept:
            self._kept[place] = self._settled[number].outlook(drawn, left)
        return self._kept[place]

    def forget(self, drawn: int) -> None:
        """Free the outlooks of fewer than `drawn` tiles drawn."""
        self._kept = {place: made for place, made in self._kept.items() if place[1] >= drawn}

    def _judge(self, layer: int, drawn: int, left: int) -> int:
        fit = [
            (-some.focus.played, 0 if drawn == self._tiles else some.distance(layer, left), number)
            for number, some in enumerate(self._settled)
            if some.focus.played <= layer and (drawn == self._tiles or some.covers(drawn, left))
        ]
        return min(fit)[2]
