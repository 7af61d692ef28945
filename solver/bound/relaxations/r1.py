"""R1: a turn may play any tiles drawn so far, played or not, each at most once in a turn, and pays their prices.

The rest of such a game depends only on the numbers of tiles drawn from each end. So a longest path over them finds the maximum
exactly; `docs/bound.md` shows why it is an upper bound. Once the row is empty, the rest depends only on the size of the rack.

Every node searches for its best word of each length. The words are sorted once for a group of layers, by an upper bound of
their gains there, and a node stops its search where no later word can be better. In rows of more than `_FINE` tiles a node
covers several left draws, with the tiles of all of them, which weakens the bound.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    DrawnTiles,
    FreeNodes,
    WordOrder,
    cheapest_tiles,
    order_words,
    relax_r1,
)
from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, State, WordTable, by_code, play_of
from solver.bound.relaxations.prices import Prices
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

_FINE = 200  # the longest row whose nodes each cover one left draw
_NODES = 20_000  # approximate limit on the nodes of a longer row
_BLOCK = 24  # nodes in one task of a thread
_GROUP = 4  # layers that share one sorting of the words


class FreeRelaxation:
    """The relaxation R1; `bound`, `goal` and arcs belong to the prices evaluated last."""

    name = "r1"
    first_moment: int | None = None
    first_step = 2.0
    spares = False
    root: State = (0, 0)

    def __init__(self, problem: Problem, pool: ThreadPoolExecutor) -> None:
        self._puzzle = problem.puzzle
        self._table = WordTable.of(problem)
        self._pool = pool
        tiles = len(self._puzzle.row)
        self.width = 1 if tiles <= _FINE else max(1, tiles * tiles // (2 * _NODES))
        self._layers: dict[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]] = {}
        self._prices: Prices

    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, *, full: bool = True) -> int | None:  # noqa: ARG002
        """Return the bound at `prices`, in thousandths of a point; None if `stop` ended the evaluation early.

        Every evaluation of R1 is full.
        """
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        self._prices, self._layers = prices, {}
        self._end(prices)
        for top in range(tiles - 1, rack - 1, -_GROUP):
            if stop():
                return None
            ordered = self._sorted(prices, top)
            for drawn in range(top, max(rack - 1, top - _GROUP), -1):
                self._layer(prices, drawn, ordered)
        return int(prices.tile.sum()) + self._after_draw(0, 0, 0, rack)[0]

    def goal(self) -> Goal:
        """Return the goal whose value is the bound."""
        return Goal.of_whole(self.root, len(self._puzzle.row), self._prices.leave.shape)

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the best path from a state (tiles drawn, node), or for the empty row (tiles, tiles in the rack).

        The path stops at the first state in `passed`; its other states are added to `passed`.
        """
        path: list[Arc] = []
        while True:
            if state in passed:
                return path
            passed.add(state)
            drawn, node = state
            if state == self.root:
                _value, state = self._after_draw(0, 0, 0, self._puzzle.rack_size)
                path.append(Arc((0, 0), state, 0, ()))
                continue
            words = self._layers[drawn][1]
            word = int(words[node])
            if word < 0:
                return path
            offered = by_code(self._puzzle.row_codes, self._prices.tile, self._drawn(drawn, node))
            _value, after = self._after_play(drawn, node, int(self._table.lengths[word]))
            path.append(Arc(state, after, *play_of(self._table, word, offered)))
            state = after

    def _drawn(self, drawn: int, node: int) -> list[int]:
        tiles, width = len(self._puzzle.row), self.width
        if drawn == tiles:
            return list(range(tiles))
        left, right = min(drawn, node * width + width - 1), drawn - node * width
        return [i for i in range(tiles) if i < left or i >= tiles - right]

    def _after_play(self, drawn: int, node: int, length: int) -> tuple[int, State]:
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        if drawn == tiles:
            return int(self._layers[tiles][0][node - length]), (tiles, node - length)
        return self._after_draw(drawn, node, rack - length, rack)

    def _after_draw(self, drawn: int, node: int, held: int, rack: int) -> tuple[int, State]:
        """Return the value and the state of the best draw that fills a rack of `held` tiles."""
        tiles = len(self._puzzle.row)
        after = drawn + rack - held
        if after >= tiles:
            size = held + tiles - drawn
            return int(self._layers[tiles][0][size]), (tiles, size)
        nodes = self._reached(drawn, node, after)
        values = self._layers[after][0][nodes.start : nodes.stop]
        best = int(values.argmax())
        return int(values[best]), (after, nodes.start + best)

    def _reached(self, drawn: int, node: int, after: int) -> range:
        width = self.width
        most_left = min(drawn, node * width + width - 1) + after - drawn
        return range(node, min(after, most_left) // width + 1)

    def _sorted(self, prices: Prices, drawn: int) -> WordOrder:
        """Return the words sorted by upper bounds of their gains after at most `drawn` draws."""
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        places = [i for i in range(tiles) if i < drawn or i >= tiles - drawn]
        least = np.full((rack + 1, N_CODES), MINUS_INFINITY, dtype=np.int64)
        for code, some in by_code(self._puzzle.row_codes, prices.tile, places).items():
            least[:, code] = some[0][0]
        words = len(self._table.ids)
        masks = np.empty((2, words), dtype=np.uint64)
        ordered = WordOrder(np.empty(words, dtype=np.int32), np.empty(words, dtype=np.int64), masks[0], masks[1])
        order_words(self._table.words, least, ordered)
        return ordered

    def _drawn_tiles(self, nodes: int) -> DrawnTiles:
        rack = self._puzzle.rack_size
        return DrawnTiles(np.zeros((nodes, N_CODES), dtype=np.int64), np.zeros((nodes, N_CODES, rack), dtype=np.int64))

    def _end(self, prices: Prices) -> None:
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        drawn_tiles = self._drawn_tiles(1)
        cheapest_tiles(self._puzzle.row_codes, prices.tile, tiles, 0, 1, tiles + 1, drawn_tiles)
        value, word = np.zeros(rack + 1, dtype=np.int64), np.full(rack + 1, -1, dtype=np.int32)
        ordered = self._sorted(prices, tiles)
        for size in range(1, min(rack, tiles) + 1):
            onward = np.full((1, rack + 1), MINUS_INFINITY, dtype=np.int64)
            onward[0, 1 : size + 1] = value[:size][::-1]
            node = FreeNodes(onward, value[size : size + 1], word[size : size + 1])
            relax_r1(0, 1, size, self._table.words, ordered, drawn_tiles, node)
        self._layers[tiles] = value, word

    def _layer(self, prices: Prices, drawn: int, ordered: WordOrder) -> None:
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        nodes = drawn // self.width + 1
        drawn_tiles = self._drawn_tiles(nodes)
        onward = np.full((nodes, rack + 1), MINUS_INFINITY, dtype=np.int64)
        for length in range(1, rack + 1):
            after = drawn + length
            if after >= tiles:
                onward[:, length] = self._layers[tiles][0][rack - length + tiles - drawn]
                continue
            values = self._layers[after][0]
            for node in range(nodes) if self.width > 1 else ():
                reached = self._reached(drawn, node, after)
                onward[node, length] = values[reached.start : reached.stop].max()
            if self.width == 1:
                onward[:, length] = sliding_window_view(values, length + 1).max(axis=1)
        value, word = np.zeros(nodes, dtype=np.int64), np.full(nodes, -1, dtype=np.int32)

        def block(first: int) -> None:
            stop = min(nodes, first + _BLOCK)
            cheapest_tiles(self._puzzle.row_codes, prices.tile, drawn, first, stop, self.width, drawn_tiles)
            relax_r1(first, stop, rack, self._table.words, ordered, drawn_tiles, FreeNodes(onward, value, word))

        list(self._pool.map(block, range(0, nodes, _BLOCK)))
        self._layers[drawn] = value, word
