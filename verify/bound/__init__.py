"""Certificates of upper bounds: prices of tiles that prove that no game scores more."""
