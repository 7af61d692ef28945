"""The relaxations r1 and r3: games that score at least as much as the real one, at given prices."""
