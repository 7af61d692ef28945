"""The relaxed game of r3 (`solver.bound.relaxation`): its best turns.

States are (tiles drawn, left draws, tiles held). A turn goes from a state before its draw to one
after its play. Each draw fills the rack or empties the row. A draw that empties the row takes the
same tiles from either end: so states after it have 0 left draws. A layer holds the states with the
same number of tiles drawn, and a block some neighbouring left draws of it. Turns are found from the
end of the row to its start.
"""

from typing import NamedTuple

import numpy as np

from solver.bound.kernels.completion_bounds import LeavePrices, leave_cell, leave_price, lefts_in
from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    NO_TILE,
    RackRoom,
    RelaxedRack,
    RelaxedWords,
    Tiles,
    WordOrder,
    add_tiles,
    best_play,
    fill_outer,
    masks_of,
    merge_prices,
    new_room,
    new_tiles,
    order_words,
    play_value,
)
from solver.compiled import I8, I32, I64, borrowing, kernel
from solver.model.tiles import BLANK_CODE, N_CODES, Codes

# the number of adjacent layers that share the order of words: sorting for each layer takes longer
LAYERS = 3
# left draws of a block: the fewer, the closer the reach of words, and the more orders to sort
WIDTH = 6
_ALL = np.int64(-1)  # in place of one word; a literal would be compiled by itself
State = tuple[int, int, int]


class LeavesAfter(NamedTuple):
    """The leaves after the plays of a turn, by number of tiles kept.

    Attributes:
        price: int64, shape (holds, N_CODES), the price of holding a tile, by hold and code, in
            thousandths of a point.
        hold: int64, shape (rack + 1,), the hold of each number.
        onward: int64, shape (rack + 1,), the value of the rest of the game, in thousandths of a
            point; MINUS_INFINITY where no play may end. A play keeps less than a rack.
    """

    price: I64
    hold: I64
    onward: I64


class RelaxedGame(NamedTuple):
    """A relaxed game: its tiles, prices and words, and the best turn from each state.

    Arrays over states (drawn, left, held) have the shape (tiles + 1, tiles + 1, rack + 1). They
    have the best turns at the current prices, and those at the prices evaluated before until a
    state is reached again.

    Attributes:
        row: uint8, shape (tiles,), codes.
        tile_price: int64, shape (tiles,), the price of playing each tile of the row, in
            thousandths of a point.
        drawn: the tiles drawn at each node: `count` has shape (tiles + 1, tiles + 1, N_CODES),
            `price` (tiles + 1, tiles + 1, N_CODES, rack). Once the row is empty, the node
            (tiles, 0) has all tiles.
        leaves: the prices of holding tiles.
        hold: int64, shape (rack + 1,), the hold of each number of tiles held before the row is
            empty.
        last: the leaves after plays once the row is empty. Each number of tiles kept has a moment
            of its own.
        words: the words that may be played.
        orders: the words in the order of a search, by block: the first axis of its arrays.
        value: int64, the value of the rest of the game, in thousandths of a point.
        taken: int8, the left draws of the best turn alone; meaningless without a turn.
        word: int32, the index of its word; -1 if ending the game is best.
    """

    row: Codes
    tile_price: I64
    drawn: Tiles
    leaves: LeavePrices
    hold: I64
    last: LeavesAfter
    words: RelaxedWords
    orders: WordOrder
    value: I64
    taken: I8
    word: I32


class RelaxedTurn(NamedTuple):
    """A draw: its new tiles are known, its old ones may be any tiles drawn before.

    Attributes:
        size: the number of tiles in the rack.
        held: the number of old tiles among them.
        new: the tiles of this draw.
        old: all tiles drawn before.
        old_more: int64, shape (N_CODES,), the price of holding one before the turn.
        after: the leaves after its plays.
    """

    size: int
    held: int
    new: Tiles
    old: Tiles
    old_more: I64
    after: LeavesAfter


@borrowing
def best_turn(
    turn: RelaxedTurn,
    words: RelaxedWords,
    ordered: WordOrder,
    best: int,
    only: int,
    room: RackRoom,
) -> tuple[int, int]:
    """Return the best word of a turn and its value; -1 and `best` if no word exceeds `best`.

    `docs/bound.md` derives the costs. The price of holding a tile rises by up to d during the turn
    (`rise`), and every old tile that is not played gains d. So the turn begins with d for each old
    tile, plus the price of holding each new tile afterwards (`base`). To play a new tile of code c
    then costs its price + after[c], and an old one its price + old_more[c] + d.

    Args:
        turn: the draw.
        words: all words.
        ordered: the words in the order of the search.
        best: the value to exceed, in thousandths of a point.
        only: the index of the one word to try; -1 for all.
        room: as `new_room` returns it.
    """
    low, high = masks_of(turn.new.count)
    rack = RelaxedRack(low, high, turn.held + turn.new.count[BLANK_CODE], room)
    price_after, hold_after, onward = turn.after
    word = -1
    hold = -1
    merged_hold = -1
    rise = 0
    base = 0
    after = price_after[0]
    for length in range(turn.size, 0, -1):
        kept = turn.size - length
        begin = words.first[length]
        end = words.first[length + 1]
        if onward[kept] <= MINUS_INFINITY or begin == end:
            continue
        if only >= 0 and not begin <= only < end:
            continue
        if hold_after[kept] != hold:
            hold = hold_after[kept]
            after = price_after[hold]
            rise = _rise(turn.old.count, turn.old_more, after)
            base = turn.held * rise
            for code in range(N_CODES):
                base += turn.new.count[code] * after[code]
        total = base + onward[kept]
        # most lengths end here: the first word of the order reaches furthest
        if only < 0 and ordered.reach[begin] <= best - total:
            continue
        if merged_hold != hold:
            merge_prices(turn.new, after, turn.old, turn.old_more, rise, turn.held, room.tiles)
            merged_hold = hold
        if only >= 0:
            better = only
            value = total + play_value(words.letters[only], length, words.values, room)
        else:
            better, value = best_play(length, words, ordered, rack, total, best)
        if value > best:
            word = better
            best = value
    return word, best


@borrowing
def _rise(count: I64, before: I64, after: I64) -> int:
    """Return the largest rise of the price of holding a tile, over the codes with tiles."""
    highest = MINUS_INFINITY
    for code in range(N_CODES):
        if count[code] > 0:
            highest = max(highest, after[code] - before[code])
    return highest


@kernel
def order_blocks(game: RelaxedGame, first: int, last: int, begin: int, end: int) -> None:
    """Sort the words for blocks `begin` to `end` - 1 of left draws.

    The order is for turns whose draw ends at `first` to `last` tiles. An old tile never costs less
    to play than a new one of the same price, so each letter counts with the cheapest of all tiles
    drawn, as if it were new.
    """
    rack = game.words.letters.shape[1]
    least = np.empty((rack + 1, N_CODES), np.int64)
    word, reach, masks = game.orders
    for block in range(begin, end):
        least[:] = NO_TILE
        for drawn in range(first, last + 1):
            low, stop = block_lefts(block, drawn, game)
            for left in range(low, stop):
                for length in range(1, rack + 1):
                    holding = leave_price(game.leaves, drawn, left, rack - length)
                    for code in range(N_CODES):
                        if game.drawn.count[drawn, left, code] > 0:
                            cost = game.drawn.price[drawn, left, code, 0] + holding[code]
                            least[length, code] = min(least[length, code], cost)
        ordered = WordOrder(word[block], reach[block], masks[block])
        order_words(game.words, least, ordered)


@kernel
def fill_drawn(game: RelaxedGame) -> None:
    """Fill the tiles drawn at each node in the window."""
    count, price = game.drawn
    tiles = len(game.row)
    for drawn in range(game.leaves.window.first, tiles):
        low, high = lefts_in(game.leaves.window, drawn)
        for left in range(low, high + 1):
            right = tiles - drawn + left
            its_tiles = Tiles(count[drawn, left], price[drawn, left])
            fill_outer(game.row, game.tile_price, left, right, its_tiles)
    fill_outer(game.row, game.tile_price, 0, 0, Tiles(count[tiles, 0], price[tiles, 0]))


@kernel
def block_lefts(block: int, drawn: int, game: RelaxedGame) -> tuple[int, int]:
    """Return the range of left draws of a block: the fewest, and one more than the most."""
    low, high = lefts_in(game.leaves.window, drawn)
    first = low + block * WIDTH
    return first, min(high + 1, first + WIDTH)


@kernel
def blocks_of(drawn: int, game: RelaxedGame) -> int:
    """Return the number of blocks of left draws after `drawn` draws."""
    low, high = lefts_in(game.leaves.window, drawn)
    return (high - low) // WIDTH + 1


@kernel
def relax_blocks(game: RelaxedGame, drawn: int, begin: int, end: int) -> None:
    """Find the best turns from some states, among those whose draw does not empty the row.

    Args:
        game: the relaxed game; its best turns are improved, and no other task writes those of
            these blocks.
        drawn: tiles drawn after the draw.
        begin: the first block of left draws before the draw.
        end: the block after the last one.
    """
    rack = game.words.letters.shape[1]
    new = new_tiles(rack)
    room = new_room(rack)
    for block in range(begin, end):
        _relax_block(drawn, block, game, new, room)


@borrowing
def _relax_block(drawn: int, block: int, game: RelaxedGame, new: Tiles, room: RackRoom) -> None:
    """Do the work of `relax_blocks`, with room for a turn.

    It works without reference counts, which would take as long as the work.
    """
    rack = game.words.letters.shape[1]
    first, stop = block_lefts(block, drawn, game)
    for left in range(first, stop):
        for held in range(rack):
            state = (drawn - rack + held, left, held)
            if not _can_draw(state, game):
                continue
            # the best turn at the prices evaluated before gives a good value to exceed; both
            # numbers have the types of the loop's, so that `_try_turn` is compiled once
            taken = np.int64(game.taken[state])
            word = np.int64(game.word[state])
            game.value[state] = 0
            game.word[state] = -1
            if word >= 0:
                _try_turn(state, taken, word, game, new, room)
            for from_left in range(rack - held + 1):
                _try_turn(state, from_left, _ALL, game, new, room)


@borrowing
def _try_turn(
    state: State, from_left: int, only: int, game: RelaxedGame, new: Tiles, room: RackRoom
) -> None:
    """Improve the best turn from a state by those with `from_left` draws from the left.

    `only` is as in `best_turn`; `new` is room for the tiles of the draw, and `room` for the rack.
    """
    leaves = game.leaves
    was_drawn, was_left, held = state
    drawn = min(leaves.tiles, was_drawn + leaves.rack - held)
    left = was_left + from_left
    was_right = leaves.tiles - was_drawn + was_left
    right = leaves.tiles - drawn + left
    new.count[:] = 0
    add_tiles(game.row[was_left:left], game.tile_price[was_left:left], new)
    add_tiles(game.row[right:was_right], game.tile_price[right:was_right], new)
    old = Tiles(game.drawn.count[was_drawn, was_left], game.drawn.price[was_drawn, was_left])
    # not `leave_price`, which returns an array: without reference counts it must not be taken over
    moment, side, hold = leave_cell(leaves, was_drawn, was_left, held)
    old_more = leaves.leave[moment, side, hold]
    after = game.last
    block = 0
    if drawn < leaves.tiles:
        moment, side, _hold = leave_cell(leaves, drawn, left, 0)
        after = LeavesAfter(leaves.leave[moment, side], game.hold, game.value[drawn, left])
        low, _high = lefts_in(leaves.window, drawn)
        block = (left - low) // WIDTH
    word, reach, masks = game.orders
    ordered = WordOrder(word[block], reach[block], masks[block])
    turn = RelaxedTurn(held + drawn - was_drawn, held, new, old, old_more, after)
    better, best = best_turn(turn, game.words, ordered, game.value[state], only, room)
    if better >= 0:
        game.value[state] = best
        game.word[state] = better
        game.taken[state] = from_left


@borrowing
def _can_draw(state: State, game: RelaxedGame) -> bool:
    """Return whether a game can draw from a state, in the window."""
    drawn, left, held = state
    low, high = lefts_in(game.leaves.window, drawn)
    # at the start, or after a play, with at least a rack of tiles drawn
    is_turn = drawn >= game.leaves.rack or (drawn == 0 and held == 0)
    return is_turn and drawn >= game.leaves.window.first and low <= left <= high


@kernel
def relax_last(size: int, game: RelaxedGame) -> None:
    """Find the best turns with racks of `size` tiles once the draw has emptied the row.

    They are from the states before that draw, and from those after it. The best turns with smaller
    racks must be known already.
    """
    tiles = game.leaves.tiles
    rack = game.leaves.rack
    count, price = game.drawn
    holding = game.last.price
    least = np.full((rack + 1, N_CODES), NO_TILE, np.int64)
    for length in range(1, size + 1):
        for code in range(N_CODES):
            if count[tiles, 0, code] > 0:
                kept = rack - size + length
                least[length, code] = price[tiles, 0, code, 0] + holding[kept, code]
    # no block is sorted yet, so there is room
    word, reach, masks = game.orders
    ordered = WordOrder(word[0], reach[0], masks[0])
    order_words(game.words, least, ordered)
    new = new_tiles(rack)
    room = new_room(rack)
    for draws in range(min(size, tiles) + 1):
        drawn = tiles - draws
        for left in range(drawn + 1 if draws > 0 else 1):
            state = (drawn, left, size - draws)
            if draws == 0 or _can_draw(state, game):
                game.value[state] = 0
                game.word[state] = -1
                _try_turn(state, draws, _ALL, game, new, room)
