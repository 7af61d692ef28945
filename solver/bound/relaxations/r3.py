"""R2 and R3: a turn may play the tiles that it draws and, of the tiles drawn before, no more than the rack held.

R2. As in R1 (see `solver.bound.relaxations.r1`), but the rest of the game is a state (l, r, m), where m is the number of tiles
held before the draw. A turn draws rack - m new tiles. Its word needs at most m letters besides the new tiles and the new
blanks. This is a necessary condition in the real game, where a rack has m tiles besides the new ones. R2 forgets which tiles
these m are: each turn takes any m of the tiles drawn before. So a game can cheat: it holds "some tile" and chooses which one
only when it needs it.

R3. To make this cheating expensive, R3 puts a price on holding a tile. The price changes during the game: s_c(D) for a held
letter or blank c at the moment when D tiles have been drawn (once the row is empty: when m are held). At each moment a relaxed
game must now declare which m tiles it holds. Give each leave L the worth sum_{c in L} s_c. A game receives the worth of the
leave that it keeps after a play, and before the next draw it pays the worth of the tiles that it declares. In a real game the
two are the same tiles, so both cancel and the score is unchanged: the maximum over the relaxed games is an upper bound for all
prices. A game that keeps cheap tiles and declares dear ones pays the difference. For s = 0 R3 equals R2. With good prices the
best relaxed games declare on average what they have kept: R3 remembers the worth of a leave, and nothing else of it.

A game can still cheat: it keeps one leave and declares another one of the same worth. `solver.bound.sweeps.sweep` plays the
real games from the start and remembers whole leaves. It uses R3 only to prune the states whose completion bound is low.

In a turn every old tile that is not played is held on. It counts as the kind whose price rises most: d = max_c (s'_c - s_c).
All old tiles together gain m d. So an old tile costs y_i + s_c + d to play, and a new tile y_i + s'_c.

Cost: all turns of a block of draws share one order of the words, by upper bounds of their gains at the prices of new tiles.
Turns that hold many old tiles also have an order for the prices of old tiles. Each turn first tries its best word at the
previous prices. It then skips the words whose letters it lacks, by counting the bits of two masks. A row of 100 tiles takes a
few seconds.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.game_orders import (
    LAYERS,
    OldOrders,
    RelaxedGame,
    RelaxedStates,
    blocks_of,
    order_new,
    order_old,
)
from solver.bound.kernels.leave_prices import WHOLE, LeavePrices, Window, leave_cell
from solver.bound.kernels.relax_r1 import DrawnTiles, cheapest_tiles
from solver.bound.kernels.relax_r3 import MOST_SLACK, RECALL, RELAX, fill_slack, relax_last, relax_r3, relax_window
from solver.bound.kernels.relaxed_play import MINUS_INFINITY, WordOrder
from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, Held, State, WordTable, by_code, uses_of
from solver.bound.relaxations.prices import Effort, Prices
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

LONGEST = 200  # tiles of a row: the numbers of states and turns grow with its square
_WIDTH = 6  # left draws of a block, unless threads share the blocks
_LEAST_OLD = 4  # the fewest tiles held for which r3 also sorts the words by the prices of old tiles
_LEARNS = 1.005  # a search among all words is worth repeating if it multiplies the number of known words by more than this


class LeaveRelaxation:
    """The relaxations R2 and R3, in which leaves have prices; `bound`, `goal` and arcs belong to the prices evaluated last.

    Nodes outside `window` have no value; `bound` is valid only for the whole row. Raises `StrategyError` for too long a row.

    Attributes:
        table: the words of the problem.
        starts: the states from which games start.
        known: the words that have been best at some state, ascending.
        active: the states near the best games, bool, shape (tiles + 1, tiles + 1, rack + 1).
        slack: how far below the best game from `starts` a game through each state stays, int64, of the same shape.
    """

    root: State = (0, 0, 0)
    spares = True
    first_effort = Effort.FULL

    def __init__(
        self,
        problem: Problem,
        pool: ThreadPoolExecutor | None,
        uses_leave: bool,
        window: Window = WHOLE,
        table: WordTable | None = None,
    ) -> None:  # without a pool the caller's thread evaluates; without a table the words are sorted out again
        self.window = window
        self.starts: list[State] = [self.root]
        self.known = np.zeros(0, dtype=np.int64)
        self.first_moment = max(window.first, problem.puzzle.rack_size)
        self._puzzle = problem.puzzle
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        if tiles > LONGEST:
            raise StrategyError(f"relaxation r2 or r3 on a row of {tiles} tiles: expected at most {LONGEST}, or r1")
        self.uses_leave = uses_leave
        self.name = "r3" if uses_leave else "r2"
        self.parameters: dict[str, int] = {}
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
        self.active, self.slack = np.ones(shape, dtype=np.bool_), np.zeros(shape, dtype=np.int64)
        self._is_learning = True  # whether the last search among all words found many new ones
        self._is_stale = True  # whether all states were evaluated since the active ones were chosen
        self._is_whole = False  # whether the last evaluation was of all states with known words
        widest = window.high - window.low + tiles - window.first + 1  # left draws of a layer
        self._width = _WIDTH if pool is None else rack + 2  # so wide that only neighbours write to the same states
        self._by_new = _new_orders(-(-widest // self._width), len(self.table.ids))
        least_old = _LEAST_OLD if uses_leave else rack
        self._by_old = OldOrders(least_old, np.empty((rack, N_CODES), dtype=np.int64), _new_orders(rack, len(self.table.ids)))
        self._prices: Prices
        self._leaves: LeavePrices

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The value of the rest of the game, in thousandths of a point: int64, by tiles drawn, left draws and tiles held."""
        return self._states.value

    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, effort: Effort = Effort.FULL) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop`, asked between layers, ended it early.

        Only with `Effort.FULL` is it a bound; otherwise it may be too low.
        """
        if effort == Effort.SPARING:
            if self._is_stale:
                self._choose_active()
            done = self.relax(prices, stop, self.known, self.active)
        elif effort == Effort.REFRESH and len(self.known):
            done = self.relax(prices, stop, self.known)
            self._is_stale = True
            if done and self._is_learning:
                self._choose_active()
                done = self.relax(prices, stop, active=self.active)
        else:
            # the best turns with known words are a quick start of a search among all words
            is_there = self._is_whole and self._prices.equal(prices)
            starts = is_there or not len(self.known) or self.relax(prices, stop, self.known)
            done, self._is_stale = starts and self.relax(prices, stop), True
        if effort != Effort.SPARING and done:
            known = np.union1d(self.known, self.best_words())
            self._is_learning = len(known) > _LEARNS * len(self.known)
            self.known = known
        return int(prices.tile.sum()) + int(self._states.value[self.root]) if done else None

    def relax(
        self,
        prices: Prices,
        stop: Callable[[], bool] = lambda: False,
        chosen: npt.NDArray[np.int64] | None = None,
        active: npt.NDArray[np.bool_] | None = None,
    ) -> bool:
        """Find the best turns at `prices` from all states in the window; return False if `stop` ended the search early.

        Args:
            prices: the prices to evaluate.
            stop: asked between layers; once at the start if one thread does all.
            chosen: indices of the words to try, ascending, among them all that were best before; None for all words. With
                fewer words the values may be too low.
            active: the states to look at, bool, shape (tiles + 1, tiles + 1, rack + 1); None for all. The others have the value
                MINUS_INFINITY.
        """
        row = self._puzzle.row_codes
        tiles = len(row)
        self._prices, self._is_whole, is_whole = prices, False, chosen is not None and active is None
        # so little work that to share it among threads takes longer
        is_short = chosen is not None and active is not None
        active = np.ones(self.values.shape, dtype=np.bool_) if active is None else active
        leave = prices.leave if self.uses_leave else np.zeros_like(prices.leave)
        self._leaves = LeavePrices(leave, tiles, self._puzzle.rack_size, self.window)
        before = RelaxedStates(self.values.copy(), self._states.taken.copy(), self._states.word.copy())
        self._states.value[:] = np.where(active, 0, MINUS_INFINITY)
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
            self._width,
            prices.tile,
            self._drawn_tiles,
            self._leaves,
            words,
            self._by_new,
            self._by_old,
            self._states,
            before,
            active,
            self.slack,
        )
        if stop():
            return False
        if self._pool is None or is_short:
            relax_window(self._game)
        elif not self._relax_layers(self._pool, stop):
            return False
        if chosen is not None:
            # a state without a word has -1, which indexes the appended -1
            self._states.word[:] = np.append(chosen, -1)[self._states.word]
        self._is_whole = is_whole
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
            held = range(max(self._by_old.least_held, rack - last + self.window.first), rack)
            list(pool.map(order_new, blocks, repeat(first), repeat(last), repeat(game)))
            list(pool.map(order_old, held, repeat(first), repeat(last), repeat(game)))
            for drawn in range(last, first - 1, -1):
                # neighbouring blocks write to the same states: the odd blocks wait for the even ones
                for task in (RECALL, RELAX):
                    for some in (blocks[::2], blocks[1::2]):
                        list(pool.map(relax_r3, repeat(drawn), some, repeat(game), repeat(task)))
        return True

    def _choose_active(self) -> None:
        """Make those states active that are on games near the best ones."""
        self.slack[:] = MOST_SLACK + 1
        for state in self.starts:
            self.slack[state] = 0
        fill_slack(self._game)
        self.active, self._is_stale = self.slack <= MOST_SLACK, False
        self.active[len(self._puzzle.row)] = True

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
        uses = uses_of(self.table, word, offered)
        if not self.uses_leave:
            return Arc(state, self._target(after, left, kept_size), uses.score, uses.tiles)
        was_new = set(new)
        declared = np.zeros(N_CODES, dtype=np.int64)
        kept = np.bincount(row[new], minlength=N_CODES)
        for tile in uses.tiles:
            if tile in was_new:
                kept[row[tile]] -= 1
            else:
                declared[row[tile]] += 1
        if held:
            # negative if the turn plays more old tiles than were held
            spare = held - int(declared.sum())
            declared[holds] += spare
            kept[holds] += spare
        target = self._target(after, left, kept_size)
        return Arc(state, target, uses.score, uses.tiles, self._counted(now, declared), self._counted(then, kept))

    def _counted(self, cell: tuple[int, int, int], counts: npt.NDArray[np.int64]) -> tuple[Held, ...]:
        moment, side, hold = cell
        place = side * self._leaves.leave.shape[2] + hold
        return tuple((moment, place, code, int(counts[code])) for code in np.flatnonzero(counts).tolist())

    def _target(self, after: int, left: int, held: int) -> State:
        return (after, left if after < len(self._puzzle.row) else 0, held)


def _new_orders(orders: int, words: int) -> WordOrder:
    """Return empty arrays for a number of orders of the words."""
    masks = np.empty((2, orders, words), dtype=np.uint64)
    return WordOrder(np.empty((orders, words), np.int32), np.empty((orders, words), np.int64), masks[0], masks[1])
