"""A game as people look at it: turn by turn as text, and as a picture."""
