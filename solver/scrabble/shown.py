"""Shows a Scrabble game of a GCG file in a terminal: its events, its last board, and the faults found by the referee."""

import click

from solver.scrabble.screen import board_lines
from verify.scrabble.board import board_of
from verify.scrabble.found import RightScore
from verify.scrabble.gcg import Event, Kind, read_gcg
from verify.scrabble.judge import GameVerdict
from verify.text import printable

_MOVES = {
    Kind.PASS: "passes",
    Kind.WITHDRAWN: "takes the play back",
    Kind.CHALLENGE: "challenge",
    Kind.TIME: "time",
}
_CLAIMS = ("wrong-score", "wrong-total")  # faults of claimed points
_LONGEST = 60  # characters of a name, a rack or a move


def gcg_text(content: bytes, verdict: GameVerdict) -> str:
    """Return a line for each event with rack, move, right score and right total. Faults follow the event that they belong to.

    If the score or total in the file is wrong, the line also shows what the file claims. The text is styled for a terminal:
    elsewhere `click.echo` strips the styles.
    """
    game = read_gcg(content)
    width = max((len(_short(event.player)) for event in game.events), default=1)
    moves = [move_text(event) for event in game.events]
    lines = [click.style(printable(f"{verdict.file}: {', '.join(player.name for player in game.players)}"), bold=True)]
    unplaced = list(verdict.violations)
    # a game that is not judged has no right scores
    right = verdict.right_scores or [RightScore(event.score, event.total) for event in game.events]
    for event, move, scored in zip(game.events, moves, right, strict=True):
        here = [fault for fault in unplaced if fault.line == event.line]
        unplaced = [fault for fault in unplaced if fault.line != event.line]
        figures = f"{scored.score:+5} {scored.total:5}" + (_claim(event) if any(f.code in _CLAIMS for f in here) else "")
        lines.append(f"{_short(event.player):{width}}  {_short(event.rack):9} {move:{max(map(len, moves))}} {figures}")
        lines += [click.style(f"  line {fault.line}: {fault.code}: {fault.message}", fg="red") for fault in here]
        lines += [f"  line {one.line}: remark: {one.code}: {one.message}" for one in verdict.remarks if one.line == event.line]
    lines += ["", *board_lines(verdict.grid, board_of(verdict.board)), ""]
    lines += [click.style(f"line {fault.line}: {fault.code}: {fault.message}", fg="red") for fault in unplaced]
    return "".join(f"{line}\n" for line in lines) + verdict.as_text().split("\n", 1)[0] + "\n"


def _claim(event: Event) -> str:
    """Return the score and total that the file claims for an event."""
    return click.style(f"  claims {event.score:+d} {event.total}", fg="red") if event.is_scored else ""


def move_text(event: Event) -> str:
    """Return what a player does in an event, in words."""
    if event.kind is Kind.PLAY:
        return f"{_short(event.place)} {_short(event.tiles)}"
    if event.kind is Kind.EXCHANGE:
        return f"exchanges {_short(event.tiles)}"
    return _MOVES.get(event.kind, f"({_short(event.tiles)})")


def _short(text: str) -> str:
    return printable(text[:_LONGEST])
