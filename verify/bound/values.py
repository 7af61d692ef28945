"""The values of relaxed games, by compiled code.

A state's turns are compared by their best words. Most words are ruled out for many turns at once: a
block of neighbouring states takes the lowest prices of all its turns, and lists the words that may
bring more than these states have already.
"""

from typing import NamedTuple

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.words import BLANK_KIND, KINDS, LETTERS, Int32s, Ints, WordArrays

# the price of a missing tile: more than all true amounts of a turn, see docs/certificate.md
NONE = 10**12
# left draws whose states share a list of words: with a few less or more, evaluations take longer
_BLOCK = 8


class RelaxedGame(NamedTuple):
    """The relaxed game of a focus. Amounts are in thousandths of a point.

    Attributes:
        played: The first layer that the focus is for.
        window: The fewest tiles drawn; the fewest and the most left draws of states with that
            number of tiles drawn.
        rack: The size of a full rack.
        row: The kinds of the tiles, shape (tiles,).
        price: The price of each tile of the row.
        order: The places of the row by their prices, the cheapest first.
        leave: The price of each kind of tile in a leave, shape (tiles + rack + 1, sides, holds,
            KINDS).
        value: The value of each state, by tiles drawn, left draws and tiles held.
        word: The word of the best turn of each state, -1 for none.
    """

    played: int
    window: tuple[int, int, int]
    rack: int
    row: Ints
    price: Ints
    order: Ints
    leave: Ints
    value: Ints
    word: Int32s


class _Turns(NamedTuple):
    """The turns of some states, the same number of each, in the order of the states.

    Attributes:
        row: By turn and length of the word, the row of `prices` to use: several lengths often have
            the same prices of leaves.
        prices: By turn, row and kind, ascending, padded with NONE, shape (turns, rack + 1, KINDS,
            rack).
        base: By turn and length, what a word brings besides its gain: the tiles that are kept, and
            the rest of the game.
        new: The number of new tiles of each kind, shape (turns, KINDS).
        spare: The number of further letters that a word may need, shape (turns,).
    """

    row: Ints
    prices: Ints
    base: Ints
    new: Ints
    spare: Ints


@compiled
def left_draw_range(game: RelaxedGame, drawn: int) -> tuple[int, int]:
    """Return the fewest and the most left draws of the states with `drawn` tiles drawn."""
    if drawn == len(game.row):
        return 0, 0
    first, low, high = game.window
    return low, min(drawn, high + drawn - first)


@compiled
def is_drawn(tiles: int, drawn: int, left: int, place: int) -> bool:
    """Return whether the tile at a place is among the tiles drawn."""
    return drawn == tiles or place < left or place >= tiles - (drawn - left)


@compiled
def cell_of(game: RelaxedGame, drawn: int, left: int, held: int) -> tuple[int, int, int]:
    """Return the moment, side and hold of a leave."""
    tiles = len(game.row)
    if drawn == tiles:
        return tiles + game.rack - held, 0, 0
    first, low, high = game.window
    side = (left - low) * game.leave.shape[1] // (high - low + drawn - first + 1)
    return drawn, side, held * game.leave.shape[2] // game.rack


@compiled
def settle(game: RelaxedGame, words: WordArrays, drawn: int, held: int) -> None:
    """Evaluate the states with `drawn` tiles drawn and `held` tiles held.

    Those with more tiles drawn must be evaluated already; once the row is empty, those with fewer
    tiles held as well.
    """
    tiles = len(game.row)
    low, high = left_draw_range(game, drawn)
    after = min(tiles, drawn + game.rack - held)
    is_last = after == tiles
    draws = 1 if is_last else after - drawn + 1
    for first in range(low, high + 1, _BLOCK):
        stop = min(high + 1, first + _BLOCK)
        turns = _empty_turns((stop - first) * draws, game.rack)
        for turn in range(len(turns.new)):
            left = first + turn // draws
            then = 0 if is_last else left + turn % draws
            _set_turn(turns, turn, game, (drawn, left, held), (after, then))
        best = np.zeros(stop - first, np.int64)
        word = np.full(stop - first, -1, np.int32)
        # the best words of states with a few more tiles drawn rule out most others
        near = game.word[drawn + 1 : drawn + 3, first : stop + 2, max(0, held - 1) : held + 2]
        _improve(turns, best, word, words, np.unique(near.copy()))
        game.value[drawn, first:stop, held] = best
        game.word[drawn, first:stop, held] = word


@compiled
def _improve(turns: _Turns, best: Ints, word: Int32s, words: WordArrays, likely: Int32s) -> None:
    """Raise the values of states by all words.

    Args:
        turns: The turns of the states.
        best: The value of each state.
        word: The word of each value.
        words: All words.
        likely: Words to look at first; words of -1 are left out.
    """
    longest = len(words.roots) - 2
    for length in range(longest, 0, -1):
        is_of_length = (likely >= words.starts[length]) & (likely < words.starts[length + 1])
        numbers = likely[is_of_length]
        if len(numbers) > 0:
            gains = _gains(turns, length, words.values)
            _compare(turns, gains, best, word, words, numbers)
    for length in range(longest, 0, -1):
        gains = _gains(turns, length, words.values)
        numbers = _candidates(gains, _lacking(turns, length, best), words)
        _compare(turns, gains, best, word, words, numbers)


@compiled
def _lacking(turns: _Turns, length: int, best: Ints) -> Ints:
    """Return by how much a word of a length without a gain beats the value of each turn's state."""
    return turns.base[:, length] - np.repeat(best, len(turns.new) // len(best))


@compiled
def _compare(
    turns: _Turns, gains: Ints, best: Ints, word: Int32s, words: WordArrays, numbers: Int32s
) -> None:
    """Raise the values of states, and their words, by some words of one length.

    Args:
        turns: The turns of the states.
        gains: From `_gains`.
        best: The value of each state.
        word: The word of each value.
        words: All words.
        numbers: The words to look at.
    """
    length = len(gains)
    draws = len(turns.new) // len(best)
    lacking = _lacking(turns, length, best)
    excess = np.empty(len(lacking), np.int64)  # at most what a word adds to the value, by turn
    gain = np.empty(length, np.int64)
    used = np.empty(KINDS, np.int64)
    # numba counts a reference whenever a loop takes an array out of a bundle
    letters = words.letters
    values = words.values
    prices = turns.prices
    rows = turns.row
    bases = turns.base
    new = turns.new
    spare = turns.spare
    for number in numbers:
        excess[:] = lacking
        for place in range(length):
            kind = np.int64(letters[number, place])
            for turn in range(len(excess)):
                excess[turn] += gains[place, kind, turn]
        for turn in range(len(excess)):
            if excess[turn] <= 0:
                continue
            # the cheapest tiles of a letter go to the last places of that letter
            total = bases[turn, length]
            row = rows[turn, length]
            further = 0
            used[:] = 0
            for place in range(length - 1, -1, -1):
                kind = np.int64(letters[number, place])
                further += used[kind] >= new[turn, kind]
                gain[place] = (place + 1) * values[kind] - prices[turn, row, kind, used[kind]]
                total += gain[place]
                used[kind] += 1
            if further > spare[turn]:
                continue
            # then blanks replace the places that gain least
            for blank in range(length):
                price = prices[turn, row, BLANK_KIND, blank]
                worst = gain.argmin()
                if price >= NONE or gain[worst] >= -price:
                    break
                total -= price + gain[worst]
                gain[worst] = NONE
            state = turn // draws
            if total > best[state]:
                lacking[state * draws : (state + 1) * draws] -= total - best[state]
                best[state] = total
                word[state] = number


@compiled
def _gains(turns: _Turns, length: int, values: Ints) -> Ints:
    """Return the most that each letter gains in words of a length, as a letter or as a blank.

    Returns:
        The gains by place, letter and turn.
    """
    gains = np.empty((length, LETTERS, len(turns.new)), np.int64)
    for turn in range(len(turns.new)):
        cheapest = turns.prices[turn, turns.row[turn, length], :, 0]
        for kind in range(LETTERS):
            for place in range(length):
                as_letter = (place + 1) * values[kind] - cheapest[kind]
                gains[place, kind, turn] = max(as_letter, -cheapest[BLANK_KIND])
    return gains


@compiled
def _candidates(gains: Ints, lacking: Ints, words: WordArrays) -> Int32s:
    """Return the words of a length that may raise a value.

    Each letter counts as what it gains most in any turn.

    Args:
        gains: From `_gains`.
        lacking: From `_lacking`.
        words: All words.
    """
    length = len(gains)
    highest = np.empty((length, LETTERS), np.int64)
    for kind in range(LETTERS):
        highest[0, kind] = (gains[0, kind] + lacking).max()
        for place in range(1, length):
            highest[place, kind] = gains[place, kind].max()
    before = np.zeros(length + 1, np.int64)  # the most that the letters before a place gain
    for place in range(length):
        before[place + 1] = before[place] + highest[place].max()
    total = np.zeros(length + 1, np.int64)  # what the letters from a place on gain
    tree = words.tree
    numbers = np.empty(words.starts[length + 1] - words.starts[length], np.int32)
    count = 0
    at = words.roots[length]
    end = words.roots[length + 1]
    # from the last letter on: what letters gain differs most at late places
    while at < end:
        node = tree[at]
        place = node.place
        total[place] = total[place + 1] + highest[place, node.letter]
        if total[place] + before[place] <= 0:
            at = np.int64(node.beyond)
            continue
        if place == 0:
            numbers[count] = node.word
            count += 1
        at += 1
    return numbers[:count]


@compiled
def _empty_turns(count: int, rack: int) -> _Turns:
    """Return turns without tiles, whose words can all not be played."""
    prices = np.empty((count, rack + 1, KINDS, rack), np.int64)
    prices[:, 0] = NONE  # the other rows are filled when they are used
    return _Turns(
        row=np.zeros((count, rack + 1), np.int64),
        prices=prices,
        base=np.full((count, rack + 1), -NONE),
        new=np.zeros((count, KINDS), np.int64),
        spare=np.zeros(count, np.int64),
    )


@compiled
def _set_turn(
    turns: _Turns,
    turn: int,
    game: RelaxedGame,
    before: tuple[int, int, int],
    after: tuple[int, int],
) -> None:
    """Set an empty turn.

    Args:
        turns: The turns.
        turn: The one to set.
        game: The relaxed game.
        before: The state that it starts in: tiles drawn, left draws, tiles held.
        after: The tiles drawn and the left draws after its draw.
    """
    tiles = len(game.row)
    kinds = game.row
    price = game.price
    drawn, left, held = before
    new = turns.new[turn]
    old = np.zeros(KINDS, np.int64)
    is_new = np.zeros(tiles, np.bool_)
    places = np.empty(tiles, np.int64)  # of the tiles that it may play, the cheapest first
    count = 0
    for place in game.order:
        kind = kinds[place]
        if is_drawn(tiles, drawn, left, place):
            old[kind] += 1
            if old[kind] > held:
                continue
        elif is_drawn(tiles, after[0], after[1], place):
            is_new[place] = True
            new[kind] += 1
        else:
            continue
        places[count] = place
        count += 1
    turns.spare[turn] = held + new[BLANK_KIND]
    bought = game.leave[cell_of(game, drawn, left, held)]
    size = held + after[0] - drawn
    cell = (-1, -1, -1)
    row = -1
    rise = 0
    kept = 0
    for length in range(1, size + 1):
        then = cell_of(game, after[0], after[1], size - length)
        if then != cell:
            cell = then
            row += 1
            sold = game.leave[cell]
            rise = _rise(sold - bought, old, held)
            kept = (new * sold).sum() + held * rise
            prices = turns.prices[turn, row]
            prices[:] = NONE
            for place in places[:count]:
                kind = kinds[place]
                leave_price = sold[kind] if is_new[place] else bought[kind] + rise
                _insert(prices[kind], price[place] + leave_price)
        turns.row[turn, length] = row
        turns.base[turn, length] = kept + game.value[after[0], after[1], size - length]


@compiled
def _rise(rises: Ints, old: Ints, held: int) -> int:
    """Return the highest rise of the price of a kind among the old tiles; 0 if none is held."""
    if held == 0:
        return 0
    highest = -NONE
    for kind in range(KINDS):
        if old[kind] > 0:
            highest = max(highest, rises[kind])
    return highest


@compiled
def _insert(ascending: Ints, price: int) -> None:
    """Insert a price into ascending ones, the highest of which is dropped."""
    i = len(ascending)
    while i > 0 and ascending[i - 1] > price:
        i -= 1
        if i + 1 < len(ascending):
            ascending[i + 1] = ascending[i]
    if i < len(ascending):
        ascending[i] = price
