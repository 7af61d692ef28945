"""Scrabble: words in notation, and the referee of whole games."""
