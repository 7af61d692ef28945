"""R3: a turn may play the tiles that it draws and some of those drawn before; leaves have prices.

Of the tiles drawn before, a turn may play any, but no more than the rack held. The rest of a game
is a state (tiles drawn, left draws, tiles held). R3 forgets which tiles are held: a relaxed game
can hold "some tile" and choose which one only when it needs it. Prices of leaves make this cheating
expensive; `docs/bound.md` shows why any prices give an upper bound. A game can still keep one leave
and declare another one of the same worth.

All turns of a block of draws share one order of the words, by upper bounds of their gains. Each
turn first tries its best word at the previous prices. It then skips the words whose letters it
lacks, by counting the bits of two masks. With a second order, for old tiles, evaluations took 1.4
times as long (median of ten, rows of 40 and 50 tiles).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np

from solver.bound.arcs import Arc, Goal, Held, State, is_drawn
from solver.bound.kernels.completion_bounds import WHOLE, LeavePrices, Window, leave_cell
from solver.bound.kernels.relaxed_game import (
    LAYERS,
    WIDTH,
    LeavesAfter,
    RelaxedGame,
    blocks_of,
    fill_drawn,
    order_blocks,
    relax_blocks,
    relax_last,
)
from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    RelaxedWords,
    Tiles,
    WordOrder,
    masks_of_words,
)
from solver.bound.prices import Prices
from solver.compiled import I64
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.tiles import BLANK_CODE, N_CODES, POINT, Codes, encode_bytes

LONGEST = 500  # tiles of a row: memory and time grow with its square
_VALUED = 30  # words of each length that an evaluation without known words tries first
Stop = Callable[[], bool]  # returns whether an evaluation must end early


def never() -> bool:
    """Return False: no evaluation ends early."""
    return False


def relaxed_words(problem: Problem) -> RelaxedWords:
    """Return the words that tiles of the row can spell and a rack can hold."""
    rack = problem.puzzle.rack_size
    words = sorted((word for word in problem.lexicon.words if len(word) <= rack), key=len)
    # -1 after the last letter
    raw = np.array(words, f"S{rack}").view(np.uint8).reshape(-1, rack)
    letters = encode_bytes(raw).astype(np.int8)
    counts = (letters[:, :, None] == np.arange(N_CODES)).sum(axis=1)
    total = problem.puzzle.counts_from_left[-1]
    fits = np.maximum(counts - total, 0).sum(axis=1) <= total[BLANK_CODE]
    lengths = (letters[fits] >= 0).sum(axis=1)
    first = np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64)
    return RelaxedWords(
        first=first,
        letters=letters[fits],
        masks=masks_of_words(counts[fits]),
        values=problem.puzzle.value_table.astype(np.int64) * POINT,
    )


def some_words(words: RelaxedWords, chosen: I64) -> RelaxedWords:
    """Return the words with the ascending indices `chosen`, numbered from 0."""
    return RelaxedWords(
        first=np.searchsorted(chosen, words.first).astype(np.int64),
        letters=words.letters[chosen],
        masks=words.masks.take(chosen, axis=1),
        values=words.values,
    )


def valued_words(words: RelaxedWords) -> I64:
    """Return the indices of the words of each length that score most, ascending."""
    points = np.zeros(len(words.letters), np.int64)
    for place, letters in enumerate(words.letters.T, start=1):
        points += np.where(letters < 0, 0, place * words.values[letters])
    of_each = [
        begin + np.argsort(-points[begin:end])[:_VALUED]
        for begin, end in pairwise(words.first.tolist())
    ]
    return np.sort(np.concatenate(of_each))


class Relaxation:
    """The relaxation R3. A state is (tiles drawn, left draws, tiles held) before a draw.

    Nodes outside `window` have no value, and only the result for the whole row is a bound. `goal`
    and arcs belong to the prices evaluated last.

    Attributes:
        name: its name in progress.
        root: the state before the first draw.
        words: the words of the problem.
        first_moment: the first moment at which leaves have prices; None if they have none.
        first_step: the step of the first round of an ascent.
        known: the words that have been best at some state, int64, ascending.
        values: the value of the rest of the game at the prices evaluated last, in thousandths of a
            point: int64, by tiles drawn, left draws and tiles held.
    """

    name = "r3"
    root: State = (0, 0, 0)

    def __init__(
        self,
        problem: Problem,
        pool: ThreadPoolExecutor | None,
        uses_leave: bool,
        window: Window = WHOLE,
        words: RelaxedWords | None = None,
    ) -> None:
        """Raise `StrategyError` for too long a row. Without a pool one thread evaluates."""
        tiles = len(problem.puzzle.row)
        if tiles > LONGEST:
            raise StrategyError(f"a bound on a row of {tiles} tiles: expected at most {LONGEST}")
        self.words = words or relaxed_words(problem)
        self._row = problem.puzzle.row_codes
        self._tiles = tiles
        self._rack = problem.puzzle.rack_size
        self._prices: Prices
        self.window = window
        self.known = np.zeros(0, np.int64)
        self.first_moment = max(window.first, self._rack) if uses_leave else None
        # the price of a leave affects many turns: the first steps must be small
        self.first_step = 0.1 if uses_leave else 0.75
        self._pool = pool
        nodes = (tiles + 1, tiles + 1)
        self._drawn = Tiles(
            np.zeros((*nodes, N_CODES), np.int64),
            np.zeros((*nodes, N_CODES, self._rack), np.int64),
        )
        states = (*nodes, self._rack + 1)
        self.values = np.zeros(states, np.int64)
        self._taken = np.zeros(states, np.int8)
        self._word = np.full(states, -1, np.int32)
        self._is_start = False  # whether the last evaluation was with known words
        widest = window.high - window.low + tiles - window.first + 1  # left draws of a layer
        self._orders = WordOrder.empty(len(self.words.letters), -(-widest // WIDTH))
        self._leaves: LeavePrices

    def evaluate(self, prices: Prices, stop: Stop = never, *, full: bool = True) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop` ended it early.

        Without `full` it tries only known words, and the result may be too low for a bound.
        """
        has_known = len(self.known) > 0
        chosen = self.known
        if not has_known:
            chosen = valued_words(self.words)
        # the best turns with few words are a quick start of a search among all words
        is_warm = full and self._is_start and self._prices.equal(prices)
        if not is_warm and not self.relax(prices, stop, chosen):
            return None
        if full or not has_known:
            if not self.relax(prices, stop):
                return None
            self.known = np.union1d(self.known, self._word[self._word >= 0])
        return int(prices.tile.sum()) + int(self.values[self.root])

    def relax(self, prices: Prices, stop: Stop = never, chosen: I64 | None = None) -> bool:
        """Find the best turns at `prices` from all states in the window.

        Args:
            prices: the prices to evaluate.
            stop: asked between layers.
            chosen: indices of the words to try, ascending, among them all that were best before;
                None for all words. With fewer words the values may be too low.

        Returns:
            False if `stop` ended the search early.
        """
        self._prices = prices
        self._is_start = False
        self._leaves = LeavePrices(prices.leave, self._tiles, self._rack, self.window)
        words = self.words
        best = self._word
        if chosen is not None:
            words = some_words(words, chosen)
            best[:] = np.where(best >= 0, np.searchsorted(chosen, best), -1)
        last = LeavesAfter(
            price=prices.leave[self._tiles :, 0, 0].copy(),
            hold=self._rack - np.arange(self._rack + 1),
            onward=self.values[self._tiles, 0],
        )
        game = RelaxedGame(
            row=self._row,
            tile_price=prices.tile,
            drawn=self._drawn,
            leaves=self._leaves,
            hold=np.arange(self._rack + 1) * prices.leave.shape[2] // self._rack,
            last=last,
            words=words,
            orders=self._orders,
            value=self.values,
            taken=self._taken,
            word=best,
        )
        done = self._relax_layers(game, stop)
        if chosen is not None:
            # a state without a word has -1, which indexes the appended -1
            best[:] = np.append(chosen, -1)[best]
            self._is_start = done
        return done

    def _relax_layers(self, game: RelaxedGame, stop: Stop) -> bool:
        """Find the best turns from the end of the row on; return False if `stop` ended it early."""
        fill_drawn(game)
        for size in range(1, min(self._rack, self._tiles) + 1):
            relax_last(size, game)
        least = max(self._rack, self.window.first + 1)
        for last in range(self._tiles - 1, least - 1, -LAYERS):
            if stop():
                return False
            first = max(least, last - LAYERS + 1)
            blocks = blocks_of(last, game)
            self._on_blocks(partial(order_blocks, game, first, last), blocks)
            for drawn in range(last, first - 1, -1):
                self._on_blocks(partial(relax_blocks, game, drawn), blocks)
        return True

    def _on_blocks(self, task: Callable[[int, int], None], blocks: int) -> None:
        """Run a task on all blocks of left draws; with a pool its threads share them."""
        if self._pool is None:
            task(0, blocks)
        else:
            list(self._pool.map(task, range(blocks), range(1, blocks + 1)))

    def arc_from(self, state: State) -> Arc | None:
        """Return the best turn from a state, with the tiles that it declares and keeps.

        None if ending the game is best.
        """
        word = int(self._word[state])
        if word < 0:
            return None
        row = self._row
        was_drawn, was_left, held = state
        draws = min(self._rack - held, self._tiles - was_drawn)
        drawn = was_drawn + draws
        left = was_left + int(self._taken[state]) if drawn < self._tiles else 0
        target = (drawn, left, held + draws - self._length(word))
        was_old = is_drawn(self._tiles, was_drawn, was_left)
        is_new = is_drawn(self._tiles, drawn, left) & ~was_old
        now = leave_cell(self._leaves, *state)
        then = leave_cell(self._leaves, *target)
        before = self._leaves.leave[now]
        after = self._leaves.leave[then]
        rises = np.where(_by_code(row[was_old]) > 0, after - before, MINUS_INFINITY)
        risen = int(np.argmax(rises))
        old, nth = self._by_price(np.flatnonzero(was_old))
        # of each code the cheapest old tiles, no more than were held
        offered = np.append(np.flatnonzero(is_new), old[nth < held])
        codes = row[offered]
        more = np.where(is_new[offered], after[codes], before[codes] + rises[risen])
        score, played = self._play(word, offered, self._prices.tile[offered] + more)
        tiles = np.array(played)
        declared = _by_code(row[tiles[~is_new[tiles]]])
        kept = _by_code(row[is_new]) - _by_code(row[tiles[is_new[tiles]]])
        if held:
            # negative if the turn plays more old tiles than were held
            spare = held - declared.sum()
            declared[risen] += spare
            kept[risen] += spare
        return Arc(
            source=state,
            target=target,
            score=score,
            tiles=played,
            held=self._counted(now, declared),
            kept=self._counted(then, kept),
        )

    def goal(self) -> Goal:
        """Return the goal whose value is the bound."""
        return Goal(np.ones(self._tiles), np.zeros(self._prices.leave.shape), {self.root: 1.0})

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the turns of the best path from `state` to the first state in `passed`.

        Its other states are added to `passed`.
        """
        path: list[Arc] = []
        while state not in passed and (arc := self.arc_from(state)) is not None:
            passed.add(state)
            path.append(arc)
            state = arc.target
        return path

    def _counted(self, cell: tuple[int, int, int], counts: I64) -> tuple[Held, ...]:
        """Return the entries of a leave in a cell, see `Arc`."""
        moment, side, hold = cell
        place = side * self._leaves.leave.shape[2] + hold
        return tuple(
            (moment, place, code, int(counts[code])) for code in np.flatnonzero(counts).tolist()
        )

    def _by_price(self, places: I64) -> tuple[I64, I64]:
        """Return places by code and price, and how many of its code come before each."""
        ordered = places[np.lexsort((self._prices.tile[places], self._row[places]))]
        codes = self._row[ordered]
        return ordered, np.arange(len(codes)) - np.searchsorted(codes, codes)

    def _length(self, word: int) -> int:
        """Return the number of letters of a word, given by its index."""
        return int(np.searchsorted(self.words.first, word, side="right")) - 1

    def _play(self, word: int, places: I64, cost: I64) -> tuple[int, tuple[int, ...]]:
        """Return the best play of a word from tiles of the row: which tile each letter takes.

        Args:
            word: the index of the word.
            places: the places of the tiles that may be played.
            cost: what playing each of them costs, in thousandths of a point.

        Returns:
            Its score in thousandths of a point, and the places of its tiles, one for each letter.
        """
        # imported only here, because a library that offers bounds must not wait for it where it
        # only searches
        from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

        length = self._length(word)
        letters = self.words.letters[word, :length]
        codes = self._row[places]
        points = np.arange(1, length + 1) * self.words.values[letters]
        # a blank takes any letter, for no points
        letter, tile = np.nonzero((letters[:, None] == codes) | (codes == BLANK_CODE))
        gains = np.where(codes[tile] == BLANK_CODE, 0, points[letter]) - cost[tile]
        # one unit flows from each letter through a tile to the end
        end = length + len(places)
        tiles = np.arange(length, end)
        flow = SimpleMinCostFlow()
        choices = flow.add_arcs_with_capacity_and_unit_cost(
            letter, length + tile, np.ones_like(letter), -gains
        )
        flow.add_arcs_with_capacity_and_unit_cost(
            tiles, np.full_like(tiles, end), np.ones_like(tiles), np.zeros_like(tiles)
        )
        flow.set_nodes_supplies(np.arange(length), np.ones(length, dtype=np.int64))
        flow.set_node_supply(end, -length)
        flow.solve()
        chosen = tile[flow.flows(choices) > 0]
        is_blank = codes[chosen] == BLANK_CODE
        return int(points[~is_blank].sum()), tuple(places[chosen].tolist())


def _by_code(codes: Codes) -> I64:
    return np.bincount(codes, minlength=N_CODES)
