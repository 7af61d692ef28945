"""R1: a turn may play any tiles drawn so far, played or not, each at most once, at their prices.

The rest of such a game depends only on the numbers of tiles drawn from each end. So a longest path
over them finds the maximum exactly; `docs/bound.md` shows why it is an upper bound. Once the row is
empty, the rest depends only on the size of the rack.

Every node searches for its best word of each length. The words are sorted once for a group of
layers, by an upper bound of their gains there, and a node stops its search where no later word can
be better. In rows of 283 tiles or more a node covers several left draws, with the tiles of all of
them, which weakens the bound.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from solver.bound.kernels.free_game import FreeGame, lefts_of, node_after, relax_free
from solver.bound.kernels.relaxed_play import NO_TILE, WordOrder, order_words
from solver.bound.relaxations.prices import Prices
from solver.bound.relaxations.relaxation import Arc, Relaxation, State, Stop, is_drawn, never
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

_NODES = 20_000  # approximate limit on the nodes
_BLOCK = 24  # nodes in one task of a thread
_GROUP = 4  # layers that share one sorting of the words


class FreeRelaxation(Relaxation):
    """The relaxation R1. A state is a node of `solver.bound.kernels.free_game`, or the root."""

    name = "r1"
    root: State = (0, 0)
    spares = False

    def __init__(self, problem: Problem, pool: ThreadPoolExecutor) -> None:
        super().__init__(problem)
        self._pool = pool
        self.width = max(1, self._tiles**2 // (2 * _NODES))
        self._game: FreeGame

    def evaluate(
        self,
        prices: Prices,
        stop: Stop = never,
        *,
        full: bool = True,  # noqa: ARG002
    ) -> int | None:
        """As `Relaxation.evaluate`; every evaluation of R1 is full."""
        tiles = self._tiles
        rack = self._rack
        shape = (tiles + 1, max(tiles // self.width, rack) + 1)
        self._prices = prices
        self._game = FreeGame(
            row=self._row,
            tile_price=prices.tile,
            words=self.words,
            width=self.width,
            value=np.zeros(shape, np.int64),
            word=np.full(shape, -1, np.int32),
        )
        relax_free(tiles, 1, min(rack, tiles) + 1, self._ordered(prices, tiles), self._game)
        for top in range(tiles - 1, rack - 1, -_GROUP):
            if stop():
                return None
            ordered = self._ordered(prices, top)
            for drawn in range(top, max(rack - 1, top - _GROUP), -1):
                self._relax_layer(drawn, ordered)
        first = node_after(self.root, rack, self._game)
        return int(prices.tile.sum()) + int(self._game.value[first])

    def _relax_layer(self, drawn: int, ordered: WordOrder) -> None:
        nodes = drawn // self.width + 1

        def relax_block(first: int) -> None:
            relax_free(drawn, first, min(nodes, first + _BLOCK), ordered, self._game)

        list(self._pool.map(relax_block, range(0, nodes, _BLOCK)))

    def _ordered(self, prices: Prices, drawn: int) -> WordOrder:
        """Return the words sorted by upper bounds of their gains after at most `drawn` draws."""
        # that many draws from the left, or from the right
        near = is_drawn(self._tiles, drawn, drawn) | is_drawn(self._tiles, drawn, 0)
        cheapest = np.full(N_CODES, NO_TILE)
        np.minimum.at(cheapest, self._row[near], prices.tile[near])
        ordered = WordOrder.empty(len(self.words.letters))
        order_words(self.words, np.tile(cheapest, (self._rack + 1, 1)), ordered)
        return ordered

    def arc_from(self, state: State) -> Arc | None:
        """As `Relaxation.arc_from`."""
        if state == self.root:
            return Arc(state, node_after(state, self._rack, self._game), 0, ())
        word = int(self._game.word[state])
        if word < 0:
            return None
        drawn, _number = state
        low, high = lefts_of(state, self._game)
        near = is_drawn(self._tiles, drawn, low) | is_drawn(self._tiles, drawn, high)
        places = np.flatnonzero(near)
        score, played = self._play(word, places, self._prices.tile[places])
        return Arc(state, node_after(state, len(played), self._game), score, played)
