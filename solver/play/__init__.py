"""The row-draw game for one person at a keyboard."""
