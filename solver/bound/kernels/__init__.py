"""Compiled code of bounds: relaxed turns, and the plays and states of sweeps."""
