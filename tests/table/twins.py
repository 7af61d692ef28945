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
        if not board.holds(start.next(across, len(word) - 1)):
            continue
        for laid in product(*_choices(word, start, across, grid, "?" in rack)):
            if Counter(tiles.tile_of(tile) for tile in laid if tile != THROUGH) - Counter(rack):
                continue
            placed = place_play(board, grid, start, across, laid, tiles)
            formed = [tuple(tile.upper() for _square, tile in one) for one in placed.words]
            if placed.faults or formed[0] != word or not known.issuperset(formed):
                continue
            # a play of one tile that makes words both ways counts as one across
            if across or len(placed.new) > 1 or len(placed.words) == 1:
                place = place_text(start, across)
                plays[place, written(laid)] = score_play(board, grid, placed, tiles)
    return plays


def _choices(
    word: tuple[str, ...], start: Square, across: bool, grid: Grid, has_blank: bool
) -> list[list[str]]:
    """What may be laid for each tile of a word: nothing where another tile is in its way."""
    choices = []
    for place, tile in enumerate(word):
        there = grid.get(start.next(across, place))
        if there is None:
            choices.append([tile, tile.lower()] if has_blank else [tile])
        else:
            choices.append([THROUGH] if there.upper() == tile else [])
    return choices
