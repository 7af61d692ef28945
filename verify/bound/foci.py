"""Foci: sets of prices, each for the states of a part of the game, with the values of their relaxed games."""

from collections.abc import Callable, Sequence
from itertools import pairwise, repeat
from typing import NamedTuple

import numpy as np

from verify.bound.certificate import Certificate, Focus
from verify.bound.compiled import compiled
from verify.bound.values import NONE, PricedGame, Values, leave_worth, left_draw_range, settle
from verify.bound.words import KINDS, Ints, WordArrays, kind_of
from verify.threads import ThreadPool


class Settled(NamedTuple):
    """A focus with the values of its relaxed game.

    Attributes:
        played: The first layer that it is for.
        game: The relaxed game.
        most: The values in thousandths of a point, by tiles drawn, left draws and tiles held.
    """

    played: int
    game: PricedGame
    most: Ints

    def covers(self, drawn: int, left: int) -> bool:
        """Return whether a state with these tiles drawn and left draws has a value."""
        low, high = left_draw_range(self.game.window, drawn)
        return drawn == len(self.game.row) or (drawn >= self.game.window[0] and low <= left <= high)

    def distance(self, layer: int, left: int) -> int:
        """Return how far a state of a layer is from those that the prices are for."""
        _first, low, high = self.game.window
        twice = 2 * left - (layer - self.played)
        return max(2 * low - twice, twice - 2 * high)


def settled_foci(
    certificate: Certificate, words: WordArrays, threads: int, progress: Callable[[int, int], None]
) -> list[Settled]:
    """Return the foci of a certificate of r3; the first one is for the whole game.

    Args:
        certificate: The certificate.
        words: The words of its puzzle.
        threads: The threads to use.
        progress: Takes the steps done and the total, now and then.
    """
    tiles, rack = len(certificate.row), certificate.rack
    games = [priced_game(certificate, focus) for focus in certificate.foci]
    played = [focus.played for focus in certificate.foci]
    shape = (tiles + 2, tiles + 3, rack + 1)
    values = [Values(np.zeros(shape, dtype=np.int64), np.full(shape, -1, dtype=np.int32)) for _game in games]
    with ThreadPool(threads) as pool:
        for held in range(1, min(rack, tiles) + 1):
            list(pool.map(settle, games, repeat(words), values, repeat(tiles), repeat(held)))
        for drawn in range(tiles - 1, min(rack, tiles) - 1, -1):
            progress(tiles - 1 - drawn, tiles - min(rack, tiles))
            tasks = [
                pool.submit(settle, game, words, some, drawn, held)
                for game, some in zip(games, values, strict=True)
                if drawn >= game.window[0]
                for held in range(rack)
            ]
            for task in tasks:
                task.result()
        settle(games[0], words, values[0], 0, 0)
    progress(1, 1)
    return [Settled(*parts) for parts in zip(played, games, [some.most for some in values], strict=True)]


def priced_game(certificate: Certificate, focus: Focus) -> PricedGame:
    """Return the relaxed game of a focus for compiled code."""
    tiles, rack = len(certificate.row), certificate.rack
    row = np.array([kind_of(tile) for tile in certificate.row], dtype=np.int64)
    leave = np.zeros((tiles + rack + 1, certificate.sides, certificate.holds, KINDS), dtype=np.int64)
    for cell, prices in focus.leaves.items():
        for kind, price in prices.items():
            leave[(*cell, kind_of(kind))] = price
    knots = focus.knots
    leave[: knots[0]] = leave[knots[0]]
    leave[knots[-1] + 1 :] = leave[knots[-1]]
    for begin, end in pairwise(knots):
        for moment in range(begin + 1, end):
            leave[moment] = (leave[begin] * (end - moment) + leave[end] * (moment - begin)) // (end - begin)
    return PricedGame(row, np.array(focus.tiles, dtype=np.int64), leave, focus.window, rack)


def focus_for(foci: Sequence[Settled], layer: int, drawn: int, left: int) -> Settled:
    """Return the focus for the states of a layer: any that covers them would do, the latest and nearest one prunes most."""
    fit = [some for some in foci if some.played <= layer and some.covers(drawn, left)]
    last = max(some.played for some in fit)
    return min((some for some in fit if some.played == last), key=lambda some: some.distance(layer, left))


@compiled
def completions(game: PricedGame, most: Ints, drawn: Ints, left: int, held: Ints) -> tuple[Ints, Ints]:
    """Return the parts of the completion bounds of some kinds of states, in thousandths of a point.

    Args:
        game: The relaxed game.
        most: Its values.
        drawn: The tiles drawn, of each kind of state.
        left: The left draws.
        held: The tiles in the leave, of each kind of state; a full rack counts as a leave without prices.

    Returns:
        The prices of the tiles not drawn + the value of the relaxed game; and the worth of the tiles in a leave, by kind and
        number of equal tiles, shape (states, KINDS, rack + 1): the prices of the cheapest ones drawn + the prices of leaves,
        NONE or more where fewer are drawn.
    """
    tiles, rack = len(game.row), game.rack
    come, worth = np.zeros(len(held), np.int64), np.full((len(held), KINDS, rack + 1), NONE, np.int64)
    worth[:, :, 0] = 0
    order = np.argsort(game.price, kind="mergesort")
    for at in range(len(held)):
        begin, end = (left, tiles - (drawn[at] - left)) if drawn[at] < tiles else (tiles, tiles)
        come[at] = most[drawn[at], left, held[at]]
        copies = np.zeros(KINDS, np.int64)
        for place in order:
            kind = game.row[place]
            if begin <= place < end:
                come[at] += game.price[place]
            elif copies[kind] < rack:
                copies[kind] += 1
                worth[at, kind, copies[kind]] = worth[at, kind, copies[kind] - 1] + game.price[place]
        if held[at] < rack:
            prices = leave_worth(game, drawn[at], left, held[at])
            for kind in range(KINDS):
                for count in range(1, rack + 1):
                    worth[at, kind, count] += count * prices[kind]
    return come, worth


def bound_of_prices(whole: Settled) -> int:
    """Return the bound on the whole game, in thousandths of a point."""
    return int(whole.game.price.sum() + whole.most[0, 0, 0])
