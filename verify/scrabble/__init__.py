"""Scrabble: notation, boards, scores. The same idea as the row-draw referee: a play is tiles with multipliers."""

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
