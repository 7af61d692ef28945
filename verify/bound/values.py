"""The values of the relaxed games r1 and r3, by compiled code; `plain.py` has them as they are defined.

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

NONE = 10**12  # the price of a missing tile: more than all true amounts of a turn together, see docs/certificate.md
_BLOCK = 5  # left draws whose states share a list of words: with a list for each, evaluations take four times as long

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


class _Turn(NamedTuple):
    """One turn of a state.

    Attributes:
        row: By length of the word, the row of `prices` to use: the prices of leaves are often the same after several lengths.
        prices: By row and kind, ascending, padded with NONE, shape (rack + 1, KINDS, rack).
        base: By length of the word, what a word brings besides its gain: the tiles that are kept, and the rest of the game.
        new: The number of new tiles of each kind, shape (KINDS,).
        spare: The number of further letters that a word may need, shape (1,).
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
        turns = [
            _turn(game, drawn, was, held, after, 0 if after == tiles else was + draw)
            for was in range(first, stop)
            for draw in range(draws)
        ]
        best, word = np.zeros(stop - first, np.int64), np.full(stop - first, -1, np.int32)
        if 0 < drawn < tiles:
            # the best words of states with a few more tiles drawn are good ones: they rule out most others
            near = game.word[drawn + 1 : drawn + 3, first : stop + 2, max(0, held - 1) : held + 2]
            for hint in np.unique(near.copy()):
                if hint >= 0:
                    length = np.searchsorted(words.starts, hint, side="right") - 1
                    _compare(turns, best, word, words, length, np.array([hint], np.int32), np.array([4 * NONE]))
        _improve(turns, best, word, words)
        game.most[drawn, first:stop, held] = best
        game.word[drawn, first:stop, held] = word


@compiled
def _improve(turns: list[_Turn], best: Ints, word: Numbers, words: WordArrays) -> None:
    """Raise the values of some states, and their words, by all words that may bring more.

    Each state has the same number of turns.
    """
    for length in range(len(words.roots) - 2, 0, -1):
        least = np.full(KINDS, NONE, np.int64)
        highest = -NONE
        for turn in turns:
            if turn.base[length] > -NONE:
                highest = max(highest, turn.base[length])
                for kind in range(KINDS):
                    least[kind] = min(least[kind], turn.prices[turn.row[length], kind, 0])
        if highest > -NONE:
            number, reach = _candidates(_gains(least, length, words.values), best.min() - highest, words)
            _compare(turns, best, word, words, length, number, reach)


@compiled
def _compare(
    turns: list[_Turn], best: Ints, word: Numbers, words: WordArrays, length: int, number: Numbers, reach: Ints
) -> None:
    """Raise the values of some states, and their words, by some words of one length, whose gains are at most `reach`."""
    draws = len(turns) // len(best)
    gain, used = np.empty(length, np.int64), np.empty(KINDS, np.int64)
    for at in range(len(turns)):
        turn, state = turns[at], at // draws
        base, prices = turn.base[length], turn.prices[turn.row[length]]
        gains = _gains(prices[:, 0], length, words.values)
        for i in range(len(number)):
            if reach[i] + base <= best[state]:
                continue
            upper = base
            for place in range(length):
                upper += gains[place, words.letters[number[i], place]]
            if upper <= best[state]:
                continue
            value = base + _gain_of(turn, words.letters[number[i]], prices, words.values, gain, used)
            if value > best[state]:
                best[state], word[state] = value, number[i]


@compiled
def _gains(least: Ints, length: int, values: Ints) -> Ints:
    """Return the most that each letter gains at each place, as a letter or as a blank, at the prices `least` by kind."""
    gains = np.empty((length, LETTERS), np.int64)
    for place in range(length):
        for kind in range(LETTERS):
            gains[place, kind] = max((place + 1) * values[kind] - least[kind], -least[BLANK_KIND])
    return gains


@compiled
def _candidates(gains: Ints, floor: int, words: WordArrays) -> tuple[Numbers, Ints]:
    """Return the words of a length whose letters gain more than `floor`, and what they gain."""
    length = len(gains)
    total, rest = np.zeros(length + 1, np.int64), np.zeros(length + 1, np.int64)
    for place in range(length):
        rest[place + 1] = gains[place].max() + rest[place]
    most = words.starts[length + 1] - words.starts[length]
    number, reach, count = np.empty(most, np.int32), np.empty(most, np.int64), 0
    at = words.roots[length]
    # from the last letter on: what letters gain differs most at late places
    while at < words.roots[length + 1]:
        node = words.tree[at]
        place = node.place
        total[place] = total[place + 1] + gains[place, node.letter]
        if total[place] + rest[place] <= floor:
            at = np.int64(node.beyond)
            continue
        if place == 0:
            number[count], reach[count] = node.word, total[0]
            count += 1
        at += 1
    return number[:count], reach[:count]


@compiled
def _gain_of(turn: _Turn, letters: Ints, prices: Ints, values: Ints, gain: Ints, used: Ints) -> int:
    """Return the gain of a word, its points minus the prices of its tiles; -NONE if it needs too many further letters.

    The cheapest tiles of a letter go to the last places of that letter; then blanks replace the places that gain least.
    `gain` and `used` are scratch.
    """
    total, lacking, length = 0, 0, len(gain)
    for place in range(length):
        used[letters[place]] = 0
    for place in range(length - 1, -1, -1):
        kind = letters[place]
        copy = used[kind]
        used[kind] = copy + 1
        lacking += copy >= turn.new[kind]
        gain[place] = (place + 1) * values[kind] - prices[kind, copy]
        total += gain[place]
    if lacking > turn.spare[0]:
        return -NONE
    for blank in range(length):
        price = prices[BLANK_KIND, blank]
        if price >= NONE:
            break
        worst = 0
        for place in range(1, length):
            if gain[place] < gain[worst]:
                worst = place
        if gain[worst] >= -price:
            break
        total -= price + gain[worst]
        gain[worst] = NONE
    return total


@compiled
def _empty_turn(rack: int) -> _Turn:
    """Return a turn without tiles, whose words can all not be played."""
    row, prices, base = np.zeros(rack + 1, np.int64), np.full((rack + 1, KINDS, rack), NONE), np.full(rack + 1, -NONE)
    return _Turn(row, prices, base, np.zeros(KINDS, np.int64), np.zeros(1, np.int64))


@compiled
def _turn(game: RelaxedGame, before: int, was: int, held: int, after: int, left: int) -> _Turn:
    """Return the turn that starts in the state (before, was, held) and has (after, left) tiles drawn after its draw."""
    tiles = len(game.row)
    turn = _empty_turn(game.rack)
    pool, count, is_new, old = np.empty(tiles, np.int64), 0, np.zeros(tiles, np.bool_), np.zeros(KINDS, np.int64)
    for place in game.order:
        kind = game.row[place]
        if is_drawn(tiles, before, was, place):
            old[kind] += 1
            if old[kind] > held:
                continue
        elif is_drawn(tiles, after, left, place):
            is_new[place] = True
            turn.new[kind] += 1
        else:
            continue
        pool[count] = place
        count += 1
    turn.spare[0] = held + turn.new[BLANK_KIND]
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
                worth += turn.new[kind] * sold[kind]
            for place in pool[:count]:
                kind = game.row[place]
                more = sold[kind] if is_new[place] else bought[kind] + rise
                _insert(turn.prices[row, kind], game.price[place] + more)
        turn.row[length] = row
        turn.base[length] = game.most[after, left, size - length] + worth + held * rise
    return turn


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
def _best_of_all(kinds: Ints, prices: Ints, base: Ints, words: WordArrays) -> int:
    """Return the best value of a turn of r1, which may play any of some tiles; 0 if none is better.

    Args:
        kinds: The kinds of the tiles.
        prices: Their prices.
        base: By length of the word, the value of the rest of the game; -NONE for a length that cannot be played.
        words: All words.
    """
    turn = _empty_turn(len(base) - 1)
    for i in range(len(kinds)):
        _insert(turn.prices[0, kinds[i]], prices[i])
    turn.base[:] = base
    turn.spare[0] = len(base)
    best = np.zeros(1, np.int64)
    _improve([turn], best, np.full(1, -1, np.int32), words)
    return best[0]


def free_bound(certificate: Certificate, words: WordArrays, progress: Callable[[int, int], None]) -> int:
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
