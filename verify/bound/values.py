"""The values of all states of the relaxed games r2 and r3, see `verify.bound.relaxed_game`, by compiled code.

A state is (tiles drawn, left draws, tiles held). Its turn draws, then plays a word. States with the same number of tiles drawn
do not depend on each other. They are evaluated block by block: a block is the states with the same number of tiles held and
neighbouring left draws. Words whose gain at the lowest prices of a block is too low are skipped for the whole block.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.gains import count_bits, gain_of
from verify.bound.shortlists import CompiledWords, Shortlist, candidates, fill_gains
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints

_TILES = BLANK_KIND + 1  # kinds of tiles: letters and the blank
_ONE = np.uint64(1)


class PricedGame(NamedTuple):
    """A relaxed game with its prices, in thousandths of a point.

    Attributes:
        row: The kinds of the tiles, shape (tiles,).
        price: The price of each tile of the row.
        leave: The price of each kind of tile in a leave, shape (tiles + rack + 1, sides, holds, KINDS).
        window: The fewest tiles drawn; the fewest and the most left draws of states with that number of tiles drawn.
        rack: The size of a full rack.
    """

    row: Ints
    price: Ints
    leave: Ints
    window: tuple[int, int, int]
    rack: int


class Values(NamedTuple):
    """By (tiles drawn, left draws, tiles held): the value in thousandths of a point, and the word of the best turn."""

    most: Ints
    word: npt.NDArray[np.int32]


class Block(NamedTuple):
    """The states with `before` tiles drawn, `held` tiles held and left draws from `first` up to but not including `stop`."""

    before: int
    held: int
    first: int
    stop: int


class _Turn(NamedTuple):
    """Scratch for one turn.

    Attributes:
        row: By length of the word, the row of `prices` to use: the prices of leaves are often the same after several lengths.
        prices: By row and kind, ascending, padded with NONE, shape (rack + 1, KINDS, rack).
        base: By length of the word, what a word brings besides its gain: the tiles that are kept, and the rest of the game.
        drawn: The masks of the tiles just drawn, which may all be played.
        spare: The number of further letters that a word may need, shape (1,).
    """

    row: Ints
    prices: Ints
    base: Ints
    drawn: npt.NDArray[np.uint64]
    spare: Ints


@compiled
def left_draw_range(window: tuple[int, int, int], drawn: int) -> tuple[int, int]:
    """Return the fewest and the most left draws of `drawn` tiles in a window."""
    first, low, high = window
    return low, min(drawn, high + drawn - first)


@compiled
def leave_worth(game: PricedGame, drawn: int, left: int, held: int) -> Ints:
    """Return the price of each kind of tile in a leave of `held` tiles: shape (KINDS,)."""
    tiles = len(game.row)
    if drawn == tiles:
        return game.leave[tiles + game.rack - held, 0, 0]
    first, low, high = game.window
    side = (left - low) * game.leave.shape[1] // (high - low + drawn - first + 1)
    return game.leave[drawn, side, held * game.leave.shape[2] // game.rack]


@compiled
def settle_block(block: Block, game: PricedGame, words: CompiledWords, values: Values, listed: Shortlist) -> None:
    """Evaluate the states of a block.

    The states with more tiles drawn must be evaluated already; once the row is empty, those with fewer tiles held as well.

    Args:
        block: The states to evaluate.
        game: The relaxed game.
        words: All words.
        values: Read and written.
        listed: The shortlist of a similar block, or a new one.
    """
    before, held, first, stop = block
    tiles, rack = len(game.row), game.rack
    after = min(tiles, before + rack - held)
    size = held + after - before
    draws = 1 if after == tiles else after - before + 1
    turns = [_new_turn(rack) for _ in range((stop - first) * draws)]
    least = np.full((rack + 1, KINDS), NONE, np.int64)
    highest = np.full(rack + 1, -NONE, np.int64)
    lowest_floor = NONE
    old = np.empty((KINDS, rack), np.int64)
    for was in range(first, stop):
        _fill_old(old, before, was, held, game)
        for draw in range(draws):
            turn = turns[(was - first) * draws + draw]
            _fill_turn(turn, old, before, was, held, 0 if after == tiles else was + draw, game, values)
            for length in range(1, size + 1):
                highest[length] = max(highest[length], turn.base[length])
                for kind in range(_TILES):
                    least[length, kind] = min(least[length, kind], turn.prices[turn.row[length], kind, 0])
            _try_hints(turn, before, was, held, after, game, words, values)
        lowest_floor = min(lowest_floor, values.most[before, was, held])
    # states with one more tile drawn have similar values; if this guess is too high, the second pass has good floors
    guess = lowest_floor
    if before + 1 < tiles:
        guess = NONE
        for was in range(first, stop):
            guess = min(guess, values.most[before + 1, was, held])
        guess = max(guess, lowest_floor)
    _look_through(turns, block, guess, least, highest, words, values, listed)
    lowest = NONE
    for was in range(first, stop):
        lowest = min(lowest, values.most[before, was, held])
    if lowest < guess:
        _look_through(turns, block, lowest, least, highest, words, values, listed)


@compiled
def _look_through(
    turns: list[_Turn],
    block: Block,
    floor: int,
    least: Ints,
    highest: Ints,
    words: CompiledWords,
    values: Values,
    listed: Shortlist,
) -> None:
    """Raise the values of a block's states by all words that may bring more than `floor`.

    `least` and `highest` are taken over all turns of the block, see `verify.bound.shortlists.candidates`.
    """
    before, held, first, stop = block
    rack = least.shape[0] - 1
    draws = len(turns) // (stop - first)
    size = 0
    while size < rack and highest[size + 1] > -NONE:
        size += 1
    number, reach, first_of = candidates(least, highest, size, floor, words, listed)
    gain, used = np.empty(rack, np.int64), np.empty(KINDS, np.int64)
    highest_gain = np.empty((rack, KINDS), np.int64)
    for was in range(first, stop):
        best, best_word = values.most[before, was, held], values.word[before, was, held]
        for draw in range(draws):
            turn = turns[(was - first) * draws + draw]
            absent_low, absent_high, spare = ~turn.drawn[0], ~turn.drawn[1], turn.spare[0]
            for length in range(size, 0, -1):
                prices, base = turn.prices[turn.row[length]], turn.base[length]
                if first_of[length] == first_of[length + 1] or reach[first_of[length]] + base <= best:
                    continue
                fill_gains(highest_gain, prices[:, 0], length, words)
                for i in range(first_of[length], first_of[length + 1]):
                    if reach[i] + base <= best:
                        break
                    word = number[i]
                    if count_bits(words.masks[0, word] & absent_low) + count_bits(words.masks[1, word] & absent_high) > spare:
                        continue
                    upper = base
                    for place in range(length):
                        upper += highest_gain[place, words.letters[word, place]]
                    if upper <= best:
                        continue
                    value = base + gain_of(words, word, length, prices, gain, used)
                    if value > best:
                        best, best_word = value, word
        values.most[before, was, held], values.word[before, was, held] = best, best_word


@compiled
def _new_turn(rack: int) -> _Turn:
    return _Turn(
        np.zeros(rack + 1, np.int64),
        np.empty((rack + 1, KINDS, rack), np.int64),
        np.full(rack + 1, -NONE, np.int64),
        np.zeros(2, np.uint64),
        np.zeros(1, np.int64),
    )


@compiled
def _fill_old(old: Ints, before: int, was: int, held: int, game: PricedGame) -> None:
    """Write the lowest prices by kind of the tiles drawn before a turn, ascending, at most `held` of each kind."""
    tiles = len(game.row)
    old[:] = NONE
    if held > 0:
        for place in range(tiles):
            if before == tiles or place < was or place >= tiles - (before - was):
                _insert(old[game.row[place], :held], game.price[place])


@compiled
def _fill_turn(turn: _Turn, old: Ints, before: int, was: int, held: int, left: int, game: PricedGame, values: Values) -> None:
    """Fill the scratch of the turn that starts in (before, was, held) and has `left` left draws after its draw."""
    tiles, rack = len(game.row), game.rack
    after = min(tiles, before + rack - held)
    size = held + after - before
    new = np.full((KINDS, rack), NONE, np.int64)
    drawn_now = np.zeros(KINDS, np.int64)
    if before < tiles:
        end = tiles - (before - was)  # of the tiles not drawn before
        for place in range(was, end):
            if after == tiles or place < left or place >= tiles - (after - left):
                _insert(new[game.row[place]], game.price[place])
                drawn_now[game.row[place]] += 1
    for kind in range(BLANK_KIND):
        for copy in range(min(4, drawn_now[kind])):
            turn.drawn[copy // 2] |= _ONE << np.uint64(kind + BLANK_KIND * (copy % 2))
    turn.spare[0] = held + drawn_now[BLANK_KIND]
    bought = leave_worth(game, before, was, held)
    row, rise, worth = -1, 0, 0
    for length in range(1, size + 1):
        sold = leave_worth(game, after, left, size - length)
        if length == 1 or not _are_same(sold, leave_worth(game, after, left, size - length + 1)):
            row += 1
            rise, worth = -NONE if held > 0 else 0, 0
            for kind in range(_TILES):
                if held > 0 and old[kind, 0] < NONE:
                    rise = max(rise, sold[kind] - bought[kind])
                worth += drawn_now[kind] * sold[kind]
            for kind in range(_TILES):
                _merge(new[kind], sold[kind], old[kind], bought[kind] + rise, turn.prices[row, kind])
        turn.row[length] = row
        turn.base[length] = values.most[after, left, size - length] + worth + held * rise


@compiled
def _are_same(some: Ints, others: Ints) -> bool:
    """Return whether two lists of prices by kind are equal."""
    same = True
    for kind in range(_TILES):
        same &= some[kind] == others[kind]
    return same


@compiled
def _insert(prices: Ints, price: int) -> None:
    """Insert a price into ascending ones; the highest drops out."""
    at = len(prices)
    while at > 0 and prices[at - 1] > price:
        if at < len(prices):
            prices[at] = prices[at - 1]
        at -= 1
    if at < len(prices):
        prices[at] = price


@compiled
def _merge(some: Ints, more: int, others: Ints, more_of_others: int, out: Ints) -> None:
    """Merge two ascending lists of prices, each raised by its surcharge, and write the lowest, ascending."""
    i, j = 0, 0
    for place in range(len(out)):
        one = some[i] + more if some[i] < NONE else NONE
        other = others[j] + more_of_others if others[j] < NONE else NONE
        out[place] = min(one, other)
        if one <= other:
            i += 1
        else:
            j += 1


@compiled
def _try_hints(
    turn: _Turn, before: int, was: int, held: int, after: int, game: PricedGame, words: CompiledWords, values: Values
) -> None:
    """Try the best words of neighbouring states first: a good floor rules out most other words."""
    tiles, rack = len(game.row), game.rack
    gain, used = np.empty(rack, np.int64), np.empty(KINDS, np.int64)
    for near in range(3):
        if near == 0 and was > 0:
            word = values.word[before, was - 1, held]
        elif near > 0 and before < tiles:
            word = values.word[before + 1, was + near - 1, held]
        else:
            word = np.int32(-1)
        if word < 0:
            continue
        length = 1
        while words.starts[length + 1] <= word:
            length += 1
        if length > held + after - before:
            continue
        lacking = count_bits(words.masks[0, word] & ~turn.drawn[0]) + count_bits(words.masks[1, word] & ~turn.drawn[1])
        if lacking <= turn.spare[0]:
            value = turn.base[length] + gain_of(words, word, length, turn.prices[turn.row[length]], gain, used)
            if value > values.most[before, was, held]:
                values.most[before, was, held], values.word[before, was, held] = value, word
