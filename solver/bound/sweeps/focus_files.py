"""Files of foci with their values, so that resumed sweeps and workers need not compute them again."""

from pathlib import Path

import numpy as np

from solver.bound.kernels.leave_prices import Window
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.outlooks import Focus
from solver.files import replacing


def write_foci(folder: Path, foci: list[Focus]) -> None:
    """Write a file for each focus that has none yet.

    Raises:
        OSError: A file cannot be written; the error names it.
    """
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
    """Read the foci of a folder, from number `first` on."""
    foci = []
    for path in sorted(folder.glob("focus-*.npz"))[first:]:
        with np.load(path) as arrays:
            played, *window = arrays["place"].tolist()
            prices = Prices(arrays["tile"], arrays["leave"], tuple(arrays["knots"].tolist()))
            foci.append(Focus(played, Window(*window), prices, arrays["values"]))
    return foci
