"""Scrabble: notation, boards and scores. As in the row-draw puzzle, a play is a list of tiles with multipliers."""

from verify.scrabble.board import Board, BoardError, Square, WordScore, standard_board
from verify.scrabble.notation import NotationError, letter_score, letter_scores, multipliers, word_score

__all__ = [
    "Board",
    "BoardError",
    "NotationError",
    "Square",
    "WordScore",
    "letter_score",
    "letter_scores",
    "multipliers",
    "standard_board",
    "word_score",
]
