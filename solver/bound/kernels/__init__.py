"""Compiled code of bounds: turns of relaxed games, and plays and states of sweeps."""
