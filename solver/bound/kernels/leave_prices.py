"""The prices of leaves of relaxation r3, and where each of them stands."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel


class Window(NamedTuple):
    """The nodes that a game can reach from some states: all that a relaxed game looks at.

    first: the fewest tiles drawn at such a state.
    low, high: the fewest and the most left draws of such states.
    """

    first: int
    low: int
    high: int


WHOLE = Window(0, 0, 0)


class LeavePrices(NamedTuple):
    """What holding a tile costs beside its own price, in thousandths of a point.

    leave: int64, shape (tiles + rack + 1, sides, holds, N_CODES), by the cell of `leave_cell` and by code; see
        `solver.bound.relaxations.prices`.
    tiles: of the row.
    rack: the size of a full rack.
    window: the nodes that have prices.
    """

    leave: npt.NDArray[np.int64]
    tiles: int
    rack: int
    window: Window


@kernel
def lefts_in(window: Window, drawn: int) -> tuple[int, int]:
    """The fewest and the most left draws in the window once `drawn` tiles are drawn, the row not yet empty."""
    return window.low, min(drawn, window.high + drawn - window.first)


@kernel
def leave_cell(prices: LeavePrices, drawn: int, left: int, held: int) -> tuple[int, int, int]:
    """Moment, side and hold of a leave of `held` tiles when `drawn` tiles are drawn, `left` of them from the left.

    Once the row is empty a moment stands for each number of tiles held. The node must be in the window.
    """
    if drawn == prices.tiles:
        return prices.tiles + prices.rack - held, 0, 0
    first, low, high = prices.window
    side = (left - low) * prices.leave.shape[1] // (high - low + drawn - first + 1)
    return drawn, side, held * prices.leave.shape[2] // prices.rack


@kernel
def leave_price(prices: LeavePrices, drawn: int, left: int, held: int) -> npt.NDArray[np.int64]:
    """The prices by code, int64, shape (N_CODES,), of holding a tile in such a leave."""
    moment, side, hold = leave_cell(prices, drawn, left, held)
    return prices.leave[moment, side, hold]
