"""Prices of tiles: what a beam thinks that using one up costs, so that it compares states that played different tiles.

A letter is worth its value times the position where it typically comes to stand, and that is no matter of its value: a y or a z
comes late in a long word, a b or a w early. `data/letter-positions.toml` says where: learnt from the prices of the bounds of
ten rows, the duals of their relaxation r1. results/ablation-duals compares beams with them and with one position for all
letters. Bounds guide a beam in this form only: ordered by score + r3's completion bound, in all layers or in late ones, beams
came out lower or no higher.
"""

import tomllib
from functools import cache

import numpy as np
import numpy.typing as npt

from solver.problem import Problem
from solver.search.expander import SCALE
from solver.tiles import BLANK_CODE, N_CODES, ORDER
from verify.datafiles import data_folder

LETTER, BLANK = 0.75, 0.66  # what a beam takes, tried on rows that no table reports
_LEARNT_RACK = 10  # of the rows that typical positions come from


def tile_prices(problem: Problem, letter: float = LETTER, blank: float = BLANK, typical: float = 1.0) -> npt.NDArray[np.int64]:
    """What it costs to use up each tile: int64, by code, in 1/16 points.

    A letter costs `letter` times what it scores at its typical position, a blank `blank` times what the row's average letter
    scores at a middle position of a full rack. Typical positions grow and shrink with the rack. typical: 1, or less to move
    all letters towards the middle position, where they stand at 0.
    """
    values = problem.puzzle.value_table.astype(np.float64)
    row = problem.puzzle.row_codes
    letters = row[row != BLANK_CODE]
    rack = problem.puzzle.rack_size
    middle = (rack + 1) / 2
    prices = letter * values * (typical * typical_positions() * rack / _LEARNT_RACK + (1 - typical) * middle)
    prices[BLANK_CODE] = blank * middle * (values[letters].mean() if len(letters) else 0.0)
    return np.rint(SCALE * prices).astype(np.int64)


@cache
def typical_positions() -> npt.NDArray[np.float64]:
    """Of each letter in a good play from a rack of ten, 0 for the blank: float64, shape (N_CODES,)."""
    positions = np.zeros(N_CODES)
    for letter, position in tomllib.loads((data_folder() / "letter-positions.toml").read_text(encoding="utf-8")).items():
        positions[ORDER.index(letter)] = position
    return positions
