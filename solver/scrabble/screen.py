"""A table or a game of a GCG file as text for a terminal.

The text is styled: elsewhere `click.echo` strips the styles. The premium squares are marked by
signs as well.
"""

from itertools import zip_longest

import click

from solver.scrabble.game import TableGame, move_text
from solver.scrabble.steps import game_steps
from verify.scrabble.board import Board, Square, board_of
from verify.scrabble.judge import GameVerdict
from verify.scrabble.play import Grid
from verify.scrabble.tiles import BLANK, TileSet, written
from verify.text import counted, printable

_PREMIUMS = {
    "4xWS": ("#", "red"),
    "3xWS": ("=", "red"),
    "2xWS": ("-", "magenta"),
    "star": ("*", "magenta"),
    "4xLS": ("^", "blue"),
    "3xLS": ('"', "blue"),
    "2xLS": ("'", "cyan"),
    "": (".", None),
}
_LEGEND = "= 3x word   - * 2x word   \" 3x letter   ' 2x letter"

HELP = """\
8H FACED      lay tiles from row 8, column H, across; H8 runs down; \
a small letter is a blank, . a tile that lies there
-ABC          exchange A, B and C; - passes
challenge     the play before yours; accept lets the last play of the game stand
end           end a game that its rules let you end, such as after six turns without a point
undo          take back the last event
hint          the highest-scoring play
quit          stop; the game is saved and --resume goes on with it
"""


def board_lines(grid: Grid, tiles: TileSet) -> list[str]:
    """Return the board, a line for each row. A square has room for the longest tile of the set."""
    board = board_of(tiles.board)
    width = max(2, *map(len, tiles.values))
    names = (chr(ord("A") + column) for column in range(board.size))
    columns = "    " + "".join(f"{name:{width}}" for name in names).rstrip()
    lines = [columns]
    for row in range(board.size):
        cells = ""
        for column in range(board.size):
            cells += _cell(grid, board, Square(row, column), width)
        lines.append(f"{row + 1:3} {cells} {row + 1}")
    return [*lines, columns]


def _cell(grid: Grid, board: Board, square: Square, width: int) -> str:
    tile = grid.get(square)
    if tile is None:
        sign, colour = _PREMIUMS[board.name(square)]
        return click.style(f"{sign:{width}}", bg=colour, reset=colour is not None)
    # a blank is shown as a small letter, in another colour
    colour = "black"
    if tile.islower():
        colour = "red"
    return click.style(f"{printable(tile):{width}}", fg=colour, bg="bright_white", bold=True)


def table_text(game: TableGame) -> str:
    """Return board, scores and bag, without any rack."""
    names = {nick: game.name_of(nick) for nick in game.nicks}
    width = max(map(len, names.values()))
    side = [""]
    for nick, name in names.items():
        mark = " "
        if nick == game.on_turn and not game.finished:
            mark = ">"
        side.append(f" {mark} {name:{width}} {game.totals[nick]:5}")
    side += ["", f"   bag {counted(len(game.bag), 'tile')}"]
    if game.events:
        side += ["", f"   {last_text(game)}"]
    text = ""
    for line, more in zip_longest(board_lines(game.grid, game.tiles), side, fillvalue=""):
        text += f"{line}{more}\n"
    return f"{text}    {_LEGEND}\n"


def rack_text(game: TableGame) -> str:
    """Return the rack of the player on turn, with the value of each tile."""
    values = {**game.tiles.values, BLANK: ""}
    rack = game.tiles.split(game.rack)
    tiles = "  ".join(click.style(f"{tile}{values[tile]}", bold=True) for tile in rack)
    return f"{game.name}'s rack:  {tiles}\n"


def last_text(game: TableGame) -> str:
    """Return who did what in the last event, and the points of it."""
    event = game.events[-1]
    word = game.main_words[-1]
    move = move_text(event, hides_tiles=True)
    if word:
        move = f"plays {word} at {event.place}"
    name = game.name_of(event.player)
    return printable(f"{name} {move}, {event.score:+d}, {event.total} in all")


def result_text(game: TableGame) -> str:
    """Return the totals, highest first, and the winner."""
    best = max(game.totals.values())
    totals = []
    winners = []
    for nick, total in sorted(game.totals.items(), key=lambda entry: -entry[1]):
        name = game.name_of(nick)
        totals.append(f"{name} {total}")
        if total == best:
            winners.append(name)
    outcome = f"{winners[0]} wins"
    if len(winners) > 1:
        outcome = f"a tie of {' and '.join(winners)}"
    return f"{', '.join(totals)}: {outcome}\n"


def gcg_text(verdict: GameVerdict) -> str:
    """Return a line for each event with rack, move, right score and right total.

    Faults and remarks follow the event that they belong to. If the score or total in the file is
    another one, the line also shows what the file claims. The text is styled for a terminal:
    elsewhere `click.echo` strips the styles.
    """
    game = game_steps(verdict, {})
    nicks = [player["nick"] for player in game["players"]]
    width = max(map(len, nicks), default=1)
    longest = max((len(step["move"]) for step in game["events"]), default=0)
    players = ", ".join(player.name for player in verdict.game.players)
    lines = [click.style(printable(f"{verdict.file}: {players}"), bold=True)]
    for step in game["events"]:
        rack = printable(written(step["rack"]))
        line = f"{nicks[step['player']]:{width}}  {rack:9} {step['move']:{longest}}"
        line += f" {step['score']:+5} {step['total']:5}"
        if step["claim"] is not None:
            line += click.style("  claims {:+d} {}".format(*step["claim"]), fg="red")
        where = f"  line {step['line']}:"
        lines.append(line)
        lines += [click.style(f"{where} {fault}", fg="red") for fault in step["faults"]]
        lines += [f"{where} {remark}" for remark in step["remarks"]]
    lines += ["", *board_lines(verdict.grid, verdict.tile_set), ""]
    lines += [click.style(fault, fg="red") for fault in game["faults"]]
    summary, *_faults = verdict.as_text().split("\n")
    return "\n".join([*lines, summary, ""])
