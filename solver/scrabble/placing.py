"""The notation of a play whose tiles were put on the squares of a board one by one."""

from collections.abc import Sequence

from solver.errors import TableError
from verify.scrabble.board import Board, Square
from verify.scrabble.play import THROUGH, Grid, place_text


def play_of(board: Board, grid: Grid, laid: Sequence[tuple[Square, str]]) -> tuple[str, str]:
    """Return (place, tiles) of the play that puts the tiles of `laid` on their squares, with `.` for each tile passed through.

    Raises `TableError` if the squares are not free or not in one line without a gap.
    """
    new = dict(laid)
    if not new:
        raise TableError("no tile is laid: put at least one on the board")
    taken = [square for square, _tile in laid if square in grid or not board.holds(square)]
    if taken or len(new) < len(laid):
        raise TableError(f"{taken[0] if taken else 'a square'} is taken: expected a free square for each tile")
    squares = sorted(new)
    rows, columns = {square.row for square in squares}, {square.column for square in squares}
    if len(rows) > 1 and len(columns) > 1:
        raise TableError("the tiles are not in one row or column")
    sideways = grid.keys() & {squares[0].next(True, -1), squares[0].next(True)}
    above = grid.keys() & {squares[0].next(False, -1), squares[0].next(False)}
    across = len(rows) == 1 if len(squares) > 1 else bool(sideways) or not above
    start = squares[0]
    while start.next(across, -1) in grid:
        start = start.next(across, -1)
    tiles, square = "", start
    while square <= squares[-1] or square in grid:
        if square not in new and square not in grid:
            raise TableError(f"{square} is empty: expected no gap between the tiles")
        tiles += new.get(square, THROUGH)
        square = square.next(across)
    return place_text(start, across), tiles
