"""Foci with their values in files, so that a sweep that goes on, and its workers, need not work them out again."""

from pathlib import Path

import numpy as np

from solver.bound.kernels.leave_prices import Window
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.outlooks import Focus
from solver.files import replacing


def write_foci(folder: Path, foci: list[Focus]) -> None:
    """Add files for those of the foci that have none yet. Raises `OSError` that names the file."""
    for number, focus in enumerate(foci):
        path = folder / f"focus-{number:04}.npz"
        if not path.exists():
            with replacing(path) as file:
                np.savez(
                    file,
                    place=np.array([focus.played, *focus.window], dtype=np.int64),
                    tile=focus.prices.tile,
                    leave=focus.prices.leave,
                    knots=np.array(focus.prices.knots, dtype=np.int64),
                    values=focus.values,
                )


def read_foci(folder: Path, first: int) -> list[Focus]:
    """The foci that a folder holds, from a number on."""
    found = []
    for path in sorted(folder.glob("focus-*.npz"))[first:]:
        with np.load(path) as arrays:
            played, *window = arrays["place"].tolist()
            prices = Prices(arrays["tile"], arrays["leave"], tuple(arrays["knots"].tolist()))
            found.append(Focus(played, Window(*window), prices, arrays["values"]))
    return found
