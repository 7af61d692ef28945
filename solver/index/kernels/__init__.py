"""Compiled code of the indexes: building them, and finding plays in them."""
