"""Prices of tiles: what a beam thinks that using one up costs, so that it compares states that played different tiles.

A letter is worth its value times the position where it typically comes to stand, and that is no matter of its value: a y or a
z comes late in a long word, a v or a w early. `data/letter-positions.toml` says where, and what a blank is worth: learnt by
`rowdraw lab learn` from good games of rows that nothing else uses; results/ablation-positions compares them with one position
for all letters. Learning begins with `data/dual-positions.toml`, what the duals of bounds say of a letter. Bounds help a beam
no more than that: ordered by score + r3's completion bound, in all layers or in late ones, beams came out lower or no higher.
"""

import tomllib
from functools import cache

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.tiles import BLANK, BLANK_CODE, ORDER
from solver.model.units import SCALE
from verify.datafiles import data_folder

# what a beam takes; positions are learnt for that price of letters, and the file of positions says the blank's
LETTER_PRICE, BLANK_PRICE = 0.75, 0.54
_TOML = """\
# At which position a letter is typically worth having, and what a blank is worth, in parts of what the row's average letter
# scores at the middle position. Beams price tiles with it, see docs/search.md. Printed by `rowdraw lab learn`, from games of
# rows that nothing else uses: results/learnt-positions.
"""
_LEARNT_RACK = 10  # of the rows that positions come from


def tile_prices(
    problem: Problem, letter: float = LETTER_PRICE, blank: float = BLANK_PRICE, typical: float = 1.0
) -> npt.NDArray[np.int64]:
    """What it costs to use up each tile: int64, by code, in 1/16 points.

    A letter costs `letter` times what it scores at its typical position, a blank `blank` times what the row's average letter
    scores at a middle position of a full rack. Typical positions grow and shrink with the rack.

    typical: 1, or less to move all letters towards the middle position, where they stand at 0.
    """
    return np.rint(SCALE * _prices(problem, typical_positions(), letter, blank, typical)).astype(np.int64)


def _prices(
    problem: Problem, positions: npt.NDArray[np.float64], letter: float, blank: float, typical: float
) -> npt.NDArray[np.float64]:
    values = problem.puzzle.value_table.astype(np.float64)
    rack = problem.puzzle.rack_size
    middle = (rack + 1) / 2
    prices: npt.NDArray[np.float64] = letter * values * (typical * positions * rack / _LEARNT_RACK + (1 - typical) * middle)
    # in a variant it also scores, like a letter of its value in the middle
    prices[BLANK_CODE] = blank * _blank_unit(problem) + letter * values[BLANK_CODE] * middle
    return prices


def _blank_unit(problem: Problem) -> float:
    row = problem.puzzle.row_codes
    letters = row[row != BLANK_CODE]
    mean = float(problem.puzzle.value_table[letters].mean()) if len(letters) else 0.0
    return mean * (problem.puzzle.rack_size + 1) / 2


def dual_prices(problem: Problem) -> npt.NDArray[np.float64]:
    """What each tile is worth by the duals of bounds, in the scale of `LETTER_PRICE`: float64, by code, in points."""
    told = _positions_on_file("dual-positions.toml")
    return _prices(problem, told, LETTER_PRICE, float(told[BLANK_CODE]), typical=1.0)


def typical_positions() -> npt.NDArray[np.float64]:
    """Of each letter in a good play from a rack of ten: float64, by code; for the blank its worth."""
    return _positions_on_file("letter-positions.toml")


@cache
def _positions_on_file(name: str) -> npt.NDArray[np.float64]:
    told = tomllib.loads((data_folder() / name).read_text(encoding="utf-8"))
    return np.array([told["blank"] if tile == BLANK else told["positions"][tile] for tile in ORDER])


def positions_toml(problem: Problem, prices: npt.NDArray[np.float64]) -> str:
    """The file of positions that gives the tiles of `problem`, whose rack holds ten, those prices: by code, in points.

    Letters that the row lacks, or that are worth nothing, keep the positions on file.
    """
    values = problem.puzzle.value_table
    positions = typical_positions().copy()
    held = np.unique(problem.puzzle.row_codes)
    held = held[values[held] > 0]
    positions[held] = prices[held] / (LETTER_PRICE * values[held])
    lines = [f"{letter} = {positions[ORDER.index(letter)]:.2f}" for letter in sorted(ORDER) if letter != BLANK]
    return "\n".join((_TOML, f"blank = {prices[BLANK_CODE] / _blank_unit(problem):.2f}", "", "[positions]", *lines, ""))
