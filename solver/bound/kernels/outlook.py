"""Completion bounds: the most that the rest of a game can add to a state's score, split into terms that are quick to sum.

For a state with the leave L after D draws, l of them from the left, `docs/bound.md` gives the completion bound: the prices of
all tiles not played yet, plus the worth of L, plus the value F(D, l, |L|) of the relaxed game. The tiles not played yet are the
undrawn tiles and those of L, so the terms are

    rest[l, |L|] + sum over the codes c of L ( playing[l, c, copies of c] + copies of c * holding[l, |L|, c] )
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.leave_prices import LeavePrices, leave_price
from solver.bound.kernels.packed_states import packed_left, packed_rank, packed_score
from solver.bound.kernels.relax_r1 import DrawnTiles, cheapest_tiles
from solver.compiled import kernel
from solver.index.kernels.ranks import MAX_RACK, unrank_tiles
from solver.model.tiles import N_CODES
from solver.model.units import POINT

DEAD_END = -(1 << 40)  # the completion bound of a state that no focus covers
NOT_COVERED = 1 << 40  # the bound that one focus gives for a state outside its window; it lowers no other bound


class Outlook(NamedTuple):
    """The terms of completion bounds after a number of draws, by left draws, in thousandths of a point.

    Attributes:
        rest: int64, shape (tiles + 1, rack + 1), by left draws and tiles held, the rest of the game: the prices of the undrawn
            tiles plus the value of the relaxed game. DEAD_END where no focus covers the left draws.
        playing: int64, shape (tiles + 1, N_CODES, rack + 1), by left draws, code and number of copies, the sum of the prices of
            the cheapest tiles drawn of this code. Meaningless for more copies than have been drawn.
        holding: int64, shape (tiles + 1, rack + 1, N_CODES), by left draws, tiles held and code, the price of holding a tile.
    """

    rest: npt.NDArray[np.int64]
    playing: npt.NDArray[np.int64]
    holding: npt.NDArray[np.int64]


@kernel
def fill_outlook(
    drawn: int,
    lefts: npt.NDArray[np.int64],
    row: npt.NDArray[np.uint8],
    tile_price: npt.NDArray[np.int64],
    leaves: LeavePrices,
    value: npt.NDArray[np.int64],
    out: Outlook,
) -> None:
    """Fill `out` for some left draws after `drawn` draws.

    Args:
        drawn: tiles drawn.
        lefts: int64, the left draws to fill, all in the window of the prices; only 0 once the row is empty.
        row: the codes of its tiles, shape (tiles,).
        tile_price: the price of playing each tile of the row, shape (tiles,), in thousandths of a point.
        leaves: the prices of holding tiles.
        value: the value of the relaxed game, by tiles drawn, left draws and tiles held, shape (tiles + 1, tiles + 1, rack + 1),
            in thousandths of a point.
        out: the outlook to fill.
    """
    rack, tiles = leaves.rack, leaves.tiles
    drawn_tiles = DrawnTiles(np.zeros((1, N_CODES), np.int64), np.zeros((1, N_CODES, rack), np.int64))
    code_drawn = np.empty(drawn, np.uint8)
    price = np.empty(drawn, np.int64)
    for left in lefts:
        for i in range(drawn):
            place = i if drawn == tiles or i < left else tiles - drawn + i
            code_drawn[i], price[i] = row[place], tile_price[place]
        # a row of the drawn tiles alone, and one node that covers all left draws: every one of these tiles counts
        cheapest_tiles(code_drawn, price, drawn, 0, 1, drawn + 1, drawn_tiles)
        undrawn = 0
        if drawn < tiles:
            for i in range(left, tiles - drawn + left):
                undrawn += tile_price[i]
        for held in range(rack + 1):
            out.rest[left, held] = undrawn + value[drawn, left, held]
            # a leave never fills the rack, and a full rack has no cell
            out.holding[left, held] = leave_price(leaves, drawn, left, min(held, rack - 1))
        for code in range(N_CODES):
            total = 0
            for copy in range(rack + 1):
                out.playing[left, code, copy] = total
                if copy < rack:
                    total += drawn_tiles.cheapest[0, code, copy]


@kernel
def lower_bounds(states: npt.NDArray[np.uint64], outlooks: Outlook, least: int, bound: npt.NDArray[np.int64]) -> None:
    """Lower each bound to the lowest that any of several foci gives, until it is less than `least`.

    Args:
        states: packed, all with the same number of tiles played, shape (n,).
        outlooks: the outlooks of each focus for the draws of states that hold 0, 1, ..., rack tiles: arrays with two more
            dimensions in front, the focus and the tiles held. `rest` is NOT_COVERED where a focus does not cover the left
            draws.
        least: the lowest useful bound, in thousandths of a point.
        bound: upper bounds, in thousandths of a point, shape (n,).
    """
    # `held` indexes twice: it determines the number of draws, and so the outlook, and then the entry of this outlook
    rest, playing, holding = outlooks
    tiles = np.zeros(MAX_RACK, np.int64)
    codes, copies = np.zeros(MAX_RACK, np.int64), np.zeros(MAX_RACK, np.int64)
    for i in range(len(states)):
        if bound[i] < least:
            continue
        held, left = unrank_tiles(packed_rank(states[i]), tiles), packed_left(states[i])
        score, kinds = POINT * packed_score(states[i]), 0
        for place in range(held):
            if place > 0 and tiles[place] == tiles[place - 1]:
                copies[kinds - 1] += 1
            else:
                codes[kinds], copies[kinds] = tiles[place], 1
                kinds += 1
        for focus in range(len(rest)):
            total = score + rest[focus, held, left, held]
            for kind in range(kinds):
                code, count = codes[kind], copies[kind]
                total += playing[focus, held, left, code, count] + count * holding[focus, held, left, held, code]
            bound[i] = min(bound[i], total)
            if bound[i] < least:
                break
