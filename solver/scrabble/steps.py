"""A Scrabble game for pages.

For each event it has the tiles laid, the racks, the unseen tiles, and what the referee says.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from solver.errors import RowdrawError
from solver.scrabble.game import in_order, move_text
from verify import Fault
from verify.files import LARGEST_TEXT, is_gcg, read_file, text_bytes
from verify.scrabble.board import Square, board_of
from verify.scrabble.game_referee import Step as Replayed
from verify.scrabble.gcg import TURNS, Kind
from verify.scrabble.judge import GameVerdict, judge_game
from verify.scrabble.play import Placed
from verify.scrabble.tiles import TileSet, written
from verify.text import printable

_MOST_TILES = 20  # of a rack that a page shows
_MOST_EVENTS = 1_000  # steps of a page; a game has a few dozen
_HOLDING = (*TURNS, Kind.WITHDRAWN)  # events whose rack is that of their player

Step = dict[str, Any]


def judged_file(file: str, **options: Any) -> GameVerdict | None:
    """Return the verdict on the game in a file; None if it is not GCG. Options: see `judge_game`.

    Raises `RowdrawError` if the file cannot be read, `RulesError` if an option cannot be used.
    """
    try:
        content = text_bytes(read_file(Path(file), LARGEST_TEXT), file)
    except OSError as error:
        raise RowdrawError(f"{file}: the game cannot be read ({error.strerror})") from error
    return judge_game(content, file, **options) if is_gcg(content) else None


def board_fields(tiles: TileSet) -> Step:
    """Return the board, the values and the numbers of the tiles of a set, for a script."""
    board = board_of(tiles.board)
    sides = range(board.size)
    squares = [[board.name(Square(row, column)) for column in sides] for row in sides]
    return {"squares": squares, "values": dict(tiles.values), "counts": dict(tiles.counts)}


def grid_fields(grid: Mapping[Square, str]) -> list[tuple[int, int, str]]:
    """Return the tiles on a board as (row, column, tile)."""
    return [(*square, tile) for square, tile in sorted(grid.items())]


def unseen_fields(tiles: TileSet, unseen: Counter[str]) -> dict[str, int]:
    """Return the number of each unseen tile, in the order of the set, blanks last."""
    return {tile: unseen[tile] for tile in in_order(tiles, unseen)}


def game_steps(verdict: GameVerdict, best: Mapping[int, str]) -> Step:
    """Return a game that the referee has judged as plain values for a page.

    `best` has the texts of `solver.scrabble.position.best_texts`, or nothing.
    """
    totals = dict.fromkeys(verdict.totals, 0)
    players = list(totals)
    steps: list[Step] = []
    for replayed in verdict.steps[:_MOST_EVENTS]:
        nick = replayed.event.player
        totals[nick] = replayed.total
        step = _step(replayed, verdict)
        step["player"] = players.index(nick)
        step["totals"] = list(totals.values())
        step["best"] = best.get(len(steps) + 1)
        steps.append(step)
    _add_racks(verdict, players, steps)
    names = verdict.names
    placed = {step["line"] for step in steps}
    unplaced = [fault for fault in verdict.violations if fault.line not in placed]
    shown = ", ".join(f"{nick} {total}" for nick, total in verdict.totals.items())
    return {
        "title": printable(f"{Path(verdict.file).name}: {shown}"),
        "verdict": printable(verdict.as_text().split("\n", 1)[0].partition(": ")[2]),
        "valid": verdict.valid,
        "players": [
            {"nick": printable(nick), "name": printable(names.get(nick) or nick)}
            for nick in players
        ],
        **board_fields(verdict.tile_set),
        "note": "\n".join(map(printable, verdict.game.note.split("\n"))),
        "events": steps,
        "faults": [f"line {fault.line}: {_fault_text(fault)}" for fault in unplaced],
    }


def _step(step: Replayed, verdict: GameVerdict) -> Step:
    event = step.event
    tiles = verdict.tile_set
    rack = tiles.rack(event.rack)[:_MOST_TILES]
    faults = [fault for fault in verdict.violations if fault.line == event.line]
    remarks = [remark for remark in verdict.remarks if remark.line == event.line]
    phonies = [phony for phony in verdict.phonies if phony.line == event.line]
    placed = step.placed or Placed({})
    word = ""
    if placed.words and not placed.faults:
        word = written(tile for _square, tile in placed.words[0])
    claim = [event.score, event.total]
    return {
        "line": event.line,
        "kind": event.kind.value,
        "rack": rack,
        "move": move_text(event, word),
        "words": list(map(printable, placed.texts)),
        "grid": grid_fields(step.before),
        "laid": grid_fields(placed.new),
        "lifted": step.lifted,
        "score": step.score,
        "total": step.total,
        "claim": claim if event.is_scored and claim != [step.score, step.total] else None,
        "bag": step.in_bag,
        "unseen": unseen_fields(tiles, tiles.unseen(step.before, rack)),
        "faults": list(map(_fault_text, faults)),
        "remarks": [
            *(f"remark: {_fault_text(remark)}" for remark in remarks),
            *(printable(f"phony: {phony.text}") for phony in phonies),
        ],
        "note": printable(" ".join(filter(None, [event.comment, *event.note.split("\n")]))),
    }


def _fault_text(fault: Fault) -> str:
    return printable(f"{fault.code}: {fault.message}")


def _add_racks(verdict: GameVerdict, players: Sequence[str], steps: list[Step]) -> None:
    """Add to each step the racks that the players hold then.

    The rack of a player is that of the player's next event, if the file gives it.
    """
    racks: list[list[str]] = [[]] * len(players)
    for replayed, step in zip(reversed(verdict.steps[: len(steps)]), reversed(steps), strict=True):
        event = replayed.event
        owner = step["player"]
        if event.kind in _HOLDING:
            racks[owner] = step["rack"]
        elif event.kind is Kind.RACK and (event.rack or len(players) == 2):
            # of two players, the one who is out is written with the tiles of the other
            if not event.rack:
                owner = 1 - owner
            racks[owner] = verdict.tile_set.split(event.rack or event.tiles)[:_MOST_TILES]
        step["racks"] = list(racks)
