"""A table or a game of a GCG file as plain text."""

from solver.scrabble.game import TableGame, move_text
from solver.scrabble.steps import game_steps
from verify.scrabble.board import Square, board_of
from verify.scrabble.judge import GameVerdict
from verify.scrabble.play import Grid
from verify.scrabble.tiles import BLANK, TileSet, written
from verify.text import counted, printable

# the signs of premium squares in files of boards, and those that are no letters
_SIGNS = str.maketrans("QTDqtd", "#=-^\"'")


def board_lines(grid: Grid, tiles: TileSet) -> list[str]:
    """Return the board, a line for each row. A square has room for the longest tile of the set."""
    board = board_of(tiles.board)
    width = max(2, *map(len, tiles.values))
    names = (chr(ord("A") + column) for column in range(board.size))
    columns = "    " + "".join(f"{name:{width}}" for name in names).rstrip()
    lines = [columns]
    for row, signs in enumerate(board.rows):
        cells = ""
        for column, sign in enumerate(signs.translate(_SIGNS)):
            tile = grid.get(Square(row, column), sign)
            cells += f"{printable(tile):{width}}"
        lines.append(f"{row + 1:3} {cells} {row + 1}")
    return [*lines, columns]


def table_text(game: TableGame) -> str:
    """Return board, scores, bag, and the rack of the player on turn; after the end the result."""
    lines = board_lines(game.grid, game.tiles)
    if game.finished:
        return "\n".join([*lines, result_text(game)])
    values = {**game.tiles.values, BLANK: ""}
    rack = "  ".join(f"{tile}{values[tile]}" for tile in game.tiles.split(game.rack))
    totals = [f"{game.names[nick]} {total}" for nick, total in game.totals.items()]
    lines.append(f"{', '.join(totals)}; bag {counted(len(game.bag), 'tile')}")
    return "\n".join([*lines, f"{game.name}'s rack:  {rack}"])


def last_text(game: TableGame) -> str:
    """Return who did what in the last event, and the points of it."""
    event = game.events[-1]
    word = game.main_words[-1]
    move = move_text(event, hides_tiles=True)
    if word:
        move = f"plays {word} at {event.place}"
    name = game.names[event.player]
    return printable(f"{name} {move}, {event.score:+d}, {event.total} in all")


def result_text(game: TableGame) -> str:
    """Return the totals, highest first, and the winner."""
    best = max(game.totals.values())
    totals = []
    winners = []
    for nick, total in sorted(game.totals.items(), key=lambda entry: -entry[1]):
        name = game.names[nick]
        totals.append(f"{name} {total}")
        if total == best:
            winners.append(name)
    outcome = f"{winners[0]} wins"
    if len(winners) > 1:
        outcome = f"a tie of {' and '.join(winners)}"
    return f"{', '.join(totals)}: {outcome}"


def gcg_text(verdict: GameVerdict) -> str:
    """Return a line for each event with rack, move, right score and right total.

    Faults and remarks follow the event that they belong to. If the score or total in the file is
    another one, the line also shows what the file claims.
    """
    game = game_steps(verdict, {})
    nicks = [player["nick"] for player in game["players"]]
    width = max(map(len, nicks), default=1)
    longest = max((len(step["move"]) for step in game["events"]), default=0)
    players = ", ".join(player.name for player in verdict.game.players)
    lines = [printable(f"{verdict.file}: {players}")]
    for step in game["events"]:
        rack = printable(written(step["rack"]))
        line = f"{nicks[step['player']]:{width}}  {rack:9} {step['move']:{longest}}"
        line += f" {step['score']:+5} {step['total']:5}"
        if step["claim"] is not None:
            line += "  claims {:+d} {}".format(*step["claim"])
        where = f"  line {step['line']}:"
        lines.append(line)
        lines += [f"{where} {found}" for found in step["faults"] + step["remarks"]]
    lines += ["", *board_lines(verdict.grid, verdict.tile_set), "", *game["faults"]]
    summary, *_faults = verdict.as_text().split("\n")
    return "\n".join([*lines, summary, ""])
