"""The values of the relaxed games r1 and r3, by compiled code; `plain.py` has them as they are defined.

A state's turns are compared by their best words. Most words are ruled out for many turns at once: a block of neighbouring
states takes the lowest prices of all its turns, and lists the words that may bring more than these states have already.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.words import BLANK_KIND, KINDS, LETTERS, Ints, WordArrays

NONE = 10**12  # the price of a missing tile: more than all true amounts of a turn together, see docs/certificate.md
_BLOCK = 5  # left draws whose states share a list of words: with a list for each, evaluations take four times as long


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
def settle(game: PricedGame, words: WordArrays, values: Values, drawn: int, held: int) -> None:
    """Evaluate the states of r3 with `drawn` tiles drawn and `held` tiles held, in the window of the game.

    Those with more tiles drawn must be evaluated already; once the row is empty, those with fewer tiles held as well.
    """
    tiles, rack = len(game.row), game.rack
    low, high = left_draw_range(game.window, drawn)
    if drawn == tiles:
        low, high = 0, 0
    after = min(tiles, drawn + rack - held)
    draws = 1 if after == tiles else after - drawn + 1
    old = np.empty((KINDS, rack), np.int64)
    for first in range(low, high + 1, _BLOCK):
        stop = min(high + 1, first + _BLOCK)
        turns = [_new_turn(rack) for _ in range((stop - first) * draws)]
        best = np.zeros(stop - first, np.int64)
        word = np.full(stop - first, -1, np.int32)
        for was in range(first, stop):
            _fill_old(old, drawn, was, held, game)
            for draw in range(draws):
                turn = turns[(was - first) * draws + draw]
                _fill_turn(turn, old, drawn, was, held, 0 if after == tiles else was + draw, game, values)
            if drawn < tiles:
                near = values.word[drawn, was - 1, held] if was > low else np.int32(-1)
                hints = (near, values.word[drawn + 1, was, held], values.word[drawn + 1, was + 1, held])
                for draw in range(draws):
                    for hint in hints:
                        _try(turns[(was - first) * draws + draw], hint, was - first, best, word, words)
            # neighbours to the left are the best hints
            values.word[drawn, was, held] = word[was - first]
        # states with one more tile drawn have similar values; if this guess is too high, a second look finds the rest
        guess = best.min()
        if 0 < drawn < tiles:
            guess = max(guess, values.most[drawn + 1, first:stop, held].min())
        _improve(turns, best, word, words, guess)
        if best.min() < guess:
            _improve(turns, best, word, words, best.min())
        values.most[drawn, first:stop, held] = best
        values.word[drawn, first:stop, held] = word


@compiled
def best_of_all(kinds: Ints, prices: Ints, base: Ints, words: WordArrays) -> int:
    """Return the best value of a turn of r1, which may play any of some tiles; 0 if none is better.

    Args:
        kinds: The kinds of the tiles.
        prices: Their prices.
        base: By length of the word, the value of the rest of the game; -NONE for a length that cannot be played.
        words: All words.
    """
    rack = len(base) - 1
    turn = _new_turn(rack)
    turn.prices[0] = NONE
    for i in range(len(kinds)):
        _insert(turn.prices[0, kinds[i]], prices[i])
    turn.base[:] = base
    turn.spare[0] = rack
    best, word = np.zeros(1, np.int64), np.full(1, -1, np.int32)
    _improve([turn], best, word, words, 0)
    return best[0]


@compiled
def _improve(turns: list[_Turn], best: Ints, word: npt.NDArray[np.int32], words: WordArrays, floor: int) -> None:
    """Raise the values of some states, and their words, by all words that may bring more than `floor`.

    Each state has the same number of turns.
    """
    rack = len(turns[0].base) - 1
    draws = len(turns) // len(best)
    gains = np.empty((rack, LETTERS), np.int64)
    gain, used = np.empty(rack, np.int64), np.empty(KINDS, np.int64)
    number, reach = np.empty(len(words.letters), np.int32), np.empty(len(words.letters), np.int64)
    for length in range(rack, 0, -1):
        least = np.full(KINDS, NONE, np.int64)
        highest = -NONE
        for turn in turns:
            if turn.base[length] > -NONE:
                highest = max(highest, turn.base[length])
                for kind in range(KINDS):
                    least[kind] = min(least[kind], turn.prices[turn.row[length], kind, 0])
        if highest == -NONE:
            continue
        _fill_gains(gains, least, length, words.values)
        count = _list_candidates(gains, length, floor - highest, words, number, reach)
        for at in range(len(turns)):
            turn, state = turns[at], at // draws
            base = turn.base[length]
            prices = turn.prices[turn.row[length]]
            _fill_gains(gains, prices[:, 0], length, words.values)
            for i in range(count):
                if reach[i] + base <= best[state]:
                    continue
                upper = base
                for place in range(length):
                    upper += gains[place, words.letters[number[i], place]]
                if upper <= best[state]:
                    continue
                value = base + _gain_of(turn, number[i], length, prices, words, gain, used)
                if value > best[state]:
                    best[state], word[state] = value, number[i]


@compiled
def _fill_gains(gains: Ints, least: Ints, length: int, values: Ints) -> None:
    """Write the most that each letter gains at each place, as a letter or as a blank, at the prices `least` by kind."""
    for place in range(length):
        for kind in range(LETTERS):
            gains[place, kind] = max((place + 1) * values[kind] - least[kind], -least[BLANK_KIND])


@compiled
def _list_candidates(
    gains: Ints, length: int, floor: int, words: WordArrays, number: npt.NDArray[np.int32], reach: Ints
) -> int:
    """Write the words of a length whose letters gain more than `floor`, and what they gain; return how many there are."""
    total, rest = np.zeros(length + 1, np.int64), np.zeros(length + 1, np.int64)
    for place in range(length):
        rest[place + 1] = gains[place].max() + rest[place]
    word, stop, same, count = words.starts[length], words.starts[length + 1], length, 0
    # from the last letter on: what letters gain differs most at late places
    while word < stop:
        place = same
        while place > 0:
            place -= 1
            total[place] = total[place + 1] + gains[place, words.letters[word, place]]
            if total[place] + rest[place] <= floor:
                break
        else:
            number[count], reach[count] = word, total[0]
            count += 1
        # the next word with another letter at this place or after it
        word = np.int64(words.onward[word, place])
        same = length
        if word < stop:
            while words.letters[word, same - 1] == words.letters[word - 1, same - 1]:
                same -= 1
    return count


@compiled
def _try(turn: _Turn, hint: int, state: int, best: Ints, word: npt.NDArray[np.int32], words: WordArrays) -> None:
    """Try one word, such as the best one of a neighbouring state: a good floor rules out most other words."""
    if hint < 0:
        return
    length = 1
    while words.starts[length + 1] <= hint:
        length += 1
    if turn.base[length] == -NONE:
        return
    rack = len(turn.base) - 1
    gain, used = np.empty(rack, np.int64), np.empty(KINDS, np.int64)
    value = turn.base[length] + _gain_of(turn, hint, length, turn.prices[turn.row[length]], words, gain, used)
    if value > best[state]:
        best[state], word[state] = value, hint


@compiled
def _gain_of(turn: _Turn, word: int, length: int, prices: Ints, words: WordArrays, gain: Ints, used: Ints) -> int:
    """Return the gain of a word, its points minus the prices of its tiles; -NONE if it needs too many further letters.

    The cheapest tiles of a letter go to the last places of that letter; then blanks replace the places that gain least.
    `gain` and `used` are scratch.
    """
    total, lacking = 0, 0
    for place in range(length):
        used[words.letters[word, place]] = 0
    for place in range(length - 1, -1, -1):
        kind = words.letters[word, place]
        copy = used[kind]
        used[kind] = copy + 1
        lacking += copy >= turn.new[kind]
        gain[place] = (place + 1) * words.values[kind] - prices[kind, copy]
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
def _new_turn(rack: int) -> _Turn:
    return _Turn(
        np.zeros(rack + 1, np.int64),
        np.empty((rack + 1, KINDS, rack), np.int64),
        np.full(rack + 1, -NONE, np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(1, np.int64),
    )


@compiled
def _fill_old(old: Ints, drawn: int, left: int, held: int, game: PricedGame) -> None:
    """Write the lowest prices by kind of the tiles drawn before a turn, ascending, at most `held` of each kind."""
    tiles = len(game.row)
    old[:] = NONE
    if held > 0:
        for place in range(tiles):
            if drawn == tiles or place < left or place >= tiles - (drawn - left):
                _insert(old[game.row[place], :held], game.price[place])


@compiled
def _fill_turn(turn: _Turn, old: Ints, before: int, was: int, held: int, left: int, game: PricedGame, values: Values) -> None:
    """Fill the turn that starts in the state (before, was, held) and has `left` left draws after its draw."""
    tiles, rack = len(game.row), game.rack
    after = min(tiles, before + rack - held)
    size = held + after - before
    new = np.full((KINDS, rack), NONE, np.int64)
    if before < tiles:
        end = tiles - (before - was)  # of the tiles not drawn before
        for place in range(was, end):
            if after == tiles or place < left or place >= tiles - (after - left):
                _insert(new[game.row[place]], game.price[place])
                turn.new[game.row[place]] += 1
    turn.spare[0] = held + turn.new[BLANK_KIND]
    bought = leave_worth(game, before, was, held)
    row, rise, worth = -1, 0, 0
    for length in range(1, size + 1):
        sold = leave_worth(game, after, left, size - length)
        if length == 1 or not _are_same(sold, leave_worth(game, after, left, size - length + 1)):
            row += 1
            rise, worth = -NONE if held > 0 else 0, 0
            for kind in range(KINDS):
                if held > 0 and old[kind, 0] < NONE:
                    rise = max(rise, sold[kind] - bought[kind])
                worth += turn.new[kind] * sold[kind]
            for kind in range(KINDS):
                _merge(new[kind], sold[kind], old[kind], bought[kind] + rise, turn.prices[row, kind])
        turn.row[length] = row
        turn.base[length] = values.most[after, left, size - length] + worth + held * rise


@compiled
def _are_same(some: Ints, others: Ints) -> bool:
    """Return whether two lists of prices by kind are equal."""
    same = True
    for kind in range(KINDS):
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


def free_bound(
    kinds: Ints, prices: Ints, rack: int, width: int, words: WordArrays, progress: Callable[[int, int], None]
) -> int:
    """Return the bound of r1, in thousandths of a point.

    Args:
        kinds: The kinds of the tiles of the row.
        prices: Their prices.
        rack: The size of a rack.
        width: The number of left draws that share a node.
        words: All words.
        progress: Takes the steps done and the total.
    """
    tiles = len(kinds)
    end = np.zeros(rack + 1, np.int64)
    base = np.full(rack + 1, -NONE)
    for size in range(1, min(rack, tiles) + 1):
        base[1 : size + 1] = end[size - 1 :: -1] if size > 1 else end[:1]
        end[size] = best_of_all(kinds, prices, base, words)
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
            worth[drawn][node] = best_of_all(kinds[near], prices[near], base, words)
        worth.pop(drawn + rack + 1, None)
        progress(tiles - drawn, tiles - rack + 1)
    return int(prices.sum()) + after(0, 0, 0)
