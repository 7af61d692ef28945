"""Prices of tiles: a beam's estimate of the cost of using one up, which makes states that played different tiles comparable.

A letter is worth its value times its typical position. That position does not follow from the value: a y or a z comes late in a
long word, a v or a w early. `data/letter-positions.toml` holds the typical positions and the worth of a blank. `rowdraw lab
learn` learnt them from good games of rows that nothing else uses; results/ablation-positions compares them with one position
for all letters. Learning starts from `data/dual-positions.toml`, the dual prices of letters in bounds. Bounds are of no further
help to a beam: with states ordered by score + r3's completion bound, in all layers or in late ones, beams scored lower or no
higher.
"""

import tomllib
from functools import cache

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.tiles import BLANK, BLANK_CODE, ORDER
from solver.model.units import SCALE
from verify.datafiles import data_folder

# the defaults of a beam; positions are learnt at this price of letters, and the file of positions holds the price of a blank
LETTER_PRICE, BLANK_PRICE = 0.75, 0.54
_TOML = """\
# At which position a letter is typically worth having, and what a blank is worth, in parts of what the row's average letter
# scores at the middle position. Beams price tiles with it, see docs/search.md. Printed by `rowdraw lab learn`, from games of
# rows that nothing else uses: results/learnt-positions.
"""
_LEARNT_RACK = 10  # the rack size of the rows from which positions are learnt


def tile_prices(
    problem: Problem, letter: float = LETTER_PRICE, blank: float = BLANK_PRICE, typical: float = 1.0
) -> npt.NDArray[np.int64]:
    """Return the price of using up each tile, by code, in 1/16 points: int64. Typical positions scale with the rack size.

    Args:
        problem: The problem.
        letter: The price of a letter, as a multiple of its score at its typical position.
        blank: The price of a blank, as a multiple of the score of the row's average letter at the middle of a full rack.
        typical: The weight of typical positions: 1 to use them, 0 to put all letters in the middle.
    """
    return np.rint(SCALE * _prices(problem, typical_positions(), letter, blank, typical)).astype(np.int64)


def _prices(
    problem: Problem, positions: npt.NDArray[np.float64], letter: float, blank: float, typical: float
) -> npt.NDArray[np.float64]:
    values = problem.puzzle.value_table.astype(np.float64)
    rack = problem.puzzle.rack_size
    middle = (rack + 1) / 2
    prices: npt.NDArray[np.float64] = letter * values * (typical * positions * rack / _LEARNT_RACK + (1 - typical) * middle)
    # in a variant a blank scores too, and is priced like a letter of its value in the middle
    prices[BLANK_CODE] = blank * _blank_unit(problem) + letter * values[BLANK_CODE] * middle
    return prices


def _blank_unit(problem: Problem) -> float:
    row = problem.puzzle.row_codes
    letters = row[row != BLANK_CODE]
    mean = float(problem.puzzle.value_table[letters].mean()) if len(letters) else 0.0
    return mean * (problem.puzzle.rack_size + 1) / 2


def dual_prices(problem: Problem) -> npt.NDArray[np.float64]:
    """Return the worth of each tile by the duals of bounds, in the scale of `LETTER_PRICE`: float64, by code, in points."""
    positions = _positions_on_file("dual-positions.toml")
    return _prices(problem, positions, LETTER_PRICE, float(positions[BLANK_CODE]), typical=1.0)


def typical_positions() -> npt.NDArray[np.float64]:
    """Return the typical position of each letter in a play from a rack of ten, and the worth of a blank: float64, by code."""
    return _positions_on_file("letter-positions.toml")


@cache
def _positions_on_file(name: str) -> npt.NDArray[np.float64]:
    fields = tomllib.loads((data_folder() / name).read_text(encoding="utf-8"))
    return np.array([fields["blank"] if tile == BLANK else fields["positions"][tile] for tile in ORDER])


def positions_toml(problem: Problem, prices: npt.NDArray[np.float64]) -> str:
    """Return the text of a file of positions that gives the tiles of `problem`, with a rack of ten, these prices in points.

    Letters that the row lacks, or that are worth nothing, keep their present positions.
    """
    values = problem.puzzle.value_table
    positions = typical_positions().copy()
    held = np.unique(problem.puzzle.row_codes)
    held = held[values[held] > 0]
    positions[held] = prices[held] / (LETTER_PRICE * values[held])
    lines = [f"{letter} = {positions[ORDER.index(letter)]:.2f}" for letter in sorted(ORDER) if letter != BLANK]
    return "\n".join((_TOML, f"blank = {prices[BLANK_CODE] / _blank_unit(problem):.2f}", "", "[positions]", *lines, ""))
