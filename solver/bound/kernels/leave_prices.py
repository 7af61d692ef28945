"""The prices of leaves in relaxation r3, and the cell of each leave.

A cell is (moment, side, hold): when the leave is held, on which side its left draws are, and how many tiles it has, all in
steps. All leaves of a cell share their prices. `docs/bound.md` defines cells and windows.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel


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
