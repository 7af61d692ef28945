"""R3: a turn may play the tiles that it draws and, of the tiles drawn before, no more than the rack held; leaves have prices.

The rest of a game is a state (tiles drawn, left draws, tiles held). R3 forgets which tiles are held: a relaxed game can hold
"some tile" and choose which one only when it needs it. Prices of leaves make this cheating expensive, and without them R3 is
quicker; `docs/bound.md` shows why either is an upper bound. A game can still keep one leave and declare another one of the same
worth.

All turns of a block of draws share one order of the words, by upper bounds of their gains. Each turn first tries its best word
at the previous prices. It then skips the words whose letters it lacks, by counting the bits of two masks. With a second
order, for old tiles, evaluations took 1.4 times as long (median of ten, rows of 40 and 50 tiles).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.completion_bounds import WHOLE, LeavePrices, Window, leave_cell
from solver.bound.kernels.relaxed_game import (
    LAYERS,
    WIDTH,
    RelaxedGame,
    RelaxedStates,
    blocks_of,
    order_block,
    relax_block,
    relax_last,
    relax_window,
)
from solver.bound.kernels.relaxed_play import DrawnTiles, WordOrder, cheapest_tiles
from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, Held, State, WordTable, by_code, play_of
from solver.bound.relaxations.prices import Prices
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

LONGEST = 200  # tiles of a row: the numbers of states and turns grow with its square


class LeaveRelaxation:
    """The relaxation R3; `values`, `goal` and arcs belong to the prices evaluated last.

    Nodes outside `window` have no value, and only the result for the whole row is a bound.

    Attributes:
        table: the words of the problem.
        known: the words that have been best at some state, int64, ascending.
    """

    name = "r3"
    width = 1
    root: State = (0, 0, 0)
    spares = True

    def __init__(
        self,
        problem: Problem,
        pool: ThreadPoolExecutor | None,
        uses_leave: bool,
        window: Window = WHOLE,
        table: WordTable | None = None,
    ) -> None:
        """Raise `StrategyError` for too long a row. Without a pool the caller's thread evaluates."""
        self.window = window
        self.known = np.zeros(0, dtype=np.int64)
        self.first_moment = max(window.first, problem.puzzle.rack_size) if uses_leave else None
        self._puzzle = problem.puzzle
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        if tiles > LONGEST:
            raise StrategyError(f"relaxation r3 on a row of {tiles} tiles: expected at most {LONGEST}, or r1")
        self.uses_leave = uses_leave
        # the price of a leave affects many turns: the first steps must be small
        self.first_step = 0.1 if uses_leave else 0.75
        self.table = WordTable.of(problem) if table is None else table
        self._pool = pool
        self._drawn_tiles = DrawnTiles(
            np.zeros((tiles + 1, tiles + 1, N_CODES), dtype=np.int64),
            np.zeros((tiles + 1, tiles + 1, N_CODES, rack), dtype=np.int64),
        )
        shape = (tiles + 1, tiles + 1, rack + 1)
        self._states = RelaxedStates(
            np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int8), np.full(shape, -1, dtype=np.int32)
        )
        self._is_start = False  # whether the last evaluation was with known words
        widest = window.high - window.low + tiles - window.first + 1  # left draws of a layer
        self._orders = _new_orders(-(-widest // WIDTH), len(self.table.ids))
        self._prices: Prices
        self._leaves: LeavePrices

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The value of the rest of the game, in thousandths of a point: int64, by tiles drawn, left draws and tiles held."""
        return self._states.value

    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, *, full: bool = True) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop`, asked between layers, ended it early.

        Only a `full` evaluation gives a bound. Otherwise it tries only known words, and the result may be too low.
        """
        # the best turns with known words are a quick start of a search among all words
        is_there = full and self._is_start and self._prices.equal(prices)
        done = is_there or not len(self.known) or self.relax(prices, stop, self.known)
        if done and (full or not len(self.known)):
            done = self.relax(prices, stop)
            self.known = np.union1d(self.known, self.best_words())
        return int(prices.tile.sum()) + int(self._states.value[self.root]) if done else None

    def relax(
        self,
        prices: Prices,
        stop: Callable[[], bool] = lambda: False,
        chosen: npt.NDArray[np.int64] | None = None,
    ) -> bool:
        """Find the best turns at `prices` from all states in the window; return False if `stop` ended the search early.

        Args:
            prices: the prices to evaluate.
            stop: asked between layers; once at the start if one thread does all.
            chosen: indices of the words to try, ascending, among them all that were best before; None for all words. With
                fewer words the values may be too low.
        """
        row = self._puzzle.row_codes
        tiles = len(row)
        self._prices, self._is_start = prices, False
        leave = prices.leave if self.uses_leave else np.zeros_like(prices.leave)
        self._leaves = LeavePrices(leave, tiles, self._puzzle.rack_size, self.window)
        before = RelaxedStates(self.values.copy(), self._states.taken.copy(), self._states.word.copy())
        self._states.value[:] = 0
        self._states.word[:] = -1
        for drawn in range(tiles + 1):
            nodes = drawn + 1 if drawn < tiles else 1
            width = 1 if drawn < tiles else tiles + 1
            drawn_tiles = DrawnTiles(self._drawn_tiles.counts[drawn], self._drawn_tiles.cheapest[drawn])
            cheapest_tiles(row, prices.tile, drawn, 0, nodes, width, drawn_tiles)
        words = self.table.words if chosen is None else self.table.some(chosen)
        if chosen is not None:
            before.word[:] = np.where(before.word >= 0, np.searchsorted(chosen, before.word), -1)
        self._game = RelaxedGame(
            row,
            prices.tile,
            self._drawn_tiles,
            self._leaves,
            words,
            self._orders,
            self._states,
            before,
        )
        if stop():
            return False
        if self._pool is None:
            relax_window(self._game)
        elif not self._relax_layers(self._pool, stop):
            return False
        if chosen is not None:
            # a state without a word has -1, which indexes the appended -1
            self._states.word[:] = np.append(chosen, -1)[self._states.word]
        self._is_start = chosen is not None
        return True

    def _relax_layers(self, pool: ThreadPoolExecutor, stop: Callable[[], bool]) -> bool:
        """Do the same as `relax_window`, on the threads of a pool; return False if `stop` ended it early."""
        game, tiles, rack = self._game, len(self._puzzle.row), self._puzzle.rack_size
        for size in range(1, min(rack, tiles) + 1):
            relax_last(size, game)
        least = max(rack, self.window.first + 1)
        for last in range(tiles - 1, least - 1, -LAYERS):
            if stop():
                return False
            first = max(least, last - LAYERS + 1)
            blocks = range(blocks_of(last, game))
            list(pool.map(order_block, blocks, repeat(first), repeat(last), repeat(game)))
            for drawn in range(last, first - 1, -1):
                list(pool.map(relax_block, repeat(drawn), blocks, repeat(game)))
        return True

    def best_words(self) -> npt.NDArray[np.int64]:
        """Return the words of all best turns, ascending."""
        words = np.unique(self._states.word)
        return words[words >= 0].astype(np.int64)

    def goal(self) -> Goal:
        """Return the goal whose value is the bound."""
        return Goal.of_whole(self.root, len(self._puzzle.row), self._prices.leave.shape)

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the best path from a state (tiles drawn, left draws, tiles held).

        The path stops at the first state in `passed`; its other states are added to `passed`.
        """
        path: list[Arc] = []
        while state not in passed and (word := int(self._states.word[state])) >= 0:
            passed.add(state)
            path.append(self._arc(state, word))
            state = path[-1].target
        return path

    def _arc(self, state: State, word: int) -> Arc:
        """Return the best turn from a state, which plays `word`, with the tiles that it declares and keeps."""
        row, rack = self._puzzle.row_codes, self._puzzle.rack_size
        tiles = len(row)
        was_drawn, was_left, held = state
        draws = min(rack - held, tiles - was_drawn)
        after = was_drawn + draws
        left = was_left + int(self._states.taken[state]) if after < tiles else tiles
        right = after - left
        if after < tiles:
            new = [*range(was_left, left), *range(tiles - right, tiles - (was_drawn - was_left))]
        else:
            new = list(range(was_left, was_left + draws)) if was_drawn < tiles else []
        from_right = tiles - (was_drawn - was_left)
        old = [i for i in range(tiles) if i < was_left or i >= from_right or was_drawn == tiles]
        size = held + draws
        kept_size = size - int(self.table.lengths[word])
        now = leave_cell(self._leaves, was_drawn, was_left, held)
        then = leave_cell(self._leaves, after, left, kept_size)
        more_before, more_after = self._leaves.leave[now], self._leaves.leave[then]
        rise = {int(code): int(more_after[code] - more_before[code]) for code in set(row[old].tolist())}
        holds = max(rise, key=lambda code: rise[code]) if held else -1
        offered: dict[int, list[tuple[int, int]]] = {}
        for code, priced in by_code(row, self._prices.tile, new).items():
            offered[code] = [(price + int(more_after[code]), tile) for price, tile in priced]
        if held:
            for code, priced in by_code(row, self._prices.tile, old).items():
                extra = int(more_before[code]) + rise[holds]
                offered.setdefault(code, []).extend((price + extra, tile) for price, tile in priced[:held])
        for priced in offered.values():
            priced.sort()
        score, played = play_of(self.table, word, offered)
        target = after, left if after < tiles else 0, kept_size
        if not self.uses_leave:
            return Arc(state, target, score, played)
        was_new = set(new)
        declared = np.zeros(N_CODES, dtype=np.int64)
        kept = np.bincount(row[new], minlength=N_CODES)
        for tile in played:
            if tile in was_new:
                kept[row[tile]] -= 1
            else:
                declared[row[tile]] += 1
        if held:
            # negative if the turn plays more old tiles than were held
            spare = held - int(declared.sum())
            declared[holds] += spare
            kept[holds] += spare
        return Arc(state, target, score, played, self._counted(now, declared), self._counted(then, kept))

    def _counted(self, cell: tuple[int, int, int], counts: npt.NDArray[np.int64]) -> tuple[Held, ...]:
        moment, side, hold = cell
        place = side * self._leaves.leave.shape[2] + hold
        return tuple((moment, place, code, int(counts[code])) for code in np.flatnonzero(counts).tolist())


def _new_orders(orders: int, words: int) -> WordOrder:
    """Return empty arrays for a number of orders of the words."""
    masks = np.empty((2, orders, words), dtype=np.uint64)
    return WordOrder(np.empty((orders, words), np.int32), np.empty((orders, words), np.int64), masks[0], masks[1])
