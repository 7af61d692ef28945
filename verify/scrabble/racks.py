"""Checks of racks: a rack can hold only tiles of the set that are not on the board."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from verify.scrabble.board import FULL_RACK
from verify.scrabble.gcg import Event, GameFile
from verify.scrabble.tiles import TileSet, written
from verify.text import quote

ReportFault = Callable[[int, str, str], None]
"""Takes the line, the code and the message of a fault."""

_LAST_RACK = re.compile(r"rack[1-9]")


class Racks:
    """Checks racks against the tiles on the board, and reports each fault to `fault`."""

    def __init__(self, tiles: TileSet, fault: ReportFault) -> None:
        self.tiles, self.fault = tiles, fault
        self._off = tiles.bag()  # below 0 where more tiles are laid down than the set has
        self._off_board = +self._off

    def lay(self, tiles: Iterable[str]) -> None:
        """Put tiles, as laid down, on the board."""
        self._off.subtract(map(self.tiles.tile_of, tiles))
        self._off_board = +self._off

    def lift(self, tiles: Iterable[str]) -> None:
        """Take tiles, as laid down, back from the board."""
        self._off.update(map(self.tiles.tile_of, tiles))
        self._off_board = +self._off

    def off_board(self) -> Counter[str]:
        """Return the tiles that are not on the board. Callers must not change the result."""
        return self._off_board

    def check_bag(self, line: int, wanted: Counter[str], what: str) -> bool:
        """Return whether the tiles off the board include all of `wanted`; report the missing ones."""
        off = self.off_board()
        short = {tile: count - off[tile] for tile, count in wanted.items() if tile in self.tiles.counts and count > off[tile]}
        if short:
            tiles = " ".join(tile for tile, count in sorted(short.items()) for _ in range(count))
            self.fault(line, "not-in-bag", f"{what} needs {quote(tiles)} more than the set has off the board")
        return not short

    def check_held(self, event: Event, used: Counter[str], rack: list[str], what: str) -> None:
        """Check that the tiles played or exchanged are on the rack, or, if no rack is given, off the board."""
        if not rack:
            self.check_bag(event.line, used, f"play {what}")
        elif missing := used - Counter(rack):
            tiles = " ".join(sorted(missing.elements()))
            self.fault(event.line, "not-on-rack", f"{what} needs {quote(tiles)} more than the rack {quote(event.rack)} holds")

    def check(self, line: int, rack: list[str], what: str) -> bool:
        """Return whether a rack is possible with the tiles off the board; report each reason why not."""
        unknown = sorted({tile for tile in rack if tile not in self.tiles.counts})
        if unknown:
            message = f"{what} holds {quote(' '.join(unknown))}: no tiles of the {self.tiles.name} set"
            self.fault(line, "unknown-tile", message)
        if len(rack) > FULL_RACK:
            self.fault(line, "rack-size", f"{what} holds {len(rack)} tiles: expected at most {FULL_RACK}")
        return self.check_bag(line, Counter(rack), what)

    def check_last(self, game: GameFile) -> None:
        """Check the racks that the pragmas `#rack1` and `#rack2` give for the end of the game."""
        named = [
            (line, name, self.tiles.split(value))
            for line, (name, value) in zip(game.pragma_lines, game.pragmata, strict=False)
            if _LAST_RACK.fullmatch(name)
        ]
        held = [self.check(line, rack, f"#{name} {quote(written(rack))}, at the end,") for line, name, rack in named]
        if all(held) and len(named) > 1:
            together = Counter(tile for _line, _name, rack in named for tile in rack)
            self.check_bag(named[-1][0], together, "what the players hold at the end together")
