"""Prices of tiles, learnt from good games: under these prices a narrow beam keeps the games."""
