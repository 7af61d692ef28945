"""Comparisons of strategies: puzzle x strategy x seed, kept in a journal, shown in tables."""
