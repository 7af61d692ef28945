"""Layers of the relaxed games of `solver.bound.relaxations.r3`.

States are (tiles drawn, left draws, tiles held). A turn goes from a state before its draw to one after its play. Each draw
fills the rack or empties the row. A draw that empties the row takes the same tiles from either end: so states after it have 0
left draws.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.game_orders import LAYERS, RelaxedGame, block_lefts, blocks_of, order_new, order_old
from solver.bound.kernels.leave_prices import leave_cell, leave_price, lefts_in
from solver.bound.kernels.relaxed_play import MINUS_INFINITY, PricedTiles, RelaxedWords, WordOrder, order_words
from solver.bound.kernels.relaxed_turn import OldOrder, RelaxedTurn, Scratch, best_turn, new_scratch
from solver.compiled import borrowing, kernel
from solver.model.tiles import N_CODES
from solver.model.units import POINT

RECALL, RELAX, MARK = 0, 1, 2  # the tasks of `relax_r3`
MOST_SLACK = 6 * POINT  # a state is near the best games if a game through it scores at most this much less


class _TurnRoom(NamedTuple):
    """Room for one turn at a time.

    Attributes:
        new: the tiles of its draw; its `more` is zeros.
        more_after: as in `RelaxedTurn`.
        onward: as in `RelaxedTurn`.
        alone: int64, shape (rack + 1,), all MINUS_INFINITY.
        scratch: as for `best_turn`.
    """

    new: PricedTiles
    more_after: npt.NDArray[np.int64]
    onward: npt.NDArray[np.int64]
    alone: npt.NDArray[np.int64]
    scratch: Scratch


@kernel
def relax_window(game: RelaxedGame) -> None:
    """Find the best turns from all states in the window, from the end of the row to its start, on the caller's thread."""
    tiles, rack, window = len(game.row), game.words.letters.shape[1], game.leaves.window
    for size in range(1, min(rack, tiles) + 1):
        relax_last(size, game)
    first_drawn = max(rack, window.first + 1)
    for last in range(tiles - 1, first_drawn - 1, -LAYERS):
        first = max(first_drawn, last - LAYERS + 1)
        blocks = blocks_of(last, game)
        for block in range(blocks):
            order_new(block, first, last, game)
        for held in range(max(game.by_old.least_held, rack - last + window.first), rack):
            order_old(held, first, last, game)
        for drawn in range(last, first - 1, -1):
            for task in (RECALL, RELAX):
                for block in range(blocks):
                    relax_r3(drawn, block, game, task)


@kernel
def fill_slack(game: RelaxedGame) -> None:
    """Fill `slack` for states in the window, up to MOST_SLACK, from the states where games start to the end of the row.

    The caller sets it to 0 where games start, and to more than MOST_SLACK elsewhere. The values of all states must be known.
    """
    tiles, rack, window = len(game.row), game.words.letters.shape[1], game.leaves.window
    first_drawn = max(rack, window.first + 1)
    for first in range(first_drawn, tiles, LAYERS):
        last = min(tiles - 1, first + LAYERS - 1)
        blocks = blocks_of(last, game)
        for block in range(blocks):
            order_new(block, first, last, game)
        for drawn in range(first, last + 1):
            for block in range(blocks):
                relax_r3(drawn, block, game, MARK)


@kernel
def relax_r3(drawn: int, block: int, game: RelaxedGame, task: int) -> None:
    """Find the best turns among those whose draw ends with `drawn` tiles drawn, fewer than the row has, and in one block.

    Neighbouring blocks write to the same states: no two of them may run at the same time. If they are wider than a rack, others
    have no states in common.

    Args:
        drawn: tiles drawn after the draw.
        block: the block of left draws after the draw.
        game: the relaxed game; its `states`, or its `slack`, are improved.
        task: RELAX to try all words; RECALL to try only the turns that were best at the prices evaluated before, for a quick
            start of RELAX; MARK to lower the slack of the states after the turns.
    """
    rack = game.words.letters.shape[1]
    room = _TurnRoom(
        PricedTiles(np.zeros(N_CODES, np.int64), np.zeros((N_CODES, rack), np.int64), np.zeros(N_CODES, np.int64)),
        np.zeros((rack + 1, N_CODES), np.int64),
        np.empty(rack + 1, np.int64),
        np.full(rack + 1, MINUS_INFINITY, np.int64),
        new_scratch(rack),
    )
    _relax_block(drawn, block, game, task, room)


@borrowing
def _relax_block(drawn: int, block: int, game: RelaxedGame, task: int, room: _TurnRoom) -> None:
    """Do the work of `relax_r3`, with room for a turn: without reference counts, which would take as long as the work."""
    new, more_after, onward, alone, scratch = room
    words, leaves, by_old = game.words, game.leaves, game.by_old
    value, taken, word = game.states
    _value_before, taken_before, word_before = game.before
    row, tile_price = game.row, game.tile_price
    counts, cheapest = game.drawn_tiles
    active, slack = game.active, game.slack
    old_least, (old_word, old_reach, old_low, old_high) = by_old.least, by_old.ordered
    rack = words.letters.shape[1]
    new_word, new_reach, new_low, new_high = game.by_new
    by_new = WordOrder(new_word[block], new_reach[block], new_low[block], new_high[block])
    first_left, stop_left = block_lefts(block, drawn, game)
    one_price = leaves.leave.shape[2] == 1
    for left in range(first_left, stop_left):
        onward[rack] = MINUS_INFINITY
        for kept in range(rack):
            onward[kept] = value[drawn, left, kept]
            moment, side, hold = leave_cell(leaves, drawn, left, kept)
            for code in range(N_CODES):  # to assign a row may need a copy, which has a reference count
                more_after[kept, code] = leaves.leave[moment, side, hold, code]
        for from_left in range(min(rack, left) + 1):
            for from_right in range(min(rack - from_left, drawn - left) + 1):
                draws = from_left + from_right
                held, was_drawn, was_left = rack - draws, drawn - draws, left - from_left
                if draws == 0 or not _is_before_draw(was_drawn, held, rack):
                    continue
                low, high = lefts_in(leaves.window, was_drawn)
                if was_drawn < leaves.window.first or not low <= was_left <= high:
                    continue
                if not active[was_drawn, was_left, held] or (task == MARK and slack[was_drawn, was_left, held] > MOST_SLACK):
                    continue
                only = -1
                if task == RECALL:
                    only = word_before[was_drawn, was_left, held]
                    if only < 0 or taken_before[was_drawn, was_left, held] != from_left:
                        continue
                right = len(row) - (drawn - left)
                new.count[:] = 0
                _add(row[was_left:left], tile_price[was_left:left], new.count, new.price)
                _add(row[right : right + from_right], tile_price[right : right + from_right], new.count, new.price)
                moment, side, hold = leave_cell(leaves, was_drawn, was_left, held)
                old = PricedTiles(counts[was_drawn, was_left], cheapest[was_drawn, was_left], leaves.leave[moment, side, hold])
                to_go = alone if task == MARK else onward
                turn = RelaxedTurn(rack, held, new, old, more_after, one_price, to_go)
                # an empty order for old tiles is not used
                many = old_word.shape[1] if held >= by_old.least_held and task != MARK else 0
                ordered = WordOrder(old_word[held, :many], old_reach[held, :many], old_low[held, :many], old_high[held, :many])
                by_old_price = OldOrder(old_least[held], ordered)
                if task == MARK:
                    at_best = value[was_drawn, was_left, held] + slack[was_drawn, was_left, held]
                    _pass_slack(turn, onward, words, by_new, by_old_price, at_best, slack[drawn, left], scratch)
                    continue
                better, best = best_turn(turn, words, by_new, by_old_price, value[was_drawn, was_left, held], only, scratch)
                if better >= 0:
                    value[was_drawn, was_left, held] = best
                    word[was_drawn, was_left, held] = better
                    taken[was_drawn, was_left, held] = from_left


@borrowing
def _pass_slack(
    turn: RelaxedTurn,
    onward: npt.NDArray[np.int64],
    words: RelaxedWords,
    by_new: WordOrder,
    by_old: OldOrder,
    at_best: int,
    slack: npt.NDArray[np.int64],
    scratch: Scratch,
) -> None:
    """Lower the slack of the states after a turn.

    Args:
        turn: the draw; no play may end in its `onward`, all MINUS_INFINITY.
        onward: the values after its plays, as in `RelaxedTurn`.
        words: all words.
        by_new: the words in the order for new tiles.
        by_old: the words in the order for old tiles.
        at_best: value + slack of the state before the turn: the slack after a play of value v is at most `at_best` - v.
        slack: int64, shape (rack + 1,), the slack of the states after the turn, by tiles held.
        scratch: as for `best_turn`.
    """
    # `best_turn` finds one best play: so each number of tiles kept gets a search in which the others are ruled out
    for kept in range(len(onward)):
        if onward[kept] > MINUS_INFINITY:
            turn.onward[kept] = onward[kept]
            to_exceed = at_best - min(MOST_SLACK + 1, slack[kept])
            _word, value = best_turn(turn, words, by_new, by_old, to_exceed, -1, scratch)
            slack[kept] = min(slack[kept], at_best - value)
            turn.onward[kept] = MINUS_INFINITY


@kernel
def relax_last(size: int, game: RelaxedGame) -> None:
    """Find the best turns with racks of `size` tiles: those whose draw empties the row, and those after it.

    The best turns with smaller racks must be known already.
    """
    words, states = game.words, game.states
    tiles, rack = len(game.row), words.letters.shape[1]
    tile_counts = game.drawn_tiles.counts[tiles, 0]
    least = np.full((rack + 1, N_CODES), MINUS_INFINITY, np.int64)
    more_after = np.zeros((rack + 1, N_CODES), np.int64)
    for held in range(rack + 1):
        more_after[held] = leave_price(game.leaves, tiles, 0, held)
    for length in range(1, size + 1):
        for code in range(N_CODES):
            if tile_counts[code] > 0:
                least[length, code] = game.drawn_tiles.cheapest[tiles, 0, code, 0] + more_after[size - length, code]
    by_new = _new_order(len(words.letters))
    order_words(words, least, by_new)
    by_old = OldOrder(least[0], _new_order(0))  # few turns: one order is enough
    new = PricedTiles(np.zeros(N_CODES, np.int64), np.zeros((N_CODES, rack), np.int64), np.zeros(N_CODES, np.int64))
    onward = states.value[tiles, 0].copy()
    turn = RelaxedTurn(size, size, new, _old_tiles(game, tiles, 0, size), more_after, False, onward)
    scratch = new_scratch(rack)
    word, best = best_turn(turn, words, by_new, by_old, 0, -1, scratch)
    states.value[tiles, 0, size], states.word[tiles, 0, size] = best, word
    for draws in range(1, min(size, tiles) + 1):
        held, was_drawn = size - draws, tiles - draws
        if not _is_before_draw(was_drawn, held, rack) or was_drawn < game.leaves.window.first:
            continue
        low, high = lefts_in(game.leaves.window, was_drawn)
        for was_left in range(low, high + 1):
            if not game.active[was_drawn, was_left, held]:
                continue
            new.count[:] = 0
            _add(game.row[was_left : was_left + draws], game.tile_price[was_left : was_left + draws], new.count, new.price)
            turn = RelaxedTurn(size, held, new, _old_tiles(game, was_drawn, was_left, held), more_after, False, onward)
            word, best = best_turn(turn, words, by_new, by_old, states.value[was_drawn, was_left, held], -1, scratch)
            if word >= 0:
                states.value[was_drawn, was_left, held], states.word[was_drawn, was_left, held] = best, word


@borrowing
def _is_before_draw(drawn: int, held: int, rack: int) -> bool:
    """Return whether a game can draw from a state: at the start, or after a play, with at least a rack of tiles drawn."""
    return drawn >= rack or (drawn == 0 and held == 0)


@kernel
def _new_order(words: int) -> WordOrder:
    """Return empty arrays for an order of `words` words."""
    return WordOrder(
        np.empty(words, np.int32), np.empty(words, np.int64), np.empty(words, np.uint64), np.empty(words, np.uint64)
    )


@kernel
def _old_tiles(game: RelaxedGame, drawn: int, left: int, held: int) -> PricedTiles:
    """Return the tiles drawn before a turn, with the prices of holding one while `held` are held."""
    more = leave_price(game.leaves, drawn, left, held)
    return PricedTiles(game.drawn_tiles.counts[drawn, left], game.drawn_tiles.cheapest[drawn, left], more)


@borrowing
def _add(
    codes: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    count: npt.NDArray[np.int64],
    price: npt.NDArray[np.int64],
) -> None:
    """Add tiles to `count` and `price`, as in `PricedTiles`; the prices of each code stay ascending."""
    for i in range(len(codes)):
        code = codes[i]
        at = count[code]
        while at > 0 and price[code, at - 1] > tile_price[i]:
            price[code, at] = price[code, at - 1]
            at -= 1
        price[code, at] = tile_price[i]
        count[code] += 1
