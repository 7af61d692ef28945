"""The values of the relaxed games r1 and r3, by compiled code.

A state's turns are compared by their best words. Most words are ruled out for many turns at once: a block of neighbouring
states takes the lowest prices of all its turns, and lists the words that may bring more than these states have already.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.certificate import Certificate
from verify.bound.compiled import compiled
from verify.bound.words import BLANK_KIND, KINDS, LETTERS, Ints, WordArrays, kind_of

NONE = (
    10**12
)  # the price of a missing tile: more than all true amounts of a turn together, see docs/certificate.md
_BLOCK = 8  # left draws whose states share a list of words: with a few less or more, evaluations take longer

Numbers = npt.NDArray[np.int32]


class RelaxedGame(NamedTuple):
    """The relaxed game of a focus. Amounts are in thousandths of a point.

    Attributes:
        played: The first layer that the focus is for.
        window: The fewest tiles drawn; the fewest and the most left draws of states with that number of tiles drawn.
        rack: The size of a full rack.
        row: The kinds of the tiles, shape (tiles,).
        price: The price of each tile of the row.
        order: The places of the row by their prices, the cheapest first.
        leave: The price of each kind of tile in a leave, shape (tiles + rack + 1, sides, holds, KINDS).
        most: The values, by tiles drawn, left draws and tiles held.
        word: The word of the best turn of each state, -1 for none.
    """

    played: int
    window: tuple[int, int, int]
    rack: int
    row: Ints
    price: Ints
    order: Ints
    leave: Ints
    most: Ints
    word: Numbers


class _Turns(NamedTuple):
    """The turns of some states, the same number of each, in the order of the states.

    Attributes:
        row: By turn and length of the word, the row of `prices` to use: several lengths often have the same prices of leaves.
        prices: By turn, row and kind, ascending, padded with NONE, shape (turns, rack + 1, KINDS, rack).
        base: By turn and length, what a word brings besides its gain: the tiles that are kept, and the rest of the game.
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
    first, low, high = game.window
    return (0, 0) if drawn == len(game.row) else (low, min(drawn, high + drawn - first))


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
    """Evaluate the states of r3 with `drawn` tiles drawn and `held` tiles held, in the window of the game.

    Those with more tiles drawn must be evaluated already; once the row is empty, those with fewer tiles held as well.
    """
    tiles = len(game.row)
    low, high = left_draw_range(game, drawn)
    after = min(tiles, drawn + game.rack - held)
    draws = 1 if after == tiles else after - drawn + 1
    for first in range(low, high + 1, _BLOCK):
        stop = min(high + 1, first + _BLOCK)
        turns = _empty_turns((stop - first) * draws, game.rack)
        for at in range(len(turns.new)):
            was = first + at // draws
            _set_turn(
                turns, at, game, drawn, was, held, after, 0 if after == tiles else was + at % draws
            )
        best, word = np.zeros(stop - first, np.int64), np.full(stop - first, -1, np.int32)
        # the best words of states with a few more tiles drawn are good ones: they rule out most others
        near = game.word[drawn + 1 : drawn + 3, first : stop + 2, max(0, held - 1) : held + 2]
        _improve(turns, best, word, words, np.unique(near.copy()))
        game.most[drawn, first:stop, held] = best
        game.word[drawn, first:stop, held] = word


@compiled
def _improve(turns: _Turns, best: Ints, word: Numbers, words: WordArrays, first: Numbers) -> None:
    """Raise the values of some states, and their words, by the words `first`, then by all others that may bring more."""
    draws = len(turns.new) // len(best)
    for is_first in (True, False):
        for length in range(len(words.roots) - 2, 0, -1):
            some = first[(first >= words.starts[length]) & (first < words.starts[length + 1])]
            if is_first and len(some) == 0:
                continue
            gains = _gains(turns, length, words.values)
            lacking = turns.base[:, length] - np.repeat(best, draws)
            if not is_first:
                some = _candidates(gains, lacking, words)
            _compare(turns, gains, lacking, best, word, words, some)


@compiled
def _compare(
    turns: _Turns,
    gains: Ints,
    lacking: Ints,
    best: Ints,
    word: Numbers,
    words: WordArrays,
    some: Numbers,
) -> None:
    """Raise the values of some states, and their words, by some words of one length.

    `gains` is from `_gains`. `lacking` is what the value of each turn's state lacks with a gain of 0.
    """
    draws, length = len(turns.new) // len(best), len(gains)
    gain, used, more = (
        np.empty(length, np.int64),
        np.empty(KINDS, np.int64),
        np.empty(len(lacking), np.int64),
    )
    # numba counts a reference whenever a loop takes an array out of a bundle
    letters, values, prices = words.letters, words.values, turns.prices
    rows, bases, new, spare = turns.row, turns.base, turns.new, turns.spare
    for number in some:
        more[:] = lacking
        for place in range(length):
            kind = np.int64(letters[number, place])
            for at in range(len(more)):
                more[at] += gains[place, kind, at]
        for at in range(len(more)):
            if more[at] <= 0:
                continue
            # the cheapest tiles of a letter go to the last places of that letter
            total, further, row, state = bases[at, length], 0, rows[at, length], at // draws
            used[:] = 0
            for place in range(length - 1, -1, -1):
                kind = np.int64(letters[number, place])
                further += used[kind] >= new[at, kind]
                gain[place] = (place + 1) * values[kind] - prices[at, row, kind, used[kind]]
                total += gain[place]
                used[kind] += 1
            if further > spare[at]:
                continue
            # then blanks replace the places that gain least
            for blank in range(length):
                price, worst = prices[at, row, BLANK_KIND, blank], gain.argmin()
                if price >= NONE or gain[worst] >= -price:
                    break
                total -= price + gain[worst]
                gain[worst] = NONE
            if total > best[state]:
                for other in range(state * draws, (state + 1) * draws):
                    lacking[other] -= total - best[state]
                best[state], word[state] = total, number


@compiled
def _gains(turns: _Turns, length: int, values: Ints) -> Ints:
    """Return the most that each letter gains in words of a length, as a letter or as a blank, by place, letter and turn."""
    gains = np.empty((length, LETTERS, len(turns.new)), np.int64)
    for at in range(len(turns.new)):
        row = turns.row[at, length]
        for kind in range(LETTERS):
            for place in range(length):
                price, blank = turns.prices[at, row, kind, 0], turns.prices[at, row, BLANK_KIND, 0]
                gains[place, kind, at] = max((place + 1) * values[kind] - price, -blank)
    return gains


@compiled
def _candidates(gains: Ints, lacking: Ints, words: WordArrays) -> Numbers:
    """Return the words of a length that may raise a value: the letters of each gain what they gain most in any turn."""
    length = len(gains)
    highest, total, rest = (
        np.empty((length, LETTERS), np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros(length + 1, np.int64),
    )
    for place in range(length):
        for kind in range(LETTERS):
            highest[place, kind] = (
                gains[place, kind].max() if place else (gains[place, kind] + lacking).max()
            )
        rest[place + 1] = highest[place].max() + rest[place]
    number, count = np.empty(words.starts[length + 1] - words.starts[length], np.int32), 0
    at, end, tree = words.roots[length], words.roots[length + 1], words.tree
    # from the last letter on: what letters gain differs most at late places
    while at < end:
        node = tree[at]
        place = node.place
        total[place] = total[place + 1] + highest[place, node.letter]
        if total[place] + rest[place] <= 0:
            at = np.int64(node.beyond)
            continue
        if place == 0:
            number[count] = node.word
            count += 1
        at += 1
    return number[:count]


@compiled
def _empty_turns(count: int, rack: int) -> _Turns:
    """Return turns without tiles, whose words can all not be played."""
    row, prices = (
        np.zeros((count, rack + 1), np.int64),
        np.empty((count, rack + 1, KINDS, rack), np.int64),
    )
    prices[:, 0] = NONE  # the other rows are filled when they are used
    return _Turns(
        row,
        prices,
        np.full((count, rack + 1), -NONE),
        np.zeros((count, KINDS), np.int64),
        np.zeros(count, np.int64),
    )


@compiled
def _set_turn(
    turns: _Turns,
    at: int,
    game: RelaxedGame,
    before: int,
    was: int,
    held: int,
    after: int,
    left: int,
) -> None:
    """Set the turn that starts in the state (before, was, held) and has (after, left) tiles drawn after its draw."""
    tiles, rack, kinds, row_prices, prices = (
        len(game.row),
        game.rack,
        game.row,
        game.price,
        turns.prices,
    )
    pool, count, is_new, old = (
        np.empty(tiles, np.int64),
        0,
        np.zeros(tiles, np.bool_),
        np.zeros(KINDS, np.int64),
    )
    for place in game.order:
        kind = kinds[place]
        if is_drawn(tiles, before, was, place):
            old[kind] += 1
            if old[kind] > held:
                continue
        elif is_drawn(tiles, after, left, place):
            is_new[place] = True
            turns.new[at, kind] += 1
        else:
            continue
        pool[count] = place
        count += 1
    turns.spare[at] = held + turns.new[at, BLANK_KIND]
    bought = game.leave[cell_of(game, before, was, held)]
    size = held + after - before
    cell, row, rise, worth = (-1, -1, -1), -1, 0, 0
    for length in range(1, size + 1):
        then = cell_of(game, after, left, size - length)
        if then != cell:
            cell, row = then, row + 1
            sold = game.leave[cell]
            rise, worth = -NONE if held > 0 else 0, 0
            for kind in range(KINDS):
                if held > 0 and old[kind] > 0:
                    rise = max(rise, sold[kind] - bought[kind])
                worth += turns.new[at, kind] * sold[kind]
            prices[at, row] = NONE
            for place in pool[:count]:
                kind, i = kinds[place], rack
                price = row_prices[place] + (sold[kind] if is_new[place] else bought[kind] + rise)
                # the cheapest `rack` tiles of a kind stay, in ascending order
                while i > 0 and prices[at, row, kind, i - 1] > price:
                    i -= 1
                    if i + 1 < rack:
                        prices[at, row, kind, i + 1] = prices[at, row, kind, i]
                if i < rack:
                    prices[at, row, kind, i] = price
        turns.row[at, length] = row
        turns.base[at, length] = game.most[after, left, size - length] + worth + held * rise


@compiled
def _best_of_all(kinds: Ints, prices: Ints, base: Ints, words: WordArrays) -> int:
    """Return the best value of a turn of r1, which may play any of some tiles; 0 if none is better.

    Args:
        kinds: The kinds of the tiles.
        prices: Their prices.
        base: By length of the word, the value of the rest of the game; -NONE for a length that cannot be played.
        words: All words.
    """
    turns = _empty_turns(1, len(base) - 1)
    for kind in range(KINDS):
        some = np.sort(prices[kinds == kind])[: len(base) - 1]
        turns.prices[0, 0, kind, : len(some)] = some
    turns.base[0] = base
    turns.spare[0] = len(base)
    best = np.zeros(1, np.int64)
    _improve(turns, best, np.full(1, -1, np.int32), words, np.empty(0, np.int32))
    return best[0]


def free_bound(
    certificate: Certificate, words: WordArrays, progress: Callable[[int, int], None]
) -> int:
    """Return the bound of r1, in thousandths of a point; `progress` takes the steps done and the total."""
    kinds = np.array([kind_of(tile) for tile in certificate.row], dtype=np.int64)
    prices = np.array(certificate.foci[0].tiles, dtype=np.int64)
    tiles, rack, width = len(kinds), certificate.rack, certificate.width
    end = np.zeros(rack + 1, np.int64)
    base = np.full(rack + 1, -NONE)
    for size in range(1, min(rack, tiles) + 1):
        base[1 : size + 1] = end[:size][::-1]
        end[size] = _best_of_all(kinds, prices, base, words)
    worth: dict[int, Ints] = {}

    def after(drawn: int, node: int, held: int) -> int:
        """Return the value of the rest of the game after the turn of a node that keeps `held` tiles."""
        then = drawn + rack - held
        if then >= tiles:
            return int(end[held + tiles - drawn])
        most = min(drawn, node * width + width - 1)
        return int(worth[then][node : (most + then - drawn) // width + 1].max())

    for drawn in range(tiles - 1, rack - 1, -1):
        worth[drawn] = np.zeros(drawn // width + 1, np.int64)
        for node in range(len(worth[drawn])):
            left = min(drawn, (node + 1) * width - 1)
            near = np.ones(tiles, np.bool_)
            near[left : tiles - (drawn - node * width)] = False
            base[1:] = [after(drawn, node, rack - length) for length in range(1, rack + 1)]
            worth[drawn][node] = _best_of_all(kinds[near], prices[near], base, words)
        worth.pop(drawn + rack + 1, None)
        progress(tiles - drawn, tiles - rack + 1)
    return int(prices.sum()) + after(0, 0, 0)
