"""Sweeps: dynamic programming over the real games that the relaxations do not rule out."""
