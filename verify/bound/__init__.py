"""Certificates of upper bounds: prices of tiles from which anyone can recompute that no game scores more."""
