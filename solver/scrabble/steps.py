"""A Scrabble game for pages: for each event the tiles laid, the racks, the unseen tiles, and what the referee says."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solver.scrabble.shown import move_text
from verify.scrabble.board import FULL_RACK, Board, Square, board_of
from verify.scrabble.found import RightScore
from verify.scrabble.gcg import Event, GameFile, Kind, read_gcg
from verify.scrabble.judge import DEFAULT_TILES, GameVerdict
from verify.scrabble.play import Grid, Placed, parse_place, place_play
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_names
from verify.text import printable

_MOST_TILES = 20  # of a rack that a page shows
_MOST_EVENTS = 1_000  # steps of a page; a game has a few dozen
_HOLDING = (Kind.PLAY, Kind.EXCHANGE, Kind.PASS, Kind.WITHDRAWN)  # events whose rack is that of their player

Step = dict[str, Any]


def board_fields(board: Board, tiles: TileSet) -> Step:
    """Return the board, the values and the numbers of the tiles, for a script."""
    sides = range(board.size)
    squares = [[board.name(Square(row, column)) for column in sides] for row in sides]
    return {"squares": squares, "values": dict(tiles.values), "counts": {**tiles.counts}}


def grid_fields(grid: Grid) -> list[tuple[int, int, str]]:
    """Return the tiles on a board as (row, column, tile)."""
    return [(square.row, square.column, tile) for square, tile in sorted(grid.items())]


def unseen(tiles: TileSet, grid: Grid, rack: Sequence[str]) -> dict[str, int]:
    """Return the number of each tile that is neither on the board nor on `rack`, in the order of the set, blanks last."""
    laid = Counter(tiles.tile_of(tile) for tile in grid.values())
    left = tiles.bag() - laid - Counter(rack)
    return {tile: left[tile] for tile in [*tiles.values, BLANK] if left[tile]}


def game_steps(content: bytes, verdict: GameVerdict, tiles: TileSet | None = None) -> Step:
    """Return a game as plain values for a page.

    Args:
        content: The bytes of its file.
        verdict: The verdict of the referee.
        tiles: The tile set by which it was judged; None for the bundled one that the verdict names.
    """
    game = read_gcg(content)
    tiles = tiles or tile_set(verdict.tiles if verdict.tiles in tile_set_names() else DEFAULT_TILES)
    players = [player.nick for player in game.players]
    players += [nick for nick in dict.fromkeys(event.player for event in game.events) if nick not in players]
    steps = _Steps(verdict, tiles, players)
    right = verdict.right_scores or [RightScore(event.score, event.total) for event in game.events]
    shown = [steps.step(event, scored) for event, scored in zip(game.events, right, strict=True)][:_MOST_EVENTS]
    _add_racks(game.events, players, shown, tiles)
    totals = ", ".join(f"{nick} {total}" for nick, total in verdict.totals.items())
    return {
        "title": printable(f"{Path(verdict.file).name}: {totals}"),
        "verdict": printable(verdict.as_text().split("\n", 1)[0].partition(": ")[2]),
        "valid": verdict.valid,
        "players": [{"nick": printable(nick), "name": printable(verdict.names.get(nick) or nick)} for nick in players],
        **board_fields(board_of(verdict.board), tiles),
        "note": _note(game),
        "events": shown,
        "faults": [printable(f"{fault.code}: {fault.message}") for fault in steps.unplaced],
    }


def _note(game: GameFile) -> str:
    return "\n".join(map(printable, game.note.split("\n"))) if game.note else ""


class _Steps:
    """Lays the tiles of a game event by event.

    Args:
        verdict: The referee's verdict.
        tiles: The tile set.
        players: The nicks in the order of the turns.
    """

    def __init__(self, verdict: GameVerdict, tiles: TileSet, players: Sequence[str]) -> None:
        self.unplaced = list(verdict.violations)
        self._verdict, self._tiles, self._players = verdict, tiles, players
        self._board = board_of(verdict.board)
        self._grid: Grid = {}
        self._last: Placed | None = None

    def step(self, event: Event, right: RightScore) -> Step:
        """Carry out `event` and return it for the page."""
        rack = self._tiles.split(event.rack)[:_MOST_TILES]
        held = sum(self._tiles.counts.values()) - len(self._grid) - FULL_RACK * len(self._players)
        left = unseen(self._tiles, self._grid, rack)
        placed, lifted = self._placed(event), self._lifted(event)
        here = [fault for fault in self.unplaced if fault.line == event.line]
        self.unplaced = [fault for fault in self.unplaced if fault.line != event.line]
        claims = event.is_scored and (event.score, event.total) != (right.score, right.total)
        return {
            "line": event.line,
            "player": self._players.index(event.player),
            "kind": event.kind.value,
            "rack": rack,
            "move": move_text(event),
            "words": [printable(word) for word in placed.texts()] if placed else [],
            "laid": grid_fields(dict(placed.new)) if placed else [],
            "lifted": lifted,
            "score": right.score,
            "total": right.total,
            "claim": [event.score, event.total] if claims else None,
            "bag": max(0, held),
            "unseen": left,
            "faults": [printable(f"{fault.code}: {fault.message}") for fault in here],
            "remarks": self._remarks(event),
            "note": printable(" ".join(filter(None, [event.comment, *event.note.split("\n")]))),
        }

    def _placed(self, event: Event) -> Placed | None:
        if event.kind is not Kind.PLAY:
            return None
        try:
            start, across = parse_place(event.place, self._board)
        except ValueError:
            return None  # the referee says so
        self._last = place_play(self._board, self._grid, start, across, self._tiles.split(event.tiles))
        self._grid.update(self._last.new)
        return self._last

    def _lifted(self, event: Event) -> list[tuple[int, int]]:
        if event.kind is not Kind.WITHDRAWN or self._last is None:
            return []
        lifted = sorted(square for square in self._last.new if self._grid.pop(square, None) is not None)
        self._last = None
        return [(square.row, square.column) for square in lifted]

    def _remarks(self, event: Event) -> list[str]:
        said = [f"{one.code}: {one.message}" for one in self._verdict.remarks if one.line == event.line]
        for phony in self._verdict.phonies:
            if phony.line == event.line:
                fate = "stood" if phony.challenger is None else f"challenged off by {phony.challenger}"
                said.append(f"{', '.join(phony.words)}: not in the list; {fate}")
        return [printable(text) for text in said]


def _add_racks(events: Sequence[Event], players: Sequence[str], steps: list[Step], tiles: TileSet) -> None:
    """Add to each step the rack of each player that the file gives for that time: the rack of the player's next event."""
    racks: list[list[str]] = [[] for _player in players]
    for event, step in zip(reversed(events[: len(steps)]), reversed(steps), strict=True):
        place = players.index(event.player)
        if event.kind in _HOLDING:
            racks[place] = step["rack"]
        elif event.kind is Kind.RACK and (event.rack or len(players) == 2):
            # of two players, the one who is out is written with the tiles of the other
            owner = place if event.rack else 1 - place
            racks[owner] = tiles.split(event.rack or event.tiles)[:_MOST_TILES]
        step["racks"] = list(racks)
