"""Dual prices of tiles and of leaves, which bounds are computed from.

Any prices give a bound, good prices a low one.
"""

from dataclasses import dataclass

import numpy as np

from solver.compiled import F64, I64
from solver.index.problem import Problem
from solver.model.tiles import N_CODES, POINT, SCALE
from solver.search.beam import tile_prices

HIGHEST = 100_000 * POINT  # the highest price that a certificate may state
_KNOT_STEP = 10  # moments between two knots of an ascent


@dataclass(frozen=True)
class Prices:
    """Prices in whole thousandths of a point, 0 to `HIGHEST`.

    Attributes:
        tile: the price of playing each tile of the row, int64, shape (tiles,).
        leave: the price of holding a tile, by moment, side, hold and code, int64, shape
            (tiles + rack + 1, sides, holds, N_CODES); `docs/certificate.md` defines the cells.
            Only r3 uses these prices.
        knots: ascending moments between which the prices of leaves are linear, rounded down; () if
            each moment has its own.
    """

    tile: I64
    leave: I64
    knots: tuple[int, ...] = ()

    def equal(self, other: "Prices") -> bool:
        """Return whether all prices are the same as those of `other`."""
        return np.array_equal(self.tile, other.tile) and np.array_equal(self.leave, other.leave)

    def with_cells(self, sides: int, holds: int) -> "Prices":
        """Return the same prices with more cells.

        These are at least `sides` sides and `holds` holds, multiples of their former numbers.
        """
        _moments, had_sides, had_holds, _codes = self.leave.shape
        leave = self.leave.repeat(-(-sides // had_sides), axis=1)
        return Prices(self.tile, leave.repeat(-(-holds // had_holds), axis=2), self.knots)


def linear(at_knots: I64, knots: tuple[int, ...], moments: int) -> I64:
    """Return whole prices that are linear between knots, rounded down.

    They are constant before the first knot and after the last.
    """
    times = np.arange(moments)
    places = np.array(knots)
    end = np.clip(np.searchsorted(places, times, side="right"), 1, len(knots) - 1)
    begin = np.maximum(end - 1, 0)
    width = np.maximum(1, places[end] - places[begin])[:, None, None, None]
    past = np.clip((times - places[begin])[:, None, None, None], 0, width)
    prices: I64 = (at_knots[begin] * (width - past) + at_knots[end] * past) // width
    return prices


def _whole(prices: F64) -> I64:
    """Return the allowed prices nearest to those given, in points; NaN becomes 0."""
    nearest: F64 = np.nan_to_num(np.rint(POINT * prices))
    return nearest.clip(0, HIGHEST).astype(np.int64)


def first_prices(problem: Problem) -> Prices:
    """Return the prices that an ascent begins with.

    A tile's price assumes one position for all letters, which suits short and long rows. Holding a
    tile costs nothing.
    """
    puzzle = problem.puzzle
    of_code = tile_prices(problem, 0.75, 0.75, typical=0.0) / SCALE
    leave = np.zeros((len(puzzle.row) + puzzle.rack_size + 1, 1, 1, N_CODES), np.int64)
    return Prices(_whole(of_code[puzzle.row_codes]), leave)


class KnotPrices:
    """The prices that an ascent changes: of every tile, and of leaves at some moments, the knots.

    A trial holds them in points: float64, shape (size,), the price of each tile, and then those of
    leaves by knot, cell (side * holds + hold) and code.

    Attributes:
        codes: the codes of the row, ascending; none if leaves have no prices.
        weights: the weight of each knot at each moment: float64, shape (moments, knots).
        size: the number of prices.
    """

    def __init__(self, problem: Problem, start: Prices, first_moment: int | None) -> None:
        """Choose knots from `first_moment` on; None if leaves have no prices."""
        moments = len(start.leave)
        self._shape = start.leave.shape
        self._tiles = len(start.tile)
        self.codes: list[int] = []
        self._knots: tuple[int, ...] = ()
        self.weights = np.zeros((moments, 0))
        if first_moment is not None:
            self.codes = np.unique(problem.puzzle.row_codes).tolist()
            self._knots = _knots_between(moments, first_moment)
            units = np.eye(len(self._knots))
            # constant before the first knot and after the last
            self.weights = np.array(
                [np.interp(np.arange(moments), self._knots, unit) for unit in units]
            ).T
        _moments, sides, holds, _codes = self._shape
        self._cells: int = sides * holds
        self.size = self._tiles + len(self._knots) * self._cells * len(self.codes)

    def place_of(self, knot: int, cell: int, code: int) -> int:
        """Return the place in a trial of the price of a leave."""
        return self._tiles + (knot * self._cells + cell) * len(self.codes) + self.codes.index(code)

    def trial_of(self, prices: Prices) -> F64:
        """Return the trial that fits `prices` best, by least squares."""
        trial = np.zeros(self.size)
        trial[: self._tiles] = prices.tile / POINT
        if self._knots:
            wanted = prices.leave[..., self.codes].reshape(len(prices.leave), -1) / POINT
            fitted = np.linalg.lstsq(self.weights, wanted, rcond=None)[0]
            trial[self._tiles :] = np.maximum(0.0, fitted).ravel()
        return trial

    def prices_of(self, trial: F64) -> Prices:
        """Return the prices of a trial at all moments."""
        tile = _whole(trial[: self._tiles])
        moments, *cells = self._shape
        if not self._knots:
            return Prices(tile, np.zeros(self._shape, np.int64))
        leave = np.zeros((len(self._knots), *cells))
        leave[..., self.codes] = trial[self._tiles :].reshape(*leave.shape[:-1], -1)
        return Prices(tile, linear(_whole(leave), self._knots, moments), self._knots)


def _knots_between(moments: int, first: int) -> tuple[int, ...]:
    """Return about one moment in `_KNOT_STEP`, from `first` to the last one."""
    last = moments - 1
    places = np.linspace(first, last, max(2, round((last - first) / _KNOT_STEP) + 1))
    return tuple(places.round().astype(np.int64).tolist())
