"""Foci: sets of prices, each for a part of the game, with the values of their relaxed games."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from verify.bound.certificate import Certificate, Focus
from verify.bound.compiled import compiled
from verify.bound.values import NONE, RelaxedGame, cell_of, is_drawn, left_draw_range, settle
from verify.bound.words import KINDS, Ints, WordArrays, kind_of, kinds_of
from verify.threads import ThreadPool


def settled_games(
    certificate: Certificate, words: WordArrays, threads: int, progress: Callable[[int, int], None]
) -> list[RelaxedGame]:
    """Return the relaxed games of a certificate with their values, the whole game first.

    Args:
        certificate: The certificate.
        words: The words of its puzzle.
        threads: The threads to use.
        progress: Takes the steps done and the total, now and then.
    """
    tiles = len(certificate.row)
    rack = certificate.rack
    fewest = min(rack, tiles)
    # tiles drawn, and numbers of tiles held, each stage after those that it needs
    stages = [
        *((tiles, range(held, held + 1)) for held in range(1, fewest + 1)),
        *((drawn, range(rack)) for drawn in range(tiles - 1, fewest - 1, -1)),
    ]
    games = [_relaxed_game(certificate, focus) for focus in certificate.foci]
    with ThreadPool(threads) as pool:
        for done, (drawn, numbers) in enumerate(stages):
            progress(done, len(stages))
            known = [game for game in games if drawn >= game.window[0]]
            tasks = [
                pool.submit(settle, game, words, drawn, held) for game in known for held in numbers
            ]
            for task in tasks:
                task.result()
    settle(games[0], words, 0, 0)
    progress(1, 1)
    return games


def _relaxed_game(certificate: Certificate, focus: Focus) -> RelaxedGame:
    """Return the relaxed game of a focus without its values."""
    tiles = len(certificate.row)
    rack = certificate.rack
    cells = (tiles + rack + 1, certificate.sides, certificate.holds)
    leave = np.zeros((*cells, KINDS), dtype=np.int64)
    for cell, prices in focus.leaves.items():
        for kind, price in prices.items():
            leave[(*cell, kind_of(kind))] = price
    knots = focus.knots
    leave[: knots[0]] = leave[knots[0]]
    leave[knots[-1] + 1 :] = leave[knots[-1]]
    for begin, end in pairwise(knots):
        for moment in range(begin + 1, end):
            weighted = leave[begin] * (end - moment) + leave[end] * (moment - begin)
            leave[moment] = weighted // (end - begin)
    tile_prices = np.array(focus.tiles, dtype=np.int64)
    states = (tiles + 2, tiles + 3, rack + 1)
    return RelaxedGame(
        played=focus.played,
        window=focus.window,
        rack=rack,
        row=kinds_of(certificate.row),
        price=tile_prices,
        order=np.argsort(tile_prices),
        leave=leave,
        value=np.zeros(states, dtype=np.int64),
        word=np.full(states, -1, dtype=np.int32),
    )


def covers(game: RelaxedGame, drawn: int, left: int) -> bool:
    """Return whether a state with these tiles drawn and left draws has a value."""
    low, high = left_draw_range(game, drawn)
    return drawn >= game.window[0] and low <= left <= high


def game_for(games: Sequence[RelaxedGame], layer: int, drawn: int, left: int) -> RelaxedGame:
    """Return the game that prunes most states of a layer: of those that cover them, the latest.

    Among equally late games it is the nearest one.
    """

    def rank(game: RelaxedGame) -> tuple[int, int]:
        _first, low, high = game.window
        twice = 2 * left - (layer - game.played)
        return -game.played, max(2 * low - twice, twice - 2 * high)

    known = [game for game in games if game.played <= layer and covers(game, drawn, left)]
    return min(known, key=rank)


@compiled
def completions(game: RelaxedGame, drawn: int, left: int, held: int) -> tuple[int, Ints]:
    """Return the parts of the completion bounds of states with the same draws and tiles held.

    A full rack counts as a leave without prices.

    Returns:
        The prices of the tiles not drawn + the value of the relaxed game; and the worth of the
        tiles in a leave, by kind and number of equal tiles, shape (KINDS, rack + 1): the prices of
        the cheapest ones drawn + the prices of leaves, NONE or more where fewer are drawn.
    """
    tiles = len(game.row)
    rack = game.rack
    fixed = game.value[drawn, left, held]
    worth = np.full((KINDS, rack + 1), NONE, np.int64)
    worth[:, 0] = 0
    copies = np.zeros(KINDS, np.int64)
    for place in game.order:
        kind = game.row[place]
        if not is_drawn(tiles, drawn, left, place):
            fixed += game.price[place]
        elif copies[kind] < rack:
            copies[kind] += 1
            worth[kind, copies[kind]] = worth[kind, copies[kind] - 1] + game.price[place]
    if held < rack:
        prices = game.leave[cell_of(game, drawn, left, held)]
        for count in range(1, rack + 1):
            worth[:, count] += count * prices
    return fixed, worth


def bound_of_prices(whole: RelaxedGame) -> int:
    """Return the bound on the whole game, in thousandths of a point."""
    return int(whole.price.sum() + whole.value[0, 0, 0])
