"""Finds high-scoring games of the row-draw puzzle."""
