"""Turns of a relaxed game with the tiles that they use. Each turn becomes a row of the master programme."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.bound.relaxations.word_arrays import WordTable
from solver.model.tiles import BLANK_CODE

State = tuple[int, ...]
Held = tuple[int, int, int, int]  # moment, side * holds + hold, code, how many
_NONE = -(1 << 40)


@dataclass(frozen=True)
class Arc:
    """A turn from one state to another.

    score: thousandths of a point.
    tiles: the places in the row of the tiles that it plays.
    held, kept: the leave before and after the turn, as far as it has a price: (moment, side * holds + hold, code, how many).
        How many is negative if more old tiles are played than were held.
    """

    source: State
    target: State
    score: int
    tiles: tuple[int, ...]
    held: tuple[Held, ...] = ()
    kept: tuple[Held, ...] = ()


@dataclass(frozen=True)
class Uses:
    """What a word uses: its score in thousandths of a point, and the places in the row of its tiles."""

    score: int
    tiles: tuple[int, ...]


def uses_of(table: WordTable, word: int, offered: dict[int, list[tuple[int, int]]]) -> Uses:
    """The best play of `word` from the tiles `offered`, by code (price, place in the row), ascending; same as `play_value`."""
    letters = table.words.letters[word][: table.lengths[word]].tolist()
    values = table.words.values
    used: dict[int, int] = {}
    gains: list[int] = [0] * len(letters)
    chosen: list[int] = [-1] * len(letters)
    for place in range(len(letters) - 1, -1, -1):
        code = letters[place]
        number = used.get(code, 0)
        used[code] = number + 1
        tiles = offered.get(code, [])
        if number < len(tiles):
            price, chosen[place] = tiles[number]
            gains[place] = (place + 1) * int(values[code]) - price
        else:
            gains[place] = _NONE
    real = [True] * len(letters)
    for price, tile in offered.get(BLANK_CODE, []):
        worst = min((place for place in range(len(letters)) if real[place]), key=lambda place: gains[place], default=None)
        if worst is None or gains[worst] >= -price:
            break
        gains[worst], chosen[worst], real[worst] = -price, tile, False
    score = sum((place + 1) * int(values[code]) for place, code in enumerate(letters) if real[place])
    return Uses(score, tuple(chosen))


def by_code(
    row: npt.NDArray[np.uint8], price: npt.NDArray[np.int64], places: Sequence[int]
) -> dict[int, list[tuple[int, int]]]:
    """The tiles at `places` of the row by code: (price, place), ascending."""
    found: dict[int, list[tuple[int, int]]] = {}
    for place in places:
        found.setdefault(int(row[place]), []).append((int(price[place]), place))
    for tiles in found.values():
        tiles.sort()
    return found
