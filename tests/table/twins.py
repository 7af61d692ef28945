"""What plays of Scrabble are, by trying all of them, and what a graph of words is."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

from verify.scrabble.board import Board, Square
from verify.scrabble.play import THROUGH, Grid, place_play, place_text, score_play
from verify.scrabble.tiles import TileSet, written


def plays_by_trying(
    words: Iterable[tuple[str, ...]], tiles: TileSet, board: Board, grid: Grid, rack: list[str]
) -> dict[tuple[str, str], int]:
    """The score of each legal play by (place, tiles).

    They are every word on every square both ways, with every choice of blanks.
    """
    known = set(words)
    plays: dict[tuple[str, str], int] = {}
    lines = range(board.size)
    for word, across, row, column in product(known, (True, False), lines, lines):
        start = Square(row, column)
        if board.holds(start.next(across, len(word) - 1)):
            plays |= _laid(word, start, across, known, tiles, board, grid, rack)
    return plays


def _laid(
    word: tuple[str, ...],
    start: Square,
    across: bool,
    known: set[tuple[str, ...]],
    tiles: TileSet,
    board: Board,
    grid: Grid,
    rack: list[str],
) -> dict[tuple[str, str], int]:
    plays = {}
    choices = []
    for place, tile in enumerate(word):
        there = grid.get(start.next(across, place))
        if there is None:
            choices.append([tile, tile.lower()] if "?" in rack else [tile])
        elif there.upper() == tile:
            choices.append([THROUGH])
        else:
            return {}
    for laid in product(*choices):
        used = Counter(tiles.tile_of(tile) for tile in laid if tile != THROUGH)
        if used - Counter(rack):
            continue
        placed = place_play(board, grid, start, across, laid, tiles)
        formed = [tuple(tile.upper() for _square, tile in one) for one in placed.words]
        if placed.faults or formed[0] != word or not known.issuperset(formed):
            continue
        # a play of one tile that makes words both ways counts as one across
        if across or len(placed.new) > 1 or len(placed.words) == 1:
            plays[place_text(start, across), written(laid)] = score_play(board, grid, placed, tiles)
    return plays
