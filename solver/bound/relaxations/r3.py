"""R2 and R3: a turn may play the tiles that it draws, and of those drawn before at most as many as the rack held.

R2. As R1 (see `solver.bound.relaxations.r1`), but what is left of the game is a state (l, r, m), m the tiles held before the
draw. A turn draws rack - m new tiles, and a word needs at most m letters besides the new tiles and the new blanks: a necessary
condition in the real game, where a rack has m tiles besides the new ones. R2 forgets which tiles these m are: each turn takes
any m of the tiles drawn before. So a game can cheat: it holds "some tile" and says which one only when it needs it.

R3. To make this cheating cost something, holding a tile gets a price, which changes as the game goes on: s_c(D) for a held
letter or blank c at the moment when D tiles have been drawn (once the row is empty: when m are held). At each moment a relaxed
game now says which m tiles it holds. Give each leave L the worth sum_{c in L} s_c. A game receives the worth of what it keeps
after a play, and before the next draw it pays back the worth of what it says that it holds. In a real game the two are the same
tiles, so both cancel and the score is unchanged: the maximum over the relaxed games is an upper bound for all prices. A game
that keeps cheap tiles and says that it holds dear ones pays the difference. For s = 0 R3 is R2. With good prices the best
relaxed games hold on average what they have kept: R3 remembers the worth of a leave, and nothing else of it.

A game can still cheat: it keeps one leave and says that it holds another one of the same worth. `solver.bound.sweeps.sweep`
plays the real games from the start and remembers whole leaves. It uses R3 only to drop the states whose completion bound is
low.

In a turn every old tile that is not played is held on, best as the kind whose price rises most: d = max_c (s'_c - s_c). All old
tiles together bring m d. To play an old tile then costs y_i + s_c + d, and to play a new one y_i + s'_c.

Cost: all turns of a block of draws share one sorting of the words by what they gain at most at the prices of new tiles; those
that hold many old tiles have one by the prices of old tiles, too. Each turn begins with the word that was best at the prices
before, then skips the words whose letters it lacks by counting the bits of two masks. Some seconds for 100 tiles.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import WHOLE, LeavePrices, Window, leave_cell, lefts_in
from solver.bound.kernels.relax_r1 import DrawnTiles, cheapest_tiles
from solver.bound.kernels.relax_r3 import OldOrders, RelaxedGame, RelaxedStates, relax_last, relax_r3
from solver.bound.kernels.relaxed_play import WordOrder
from solver.bound.kernels.relaxed_turn import OldOrder, order_by_old
from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, Held, State, by_code, uses_of
from solver.bound.relaxations.prices import Prices
from solver.bound.relaxations.word_arrays import WordTable
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.tiles import N_CODES

LONGEST = 200  # tiles of a row: the numbers of states and turns grow with its square
_LEAST_OLD = 4  # if so many tiles are held, r3 sorts the words by the prices of old tiles, too


class LeaveRelaxation:
    """Evaluates R2 and R3.

    `bound` and the arcs are those of the prices evaluated last. Raises `StrategyError` for long rows.

    window: the nodes that count; others have no value, so that only the whole row has a `bound`.
    """

    root: State = (0, 0, 0)
    spares = True

    def __init__(self, problem: Problem, pool: ThreadPoolExecutor, uses_leave: bool, window: Window = WHOLE) -> None:
        self.window = window
        self.first_moment = max(window.first, problem.puzzle.rack_size)
        self._puzzle = problem.puzzle
        tiles, rack = len(self._puzzle.row), self._puzzle.rack_size
        if tiles > LONGEST:
            raise StrategyError(f"relaxation r2 or r3 on a row of {tiles} tiles: expected at most {LONGEST}, or r1")
        self.uses_leave = uses_leave
        self.name = "r3" if uses_leave else "r2"
        self.parameters: dict[str, int] = {}
        # a price of leaves changes many turns, so that the first steps must be small
        self.first_step = 0.1 if uses_leave else 0.75
        self._table = WordTable.of(problem)
        self._pool = pool
        self._near = DrawnTiles(
            np.zeros((tiles + 1, tiles + 1, N_CODES), dtype=np.int64),
            np.zeros((tiles + 1, tiles + 1, N_CODES, rack), dtype=np.int64),
        )
        shape = (tiles + 1, tiles + 1, rack + 1)
        self._states = RelaxedStates(
            np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int8), np.full(shape, -1, dtype=np.int32)
        )
        words = len(self._table.ids)
        masks = np.empty((2, rack, words), dtype=np.uint64)
        self._by_old = OldOrders(
            _LEAST_OLD if uses_leave else rack,
            np.empty((rack, N_CODES), dtype=np.int64),
            WordOrder(np.empty((rack, words), dtype=np.int32), np.empty((rack, words), dtype=np.int64), masks[0], masks[1]),
        )
        self._known = np.zeros(0, dtype=np.int64)  # words that have been best at some state, ascending
        self._prices: Prices
        self._leaves: LeavePrices
        self.bound = 0

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """What the rest of the game brings, in thousandths of a point: int64, by tiles drawn, left draws and tiles held."""
        return self._states.value

    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, sparing: bool = False) -> int | None:
        """The bound at `prices`, in thousandths of a point; None if `stop` ended the evaluation early.

        sparing: look only at the words that were best at some state when all were looked at. The value may then be too low.
        """
        if not self.relax(prices, stop, self._known if sparing else None):
            return None
        if not sparing:
            self._known = np.union1d(self._known, self.best_words())
        self.bound = int(prices.tile.sum()) + int(self._states.value[self.root])
        return self.bound

    def relax(
        self,
        prices: Prices,
        stop: Callable[[], bool] = lambda: False,
        chosen: npt.NDArray[np.int64] | None = None,
    ) -> bool:
        """Find the best turns at `prices` from all states in the window; false if `stop` ended that early.

        chosen: which words are looked at, ascending, those that were best before among them, so that the values may be too low.
            None: all.
        """
        row, rack = self._puzzle.row_codes, self._puzzle.rack_size
        tiles = len(row)
        self._prices = prices
        leave = prices.leave if self.uses_leave else np.zeros_like(prices.leave)
        self._leaves = LeavePrices(leave, tiles, rack, self.window)
        before = RelaxedStates(self.values.copy(), self._states.taken.copy(), self._states.word.copy())
        self._states.value[:] = 0
        self._states.word[:] = -1
        for drawn in range(tiles + 1):
            nodes = drawn + 1 if drawn < tiles else 1
            width = 1 if drawn < tiles else tiles + 1
            cheapest_tiles(row, prices.tile, drawn, 0, nodes, width, self._near_of(drawn))
        words = self._table.words if chosen is None else self._table.some(chosen)
        if chosen is not None:
            before.word[:] = np.where(before.word >= 0, np.searchsorted(chosen, before.word), -1)
        game = RelaxedGame(row, prices.tile, self._near, self._leaves, words, self._by_old, self._states, before)
        for size in range(1, min(rack, tiles) + 1):
            relax_last(size, game)
        step = rack + 2
        for drawn in range(tiles - 1, max(rack, self.window.first + 1) - 1, -1):
            low, high = lefts_in(self.window, drawn)

            def by_old(held: int, drawn: int = drawn) -> None:
                at = drawn - (rack - held)
                out = OldOrder(self._by_old.least[held], _at(self._by_old.ordered, held))
                order_by_old(held, at, self._near_of(at), self._leaves, words, out)

            def block(first: int, recalls: bool, drawn: int = drawn, high: int = high) -> None:
                relax_r3(drawn, first, min(high + 1, first + step), game, recalls)

            if stop():
                return False
            least_held = max(self._by_old.least_held, rack - drawn + self.window.first)
            list(self._pool.map(by_old, range(least_held, rack)))
            # neighbouring blocks write to the same states, so that the odd ones wait for the even ones
            for recalls in (True, False):
                for begin in (0, step):
                    list(self._pool.map(block, range(low + begin, high + 1, 2 * step), repeat(recalls)))
        if chosen is not None:
            # a state without a word has -1, which names the last place
            self._states.word[:] = np.append(chosen, -1)[self._states.word]
        return True

    def best_words(self) -> npt.NDArray[np.int64]:
        """The words of all best turns, ascending."""
        found = np.unique(self._states.word)
        return found[found >= 0].astype(np.int64)

    def goal(self) -> Goal:
        """What the bound is made of."""
        return Goal.of_whole(self.root, len(self._puzzle.row), self._prices.leave.shape)

    def _near_of(self, drawn: int) -> DrawnTiles:
        """The tiles drawn when `drawn` tiles are drawn, by left draws."""
        return DrawnTiles(self._near.counts[drawn], self._near.cheapest[drawn])

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """The best path from a state (tiles drawn, left ones, tiles held).

        It ends at the first state that is in `passed`; the states before that are added to `passed`.
        """
        found: list[Arc] = []
        while state not in passed and (word := int(self._states.word[state])) >= 0:
            passed.add(state)
            found.append(self._arc(state, word))
            state = found[-1].target
        return found

    def _arc(self, state: State, word: int) -> Arc:
        row, rack = self._puzzle.row_codes, self._puzzle.rack_size
        tiles = len(row)
        before, was, held = state
        gone = min(rack - held, tiles - before)
        after = before + gone
        left = was + int(self._states.taken[state]) if after < tiles else tiles
        right = after - left
        if after < tiles:
            new = [*range(was, left), *range(tiles - right, tiles - (before - was))]
        else:
            new = list(range(was, was + gone)) if before < tiles else []
        old = [i for i in range(tiles) if i < was or i >= tiles - (before - was)] if before < tiles else list(range(tiles))
        size = held + gone
        kept_size = size - int(self._table.lengths[word])
        now, then = leave_cell(self._leaves, before, was, held), leave_cell(self._leaves, after, left, kept_size)
        more_before, more_after = self._leaves.leave[now], self._leaves.leave[then]
        rise = {int(code): int(more_after[code] - more_before[code]) for code in set(row[old].tolist())}
        holds = max(rise, key=lambda code: rise[code]) if held else -1
        offered: dict[int, list[tuple[int, int]]] = {}
        for code, some in by_code(row, self._prices.tile, new).items():
            offered[code] = [(price + int(more_after[code]), tile) for price, tile in some]
        if held:
            for code, some in by_code(row, self._prices.tile, old).items():
                dearer = int(more_before[code]) + rise[holds]
                offered.setdefault(code, []).extend((price + dearer, tile) for price, tile in some[:held])
        for some in offered.values():
            some.sort()
        uses = uses_of(self._table, word, offered)
        if not self.uses_leave:
            return Arc(state, self._target(after, left, kept_size), uses.score, uses.tiles)
        was_new = set(new)
        claimed = np.zeros(N_CODES, dtype=np.int64)
        kept = np.bincount(row[new], minlength=N_CODES)
        for tile in uses.tiles:
            (kept if tile in was_new else claimed)[row[tile]] += -1 if tile in was_new else 1
        if held:
            # if more old tiles are played than were held, the number of those held on is negative
            spare = held - int(claimed.sum())
            claimed[holds] += spare
            kept[holds] += spare
        target = self._target(after, left, kept_size)
        return Arc(state, target, uses.score, uses.tiles, self._counted(now, claimed), self._counted(then, kept))

    def _counted(self, cell: tuple[int, int, int], counts: npt.NDArray[np.int64]) -> tuple[Held, ...]:
        moment, side, hold = cell
        place = side * self._leaves.leave.shape[2] + hold
        return tuple((moment, place, code, int(counts[code])) for code in np.flatnonzero(counts).tolist())

    def _target(self, after: int, left: int, held: int) -> State:
        return (after, left if after < len(self._puzzle.row) else 0, held)


def _at(ordered: WordOrder, held: int) -> WordOrder:
    """The order of the words for `held` tiles held."""
    return WordOrder(ordered.word[held], ordered.reach[held], ordered.low[held], ordered.high[held])
