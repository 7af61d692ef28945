"""The relaxations r1, r2 and r3: games that score at least as much as the real one, at given prices."""
