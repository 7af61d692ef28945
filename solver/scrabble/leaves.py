"""What tiles kept on a rack are worth: learnt from games that the bot plays against itself, see data/leaves."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from solver.scrabble.kernels.board_plays import POINT, LeaveWorth
from verify.datafiles import data_folder
from verify.scrabble.board import FULL_RACK
from verify.scrabble.tiles import BLANK, TileSet


@dataclass(frozen=True)
class Leaves:
    """Worths in points.

    copies: by tile, of one, two, ... of it together; of more as of the most.
    pairs: by two tiles, what both together are worth beside that.
    """

    copies: Mapping[str, tuple[float, ...]]
    pairs: Mapping[tuple[str, str], float]

    def worth(self, tiles: Iterable[str]) -> LeaveWorth:
        """For plays with such kinds of tiles, blanks first."""
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
    """What was learnt with the bundled tile set of that name; None where nothing was."""
    path = data_folder() / "leaves" / f"{name}.toml"
    if not path.exists():
        return None
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    copies = {tile: tuple(map(float, worths)) for tile, worths in told["copies"].items()}
    return Leaves(copies, {(key.split()[0], key.split()[1]): float(worth) for key, worth in told["pairs"].items()})


def leaves_text(leaves: Leaves, remark: str) -> str:
    """A file of worths, as `bundled_leaves` reads it."""
    lines = [*(f"# {line}" for line in remark.splitlines()), "", "[copies]"]
    lines += [f'"{tile}" = [{", ".join(f"{worth:.2f}" for worth in worths)}]' for tile, worths in leaves.copies.items()]
    lines += ["", "[pairs]", *(f'"{one} {other}" = {worth:.2f}' for (one, other), worth in leaves.pairs.items())]
    return "\n".join(lines) + "\n"


def last_worth(tiles: TileSet, kinds: Iterable[str], unseen: int) -> LeaveWorth:
    """The worth of leaves once the bag is empty: who goes out wins twice what others hold, and loses so much otherwise.

    unseen: the values of all tiles that others hold.
    """
    values = np.array([tiles.value(kind) for kind in kinds], dtype=np.int64)
    copies = -2 * POINT * values[:, None] * np.arange(FULL_RACK + 1)
    return LeaveWorth(copies, np.zeros((len(values), len(values)), dtype=np.int64), 2 * POINT * unseen)


def kinds_of(tiles: Iterable[str]) -> list[str]:
    """The kinds of tiles on a rack, blanks first, as kernels count them."""
    return [BLANK, *tiles]
