"""Compiled code of the beams: layers of states, draws, plays."""
