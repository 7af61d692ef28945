"""Tile sets: what each letter is worth, and how many of each tile there are."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from verify.datafiles import data_folder

BLANK = "?"


@dataclass(frozen=True)
class TileSet:
    """The value of each letter and the number of each tile. Letters are capital; the blank is `?` and worth 0."""

    name: str
    values: Mapping[str, int]
    counts: Mapping[str, int]

    def value(self, tile: str) -> int:
        """The value of a tile as laid down: a small letter is a blank."""
        return self.values.get(tile, 0) if tile.isupper() else 0

    def tile_of(self, laid: str) -> str:
        """The tile behind a letter as laid down: a small letter is a blank."""
        return laid if laid.isupper() else BLANK

    def bag(self) -> Counter[str]:
        """All tiles of the set."""
        return Counter(self.counts)

    def rack_value(self, tiles: str) -> int:
        """The sum of the values of tiles on a rack."""
        return sum(self.values.get(tile, 0) for tile in tiles)


def tile_set_names() -> list[str]:
    """The names of the bundled tile sets."""
    return sorted(path.stem for path in (data_folder() / "tiles").glob("*.toml"))


@cache
def tile_set(name: str) -> TileSet:
    """The bundled tile set of that name. Raises `KeyError` if there is none."""
    if name not in tile_set_names():
        raise KeyError(name)
    fields = tomllib.loads((data_folder() / "tiles" / f"{name}.toml").read_text(encoding="utf-8"))
    values = {letter.upper(): value for letter, value in fields["values"].items()}
    counts = {letter.upper(): count for letter, count in fields["counts"].items()}
    return TileSet(name, MappingProxyType(values), MappingProxyType(counts))
