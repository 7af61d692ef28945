"""Checks of racks: a rack can hold only tiles of the set that are not on the board.

Plays and scores are facts, but the annotator of a game often guesses the racks of others. A rack that contradicts the board or
another rack is therefore only remarked upon, unless racks are judged strictly.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from verify.scrabble.board import FULL_RACK
from verify.scrabble.gcg import Event, GameFile
from verify.scrabble.tiles import BLANK, TileSet, written
from verify.text import quote

ReportFault = Callable[[int, str, str], None]
"""Takes the line, the code and the message of a fault."""

UNKNOWN = "UNKNOWN"
"""What some programs write for a rack that the annotator does not know."""

_LAST_RACK = re.compile(r"rack[1-9]")


def known_rack(tiles: TileSet, rack: str) -> list[str]:
    """Return the tiles of a written rack; none if it is unknown: `UNKNOWN`, or more question marks than the set has blanks."""
    held = tiles.split(rack)
    return [] if rack.upper() == UNKNOWN or held.count(BLANK) > tiles.counts.get(BLANK, 0) else held


class Racks:
    """Checks racks against the tiles on the board.

    It reports what no guess explains to `fault`, and contradictions between racks, or between a rack and the board, to `doubt`.
    """

    def __init__(self, tiles: TileSet, fault: ReportFault, doubt: ReportFault) -> None:
        self.tiles, self.fault, self.doubt = tiles, fault, doubt
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
        return self._check_within(self.off_board(), line, wanted, what, self.fault)

    def check_played(self, event: Event, used: Counter[str], rack: list[str]) -> None:
        """Check the tiles of a play: it is a fact, so that the set must have them off the board, whatever the rack."""
        self.check_held(event, used, rack, quote(event.tiles))
        if not Counter(rack) - self.tiles.bag():  # otherwise the rack is a fault by itself
            self.check_bag(event.line, used, f"play {quote(event.tiles)}")

    def check_held(self, event: Event, used: Counter[str], rack: list[str], what: str) -> None:
        """Check that a rack, if it is known, holds the tiles played or exchanged."""
        if rack and (missing := used - Counter(rack)):
            tiles = " ".join(sorted(missing.elements()))
            self.fault(event.line, "not-on-rack", f"{what} needs {quote(tiles)} more than the rack {quote(event.rack)} holds")

    def check(self, line: int, rack: list[str], what: str) -> bool:
        """Return whether a rack is possible with the tiles off the board; report each reason why not."""
        held, bag = Counter(rack), self.tiles.bag()
        if unknown := sorted(tile for tile in held if not bag[tile]):
            message = f"{what} holds {quote(' '.join(unknown))}: no tiles of the {self.tiles.name} set"
            self.fault(line, "unknown-tile", message)
        if len(rack) > FULL_RACK:
            self.fault(line, "rack-size", f"{what} holds {len(rack)} tiles: expected at most {FULL_RACK}")
        if not self._check_within(bag, line, held, what, self.fault):
            return False
        return self._check_within(self.off_board(), line, held, what, self.doubt)

    def check_others(self, event: Event, rack: list[str], others: Counter[str]) -> None:
        """Check that the `others` do not hold tiles of a rack."""
        held = Counter(rack)
        short = (others + held - self.off_board()) & held
        if tiles := " ".join(sorted(tile for tile in short.elements() if self.tiles.counts.get(tile))):
            self.doubt(
                event.line, "held-twice", f"rack {quote(event.rack)} holds {quote(tiles)}, which another player still holds"
            )

    def check_last(self, game: GameFile) -> None:
        """Check the racks that the pragmas `#rack1` and `#rack2` give for the end of the game."""
        named = [
            (line, name, known_rack(self.tiles, value))
            for line, (name, value) in zip(game.pragma_lines, game.pragmata, strict=False)
            if _LAST_RACK.fullmatch(name)
        ]
        held = [self.check(line, rack, f"#{name} {quote(written(rack))}, at the end,") for line, name, rack in named]
        if all(held) and len(named) > 1:
            together = Counter(tile for _line, _name, rack in named for tile in rack)
            what = "what the players hold at the end together"
            self._check_within(self.off_board(), named[-1][0], together, what, self.doubt)

    def _check_within(self, have: Counter[str], line: int, wanted: Counter[str], what: str, report: ReportFault) -> bool:
        short = {
            tile: count - have[tile] for tile, count in wanted.items() if self.tiles.counts.get(tile) and count > have[tile]
        }
        if short:
            tiles = " ".join(tile for tile, count in sorted(short.items()) for _ in range(count))
            report(line, "not-in-bag", f"{what} needs {quote(tiles)} more than the set has off the board")
        return not short
