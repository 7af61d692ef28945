"""Completion bounds: the most that the rest of a game can add to a state's score.

For a state with the leave L after D draws, l of them from the left, `docs/bound.md` gives the
completion bound: the prices of all tiles not played yet, plus the worth of L, plus the value
F(D, l, |L|) of the relaxed game. The tiles not played yet are the undrawn tiles and those of L. So
the bound is a sum of terms that are quick to add:

    rest[|L|, l] + sum over the codes c of L of worth[|L|, l, c, copies of c]

All leaves of a cell (moment, side, hold) share their prices: when the leave is held, on which side
its left draws are, and how many tiles it has, all in steps.
"""

from typing import NamedTuple

import numpy as np

from solver.bound.kernels.packed_states import Packed, packed_left, packed_rank, packed_score
from solver.bound.kernels.relaxed_play import fill_outer, new_tiles
from solver.compiled import I64, kernel
from solver.index.kernels.indexes import MAX_RACK, unrank_tiles
from solver.model.tiles import N_CODES, POINT, Codes

# the bound of a state that a focus does not cover: it lowers no other bound, and prunes nothing
NOT_COVERED = 1 << 40


class Window(NamedTuple):
    """The nodes that a game can reach from some states; a relaxed game evaluates no others.

    Attributes:
        first: the fewest tiles drawn at these states.
        low: the fewest left draws at these states.
        high: the most left draws at these states.
    """

    first: int
    low: int
    high: int


WHOLE = Window(0, 0, 0)  # the nodes that a game can reach from the start: all


class LeavePrices(NamedTuple):
    """The prices of holding a tile, in thousandths of a point.

    Attributes:
        leave: int64, shape (tiles + rack + 1, sides, holds, N_CODES), by moment, side, hold, code.
        tiles: the length of the row.
        rack: the size of a full rack.
        window: the nodes that have prices.
    """

    leave: I64
    tiles: int
    rack: int
    window: Window


class BoundTerms(NamedTuple):
    """The terms of completion bounds, by focus, tiles held and left draws, in thousandths.

    The number of tiles held implies the number of tiles drawn: in a layer their difference is
    fixed, and after the draws of a layer all leaves have the same number of tiles drawn.

    Attributes:
        rest: int64, shape (foci, rack, tiles + 1), the prices of the undrawn tiles plus the value
            of the relaxed game; NOT_COVERED where the focus does not cover the state.
        worth: int64, shape (foci, rack, tiles + 1, N_CODES, rack + 1), by code and number of
            copies, the sum of the prices of playing and of holding the cheapest tiles drawn of
            this code; 0 for more copies than have been drawn.
    """

    rest: I64
    worth: I64


@kernel
def lefts_in(window: Window, drawn: int) -> tuple[int, int]:
    """Return the fewest and the most left draws in the window, both included.

    These are the left draws after `drawn` draws, before the row is empty.
    """
    return window.low, min(drawn, window.high + drawn - window.first)


@kernel
def leave_cell(prices: LeavePrices, drawn: int, left: int, held: int) -> tuple[int, int, int]:
    """Return moment, side and hold of a leave of `held` tiles, fewer than a rack.

    `drawn` tiles are drawn, `left` of them from the left. Once the row is empty, each number of
    tiles held has its own moment. Before that, the left draws must be in the window.
    """
    if drawn == prices.tiles:
        return prices.tiles + prices.rack - held, 0, 0
    first, low, high = prices.window
    side = (left - low) * prices.leave.shape[1] // (high - low + drawn - first + 1)
    return drawn, side, held * prices.leave.shape[2] // prices.rack


@kernel
def leave_price(prices: LeavePrices, drawn: int, left: int, held: int) -> I64:
    """Return the prices by code of holding a tile in a leave; arguments as for `leave_cell`."""
    moment, side, hold = leave_cell(prices, drawn, left, held)
    return prices.leave[moment, side, hold]


@kernel
def fill_terms(
    drawn: int,
    held: int,
    lefts: I64,
    row: Codes,
    tile_price: I64,
    leaves: LeavePrices,
    value: I64,
    out: BoundTerms,
) -> None:
    """Fill the terms of a focus for leaves of `held` tiles and some left draws after `drawn` draws.

    Args:
        drawn: tiles drawn.
        held: tiles held.
        lefts: the left draws to fill, all in the window of the prices; only 0 once the row is
            empty.
        row: the codes of its tiles, shape (tiles,).
        tile_price: the price of playing each tile of the row, shape (tiles,), in thousandths of a
            point.
        leaves: the prices of holding tiles.
        value: the value of the relaxed game, by tiles drawn, left draws and tiles held, shape
            (tiles + 1, tiles + 1, rack + 1), in thousandths of a point.
        out: the terms of the focus to fill, both without their first dimension.
    """
    drawn_tiles = new_tiles(leaves.rack)
    for left in lefts:
        right = leaves.tiles - drawn + left
        fill_outer(row, tile_price, left, right, drawn_tiles)
        out.rest[held, left] = tile_price[left:right].sum() + value[drawn, left, held]
        holding = leave_price(leaves, drawn, left, held)
        for code in range(N_CODES):
            worth = out.worth[held, left, code]
            for copy in range(min(leaves.rack, drawn_tiles.count[code])):
                worth[copy + 1] = worth[copy] + drawn_tiles.price[code, copy] + holding[code]


@kernel
def lower_bounds(states: Packed, terms: BoundTerms, least: int, bound: I64) -> None:
    """Lower each bound to the lowest that any of several foci gives, until it is below `least`.

    Args:
        states: packed, all with the same number of tiles played, shape (n,).
        terms: those of each focus.
        least: the lowest useful bound, in thousandths of a point.
        bound: upper bounds, in thousandths of a point, shape (n,).
    """
    rest, worth = terms
    tiles = np.zeros(MAX_RACK, np.int64)
    for i in range(len(states)):
        if bound[i] < least:
            continue
        held = unrank_tiles(packed_rank(states[i]), tiles)
        left = packed_left(states[i])
        score = POINT * packed_score(states[i])
        for focus in range(len(rest)):
            total = score + rest[focus, held, left]
            copies = 0
            for place in range(held):
                copies += 1
                if place + 1 == held or tiles[place + 1] != tiles[place]:
                    total += worth[focus, held, left, tiles[place], copies]
                    copies = 0
            bound[i] = min(bound[i], total)
            if bound[i] < least:
                break
