"""What the relaxed games r2 and r3 bring from every state on: the figures of `verify.bound.relaxed_game`, by compiled code.

A state is (tiles drawn, left draws, tiles held). Its turn draws, then plays a word. States with as many tiles drawn do not
depend on each other, so that they are worked out block by block, a block being states with as many tiles held and neighbouring
left draws. In a block no word is looked at whose gain at the lowest prices there is too low.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.gains import count_bits, gain_of
from verify.bound.shortlists import CompiledWords, Shortlist, candidates, fill_gains
from verify.bound.turn import NONE
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints

_TILES = BLANK_KIND + 1  # kinds that a tile can be of: letters and the blank
_ONE = np.uint64(1)


class PricedGame(NamedTuple):
    """A relaxed game.

    row: kinds of the tiles, shape (tiles,).
    price: of each tile, in thousandths of a point.
    leave: of each kind of tile in a leave, shape (tiles + rack + 1, sides, holds, KINDS).
    window: the fewest tiles drawn, and the fewest and the most left draws of states with so many.
    rack: tiles of a full rack.
    """

    row: Ints
    price: Ints
    leave: Ints
    window: tuple[int, int, int]
    rack: int


class Values(NamedTuple):
    """By (tiles drawn, left draws, tiles held): what the game brings, in thousandths of a point, and the best turn's word."""

    most: Ints
    word: npt.NDArray[np.int32]


class Block(NamedTuple):
    """States of `before` tiles drawn, `held` tiles held and left draws from `first` to before `stop`."""

    before: int
    held: int
    first: int
    stop: int


class _Turn(NamedTuple):
    """Scratch for one turn.

    row: by length of the word, which of the prices hold: those of leaves after it are often the same.
    prices: by row and kind, ascending, NONE where there are no more, shape (rack + 1, KINDS, rack).
    base: by length of the word, what a word brings beside its gain: the tiles that are kept, and the game after it.
    own: the masks of the tiles that may all be played.
    spare: in one place, how many other letters a word may need.
    """

    row: Ints
    prices: Ints
    base: Ints
    own: npt.NDArray[np.uint64]
    spare: Ints


@compiled
def left_draw_range(window: tuple[int, int, int], drawn: int) -> tuple[int, int]:
    """The fewest and the most left draws of `drawn` tiles in a window."""
    first, low, high = window
    return low, min(drawn, high + drawn - first)


@compiled
def leave_worth(game: PricedGame, drawn: int, left: int, held: int) -> Ints:
    """The price of each kind of tile in a leave of `held` tiles: shape (KINDS,)."""
    tiles = len(game.row)
    if drawn == tiles:
        return game.leave[tiles + game.rack - held, 0, 0]
    first, low, high = game.window
    side = (left - low) * game.leave.shape[1] // (high - low + drawn - first + 1)
    return game.leave[drawn, side, held * game.leave.shape[2] // game.rack]


@compiled
def settle_block(block: Block, game: PricedGame, words: CompiledWords, values: Values, listed: Shortlist) -> None:
    """Work out the states of a block.

    listed: of a block like it, or a new one.

    All states with more tiles drawn, and with as many and an empty row those with fewer held, are worked out already.
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
    # states with one tile more drawn are worth about as much: where this guess is too high, the second look has good floors
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

    least, highest: of all turns of the block, see `verify.bound.shortlists.candidates`.
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
            own_low, own_high, spare = ~turn.own[0], ~turn.own[1], turn.spare[0]
            for length in range(size, 0, -1):
                prices, base = turn.prices[turn.row[length]], turn.base[length]
                if first_of[length] == first_of[length + 1] or reach[first_of[length]] + base <= best:
                    continue
                fill_gains(highest_gain, prices[:, 0], length, words)
                for i in range(first_of[length], first_of[length + 1]):
                    if reach[i] + base <= best:
                        break
                    word = number[i]
                    if count_bits(words.masks[0, word] & own_low) + count_bits(words.masks[1, word] & own_high) > spare:
                        continue
                    upper = base
                    for place in range(length):
                        upper += highest_gain[place, words.letters[word, place]]
                    if upper <= best:
                        continue
                    found = base + gain_of(words, word, length, prices, gain, used)
                    if found > best:
                        best, best_word = found, word
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
    """The prices by kind of the tiles drawn before a turn, ascending, at most as many as are held."""
    tiles = len(game.row)
    old[:] = NONE
    if held > 0:
        for place in range(tiles):
            if before == tiles or place < was or place >= tiles - (before - was):
                _insert(old[game.row[place], :held], game.price[place])


@compiled
def _fill_turn(turn: _Turn, old: Ints, before: int, was: int, held: int, left: int, game: PricedGame, values: Values) -> None:
    """The prices, and all else, of the turn from (before, was, held) that draws up to `left` left draws."""
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
            turn.own[copy // 2] |= _ONE << np.uint64(kind + BLANK_KIND * (copy % 2))
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
    """Whether two lists of prices by kind are the same."""
    same = True
    for kind in range(_TILES):
        same &= some[kind] == others[kind]
    return same


@compiled
def _insert(prices: Ints, price: int) -> None:
    """Put a price in its place among ascending ones; the highest falls out."""
    at = len(prices)
    while at > 0 and prices[at - 1] > price:
        if at < len(prices):
            prices[at] = prices[at - 1]
        at -= 1
    if at < len(prices):
        prices[at] = price


@compiled
def _merge(some: Ints, more: int, others: Ints, more_of_others: int, out: Ints) -> None:
    """The lowest of two ascending lists of prices, each with what it costs beside, ascending."""
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
    """Begin with the words that were best in states nearby: a good floor spares most of the others."""
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
        lacking = count_bits(words.masks[0, word] & ~turn.own[0]) + count_bits(words.masks[1, word] & ~turn.own[1])
        if lacking <= turn.spare[0]:
            found = turn.base[length] + gain_of(words, word, length, turn.prices[turn.row[length]], gain, used)
            if found > values.most[before, was, held]:
                values.most[before, was, held], values.word[before, was, held] = found, word
