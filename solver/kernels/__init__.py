"""Loops over plain arrays, compiled by numba. Nothing here knows a puzzle, a file or a word."""
