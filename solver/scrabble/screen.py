"""The table as text: board, scores, bag, and the rack of the player on turn.

The text is styled for a terminal: elsewhere `click.echo` strips the styles. The premium squares are marked by signs as well.
"""

import click

from solver.scrabble.game import TableGame
from verify.scrabble.board import Board, Square, standard_board
from verify.scrabble.play import Grid
from verify.scrabble.tiles import BLANK
from verify.text import counted

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
end           end a game in which six turns in a row brought no point
undo          take back the last event
hint          the highest-scoring play
quit          stop; the game is saved and --resume goes on with it
"""


def board_lines(grid: Grid, board: Board) -> list[str]:
    """Return the board, a line for each row. A tile of several letters is shown by its first letter."""
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
        last = game.events[-1]
        move = f"{last.place} {last.tiles}".strip() or last.kind.value
        side += ["", f"   {last.player}: {move} {last.score:+d}"]
    board = board_lines(game.grid, standard_board())
    side += [""] * (len(board) - len(side))
    lines = [f"{line}{more}" for line, more in zip(board, side, strict=True)]
    return "".join(f"{line}\n" for line in [*lines, f"    {_LEGEND}"])


def rack_text(game: TableGame) -> str:
    """Return the rack of the player on turn, with the value of each tile."""
    values = game.setup.tiles.values
    tiles = "  ".join(click.style(f"{tile}{values.get(tile, 0) if tile != BLANK else ''}", bold=True) for tile in game.rack)
    return f"{game.on_turn}'s rack:  {tiles}\n"


def result_text(game: TableGame) -> str:
    """Return the totals, highest first, and the winner."""
    ranked = sorted(game.totals.items(), key=lambda entry: -entry[1])
    best = [nick for nick, total in ranked if total == ranked[0][1]]
    outcome = f"{best[0]} wins" if len(best) == 1 else f"a tie of {' and '.join(best)}"
    totals = ", ".join(f"{nick} {total}" for nick, total in ranked)
    return f"{totals}: {outcome}\n"


def _cell(grid: Grid, board: Board, square: Square) -> str:
    tile = grid.get(square)
    if tile is not None:
        # a blank is shown as a small letter, in another colour
        return click.style(f"{tile[0]} ", fg="red" if tile.islower() else "black", bg="bright_white", bold=True)
    sign, colour = _PREMIUMS.get(board.name(square), (".", None))
    return click.style(f"{sign} ", bg=colour) if colour else f"{sign} "
