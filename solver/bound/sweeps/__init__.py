"""Sweeps: dynamic programming over the real games that the relaxation does not rule out."""
