"""Completion bounds: the most that the rest of a game can add to a state's score, split into terms that are quick to sum.

For a state with the leave L after D draws, l of them from the left, `docs/bound.md` gives the completion bound: the prices of
all tiles not played yet, plus the worth of L, plus the value F(D, l, |L|) of the relaxed game. The tiles not played yet are the
undrawn tiles and those of L, so the terms are

    rest[|L|, l] + sum over the codes c of L of worth[|L|, l, c, copies of c]

All leaves of a cell (moment, side, hold) share their prices: when the leave is held, on which side its left draws are, and how
many tiles it has, all in steps.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.packed_states import packed_left, packed_rank, packed_score
from solver.bound.kernels.relaxed_play import fill_outer, new_tiles
from solver.compiled import kernel
from solver.index.kernels.indexes import MAX_RACK, unrank_tiles
from solver.model.tiles import N_CODES, POINT

NOT_COVERED = (
    1 << 40
)  # the bound of a state that a focus does not cover: it lowers no other bound, and prunes nothing


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
        leave: int64, shape (tiles + rack + 1, sides, holds, N_CODES), by moment, side, hold and code.
        tiles: the length of the row.
        rack: the size of a full rack.
        window: the nodes that have prices.
    """

    leave: npt.NDArray[np.int64]
    tiles: int
    rack: int
    window: Window


class BoundTerms(NamedTuple):
    """The terms of completion bounds, by focus, tiles held and left draws, in thousandths of a point.

    The number of tiles held implies the number of tiles drawn: in a layer their difference is fixed, and after the draws of a
    layer all leaves have the same number of tiles drawn.

    Attributes:
        rest: int64, shape (foci, rack, tiles + 1), the prices of the undrawn tiles plus the value of the relaxed game;
            NOT_COVERED where the focus does not cover the state.
        worth: int64, shape (foci, rack, tiles + 1, N_CODES, rack + 1), by code and number of copies, the sum of the prices
            of playing and of holding the cheapest tiles drawn of this code; 0 for more copies than have been drawn.
    """

    rest: npt.NDArray[np.int64]
    worth: npt.NDArray[np.int64]


@kernel
def lefts_in(window: Window, drawn: int) -> tuple[int, int]:
    """Return the fewest and the most left draws in the window after `drawn` draws, both included, before the row is empty."""
    return window.low, min(drawn, window.high + drawn - window.first)


@kernel
def leave_cell(prices: LeavePrices, drawn: int, left: int, held: int) -> tuple[int, int, int]:
    """Return moment, side and hold of a leave of `held` tiles, fewer than a rack, after `drawn` draws, `left` from the left.

    Once the row is empty, each number of tiles held has its own moment. Before that, the left draws must be in the window.
    """
    if drawn == prices.tiles:
        return prices.tiles + prices.rack - held, 0, 0
    first, low, high = prices.window
    side = (left - low) * prices.leave.shape[1] // (high - low + drawn - first + 1)
    return drawn, side, held * prices.leave.shape[2] // prices.rack


@kernel
def leave_price(prices: LeavePrices, drawn: int, left: int, held: int) -> npt.NDArray[np.int64]:
    """Return the prices by code of holding a tile in a leave, int64, shape (N_CODES,); arguments as for `leave_cell`."""
    moment, side, hold = leave_cell(prices, drawn, left, held)
    return prices.leave[moment, side, hold]


@kernel
def fill_terms(
    drawn: int,
    held: int,
    lefts: npt.NDArray[np.int64],
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    leaves: LeavePrices,
    value: npt.NDArray[np.int64],
    out: BoundTerms,
) -> None:
    """Fill the terms of a focus for leaves of `held` tiles and some left draws after `drawn` draws.

    Args:
        drawn: tiles drawn.
        held: tiles held.
        lefts: int64, the left draws to fill, all in the window of the prices; only 0 once the row is empty.
        row: the codes of its tiles, shape (tiles,).
        tile_price: the price of playing each tile of the row, shape (tiles,), in thousandths of a point.
        leaves: the prices of holding tiles.
        value: the value of the relaxed game, by tiles drawn, left draws and tiles held, shape (tiles + 1, tiles + 1, rack + 1),
            in thousandths of a point.
        out: the terms of the focus to fill, both without their first dimension.
    """
    rack, tiles = leaves.rack, leaves.tiles
    drawn_tiles = new_tiles(rack)
    for left in lefts:
        right = tiles - drawn + left
        fill_outer(row, tile_price, left, right, drawn_tiles)
        undrawn = tile_price[left:right].sum()
        out.rest[held, left] = undrawn + value[drawn, left, held]
        holding = leave_price(leaves, drawn, left, held)
        for code in range(N_CODES):
            for copy in range(min(rack, drawn_tiles.count[code])):
                its_worth = drawn_tiles.price[code, copy] + holding[code]
                out.worth[held, left, code, copy + 1] = (
                    out.worth[held, left, code, copy] + its_worth
                )


@kernel
def lower_bounds(
    states: npt.NDArray[np.uint64], terms: BoundTerms, least: int, bound: npt.NDArray[np.int64]
) -> None:
    """Lower each bound to the lowest that any of several foci gives, until it is less than `least`.

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
        held, left = unrank_tiles(packed_rank(states[i]), tiles), packed_left(states[i])
        score = POINT * packed_score(states[i])
        for focus in range(len(rest)):
            total, copies = score + rest[focus, held, left], 0
            for place in range(held):
                copies += 1
                if place + 1 == held or tiles[place + 1] != tiles[place]:
                    total += worth[focus, held, left, tiles[place], copies]
                    copies = 0
            bound[i] = min(bound[i], total)
            if bound[i] < least:
                break
