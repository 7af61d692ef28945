"""Sweeps: dynamic programming over the real games that the bounds of the relaxations do not rule out."""
