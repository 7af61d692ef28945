"""Turns of a relaxed game as arcs, and the goal: what the master programme is made of.

An arc is a turn with the tiles that it uses. Each becomes a row of the programme.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.compiled import F64

State = tuple[int, ...]
Held = tuple[int, int, int, int]  # moment, side * holds + hold, code, count


@dataclass(frozen=True)
class Arc:
    """A turn from one state to another.

    A leave is listed as entries (moment, side * holds + hold, code, count), only for tiles with a
    price. A count is negative if the turn plays more old tiles than were held.

    Attributes:
        score: thousandths of a point.
        tiles: the places in the row of the tiles that it plays.
        held: the leave before the turn.
        kept: the leave after the turn.
    """

    source: State
    target: State
    score: int
    tiles: tuple[int, ...]
    held: tuple[Held, ...] = ()
    kept: tuple[Held, ...] = ()


@dataclass(frozen=True)
class Goal:
    """The objective that prices minimise, in points.

    It is a weighted sum of prices and of values of states, plus a constant. `tile` has the weights
    of tile prices, `leave` those of prices of leaves, shape (moments, sides, holds, N_CODES), and
    `states` the weight of the value of each state.
    """

    tile: F64
    leave: F64
    states: dict[State, float]
    constant: float = 0.0


def is_drawn(tiles: int, drawn: int, left: int) -> npt.NDArray[np.bool_]:
    """Return which places of a row of `tiles` tiles are drawn.

    `left` is 0 once the row is empty.
    """
    places = np.arange(tiles)
    return (places < left) | (places >= tiles - drawn + left)
