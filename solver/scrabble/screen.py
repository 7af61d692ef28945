"""A table or a game of a GCG file as text for a terminal.

The text is styled: elsewhere `click.echo` strips the styles. The premium squares are marked by signs as well.
"""

import click

from solver.scrabble.game import TableGame, move_text, short
from verify import Fault
from verify.scrabble.board import Board, Square, board_of
from verify.scrabble.judge import GameVerdict
from verify.scrabble.play import Grid
from verify.scrabble.tiles import BLANK
from verify.text import counted, printable

_PREMIUMS = {
    "4xWS": ("#", "red"),
    "3xWS": ("=", "red"),
    "2xWS": ("-", "magenta"),
    "star": ("*", "magenta"),
    "4xLS": ("^", "blue"),
    "3xLS": ('"', "blue"),
    "2xLS": ("'", "cyan"),
}
_LEGEND = "= 3x word   - * 2x word   \" 3x letter   ' 2x letter"

HELP = """\
8H FACED      lay tiles from row 8, column H, across; H8 runs down; a small letter is a blank, . a tile that lies there
-ABC          exchange A, B and C; - passes
challenge     the play before yours; accept lets the last play of the game stand
end           end a game that its rules let you end, such as after six turns without a point
undo          take back the last event
hint          the highest-scoring play
quit          stop; the game is saved and --resume goes on with it
"""


def board_lines(grid: Grid, board: Board) -> list[str]:
    """Return the board, a line for each row. A square has two places, for a tile of two letters."""
    columns = "    " + " ".join(chr(ord("A") + column) for column in range(board.size))
    lines = [columns]
    for row in range(board.size):
        cells = [_cell(grid, board, Square(row, column)) for column in range(board.size)]
        lines.append(f"{row + 1:3} " + "".join(cells) + f" {row + 1}")
    return [*lines, columns]


def table_text(game: TableGame) -> str:
    """Return board, scores and bag, without any rack."""
    width = max(len(player.name or player.nick) for player in game.setup.players)
    side = [""]
    for player in game.setup.players:
        mark = ">" if player.nick == game.on_turn and not game.finished else " "
        side.append(f" {mark} {player.name or player.nick:{width}} {game.totals[player.nick]:5}")
    side += ["", f"   bag {counted(len(game.bag), 'tile')}"]
    if game.events:
        side += ["", f"   {last_text(game)}"]
    board = board_lines(game.grid, game.board)
    side += [""] * (len(board) - len(side))
    lines = [f"{line}{more}" for line, more in zip(board, side, strict=True)]
    return "".join(f"{line}\n" for line in [*lines, f"    {_LEGEND}"])


def rack_text(game: TableGame) -> str:
    """Return the rack of the player on turn, with the value of each tile."""
    values = game.tiles.values
    tiles = "  ".join(
        click.style(f"{tile}{values.get(tile, 0) if tile != BLANK else ''}", bold=True)
        for tile in game.rack
    )
    return f"{game.on_turn}'s rack:  {tiles}\n"


def last_text(game: TableGame) -> str:
    """Return who did what in the last event, and the points of it."""
    event, word = game.events[-1], game.main_words[-1]
    move = f"plays {word} at {event.place}" if word else move_text(event, hides_tiles=True)
    return printable(
        f"{game.setup.name_of(event.player)} {move}, {event.score:+d}, {event.total} in all"
    )


def result_text(game: TableGame) -> str:
    """Return the totals, highest first, and the winner."""
    ranked = sorted(game.totals.items(), key=lambda entry: -entry[1])
    best = [game.setup.name_of(nick) for nick, total in ranked if total == ranked[0][1]]
    outcome = f"{best[0]} wins" if len(best) == 1 else f"a tie of {' and '.join(best)}"
    totals = ", ".join(f"{game.setup.name_of(nick)} {total}" for nick, total in ranked)
    return f"{totals}: {outcome}\n"


def _cell(grid: Grid, board: Board, square: Square) -> str:
    tile = grid.get(square)
    if tile is not None:
        # a blank is shown as a small letter, in another colour
        return click.style(
            f"{tile[:2]:2}", fg="red" if tile.islower() else "black", bg="bright_white", bold=True
        )
    sign, colour = _PREMIUMS.get(board.name(square), (".", None))
    return click.style(f"{sign} ", bg=colour) if colour else f"{sign} "


_CLAIMS = ("wrong-score", "wrong-total")  # faults of claimed points


def gcg_text(verdict: GameVerdict) -> str:
    """Return a line for each event with rack, move, right score and right total. Faults follow the event that they belong to.

    If the score or total in the file is wrong, the line also shows what the file claims. The text is styled for a terminal:
    elsewhere `click.echo` strips the styles.
    """
    game = verdict.game
    width = max((len(short(event.player)) for event in game.events), default=1)
    moves = [move_text(event) for event in game.events]
    lines = [
        click.style(
            printable(f"{verdict.file}: {', '.join(player.name for player in game.players)}"),
            bold=True,
        )
    ]
    for event, move, step in zip(game.events, moves, verdict.steps, strict=True):
        here = [fault for fault in verdict.violations if fault.line == event.line]
        remarks = [remark for remark in verdict.remarks if remark.line == event.line]
        is_claim = event.is_scored and any(found.code in _CLAIMS for found in [*here, *remarks])
        claim = (
            click.style(f"  claims {event.score:+d} {event.total}", fg="red") if is_claim else ""
        )
        figures = f"{step.score:+5} {step.total:5}{claim}"
        lines.append(
            f"{short(event.player):{width}}  {short(event.rack):9} {move:{max(map(len, moves))}} {figures}"
        )
        lines += [f"  {_fault_line(fault)}" for fault in here]
        lines += [f"  line {one.line}: remark: {one.code}: {one.message}" for one in remarks]
    lines += ["", *board_lines(verdict.grid, board_of(verdict.tile_set.board)), ""]
    placed = {event.line for event in game.events}
    lines += [_fault_line(fault) for fault in verdict.violations if fault.line not in placed]
    return "".join(f"{line}\n" for line in lines) + verdict.as_text().split("\n", 1)[0] + "\n"


def _fault_line(fault: Fault) -> str:
    return click.style(f"line {fault.line}: {fault.code}: {fault.message}", fg="red")
