"""A Scrabble game for pages: for each event the tiles laid, the racks, the unseen tiles, and what the referee says."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solver.scrabble.game import move_text
from verify.scrabble.board import Square, board_of
from verify.scrabble.game_referee import Step as Replayed
from verify.scrabble.gcg import TURNS, Kind
from verify.scrabble.judge import GameVerdict
from verify.scrabble.play import Grid
from verify.scrabble.tiles import BLANK, TileSet, written
from verify.text import printable

_MOST_TILES = 20  # of a rack that a page shows
_MOST_EVENTS = 1_000  # steps of a page; a game has a few dozen
_HOLDING = (*TURNS, Kind.WITHDRAWN)  # events whose rack is that of their player

Step = dict[str, Any]


def board_fields(tiles: TileSet) -> Step:
    """Return the board, the values and the numbers of the tiles of a set, for a script."""
    board = board_of(tiles.board)
    sides = range(board.size)
    squares = [[board.name(Square(row, column)) for column in sides] for row in sides]
    return {"squares": squares, "values": dict(tiles.values), "counts": {**tiles.counts}}


def grid_fields(grid: Grid) -> list[tuple[int, int, str]]:
    """Return the tiles on a board as (row, column, tile)."""
    return [(square.row, square.column, tile) for square, tile in sorted(grid.items())]


def unseen_fields(tiles: TileSet, unseen: Counter[str]) -> dict[str, int]:
    """Return the number of each unseen tile, in the order of the set, blanks last."""
    return {tile: unseen[tile] for tile in [*tiles.values, BLANK] if unseen[tile]}


def game_steps(verdict: GameVerdict) -> Step:
    """Return a game that the referee has judged as plain values for a page."""
    players = list(verdict.totals)
    shown = _steps(verdict, players)
    totals = ", ".join(f"{nick} {total}" for nick, total in verdict.totals.items())
    placed = {step["line"] for step in shown}
    return {
        "title": printable(f"{Path(verdict.file).name}: {totals}"),
        "verdict": printable(verdict.as_text().split("\n", 1)[0].partition(": ")[2]),
        "valid": verdict.valid,
        "players": [
            {"nick": printable(nick), "name": printable(verdict.names.get(nick) or nick)}
            for nick in players
        ],
        **board_fields(verdict.tile_set),
        "note": "\n".join(map(printable, verdict.game.note.split("\n"))),
        "events": shown,
        "faults": [
            printable(f"{fault.code}: {fault.message}")
            for fault in verdict.violations
            if fault.line not in placed
        ],
    }


def _steps(verdict: GameVerdict, players: Sequence[str]) -> list[Step]:
    totals = dict.fromkeys(players, 0)
    shown = []
    for replayed in verdict.steps[:_MOST_EVENTS]:
        totals[replayed.event.player] = replayed.total
        shown.append(
            {
                **_step(replayed, verdict),
                "player": players.index(replayed.event.player),
                "totals": [*totals.values()],
            }
        )
    _add_racks(verdict, players, shown)
    return shown


def _step(step: Replayed, verdict: GameVerdict) -> Step:
    event, tiles, placed = step.event, verdict.tile_set, step.placed
    rack = tiles.rack(event.rack)[:_MOST_TILES]
    word = (
        written(tile for _square, tile in placed.words[0]) if placed and not placed.faults else ""
    )
    is_claim = (event.score, event.total) != (step.score, step.total)
    return {
        "line": event.line,
        "kind": event.kind.value,
        "rack": rack,
        "move": move_text(event, word),
        "words": [printable(word) for word in placed.texts()] if placed else [],
        "grid": grid_fields(step.before),
        "laid": grid_fields(dict(placed.new)) if placed else [],
        "lifted": [(square.row, square.column) for square in step.lifted],
        "score": step.score,
        "total": step.total,
        "claim": [event.score, event.total] if is_claim else None,
        "bag": step.in_bag,
        "unseen": unseen_fields(tiles, tiles.unseen(step.before, rack)),
        "faults": [
            printable(f"{one.code}: {one.message}")
            for one in verdict.violations
            if one.line == event.line
        ],
        "remarks": _remarks(verdict, event.line),
        "note": printable(" ".join(filter(None, [event.comment, *event.note.split("\n")]))),
    }


def _remarks(verdict: GameVerdict, line: int) -> list[str]:
    said = [f"{one.code}: {one.message}" for one in verdict.remarks if one.line == line]
    said += [f"phony: {phony.text}" for phony in verdict.phonies if phony.line == line]
    return [printable(text) for text in said]


def _add_racks(verdict: GameVerdict, players: Sequence[str], steps: list[Step]) -> None:
    """Add to each step the rack of each player that the file gives for that time: the rack of the player's next event."""
    racks: list[list[str]] = [[] for _player in players]
    for replayed, step in zip(reversed(verdict.steps[: len(steps)]), reversed(steps), strict=True):
        event, place = replayed.event, step["player"]
        if event.kind in _HOLDING:
            racks[place] = step["rack"]
        elif event.kind is Kind.RACK and (event.rack or len(players) == 2):
            # of two players, the one who is out is written with the tiles of the other
            owner = place if event.rack else 1 - place
            racks[owner] = verdict.tile_set.split(event.rack or event.tiles)[:_MOST_TILES]
        step["racks"] = list(racks)
