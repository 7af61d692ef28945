"""Compiled code of Scrabble: the plays of a rack on a board."""
