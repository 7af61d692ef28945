"""The worth of leaves, learnt from games of the bot against itself, see data/leaves."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from solver.scrabble.kernels.rack_leaves import POINT, LeaveWorth
from verify.datafiles import data_folder
from verify.scrabble.board import FULL_RACK
from verify.scrabble.tiles import BLANK, TileSet


@dataclass(frozen=True)
class Leaves:
    """The worth of tiles in a leave, in points.

    Attributes:
        copies: By tile, the worth of one, two, ... copies together; the last one holds for more copies, too.
        pairs: By two tiles, the additional worth of both together.
    """

    copies: Mapping[str, tuple[float, ...]]
    pairs: Mapping[tuple[str, str], float]

    def worth(self, tiles: Iterable[str]) -> LeaveWorth:
        """Return the worth of leaves as arrays for kernels, for these kinds of tiles, blanks first."""
        place = {tile: number for number, tile in enumerate(tiles)}
        most = max((len(some) for some in self.copies.values()), default=1)
        copies = np.zeros((len(place), most + 1), dtype=np.int64)
        for tile, worths in self.copies.items():
            padded = [*worths, *[worths[-1]] * (most - len(worths))]
            copies[place[tile], 1:] = [round(POINT * worth) for worth in padded]
        pair = np.zeros((len(place), len(place)), dtype=np.int64)
        for (one, other), worth in self.pairs.items():
            first, second = sorted((place[one], place[other]))
            pair[first, second] = round(POINT * worth)
        return LeaveWorth(copies, pair, 0)


@cache
def bundled_leaves(name: str) -> Leaves | None:
    """Return the leaves learnt with the bundled tile set of that name; None if none were learnt."""
    path = data_folder() / "leaves" / f"{name}.toml"
    if not path.exists():
        return None
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    copies = {tile: tuple(map(float, worths)) for tile, worths in content["copies"].items()}
    return Leaves(copies, {(key.split()[0], key.split()[1]): float(worth) for key, worth in content["pairs"].items()})


def leaves_text(leaves: Leaves, remark: str) -> str:
    """Return the text of a file of leaves, as `bundled_leaves` reads it."""
    lines = [*(f"# {line}" for line in remark.splitlines()), "", "[copies]"]
    lines += [f'"{tile}" = [{", ".join(f"{worth:.2f}" for worth in worths)}]' for tile, worths in leaves.copies.items()]
    lines += ["", "[pairs]", *(f'"{one} {other}" = {worth:.2f}' for (one, other), worth in leaves.pairs.items())]
    return "\n".join(lines) + "\n"


def last_worth(tiles: TileSet, kinds: Iterable[str], unseen: int, times: int = 2) -> LeaveWorth:
    """Return the worth of leaves once the bag is empty.

    A player who goes out leads by `times` the value of the others' tiles more; any other player by that of the leave less.

    Args:
        tiles: The tile set.
        kinds: The kinds of tiles, blanks first.
        unseen: The sum of the values of the others' tiles.
        times: 2 if the player who goes out also gets what the others lose, else 1.
    """
    values = np.array([tiles.value(kind) for kind in kinds], dtype=np.int64)
    copies = -times * POINT * values[:, None] * np.arange(FULL_RACK + 1)
    return LeaveWorth(copies, np.zeros((len(values), len(values)), dtype=np.int64), times * POINT * unseen)


def kinds_of(tiles: Iterable[str]) -> list[str]:
    """Return the kinds of tiles on a rack, blanks first, as kernels count them."""
    return [BLANK, *tiles]
