"""Searches for good games: beams, what beams are made of, and the run that they search in."""
