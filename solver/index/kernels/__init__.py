"""Compiled code that builds the indexes and finds plays in them."""
