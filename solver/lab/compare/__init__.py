"""Comparing strategies: a matrix of puzzle x strategy x seed, run fairly, kept in a journal, shown in tables."""
